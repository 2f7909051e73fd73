"""Marks, and the files that a teacher reads: a CSV with a line per submission, and one with a line per task.

Names, messages and texts come from students. In a mark they are readable text: whatever cannot be written or would
steer a terminal is shown as an escape.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from anonnb.files.writing import atomic_write

MARKS = (
    *("student", "assignment", "status", "auto_points", "auto_max", "manual_points", "manual_max", "late", "reason"),
    "protection",
)
TASKS = ("student", "assignment", "task", "kind", "points", "max_points", "message")
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass
class TaskMark:
    """Points for one task; None where a person has to give them."""

    task: str
    kind: str  # "auto" or "manual"
    points: float | None
    max_points: float
    message: str = ""
    text: str = ""


@dataclass
class Mark:
    """What became of one submission.

    ``status`` is ``marked``, ``stopped`` (a limit, or it ended itself: what was reached counts), ``missing``,
    ``unreadable``, ``unknown`` (no such assignment) or ``failed`` (the examiner did: look at the source).
    ``protection`` is the kind of isolation in which its cells ran (see isolation.py).
    """

    student: str
    assignment: str
    status: str
    tasks: list[TaskMark] = field(default_factory=list)
    reason: str = ""
    late: bool = False
    notes: list[str] = field(default_factory=list)
    errors: list[tuple[str, str]] = field(default_factory=list)  # the cell ("" for one of their own), what it raised
    protection: str = ""

    @property
    def auto_points(self) -> float:
        return sum(task.points or 0 for task in self.tasks if task.kind == "auto")

    def most(self, kind: str) -> float:
        """The points that could be had."""
        return sum(task.max_points for task in self.tasks if task.kind == kind)

    def plain(self) -> dict[str, Any]:
        """As JSON takes it, with readable texts."""
        return _all_readable(asdict(self))

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Mark:
        """The inverse of :meth:`plain`."""
        tasks = [TaskMark(**task) for task in plain["tasks"]]
        return cls(**plain | {"tasks": tasks, "errors": [(name, text) for name, text in plain["errors"]]})


def readable(text: str) -> str:
    """The text with escapes for control characters and for halves of characters.

    >>> readable("a\\x1b[2J\\ud800")
    'a\\\\x1b[2J\\\\ud800'
    """
    return _UNREADABLE.sub(lambda found: ascii(found[0])[1:-1], text)


def readable_name(name: str) -> str:
    """The name of a file, whose bytes need not be UTF-8, on one line.

    >>> readable_name(os.fsdecode(b"M\\xfcller"))
    'M\\\\xfcller'
    """
    return " ".join(readable(os.fsencode(name).decode("utf-8", "backslashreplace")).split())


def _all_readable(value: Any) -> Any:
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, dict):
        return {key: _all_readable(item) for key, item in value.items()}
    return [_all_readable(item) for item in value] if isinstance(value, list | tuple) else value


def write_marks(marks: Sequence[Mark], path: str | os.PathLike) -> tuple[Path, Path]:
    """Write ``path`` (a line per submission) and ``…-tasks.csv`` beside it (a line per task)."""
    path = Path(path)
    tasks = path.with_name(f"{path.stem}-tasks.csv")
    _write(path, MARKS, map(_mark_line, marks))
    _write(tasks, TASKS, (line for mark in marks for line in _task_lines(mark)))
    return path, tasks


def _mark_line(mark: Mark) -> tuple:
    sums = (_number(mark.auto_points), _number(mark.most("auto")), "", _number(mark.most("manual")))
    if not mark.tasks:
        sums = ("", "", "", "")
    late = "yes" if mark.late else ""
    return (mark.student, mark.assignment, mark.status, *sums, late, mark.reason, mark.protection)


def _task_lines(mark: Mark) -> list[tuple]:
    return [
        (
            mark.student,
            mark.assignment,
            task.task,
            task.kind,
            _number(task.points),
            _number(task.max_points),
            task.message,
        )
        for task in mark.tasks
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _write(path: Path, header: Sequence[str], lines: Iterable[Sequence[str]]) -> None:
    with atomic_write(path, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([[_text(cell) for cell in line] for line in lines])


def _text(cell: str) -> str:
    """One line, and no formula: names and messages are the student's, and a spreadsheet would compute them."""
    cell = " ".join(readable(cell).split())
    return f"'{cell}" if cell[:1] in tuple("=+-@") else cell
