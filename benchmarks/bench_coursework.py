"""Marking a class with nbgrader: what 100 submissions of an assignment take, the start of the command included.

Every student hands in the solved notebook with an id of their own: the most that cells and checks can cost. nbgrader
marks one after the other; an examiner and a student's process share two cores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from common import Bench, Call, Work

CLASS, SAMPLE = 100, 12  # SAMPLE submissions are marked for one figure
LIMIT = 900.0  # seconds by the clock, on a busy machine


def marking(folder: str, name: str, submissions: int) -> Work:
    """Mark one submission, then all of them: the start of the command and the model solution count once."""
    from nbgrader.api import Gradebook

    from anonnb.coursework import assignments, new_course

    course = Path(folder) / "course"
    new_course(course)
    (assignment,) = assignments(names=[name])
    for student in (f"s{number:03}" for number in range(submissions)):
        path = course / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(assignment.notebook).replace('STUDENT = \\"\\"', f'STUDENT = \\"{student}\\"'))

    def seconds(*words: str) -> float:
        start = time.monotonic()
        subprocess.run([sys.executable, "-m", "nbgrader", *words], cwd=course, check=True, capture_output=True)
        return time.monotonic() - start

    seconds("generate_assignment", name)

    def quality(result: tuple[float, float]) -> dict[str, float]:
        first, everybody = result
        each = (everybody - first) / (submissions - 1)
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
            full = [one.code_score == one.max_code_score for one in book.assignment_submissions(name)]
        minutes, full_marks = (first + (CLASS - 1) * each) / 60, sum(full) / submissions
        return {"minutes for 100": minutes, "seconds each": each, "the first": first, "full marks": full_marks}

    autograde = ("autograde", name, "--force")
    return Work(lambda: (seconds(*autograde, "--student=s000"), seconds(*autograde)), quality, rows=submissions)


def measure(bench: Bench) -> None:
    from anonnb.coursework import assignments

    for name in bench.some(one.name for one in assignments()):
        count = 2 if bench.quick else SAMPLE if name.startswith("03") else 4
        call = Call("anonnb", marking, name=name, submissions=count, limit=LIMIT)
        bench.demand("Marking, two cores", name, call, most={"minutes for 100": 6}, least={"full marks": 1})
