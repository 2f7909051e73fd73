"""Hostile submissions, all in one marking: none gets a point, none changes another's mark or loses a finished one."""

import json
import os
import socket
import sysconfig
import tempfile
from pathlib import Path

import pytest

from anonnb.coursework import Journal, mark_folder, write_feedback, write_marks
from tests.coursework.hostile import FORGED, REACHING
from tests.coursework.tiny import LIMITS, NAME, RIGHT, hand_in, isolation, submission, write_source

pytestmark = pytest.mark.slow
HONEST = {"ann": 5, "mid": 5, "zoe": 5}
STRANGE = {  # what is handed in instead of a notebook, or beside it
    "a pipe": ("missing", 0),
    "a link": ("missing", 0),
    "a device": ("missing", 0),
    "a big one": ("unreadable", 0),
    "a deep one": ("unreadable", 0),
    "nothing": ("unreadable", 0),
    "odd files": ("marked", 0),
    "M\\xfcller": ("marked", 5),
}


class Course:
    """A folder with a source, submissions, and files that hold results; a port and a socket that somebody serves."""

    def __init__(self, root):
        self.root, self.submitted = root, root / "submitted"
        self.tiny = write_source(root / "source")
        self.journal = Journal(root / "marks-progress.jsonl")
        (root / "marks.csv").write_text("finished before\n")
        self.port, self.name = socket.create_server(("127.0.0.1", 0)), f"anonnb-{os.getpid()}"
        self.places = {
            "submitted": self.submitted,
            "source": root / "source" / NAME / f"{NAME}.ipynb",
            "root": root,
            "marks": root / "marks.csv",
            "journal": self.journal.path,
            "temp": tempfile.gettempdir(),
            "marker": os.getpid(),
            "port": self.port.getsockname()[1],
            "socket": self.name,
        }

    def hand_in(self, student, answers, then=None):
        answers = {name: self._filled(code) for name, code in answers.items()}
        path = self.submitted / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(submission(self.tiny, answers, then=then)))  # nbformat cannot write some of them
        return path

    def _filled(self, code):
        for name, value in self.places.items():
            code = code.replace(f"⟨{name}⟩", str(value))
        return code

    def mark(self):
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(f"\0{self.name}")
            listening.listen()
            marks = mark_folder(
                self.submitted, [self.tiny], limits=LIMITS, jobs=2, isolation=isolation()[0], journal=self.journal
            )
        self.journal.close()
        self.port.close()
        return marks


def strange_files(course):
    path = {student: course.submitted / student / f"{NAME}.ipynb" for student in STRANGE}
    for student in list(STRANGE)[:6]:
        path[student].parent.mkdir(parents=True)
    os.mkfifo(path["a pipe"])
    path["a link"].symlink_to(course.submitted / "ann" / f"{NAME}.ipynb")
    path["a device"].symlink_to("/dev/zero")
    with path["a big one"].open("wb") as file:
        file.truncate(10**12)
    path["a deep one"].write_text("[" * 100_000)
    path["nothing"].touch()
    beside = course.hand_in("odd files", {}).parent
    os.mkfifo(beside / "pipe.csv")
    os.mkfifo(beside / "timestamp.txt")
    (beside / "zero.csv").symlink_to("/dev/zero")
    (beside / "solution.csv").symlink_to(course.places["source"])
    hand_in(course.submitted, os.fsdecode(b"M\xfcller"), submission(course.tiny, RIGHT))


def marked(course, hostile):
    """Everybody in one marking; an honest student at the beginning, in the middle and at the end of the list."""
    for student in HONEST:
        course.hand_in(student, RIGHT)
    for student, (answers, then) in hostile.items():
        course.hand_in(student, answers, then)
    before = course.places["source"].read_bytes()
    marks = {mark.student: mark for mark in course.mark()}
    assert course.places["source"].read_bytes() == before
    return marks


def assert_nothing_unearned(course, marks, hostile):
    for student in hostile:
        found = marks[student]
        said = [*(text for _, text in found.errors), *(task.message for task in found.tasks)]
        assert (student, found.auto_points, found.most("auto")) == (student, 0, 5)
        assert found.status in ("marked", "stopped"), f"{student}: {found.reason}"
        assert not [text for text in said if "REACHED" in text], f"{student}: {said}"
        assert all(task.message for task in found.tasks if task.kind == "auto"), student
        assert found.protection == isolation()[0]


def assert_nothing_changed(course, marks):
    for student, points in HONEST.items():
        assert (student, marks[student].status, marks[student].auto_points) == (student, "marked", points)
        assert [path.name for path in (course.submitted / student).iterdir()] == [f"{NAME}.ipynb"]
    assert (course.root / "marks.csv").read_text() == "finished before\n"
    assert not Path(sysconfig.get_paths()["purelib"], "anonnb_hostile.pth").exists()
    assert not (course.root / "su").exists()


def assert_all_is_written(course, marks, tmp_path):
    known = Journal(course.journal.path)
    known.close()
    finished = {mark.student: mark.auto_points for mark in known.finished.values()}
    assert finished == {student: mark.auto_points for student, mark in marks.items()}
    assert not +known.deaths
    path, tasks = write_marks([*marks.values()], tmp_path / "written.csv")
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(marks) + 1
    assert "\x1b" not in path.read_text(encoding="utf-8") + tasks.read_text(encoding="utf-8")
    handed_in = [mark for mark in marks.values() if mark.status != "missing"]
    assert len(write_feedback([*marks.values()], tmp_path / "pages")) == len(handed_in)


def test_there_are_at_least_seventy():
    assert len(FORGED | REACHING) == len(FORGED) + len(REACHING) >= 70


def test_forgeries_get_no_points_and_change_nothing(tmp_path):
    course = Course(tmp_path)
    strange_files(course)
    marks = marked(course, FORGED)
    assert_nothing_unearned(course, marks, FORGED)
    assert_nothing_changed(course, marks)
    assert_all_is_written(course, marks, tmp_path)
    assert {student: (marks[student].status, marks[student].auto_points) for student in STRANGE} == STRANGE
    assert marks["os._exit"].reason == "the notebook ended its own process (exit code 0)"
    assert marks["sys.exit"].status == "marked"
    assert "the locked cell c1 was changed; the original was used" in marks["edits checks"].notes
    assert "the locked cell given was changed; the original was used" in marks["changes given"].notes
    assert "limit of" in marks["starts many processes"].reason
    assert marks["aborts"].reason == "the notebook ended its own process (signal 6)"
    assert len(marks["many failing cells"].errors) == 50


def test_nothing_behind_the_walls_is_reached(tmp_path):
    if isolation()[0] != "namespaces":
        pytest.skip(f"this system has no namespaces for students' processes: {isolation()[1]}")
    course = Course(tmp_path)
    marks = marked(course, REACHING)
    assert_nothing_unearned(course, marks, REACHING)
    assert_nothing_changed(course, marks)
    assert_all_is_written(course, marks, tmp_path)
