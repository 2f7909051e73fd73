"""Points that people give: a sheet with the students' texts and a line per rubric item, filled in and read back.

Idea: the sheet is made, never typed: students, tasks, items and the points that can be had are in it, so that whoever
reads the texts only fills in points and comments. Read back, every line is checked against the marks: an unknown
student or task, too many points, a line twice or changed limits are refused; what is empty stays open.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anonnb.coursework.assignment import Assignment, BadAssignment
from anonnb.coursework.course.sheets import SheetRow, number_in, read_sheet, shown_number, write_sheet
from anonnb.coursework.marks import readable_name
from anonnb.coursework.submissions import find_submissions, merge

SHEET = ("student", "assignment", "task", "item", "max", "points", "comment", "text")
RUBRIC = ("assignment", "task", "item", "max")
WHOLE = "whole answer"

Task = tuple[str, str]  # assignment, task


@dataclass(frozen=True)
class RubricItem:
    """A part of a text's points."""

    name: str
    most: float


@dataclass(frozen=True)
class Given:
    """What a person gave for one item: points (None: not yet) and a comment."""

    item: str
    points: float | None
    most: float
    comment: str = ""


def read_rubric(path: str | os.PathLike, assignments: Sequence[Assignment]) -> dict[Task, list[RubricItem]]:
    """A CSV with assignment, task, item and max; the items of a task must add up to its points."""
    known = {(one.name, cell.id): cell.points for one in assignments for cell in one.texts}
    rubric: dict[Task, list[RubricItem]] = {}
    name = Path(path).name
    for line in read_sheet(path, RUBRIC):
        task, most = (line["assignment"], line["task"]), number_in(line["max"])
        if task not in known:
            raise ValueError(f"{name}, {line.where}: {'/'.join(task)!r} is no text that people mark; {_known(known)}")
        if most is None or most <= 0:
            raise ValueError(f"{name}, {line.where}: max must be a number above 0, not {line['max']!r}")
        if line["item"] in {item.name for item in rubric.get(task, [])}:
            raise ValueError(f"{name}, {line.where}: the item {line['item']!r} occurs twice")
        rubric.setdefault(task, []).append(RubricItem(line["item"] or WHOLE, most))
    for task, items in rubric.items():
        total = sum(item.most for item in items)
        if abs(total - known[task]) > 1e-9:
            stated = f"the items of {'/'.join(task)} add up to {shown_number(total)}"
            raise ValueError(f"{name}: {stated}, but the task has {shown_number(known[task])} points")
    return rubric


def _known(tasks: Iterable[Task]) -> str:
    return f"known are {', '.join('/'.join(task) for task in tasks)}"


def write_manual_sheet(
    folder: str | os.PathLike,
    assignments: Sequence[Assignment],
    path: str | os.PathLike,
    rubric: Mapping[Task, Sequence[RubricItem]] | None = None,
) -> int:
    """Write the sheet to fill in, and return how many texts are in it.

    A text that was not answered has 0 points already; students who handed in nothing are not in the sheet.
    """
    rows, texts = [], 0
    by_name = {one.name: one for one in assignments}
    for submission in find_submissions(folder, by_name):
        assignment = by_name[submission.assignment]
        try:
            answers = merge(assignment, submission.path).texts if submission.path else {}
        except (BadAssignment, OSError):
            continue  # marking says why it cannot be read
        for cell in assignment.texts:
            text = answers.get(cell.id)
            if text is not None:
                items = (rubric or {}).get((assignment.name, cell.id)) or [RubricItem(WHOLE, cell.points)]
                rows += _rows(readable_name(submission.student), assignment.name, cell.id, items, text)
                texts += bool(text.strip())
    write_sheet(path, SHEET, rows)
    return texts


def _rows(student: str, assignment: str, task: str, items: Sequence[RubricItem], text: str) -> list[tuple[str, ...]]:
    rows = []
    for number, item in enumerate(items):
        points, comment = ("", "") if text.strip() else ("0", "not answered")
        shown = text.strip() if number == 0 else ""
        rows.append((student, assignment, task, item.name, shown_number(item.most), points, comment, shown))
    return rows


def read_manual(path: str | os.PathLike, wanted: Mapping[tuple[str, str, str], float]) -> dict:
    """The points given, by (student, assignment, task); ``wanted`` says which there are and how much each may get.

    A ValueError tells the first thing that is wrong, and how many more there are.
    """
    given: dict[tuple[str, str, str], list[Given]] = {}
    wrong, students = [], {student for student, _, _ in wanted}
    for line in read_sheet(path, SHEET[:7]):
        key = (line["student"], line["assignment"], line["task"])
        problem = _problem(line, key, given, wanted) if key[0] in students else f"there are no marks of {key[0]!r}"
        if problem:
            wrong.append(f"{line.where} ({', '.join(filter(None, key))}): {problem}")
        else:
            entry = Given(line["item"] or WHOLE, number_in(line["points"]), number_in(line["max"]), line["comment"])
            given.setdefault(key, []).append(entry)
    for key, items in given.items():
        total = sum(item.most for item in items)
        if abs(total - wanted[key]) > 1e-9 and not wrong:
            said = f"its items add up to {shown_number(total)}, but the task has {shown_number(wanted[key])} points"
            wrong.append(f"{', '.join(key)}: {said}")
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise ValueError(f"{Path(path).name}, {wrong[0]}{more}")
    return given


def _problem(line: SheetRow, key: tuple[str, str, str], given: Mapping, wanted: Mapping) -> str:
    points, most = number_in(line["points"]), number_in(line["max"])
    if key not in wanted:
        return f"{key[2]!r} is no text of this student's {key[1]!r} that people mark"
    if most is None:
        return f"max must be a number, not {line['max']!r}"
    if line["points"] and points is None:
        return f"{line['points']!r} is no number of points"
    if points is not None and not 0 <= points <= most:
        return f"{shown_number(points)} points were given, but 0 to {shown_number(most)} can be had"
    if (line["item"] or WHOLE) in {entry.item for entry in given.get(key, [])}:
        return f"the item {line['item'] or WHOLE!r} occurs twice"
    return ""
