"""How a class did: the spread of points, how hard every task was, and whether it tells strong work from weak.

Idea: a task's success is the mean share of its points; its discrimination is the correlation of its points with those
of all other tasks together (the corrected item-total correlation of test theory). Near 0 or below it, those who did
well elsewhere did no better here: the task, or its check, may not measure what it should.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.coursework.course.grades import Grade

FEWEST = 5  # students below whom a correlation says nothing
WEAK = 0.2  # discrimination below which a task is looked at
MOST_REMARKS = 12


@dataclass(frozen=True)
class TaskResult:
    """One task: the mean share of its points, the shares of students with all and with none, its discrimination."""

    task: str
    kind: str
    most: float
    success: float
    full: float
    none: float
    discrimination: float | None


@dataclass(frozen=True)
class ClassResults:
    """One assignment: the points of everybody whose notebook was examined, its tasks, and the commonest remarks."""

    assignment: str
    totals: np.ndarray
    most: float
    tasks: tuple[TaskResult, ...]
    remarks: tuple[tuple[str, str, int], ...]  # task, remark, number of students
    missing: int = 0
    unexamined: int = 0
    left_out: tuple[str, ...] = ()  # tasks for which points are not known of everybody

    @property
    def median(self) -> float:
        return float(np.median(self.totals))

    @property
    def hardest(self) -> TaskResult:
        return min(self.tasks, key=lambda task: (task.success, task.task))

    @property
    def weak(self) -> list[TaskResult]:
        """Tasks that hardly tell strong from weak work."""
        return [task for task in self.tasks if task.discrimination is not None and task.discrimination < WEAK]


def class_results(grades: Sequence[Grade]) -> list[ClassResults]:
    """The results of every assignment of which at least one notebook was examined."""
    by_assignment: dict[str, list[Grade]] = {}
    for grade in grades:
        by_assignment.setdefault(grade.assignment, []).append(grade)
    found = [_results(name, those) for name, those in sorted(by_assignment.items())]
    return [one for one in found if one is not None]


def _results(assignment: str, grades: Sequence[Grade]) -> ClassResults | None:
    examined = [grade for grade in grades if grade.examined]
    if not examined:
        return None
    parts = list({part.task: part for grade in examined for part in grade.parts}.values())
    given = [{part.task: part.points for part in grade.parts} for grade in examined]
    points = np.array([[one.get(part.task) for part in parts] for one in given], dtype=float)
    known = ~np.isnan(points).any(axis=0)
    if not known.any():
        return None
    chosen = [part for part, whole in zip(parts, known, strict=True) if whole]
    points = points[:, known]
    missing = sum(grade.status == "missing" for grade in grades)
    return ClassResults(
        assignment,
        points.sum(axis=1),
        sum(part.most for part in chosen),
        tuple(_task(part, points, place) for place, part in enumerate(chosen)),
        _remarks(examined),
        missing,
        len(grades) - len(examined) - missing,
        tuple(part.task for part, whole in zip(parts, known, strict=True) if not whole),
    )


def _task(part, points: np.ndarray, place: int) -> TaskResult:
    own = points[:, place]
    rest = points.sum(axis=1) - own
    return TaskResult(
        *(part.task, part.kind, part.most, float(own.mean() / part.most)),
        *(float((own >= part.most - 1e-9).mean()), float((own <= 1e-9).mean()), discrimination(own, rest)),
    )


def discrimination(own: np.ndarray, rest: np.ndarray) -> float | None:
    """The correlation of a task's points with those of all others; None where it cannot be had.

    >>> round(discrimination(np.array([0, 0, 5, 5, 5]), np.array([10, 20, 60, 70, 80])), 2)
    0.97
    """
    if len(own) < FEWEST or np.ptp(own) < 1e-9 or np.ptp(rest) < 1e-9:
        return None
    return float(np.corrcoef(own, rest)[0, 1])


def _remarks(grades: Sequence[Grade]) -> tuple[tuple[str, str, int], ...]:
    """What checks said most often, numbers and quoted values left out so that equal reasons fall together."""
    counts: Counter[tuple[str, str]] = Counter()
    for grade in grades:
        counts.update({(part.task, remark_of(part.message)) for part in grade.parts if part.message})
    ordered = sorted(counts.items(), key=lambda line: (-line[1], line[0]))
    return tuple((task, remark, count) for (task, remark), count in ordered[:MOST_REMARKS])


def remark_of(message: str) -> str:
    """A message without what is the student's own.

    >>> remark_of("row 'o3', column 'age': 38.5 is not right")
    'row …, column …: … is not right'
    """
    message = re.sub(r"'[^']*'|\"[^\"]*\"|\[[^\]]*\]|-?\d+(?:[.,]\d+)*", "…", message)
    return re.sub(r"…(?:[\s,]*…)+", "…", message)[:160]
