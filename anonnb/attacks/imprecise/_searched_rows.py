"""The rows among which the deep attack searches, as words and bits; importing this module loads numba.

Only rows that differ in what is compared, known or asked are kept: others would be tried again and again for nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from anonnb.attacks.imprecise._row_bits import RowBits
from anonnb.attacks.imprecise._row_choices import (
    FOUND,
    NONE,
    UNDECIDED,
    Searched,
    deep_cases,
    mark_partners,
    one_smallest_set,
    pair_up,
    search_room,
)
from anonnb.core.arrays import words
from anonnb.tables.matching import DistinctRows
from anonnb.tables.matching.neighbourhoods import neighbourhoods
from anonnb.tables.release import Release
from anonnb.tables.value_sets import Column

__all__ = ["FOUND", "NONE", "UNDECIDED", "SearchedRows"]

PAIRS = 4_000_000  # of compatible rows that are written down; where there are more, rows are compared in each search
ROOM = 4_096  # pairs that are written down at once
BETWEEN_LOOKS = 5_000_000  # rows considered from one look at the clock to the next: some hundredths of a second


class SearchedRows:
    """The distinct rows of a release over the attributes that are compared (the target among them) and the known ones.

    Examples
    --------
    >>> import anonnb
    >>> release = Release.of(anonnb.load("decision6"))
    >>> rows = SearchedRows(release, ["domicile", "occupation"], ["domicile"])
    >>> rows.search({"domicile": np.array([0, 1, 2])}, "occupation", np.array([0, 2])).tolist()
    [-1, -1, 1]
    """

    def __init__(self, release: Release, attributes: Sequence[str], known: Sequence[str]):
        self.rows = DistinctRows(release, list(dict.fromkeys([*attributes, *known])))
        self._known = known
        self._spans: dict[str, tuple[int, int, bool]] = {}
        blocks, width = [], 0
        for name in dict.fromkeys(attributes):
            block, is_run = _as_words(self.rows.column(name))
            self._spans[name] = (width, width + block.shape[1], is_run)
            blocks.append(block)
            width += block.shape[1]
        self._words = np.concatenate(blocks, axis=1)
        self._partners, self._starts, self._alone = self._compatible()
        self._by_target: dict[str, Searched] = {}

    @cached_property
    def _selecting(self) -> RowBits:
        return RowBits(self.rows, self._known, [])

    def search(
        self,
        known: Mapping[str, np.ndarray],
        target: str,
        waiting: np.ndarray,
        most_steps: int = 2_000_000,
        end: float = float("inf"),
    ) -> np.ndarray:
        """For each case (a code per known column) the inferred code of the target, NONE or UNDECIDED.

        Cases that are not ``waiting`` are NONE; those that wait when the clock shows ``end`` are undecided.
        """
        cells = self._selecting.cells(known)
        values = np.full(len(cells), NONE, dtype=np.int64)
        searched = self._searched(target)
        while len(waiting):
            if time.monotonic() > end:
                values[waiting] = UNDECIDED
                break
            done = deep_cases(self._selecting.bits, cells, waiting, searched, most_steps, BETWEEN_LOOKS, values)
            waiting = waiting[done:]
        return values

    def smallest_set(self, chosen: np.ndarray, target: str, most_steps: int) -> tuple[int, np.ndarray]:
        """What (d1) finds among some of the rows, given in their order: FOUND, NONE or UNDECIDED, and the set."""
        searched = self._searched(target)
        searched.marks.fill(-1)  # those of another search are no rows to choose from
        size = one_smallest_set(searched, chosen, most_steps)
        return min(size, FOUND), searched.picked[: max(size, 0)].copy()

    def _searched(self, target: str) -> Searched:
        """What the kernels take, made once for each target; all of them share the room."""
        if target not in self._by_target:
            column, left = self.rows.column(target), np.full(len(self._partners), -1, dtype=np.int32)
            values = column.sets.sizes[column.index], column.sets.lo[column.index]
            network = self._partners, self._starts, left, self._alone
            self._by_target[target] = Searched(self._words, self._order(target), *values, *network, *self._room)
        return self._by_target[target]

    @cached_property
    def _room(self) -> tuple[np.ndarray, ...]:
        most_values = max(self.rows.column(name).sets.sizes.max(initial=0) for name in self._spans)
        return search_room(self._words, most_values)

    def _order(self, target: str | None = None) -> np.ndarray:
        """The words of each attribute: runs, which are soon compared, before sets with gaps, and the target last."""
        names = sorted(self._spans, key=lambda name: (name == target, not self._spans[name][2]))
        return np.array([self._spans[name] for name in names], dtype=np.int64)

    def _compatible(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The later partners of every row, where each row's begin, and a flag for each row that has no partner at all.

        Two rows are partners when they are compatible. Where there are too many pairs, none is written down.
        """
        pairs = self._pairs()
        if pairs is None:
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64), self._without_partners()
        row, partner = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].T
        starts = np.zeros(len(self.rows) + 1, dtype=np.int64)
        np.cumsum(np.bincount(row, minlength=len(self.rows)), out=starts[1:])
        alone = np.bincount(pairs.ravel(), minlength=len(self.rows)) == 0
        return np.ascontiguousarray(partner), starts, alone

    def _pairs(self) -> np.ndarray | None:
        """The pairs of compatible rows, the earlier one first; None where there are too many."""
        order, parts, count = self._order(), [np.zeros((0, 2), dtype=np.int32)], 0
        joint = np.empty(self._words.shape[1], dtype=np.uint64)
        for some, near in self._neighbourhoods():
            room = np.empty((max(len(near), ROOM), 2), dtype=np.int32)
            while len(some):
                done, found = pair_up(self._words, order, some, near, joint, room)
                parts.append(room[:found].copy())
                some, count = some[done:], count + found
                if count > PAIRS:
                    return None
        return np.concatenate(parts)

    def _without_partners(self) -> np.ndarray:
        """A flag for each row that is compatible with no other one."""
        alone, order = np.ones(len(self.rows), dtype=bool), self._order()
        joint = np.empty(self._words.shape[1], dtype=np.uint64)
        for some, near in self._neighbourhoods():
            mark_partners(self._words, order, some, near, joint, alone)
        return alone

    def _neighbourhoods(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Pairs of (rows, other rows): every row is in one, together with all rows that may be compatible with it."""
        columns = [self.rows.column(name) for name in self._spans]
        ends = [(column.sets.lo[column.index], column.sets.hi[column.index]) for column in columns]
        return neighbourhoods(ends, ends)


def _as_words(column: Column) -> tuple[np.ndarray, bool]:
    """The sets of a column: first and last code where none has gaps, else a bit per value; and which of the two."""
    sets, (used, place) = column.sets, np.unique(column.index, return_inverse=True)
    if (sets.mask_row[used] < 0).all():
        return np.column_stack([sets.lo[column.index], sets.hi[column.index]]).astype(np.uint64), True
    return words(sets.as_masks(used))[place], False
