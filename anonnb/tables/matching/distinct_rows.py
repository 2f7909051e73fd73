"""The distinct rows of a release, which of them can take some values, and what these have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonnb.core.arrays import first_places, group_ids, words
from anonnb.tables.matching.overlaps import Overlaps, ends
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

_FEW = 16  # of that many values of a column one is asked for: these alone are compared with the rows


class DistinctRows:
    """The distinct rows of a release over some columns, and what selections of them (cases × rows) have in common.

    ``first`` holds one published position of each, ``kind`` the distinct row of each published one. Values are given as
    codes of the release's table.
    """

    def __init__(self, release: Release, names: Sequence[str]):
        self.release = release
        columns = [release.columns[name] for name in names]
        self.kind, count = group_ids([column.index for column in columns], [len(column.sets) for column in columns])
        self.first = first_places(self.kind, count)
        self._columns = {name: column.take(self.first) for name, column in zip(names, columns, strict=True)}
        self._membership: dict[str, np.ndarray] = {}
        self._words: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def __len__(self) -> int:
        return len(self.first)

    def column(self, name: str) -> Column:
        """Return the cells of the distinct rows in one column."""
        return self._columns[name]

    def words(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return the number of each row's set in a column, and the sets as 64-bit words, a bit per value."""
        if name not in self._words:
            column = self._columns[name]
            used, number = np.unique(column.index, return_inverse=True)
            self._words[name] = number.astype(np.int64), words(column.sets.as_masks()[used])
        return self._words[name]

    def membership(self, name: str) -> np.ndarray:
        """Return which rows can take each value of a column (values × rows); none can take a foreign value."""
        if name not in self._membership:
            known = self.taking(name, np.arange(self.release.table.attributes[name].size))
            self._membership[name] = np.concatenate([known, np.zeros((1, len(self)), dtype=bool)])
        return self._membership[name]

    def taking(self, name: str, codes: np.ndarray) -> np.ndarray:
        """Return which rows can take the given values of a column (values × rows)."""
        values = Column(spans(self.release.table, self.release, name, None), codes)
        return Overlaps([values], [self._columns[name]]).matrix()

    def select(self, known: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return the rows that can take all values of each case, one code per known column (cases × rows).

        The code -1 stands for a value that the release's table lacks. Meant for cases that know little and so select
        many rows: every case is compared with every row.
        """
        selected = np.ones((len(next(iter(known.values()))), len(self)), dtype=bool)
        for name, codes in known.items():
            selected &= self._can_take(name, codes)
        return selected

    def _can_take(self, name: str, codes: np.ndarray) -> np.ndarray:
        """Return which rows can take the given values of a column, or -1; look all values up if many are asked."""
        if name in self._membership or _FEW * len(codes) >= self.release.table.attributes[name].size:
            return self.membership(name)[codes]
        return self.taking(name, np.maximum(codes, 0)) & (codes >= 0)[:, None]

    def intersect(self, name: str, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how many values of a column all selected rows share, and the first of them, for each case.

        If a case selects no row, no value is left.
        """
        column = self._columns[name]
        if (column.sets.mask_row[column.index] < 0).all():
            return _intersect_spans(column, selected)
        return _intersect_masks(column, selected)


def _intersect_spans(column: Column, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intersect runs of codes: the largest lower and the smallest upper end among the selected rows."""
    lo, hi = ends(column)
    if len(lo) == 0:
        return np.zeros(len(selected), dtype=np.int64), np.zeros(len(selected), dtype=np.int64)
    size = column.attribute.size
    small = np.min_scalar_type(-size - 1)  # a product of flags and narrow numbers is quick to make and to search
    low = (selected * (lo + 1).astype(small)).max(axis=1).astype(np.int64) - 1
    high = size - (selected * (size - hi).astype(small)).max(axis=1).astype(np.int64)
    return np.where(low >= 0, np.maximum(high - low + 1, 0), 0), np.maximum(low, 0)


def _intersect_masks(column: Column, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intersect sets with gaps: a value stays if no selected row excludes it, by one matrix product."""
    used, inverse = np.unique(column.index, return_inverse=True)
    if len(used) == 0:
        return np.zeros(len(selected), dtype=np.int64), np.zeros(len(selected), dtype=np.int64)
    # rows with the same set count once, and so do values in the same sets: fold them together before the product
    order = np.argsort(inverse, kind="stable")
    folded = np.logical_or.reduceat(selected[:, order], np.searchsorted(inverse[order], np.arange(len(used))), axis=1)
    excluded, first, values = _alike(~column.sets.as_masks()[used])
    some_row = np.asarray(selected.any(axis=1))[:, None]
    left = (folded.astype(np.float32) @ excluded.astype(np.float32) == 0) & some_row
    return left @ values, first[left.argmax(axis=1)]


def _alike(flags: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the distinct columns of a matrix in order of appearance, where each first occurs, and how often.

    >>> distinct, first, count = _alike(np.array([[True, False, True], [True, True, True]]))
    >>> distinct.tolist(), first.tolist(), count.tolist()
    ([[True, False], [True, True]], [0, 1], [2, 1])
    """
    packed = np.ascontiguousarray(np.packbits(flags, axis=0).T)
    _, first, count = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True, return_counts=True)
    order = np.argsort(first)
    return flags[:, first[order]], first[order], count[order]


def spans(people: Table, release: Release, name: str, tolerance: float | None) -> ValueSets:
    """Return the published codes that each of the people's values may stand for, as sets without gaps (-1: none)."""
    attribute, person_attribute = release.columns[name].attribute, people.attributes[name]
    same = person_attribute.recode_to(attribute)
    if not tolerance or person_attribute.kind != "numeric":
        return ValueSets(attribute, same, same)
    known, numbers = attribute.numbers[: len(attribute.domain)], person_attribute.numbers_from(attribute)
    first = np.searchsorted(known, numbers - tolerance, "left")
    last = np.searchsorted(known, numbers + tolerance, "right") - 1
    missing = np.isnan(numbers)  # is near no number: it stands for itself
    return ValueSets(attribute, np.where(missing, same, first), np.where(missing, same, last))
