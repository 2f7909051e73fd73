"""Marking a folder of submissions: a CSV with a line per submission, one with a line per task, and feedback to read.

Each submission is examined by a process of its own (see examiner.py), with limits on time and memory. Nothing that
happens in one of them stops the others: what cannot be marked gets a line that says why.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anonnb.coursework.assignment import Assignment, BadAssignment
from anonnb.coursework.limits import Limits, end_children
from anonnb.coursework.submissions import Submission, files_beside, find_submissions, merge, strange_notebooks
from anonnb.files.writing import atomic_write

GRACE_SECONDS = 60  # for starting, for the checks themselves, and for tidying up
MARKS = ("student", "assignment", "status", "auto_points", "auto_max", "manual_points", "manual_max", "late", "reason")
TASKS = ("student", "assignment", "task", "kind", "points", "max_points", "message")


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
    """

    student: str
    assignment: str
    status: str
    tasks: list[TaskMark] = field(default_factory=list)
    reason: str = ""
    late: bool = False
    notes: list[str] = field(default_factory=list)
    errors: list[tuple[str, str]] = field(default_factory=list)  # the cell ("" for one of their own), what it raised

    @property
    def auto_points(self) -> float:
        return sum(task.points or 0 for task in self.tasks if task.kind == "auto")

    def most(self, kind: str) -> float:
        """The points that could be had."""
        return sum(task.max_points for task in self.tasks if task.kind == kind)


def mark_folder(
    folder: str | os.PathLike,
    assignments: Sequence[Assignment],
    *,
    limits: Limits | None = None,
    jobs: int = 1,
    due: datetime | None = None,
    wrap: Sequence[str] = (),
    progress: Callable[[Iterable[Mark]], Iterable[Mark]] = iter,
) -> list[Mark]:
    """Mark every student's notebooks, ``jobs`` at a time; the same marks whatever ``jobs`` is."""
    if not Path(folder).is_dir():
        raise ValueError(f"there is no folder {os.fspath(folder)!r}; it must hold one folder per student")
    limits, by_name = limits or Limits(), {assignment.name: assignment for assignment in assignments}

    def marked(submission: Submission) -> Mark:
        return mark_one(submission, by_name[submission.assignment], limits, due=due, wrap=wrap)

    with ThreadPoolExecutor(max(1, jobs)) as pool:
        marks = list(progress(pool.map(marked, find_submissions(folder, by_name))))
    for student, path in strange_notebooks(folder, by_name):
        reason = "this is no assignment" if student else "not in a student's folder"
        marks.append(Mark(student, path.stem, "unknown", reason=f"{path.name}: {reason}"))
    return sorted(marks, key=lambda mark: (mark.student, mark.assignment))


def mark_one(
    submission: Submission,
    assignment: Assignment,
    limits: Limits,
    *,
    due: datetime | None = None,
    wrap: Sequence[str] = (),
) -> Mark:
    """Mark one notebook; whatever is wrong with it is in the mark."""
    mark = Mark(submission.student, submission.assignment, "missing", _no_points(assignment))
    if submission.path is None:
        mark.reason = "not handed in"
        return mark
    mark.notes += [submission.note] if submission.note else []
    try:
        if due is not None:
            when, doubt = _handed_in(submission.path)
            mark.late = when > due
            mark.notes += [doubt] if doubt else []
        merged = merge(assignment, submission.path)
    except BadAssignment as error:
        mark.status, mark.reason = "unreadable", str(error)
        return mark
    except OSError as error:  # its own text holds the path on the teacher's machine
        mark.status, mark.reason = "unreadable", f"{submission.path.name}: {error.strerror}"
        return mark
    mark.notes += merged.notes
    job = {
        "steps": merged.steps,
        "given": [os.fspath(path.resolve()) for path in assignment.files],
        "handed_in": [os.fspath(path.resolve()) for path in files_beside(submission.path)],
        "limits": asdict(limits),
        "wrap": list(wrap),
    }
    result = _examined(job, limits.seconds + GRACE_SECONDS)
    _fill(mark, result, merged.texts)
    return mark


def _no_points(assignment: Assignment) -> list[TaskMark]:
    tasks = []
    for cell in assignment.cells:
        if cell.role == "check":
            tasks.append(TaskMark(cell.id, "auto", 0, cell.points, "not checked"))
        elif cell.role == "text":
            tasks.append(TaskMark(cell.id, "manual", None, cell.points))
    return tasks


def _examined(job: dict[str, Any], seconds: float) -> dict[str, Any]:
    """The outcome from an examiner's process; ``failed`` instead when it has none."""
    with subprocess.Popen(
        [sys.executable, "-I", "-m", "anonnb.coursework.examiner"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as examiner:
        try:
            out, errors = examiner.communicate(json.dumps(job).encode(), timeout=seconds)
            # only an examiner that came to its own end is believed: a student could kill it and write in its place
            return json.loads(out if examiner.returncode == 0 else b"")
        except subprocess.TimeoutExpired:
            end_children(examiner.pid)
            examiner.kill()
            return {"failed": f"the examiner did not finish in {seconds:g} s"}
        except ValueError:
            last = (errors.decode(errors="replace").strip().splitlines() or [f"exit code {examiner.returncode}"])[-1]
            return {"failed": f"the examiner failed: {last[:300]}"}
        except BaseException:
            end_children(examiner.pid)
            examiner.kill()
            raise


def _fill(mark: Mark, result: dict[str, Any], texts: dict[str, str]) -> None:
    if "failed" in result:
        mark.status, mark.reason = "failed", result["failed"]
    else:
        mark.status, mark.reason = ("stopped" if result["stopped"] else "marked"), result["stopped"]
        outcomes = {line["id"]: line for line in result["outcomes"] if "passed" in line}
        mark.errors = [(line["id"], line["error"]) for line in result["outcomes"] if "error" in line]
        for task in mark.tasks:
            if task.kind == "auto":
                outcome = outcomes[task.task]
                task.points = task.max_points if outcome["passed"] else 0
                task.message = outcome["message"]
    for task in mark.tasks:
        if task.kind == "manual":
            task.text = texts[task.task]
            task.message = "" if task.text.strip() else "not answered"


def _handed_in(path: Path) -> tuple[datetime, str]:
    """When, by nbgrader's timestamp.txt where there is one, else by the time of the file; and a note where in doubt.

    nbgrader writes UTC and says so; a stamp without any zone is in local time.
    """
    note = ""
    try:
        text = path.with_name("timestamp.txt").read_text(encoding="utf-8").strip()
        when = datetime.fromisoformat(text.removesuffix(" UTC"))
        if text.endswith(" UTC"):
            return when.replace(tzinfo=UTC), ""
        return when if when.tzinfo else when.astimezone(), ""
    except FileNotFoundError:
        pass
    except (OSError, ValueError):
        note = "timestamp.txt cannot be read; the time of the notebook's file was used"
    return datetime.fromtimestamp(path.stat().st_mtime, UTC), note


# ---- what the teacher reads ----------------------------------------------------------------------------------------


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
    return (mark.student, mark.assignment, mark.status, *sums, "yes" if mark.late else "", mark.reason)


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
    cell = " ".join(cell.split())
    return f"'{cell}" if cell[:1] in tuple("=+-@") else cell
