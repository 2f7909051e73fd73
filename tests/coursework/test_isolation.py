"""The walls: what a student's function can do with paths and processes that the examiner itself tells it."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from anonnb.coursework.assignment import Assignment
from anonnb.coursework.examiners import Conditions, examiners
from anonnb.coursework.isolation import KINDS, closed_to_others, needed_paths
from tests.coursework.tiny import LIMITS, NAME, graded, isolation, mark, submission

DATA = Path(__file__).parent / "data"

TRY = (DATA / "try.py.txt").read_text(encoding="utf-8")
OWN_FILES = (DATA / "own_files.py.txt").read_text(encoding="utf-8")
OWN_MEMORY = """
import os
for pid in (os.getpid(), os.getppid()):
    found = try_memory(pid)
    assert found == "", f"{found} {pid}"
"""


def available(kind):
    return examiners().examine(Conditions(LIMITS, kind).job([])).get("failed", "")


@pytest.fixture(scope="module")
def spy(tmp_path_factory):
    """An assignment whose checks tell the student's functions where the examiner is."""
    cells = [graded("code", "answer", TRY, solution=True)]
    cells += [
        graded("code", name, check, grade=True, locked=True, points=1)
        for name, check in {"files": OWN_FILES, "memory": OWN_MEMORY}.items()
    ]
    root = tmp_path_factory.mktemp("spy")
    path = root / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return Assignment.read(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.skipif(sys.platform != "linux", reason="walls are built on Linux only")
def test_the_examiner_and_the_marker_are_out_of_reach(spy, kind):
    why = available(kind)
    if why:
        pytest.skip(f"{kind}: {why}")
    found = mark(spy, submission(spy, {"answer": TRY}), kind=kind)
    assert found.points["memory"] == 1, found.said
    if kind != "none":
        assert found.points["files"] == 1, found.said


@pytest.mark.slow
def test_the_best_walls_are_found_and_a_better_kind_is_told_if_refused():
    kind, why = isolation()
    assert kind in KINDS
    assert bool(why) == (kind != next(iter(KINDS)))


@pytest.mark.slow
def test_where_namespaces_are_refused_the_next_kind_is_taken():
    if isolation()[0] != "namespaces":
        pytest.skip(f"this system has no namespaces to refuse: {isolation()[1]}")
    no_more = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
    look = "from anonnb.coursework import Limits, find_isolation; print(*find_isolation(Limits()), sep=': ')"
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", no_more, "sh", sys.executable, "-c", look]
    said = subprocess.run(command, capture_output=True, text=True).stdout
    assert said.startswith(("landlock: ", "none: ")), said
    assert "namespaces: unshare: No space left on device" in said


def test_what_python_needs_holds_the_package_but_not_the_solutions_beside_it():
    import anonnb

    package = os.path.dirname(os.path.realpath(anonnb.__file__))
    paths = needed_paths()
    assert package in paths
    assert sys.prefix in paths
    assert os.path.dirname(package) not in paths or "site-packages" in package


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has it")
def test_a_marker_is_closed_while_it_marks_and_open_afterwards():
    code = (
        "import ctypes; from anonnb.coursework.isolation import closed_to_others\n"
        "look = lambda: ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)\n"
        "with closed_to_others(): inside = look()\n"
        "print(inside, look())"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "0 1\n"
    with closed_to_others():
        pass
