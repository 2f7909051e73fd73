"""CN2's search for the best conjunction of conditions: a beam, general to specific, over class counts.

Idea: the class counts of all conditions, within the rows that a conjunction covers, come from one histogram by the
values of all attributes: a condition is a run of its lines, so the difference of two running sums.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from anonnb.rules.covering.columns import CodedColumn
from anonnb.rules.induction.rule import Condition

SAME = 1e-12
Score = Callable[[np.ndarray], np.ndarray]  # of class counts along the last axis; higher is better


@dataclass(frozen=True)
class CoveringConjunction:
    """Conditions, as (attribute, first code, last code) in attribute order, the rows they cover and their classes."""

    conditions: tuple[tuple[int, int, int], ...]
    rows: np.ndarray = field(compare=False, repr=False)
    counts: np.ndarray = field(compare=False)
    score: float = 0.0

    @cached_property
    def key(self) -> tuple:
        """Sorts the better first: by score, then by rows covered, then by fewer conditions."""
        return _key(self.score, int(self.counts.sum()), self.conditions)


def _key(score: float, covered: int, conditions: tuple) -> tuple:
    return -round(score, 12), -covered, len(conditions)


class ElementaryConditions:
    """All conditions on one attribute: a value of a nominal one, the values up to or from a code of an ordered one.

    ``runs`` has a line per condition: the number of its attribute, its first and its last code.
    """

    def __init__(self, columns: list[CodedColumn], classes: np.ndarray, n_classes: int):
        self.n_classes = n_classes
        self.values = sum(column.size for column in columns)
        firsts = np.cumsum([0, *(column.size for column in columns)])
        cells = [(first + column.codes) * n_classes + classes for first, column in zip(firsts, columns, strict=False)]
        self.cells = np.column_stack(cells)  # for each row and attribute, where its class is in the histogram
        self.runs = np.array([(index, *run) for index, column in enumerate(columns) for run in _runs(column)])
        self.begin = firsts[self.runs[:, 0]] + self.runs[:, 1]
        self.end = firsts[self.runs[:, 0]] + self.runs[:, 2] + 1

    def counts(self, rows: np.ndarray) -> np.ndarray:
        """Return the classes of those of some rows that satisfy each condition."""
        histogram = np.bincount(self.cells[rows].ravel(), minlength=self.values * self.n_classes)
        running = np.zeros((self.values + 1, self.n_classes), dtype=np.int64)
        np.cumsum(histogram.reshape(self.values, self.n_classes), axis=0, out=running[1:])
        return running[self.end] - running[self.begin]


def _runs(column: CodedColumn) -> list[tuple[int, int]]:
    """First and last codes of the elementary conditions on a column."""
    if not column.ordered:
        return [(code, code) for code in range(column.size)]
    known, last = range(column.known), column.known - 1
    missing = range(column.known, column.size)
    return [*((0, code) for code in known), *((code, last) for code in known), *((code, code) for code in missing)]


@dataclass(frozen=True, eq=False)
class BeamSearch:
    """The best conjunction over some rows.

    ``score`` is a function of class counts, ``limit`` the highest score that refinements of given counts can reach;
    ``significance`` is the level at which the classes covered must differ from those of all rows.
    """

    columns: list[CodedColumn]
    classes: np.ndarray
    n_classes: int
    score: Score
    limit: Score
    beam: int
    significance: float
    min_support: int
    most: int

    def best(self, rows: np.ndarray) -> tuple[CoveringConjunction | None, list[CoveringConjunction]]:
        """Return the best significant conjunction, or None; and the best conjunctions that were tried."""
        whole = np.bincount(self.classes[rows], minlength=self.n_classes)
        star = [CoveringConjunction((), rows, whole, float(self.score(whole)))]
        best: CoveringConjunction | None = None
        seen: list[CoveringConjunction] = []
        while star:
            fresh = self._refined(star)
            for one in fresh:
                if (best is None or one.key < best.key) and self._significant(one.counts, whole):
                    best = one
            seen = sorted([*seen, *fresh], key=lambda one: one.key)[: self.beam]
            star = [one for one in fresh if best is None or self.limit(one.counts) > best.score + SAME]
        return best, seen

    @cached_property
    def _elementary(self) -> ElementaryConditions:
        return ElementaryConditions(self.columns, self.classes, self.n_classes)

    def _refined(self, star: list[CoveringConjunction]) -> list[CoveringConjunction]:
        """Return the best conjunctions with one more condition, at most as many as the beam is wide."""
        fresh: dict[tuple, tuple] = {}
        for parent in star if self.columns else ():
            for run, counts, score, covered in self._children(parent):
                conditions = _narrowed(parent.conditions, run)
                if conditions not in fresh:
                    fresh[conditions] = _key(score, covered, conditions), parent, run, counts, score
        best = sorted(fresh.items(), key=lambda one: one[1][0])[: self.beam]
        return [self._made(conditions, *parts) for conditions, (_, *parts) in best]

    def _made(
        self, conditions: tuple, parent: CoveringConjunction, run: tuple, counts: np.ndarray, score: float
    ) -> CoveringConjunction:
        index, low, high = run
        codes = self.columns[index].codes[parent.rows]
        return CoveringConjunction(conditions, parent.rows[(codes >= low) & (codes <= high)], counts, score)

    def _children(self, parent: CoveringConjunction) -> list[tuple]:
        """Return the most promising refinements of one conjunction, at most as many as the beam is wide.

        Each is the run of its new condition, its class counts, its score and how many rows it covers.
        """
        every = self._elementary
        counts = every.counts(parent.rows)
        covered = counts.sum(axis=1)
        allowed = (covered >= self.min_support) & (covered < len(parent.rows))
        used = [index for index, _, _ in parent.conditions]
        if len(used) >= self.most:
            allowed &= np.isin(every.runs[:, 0], used)
        candidates = np.flatnonzero(allowed)
        scores = self.score(counts[candidates])
        order = np.lexsort([-covered[candidates], -np.round(scores, 12)])[: self.beam]
        best = candidates[order]
        runs = map(tuple, every.runs[best].tolist())
        return list(zip(runs, counts[best], scores[order].tolist(), covered[best].tolist(), strict=True))

    def _significant(self, counts: np.ndarray, whole: np.ndarray) -> bool:
        """Return whether the likelihood ratio of the classes covered and of all rows is significant."""
        if self.significance >= 1:
            return True
        from scipy.stats import chi2  # takes most of a second to load, and few ask for the test

        expected = whole / whole.sum() * counts.sum()
        present = counts > 0
        ratio = 2 * float((counts[present] * np.log(counts[present] / expected[present])).sum())
        return chi2.sf(ratio, self.n_classes - 1) <= self.significance

    def conditions(self, one: CoveringConjunction) -> tuple[Condition, ...]:
        """Return the conditions of a conjunction in the form of a rule."""
        return conditions_of(one, self.columns)


def conditions_of(one: CoveringConjunction, columns: Sequence[CodedColumn]) -> tuple[Condition, ...]:
    """Return the conditions of a conjunction in the form of a rule."""
    made = []
    for index, low, high in one.conditions:
        column = columns[index]
        made.append(column.run(low, high) if column.ordered and low < column.known else column.chosen([low]))
    return tuple(made)


def _narrowed(conditions: tuple, run: tuple[int, int, int]) -> tuple:
    """Conditions with one more, which narrows an older one on the same attribute."""
    index, low, high = run
    parts = {at: (first, last) for at, first, last in conditions}
    first, last = parts.get(index, (low, high))
    parts[index] = (max(first, low), min(last, high))
    return tuple((at, *ends) for at, ends in sorted(parts.items()))
