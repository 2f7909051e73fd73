"""CN2's search for the best conjunction of conditions: a beam, general to specific, over class counts.

Idea: the class counts of all conditions on an attribute, within the rows that a conjunction covers, are one histogram:
by value where the attribute is nominal, summed up from either end where it is ordered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import chi2

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

    @property
    def key(self) -> tuple:
        """Sorts the better first: by score, then by rows covered, then by fewer conditions."""
        return -round(self.score, 12), -int(self.counts.sum()), len(self.conditions)


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
        """The best significant conjunction, or None; and the best conjunctions that were tried."""
        whole = np.bincount(self.classes[rows], minlength=self.n_classes)
        star = [CoveringConjunction((), rows, whole, float(self.score(whole)))]
        best, seen = None, []
        while star:
            fresh = self._refined(star)
            for one in fresh:
                if (best is None or one.key < best.key) and self._significant(one.counts, whole):
                    best = one
            seen = sorted([*seen, *fresh], key=lambda one: one.key)[: self.beam]
            star = [one for one in fresh if best is None or self.limit(one.counts) > best.score + SAME]
        return best, seen

    def _refined(self, star: list[CoveringConjunction]) -> list[CoveringConjunction]:
        """The best conjunctions with one more condition, at most as many as the beam is wide."""
        fresh: dict[tuple, CoveringConjunction] = {}
        for parent in star:
            for conditions, place, run, counts in self._children(parent):
                if conditions not in fresh:
                    codes = self.columns[place].codes[parent.rows]
                    rows = parent.rows[(codes >= run[0]) & (codes <= run[1])]
                    fresh[conditions] = CoveringConjunction(conditions, rows, counts, float(self.score(counts)))
        return sorted(fresh.values(), key=lambda one: one.key)[: self.beam]

    def _children(self, parent: CoveringConjunction) -> list[tuple]:
        """The most promising refinements of one conjunction, at most as many as the beam is wide."""
        runs, all_counts = [], []
        total = int(parent.counts.sum())
        used = [place for place, _, _ in parent.conditions]
        for place, column in enumerate(self.columns):
            if len(used) >= self.most and place not in used:
                continue
            size = column.size * self.n_classes
            cells = column.codes[parent.rows] * self.n_classes + self.classes[parent.rows]
            histogram = np.bincount(cells, minlength=size).reshape(column.size, self.n_classes)
            for low, high, counts in _conditions(column, histogram):
                covered = counts.sum(axis=1)
                for at in np.flatnonzero((covered >= self.min_support) & (covered < total)):
                    runs.append((place, int(low[at]), int(high[at])))
                    all_counts.append(counts[at])
        if not runs:
            return []
        all_counts = np.array(all_counts)
        scores = np.round(self.score(all_counts), 12)
        order = np.lexsort([-all_counts.sum(axis=1), -scores])[: self.beam]
        return [
            (_narrowed(parent.conditions, runs[at]), runs[at][0], runs[at][1:], all_counts[at]) for at in order.tolist()
        ]

    def _significant(self, counts: np.ndarray, whole: np.ndarray) -> bool:
        """Whether the likelihood ratio of the classes covered and of all rows is significant."""
        if self.significance >= 1:
            return True
        expected = whole / whole.sum() * counts.sum()
        found = counts > 0
        ratio = 2 * float((counts[found] * np.log(counts[found] / expected[found])).sum())
        return chi2.sf(ratio, self.n_classes - 1) <= self.significance

    def conditions(self, one: CoveringConjunction) -> tuple[Condition, ...]:
        """The conditions of a conjunction in the form of a rule."""
        made = []
        for place, low, high in one.conditions:
            column = self.columns[place]
            made.append(column.run(low, high) if column.ordered and low < column.known else column.chosen([low]))
        return tuple(made)


def _conditions(column: CodedColumn, histogram: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """First and last codes of the elementary conditions on a column, with the classes of the rows that they cover."""
    codes = np.arange(column.size)
    if not column.ordered:
        return [(codes, codes, histogram)]
    known = histogram[: column.known]
    at_most, at_least = np.cumsum(known, axis=0), np.cumsum(known[::-1], axis=0)[::-1]
    first, last = np.zeros(column.known, dtype=np.int64), np.full(column.known, column.known - 1)
    sides = [(first, codes[: column.known], at_most), (codes[: column.known], last, at_least)]
    return [*sides, (codes[column.known :], codes[column.known :], histogram[column.known :])]


def _narrowed(conditions: tuple, run: tuple[int, int, int]) -> tuple:
    """Conditions with one more, which narrows an older one on the same attribute."""
    place, low, high = run
    parts = {at: (first, last) for at, first, last in conditions}
    first, last = parts.get(place, (low, high))
    parts[place] = (max(first, low), min(last, high))
    return tuple((at, *ends) for at, ends in sorted(parts.items()))
