"""Marking a class: the processor time of a submission, and what 200 of them take on two cores; similar submissions.

Every student's notebook is the solved one, under another name: the most that cells and checks can cost. Processor time
of all processes counts, so that a busy machine says the same; isolation by namespaces would hide it from its parent, so
another kind is used, which costs as much.
"""

from __future__ import annotations

import resource
import shutil
from pathlib import Path

from common import Bench, Call, Work, main

CLASS, CORES = 200, 2
SAMPLE = 30  # submissions that are marked for one figure
LIMIT = 900.0  # seconds by the clock, on a busy machine


def handed_in(assignment, folder: str, submissions: int) -> Path:
    """A folder of so many submissions, each with a remark of its own."""
    import copy

    import nbformat

    home = Path(folder) / "submitted"
    for number in range(submissions):
        notebook = copy.deepcopy(assignment.notebook)
        notebook.cells.append(nbformat.v4.new_markdown_cell(f"By student {number}.", id=f"remark-{number}"))
        place = home / f"student {number:03}" / assignment.name
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{assignment.name}.ipynb")
        for file in assignment.files:
            shutil.copy(file, place)
    return home


def marking(folder: str, assignment: str, submissions: int) -> Work:
    """Marks one after the other; the first one also compiles, what the others find compiled."""
    from anonnb.coursework import Limits, assignments, mark_folder

    (one,) = assignments(names=[assignment])
    home = handed_in(one, folder, submissions)

    def run():
        busy = [_children()]

        def noted(marks):
            for mark in marks:
                busy.append(_children())
                yield mark

        return mark_folder(home, [one], limits=Limits(600, 4000), isolation=_accounted(), progress=noted), busy

    def quality(result):
        marks, busy = result
        first, others = busy[1] - busy[0], (busy[-1] - busy[1]) / (submissions - 1)
        full = sum(mark.auto_points == one.auto_points for mark in marks)
        return {
            "minutes for 200": (CORES * first + (CLASS - CORES) * others) / CORES / 60,
            "processor seconds each": others,
            "the first": first,
            "full marks": full / submissions,
        }

    return Work(run, quality, rows=submissions)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _accounted() -> str:
    """The best kind of isolation under which the system tells the processor time of a student's process."""
    from anonnb.coursework import Limits
    from anonnb.coursework.isolation import KINDS
    from anonnb.coursework.marking import Conditions, Examiners

    step = {"role": "answer", "id": "trial", "code": "pass"}
    with Examiners() as examiners:
        for kind in [kind for kind in KINDS if kind != "namespaces"]:
            result = examiners.examine(Conditions(Limits(), (), kind).job(steps=[step]), 300)
            if not (result.get("failed") or result["stopped"]):
                return kind
    raise RuntimeError("no student's process starts here")


def comparing(submissions: int) -> Work:
    """Programs of 200 lines each, made by chance of the calls that everybody uses."""
    import random

    from anonnb.coursework.course.similarity.comparison import compared
    from anonnb.coursework.course.similarity.tokens import lexed

    rng = random.Random(0)
    calls = ["sum", "len", "max", "sorted", *(f"table.method_{number}" for number in range(30))]
    programs = {
        f"student {number}": "\n".join(
            f"x = {rng.choice(calls)}({rng.choice(calls)}(y, {rng.randrange(9)})) {rng.choice('+-*/')} z"
            for _ in range(200)
        )
        for number in range(submissions)
    }

    def run():
        return compared("", {name: lexed([code]) for name, code in programs.items()}, lexed([])).top(20)

    return Work(run, lambda pairs: {"pairs shown": len(pairs)}, rows=submissions)


def measure(bench: Bench) -> None:
    from anonnb.coursework import assignments

    names = bench.some(one.name for one in assignments())
    for place, name in enumerate(names):
        count = 2 if bench.quick else SAMPLE if place == 0 else 5
        call = Call("anonnb", marking, assignment=name, submissions=count, limit=LIMIT)
        bench.demand("Marking, two cores", name, call, most={"minutes for 200": 10}, least={"full marks": 1})
    call = Call("anonnb", comparing, submissions=bench.size(CLASS, 10), limit=LIMIT)
    bench.demand("Similar submissions", "200 lines each", call, s=30)


if __name__ == "__main__":
    main(measure, __doc__)
