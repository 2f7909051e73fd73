"""The cuts of a numeric column: the intervals between them, their labels, and coarser intervals with fewer cuts.

Idea: a value lies right of a cut when it is at least as large. Each cut has a weight; coarser levels keep the heavier
half of the cuts, so that every level refines the next and the cuts serve as a hierarchy for generalization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from anonnb.tables.hierarchy import Hierarchy
from anonnb.tables.labels import SUPPRESSED, text
from anonnb.tables.table import Table

WHOLE = "any value"  # the label of the only interval of a column without cuts


@dataclass(frozen=True)
class CutPoints:
    """Cuts of one column in ascending order, and the weight of each: heavier cuts are kept on more levels.

    >>> cuts = CutPoints((2.5, 5.0, 7.5), (1.0, 2.0, 1.0))
    >>> cuts.labels
    ['<2.5', '[2.5,5)', '[5,7.5)', '>=7.5']
    >>> cuts.hierarchy().generalize(6, 1), cuts.hierarchy().generalize(6, 2)
    ('[5,7.5)', '>=5')
    """

    points: tuple
    weights: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def labels(self) -> list[str]:
        """The label of every interval, the lowest first."""
        ends = [text(point) for point in self.points]
        if not ends:
            return [WHOLE]
        middle = [f"[{low},{high})" for low, high in pairwise(ends)]
        return [f"<{ends[0]}", *middle, f">={ends[-1]}"]

    def places(self, domain: pd.Index) -> np.ndarray:
        """The number of the interval of every value of a domain."""
        steps = [int(domain.searchsorted(point, "left")) for point in self.points]
        return np.searchsorted(np.array(steps, dtype=np.int64), np.arange(len(domain)), "right")

    def heaviest(self, count: int) -> CutPoints:
        """The ``count`` heaviest cuts; ties go to the lower."""
        order = sorted(range(len(self)), key=lambda place: (-self.weights[place], place))
        kept = sorted(order[:count])
        return CutPoints(tuple(self.points[at] for at in kept), tuple(self.weights[at] for at in kept))

    def levels(self) -> list[CutPoints]:
        """These cuts, the heavier half of them, half of those, and so on down to a single cut; empty without cuts."""
        found, count = [], len(self)
        while count:
            found.append(self.heaviest(count))
            count //= 2
        return found

    def hierarchy(self) -> Hierarchy:
        """Values, their intervals, coarser intervals, ``*``."""
        levels = self.levels()
        return Hierarchy(WithinCuts(levels), len(levels) + 1)

    def hierarchy_of_labels(self) -> Hierarchy | None:
        """The same without its first level, for a column that holds the labels of the intervals; None without cuts."""
        levels = self.levels()
        if not levels:
            return None
        rows = []
        for place, label in enumerate(self.labels):
            least = self.points[place - 1] if place else None  # the least value of the interval
            above = [_label(level, least) for level in levels[1:]]
            rows.append([label, *above, SUPPRESSED])
        return Hierarchy.from_rows(rows, source="the intervals")


@dataclass(frozen=True)
class WithinCuts:
    """The interval of a value on each level, and ``*`` on top."""

    levels: Sequence[CutPoints]

    def __call__(self, value: object) -> list[str] | None:
        try:
            return [_label(level, value) for level in self.levels] + [SUPPRESSED]
        except TypeError:  # a text among numbers
            return None


def _label(cuts: CutPoints, value: object) -> str:
    """The label of the interval of a value; None is below every cut."""
    place = 0 if value is None else sum(bool(value >= point) for point in cuts.points)
    return cuts.labels[place]


def halfway(low: object, high: object) -> object:
    """The cut between two neighbouring values, without rounding noise; the upper value if no number lies between.

    >>> halfway(5.5, 5.6), halfway(1, 2), halfway(pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-03")).day
    (5.55, 1.5, 2)
    """
    middle = low + (high - low) / 2
    if isinstance(middle, float | np.floating):
        clean = float(f"{middle:.12g}")
        middle = clean if low < clean < high else float(middle)
    return middle if low < middle < high else high


@dataclass(frozen=True, eq=False)
class NumericColumn:
    """A numeric column as the algorithms see it: the distinct values that occur, and the place of every row's value.

    A missing value has the place -1. A cut has the place of the first value on its right.
    """

    name: str
    values: pd.Index
    places: np.ndarray

    @classmethod
    def of(cls, table: Table, name: str) -> NumericColumn:
        attribute = table.attributes[name]
        known = len(attribute.domain)
        present = np.flatnonzero(table.counts(name)[:known])
        place = np.full(attribute.size, -1, dtype=np.int64)
        place[present] = np.arange(len(present))
        return cls(name, attribute.domain.take(present), place[table.codes(name)])

    @cached_property
    def known(self) -> np.ndarray:
        """The places of the rows whose value is not missing."""
        return self.places[self.places >= 0]

    def value(self, place: int) -> object:
        """A value as a Python object."""
        found = self.values[place]
        return found.item() if isinstance(found, np.generic) else found

    def point(self, place: int) -> object:
        """The cut at a place: halfway between the value before and the value there."""
        return halfway(self.value(place - 1), self.value(place))

    def cuts(self, places: Sequence[int], weights: Sequence[float]) -> CutPoints:
        """Cuts halfway between neighbouring values, given by their places in any order."""
        order = np.argsort(np.asarray(places, dtype=np.int64), kind="stable")
        points = tuple(self.point(places[at]) for at in order)
        return CutPoints(points, tuple(float(weights[at]) for at in order))
