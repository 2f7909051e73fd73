"""A submission put together with the teacher's source: only what the student was asked for is taken from it.

Given code and checks come from the source, in the source's order; answers are found by their ``grade_id``. Cells that
a student added run too, after the cell they follow: they run in the student's process, where they can do no harm.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from anonnb.coursework.assignment import Assignment, BadAssignment, Cell, cleared, grade_id, read_notebook
from anonnb.coursework.practice.own_numbers import NAME, same_id, written_id

LARGEST_NOTEBOOK = 20_000_000  # bytes
LARGEST_FILE = 10_000_000


@dataclass(frozen=True)
class Submission:
    """A student's notebook for one assignment.

    ``path`` is None when it was not handed in, ``note`` tells a doubt, ``id`` is the one that the teacher knows.
    """

    student: str
    assignment: str
    path: Path | None
    note: str = ""
    id: str | None = None


@dataclass
class Merged:
    """What to run (``steps``), what people are to mark (``texts``), what was odd (``notes``), whose numbers count."""

    steps: list[dict[str, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    id: str = ""


def check_folder(folder: str | os.PathLike) -> None:
    """A ValueError unless there is such a folder."""
    if not Path(folder).is_dir():
        raise ValueError(f"there is no folder {os.fspath(folder)!r}; it must hold one folder per student")


def find_submissions(folder: str | os.PathLike, names: Iterable[str]) -> list[Submission]:
    """One submission per student and assignment, missing ones too; a student is a folder, at any depth of which the
    notebooks may lie (nbgrader's ``submitted/student/assignment/notebook.ipynb`` is one way).

    Of two notebooks of one name the first path counts, in alphabetical order (a copy may change the times of files),
    and a note says so. A notebook that is no assignment is left out here; see :func:`strange_notebooks`.
    """
    folder, names, found = Path(folder), list(names), []
    for home in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        paths: dict[str, list[Path]] = {}
        for path in _notebooks(home):
            paths.setdefault(path.stem, []).append(path)
        found += [_submission(home, name, paths.get(name, [])) for name in names]
    return found


def _submission(home: Path, name: str, paths: list[Path]) -> Submission:
    note = ""
    if len(paths) > 1:
        first = paths[0].relative_to(home).as_posix()
        note = f"{len(paths)} notebooks are called {name}.ipynb; the first path counts: {first}"
    return Submission(home.name, name, paths[0] if paths else None, note)


def strange_notebooks(folder: str | os.PathLike, names: Iterable[str]) -> list[tuple[str, Path]]:
    """Notebooks that belong to no assignment, or to no student: (student or "", path)."""
    folder, known = Path(folder), set(names)
    strange = []
    for path in _notebooks(folder):
        inside = path.relative_to(folder).parts
        student = inside[0] if len(inside) > 1 else ""
        if path.stem not in known or not student:
            strange.append((student, path))
    return strange


def _notebooks(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*.ipynb") if path.is_file() and not path.is_symlink())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def files_beside(path: Path) -> list[Path]:
    """The CSV files that a student handed in with a notebook."""
    files = (file for file in path.parent.glob("*.csv") if file.is_file() and not file.is_symlink())
    return sorted(file for file in files if file.stat().st_size <= LARGEST_FILE)


def read_times(path: str | os.PathLike) -> dict[tuple[str, str], datetime]:
    """When what came in, by whoever collected it: a CSV with the columns student, time and, if need be, assignment.

    A time without a zone is local. The keys are (student, assignment), with "" for every assignment.
    """
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file {os.fspath(path)!r}; it must be a CSV with the columns student and time")
    times = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.DictReader(file)
        if not {"student", "time"} <= set(lines.fieldnames or ()):
            raise ValueError(f"{path.name}: its first line must name the columns student and time")
        for number, line in enumerate(lines, 2):
            text = (line["time"] or "").strip()
            try:
                when = datetime.fromisoformat(text.replace(" UTC", "+00:00"))
            except ValueError:
                raise ValueError(f"{path.name}, line {number}: write {text!r} like 2026-11-30T23:59") from None
            times[line["student"].strip(), (line.get("assignment") or "").strip()] = when.astimezone()
    return times


def read_ids(path: str | os.PathLike) -> dict[str, str]:
    """Who has which id: a CSV with the columns student (the name of the folder) and id.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "ids.csv")
    >>> _ = path.write_text("student,id\\nAnn Lee,s1047\\n")
    >>> read_ids(path)
    {'Ann Lee': 's1047'}
    """
    path, ids = Path(path), {}
    if not path.is_file():
        raise ValueError(f"there is no file {os.fspath(path)!r}; it must be a CSV with the columns student and id")
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.DictReader(file)
        if not {"student", "id"} <= set(lines.fieldnames or ()):
            raise ValueError(f"{path.name}: its first line must name the columns student and id")
        for number, line in enumerate(lines, 2):
            student, own = ((line[name] or "").strip() for name in ("student", "id"))
            if not student or not own:
                raise ValueError(f"{path.name}, line {number}: student and id must both be there")
            if ids.setdefault(student, own) != own:
                raise ValueError(f"{path.name}, line {number}: {student!r} has two ids; leave one line")
    return ids


def merge(assignment: Assignment, path: Path, own_id: str | None = None) -> Merged:
    """The source with the student's answers in it; raises BadAssignment when the file is no notebook.

    Where numbers vary, those of ``own_id`` count, the id that the teacher knows; without one, the id in the notebook.
    """
    if path.stat().st_size > LARGEST_NOTEBOOK:
        raise BadAssignment(f"{path.name} has more than {LARGEST_NOTEBOOK // 1_000_000} MB; clear its outputs")
    answers, extras, merged = _sorted_out(assignment, read_notebook(path))
    merged.steps += [_step("answer", "", code) for code in extras.get("", [])]
    for cell in assignment.cells:
        if cell.role == "prose":
            continue
        if cell.role == "id":
            merged.steps.append(_step("given", cell.id, _id_code(cell, answers.get(cell.id), own_id, merged)))
        else:
            merged.steps += _steps_of(cell, answers, merged)
        merged.steps += [_step("answer", "", code) for code in extras.get(cell.id, [])]
    return merged


def _sorted_out(assignment: Assignment, notebook: Any) -> tuple[dict[str, Any], dict[str, list[str]], Merged]:
    """The student's cells by grade_id, the code cells of their own by the known cell before them, and notes."""
    known = {cell.id: cell for cell in assignment.cells if cell.role != "prose"}
    answers: dict[str, Any] = {}
    extras: dict[str, list[str]] = {}
    merged, last = Merged(), ""
    for cell in notebook.cells:
        name = grade_id(cell)
        if name in known and name not in answers:
            answers[name], last = cell, name
            if known[name].role in ("given", "check") and cell.source.strip() != cleared(known[name]).strip():
                merged.notes.append(f"the locked cell {name} was changed; the original was used")
        elif name in known:
            merged.notes.append(f"the cell {name} occurs more than once; the first one counts")
        elif cell.cell_type == "code" and cell.source.strip():
            extras.setdefault(last, []).append(cell.source)
    return answers, extras, merged


def _id_code(cell: Cell, answer: Any, own_id: str | None, merged: Merged) -> str:
    """The code that says whose numbers count, for both processes; nothing else of the student's cell runs."""
    code = cell.source if answer is None else answer.source
    written = written_id(code)
    merged.id = written if own_id is None else same_id(own_id)
    if not merged.id and code.strip() != cell.source.strip():
        merged.notes.append(f'no id can be read in the cell {cell.id} (write {NAME} = "…"); the usual numbers counted')
    if merged.id != written:
        whose = f"of {written!r}" if written else "of nobody in particular"
        merged.notes.append(f"the notebook has the numbers {whose}; it was marked with those of {merged.id!r}")
    return f"{NAME} = {merged.id!r}"


def _steps_of(cell: Cell, answers: dict[str, Any], merged: Merged) -> list[dict[str, str]]:
    if cell.role in ("given", "check"):
        return [_step(cell.role, cell.id, cell.source)]
    answer = answers.get(cell.id)
    if answer is None:
        merged.notes.append(f"the cell {cell.id} is missing")
    elif cell.is_code and answer.cell_type != "code":
        merged.notes.append(f"the cell {cell.id} is no code cell any more; it was not run")
        answer = None
    if cell.role == "text":
        text = "" if answer is None else answer.source
        merged.texts[cell.id] = "" if text.strip() == cleared(cell).strip() else text
    return [_step("answer", cell.id, answer.source)] if cell.is_code and answer is not None else []


def _step(role: str, name: str, code: str) -> dict[str, str]:
    return {"role": role, "id": name, "code": code}
