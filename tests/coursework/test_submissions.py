"""What was handed in: which notebook counts, when it came, and what the mark says about it; no cell is run here."""

import os
import time
from datetime import UTC, datetime

import nbformat
import pytest

from anonnb.coursework import Limits, mark_folder, marking
from anonnb.coursework.feedback import feedback_page
from anonnb.coursework.submissions import find_submissions, read_times
from tests.coursework.tiny import NAME, hand_in, submission, write_source

RESULT = {"outcomes": [{"id": name, "points": None, "message": ""} for name in ("c1", "c2")], "stopped": ""}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    monkeypatch.setattr(marking.Examiners, "examine", lambda self, job, seconds: RESULT)
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


def handed_in_at_noon(tiny, folder, student="ann"):
    path = hand_in(folder, student, submission(tiny))
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    return path


def listed(folder, text):
    path = folder / "times.csv"
    path.write_text(text, encoding="utf-8")
    return read_times(path)


@pytest.mark.parametrize(("hour", "late"), [(11, True), (13, False)])
def test_without_a_list_the_time_of_the_file_counts_and_nothing_is_said(tiny, tmp_path, hour, late):
    handed_in_at_noon(tiny, tmp_path / "in")
    found = mark(tiny, tmp_path / "in", due=NOON.replace(hour=hour))
    assert (found.late, found.notes) == (late, [])


@pytest.mark.parametrize("stamp", ["2020-01-01 10:00:00 UTC", "yesterday", ""])
def test_a_stamp_that_a_student_can_write_does_not_count(tiny, tmp_path, stamp):
    handed_in_at_noon(tiny, tmp_path / "in").with_name("timestamp.txt").write_text(stamp)
    assert mark(tiny, tmp_path / "in", due=NOON.replace(hour=11)).late is True
    assert mark(tiny, tmp_path / "in", due=NOON.replace(hour=13)).late is False


def test_a_stamp_that_never_ends_does_not_stop_the_marking(tiny, tmp_path):
    for student, make in {
        "fifo": lambda path: os.mkfifo(path),
        "zero": lambda path: path.symlink_to("/dev/zero"),
        "folder": lambda path: path.mkdir(),
    }.items():
        make(handed_in_at_noon(tiny, tmp_path / "in", student).with_name("timestamp.txt"))
    marks = mark_folder(tmp_path / "in", [tiny], limits=Limits(), due=NOON.replace(hour=11))
    assert [(found.student, found.late) for found in marks] == [("fifo", True), ("folder", True), ("zero", True)]


@pytest.mark.parametrize(("hour", "late"), [(11, False), (13, True)])
def test_a_listed_time_in_utc_is_read_as_utc_wherever_the_teacher_is(tiny, tmp_path, far_away, hour, late):
    handed_in_at_noon(tiny, tmp_path / "in")
    times = listed(tmp_path, f"student,time\nann,2026-01-01 {hour}:00:00.000000 UTC\n")
    found = mark(tiny, tmp_path / "in", due=NOON, times=times)
    assert (found.late, found.notes) == (late, [])


def test_a_listed_time_may_name_its_offset_and_its_assignment(tiny, tmp_path, far_away):
    handed_in_at_noon(tiny, tmp_path / "in")
    lines = f"ann,2020-01-01,99_other\nann,2020-01-01,\nann,2026-01-01 13:30:00+01:00,{NAME}"
    times = listed(tmp_path, f"student,time,assignment\n{lines}\n")
    assert mark(tiny, tmp_path / "in", due=NOON.replace(minute=31, hour=12), times=times).late is False
    assert mark(tiny, tmp_path / "in", due=NOON.replace(minute=29, hour=12), times=times).late is True


def test_who_is_not_listed_is_told(tiny, tmp_path):
    handed_in_at_noon(tiny, tmp_path / "in")
    found = mark(
        tiny, tmp_path / "in", due=NOON.replace(hour=11), times=listed(tmp_path, "student,time\nbob,2020-01-01")
    )
    assert found.late is True
    assert found.notes == ["the list of times lacks this student; the time of the notebook's file counts"]
    assert "Note: the list of times lacks this student" in feedback_page(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,when\nann,now\n", "its first line must name the columns student and time"),
        ("", "its first line must name the columns"),
        ("student,time\nann,2026-01-01\nbob,yesterday\n", "line 3: write 'yesterday' like"),
        ("student,time\nann\n", "line 2: write '' like"),
    ],
)
def test_a_list_that_is_none_is_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        listed(tmp_path, text)


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
    lost = marking.mark_one(found, tiny, marking.Conditions(Limits()), marking.Examiners())
    assert (lost.status, lost.reason) == ("unreadable", f"{NAME}.ipynb: No such file or directory")


def test_all_errors_of_a_students_own_cells_are_kept(tiny, tmp_path, monkeypatch):
    errors = [("", "NameError: a"), ("a1", "KeyError: 1"), ("", "NameError: b")]
    failed = [{"id": name, "error": text} for name, text in errors]
    result = {**RESULT, "outcomes": [*RESULT["outcomes"], *failed]}
    monkeypatch.setattr(marking.Examiners, "examine", lambda *_: result)
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
