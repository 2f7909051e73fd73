"""Marking: honest work gets its points, limits hold for each cell, and whoever is not to blame does not pay."""

import os
import subprocess
import sys
import time

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from anonnb.coursework import Limits
from anonnb.coursework.assignment import Assignment
from anonnb.coursework.limits import environment
from tests.coursework.hostile import cell, with_first
from tests.coursework.tiny import NAME, RIGHT, Course, graded, hand_in, mark, submission, write_source

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_source(tmp_path_factory.mktemp("source"))


def assignment_of(folder, cells, files=()):
    path = folder / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    for name, text in dict(files).items():
        path.with_name(name).write_text(text)
    return Assignment.read(path)


# ---- honest ----------------------------------------------------------------------------------------------------------


def with_own_cells(notebook):
    place = notebook.cells.index(cell(notebook, "a1"))
    notebook.cells.insert(place, new_code_cell("helper(NUMBERS)"))
    magic = "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\n!ls\ndisplay(1)"
    notebook.cells.insert(0, new_code_cell(f"{magic}\nhelper = sum"))
    notebook.cells.append(new_markdown_cell("Also <b>this</b>."))


def twice(notebook):
    notebook.cells.append(graded("code", "a1", "total = 7", solution=True))


def as_raw(notebook):
    cell(notebook, "a1").cell_type = "raw"
    del cell(notebook, "a1")["outputs"], cell(notebook, "a1")["execution_count"]


HANDED_IN = {  # answers, a change of the notebook, points of c1, c2 and think (None: to be read)
    "all right": (RIGHT, None, (3, 2, None)),
    "empty": ({}, None, (0, 0, 0)),
    "half": (RIGHT | {"a2": "def double(x):\n    return x ** 2"}, None, (3, 0, None)),
    "own cells": (RIGHT | {"a1": "total = helper(NUMBERS)"}, with_own_cells, (3, 2, None)),
    "twice": (RIGHT, twice, (3, 2, None)),
    "not code": (RIGHT, as_raw, (0, 2, None)),
    "an object": (RIGHT | {"a1": "total = object()", "think": " "}, None, (0, 2, 0)),
    "raises": (RIGHT | {"a1": "1 / 0", "a2": "def double(x):\n    raise KeyError(x)"}, None, (0, 0, None)),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A class of students, marked by nbgrader."""
    course = Course(tmp_path_factory.mktemp("course"))
    course.nbgrader("generate_assignment", NAME)
    for student, (answers, then, _) in HANDED_IN.items():
        hand_in(course.root, student, submission(course.assignments[NAME], answers, then=then))
    course.nbgrader("autograde", NAME)
    return course


def test_points(course):
    points = course.points()
    assert {student: tuple(points[student].values()) for student in HANDED_IN} == {
        student: expected for student, (_, _, expected) in HANDED_IN.items()
    }


def test_outputs_tell_what_is_wrong(course):
    assert course.said("all right") == {}
    assert course.said("empty")["c1"] == "total: this name is not defined"
    assert course.said("empty")["c2"] == "double(…): it is not written yet."
    assert course.said("half") == {"c2": "the check fails"}
    assert course.said("an object")["c1"].startswith("total: the answer holds a object; hand in plain data")
    assert course.said("raises")["a1"] == "ZeroDivisionError: division by zero"
    assert course.said("raises")["c2"] == "double(…): it raises KeyError."
    assert course.said("twice")["notes"] == "- the cell a1 occurs more than once; the first one counts"
    assert course.said("not code")["notes"] == "- the cell a1 is no code cell any more; it was not run"
    assert course.said("own cells") == {}
    assert [cell.source for cell in course.marked("own cells").cells][-1] == "Also < b>this< /b>."


def test_what_is_missing_is_marked_by_the_same_command_and_nothing_else(course):
    marked = course.root / "autograded" / "half" / NAME / f"{NAME}.ipynb"
    before = marked.stat().st_mtime_ns
    hand_in(course.root, "late", submission(course.assignments[NAME], RIGHT))
    source = course.root / "source" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(source, as_version=4)
    cell(notebook, "a1").outputs = [nbformat.v4.new_output("stream", text="the teacher ran the source")]
    nbformat.write(notebook, source)
    course.nbgrader("autograde", NAME)
    assert course.points()["late"]["c1"] == 3
    assert marked.stat().st_mtime_ns == before


def refused(course, *words):
    """What nbgrader says to a marking that begins with nobody; there is no trace of a mark."""
    said = course.nbgrader("autograde", NAME, "--force", "--student", "empty", *words, code=1)
    assert said.count("Nobody was marked: ") == 1
    assert not (course.root / "autograded" / "empty" / NAME).exists()
    return said


def test_a_limit_that_the_model_solution_does_not_survive_is_refused(course):
    assert "the memory limit of 20 MB was reached" in refused(course, "--Examine.megabytes=20")


def test_a_source_that_the_model_solution_does_not_solve_is_refused(course):
    path = course.root / "source" / NAME / f"{NAME}.ipynb"
    text = path.read_text()
    path.write_text(text.replace("for x in (-7, 0, 31))", "for x in (-7, 0, 31))\\n1.5"))  # of 2 points
    try:
        assert f"the model solution of {NAME} does not get full marks" in refused(course)
    finally:
        path.write_text(text)


def test_without_walls_nobody_is_marked_unless_the_teacher_says_so(course):
    config = course.root / "nbgrader_config.py"
    text = config.read_text()
    no_walls = "for kind in ('namespaces', 'landlock'):\n    del isolation.KINDS[kind]\n"
    config.write_text(f"from anonnb.coursework import isolation\n{no_walls}{text}")
    try:
        assert "students' processes cannot be isolated here" in refused(course)
        said = course.nbgrader("autograde", NAME, "--student", "half", "--force", "--Examine.unprotected=True")
        assert "students' processes are NOT isolated" in said
    finally:
        config.write_text(text)
    assert course.points()["half"]["c1"] == 3


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
    assignment = assignment_of(tmp_path, cells, {"given.csv": "a\n1\n"})
    beside = []
    for name, value in {"own": 7, "out": 6, "given": 5}.items():
        beside.append(tmp_path / f"{name}.csv")
        beside[-1].write_text(f"a\n{value}\n")
    found = mark(assignment, submission(assignment, {"answer": FILES}), files=beside)
    assert found.said == {}


# ---- whose fault it is -----------------------------------------------------------------------------------------------

GIVEN = [
    graded("code", "first", "own = {'a': 1}", locked=True),
    graded("code", "a1", "x = 1", solution=True),
    graded("code", "c1", "assert x == 1", grade=True, locked=True, points=1),
    graded("code", "second", "second = own['a']", locked=True),
    graded("code", "a2", "y = second", solution=True),
    graded("code", "c2", "assert y == own['a']", grade=True, locked=True, points=1),
]


def test_a_given_cell_that_the_students_cells_break_is_named(tmp_path):
    assignment = assignment_of(tmp_path, GIVEN)
    found = mark(assignment, submission(assignment, {"a1": "x = 1\nown = {}", "a2": "y = second"}))
    assert found.points == {"c1": 1, "c2": 0}
    assert found.said["second"] == "KeyError: 'a'"
    assert "the given cell second failed before; your cells change own, which the notebook needs" in found.said["c2"]


def test_a_given_cell_that_fails_by_itself_is_nobodys_fault(tmp_path):
    broken = [*GIVEN[:3], graded("code", "second", "second = open('/proc/self/no such file')", locked=True), *GIVEN[4:]]
    broken[3].source = "import sys\nsecond = 1 if 'anonnb.coursework.examiner' in sys.modules else nothing"
    assignment = assignment_of(tmp_path, broken)
    found = mark(assignment, submission(assignment, {"a1": "x = 1", "a2": "y = 1"}))
    assert found.result["failed"].startswith("the given cell second fails without any answer: NameError")


def test_resident_memory_counts_and_addresses_do_not(tmp_path):
    """A process may reserve far more than it uses, as compiled code does."""
    reserve = "import mmap\nkept = mmap.mmap(-1, 3 * 10**9, flags=mmap.MAP_PRIVATE | 0x20)\ntotal = sum(NUMBERS)"
    tiny = write_source(tmp_path)
    found = mark(tiny, submission(tiny, RIGHT | {"a1": reserve}), limits=Limits(megabytes=300))
    assert found.points["c1"] == 3, found.said


# ---- limits ----------------------------------------------------------------------------------------------------------

ENDLESS = "while True:\n    __import__('time').sleep(0.1)"  # as long as a busy loop, and kinder to the machine
SHORT = Limits(seconds=60, cell_seconds=4)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (f"total = 6\n{ENDLESS}", "OutOfTime: this took longer than 4 s"),
        ("import os\nos.mkfifo('p')\nopen('p').read()", "OutOfTime: this took longer than 4 s"),
        ("while True:\n    pass", "OutOfTime: this took longer than 4 s"),
    ],
)
def test_a_cell_without_end_fails_and_the_next_one_counts(tiny, code, words):
    found = mark(tiny, submission(tiny, RIGHT | {"a1": code}), limits=SHORT)
    assert found.said["a1"] == words
    assert found.points["c2"] == 2


def test_a_function_without_end_fails_its_check_only(tiny):
    slow = {"a1": "total = sum(NUMBERS)\ndef double(x): return 2 * x", "a2": "def double(x):\n    while True: pass"}
    found = mark(tiny, submission(tiny, RIGHT | slow), limits=SHORT)
    assert (found.points["c1"], found.points["c2"]) == (3, 0)
    assert "longer than 4 s" in found.said["c2"]


def test_an_answer_that_takes_the_examiners_time_fails_its_check_only(tmp_path):
    cells = [
        graded("code", "a1", "n = 1", solution=True),
        graded("code", "c1", "m = n\nwhile m:\n    m -= 0 if m > 5 else 1", grade=True, locked=True, points=1),
        graded("code", "c2", "assert n >= 1", grade=True, locked=True, points=1),
    ]
    assignment = assignment_of(tmp_path, cells)
    found = mark(assignment, submission(assignment, {"a1": "n = 6"}), limits=SHORT)
    assert found.points == {"c1": 0, "c2": 1}
    assert found.said["c1"] == "with this answer, the check took longer than 4 s"


def test_who_catches_every_alarm_is_stopped_in_the_end(tiny):
    deaf = f"import signal\nfor number in (2, 14, 15):\n    signal.signal(number, signal.SIG_IGN)\n{ENDLESS}"
    found = mark(tiny, submission(tiny, RIGHT | {"a2": deaf}), limits=Limits(seconds=15, cell_seconds=5))
    assert found.result["stopped"] == "the time limit of 15 s was reached"
    assert (found.points["c1"], found.points["c2"]) == (3, 0)
    assert found.said["c2"] == "not reached: the time limit of 15 s was reached"
    assert "stopped: the time limit of 15 s was reached; what was checked before counts" in found.said["notes"]


def test_a_huge_allocation_fails_or_ends_the_process(tiny):
    at_once = mark(tiny, submission(tiny, RIGHT | {"a1": "total = len(bytearray(50 * 10**9))"}))
    assert "MemoryError" in at_once.said["a1"]
    assert at_once.points["c2"] == 2
    slowly = "import numpy\nkept = []\nwhile True:\n    kept.append(numpy.ones(10**6))"
    found = mark(tiny, submission(tiny, RIGHT | {"a1": slowly}), limits=Limits(megabytes=500))
    assert found.result["stopped"] == "the memory limit of 500 MB was reached"


def test_the_examiner_has_a_memory_limit_too(tmp_path):
    """A check that needs memory in proportion to an answer fails; it does not take the machine."""
    check = "import numpy\nkept = [numpy.ones(10**7) for _ in range(size)]\nassert len(kept) == size"
    cells = [
        graded("code", "answer", "size = 1", solution=True),
        graded("code", "check", check, grade=True, locked=True, points=1),
    ]
    assignment = assignment_of(tmp_path, cells)
    for size, points in {1: 1, 40: 0}.items():  # 80 MB each
        found = mark(assignment, submission(assignment, {"answer": f"size = {size}"}))
        assert found.points["check"] == points
        assert bool(points) or "MemoryError" in found.said["check"]


def test_processes_that_slip_away_are_ended(tiny):
    seconds = f"{300 + os.getpid() % 1000}.{time.time_ns() % 10**6}"
    slip = f"import subprocess\nsubprocess.Popen(['sleep', '{seconds}'], start_new_session=True)\ntotal = 6"
    assert mark(tiny, submission(tiny, RIGHT | {"a1": slip})).points["c1"] == 3
    assert not [one for one in psutil.process_iter(["cmdline"]) if seconds in (one.info["cmdline"] or [])]


# ---- cheating (see also test_hostile.py) -----------------------------------------------------------------------------

KILL = "import os\nos.kill(os.getppid(), 9)"
WRITE_AND_KILL = """
import json, os
passed = [{"id": name, "cell": place, "points": None, "message": ""} for name, place in (("c1", 3), ("c2", 5))]
try:  # root can write there, others cannot
    with open(f"/proc/{os.getppid()}/fd/1", "w") as out:
        out.write(json.dumps({"outcomes": passed, "stopped": ""}))
except OSError:
    pass
"""


@pytest.mark.parametrize("code", [KILL, WRITE_AND_KILL + KILL])
def test_killing_the_examiner_and_writing_in_its_place_gives_nothing(tiny, code):
    found = mark(tiny, submission(tiny, with_first(code)), kind="none")
    assert found.result["failed"].startswith("the examiner failed")


def test_writing_in_the_examiners_place_gives_nothing(tiny):
    found = mark(tiny, submission(tiny, with_first(WRITE_AND_KILL)), kind="none")
    assert "failed" in found.result or sum(map(bool, found.points.values())) == 0


def test_the_examiner_is_closed_to_other_processes():
    code = (
        "import ctypes, sys; from anonnb.coursework.limits import keep_apart; keep_apart(); "
        "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) if sys.platform == 'linux' else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "0\n"


def test_the_environment_holds_nothing_of_the_teacher(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    kept = environment("/somewhere")
    assert "SECRET_TOKEN" not in kept
    assert kept["HOME"] == kept["TMPDIR"] == "/somewhere"
