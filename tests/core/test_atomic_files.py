import os
import stat
from contextlib import nullcontext

import pytest

from anonnb.core.atomic_files import atomic_write, complete_file, named_together


def test_writes_text_and_leaves_nothing_beside(tmp_path):
    with atomic_write(tmp_path / "a.txt") as file:
        file.write("Zürich – 1\n")
    assert (tmp_path / "a.txt").read_bytes() == "Zürich – 1\n".encode()
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_keeps_the_old_file_and_removes_the_temporary(tmp_path, error):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(error), atomic_write(target) as file:
        file.write("half")
        raise error
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_the_target_is_untouched_until_the_end(tmp_path):
    target = tmp_path / "a.txt"
    with atomic_write(target) as file:
        file.write("x")
        file.flush()
        assert not target.exists()
    assert target.read_text() == "x"


def test_unknown_mode_is_refused(tmp_path):
    with pytest.raises(ValueError, match="'a'"), atomic_write(tmp_path / "a.txt", "a"):
        pass
    assert os.listdir(tmp_path) == []


def test_permissions_are_those_of_an_ordinary_file_and_kept_on_rewriting(tmp_path):
    target, ordinary = tmp_path / "a.txt", tmp_path / "b.txt"
    ordinary.write_text("")
    with atomic_write(target) as file:
        file.write("1")
    assert stat.S_IMODE(target.stat().st_mode) == stat.S_IMODE(ordinary.stat().st_mode)
    target.chmod(0o600)
    with atomic_write(target) as file:
        file.write("2")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    with atomic_write(tmp_path / "link.txt") as file:
        file.write("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_only_one_of_two_writers_gets_a_new_name(tmp_path, monkeypatch, links):
    """Both saw that the name was free; the check and the rename are one step."""
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(OSError("no hard links here")))
    target = tmp_path / "a.txt"
    taken = r"a\.txt' exists already; choose another name, or pass overwrite=True"
    with pytest.raises(FileExistsError, match=taken), atomic_write(target, overwrite=False) as slow:
        slow.write("slow")
        with atomic_write(target, overwrite=False) as quick:
            quick.write("quick")
    assert target.read_text() == "quick"
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask()
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("taken", [None, "a", "c"])
def test_files_get_their_names_together_or_none_does(tmp_path, taken):
    """Only a file that may not be replaced can find its name taken; b is an older file of ours."""
    (tmp_path / "b").write_text("old")
    raises = nullcontext() if taken is None else pytest.raises(FileExistsError, match="exists already")
    with raises, named_together():
        for name in "abc":
            with named_together(), atomic_write(tmp_path / name, overwrite=name == "b") as file:
                file.write("new")
            assert complete_file(tmp_path / name).read_text() == "new"
        with pytest.raises(KeyError), atomic_write(tmp_path / "d"):
            raise KeyError
        if taken is not None:
            (tmp_path / taken).write_text("theirs")
    expected = dict.fromkeys("abc", "new") if taken is None else {"b": "old", taken: "theirs"}
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == expected
    assert complete_file(tmp_path / "a") == tmp_path / "a"


def umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask
