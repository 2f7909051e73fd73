"""A page per grade for the student: every task with its points, what people wrote, what lateness cost, and the sum."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from anonnb.core.templates import templates
from anonnb.coursework.course.grades import Grade
from anonnb.coursework.course.roster import usable_folder
from anonnb.coursework.course.sheets import shown_number
from anonnb.files.writing import atomic_write


def grade_page(grade: Grade) -> str:
    """The page of one grade; everything that people wrote is text, not HTML."""
    environment = templates(Path(__file__))
    environment.filters["points"] = lambda value: "?" if value is None else shown_number(value)
    return environment.get_template("grade.html").render(grade=grade) + "\n"


def write_pages(grades: Sequence[Grade], folder: str | os.PathLike) -> list[Path]:
    """A page ``student/assignment.html`` for every grade of something that was handed in."""
    written = []
    for grade in grades:
        if grade.status != "missing":
            path = Path(folder, usable_folder(grade.student), f"{usable_folder(grade.assignment)}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path, newline="\n") as file:
                file.write(grade_page(grade))
            written.append(path)
    return written
