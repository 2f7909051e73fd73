"""What killed writers leave behind is removed by the next one; what anybody still uses is not."""

import os
import subprocess
import sys
import time

import pytest

from anonnb.core import atomic_files
from anonnb.core.atomic_files import atomic_write, remove_abandoned, temporary_file, temporary_folder

WRITER = """
import sys
from anonnb.core.atomic_files import atomic_write
with atomic_write(sys.argv[1] + "/table.csv") as file:
    file.write("half")
    file.flush()
    print("ready", flush=True)
    sys.stdin.read()
"""
OWNER = """
import sys
from anonnb.core.atomic_files import temporary_folder
with temporary_folder("kernel", sys.argv[1]) as folder:
    (folder / "socket").touch()
    print("ready", flush=True)
    sys.stdin.read()
"""
needs_locks = pytest.mark.skipif(atomic_files.fcntl is None, reason="this system has no such locks")


@pytest.fixture
def started(tmp_path):
    """``started(program)``: a process that has reached its ``ready`` and now waits."""
    processes = []

    def start(program):
        command = [sys.executable, "-c", program, os.fspath(tmp_path)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@needs_locks
@pytest.mark.parametrize("program", [WRITER, OWNER])
def test_what_a_killed_process_leaves_goes_with_the_next_write(tmp_path, started, program):
    process = started(program)
    (used,) = names(tmp_path)
    with atomic_write(tmp_path / "other.csv") as file:
        file.write("whole")
    assert names(tmp_path) == sorted([used, "other.csv"])  # its owner lives
    process.kill()
    process.wait()
    assert names(tmp_path) == sorted([used, "other.csv"])
    with atomic_write(tmp_path / "other.csv") as file:
        file.write("whole")
    assert names(tmp_path) == ["other.csv"]


@needs_locks
def test_a_writer_who_is_let_finish_finds_its_file(tmp_path, started):
    process = started(WRITER)
    assert remove_abandoned(tmp_path) == []
    process.communicate("")
    assert process.returncode == 0
    assert names(tmp_path) == ["table.csv"]


def test_what_is_not_ours_stays(tmp_path):
    others = [".table.csv.abcd1234.tmp", "table.tmp", ".anonnb", "anonnb-abcd1234", ".a.anonnb-abcd1234.tmp.bak"]
    for name in others:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    assert remove_abandoned(tmp_path) == []
    assert names(tmp_path) == sorted(others)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_links_and_pipes_under_our_names_stay(tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "a.anonnb-abcd1234.tmp").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "b.anonnb-abcd1234.tmp")
    assert remove_abandoned(tmp_path) == []


@pytest.mark.parametrize("is_folder", [True, False])
def test_without_locks_only_what_is_old_goes(tmp_path, monkeypatch, is_folder):
    monkeypatch.setattr(atomic_files, "fcntl", None)
    left = tmp_path / ".table.csv.anonnb-abcd1234.tmp"
    left.mkdir() if is_folder else left.touch()
    assert remove_abandoned(tmp_path) == []
    old = time.time() - 2 * atomic_files.DAY
    os.utime(left, (old, old))
    assert remove_abandoned(tmp_path) == [left]
    with temporary_folder("kernel", tmp_path) as folder, temporary_file(tmp_path, "a.csv") as (handle, path):
        os.close(handle)
        assert sorted(names(tmp_path)) == sorted([folder.name, path.name])
        path.unlink()
    assert names(tmp_path) == []


@needs_locks
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_one_that_was_swept_before_it_was_locked_is_made_again(tmp_path, monkeypatch, kind):
    locked, swept = atomic_files.fcntl.flock, []

    def slow(handle, how):
        if not swept:
            swept.append("")  # the sweep below locks, too
            swept[:] = remove_abandoned(tmp_path)
        locked(handle, how)

    monkeypatch.setattr(atomic_files.fcntl, "flock", slow)
    if kind == "file":
        with temporary_file(tmp_path, "a.csv") as (handle, path):
            os.close(handle)
            assert names(tmp_path) == [path.name]
            path.unlink()
    else:
        with temporary_folder("kernel", tmp_path) as path:
            assert names(tmp_path) == [path.name]
    assert len(swept) == 1
    assert path not in swept


def test_a_name_as_long_as_systems_allow_can_be_written(tmp_path):
    target = tmp_path / ("ü" * 120 + ".csv")
    with atomic_write(target) as file:
        file.write("whole")
    assert names(tmp_path) == [target.name]
