"""The rows that each person fits, as the pairs that do: people who fit the same rows share a selection.

Rows whose sets do not overlap are joined with people by the numbers of their sets, and nothing is compared. Rows with
suppressed cells are joined family by family: those that leave the same columns open are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonnb.core.arrays import group_ids, group_order, in_ranges
from anonnb.tables.value_sets import Column, ValueSets

FEW_PAIRS, PAIRS_EACH = 4_000_000, 32  # pairs that are kept: so many, and so many for each person and each row
MOST_LOOKUPS = 100_000_000  # people × families that are joined


@dataclass(frozen=True, eq=False)
class Selections:
    """``number`` is the selection of each person; ``rows`` has ones for the rows in each (selections × rows)."""

    number: np.ndarray
    rows: Any  # a sparse array, whose module is imported when it is first needed

    @classmethod
    def of_pairs(cls, person: np.ndarray, row: np.ndarray, n_people: int, n_rows: int) -> Selections:
        """Make selections from pairs of a person and a row; if nobody fits two rows, every row is a selection."""
        if np.bincount(person, minlength=1).max() > 1:
            return cls(np.arange(n_people), _ones(person, row, (n_people, n_rows)))
        number = np.full(n_people, n_rows)
        number[person] = row
        return cls(number, _ones(np.arange(n_rows), np.arange(n_rows), (n_rows + 1, n_rows)))

    def totals(
        self, rows: Sequence[np.ndarray], people: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Return sums over the rows that each person fits, and over the people who fit each row."""
        per_person = [(self.rows @ np.asarray(part, dtype=np.float64))[self.number] for part in rows]
        choosing = [np.bincount(self.number, weights=part, minlength=self.rows.shape[0]) for part in people]
        return per_person, [self.rows.T @ part for part in choosing]


def _ones(line: np.ndarray, row: np.ndarray, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_array

    matrix = csr_array((np.ones(len(row)), (line, row)), shape=shape)
    matrix.sort_indices()
    return matrix


def most_pairs(n_people: int, n_rows: int) -> int:
    """Return how many pairs are worth their memory; beyond, sums are made block by block."""
    return FEW_PAIRS + PAIRS_EACH * (n_people + n_rows)


def joined(people: Sequence[Column], rows: Sequence[Column]) -> Selections | None:
    """Return the selections of people with one value per column; None if :func:`joins` has none, or too many pairs."""
    if any((column.sets.lo != column.sets.hi).any() for column in people):
        return None
    parts = joins([column.sets.lo[column.index] for column in people], rows)
    n_people, n_rows = len(people[0]), len(rows[0])
    if parts is None:
        return None
    if len(parts) == 1:
        [join] = parts
        return Selections(join.person, _ones(join.row, join.rows, (join.count, n_rows)))
    if sum(join.n_pairs for join in parts) > most_pairs(n_people, n_rows):
        return None
    person, row = map(np.concatenate, zip(*(join.pairs() for join in parts), strict=True))
    return Selections.of_pairs(person, row, n_people, n_rows)


@dataclass(frozen=True, eq=False)
class Join:
    """A family of rows: ``person`` and ``row`` number people and these rows, equal where they fit, ``count`` numbers.

    The rows have the first numbers, without a gap.
    """

    rows: np.ndarray
    person: np.ndarray
    row: np.ndarray
    count: int

    @property
    def n_pairs(self) -> int:
        return int(np.bincount(self.row, minlength=self.count)[self.person].sum())

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs of a person and a row that fit each other."""
        order, starts = group_order(self.row, self.count)
        first, last = starts[self.person], starts[self.person + 1]
        return np.repeat(np.arange(len(self.person)), last - first), self.rows[order[in_ranges(first, last)]]


def joins(codes: Sequence[np.ndarray], rows: Sequence[Column]) -> list[Join] | None:
    """Join people, by codes (-1: outside the domain), with rows, family by family; None if rows of one overlap."""
    families = _families(rows)
    if len(families) * len(codes[0]) > MOST_LOOKUPS:
        return None
    result = []
    for family in families:
        numbers = _numbered(codes, [column.take(family) for column in rows])
        if numbers is None:
            return None
        result.append(Join(family, *numbers))
    return result


def _families(rows: Sequence[Column]) -> list[np.ndarray]:
    """Group the rows that leave the same columns open."""
    flags = [(column.sets.sizes >= column.attribute.size)[column.index] for column in rows]
    ids, count = group_ids(flags, [2] * len(flags))
    order, starts = group_order(ids, max(count, 1))
    return np.split(order, starts[1:-1])


def _numbered(codes: Sequence[np.ndarray], rows: Sequence[Column]) -> tuple[np.ndarray, np.ndarray, int] | None:
    """Number people and rows, equally if they fit, and count the numbers; None if sets of rows overlap."""
    keys, sizes = [], []
    for person_codes, column in zip(codes, rows, strict=True):
        used = np.flatnonzero(np.bincount(column.index, minlength=len(column.sets)))
        owner = _owners(column.sets, used)
        if owner is None:
            return None
        set_numbers = owner[person_codes + 1]
        if len(used) == 1 and set_numbers.min(initial=0) >= 0:
            continue  # a column that is open to everybody
        keys.append(np.concatenate([column.index, set_numbers]) + 1)
        sizes.append(len(column.sets) + 1)
    n_rows = len(rows[0])
    if not keys:
        return np.zeros(len(codes[0]), dtype=np.int64), np.zeros(n_rows, dtype=np.int64), 1
    ids, count = group_ids(keys, sizes)
    return ids[n_rows:], ids[:n_rows], count


def _owners(sets: ValueSets, used: np.ndarray) -> np.ndarray | None:
    """Return the used set that holds each code, from -1 on (-1: none does); None if two sets share a code."""
    rows, size = sets.mask_row[used], sets.attribute.size + 1
    if sets.sizes[used].sum() > size:
        return None
    runs, gappy = used[rows < 0], used[rows >= 0]
    low, end = sets.lo[runs] + 1, sets.hi[runs] + 2
    gap_row, gap_place = np.nonzero(sets.masks[rows[rows >= 0]])
    positions = np.concatenate([in_ranges(low, end), gap_place + 1])
    owner = np.full(size, -1, dtype=np.int64)
    owner[positions] = np.concatenate([np.repeat(runs, end - low), gappy[gap_row]])
    return owner if np.bincount(positions, minlength=1).max(initial=0) <= 1 else None
