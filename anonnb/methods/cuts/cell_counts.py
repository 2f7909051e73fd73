"""Cells between cut points, and what adding or leaving out one cut does to all classes at once (for k-Optimize).

A cell holds the rows between neighbouring cuts of every column. Some of the cuts are the head: they make the classes;
the others, the tail, may still be added. Effects of all cuts of a column come from one sort and prefix sums.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonnb.core.errors import Infeasible, Message, advice
from anonnb.methods.lattice.searching import SCALABLE


class CellCounts:
    """Rows by cell: ``blocks[column][cell]`` is the interval's number, ``hist[cell]`` rows by decision class.

    ``cuts[column]`` are the codes at which intervals start (the first interval's start is left out) and
    ``head[column]`` flags those that are part of the generalization.
    """

    def __init__(
        self,
        cuts: Sequence[np.ndarray],
        head: Sequence[np.ndarray],
        blocks: Sequence[np.ndarray],
        hist: np.ndarray,
    ):
        self.cuts, self.head = list(cuts), list(head)
        self.strides: list[int] = []
        size = 1
        for each in reversed(self.cuts):
            self.strides.insert(0, size)
            size *= len(each) + 1
        if size >= 2**62:
            raise Infeasible(
                Message(
                    f"{len(self.cuts)} columns with these many values are too many for KOptimize",
                    advice("; ", *SCALABLE, tail=" scale to many columns"),
                )
            )
        key = sum(block.astype(np.int64) * stride for block, stride in zip(blocks, self.strides, strict=True))
        self.key, first, ids = np.unique(key, return_index=True, return_inverse=True)
        self.blocks = [block[first] for block in blocks]
        self.hist = np.stack(
            [np.bincount(ids, weights=column, minlength=len(first)).astype(np.int64) for column in hist.T], axis=1
        )

    @classmethod
    def finest(cls, codes: Sequence[np.ndarray], sizes: Sequence[int], hist: np.ndarray) -> CellCounts:
        """Make every value an interval of its own, with no cut in the head."""
        cuts = [np.arange(1, size) for size in sizes]
        return cls(cuts, [np.zeros(len(each), dtype=bool) for each in cuts], codes, hist)

    def __len__(self) -> int:
        return len(self.key)

    @property
    def sizes(self) -> np.ndarray:
        """Rows in each cell."""
        return self.hist.sum(axis=1)

    def without(self, dropped: Sequence[np.ndarray]) -> CellCounts:
        """Return the cells after some of the cuts are removed."""
        kept = [~flags for flags in dropped]
        blocks = [
            np.concatenate([[0], np.cumsum(flags)])[block] for flags, block in zip(kept, self.blocks, strict=True)
        ]
        cuts = [each[flags] for each, flags in zip(self.cuts, kept, strict=True)]
        head = [each[flags] for each, flags in zip(self.head, kept, strict=True)]
        return CellCounts(cuts, head, blocks, self.hist)

    def with_head(self, head: Sequence[np.ndarray]) -> CellCounts:
        """Return the same cells with another head."""
        other = object.__new__(CellCounts)
        other.__dict__.update(self.__dict__, head=list(head))
        return other

    def classes(self) -> tuple[np.ndarray, int]:
        """Return for each cell the number of its class under the head."""
        key = np.zeros(len(self), dtype=np.int64)
        for each, block in zip(self.head, self.blocks, strict=True):
            key = key * (int(each.sum()) + 1) + np.concatenate([[0], np.cumsum(each)])[block]
        keys, ids = np.unique(key, return_inverse=True)
        return ids, len(keys)

    def head_only(self) -> CellCounts:
        """Return the classes under the head as cells."""
        return self.without([~each for each in self.head])

    # ---- effects of single cuts -------------------------------------------------------------------------------

    def splits(self, column: int, ids: np.ndarray, n_ids: int, values: np.ndarray) -> Splits:
        """How each cut of a column would split the classes ``ids``, with the sums of ``values`` on both sides."""
        width = len(self.cuts[column]) + 1
        block = self.blocks[column]
        order = np.argsort(ids * width + block)
        ids, block = ids[order], block[order]
        until = np.cumsum(values[order], axis=0)
        last = np.searchsorted(ids, np.arange(n_ids), side="right") - 1
        total = np.diff(until[last], axis=0, prepend=np.zeros_like(until[:1]))
        gap = np.flatnonzero((ids[1:] == ids[:-1]) & (block[1:] != block[:-1]))
        owner = ids[gap]
        left = until[gap] - (until[last] - total)[owner]
        return Splits(width, block[gap], block[gap + 1], left, total[owner] - left, total[owner])

    def merges(self, column: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Cells that become one when a cut is removed: the position of the cut, and the two cells."""
        stride = self.strides[column]
        lower = np.flatnonzero(self.blocks[column] < len(self.cuts[column]))
        upper = np.searchsorted(self.key, self.key[lower] + stride)
        inside = upper < len(self)
        lower, upper = lower[inside], upper[inside]
        adjacent = self.key[upper] == self.key[lower] + stride
        lower, upper = lower[adjacent], upper[adjacent]
        return self.blocks[column][lower], lower, upper


class Splits:
    """Splits of classes by the cuts of one column: a gap between two occupied blocks of a class holds the cuts.

    A row of ``left``, ``right`` and ``whole`` belongs to one gap: the sums of its class before, after, and in all.
    """

    def __init__(self, width, first, after, left, right, whole):
        self._width, self._first, self._after = width, first, after
        self.left, self.right, self.whole = left, right, whole

    def summed(self, effect: np.ndarray) -> np.ndarray:
        """Return the effect of each cut, given the effect on every split class."""
        edges = np.bincount(self._first, weights=effect, minlength=self._width)
        edges -= np.bincount(self._after, weights=effect, minlength=self._width)
        return np.rint(np.cumsum(edges)[:-1]).astype(np.int64)
