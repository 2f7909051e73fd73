"""Grades on their way back: Moodle's own grading worksheet filled in, or a table for the import into its grade book.

A worksheet keeps its columns and lines; only the grade and the comment change, where Moodle lets them. Open grades
stay empty. Where Moodle counts to another maximum, points are scaled, and the comment says so.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from anonnb.coursework.course.grades import Grade
from anonnb.coursework.course.roster import Owner, Roster
from anonnb.coursework.course.sheets import number_in, shown_number, text_cell, write_sheet
from anonnb.files.reading import read_rows
from anonnb.files.writing import atomic_write


def write_grade_book(grades: Sequence[Grade], roster: Roster, path: str | os.PathLike) -> Path:
    """A line per student: who it is, then the points and the explanation of every assignment."""
    assignments = sorted({grade.assignment for grade in grades})
    found = {(grade.student, grade.assignment): grade for grade in grades}
    columns = [column for name in assignments for column in (f"{name} (points)", f"{name} (feedback)")]
    rows = []
    for student in sorted({grade.student for grade in grades}):
        known = roster.by_id.get(student)
        who = (student, known.name, known.email) if known else (student, "", "")
        rows.append([*who, *(cell for name in assignments for cell in _cells(found.get((student, name))))])
    return write_sheet(path, ["ID number", "Full name", "Email address", *columns], rows)


def _cells(grade: Grade | None) -> tuple[str, str]:
    return ("", "") if grade is None else (shown_number(grade.final), grade.explanation)


def fill_worksheet(
    grades: Sequence[Grade], worksheet: str | os.PathLike, roster: Roster, path: str | os.PathLike
) -> list[str]:
    """Write the worksheet of one assignment with its grades, and return who in it has none.

    A ValueError says that the grades are of several assignments, or that the file is no worksheet.
    """
    several = sorted({grade.assignment for grade in grades})
    if len(several) != 1:
        raise ValueError(f"a worksheet is for one assignment, but the grades are of {', '.join(several) or 'none'}")
    name, (header, *rows) = Path(worksheet).name, read_rows(worksheet)
    places = {column.strip().casefold(): place for place, column in enumerate(header)}
    lacking = [column for column in ("identifier", "grade") if column not in places]
    if lacking:
        raise ValueError(f"{name} has no column {lacking[0]!r}; export the grading worksheet from Moodle and name that")
    by_student = {grade.student: grade for grade in grades}
    left = []
    for row in rows:
        row += [""] * (len(header) - len(row))
        grade = by_student.get(_student(row, places, roster))
        if grade is None or grade.final is None or _cell(row, places, "grade can be changed").casefold() == "no":
            left.append(_cell(row, places, "full name") or _cell(row, places, "identifier"))
        else:
            _fill(row, places, grade)
    with atomic_write(path, newline="", encoding="utf-8-sig") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])
    return left


def _student(row: Sequence[str], places: Mapping[str, int], roster: Roster) -> str:
    number = "".join(filter(str.isdigit, _cell(row, places, "identifier")))
    names = [_cell(row, places, column) for column in ("id number", "full name")]
    for name in filter(None, names):
        found = roster.find(Owner(name, number))[0]
        if found:
            return found
    return next(filter(None, [names[0], number]), "")


def _cell(row: Sequence[str], places: Mapping[str, int], column: str) -> str:
    place = places.get(column, len(row))
    return row[place].strip() if place < len(row) else ""


def _fill(row: list[str], places: Mapping[str, int], grade: Grade) -> None:
    most, comment = number_in(_cell(row, places, "maximum grade")), grade.explanation
    points = grade.final
    if most and grade.most() and most != grade.most():
        points = points * most / grade.most()
        comment += f"; that is {shown_number(points)} of {shown_number(most)}"
    row[places["grade"]] = shown_number(points)
    if "feedback comments" in places:
        row[places["feedback comments"]] = text_cell(comment)
