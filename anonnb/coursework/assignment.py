"""Assignments: notebooks with solutions as the single source, in nbgrader's format; the student copies follow from it.

A cell's metadata say what it is (nbgrader, schema 3): *given* code is locked, an *answer* is the student's, a *check*
has points and hidden tests, a *text* is an answer that people mark, an *id* says who the student is. Readings follow
nbgrader's, so that it takes the same files. A task is what stands under a heading: it may have several checks, each
with points of its own, and a check opens with a comment that says in words what must hold.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

CODE_STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
TEXT_STUB = "YOUR ANSWER HERE"
ID_CELL = "student_id"  # the grade_id of the cell in which students write who they are
_SOLUTION = ("BEGIN SOLUTION", "END SOLUTION")
_HIDDEN = ("BEGIN HIDDEN TESTS", "END HIDDEN TESTS")


class BadAssignment(ValueError):
    """A source notebook that is not a proper assignment; the message names the file, the cell and the remedy.

    >>> raise BadAssignment("01_a.ipynb: the grade_id 'a1' occurs twice; give each cell its own")
    Traceback (most recent call last):
    ...
    anonnb.coursework.assignment.BadAssignment: 01_a.ipynb: the grade_id 'a1' occurs twice; give each cell its own
    """


@dataclass(frozen=True)
class Cell:
    """One cell of an assignment: its ``grade_id``, its role, what it is worth, and the heading above it."""

    id: str
    role: str  # "given", "id", "answer", "check", "text" or "prose"
    source: str
    points: float = 0
    is_code: bool = True
    task: str = ""


@dataclass(frozen=True, eq=False)
class Assignment:
    """A source notebook: given cells, solutions, checks with points, and texts that a person reads.

    >>> from anonnb.coursework import Assignment, source_folder
    >>> first = Assignment.read(source_folder() / "01_rough_sets_and_rules" / "01_rough_sets_and_rules.ipynb")
    >>> first.name, len(first.checks) > 0, len(first.texts) > 0
    ('01_rough_sets_and_rules', True, True)
    """

    name: str
    notebook: Any
    cells: tuple[Cell, ...]
    files: tuple[Path, ...] = ()
    folder: Path = Path()

    @classmethod
    def read(cls, path: str | os.PathLike) -> Assignment:
        """Read and check a source notebook.

        Returns
        -------
        Assignment
            With the CSV files that lie beside it.

        Raises
        ------
        BadAssignment
            Where two cells have the same ``grade_id``, or a cell is not what its metadata say.
        """
        path = Path(path)
        notebook = read_notebook(path)
        cells = tuple(_cell(cell, f"{path.name}, cell {number}") for number, cell in enumerate(notebook.cells, 1))
        cells = _under_headings(cells)
        named = Counter(cell.id for cell in cells if cell.role != "prose")
        doubled = [name for name, count in named.items() if count > 1]
        if doubled:
            raise BadAssignment(f"{path.name}: the grade_id {doubled[0]!r} occurs twice; give each cell its own")
        files = tuple(sorted(file for file in path.parent.iterdir() if file.suffix == ".csv"))
        return cls(path.stem, notebook, cells, files, path.parent)

    @cached_property
    def checks(self) -> tuple[Cell, ...]:
        """The cells that give points by themselves."""
        return tuple(cell for cell in self.cells if cell.role == "check")

    @cached_property
    def texts(self) -> tuple[Cell, ...]:
        """The cells whose points a person gives."""
        return tuple(cell for cell in self.cells if cell.role == "text")

    @cached_property
    def digest(self) -> bytes:
        """A hash of the notebook and its files."""
        digest = hashlib.sha256(json.dumps(self.notebook, sort_keys=True).encode())
        for path in self.files:
            digest.update(path.name.encode() + path.read_bytes())
        return digest.digest()

    @property
    def auto_points(self) -> float:
        return sum(cell.points for cell in self.checks)

    @property
    def manual_points(self) -> float:
        return sum(cell.points for cell in self.texts)

    @cached_property
    def title(self) -> str:
        """The first heading."""
        for cell in self.notebook.cells:
            heading = re.search(r"^#\s+(.+)$", cell.source, re.MULTILINE) if cell.cell_type == "markdown" else None
            if heading:
                return heading[1].strip()
        return self.name

    def student_copy(self) -> Any:
        """Return the notebook as students get it: no solutions, no hidden tests, no outputs, given cells locked."""
        import copy

        notebook = copy.deepcopy(self.notebook)
        for cell, known in zip(notebook.cells, self.cells, strict=True):
            cell.source = cleared(known)
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
            if known.role in ("given", "check"):
                cell.metadata["editable"], cell.metadata["deletable"] = False, False
            elif known.role != "prose":
                cell.metadata["deletable"] = False
        return notebook


def _under_headings(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return the cells, each with the last heading of a task above it, without its points."""
    result, task = [], ""
    for cell in cells:
        headings = re.findall(r"^##\s+(.+?)(?:\s+\(\d+ points?\))?\s*$", cell.source, re.MULTILINE)
        task = headings[-1] if headings and cell.role == "prose" else task
        result.append(replace(cell, task=task))
    return tuple(result)


def read_notebook(path: Path) -> Any:
    """Return a notebook in the current format; whatever is wrong with the file becomes a BadAssignment."""
    import nbformat

    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except OSError as error:  # its own text holds the whole path
        raise BadAssignment(f"{path.name}: {error.strerror}") from None
    except Exception as error:  # nbformat raises whatever its JSON and schema checks raise
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise BadAssignment(f"{path.name} is not a notebook: {reason[0][:120]}") from None
    return notebook


def grade_id(cell: Any) -> str | None:
    """Return the ``grade_id`` in a cell's metadata, or None if there is no proper one."""
    known = cell.metadata.get("nbgrader")
    name = known.get("grade_id") if isinstance(known, dict) else None
    return name if isinstance(name, str) else None


def _cell(cell: Any, where: str) -> Cell:
    known, is_code = cell.metadata.get("nbgrader"), cell.cell_type == "code"
    if known is None:
        if is_code:
            raise BadAssignment(f"{where}: code without nbgrader's metadata; make it locked, an answer or a check")
        return Cell("", "prose", cell.source, is_code=False)
    wrong = [key for key in ("grade", "solution", "locked") if not isinstance(known.get(key), bool)]
    if wrong or known.get("schema_version") != 3 or not grade_id(cell):
        raise BadAssignment(f"{where}: nbgrader's metadata need schema_version 3, grade_id, grade, solution and locked")
    roles = {(True, False): "check", (False, True): "answer", (True, True): "text", (False, False): "given"}
    role = roles[known["grade"], known["solution"]]
    if known["grade_id"] == ID_CELL:
        role = "id"
        if not is_code or known["grade"] or known["solution"] or known["locked"]:
            raise BadAssignment(f"{where}: the cell {ID_CELL!r} must be code, neither graded nor a solution nor locked")
    points = known.get("points", 0)
    if known["grade"] and not (isinstance(points, int | float) and points > 0):
        raise BadAssignment(f"{where}: a graded cell needs points above 0, not {points!r}")
    if role in ("check", "answer") and not is_code:
        raise BadAssignment(f"{where}: a cell with the role {role!r} must be a code cell")
    result = Cell(known["grade_id"], role, cell.source, points, is_code)
    cleared(result, where)
    return result


def cleared(cell: Cell, where: str = "") -> str:
    """Return the text that students see: solutions replaced by a stub, hidden tests left out."""
    if cell.role in ("answer", "text"):
        stub = CODE_STUB if cell.is_code else TEXT_STUB
        text, regions = _replaced(cell.source, _SOLUTION, stub, where)
        return text if regions else stub
    if cell.role == "check":
        return _replaced(cell.source, _HIDDEN, None, where)[0]
    return cell.source


def _replaced(source: str, marks: tuple[str, str], stub: str | None, where: str) -> tuple[str, int]:
    """Replace each marked region by the stub, indented as the region was; return the text and the number of regions."""
    lines, inside, regions = [], False, 0
    for line in source.splitlines():
        begins, ends = marks[0] in line, marks[1] in line
        if (begins and inside) or (ends and not inside):
            raise BadAssignment(f"{where}: {marks[0]} and {marks[1]} do not alternate")
        if begins:
            inside, regions = True, regions + 1
            indent = line[: len(line) - len(line.lstrip())]
            lines += [indent + part for part in stub.splitlines()] if stub else []
        elif ends:
            inside = False
        elif not inside:
            lines.append(line)
    if inside:
        raise BadAssignment(f"{where}: {marks[0]} without {marks[1]}")
    return "\n".join(lines).rstrip(), regions
