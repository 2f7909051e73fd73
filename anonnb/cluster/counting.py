"""What workers do with a block of rows: move them to the regions they were cut into, and count values per region.

Counts are sparse: sorted keys (region times the size of a domain plus code) and the rows that have each. Those of
several blocks are added up on the way to the client, so that nothing there grows with the number of rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from anonnb.cluster.coding import Block
from anonnb.core.arrays import DENSE, distinct_counts
from anonnb.methods.mondrian.cutting import Cuts


class Pairs(NamedTuple):
    """The keys that occur, sorted, and the rows that have each."""

    keys: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, region: np.ndarray, number: np.ndarray, codes: np.ndarray, size: int) -> Pairs:
        """Count the rows whose region has a number, which takes the region's place; -1 is none."""
        from anonnb.cluster._loops import add_counts

        cells = (int(number.max()) + 1) * size
        if cells > DENSE * len(codes):
            rows = np.flatnonzero((number >= 0)[region])
            return cls(*distinct_counts(number[region[rows]] * size + codes[rows]))
        table = np.zeros(cells, dtype=np.int64)
        add_counts(_writable(codes), region, _writable(number), size, table)
        keys = np.flatnonzero(table)
        return cls(keys, table[keys])

    @classmethod
    def total(cls, parts: Sequence[Pairs]) -> Pairs:
        keys, inverse = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        count = np.bincount(inverse, np.concatenate([part.rows for part in parts]), minlength=len(keys))
        return cls(keys, count.astype(np.int64))


class BlockLevel(NamedTuple):
    """The region of each row of a block, and how often each value occurs in the regions that are still too large."""

    region: np.ndarray
    counts: list[Pairs]


def added(parts: Sequence[list[Pairs]]) -> list[Pairs]:
    """Add up the counts of several blocks, item by item."""
    return [Pairs.total(same) for same in zip(*parts, strict=True)]


def first_level(block: Block) -> BlockLevel:
    """Before the first cut all rows are in region 0, and their values are counted already."""
    return BlockLevel(np.zeros(len(next(iter(block.values()))), dtype=np.uint16), [])


def next_level(
    block: Block, level: BlockLevel, quasi: Sequence[str], cuts: Cuts, number: np.ndarray, sizes: Mapping[str, int]
) -> BlockLevel:
    """Move the rows after all regions were cut; ``number`` numbers the regions to cut further, -1 the others."""
    region = moved(block, level.region, quasi, cuts)
    return BlockLevel(region, [Pairs.of(region, number, block[name], size) for name, size in sizes.items()])


def moved(block: Block, region: np.ndarray, quasi: Sequence[str], cuts: Cuts) -> np.ndarray:
    """Return each row's new region: a region that is cut becomes two neighbors, so regions stay in order."""
    cut = cuts.axis >= 0
    first = np.arange(len(cut)) + np.cumsum(cut) - cut
    dtype = np.promote_types(np.uint16, np.min_scalar_type(2 * len(cut)))  # of one type nearly always: compiled once
    new = first.astype(dtype)[region]
    _add_right(block, region, quasi, cuts, new)
    return new


def _add_right(block: Block, region: np.ndarray, quasi: Sequence[str], cuts: Cuts, moved: np.ndarray) -> None:
    """Add 1 to ``moved`` for each row that lies right of its region's cut."""
    from anonnb.cluster._loops import add_right

    region = _writable(region)
    for axis, name in enumerate(quasi):
        if (cuts.axis == axis).any():
            limit = np.where(cuts.axis == axis, cuts.code, np.iinfo(np.int64).max)
            add_right(_writable(block[name]), region, limit, moved)


def _writable(array: np.ndarray) -> np.ndarray:
    """Copy an array that came read-only from another worker: numba would compile its loops once more for it."""
    return array if array.flags.writeable else array.copy()


def sides_counted(
    block: Block, level: BlockLevel, quasi: Sequence[str], proposals: Sequence[Cuts], sizes: Mapping[str, int]
) -> list[Pairs]:
    """Count each sensitive value on both sides of proposed cuts: group 2r is left of region r's cut."""
    result = []
    for cuts in proposals:
        side = 2 * level.region.astype(np.uint32)
        _add_right(block, level.region, quasi, cuts, side)
        number = np.where(np.repeat(cuts.axis >= 0, 2), np.arange(2 * len(cuts.axis)), -1)
        result += [Pairs.of(side, number, block[name], size) for name, size in sizes.items()]
    return result
