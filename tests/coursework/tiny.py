"""A tiny assignment, and submissions made from its student copy, so that marking can be tested in a second each."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade, is_grade

from anonnb.core.shipped import PACKAGE
from anonnb.coursework import Limits, assignments, find_isolation, new_course
from anonnb.coursework.assignment import ID_CELL, Assignment, grade_id
from anonnb.coursework.autograding import examine_notebook, write_verdicts
from anonnb.coursework.examiners import Conditions
from anonnb.coursework.sanitizing import rebuild

NAME = "01_tiny"
RIGHT = {"a1": "total = sum(NUMBERS)", "a2": "def double(x):\n    return 2 * x", "think": "Because it is <b>so</b>."}


LIMITS = Limits(seconds=300, cell_seconds=100, megabytes=1500)


@cache
def isolation() -> tuple[str, str]:
    """The best kind that this machine has, and why there is none better."""
    return find_isolation(LIMITS)


def graded(kind, name, source, **flags):
    cell = (new_markdown_cell if kind == "markdown" else new_code_cell)(source)
    known = {"grade": False, "solution": False, "locked": False} | flags
    cell.metadata["nbgrader"] = known | {"schema_version": 3, "grade_id": name}
    cell["id"] = name
    return cell


def source_notebook():
    """Two computing tasks of 3 and 2 points, one text of 5."""
    title = new_markdown_cell("# Tiny\n\nAdd, double, think.")
    title["id"] = "title"
    cells = [
        title,
        graded("code", "given", "NUMBERS = [1, 2, 3]", locked=True),
        graded("code", "a1", "### BEGIN SOLUTION\ntotal = sum(NUMBERS)\n### END SOLUTION", solution=True),
        graded(
            "code",
            "c1",
            'assert isinstance(total, int), "total must be a whole number"\n'
            "### BEGIN HIDDEN TESTS\n"
            'assert total == sum(NUMBERS), f"{total} is not the sum"\n'
            "### END HIDDEN TESTS",
            grade=True,
            locked=True,
            points=3,
        ),
        graded(
            "code",
            "a2",
            "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
            solution=True,
        ),
        graded(
            "code",
            "c2",
            'assert double(2) == 4, "double(2) must be 4"\n'
            "### BEGIN HIDDEN TESTS\nassert all(double(x) == 2 * x for x in (-7, 0, 31))\n### END HIDDEN TESTS",
            grade=True,
            locked=True,
            points=2,
        ),
        graded("markdown", "think", "It is a secret model answer.", grade=True, solution=True, points=5),
    ]
    return new_notebook(cells=cells)


def write_source(folder: Path) -> Assignment:
    path = folder / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(source_notebook(), path)
    return Assignment.read(path)


def submission(assignment: Assignment, answers=None, *, then=None):
    """The student copy with answers in its cells; ``then`` may change the notebook further."""
    notebook = copy.deepcopy(assignment.student_copy())
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in (answers or {}):
            cell.source = answers[name]
    if then:
        then(notebook)
    return notebook


def solved(assignment: Assignment, student: str = ""):
    """The student copy with the model solution in it, and the student's id."""
    answers = {cell.id: cell.source for cell in assignment.cells if cell.role in ("answer", "text")}
    return submission(assignment, answers | {ID_CELL: f"STUDENT = {student!r}"})


def hand_in(course: Path, student: str, notebook, name: str = NAME) -> Path:
    """Put a notebook where nbgrader looks for it; nbformat cannot write some of ours."""
    path = course / "submitted" / student / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook))
    return path


@dataclass
class Marked:
    """What nbgrader reads in a marked notebook: points by check, what outputs say by cell, and the bare result."""

    points: dict[str, float]
    said: dict[str, str]
    result: dict


def mark(assignment, notebook, student="ann", limits=LIMITS, kind=None, files=()) -> Marked:
    """Mark a notebook as the autograder does, without nbgrader around it."""
    rebuilt = rebuild(assignment, nbformat.from_dict(notebook), student)
    conditions = Conditions(limits, kind or isolation()[0], (str(assignment.folder.parent),))
    result = examine_notebook(assignment, rebuilt.notebook, conditions, files)
    if "failed" in result:
        return Marked({}, {}, result)
    write_verdicts(rebuilt.notebook, assignment, result, rebuilt.notes)
    points = {grade_id(cell): determine_grade(cell)[0] for cell in rebuilt.notebook.cells if is_grade(cell)}
    return Marked(points, said(rebuilt.notebook), result)


def said(notebook) -> dict[str, str]:
    """What the outputs say, by cell; the notes are those of the cell ``notes``."""
    return {grade_id(cell) or cell.id: words(cell) for cell in notebook.cells if cell.get("outputs")}


def words(cell) -> str:
    """The outputs of a cell as text, without the breaks between lines."""
    parts = []
    for output in cell.outputs:
        text = output.get("text") or output.get("traceback") or output.get("data", {}).get("text/plain", "")
        parts.append(" ".join(text) if isinstance(text, list) else text)
    return " ".join(" ".join(parts).split())


# ---- a course --------------------------------------------------------------------------------------------------------


class Course:
    """A course folder with a tiny assignment, or with those of ``source``, and nbgrader's commands."""

    def __init__(self, root: Path, source: Path | None = None):
        if source is None:
            write_source(root / "own")
        new_course(root / "course", source=source or root / "own")
        self.root = root / "course"
        self.assignments = {one.name: one for one in assignments(self.root / "source")}
        with (self.root / "nbgrader_config.py").open("a") as file:
            file.write("c.Examine.seconds, c.Examine.cell_seconds, c.Examine.megabytes = 300, 100, 1500\n")

    def nbgrader(self, *words: str, code: int | None = 0) -> str:
        """Run a command as a teacher does; return what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *words],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(PACKAGE.parent), "HOME": str(self.root)},
            capture_output=True,
            text=True,
            timeout=3000,
        )
        said = done.stdout + done.stderr
        assert code is None or done.returncode == code, said[-3000:]
        return said

    def gradebook(self):
        return Gradebook(f"sqlite:///{self.root / 'gradebook.db'}")

    def points(self, name: str = NAME) -> dict[str, dict[str, float | None]]:
        """The points that checks gave, by student and cell; None where a person has to read."""
        with self.gradebook() as book:
            return {
                submission.student.id: {
                    grade.cell.name: grade.auto_score for notebook in submission.notebooks for grade in notebook.grades
                }
                for submission in book.assignment_submissions(name)
            }

    def marked(self, student: str, name: str = NAME):
        return nbformat.read(self.root / "autograded" / student / name / f"{name}.ipynb", as_version=4)

    def said(self, student: str, name: str = NAME) -> dict[str, str]:
        return said(self.marked(student, name))
