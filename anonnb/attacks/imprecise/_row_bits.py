"""The distinct rows of a release as bits, for attacks of many cases; importing this module loads numba.

A case takes a row of bits for each value that it knows; ``_intersecting`` goes through the rows that all of them leave.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.attacks.imprecise._intersecting import count_rows, meet_runs, meet_sets
from anonnb.core.arrays import words
from anonnb.tables.matching import DistinctRows
from anonnb.tables.value_sets import ValueSets

_FLAGS = 16_000_000  # of a values × rows matrix made at once


class RowBits:
    """Bitsets of the rows that can take each value of the known columns, and what each row allows of the targets.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.tables.release import Release
    >>> rows = DistinctRows(Release.of(anonnb.load("decision6")), ["domicile", "occupation"])
    >>> bits = RowBits(rows, ["domicile"], ["occupation"])
    >>> cells = bits.cells({"domicile": np.array([0, 1, 2])})
    >>> bits.count(cells).tolist(), bits.meet(cells, "occupation")[0].tolist()
    ([2, 2, 1], [0, 0, 1])
    """

    def __init__(self, rows: DistinctRows, known: Sequence[str], targets: Sequence[str]):
        parts = [_values_of(rows, name) for name in known]
        sizes = np.array([len(part) for part in parts])
        self.bits = np.concatenate(parts)
        self._last = dict(zip(known, np.cumsum(sizes) - 1, strict=True))
        self._first = dict(zip(known, np.cumsum(sizes) - sizes, strict=True))
        self._allowed = {name: _allowed(rows, name) for name in targets}

    def selecting(self, known: Mapping[str, np.ndarray]) -> SelectedBits:
        """The rows that each case selects, from a code per case and column."""
        return SelectedBits(self, self.cells(known))

    def cells(self, known: Mapping[str, np.ndarray]) -> np.ndarray:
        """The places of cases in the bits: cases × known columns, from a code per case and column (-1: no row)."""
        return np.column_stack(
            [np.where(codes < 0, self._last[name], self._first[name] + codes) for name, codes in known.items()]
        )

    def count(self, cells: np.ndarray) -> np.ndarray:
        """How many rows each case selects."""
        rows = np.zeros(len(cells), dtype=np.int64)
        count_rows(self.bits, cells, rows)
        return rows

    def meet(self, cells: np.ndarray, target: str) -> tuple[np.ndarray, np.ndarray]:
        """How many values of the target all rows of a case share, and the first of them."""
        kernel, *allowed = self._allowed[target]
        left, first = (np.zeros(len(cells), dtype=np.int64) for _ in range(2))
        kernel(self.bits, cells, *allowed, left, first)
        return left, first


@dataclass(frozen=True, eq=False)
class SelectedBits:
    """The rows that each case selects."""

    rows: RowBits
    cells: np.ndarray

    def count(self) -> np.ndarray:
        """How many rows each case selects."""
        return self.rows.count(self.cells)

    def meet(self, target: str) -> tuple[np.ndarray, np.ndarray]:
        """How many values of the target all rows of a case share, and the first of them."""
        return self.rows.meet(self.cells, target)


def _values_of(rows: DistinctRows, name: str) -> np.ndarray:
    """For every value the rows that can take it, as words; a last one that no row takes."""
    column = rows.column(name)
    used, place = np.unique(column.index, return_inverse=True)
    codes = rows.release.table.attributes[name].recode_to(column.attribute)
    step = max(_FLAGS // max(len(rows), 1), 1)
    blocks = (codes[at : at + step] for at in range(0, len(codes), step))
    parts = [words(_held(column.sets, used, some).take(place, axis=1)) for some in blocks]
    width = -(-len(rows) // 64)
    return np.concatenate([*parts, np.zeros((1, width), dtype=np.uint64)])


def _held(sets: ValueSets, used: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Which of some sets hold which codes: codes × sets; -1 is in none."""
    held = (sets.lo[used] <= codes[:, None]) & (codes[:, None] <= sets.hi[used])
    gaps = np.flatnonzero(sets.mask_row[used] >= 0)
    held[:, gaps] &= sets.masks[sets.mask_row[used[gaps]]].T[codes]
    return held


def _allowed(rows: DistinctRows, name: str) -> tuple:
    """A kernel, what it needs to know of each row, and its room to work in."""
    column = rows.column(name)
    if (column.sets.mask_row[column.index] < 0).all():
        lo, hi = (ends[column.index].astype(np.int64) for ends in (column.sets.lo, column.sets.hi))
        return meet_runs, lo, hi
    number, sets = rows.words(name)
    return meet_sets, number, sets, np.empty(sets.shape[1], dtype=np.uint64)
