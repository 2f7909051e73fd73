"""Marking a class with nbgrader: what 100 submissions of an assignment take, start of the command included.

Every student hands in the solved notebook with an id of their own: the most that cells and checks can cost. nbgrader
marks one after the other; an examiner and a student's process share two cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from common import Bench, Call, Work, main

CLASS = 100
SAMPLE = 12  # submissions that are marked for one figure
LIMIT = 900.0  # seconds by the clock, on a busy machine


def course_of(folder: str, name: str, submissions: int) -> Path:
    """A course folder with so many submissions of an assignment."""
    from anonnb.coursework import assignments, new_course

    course = Path(folder) / "course"
    new_course(course)
    (assignment,) = assignments(names=[name])
    text = json.dumps(assignment.notebook)
    for number in range(submissions):
        path = course / "submitted" / f"s{number:03}" / assignment.name / f"{assignment.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text.replace('STUDENT = \\"\\"', f'STUDENT = \\"s{number:03}\\"'))
    nbgrader(course, "generate_assignment", assignment.name)
    return course


def nbgrader(course: Path, *words: str) -> None:
    subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=course, check=True, capture_output=True)


def marking(folder: str, assignment: str, submissions: int) -> Work:
    """Mark all submissions; the time of the command's start and of the model solution counts once."""
    import time

    from nbgrader.api import Gradebook

    course = course_of(folder, assignment, submissions)

    def run():
        started = time.monotonic()
        nbgrader(course, "autograde", assignment, "--student=s000", "--force")
        first = time.monotonic() - started
        nbgrader(course, "autograde", assignment, "--force")
        return first, time.monotonic() - started - first

    def quality(result):
        first, all_of_them = result
        each = (all_of_them - first) / (submissions - 1)
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
            scores = [one.code_score / one.max_code_score for one in book.assignment_submissions(assignment)]
        return {
            "minutes for 100": (first + (CLASS - 1) * each) / 60,
            "seconds each": each,
            "the first": first,
            "full marks": sum(score == 1 for score in scores) / submissions,
        }

    return Work(run, quality, rows=submissions)


def measure(bench: Bench) -> None:
    from anonnb.coursework import assignments

    names = bench.some(one.name for one in assignments())
    for name in names:
        count = 2 if bench.quick else SAMPLE if name.startswith("03") else 4
        call = Call("anonnb", marking, assignment=name, submissions=count, limit=LIMIT)
        bench.demand("Marking, two cores", name, call, most={"minutes for 100": 6}, least={"full marks": 1})


if __name__ == "__main__":
    main(measure, __doc__)
