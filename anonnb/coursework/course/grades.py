"""Final grades: checked points, points that people gave, and lateness in one table, each with its arithmetic.

Idea: a grade is a sum that a student can redo by hand. What is not known yet (points that nobody gave, a submission
that could not be examined) leaves a grade open; it is never counted as nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from anonnb.coursework.course.late import Deduction, LateRules
from anonnb.coursework.course.manual import Given, read_manual
from anonnb.coursework.course.roster import Roster
from anonnb.coursework.course.sheets import SheetRow, number_in, read_sheet, shown_number, write_sheet
from anonnb.coursework.course.times import Times

TABLE = (
    *("student", "name", "assignment", "status", "checked", "checked_max", "read", "read_max"),
    *("days_late", "deduction", "grade", "max", "explanation"),
)


@dataclass(frozen=True)
class GradedTask:
    """One task in a grade: what it gave, and what was said about it."""

    task: str
    kind: str  # "auto" or "manual"
    points: float | None
    most: float
    message: str = ""
    items: tuple[Given, ...] = ()


@dataclass(frozen=True)
class Grade:
    """One student's grade for one assignment; ``status`` is that of the mark, ``missing`` or ``open``.

    ``examined`` says that the notebook was run, so that its points tell something about the tasks.
    """

    student: str
    assignment: str
    status: str
    parts: tuple[GradedTask, ...] = ()
    late: Deduction = field(default_factory=Deduction)
    reason: str = ""
    name: str = ""
    examined: bool = False

    def points(self, kind: str) -> float | None:
        """The points of the machine (``auto``) or of people (``manual``); None while any is missing."""
        found = [part.points for part in self.parts if part.kind == kind]
        return None if None in found else sum(found)

    def most(self, kind: str | None = None) -> float:
        return sum(part.most for part in self.parts if kind in (None, part.kind))

    @property
    def final(self) -> float | None:
        """The points that count; None while they are open."""
        checked, read = self.points("auto"), self.points("manual")
        if self.status == "missing":
            return 0.0
        if self.status == "open" or checked is None or read is None:
            return None
        return max(0.0, checked + read - self.late.points)

    @property
    def explanation(self) -> str:
        """The arithmetic in a sentence."""
        if self.status == "missing":
            return "not handed in"
        if self.final is None:
            return f"open: {self.reason}"
        said = f"{shown_number(self.points('auto'))} of {shown_number(self.most('auto'))} checked"
        if self.most("manual"):
            said += f" + {shown_number(self.points('manual'))} of {shown_number(self.most('manual'))} read"
        if self.late.points:
            said += f" − {shown_number(self.late.points)} late"
        said += f" = {shown_number(self.final)} of {shown_number(self.most())}"
        return "; ".join(filter(None, [said, self.late.why]))


def read_grades(
    marks: str | os.PathLike,
    *,
    manual: str | os.PathLike | None = None,
    late: LateRules | None = None,
    times: Times | None = None,
    roster: Roster | None = None,
) -> list[Grade]:
    """The grades from the files that marking wrote, in the order of students and assignments.

    ``marks`` is the table of marks, with ``…-tasks.csv`` beside it. ``manual`` is the filled-in sheet. With ``late``
    every submission needs its time. Students of the ``roster`` who are not among the marks handed in nothing.
    """
    marks, roster = Path(marks), roster or Roster()
    lines = [line for line in read_sheet(marks, ("student", "assignment", "status")) if line["status"] != "unknown"]
    tasks = _tasks(marks.with_name(f"{marks.stem}-tasks.csv"))
    read = _status(lines)
    wanted = {
        (*key, part.task): part.most
        for key, parts in tasks.items()
        for part in parts
        if part.kind == "manual" and read.get(key) in ("marked", "stopped")
    }
    given = read_manual(manual, wanted) if manual else {}
    _check_students([line["student"] for line in lines], roster, f"{marks.name}: the student")
    _check_students(late.exempt if late else (), roster, "the late rules: the exempt student")
    names = {student.id: student.name for student in roster.students}
    grades = [_grade(line, tasks, given, late, times, names) for line in lines]
    grades += _absent(grades, roster, tasks)
    return sorted(grades, key=lambda grade: (grade.student, grade.assignment))


def _status(lines: Iterable[SheetRow]) -> dict[tuple[str, str], str]:
    return {(line["student"], line["assignment"]): line["status"] for line in lines}


def _tasks(path: Path) -> dict[tuple[str, str], list[GradedTask]]:
    tasks: dict[tuple[str, str], list[GradedTask]] = {}
    for line in read_sheet(path, ("student", "assignment", "task", "kind", "points", "max_points")):
        most = number_in(line["max_points"])
        if most is None or line["kind"] not in ("auto", "manual"):
            raise ValueError(f"{path.name}, {line.where}: kind or max_points is not as marking writes it; mark again")
        part = GradedTask(line["task"], line["kind"], number_in(line["points"]), most, line["message"])
        tasks.setdefault((line["student"], line["assignment"]), []).append(part)
    return tasks


def _check_students(names: Iterable[str], roster: Roster, what: str) -> None:
    strange = sorted(set(names) - set(roster.by_id)) if roster.students else []
    if strange:
        more = f" (and {len(strange) - 1} more)" if len(strange) > 1 else ""
        remedy = "write the id as it is there, and collect with the list so that folders carry ids"
        raise ValueError(f"{what} {strange[0]!r}{more} is not in the list of students; {remedy}")


def _grade(
    line: SheetRow,
    tasks: Mapping[tuple[str, str], list[GradedTask]],
    given: Mapping,
    late: LateRules | None,
    times: Times | None,
    names: Mapping[str, str],
) -> Grade:
    key = line["student"], line["assignment"]
    parts = tuple(_filled(part, given.get((*key, part.task))) for part in tasks.get(key, []))
    examined = line["status"] in ("marked", "stopped")
    about = {"reason": line["reason"], "name": names.get(key[0], ""), "examined": examined}
    grade = Grade(*key, line["status"], parts, **about)
    if examined:
        missing = [part.task for part in parts if part.points is None]
        if missing:
            return _open(grade, f"points for {', '.join(missing)} are not given yet")
        return _with_deduction(grade, late, times)
    return grade if grade.status == "missing" else _open(grade, f"{grade.status}: {grade.reason}")


def _open(grade: Grade, reason: str) -> Grade:
    return replace(grade, status="open", reason=reason)


def _filled(part: GradedTask, items: Sequence[Given] | None) -> GradedTask:
    if part.kind == "auto" or items is None:
        return part
    points = [item.points for item in items]
    total = None if None in points else sum(points)
    return GradedTask(part.task, part.kind, total, part.most, part.message, tuple(items))


def _with_deduction(grade: Grade, late: LateRules | None, times: Times | None) -> Grade:
    key = grade.student, grade.assignment
    if late is None or late.rule(grade.assignment) is None:
        return grade
    when = (times or {}).get(key) or (times or {}).get((grade.student, ""))
    if when is None:
        return _open(grade, "it is not known when it came in; add it to the list of times")
    earned = grade.points("auto") + grade.points("manual")
    deduction = late.deduction(*key, when, earned, grade.most())
    return replace(grade, late=deduction)


def _absent(grades: Sequence[Grade], roster: Roster, tasks: Mapping[tuple[str, str], list[GradedTask]]) -> list[Grade]:
    """Students of the list who are in no line of the marks."""
    have = {(grade.student, grade.assignment) for grade in grades}
    shape = {assignment: parts for (_, assignment), parts in tasks.items()}
    absent = []
    for student in roster.students:
        for assignment, parts in shape.items():
            if (student.id, assignment) not in have:
                empty = tuple(
                    GradedTask(part.task, part.kind, 0 if part.kind == "auto" else None, part.most) for part in parts
                )
                absent.append(Grade(student.id, assignment, "missing", empty, name=student.name))
    return absent


def write_grades(grades: Sequence[Grade], path: str | os.PathLike) -> Path:
    """The final table as a CSV file."""
    return write_sheet(path, TABLE, [_row(grade) for grade in grades])


def _row(grade: Grade) -> tuple[str, ...]:
    known = grade.status not in ("missing",)
    return (
        *(grade.student, grade.name, grade.assignment, grade.status),
        shown_number(grade.points("auto") if known else 0.0),
        shown_number(grade.most("auto")),
        shown_number(grade.points("manual") if known else 0.0),
        shown_number(grade.most("manual")),
        *(str(grade.late.days or ""), shown_number(grade.late.points or None), shown_number(grade.final)),
        *(shown_number(grade.most()), grade.explanation),
    )
