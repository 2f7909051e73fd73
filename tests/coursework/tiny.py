"""A tiny assignment, and submissions made from its student copy, so that marking can be tested in a second each."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from anonnb.coursework import Limits, find_isolation
from anonnb.coursework.assignment import Assignment

NAME = "01_tiny"
RIGHT = {"a1": "total = sum(NUMBERS)", "a2": "def double(x):\n    return 2 * x", "think": "Because it is <b>so</b>."}


LIMITS = Limits(seconds=300, megabytes=1500)


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


def hand_in(folder: Path, student: str, notebook, name: str = NAME) -> Path:
    path = folder / student / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path
