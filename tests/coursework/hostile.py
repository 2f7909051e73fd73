"""Hostile submissions: small cells that try to get points, other people's work, or the marker itself.

``FORGED`` and ``REACHING`` name each with its answers and, if need be, a change to the whole notebook; the latter need
walls. None of them earns a point. A cell that reaches what it must not raises an error with the word REACHED in it.

``hostile.txt`` has the cells. ``=== kind | name`` opens one: ``total`` and ``double`` are in the cell of that answer,
``tools`` and ``reaching`` in the first one, after ``TOOLS``. Words in ⟨⟩ are filled in by the test. Whatever would do
harm on a machine whose walls do not hold aims at files and processes of the test only.
"""

import re
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from anonnb.coursework.assignment import grade_id
from tests.coursework.tiny import RIGHT, graded

WRONG = RIGHT | {"a1": "total = 7", "a2": "def double(x):\n    return 5"}
TOOLS = """
import ctypes, glob, json, os, shutil, signal, socket, subprocess, sys, sysconfig, time
from pathlib import Path
libc = ctypes.CDLL(None, use_errno=True)
def reached(what="it"):
    raise RuntimeError(f"REACHED {what}")
def write(path, mode="a"):
    open(path, mode).close()
    reached(path)
"""


def with_first(code):
    return WRONG | {"a1": code + "\ntotal = globals().get('total', 7)"}


def cell(notebook, name):
    return next(cell for cell in notebook.cells if grade_id(cell) == name)


def edit_checks(notebook):
    for name in ("c1", "c2"):
        cell(notebook, name).source = "assert True\nprint('passed')"


def drop_checks(notebook):
    notebook.cells = [one for one in notebook.cells if grade_id(one) not in ("c1", "c2")]


def double_checks(notebook):
    notebook.cells.insert(0, graded("code", "c1", "passed = True", grade=True, locked=True, points=100))


def rename_ids(notebook):
    cell(notebook, "c1").metadata["nbgrader"]["grade_id"] = "given"
    cell(notebook, "a1").metadata["nbgrader"]["grade_id"] = "c1"


def claim_points(notebook):
    for one in notebook.cells:
        if "nbgrader" in one.metadata:
            one.metadata["nbgrader"]["points"] = 1000
            one.metadata["nbgrader"]["grade"] = False


def forge_outputs(notebook):
    cell(notebook, "c1").outputs = [nbformat.v4.new_output("stream", text="passed: 3 of 3 points")]


def change_given(notebook):
    cell(notebook, "given").source = "NUMBERS = [7]"


def odd_metadata(notebook):
    for number, one in enumerate(notebook.cells):
        one.metadata["nbgrader"] = [["c1"], {"grade_id": ["c1"]}, {"grade_id": {}}, None, 7][number % 5]


def half_a_character(notebook):
    cell(notebook, "think").source = "half: \ud800"
    cell(notebook, "a2").source = "def double(x):\n    return '\ud800'"


def many_cells(notebook):
    notebook.cells += [new_code_cell("raise ValueError('x' * 1000)") for _ in range(200)]


CHANGES = {
    "edits checks": edit_checks,
    "drops checks": drop_checks,
    "doubles checks": double_checks,
    "renames ids": rename_ids,
    "claims points": claim_points,
    "forges outputs": forge_outputs,
    "changes given": change_given,
    "odd metadata": odd_metadata,
    "half a character": half_a_character,
    "many failing cells": many_cells,
}


def written(*kinds):
    """The cells of some kinds in hostile.txt: name → answers and no change of the notebook."""
    text = Path(__file__).with_name("hostile.txt").read_text(encoding="utf-8")
    found = {}
    for kind, name, code in re.findall(r"^=== (\w+) \| (.+)\n((?:(?!===).*\n)+)", text, re.MULTILINE):
        if kind in kinds:
            tools = TOOLS if kind in ("tools", "reaching") else ""
            found[name] = (WRONG | {"a2": code} if kind == "double" else with_first(tools + code)), None
    return found


FORGED = written("total", "double", "tools") | {name: (WRONG, change) for name, change in CHANGES.items()}
REACHING = written("reaching")
