"""Marks, and the files that a teacher reads: a CSV with a line per submission, and one with a line per task.

Names, messages and texts come from students. In a mark they are readable text: whatever cannot be written or would
steer a terminal is shown as an escape.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from anonnb.coursework.assignment import Assignment, cleared
from anonnb.files.writing import atomic_write

MARKS = (
    *("student", "assignment", "status", "auto_points", "auto_max", "manual_points", "manual_max", "late", "reason"),
    *("protection", "id"),
)
TASKS = ("student", "assignment", "task", "kind", "points", "max_points", "message")
LONGEST_CODE = 20_000  # letters of a task that the feedback shows
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass
class TaskMark:
    """Points for one check or text; None where a person has to give them.

    ``title`` is the heading of the task that it belongs to, ``expects`` says in words what a check asks for.
    """

    task: str
    kind: str  # "auto" or "manual"
    points: float | None
    max_points: float
    message: str = ""
    text: str = ""
    title: str = ""
    expects: str = ""


@dataclass
class Mark:
    """What became of one submission.

    Parameters
    ----------
    student, assignment:
        Whose it is, and what it answers.
    status:
        ``marked``, ``stopped`` (a limit, or it ended itself: what was reached counts), ``missing``, ``unreadable``,
        ``unknown`` (no such assignment) or ``failed`` (the examiner did: look at the source).
    tasks:
        The points for every check and text.
    reason:
        Why it was stopped, or cannot be read.
    late:
        Whether it came after the date.
    notes:
        What a teacher should know.
    errors:
        The cell ("" for one of the student's own), and what it raised.
    protection:
        The kind of isolation in which its cells ran.
    id:
        Whose numbers counted, where they vary.
    title:
        The title of the assignment.
    code:
        What the student wrote, by the heading of the task.

    Examples
    --------
    >>> mark = Mark("ann", "01", "marked", [TaskMark("a", "auto", 2, 5), TaskMark("b", "manual", None, 10)])
    >>> mark.auto_points, mark.most("auto"), mark.most("manual")
    (2, 5, 10)
    >>> Mark.from_plain(mark.plain()) == mark
    True
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
    id: str = ""
    title: str = ""
    code: dict[str, str] = field(default_factory=dict)  # what the student wrote, by the heading of the task

    @property
    def auto_points(self) -> float:
        return sum(task.points or 0 for task in self.tasks if task.kind == "auto")

    def most(self, kind: str) -> float:
        """The points that could be had.

        Parameters
        ----------
        kind:
            ``"auto"`` for those of checks, ``"manual"`` for those that a person gives.

        Returns
        -------
        float
            The sum over the tasks.
        """
        return sum(task.max_points for task in self.tasks if task.kind == kind)

    def plain(self) -> dict[str, Any]:
        """As JSON takes it, with readable texts."""
        return _all_readable(asdict(self))

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Mark:
        """The inverse of :meth:`plain`.

        Parameters
        ----------
        plain:
            A mark as JSON holds it.

        Returns
        -------
        Mark
            The mark.
        """
        tasks = [TaskMark(**task) for task in plain["tasks"]]
        return cls(**plain | {"tasks": tasks, "errors": [(name, text) for name, text in plain["errors"]]})


def note_shared_ids(marks: Iterable[Mark]) -> None:
    """Who has the numbers of somebody else is worth a look; nobody's points change, and students learn no names."""
    times = Counter((mark.assignment, mark.id) for mark in marks if mark.id)
    for mark in marks:
        if times[mark.assignment, mark.id] > 1:
            mark.notes = [*mark.notes, f"another submission has the id {mark.id!r}, too"]


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


def no_points(assignment: Assignment) -> list[TaskMark]:
    """A line for every check and text of an assignment, before anything is known."""
    tasks = []
    for cell in assignment.cells:
        if cell.role == "check":
            named = {"title": cell.task, "expects": cell.expects}
            tasks.append(TaskMark(cell.id, "auto", 0, cell.points, "not checked", **named))
        elif cell.role == "text":
            tasks.append(TaskMark(cell.id, "manual", None, cell.points, title=cell.task))
    return tasks


def fill(mark: Mark, result: Mapping[str, Any], texts: Mapping[str, str]) -> None:
    """Put what an examiner found, and the texts for people to read, into a mark."""
    if "failed" in result:
        mark.status, mark.reason = "failed", result["failed"]
    else:
        mark.status, mark.reason = ("stopped" if result["stopped"] else "marked"), result["stopped"]
        outcomes = {line["id"]: line for line in result["outcomes"] if "points" in line}
        mark.errors = [(line["id"], line["error"]) for line in result["outcomes"] if "error" in line]
        for task in mark.tasks:
            if task.kind == "auto":
                outcome = outcomes[task.task]
                task.points = _given(outcome["points"], task.max_points)
                task.message = outcome["message"] or ("" if task.points == task.max_points else "right in part")
    for task in mark.tasks:
        if task.kind == "manual":
            task.text = texts[task.task]
            task.message = "" if task.text.strip() else "not answered"


def _given(points: float | None, most: float) -> float:
    """What a check gives: all, unless it names some; never more than there are, and NaN is nothing."""
    return most if points is None else min(points, most) if points > 0 else 0


def code_by_task(assignment: Assignment, steps: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """What a student wrote under each heading, cells of their own included; stubs that were left are no code."""
    heading = {cell.id: cell for cell in assignment.cells if cell.role != "prose"}
    found: dict[str, list[str]] = {}
    task = ""
    for step in steps:
        cell = heading.get(step["id"])
        task = cell.task if cell else task
        untouched = cell is not None and step["code"].strip() == cleared(cell).strip()
        if step["role"] == "answer" and not untouched:
            found.setdefault(task, []).append(step["code"].strip("\n"))
    return {task: "\n\n".join(codes)[:LONGEST_CODE] for task, codes in found.items()}


def write_marks(marks: Sequence[Mark], path: str | os.PathLike) -> tuple[Path, Path]:
    """Write a file with a line per submission, and beside it ``…-tasks.csv`` with a line per task.

    Parameters
    ----------
    marks:
        The marks of all submissions.
    path:
        The first of the two files.

    Returns
    -------
    tuple of Path
        Both files.

    Examples
    --------
    >>> import tempfile
    >>> [path.name for path in write_marks([Mark("ann", "01", "marked")], Path(tempfile.mkdtemp(), "marks.csv"))]
    ['marks.csv', 'marks-tasks.csv']
    """
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
    return (mark.student, mark.assignment, mark.status, *sums, late, mark.reason, mark.protection, mark.id)


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
