"""Hostile submissions in one marking: none gets a point, none changes a mark, the gradebook or the source."""

import os
import re
import socket
import sqlite3
import sysconfig
import tempfile
from pathlib import Path

import pytest

from tests.coursework.hostile import FORGED, REACHING
from tests.coursework.tiny import NAME, RIGHT, Course, hand_in, isolation, submission

pytestmark = pytest.mark.slow
HONEST = ("ann", "mid", "zoe")
STRANGE = ("a pipe", "a link", "a device", "a big one", "a deep one", "nothing", "a list", "no cells")


class Hostile(Course):
    """A course with a port and a socket that somebody serves, and files that are not to be reached."""

    def __init__(self, root: Path):
        super().__init__(root)
        self.nbgrader("generate_assignment", NAME)
        self.tiny = self.assignments[NAME]
        self.port, self.name = socket.create_server(("127.0.0.1", 0)), f"anonnb-{os.getpid()}"
        self.places = {
            "submitted": self.root / "submitted",
            "source": self.root / "source" / NAME / f"{NAME}.ipynb",
            "root": self.root,
            "gradebook": self.root / "gradebook.db",
            "temp": tempfile.gettempdir(),
            "marker": os.getpid(),
            "port": self.port.getsockname()[1],
            "socket": self.name,
        }

    def hand_in(self, student, answers, then=None):
        for name, value in self.places.items():
            answers = {cell: code.replace(f"⟨{name}⟩", str(value)) for cell, code in answers.items()}
        return hand_in(self.root, student, submission(self.tiny, answers, then=then))

    def autograde(self, code):
        with self.port, socket.socket(socket.AF_UNIX) as listening:
            listening.bind(f"\0{self.name}")
            listening.listen()
            return self.nbgrader("autograde", NAME, code=code)


def strange_files(course):
    path = {student: course.root / "submitted" / student / NAME / f"{NAME}.ipynb" for student in STRANGE}
    for student in STRANGE:
        path[student].parent.mkdir(parents=True)
    os.mkfifo(path["a pipe"])
    path["a link"].symlink_to(course.root / "submitted" / "ann" / NAME / f"{NAME}.ipynb")
    path["a device"].symlink_to("/dev/zero")
    with path["a big one"].open("wb") as file:
        file.truncate(10**12)
    path["a deep one"].write_text("[" * 100_000)
    path["nothing"].touch()
    path["a list"].write_text("[]")
    path["no cells"].write_text('{"cells": 7, "metadata": [], "nbformat": 4, "nbformat_minor": 5}')
    beside = course.hand_in("odd files", {}).parent
    os.mkfifo(beside / "pipe.csv")
    os.mkfifo(beside / "timestamp.txt")
    (beside / "zero.csv").symlink_to("/dev/zero")
    (beside / "solution.csv").symlink_to(course.places["source"])
    (beside / "page.html").write_text("<script>alert(1)</script>")


def marked(course, hostile, code=0):
    """Mark everybody; an honest student stands at the beginning, in the middle and at the end of the list."""
    for student in HONEST:
        course.hand_in(student, RIGHT)
    for student, (answers, then) in hostile.items():
        course.hand_in(student, answers, then)
    before = course.places["source"].read_bytes()
    log = course.autograde(code)
    assert course.places["source"].read_bytes() == before
    points = course.points()
    for student in HONEST:
        assert (student, points[student]) == (student, {"c1": 3, "c2": 2, "think": None})
        assert [path.name for path in (course.root / "submitted" / student / NAME).iterdir()] == [f"{NAME}.ipynb"]
    for student in hostile:
        assert (student, points[student]["c1"], points[student]["c2"]) == (student, 0, 0)
        said = course.said(student)
        assert not [text for text in said.values() if "REACHED" in text], (student, said)
        assert said["c1"], student
        assert said["c2"], student
    assert not Path(sysconfig.get_paths()["purelib"], "anonnb_hostile.pth").exists()
    assert not (course.root / "su").exists()
    with sqlite3.connect(course.places["gradebook"]) as book:
        assert book.execute("select count(*) from assignment").fetchone() == (1,)
    return log


def test_there_are_at_least_seventy():
    assert len(FORGED | REACHING) == len(FORGED) + len(REACHING) >= 70


def test_forgeries_get_no_points_and_change_nothing(tmp_path):
    course = Hostile(tmp_path)
    strange_files(course)
    log = marked(course, FORGED, code=1)
    failed = {student for student in STRANGE if f"for student '{student}'" in log}
    assert failed == set(STRANGE)
    assert all(not sum(filter(None, course.points()[student].values())) for student in STRANGE)
    assert {path.name.partition("-")[2] for path in (course.root / "set_aside" / "odd files" / NAME).iterdir()} == {
        *("pipe.csv", "timestamp.txt", "zero.csv", "solution.csv", "page.html")
    }
    assert sum(course.points()["odd files"][check] for check in ("c1", "c2")) == 0
    notes = {student: course.said(student).get("notes", "") for student in FORGED}
    assert "stopped: the notebook ended its own process (exit code 0)" in notes["os._exit"]
    assert "stopped" not in notes["sys.exit"]
    assert "the locked cell c1 was changed; the original was used" in notes["edits checks"]
    assert "the locked cell given was changed; the original was used" in notes["changes given"]
    assert "limit of" in notes["starts many processes"]  # 200 processes, or the memory that they add up to
    assert "(signal 6)" in notes["aborts"]
    course.nbgrader("generate_feedback", NAME)
    for page in (course.root / "feedback").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        plain = re.sub(r"<[^>]+>", "", text)
        assert "total == sum" not in plain
        assert "(-7, 0, 31)" not in plain
        assert "\x1b" not in text


def test_nothing_behind_the_walls_is_reached(tmp_path):
    if isolation()[0] != "namespaces":
        pytest.skip(f"this system has no namespaces for students' processes: {isolation()[1]}")
    marked(Hostile(tmp_path), REACHING)
