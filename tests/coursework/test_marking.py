"""Marking: honest work gets its points, cheating gets none, and nothing stops the marker."""

import csv
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell

from anonnb.coursework import Limits, mark_folder, write_feedback, write_marks
from anonnb.coursework.assignment import Assignment
from anonnb.coursework.limits import environment
from tests.coursework.hostile import PATCH, cell, with_first
from tests.coursework.tiny import LIMITS, NAME, RIGHT, graded, hand_in, isolation, submission, write_source

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_source(tmp_path_factory.mktemp("source"))


def mark(tiny, folder, **options):
    return {mark.student: mark for mark in mark_folder(folder, [tiny], **{"limits": LIMITS} | options)}


# ---- honest ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest(tiny, tmp_path_factory):
    """A class of students, marked one at a time and two at a time."""
    folder = tmp_path_factory.mktemp("submitted")

    def with_own_cells(notebook):
        place = notebook.cells.index(cell(notebook, "a1"))
        notebook.cells.insert(place, new_code_cell("helper(NUMBERS)"))
        magic = "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n!ls\ndisplay(1)"
        notebook.cells.insert(0, new_code_cell(f"{magic}\nhelper = sum"))

    def twice(notebook):
        notebook.cells.append(graded("code", "a1", "total = 7", solution=True))

    def as_markdown(notebook):
        cell(notebook, "a1").cell_type = "raw"
        del cell(notebook, "a1")["outputs"], cell(notebook, "a1")["execution_count"]

    hand_in(folder, "all right", submission(tiny, RIGHT))
    hand_in(folder, "empty", submission(tiny))
    hand_in(folder, "half", submission(tiny, RIGHT | {"a2": "def double(x):\n    return x ** 2"}))
    hand_in(folder, "own cells", submission(tiny, RIGHT | {"a1": "total = helper(NUMBERS)"}, then=with_own_cells))
    hand_in(folder, "twice", submission(tiny, RIGHT, then=twice))
    hand_in(folder, "not code", submission(tiny, RIGHT, then=as_markdown))
    hand_in(folder, "an object", submission(tiny, RIGHT | {"a1": "total = object()"}))
    hand_in(
        folder,
        "raises",
        submission(tiny, RIGHT | {"a1": "total = 1 / 0", "a2": "def double(x):\n    raise KeyError(x)"}),
    )
    hand_in(folder, "other", submission(tiny, RIGHT), name="99_other")
    (folder / "corrupt").mkdir()
    (folder / "corrupt" / f"{NAME}.ipynb").write_text("{not a notebook")
    hand_in(folder, "=cmd()", submission(tiny))
    nbformat.write(submission(tiny), folder / f"{NAME}.ipynb")
    deep = folder / "nbgrader way" / NAME
    deep.mkdir(parents=True)
    nbformat.write(submission(tiny, RIGHT), deep / f"{NAME}.ipynb")
    (deep / ".ipynb_checkpoints").mkdir()
    nbformat.write(submission(tiny), deep / ".ipynb_checkpoints" / f"{NAME}.ipynb")
    marks = mark_folder(folder, [tiny], limits=LIMITS)
    return folder, marks, mark_folder(folder, [tiny], limits=LIMITS, jobs=2)


@pytest.mark.parametrize(
    ("student", "status", "points"),
    [
        ("all right", "marked", 5),
        ("empty", "marked", 0),
        ("half", "marked", 3),
        ("own cells", "marked", 5),
        ("twice", "marked", 5),
        ("not code", "marked", 2),
        ("an object", "marked", 2),
        ("raises", "marked", 0),
        ("other", "missing", 0),
        ("corrupt", "unreadable", 0),
        ("nbgrader way", "marked", 5),
    ],
)
def test_status_and_points(honest, student, status, points):
    found = next(mark for mark in honest[1] if mark.student == student and mark.assignment == NAME)
    assert (found.status, found.auto_points) == (status, points)
    assert (found.most("auto"), found.most("manual")) == (5, 5)


def test_messages_tell_what_is_wrong(honest):
    marks = {mark.student: {task.task: task.message for task in mark.tasks} for mark in honest[1] if mark.tasks}
    assert marks["all right"] == {"c1": "", "c2": "", "think": ""}
    assert marks["empty"]["c1"] == "total: this name is not defined"
    assert marks["empty"]["c2"] == "double(…): it is not written yet."
    assert marks["empty"]["think"] == "not answered"
    assert marks["half"]["c2"] == "the check fails"
    assert marks["an object"]["c1"].startswith("total: the answer holds a object; hand in plain data")
    assert marks["raises"]["c2"] == "double(…): it raises KeyError."
    reasons = {(mark.student, mark.assignment): mark.reason for mark in honest[1]}
    assert reasons["other", NAME] == "not handed in"
    assert reasons["other", "99_other"] == "99_other.ipynb: this is no assignment"
    assert reasons["", NAME] == f"{NAME}.ipynb: not in a student's folder"
    assert reasons["corrupt", NAME].startswith(f"{NAME}.ipynb is not a notebook")


def test_notes_tell_what_was_odd(honest):
    notes = {mark.student: mark.notes for mark in honest[1]}
    assert notes["all right"] == notes["own cells"] == notes["nbgrader way"] == []
    assert notes["twice"] == ["the cell a1 occurs more than once; the first one counts"]
    assert notes["not code"] == ["the cell a1 is no code cell any more; it was not run"]


def test_two_at_a_time_give_the_same_files(honest, tmp_path):
    first, second = (write_marks(marks, tmp_path / f"{place}.csv") for place, marks in enumerate(honest[1:]))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_csv_files(honest, tmp_path):
    marks, tasks = write_marks(honest[1], tmp_path / "marks.csv")
    lines = {line["student"]: line for line in csv.DictReader(marks.open(encoding="utf-8"))}
    assert list(lines["half"].values()) == ["half", NAME, "marked", "3", "5", "", "5", "", "", isolation()[0], ""]
    assert "'=cmd()" in lines  # a name is no formula
    by_task = list(csv.DictReader(tasks.open(encoding="utf-8")))
    mine = [
        (line["task"], line["kind"], line["points"], line["max_points"])
        for line in by_task
        if line["student"] == "half"
    ]
    assert mine == [("c1", "auto", "3", "3"), ("c2", "auto", "0", "2"), ("think", "manual", "", "5")]


def test_feedback_shows_texts_as_texts(honest, tmp_path):
    pages = {path.parent.name: path.read_text(encoding="utf-8") for path in write_feedback(honest[1], tmp_path)}
    assert "<p>Because it is &lt;b&gt;so&lt;/b&gt;.</p>" in pages["all right"]
    assert "ZeroDivisionError: division by zero" in pages["raises"]
    assert "<b>3</b> of 5 points" in pages["half"]
    assert "other" not in pages
    assert "total = sum(NUMBERS)" in pages["all right"]  # what the student wrote
    assert not any("model answer" in page for page in pages.values())
    assert "sum(NUMBERS)" not in pages["empty"]


def test_late(tiny, tmp_path):
    path = hand_in(tmp_path, "ann", submission(tiny, RIGHT))
    now = datetime.now(UTC)
    assert mark(tiny, tmp_path, due=now - timedelta(hours=1))["ann"].late
    assert not mark(tiny, tmp_path, due=now + timedelta(hours=1))["ann"].late
    path.with_name("timestamp.txt").write_text("2020-01-01 12:00:00.000000 UTC")  # a student can write that
    found = mark(tiny, tmp_path, due=now - timedelta(hours=1))["ann"]
    assert found.late
    assert found.auto_points == 5


FILES = """
import pandas as pd
pd.read_csv("own.csv").to_csv("out.csv", index=False)
pd.DataFrame({"a": [100]}).to_csv("given.csv", index=False)
pd.DataFrame({"a": [100]}).to_csv("late.csv", index=False)
"""


def test_files_are_the_ones_that_the_cells_left(tmp_path):
    """A stale file that was handed in does not count, and no file of the student's takes the place of a given one."""
    late = "import pandas as pd\npd.DataFrame({'a': [2]}).to_csv('late.csv', index=False)"
    look = (
        "import pandas as pd\nfound = [pd.read_csv(f'{name}.csv')['a'].tolist() for name in ('out', 'given', 'late')]"
    )
    cells = [
        graded("code", "first", "pass", locked=True),
        graded("code", "answer", FILES, solution=True),
        graded("code", "early", f"{look}\nassert found[0] == [7]", grade=True, locked=True, points=1),
        graded("code", "second", late, locked=True),
        graded("code", "check", f"{look}\nassert found == [[7], [1], [2]], found", grade=True, locked=True, points=1),
    ]
    path = tmp_path / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    path.with_name("given.csv").write_text("a\n1\n")
    assignment = Assignment.read(path)
    notebook = hand_in(tmp_path / "submitted", "ann", submission(assignment, {"answer": FILES}))
    for name, value in {"own": 7, "out": 6, "given": 5}.items():
        notebook.with_name(f"{name}.csv").write_text(f"a\n{value}\n")
    notebook.with_name("link.csv").symlink_to("/etc/hostname")
    found = mark(assignment, tmp_path / "submitted")["ann"]
    assert [(task.task, task.message) for task in found.tasks] == [("early", ""), ("check", "")]


def test_no_folder(tiny, tmp_path):
    with pytest.raises(ValueError, match="there is no folder"):
        mark_folder(tmp_path / "none", [tiny])


# ---- cheating --------------------------------------------------------------------------------------------------------


def test_a_cheat_does_not_reach_the_next_submission(tiny, tmp_path):
    hand_in(tmp_path, "a cheat", submission(tiny, with_first(PATCH)))
    hand_in(tmp_path, "b honest", submission(tiny, RIGHT))
    marks = mark(tiny, tmp_path)
    assert (marks["a cheat"].auto_points, marks["b honest"].auto_points) == (0, 5)


KILL = "import os\nos.kill(os.getppid(), 9)"
WRITE_AND_KILL = """
import json, os
passed = [{"id": name, "points": None, "message": ""} for name in ("c1", "c2")]
try:  # root can write there, others cannot
    with open(f"/proc/{os.getppid()}/fd/1", "w") as out:
        out.write(json.dumps({"outcomes": passed, "stopped": ""}))
except OSError:
    pass
"""


def test_killing_the_examiner_and_writing_in_its_place_gives_nothing(tiny, tmp_path):
    for student, code in {"kills": KILL, "writes": WRITE_AND_KILL, "both": WRITE_AND_KILL + KILL}.items():
        hand_in(tmp_path, student, submission(tiny, with_first(code)))
    marks = mark(tiny, tmp_path, isolation="none")
    assert {found.auto_points for found in marks.values()} == {0}
    assert marks["kills"].status == marks["both"].status == "failed"
    assert marks["kills"].reason.startswith("the examiner failed")


def test_the_examiner_is_closed_to_other_processes():
    code = (
        "import ctypes, sys; from anonnb.coursework.limits import keep_apart; keep_apart(); "
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) if sys.platform == 'linux' else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "0\n"


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_endless_cells_and_functions_are_ended_and_what_was_reached_counts(tiny, tmp_path):
    endless = "while True:\n    __import__('time').sleep(0.1)"  # as long as a busy loop, and kinder to the machine
    hand_in(tmp_path, "cell", submission(tiny, RIGHT | {"a2": endless}))
    function = "def double(x):\n    " + endless.replace("\n", "\n    ")
    hand_in(tmp_path, "function", submission(tiny, RIGHT | {"a2": function}))
    hand_in(tmp_path, "pipe", submission(tiny, RIGHT | {"a2": "import os\nos.mkfifo('p')\nopen('p').read()"}))
    deaf = "import signal\nfor number in (2, 15):\n    signal.signal(number, signal.SIG_IGN)\n" + endless
    hand_in(tmp_path, "deaf", submission(tiny, RIGHT | {"a2": deaf}))
    for found in mark(tiny, tmp_path, limits=Limits(seconds=8), jobs=4).values():
        assert (found.status, found.reason) == ("stopped", "the time limit of 8 s was reached")
        assert found.auto_points == 3
        assert found.tasks[1].message == "not reached: the time limit of 8 s was reached"


def test_a_huge_allocation_fails_or_ends_the_process(tiny, tmp_path):
    hand_in(tmp_path, "takes 50 GB", submission(tiny, RIGHT | {"a1": "total = len(bytearray(50 * 10**9))"}))
    slowly = "import numpy\nkept = []\nwhile True:\n    kept.append(numpy.ones(10**6))"
    hand_in(tmp_path, "takes it slowly", submission(tiny, RIGHT | {"a1": slowly}))
    marks = mark(tiny, tmp_path)
    assert all(found.auto_points <= 2 for found in marks.values())
    assert "MemoryError" in dict(marks["takes 50 GB"].errors)["a1"]


def test_the_examiner_has_a_memory_limit_too(tmp_path):
    """A check that needs memory in proportion to an answer fails; it does not take the machine."""
    check = "import numpy\nkept = [numpy.ones(10**7) for _ in range(size)]\nassert len(kept) == size"
    cells = [
        graded("code", "answer", "size = 1", solution=True),
        graded("code", "check", check, grade=True, locked=True, points=1),
    ]
    path = tmp_path / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assignment = Assignment.read(path)
    for size in (1, 18, 40):  # 80 MB each
        hand_in(tmp_path / "submitted", str(size), submission(assignment, {"answer": f"size = {size}"}))
    marks = mark(assignment, tmp_path / "submitted")
    assert (marks["1"].status, marks["1"].auto_points) == ("marked", 1)
    for size in ("18", "40"):  # 1.4 GB and what Python needs are above 1.5 GB
        assert (marks[size].status, marks[size].auto_points) == ("marked", 0)
        assert "MemoryError" in marks[size].tasks[0].message


def test_processes_that_slip_away_are_ended(tiny, tmp_path):
    seconds = f"{300 + os.getpid() % 1000}.{time.time_ns() % 10**6}"
    slip = f"import subprocess\nsubprocess.Popen(['sleep', '{seconds}'], start_new_session=True)\ntotal = 6"
    hand_in(tmp_path, "slips", submission(tiny, RIGHT | {"a1": slip}))
    assert mark(tiny, tmp_path)["slips"].auto_points == 5
    assert not [one for one in psutil.process_iter(["cmdline"]) if seconds in (one.info["cmdline"] or [])]


def test_a_wrapping_command_is_used(tiny, tmp_path):
    look = "import os\ntotal = 6 if os.environ.get('WRAPPED') == 'yes' else 0"
    hand_in(tmp_path, "ann", submission(tiny, RIGHT | {"a1": look}))
    assert mark(tiny, tmp_path)["ann"].auto_points == 2
    assert mark(tiny, tmp_path, wrap=["env", "WRAPPED=yes"])["ann"].auto_points == 5


def test_the_environment_holds_nothing_of_the_teacher(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    kept = environment("/somewhere")
    assert "SECRET_TOKEN" not in kept
    assert kept["HOME"] == kept["TMPDIR"] == "/somewhere"


def test_limits_must_be_positive():
    with pytest.raises(ValueError, match="seconds must be above 0"):
        Limits(seconds=0)


def test_the_process_limits_itself():
    code = (
        "import resource; from anonnb.coursework.limits import Limits, limit_this_process; "
        "limit_this_process(Limits(10, 1000)); print(resource.getrlimit(resource.RLIMIT_AS)[1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "1000000000"
