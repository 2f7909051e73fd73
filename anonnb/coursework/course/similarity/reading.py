"""Submissions and starters as tokens: answers and the students' own cells, not the cells that everybody was given."""

from __future__ import annotations

import os
from collections.abc import Sequence

from anonnb.coursework.assignment import Assignment, BadAssignment, cleared
from anonnb.coursework.course.similarity.comparison import ClassComparison, compared
from anonnb.coursework.course.similarity.tokens import Lexed, lexed
from anonnb.coursework.marks import readable_name
from anonnb.coursework.submissions import check_folder, find_submissions, merge


def compare_folder(folder: str | os.PathLike, assignments: Sequence[Assignment]) -> list[ClassComparison]:
    """Compare what is in a folder that marking reads, assignment by assignment."""
    check_folder(folder)
    by_name = {one.name: one for one in assignments}
    documents: dict[str, dict[str, Lexed]] = {name: {} for name in by_name}
    for submission in find_submissions(folder, by_name):
        found = submission_tokens(by_name[submission.assignment], submission.path) if submission.path else None
        if found is not None:
            documents[submission.assignment][readable_name(submission.student)] = found
    return [compared(name, found, starter_tokens(by_name[name])) for name, found in documents.items()]


def submission_tokens(assignment: Assignment, path: os.PathLike) -> Lexed | None:
    """What a student wrote; None where the file cannot be read, which marking tells."""
    try:
        merged = merge(assignment, path)
    except (BadAssignment, OSError):
        return None
    stubs = {cleared(cell).strip() for cell in assignment.cells if cell.is_code}
    codes = [step["code"] for step in merged.steps if step["role"] == "answer"]
    return lexed([code for code in codes if code.strip() not in stubs], filter(str.strip, merged.texts.values()))


def starter_tokens(assignment: Assignment) -> Lexed:
    """All that students were given: code, stubs, checks without their hidden part, and the text of the tasks."""
    codes = [cleared(cell) for cell in assignment.cells if cell.is_code]
    return lexed(codes, [cleared(cell) for cell in assignment.cells if not cell.is_code])
