"""What workers do with a block of rows: move them to the regions they were cut into, and count values per region.

Counts are sparse: sorted keys (region times the size of a domain plus code) and the rows that have each. Those of
several blocks are added up on the way to the client, so that nothing there grows with the number of rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from anonnb.cluster.coding import Block
from anonnb.methods.mondrian.cutting import Cuts

DENSE = 8  # cells of a dense count per row beyond which sorting is cheaper


class Pairs(NamedTuple):
    """The keys that occur, sorted, and the rows that have each."""

    keys: np.ndarray
    count: np.ndarray

    @classmethod
    def of(cls, groups: np.ndarray, n_groups: int, codes: np.ndarray, size: int) -> Pairs:
        keys = groups.astype(np.int64) * size + codes
        if n_groups * size <= DENSE * len(keys) + 64:
            table = np.bincount(keys, minlength=n_groups * size)
            found = np.flatnonzero(table)
            return cls(found, table[found])
        return cls(*np.unique(keys, return_counts=True))

    @classmethod
    def total(cls, parts: Sequence[Pairs]) -> Pairs:
        keys, place = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        count = np.bincount(place, np.concatenate([part.count for part in parts]), minlength=len(keys))
        return cls(keys, count.astype(np.int64))


def added(parts: Sequence[list[Pairs]]) -> list[Pairs]:
    """The counts of several blocks together, place by place."""
    return [Pairs.total(same) for same in zip(*parts, strict=True)]


def first_regions(block: Block) -> np.ndarray:
    """Before the first cut all rows are in region 0."""
    return np.zeros(len(next(iter(block.values()))), dtype=np.uint16)


def is_right(block: Block, region: np.ndarray, quasi: Sequence[str], cuts: Cuts) -> np.ndarray:
    """For each row whether it lies right of its region's cut (False without one)."""
    right = np.zeros(len(region), dtype=bool)
    for axis, name in enumerate(quasi):
        if (cuts.axis == axis).any():
            limit = np.where(cuts.axis == axis, cuts.code, np.iinfo(np.int64).max)
            right |= block[name] > limit[region]
    return right


def moved(block: Block, region: np.ndarray, quasi: Sequence[str], cuts: Cuts) -> np.ndarray:
    """The new region of each row: a region that is cut becomes two neighbours, so that the order of regions stays."""
    cut = cuts.axis >= 0
    first = np.arange(len(cut)) + np.cumsum(cut) - cut
    new = first[region] + is_right(block, region, quasi, cuts)
    return new.astype(np.min_scalar_type(2 * len(cut)))


def counted(block: Block, region: np.ndarray, number: np.ndarray, sizes: Mapping[str, int]) -> list[Pairs]:
    """How often each value occurs in each open region; ``number`` numbers the open ones and is -1 for the others."""
    group = number[region]
    rows = np.flatnonzero(group >= 0)
    group, n_groups = group[rows], int(number.max()) + 1
    return [Pairs.of(group, n_groups, block[name][rows], size) for name, size in sizes.items()]


def sides_counted(
    block: Block, region: np.ndarray, quasi: Sequence[str], proposals: Sequence[Cuts], sizes: Mapping[str, int]
) -> list[Pairs]:
    """How often each sensitive value occurs on both sides of proposed cuts: group 2r is left of region r's cut."""
    found = []
    for cuts in proposals:
        rows = np.flatnonzero((cuts.axis >= 0)[region])
        group = 2 * region[rows].astype(np.int64) + is_right(block, region, quasi, cuts)[rows]
        found += [Pairs.of(group, 2 * len(cuts.axis), block[name][rows], size) for name, size in sizes.items()]
    return found
