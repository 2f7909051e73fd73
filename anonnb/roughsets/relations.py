"""Which rows cannot be told apart: equal, overlapping or contained cells, and missing values that may be anything.

The tolerance of Kryszkiewicz (1998) and the similarity of Stefanowski and Tsoukiàs (2001) read a missing value as every
value of its column. Reading: on value sets the first is "the sets overlap", the second "the other's sets lie inside
mine", so both work on releases too; a missing decision is a value of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from anonnb.core.arrays import distinct_rows, first_places, group_ids, group_order, in_ranges
from anonnb.tables.matching import Overlaps
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

OPENING = {"tolerance": "overlap", "similarity": "inside"}  # relations that read a missing value as any value
RELATIONS = ("equal", "overlap", "inside", *OPENING)
PAIRS_AT_ONCE = 4_000_000


def opened(data: Table | Release, attributes: Sequence[str] | None = None) -> Release:
    """Replace every missing value of a condition attribute by the set of all values.

    >>> import pandas as pd
    >>> cars = Table(pd.DataFrame({"price": ["high", None], "car": ["good", "poor"]}), decision="car")
    >>> opened(cars).frame["price"].tolist()
    ['high', '*']
    """
    release = as_release(data)
    names = release.table.conditions if attributes is None else attributes
    columns = dict(release.columns)
    for name in names:
        column = columns.get(name)
        if column is None or not column.attribute.missing:
            continue
        absent = (column.sizes == 1) & column.can_take(column.attribute.missing_code)
        if absent.any():
            columns[name] = column.with_suppressed(absent)
    return Release(release.table, columns, release.rows, method=release.method, info=release.info)


def resolved(release: Release, names: Sequence[str], relation: str) -> tuple[Release, str]:
    """Return a release with its cells as the relation reads them, and the relation between their sets."""
    if relation not in RELATIONS:
        known = ", ".join(map(repr, RELATIONS[:-1]))
        raise ValueError(f"relation={relation!r} is not known; use {known} or {RELATIONS[-1]!r}")
    if relation in OPENING:
        return opened(release, names), OPENING[relation]
    return release, relation


def kinds_of(release: Release, names: Sequence[str]) -> tuple[np.ndarray, int]:
    """Return a number per row, equal for rows whose sets are equal in all the attributes."""
    if not names:
        return np.zeros(len(release), dtype=np.int64), min(len(release), 1)
    return group_ids([set_numbers(release.columns[name]) for name in names])


def set_numbers(column: Column) -> np.ndarray:
    """Return a number per cell, equal for equal sets, whatever their labels."""
    sets = column.sets
    if np.array_equal(sets.lo, np.arange(len(sets))) and np.array_equal(sets.lo, sets.hi):
        return column.index.astype(np.int64)  # the codes themselves
    gaps = np.full(len(sets), -1, dtype=np.int64)
    if (sets.mask_row >= 0).any():
        _, numbers = distinct_rows(np.packbits(sets.masks, axis=1))
        gaps[sets.mask_row >= 0] = numbers[sets.mask_row[sets.mask_row >= 0]]
    numbers, _ = group_ids([sets.lo, sets.hi, gaps + 1])
    return numbers[column.index]


def sums_over_relatives(release: Release, names: Sequence[str], relation: str, numbers: np.ndarray) -> np.ndarray:
    """Return for every row the sums of ``numbers`` (rows × kinds) over the rows related to it, itself included."""
    release, relation = resolved(release, names, relation)
    groups, count = kinds_of(release, names)
    sums = np.column_stack([np.bincount(groups, weights=column, minlength=count) for column in numbers.T])
    exact = all((release.columns[name].sizes == 1).all() for name in names)
    if relation == "equal" or exact:
        return sums[groups]
    first = first_places(groups, count)
    columns = [release.columns[name].take(first) for name in names]
    if relation == "overlap":
        return Overlaps(columns, columns).totals([sums])[0][0][groups]
    total = np.zeros_like(sums)
    containments = [Containment(column) for column in columns]
    for ones, others in _overlapping(columns):
        held = np.ones(len(ones), dtype=bool)
        for containment in containments:
            held &= containment.pairs(others, ones)
        np.add.at(total, ones[held], sums[others[held]])
    return total[groups]


def are_related(column: Column, ones: np.ndarray, others: np.ndarray, relation: str) -> np.ndarray:
    """Tell for each pair of rows whether the second's cell is related to the first's."""
    if relation == "equal":
        numbers = set_numbers(column)
        return numbers[ones] == numbers[others]
    if relation == "overlap":
        return Overlaps([column], [column]).pairs(ones, others)
    return Containment(column).pairs(others, ones)


class Containment:
    """Which sets of a column lie inside which others; what that takes is computed once for all pairs."""

    def __init__(self, column: Column):
        self._sets, self._index, self._size = column.sets, column.index, column.attribute.size

    def pairs(self, inner: np.ndarray, outer: np.ndarray) -> np.ndarray:
        """Tell for each pair of cells whether the set of ``inner`` lies inside that of ``outer``."""
        sets, small, large = self._sets, self._index[inner], self._index[outer]
        inside = (sets.lo[small] >= sets.lo[large]) & (sets.hi[small] <= sets.hi[large])
        gaps = np.flatnonzero(inside & (sets.mask_row[large] >= 0))
        if len(gaps):
            small, large = small[gaps], large[gaps]
            row = sets.mask_row[large]
            shared = self._upto[row, sets.hi[small] + 1] - self._upto[row, sets.lo[small]]
            both = np.flatnonzero(sets.mask_row[small] >= 0)
            if len(both):
                shared[both] = self._common[sets.mask_row[small[both]], row[both]]
            inside[gaps] = shared == sets.sizes[small]
        return inside

    @cached_property
    def _upto(self) -> np.ndarray:
        """Count the values of each set with gaps below each code."""
        upto = np.zeros((len(self._sets.masks), self._size + 1), dtype=np.int64)
        np.cumsum(self._sets.masks, axis=1, out=upto[:, 1:])
        return upto

    @cached_property
    def _common(self) -> np.ndarray:
        """Count the values that each two sets with gaps share."""
        masks = self._sets.masks.astype(np.float32)
        return masks @ masks.T


def related_pairs(columns: Sequence[Column], rows: int, relation: str, limit: int) -> Iterator[tuple]:
    """Yield blocks of at most ``limit`` pairs that hold every pair of rows related in all the columns.

    Where cells are sets, a block may hold pairs that are not related; the caller checks if it matters.
    """
    if not columns or relation == "equal":
        groups = [set_numbers(column) for column in columns] or [np.zeros(rows, dtype=np.int64)]
        yield from pairs_within(*group_ids(groups), limit)
        return
    yield from _overlapping(columns)


def _overlapping(columns: Sequence[Column]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for people, rows, fits in Overlaps(columns, columns).blocks():
        one, other = np.nonzero(fits)
        yield people[one], rows[other]


def pairs_within(groups: np.ndarray, count: int, limit: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield all ordered pairs of rows of the same group, about ``limit`` at a time.

    >>> [(one.tolist(), other.tolist()) for one, other in pairs_within(np.array([0, 1, 0]), 2, 9)]
    [([0, 0, 2, 2, 1], [0, 2, 0, 2, 1])]
    """
    order, starts = group_order(groups, count)
    sizes = np.diff(starts)[groups[order]]  # how many partners each row has, itself included
    before = np.concatenate([[0], np.cumsum(sizes)])
    begin = 0
    while begin < len(order):
        end = max(int(np.searchsorted(before, before[begin] + limit, "right")) - 1, begin + 1)
        block, part = order[begin:end], sizes[begin:end]
        yield np.repeat(block, part), order[in_ranges(starts[groups[block]], starts[groups[block] + 1])]
        begin = end


def number_of_pairs(groups: np.ndarray, count: int) -> int:
    """Count the ordered pairs that :func:`pairs_within` yields."""
    return int((np.bincount(groups, minlength=count).astype(object) ** 2).sum()) if count else 0
