"""How far people are from the nearest of many rows of single values.

Numbers differ by their share of the published range, other values by 0 or 1; the distance is Euclid's. Rows that are
many are put into the tree of the linkage attack (``matching.nearest``), so that the work grows about as n log n.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from anonnb.attacks.matching.nearest import FEW, RowTree
from anonnb.tables.attribute import Attribute
from anonnb.tables.matching import DistinctRows, Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

BLOCK = 200_000  # people × rows in memory at once: what fits into a cache is compared twice as fast


class RowDistances:
    """The distinct rows of a release over some columns as points, numbers as shares of the published range.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 60], "sex": ["f", "m", "m"]}))
    >>> rows = RowDistances(Release.of(table), ["age", "sex"])
    >>> rows.distances(Table(pd.DataFrame({"age": [20, 40], "sex": ["f", "f"]}))).round(3).tolist()
    [0.0, 0.5]
    """

    def __init__(self, release: Release, known: Sequence[str]):
        self._release, self._known = release, list(known)
        self._attributes = {name: release.columns[name].attribute for name in known}
        self._plain = len(known)  # a code or a flag for each column comes before all numbers
        rows = DistinctRows(release, known)
        self._kind, self._rows = rows.kind, self._points([rows.column(name) for name in known])

    def distances(self, people: Table) -> np.ndarray:
        """For everybody the distance to the nearest row."""
        matching = Matching(self._release, people, self._known)
        (rows,), _ = matching.totals([matching.rows_per_kind])
        far = np.zeros(matching.n_cases)
        lost = np.flatnonzero(rows == 0)  # the others find their own values
        persons = matching.first_person[lost]
        mine = [Column.original(people.attributes[name], people.codes(name)[persons]) for name in self._known]
        far[lost] = self._nearest(self._points(mine))
        return far[matching.case]

    def nearest(self, person: Table) -> np.ndarray:
        """The places of the rows that are nearest to one person, where all are equally far."""
        mine = [Column.original(person.attributes[name], person.codes(name)) for name in self._known]
        (apart,) = self._apart(self._points(mine))
        return np.flatnonzero(np.isin(self._kind, np.flatnonzero(apart == apart.min())))

    def _points(self, columns: Sequence[Column]) -> np.ndarray:
        """A line of numbers for each cell of the columns: first those that differ by 0 or 1, then shares of ranges."""
        plain, numbers = [], []
        for name, column in zip(self._known, columns, strict=True):
            attribute, shown = self._attributes[name], column.sets.lo[column.index]
            if attribute.kind == "numeric":
                share, gap = _scaled(attribute, column.attribute)
                plain.append(gap[shown])
                numbers.append(share[shown])
            else:
                own = self._release.columns[name].attribute
                plain.append(column.attribute.recode_to(own)[shown])  # -1: a value that no row has
        return np.column_stack([*plain, *numbers]).astype(np.float64)

    def _nearest(self, people: np.ndarray) -> np.ndarray:
        """Return the distance of each person to the nearest row."""
        if len(people) * len(self._rows) > FEW:
            return np.sqrt(self._tree.least_squares(people, np.full(len(people), -1)))
        least, step = np.empty(len(people)), max(BLOCK // max(len(self._rows), 1), 1)
        for start in range(0, len(people), step):
            some = slice(start, start + step)
            least[some] = self._apart(people[some]).min(axis=1)
        return np.sqrt(least)

    def _apart(self, people: np.ndarray) -> np.ndarray:
        """The squared distances of people and rows, to the last bit as the tree has them."""
        differ = np.zeros((len(people), len(self._rows)), dtype=np.min_scalar_type(self._plain))
        for mine, theirs in zip(people.T[: self._plain], self._rows.T[: self._plain], strict=True):
            differ += mine[:, None] != theirs
        apart = differ.astype(np.float64)
        for mine, theirs in zip(people.T[self._plain :], self._rows.T[self._plain :], strict=True):
            apart += (mine[:, None] - theirs) ** 2
        return apart

    @cached_property
    def _tree(self) -> RowTree:
        return RowTree(self._rows, self._plain)


def _scaled(attribute: Attribute, own: Attribute) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of an attribute as shares of the published range; which are none: 1 is a missing one, 2 a text."""
    if own.kind != "numeric":
        return np.full(own.size, 0.5), np.where(np.arange(own.size) == own.missing_code, 1, 2)
    scale = min(attribute.difference_scale, own.difference_scale)
    known = attribute.numbers[: len(attribute.domain)] * scale
    low, room = (float(known.min()), float(np.ptp(known)) or 1.0) if len(known) else (0.0, 1.0)
    numbers = np.clip((own.numbers_from(attribute) * scale - low) / room, -1.0, 2.0)
    return np.nan_to_num(numbers, nan=0.5), np.isnan(numbers).astype(np.int64)
