"""The cuts of a numeric column: the intervals between them, their labels, and coarser intervals with fewer cuts.

Idea: a value lies right of a cut when it is at least as large. Each cut has a weight; coarser levels keep the heavier
half of the cuts, so that every level refines the next and the cuts serve as a hierarchy for generalization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.labels import HIERARCHY_ROOT, text
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
        """Return the label of every interval, the lowest first."""
        ends = [text(point) for point in self.points]
        if not ends:
            return [WHOLE]
        middle = [f"[{low},{high})" for low, high in pairwise(ends)]
        return [f"<{ends[0]}", *middle, f">={ends[-1]}"]

    def places(self, domain: pd.Index) -> np.ndarray:
        """Return the number of the interval of every value of a domain."""
        steps = [int(domain.searchsorted(point, "left")) for point in self.points]
        return np.searchsorted(np.array(steps, dtype=np.int64), np.arange(len(domain)), "right")

    def heaviest(self, count: int) -> CutPoints:
        """Return the ``count`` heaviest cuts; ties go to the lower."""
        order = sorted(range(len(self)), key=lambda index: (-self.weights[index], index))
        kept = sorted(order[:count])
        return CutPoints(tuple(self.points[at] for at in kept), tuple(self.weights[at] for at in kept))

    def levels(self) -> list[CutPoints]:
        """Return these cuts, the heavier half of them, half of those, and so on down to a single cut."""
        levels, count = [], len(self)
        while count:
            levels.append(self.heaviest(count))
            count //= 2
        return levels

    def hierarchy(self) -> Hierarchy:
        """Return values, their intervals, coarser intervals, ``*``."""
        levels = self.levels()
        return Hierarchy(WithinCuts(levels), len(levels) + 1)

    def hierarchy_of_labels(self) -> Hierarchy | None:
        """Return the hierarchy without its first level, for a column of interval labels; None without cuts."""
        levels = self.levels()
        if not levels:
            return None
        rows = []
        for index, label in enumerate(self.labels):
            lowest = self.points[index - 1] if index else None  # the least value of the interval
            above = [_label(level, lowest) for level in levels[1:]]
            rows.append([label, *above, HIERARCHY_ROOT])
        return Hierarchy.from_rows(rows, source="the intervals")


@dataclass(frozen=True)
class WithinCuts:
    """Return the interval of a value on each level, and ``*`` on top."""

    levels: Sequence[CutPoints]

    def __call__(self, value: object) -> list[str] | None:
        try:
            return [_label(level, value) for level in self.levels] + [HIERARCHY_ROOT]
        except TypeError:  # a text among numbers
            return None


def _label(cuts: CutPoints, value: Any) -> str:
    """Return the label of the interval of a value; None is below every cut."""
    index = 0 if value is None else sum(bool(value >= point) for point in cuts.points)
    return cuts.labels[index]


def halfway(low: Any, high: Any) -> Any:
    """Return the cut between two neighbouring values, without rounding noise, or the upper value if none lies between.

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
    """Numeric column as the algorithms see it: distinct values that occur, and the position of every row's value.

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
        position = np.full(attribute.size, -1, dtype=np.int64)
        position[present] = np.arange(len(present))
        return cls(name, attribute.domain.take(present), position[table.codes(name)])

    @cached_property
    def known(self) -> np.ndarray:
        """The places of the rows whose value is not missing."""
        return self.places[self.places >= 0]

    def value(self, position: int) -> Any:
        """Return a value as a Python object."""
        value = self.values[position]
        return value.item() if isinstance(value, np.generic) else value

    def point(self, position: int) -> Any:
        """Return the cut at a position: halfway between the value before and the value there."""
        return halfway(self.value(position - 1), self.value(position))

    def cuts(self, positions: Sequence[int] | np.ndarray, weights: Sequence[float]) -> CutPoints:
        """Return cuts halfway between neighbouring values, given by their positions in any order."""
        order = np.argsort(np.asarray(positions, dtype=np.int64), kind="stable")
        points = tuple(self.point(positions[at]) for at in order)
        return CutPoints(points, tuple(float(weights[at]) for at in order))


# ---- equal bins ------------------------------------------------------------------------------------------------------
# Equal width and equal frequency: intervals that ignore the decision.
#
# Idea: cut the range into parts of the same length, or the sorted rows into parts of the same size. Reading chosen:
# equal values are never separated, so parts of equal frequency may differ in size, and there may be fewer of them.


def equal_width(column: NumericColumn, bins: int) -> CutPoints:
    """Return cuts that divide the range of a column into ``bins`` intervals of the same width.

    >>> import pandas as pd
    >>> from anonnb import Table
    >>> equal_width(NumericColumn.of(Table(pd.DataFrame({"x": [0, 1, 2, 10]})), "x"), 4).points
    (2.5, 5.0, 7.5)
    """
    if len(column.values) < 2:
        return CutPoints((), ())
    low, high = column.value(0), column.value(len(column.values) - 1)
    points = [_tidy(low + (high - low) * (step / bins)) for step in range(1, bins)]
    points = [point for index, point in enumerate(points) if low < point and point not in points[:index]]
    return CutPoints(tuple(points), tuple(_halving_weights(len(points))))


def equal_frequency(column: NumericColumn, bins: int) -> CutPoints:
    """Return cuts that divide the rows into at most ``bins`` parts, as equal in size as equal values allow.

    >>> import pandas as pd
    >>> from anonnb import Table
    >>> equal_frequency(NumericColumn.of(Table(pd.DataFrame({"x": [1, 2, 3, 3, 3, 9]})), "x"), 3).points
    (2.5, 6.0)
    """
    below = np.cumsum(np.bincount(column.known, minlength=len(column.values)))[:-1]  # rows left of each possible cut
    if not len(below):
        return CutPoints((), ())
    wanted = np.arange(1, bins) * (len(column.known) / bins)
    nearest = np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)
    positions = np.unique(nearest) + 1
    return column.cuts(positions, _halving_weights(len(positions)))


def _tidy(point: object) -> object:
    return float(f"{point:.12g}") if isinstance(point, float) else point


def _halving_weights(count: int) -> list[float]:
    """Return weights that keep every second cut, then every second of those: the middle one is the heaviest.

    >>> _halving_weights(3), _halving_weights(4)
    ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 2.0])
    """
    return [float((index & -index).bit_length() - 1) for index in range(1, count + 1)]
