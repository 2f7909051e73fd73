"""What an attacker sees of a release: distinct published rows and, for each column, which values they can take.

Selections of rows are boolean matrices (cases × rows), so that thousands of cases are intersected at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.release import Release
from anonnb.tables.value_sets import Column


class Published:
    """The distinct rows of a release over some columns.

    ``first`` holds one published position of each, ``kind`` the distinct row of each published one. Values that are
    asked about are codes of the release's table.
    """

    def __init__(self, release: Release, names: Sequence[str]):
        self.release = release
        columns = [release.columns[name] for name in names]
        self.kind, count = group_ids([column.index for column in columns], [len(column.sets) for column in columns])
        self.first = first_places(self.kind, count)
        self._columns = {name: column.take(self.first) for name, column in zip(names, columns, strict=True)}
        self._membership: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.first)

    def column(self, name: str) -> Column:
        """The cells of the distinct rows in one column."""
        return self._columns[name]

    def can_take(self, name: str, codes: np.ndarray) -> np.ndarray:
        """For each code which rows can take it: codes × rows."""
        return self.membership(name)[codes]

    def membership(self, name: str) -> np.ndarray:
        """For every value of a column which rows can take it: values × rows."""
        if name not in self._membership:
            column = self._columns[name]
            places = self.release.table.attributes[name].recode_to(column.attribute)
            lo, hi = column.sets.lo[column.index], column.sets.hi[column.index]
            found = (lo <= places[:, None]) & (places[:, None] <= hi)  # a value outside the domain (-1) is in no set
            row = column.sets.mask_row[column.index]
            gaps, known = np.flatnonzero(row >= 0), np.flatnonzero(places >= 0)
            found[np.ix_(known, gaps)] = column.sets.masks[row[gaps]][:, places[known]].T
            self._membership[name] = found
        return self._membership[name]

    def select(self, known: dict[str, np.ndarray]) -> np.ndarray:
        """For each case (one code per known column) the rows that can take all its values: cases × rows."""
        cases = len(next(iter(known.values())))
        selected = np.ones((cases, len(self)), dtype=bool)
        for name, codes in known.items():
            selected &= self.can_take(name, codes)
        return selected

    def intersect(self, name: str, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values of a column that all selected rows share: how many are left, and the first of them, for each case.

        A case that selects no row has nothing to go by: no value is left.
        """
        column = self._columns[name]
        if (column.sets.mask_row[column.index] < 0).all():
            return _intersect_spans(column, selected)
        return _intersect_masks(column, selected)


def _intersect_spans(column: Column, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Runs of codes: the largest lower and the smallest upper end among the selected rows."""
    lo, hi = column.sets.lo[column.index], column.sets.hi[column.index]
    if len(lo) == 0:
        return np.zeros(len(selected), dtype=np.int64), np.zeros(len(selected), dtype=np.int64)
    size = column.attribute.size
    small = np.min_scalar_type(-size - 1)  # a product of flags and narrow numbers is quick to make and to search
    low = (selected * (lo + 1).astype(small)).max(axis=1).astype(np.int64) - 1
    high = size - (selected * (size - hi).astype(small)).max(axis=1).astype(np.int64)
    return np.where(low >= 0, np.maximum(high - low + 1, 0), 0), np.maximum(low, 0)


def _intersect_masks(column: Column, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sets with gaps: a value stays when no selected row excludes it, counted by one matrix product."""
    used, place = np.unique(column.index, return_inverse=True)
    excluded = ~column.sets.as_masks()[used]
    # rows with the same set count once: fold them together before the product
    folded = np.zeros((len(selected), len(used)), dtype=np.float32)
    for number in range(len(used)):
        folded[:, number] = selected[:, place == number].any(axis=1)
    left = (folded @ excluded.astype(np.float32) == 0) & selected.any(axis=1)[:, None]
    return left.sum(axis=1), left.argmax(axis=1)
