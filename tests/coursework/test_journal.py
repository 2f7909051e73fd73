"""No finished mark is lost: stopped, interrupted and killed markings continue, and nothing unwritable stops them."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime

import pytest

from anonnb.coursework import Journal, Limits, mark_folder, marking, write_feedback, write_marks
from anonnb.coursework.journal import MOST_DEATHS
from anonnb.coursework.marks import Mark, TaskMark, readable
from tests.coursework.tiny import LIMITS, NAME, RIGHT, hand_in, submission, write_source

RESULT = {"outcomes": [{"id": name, "points": None, "message": ""} for name in ("c1", "c2")], "stopped": ""}


@pytest.fixture
def tiny(tmp_path):
    return write_source(tmp_path / "source")


@pytest.fixture
def examined(monkeypatch):
    """Examiners that are not started; whom they would have examined (by the code of the first answer)."""
    seen = []

    def examine(self, job, seconds):
        answer = next(step["code"] for step in job["steps"] if step["id"] == "a1")
        seen.append(answer)
        if answer == "stop":
            raise KeyboardInterrupt
        return {"failed": "no more memory"} if answer == "fail" else RESULT

    monkeypatch.setattr(marking.Examiners, "examine", examine)
    return seen


def mark(tiny, tmp_path, **options):
    journal = Journal(tmp_path / "progress.jsonl")
    try:
        return mark_folder(tmp_path / "in", [tiny], isolation="none", journal=journal, **options)
    finally:
        journal.close()


def test_an_interrupted_marking_continues(tiny, tmp_path, examined):
    for student in ("ann", "bob", "cid"):
        hand_in(tmp_path / "in", student, submission(tiny, RIGHT | {"a1": "stop" if student == "bob" else student}))
    with pytest.raises(KeyboardInterrupt):
        mark(tiny, tmp_path)
    hand_in(tmp_path / "in", "bob", submission(tiny, RIGHT | {"a1": "bob"}))
    examined.clear()
    assert [found.auto_points for found in mark(tiny, tmp_path)] == [5, 5, 5]
    assert set(examined) <= {"bob", "cid"}
    assert "bob" in examined


@pytest.mark.parametrize("change", ["answer", "file", "limits", "assignment"])
def test_what_changed_is_marked_again(tiny, tmp_path, examined, change):
    path = hand_in(tmp_path / "in", "ann", submission(tiny, RIGHT | {"a1": "one"}))
    mark(tiny, tmp_path, limits=LIMITS)
    limits = LIMITS
    if change == "answer":
        hand_in(tmp_path / "in", "ann", submission(tiny, RIGHT | {"a1": "two"}))
    elif change == "file":
        path.with_name("own.csv").write_text("a\n1\n")
    elif change == "limits":
        limits = Limits(7)
    else:
        source = tmp_path / "source" / NAME / f"{NAME}.ipynb"
        source.write_text(source.read_text().replace("is not the sum", "is wrong"))
        tiny = type(tiny).read(source)
    examined.clear()
    mark(tiny, tmp_path, limits=limits)
    assert len(examined) == 1
    mark(tiny, tmp_path, limits=limits)
    assert len(examined) == 1


def test_what_failed_is_tried_again(tiny, tmp_path, examined):
    hand_in(tmp_path / "in", "ann", submission(tiny, RIGHT | {"a1": "fail"}))
    for _ in range(MOST_DEATHS + 1):
        (found,) = mark(tiny, tmp_path)
        assert (found.status, found.reason) == ("failed", "no more memory")
    assert len(examined) == MOST_DEATHS + 1


def test_the_time_may_change_without_marking_again(tiny, tmp_path, examined):
    hand_in(tmp_path / "in", "ann", submission(tiny, RIGHT))
    due = {False: datetime(2100, 1, 1, tzinfo=UTC), True: datetime(2000, 1, 1, tzinfo=UTC)}
    assert [mark(tiny, tmp_path, due=due[late])[0].late for late in (False, True, False)] == [False, True, False]
    assert len(examined) == 1


def test_a_cut_or_strange_line_costs_that_line_only(tmp_path):
    path = tmp_path / "progress.jsonl"
    journal = Journal(path)
    journal.begin("a")
    journal.finish("a", Mark("ann", NAME, "marked", [TaskMark("c1", "auto", 3, 3)], errors=[("a1", "KeyError")]))
    journal.close()
    with path.open("ab") as file:
        file.write(b'7\n{"what": "finished"}\n\xff\n{"what": "finished", "key": "b", "mark": {"stud')
    again = Journal(path)
    again.begin("c")
    again.close()
    known = Journal(path)
    known.close()
    assert set(known.finished) == {"a"}
    assert known.finished["a"].errors == [("a1", "KeyError")]
    assert known.deaths["c"] == 1


def test_a_disk_that_is_full_for_a_while_loses_no_line(tmp_path):
    journal = Journal(tmp_path / "progress.jsonl")

    class Full:
        def write(self, text):
            raise OSError(28, "No space left on device")

    file, journal._file = journal._file, Full()
    journal.finish("a", Mark("ann", NAME, "marked"))
    journal._file = file
    journal.finish("b", Mark("bob", NAME, "marked"))
    journal.close()
    known = Journal(tmp_path / "progress.jsonl")
    known.close()
    assert set(known.finished) == {"a", "b"}


def test_an_empty_journal_leaves_no_file(tmp_path):
    Journal(tmp_path / "progress.jsonl").close()
    assert not (tmp_path / "progress.jsonl").exists()


@pytest.mark.parametrize("text", ["\ud800", "a\x1b[2J", "\x00", "Z\u0308", "\u00a0", "line\nline"])
def test_every_text_can_be_written(tmp_path, text):
    mark = Mark.from_plain(
        Mark(
            text, NAME, "marked", [TaskMark("c1", "auto", 0, 3, text, text)], text, False, [text], [(text, text)]
        ).plain()
    )
    write_marks([mark], tmp_path / "marks.csv")
    assert len(write_feedback([mark], tmp_path / "pages")) == 1
    assert readable(mark.reason) == mark.reason
    assert mark.plain() == json.loads(json.dumps(mark.plain()))


def test_a_name_that_grows_too_long_gets_a_shorter_folder(tmp_path):
    long = os.fsdecode(b"\xfc" * 250)
    mark = Mark(marking.readable_name(long), NAME, "marked", [TaskMark("c1", "auto", 0, 3)])
    (page,) = write_feedback([mark], tmp_path / "pages")
    assert len(page.parent.name) < 200


def test_whatever_a_notebook_does_to_the_marker_costs_one_line(tiny, tmp_path, examined, monkeypatch):
    for student in ("ann", "bob"):
        hand_in(tmp_path / "in", student, submission(tiny, RIGHT))
    honest = marking.merge
    monkeypatch.setattr(
        marking,
        "merge",
        lambda assignment, path, *more: 1 / 0 if path.parent.name == "ann" else honest(assignment, path, *more),
    )
    marks = mark(tiny, tmp_path)
    assert [(found.status, found.auto_points) for found in marks] == [("failed", 0), ("marked", 5)]
    assert "ZeroDivisionError" in marks[0].reason


def test_folders_of_killed_markings_are_removed_by_the_next_one(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, young, linked = (tmp_path / f"anonnb-marking-{name}" for name in ("left", "young", "linked"))
    for folder in (left, young, tmp_path / "kept"):
        (folder / "work").mkdir(parents=True)
    linked.symlink_to(tmp_path / "kept")
    with marking.Examiners() as running:
        for folder in (left, running.folder, tmp_path / "kept"):
            os.utime(folder, (0, 0))
        with marking.Examiners():
            assert not left.exists()
            assert young.exists()
            assert running.folder.exists()
    assert (tmp_path / "kept" / "work").exists()
    assert not running.folder.exists()


# ---- processes that are really killed --------------------------------------------------------------------------------

RUN = """
import sys
from pathlib import Path
from anonnb.coursework import Journal, Limits, mark_folder
from anonnb.coursework.assignment import Assignment
root = Path(sys.argv[1])
tiny = Assignment.read(root / "source/01_tiny/01_tiny.ipynb")
marks = mark_folder(root / "in", [tiny], limits=Limits(300, 1500), jobs=int(sys.argv[2]), isolation="none",
                    journal=Journal(root / "progress.jsonl"))
print(*[f"{mark.student}={mark.status}={mark.auto_points:g}" for mark in marks])
"""
KILL_THE_MARKER = "import os, psutil\nos.kill(psutil.Process(os.getppid()).ppid(), 9)\nimport time; time.sleep(100)"


def run(root, jobs=1):
    command, variables = [sys.executable, "-c", RUN, root, str(jobs)], os.environ | {"TMPDIR": str(root)}
    done = subprocess.run(command, capture_output=True, text=True, env=variables)
    return done.returncode, done.stdout.split()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the examiner ends with the marker on Linux only")
def test_a_cell_that_kills_the_marker_where_there_are_no_walls_loses_no_finished_mark(tiny, tmp_path):
    for student in ("ann", "mid", "zoe"):
        answers = RIGHT | ({"a1": KILL_THE_MARKER} if student == "mid" else {})
        hand_in(tmp_path / "in", student, submission(tiny, answers))
    for killed in range(1, MOST_DEATHS + 1):
        assert run(tmp_path) == (-signal.SIGKILL, [])
        journal = Journal(tmp_path / "progress.jsonl")
        journal.close()
        finished = sorted(mark.student for mark in journal.finished.values())
        assert finished == (["ann"] if killed == 1 else ["ann", "zoe"])  # whom it can harm comes first
    assert run(tmp_path) == (0, ["ann=marked=5", "mid=failed=0", "zoe=marked=5"])


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(tiny, tmp_path, number):
    hand_in(tmp_path / "in", "ann", submission(tiny, RIGHT))
    hand_in(tmp_path / "in", "bob", submission(tiny, RIGHT | {"a1": "import time\ntime.sleep(1000)"}))
    words = ["mark", tmp_path / "in", "--source", tmp_path / "source", "--out", tmp_path / "marks.csv"]
    command = [sys.executable, "-m", "anonnb", "coursework", *map(str, words), "--timeout", "600"]
    variables = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True, env=variables, preexec_fn=_heed_ctrl_c
    ) as marker:
        while not _finished(tmp_path / "marks-progress.jsonl"):
            assert marker.poll() is None
            time.sleep(0.1)
        os.killpg(marker.pid, number)
        errors = marker.communicate(timeout=120)[1]
    assert marker.returncode == 130
    assert "the same command continues where it stopped" in errors
    assert "Traceback" not in errors
    journal = Journal(tmp_path / "marks-progress.jsonl")
    journal.close()
    assert [mark.student for mark in journal.finished.values()] == ["ann"]
    assert not +journal.deaths
    assert not list(tmp_path.glob("anonnb-marking-*"))
    hand_in(tmp_path / "in", "bob", submission(tiny, RIGHT))
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [line.split(",")[3] for line in (tmp_path / "marks.csv").read_text().splitlines()[1:]] == ["5", "5"]
    assert not (tmp_path / "marks-progress.jsonl").exists()


def _heed_ctrl_c():
    """Tests that a shell started in the background ignore SIGINT, and so would what they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _finished(path):
    return path.exists() and '"finished"' in path.read_text()
