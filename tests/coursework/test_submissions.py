"""What was handed in: which notebook counts, when it came, and what the mark says about it; no cell is run here."""

import os
import time
from datetime import UTC, datetime

import nbformat
import pytest

from anonnb.coursework import Limits, mark_folder, marking
from anonnb.coursework.feedback import feedback_page
from anonnb.coursework.submissions import find_submissions
from tests.coursework.tiny import NAME, hand_in, submission, write_source

RESULT = {"outcomes": [{"id": name, "passed": True, "message": ""} for name in ("c1", "c2")], "stopped": ""}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    monkeypatch.setattr(marking, "_examined", lambda job, seconds: RESULT)
    return write_source(tmp_path / "source")


@pytest.fixture(params=["America/New_York", "Asia/Tokyo"])
def far_away(request, monkeypatch):
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def mark(tiny, folder, **options):
    (found,) = mark_folder(folder, [tiny], limits=Limits(), **options)
    return found


# ---- when ------------------------------------------------------------------------------------------------------------


def stamped(tiny, folder, stamp):
    path = hand_in(folder, "ann", submission(tiny))
    path.with_name("timestamp.txt").write_bytes(stamp.encode("latin-1"))
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    return path


@pytest.mark.parametrize(("hour", "late"), [(11, False), (13, True)])
def test_a_stamp_in_utc_is_read_as_utc_wherever_the_teacher_is(tiny, tmp_path, far_away, hour, late):
    stamped(tiny, tmp_path / "in", f"2026-01-01 {hour}:00:00.000000 UTC")
    found = mark(tiny, tmp_path / "in", due=NOON)
    assert (found.late, found.notes) == (late, [])


def test_a_stamp_may_name_its_offset(tiny, tmp_path, far_away):
    stamped(tiny, tmp_path / "in", "2026-01-01 13:30:00+01:00\n")
    assert mark(tiny, tmp_path / "in", due=NOON.replace(minute=31, hour=12)).late is False
    assert mark(tiny, tmp_path / "in", due=NOON.replace(minute=29, hour=12)).late is True


@pytest.mark.parametrize("stamp", ["yesterday", "", "2026-01-01 10:00:00 Mars/Base", "\xff\xfe"])
def test_a_stamp_that_cannot_be_read_is_told_and_the_time_of_the_file_counts(tiny, tmp_path, stamp):
    stamped(tiny, tmp_path / "in", stamp)
    for due, late in ((NOON.replace(hour=11), True), (NOON.replace(hour=13), False)):
        found = mark(tiny, tmp_path / "in", due=due)
        assert found.late is late
        assert found.notes == ["timestamp.txt cannot be read; the time of the notebook's file was used"]
    assert "Note: timestamp.txt cannot be read" in feedback_page(found)


def test_without_a_stamp_nothing_is_said(tiny, tmp_path):
    path = hand_in(tmp_path / "in", "ann", submission(tiny))
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    assert mark(tiny, tmp_path / "in", due=NOON.replace(hour=11)).late is True
    assert mark(tiny, tmp_path / "in", due=NOON.replace(hour=13)).notes == []


# ---- which -----------------------------------------------------------------------------------------------------------


def test_of_two_notebooks_of_one_name_the_first_path_counts_and_the_mark_says_so(tiny, tmp_path):
    home = tmp_path / "in" / "ann"
    for folder in ("new", "a/old"):
        (home / folder).mkdir(parents=True)
        nbformat.write(submission(tiny), home / folder / f"{NAME}.ipynb")
    (found,) = find_submissions(tmp_path / "in", [NAME])
    assert found.path == home / "a" / "old" / f"{NAME}.ipynb"
    note = f"2 notebooks are called {NAME}.ipynb; the first path counts: a/old/{NAME}.ipynb"
    marked = mark(tiny, tmp_path / "in")
    assert marked.notes == [note]
    assert f"<p>Note: {note}.</p>" in feedback_page(marked)
    found.path.write_text("{not a notebook")
    assert mark(tiny, tmp_path / "in").notes == [note]  # more so when the first one cannot be marked


def test_a_file_that_cannot_be_opened_is_told_without_its_path(tiny, tmp_path, monkeypatch):
    path = hand_in(tmp_path / "in", "ann", submission(tiny))

    def merge(*_):
        raise PermissionError(13, "Permission denied", os.fspath(path))

    monkeypatch.setattr(marking, "merge", merge)
    found = mark(tiny, tmp_path / "in")
    assert (found.status, found.reason) == ("unreadable", f"{NAME}.ipynb: Permission denied")


def test_a_file_that_nbformat_cannot_open_is_told_without_its_path(tiny, tmp_path, monkeypatch):
    path = hand_in(tmp_path / "in", "ann", submission(tiny))

    def read(*_, **__):
        raise PermissionError(13, "Permission denied", os.fspath(path))

    monkeypatch.setattr(nbformat, "read", read)
    found = mark(tiny, tmp_path / "in")
    assert (found.status, found.reason) == ("unreadable", f"{NAME}.ipynb: Permission denied")


def test_a_file_that_goes_away_meanwhile_is_unreadable(tiny, tmp_path):
    path = hand_in(tmp_path / "in", "ann", submission(tiny))
    (found,) = find_submissions(tmp_path / "in", [NAME])
    path.unlink()
    lost = marking.mark_one(found, tiny, Limits(), due=NOON)
    assert (lost.status, lost.reason) == ("unreadable", f"{NAME}.ipynb: No such file or directory")


def test_all_errors_of_a_students_own_cells_are_kept(tiny, tmp_path, monkeypatch):
    errors = [("", "NameError: a"), ("a1", "KeyError: 1"), ("", "NameError: b")]
    failed = [{"id": name, "error": text} for name, text in errors]
    monkeypatch.setattr(marking, "_examined", lambda *_: {**RESULT, "outcomes": [*RESULT["outcomes"], *failed]})
    hand_in(tmp_path / "in", "ann", submission(tiny))
    found = mark(tiny, tmp_path / "in")
    assert found.errors == errors
    page = feedback_page(found)
    assert "a cell of your own: NameError: a" in page
    assert "a cell of your own: NameError: b" in page


def test_the_package_names_what_it_offers():
    import anonnb.coursework as coursework

    assert set(coursework.__all__) == set(dir(coursework))
    assert coursework.checks.__name__ == "anonnb.coursework.checks"
