"""Hostile submissions, all in one marking: none gets a point, none changes another's mark or loses a finished one."""

import json
import os
import socket
import sysconfig
import tempfile
from pathlib import Path

import pytest

from anonnb.coursework import Journal, mark_folder, write_feedback, write_marks
from tests.coursework.hostile import ATTACKS, HOSTILE
from tests.coursework.tiny import LIMITS, NAME, RIGHT, hand_in, isolation, submission, write_source

pytestmark = pytest.mark.slow
HONEST = {"ann": 5, "mid": 5, "zoe": 5}


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
    """What is handed in instead of a notebook, or beside it."""
    for student in ("a pipe", "a link", "a device", "a big one", "a deep one", "nothing"):
        (course.submitted / student).mkdir()
    path = {name.name: name / f"{NAME}.ipynb" for name in course.submitted.iterdir()}
    os.mkfifo(path["a pipe"])
    path["a link"].symlink_to(path["ann"])
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


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    made = Course(tmp_path_factory.mktemp("hostile"))
    for student in HONEST:
        made.hand_in(student, RIGHT)
    for student, (answers, then) in HOSTILE.items():
        if isolation()[0] == "namespaces" or student not in ATTACKS:
            made.hand_in(student, answers, then)
    strange_files(made)
    made.before = made.places["source"].read_bytes()
    made.marks = {mark.student: mark for mark in made.mark()}
    return made


def test_there_are_at_least_seventy():
    assert len(HOSTILE) >= 70


@pytest.mark.parametrize("student", HOSTILE)
def test_what_is_not_earned_gets_no_points(course, student):
    if student in ATTACKS and isolation()[0] != "namespaces":
        pytest.skip(f"this system has no namespaces for students' processes: {isolation()[1]}")
    found = course.marks[student]
    assert (found.auto_points, found.most("auto")) == (0, 5)
    assert found.status in ("marked", "stopped"), found.reason
    assert all(task.message for task in found.tasks if task.kind == "auto")
    assert not [text for _, text in found.errors if "REACHED" in text]
    assert not [task.message for task in found.tasks if "REACHED" in task.message]
    assert found.protection == isolation()[0]


@pytest.mark.parametrize(("student", "points"), HONEST.items())
def test_the_honest_keep_their_points(course, student, points):
    assert (course.marks[student].status, course.marks[student].auto_points) == ("marked", points)


def test_a_name_in_other_bytes_is_marked_like_any_other(course):
    assert course.marks["M\\xfcller"].auto_points == 5


@pytest.mark.parametrize(
    ("student", "status"),
    [
        ("a pipe", "missing"),
        ("a link", "missing"),
        ("a device", "missing"),
        ("a big one", "unreadable"),
        ("a deep one", "unreadable"),
        ("nothing", "unreadable"),
        ("odd files", "marked"),
    ],
)
def test_strange_files_get_a_line_and_no_points(course, student, status):
    assert (course.marks[student].status, course.marks[student].auto_points) == (status, 0)


def test_nothing_of_the_teacher_or_of_others_was_changed(course):
    assert course.places["source"].read_bytes() == course.before
    assert (course.root / "marks.csv").read_text() == "finished before\n"
    for student in HONEST:
        assert [path.name for path in (course.submitted / student).iterdir()] == [f"{NAME}.ipynb"]
    assert not Path(sysconfig.get_paths()["purelib"], "anonnb_hostile.pth").exists()
    assert not (course.root / "su").exists()


def test_every_mark_is_in_the_journal_and_can_be_written(course, tmp_path):
    known = Journal(course.journal.path)
    known.close()
    finished = {mark.student: mark.auto_points for mark in known.finished.values()}
    assert finished == {student: mark.auto_points for student, mark in course.marks.items()}
    assert not +known.deaths
    path, tasks = write_marks([*course.marks.values()], tmp_path / "marks.csv")
    assert len(path.read_text(encoding="utf-8").splitlines()) == len(course.marks) + 1
    assert "\x1b" not in path.read_text(encoding="utf-8") + tasks.read_text(encoding="utf-8")
    handed_in = [mark for mark in course.marks.values() if mark.status != "missing"]
    assert len(write_feedback([*course.marks.values()], tmp_path / "pages")) == len(handed_in)


def test_what_stopped_a_cheat_is_told(course):
    assert course.marks["os._exit"].reason == "the notebook ended its own process (exit code 0)"
    assert course.marks["sys.exit"].status == "marked"
    assert "the locked cell c1 was changed; the original was used" in course.marks["edits checks"].notes
    assert "the locked cell given was changed; the original was used" in course.marks["changes given"].notes
    assert "limit of" in course.marks["starts many processes"].reason
    assert course.marks["aborts"].reason == "the notebook ended its own process (signal 6)"
    assert len(course.marks["many failing cells"].errors) == 50
