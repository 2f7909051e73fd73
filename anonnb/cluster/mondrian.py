"""Mondrian (LeFevre et al. 2006) on a cluster: top levels by counts of the whole data, every region finished locally.

Rows that lie in the same regions are brought together, and one worker continues cutting with the code of the
single-machine Mondrian. With cut="median" the classes are the same as there. With cut="loss" the top levels are cut at
medians, because the loss of a cut needs the rows themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import dask
import numpy as np
from dask.delayed import Delayed

from anonnb.cluster.clients import FAN, explained
from anonnb.cluster.coding import Block, WholeTable
from anonnb.cluster.counting import BlockLevel
from anonnb.cluster.cutting import TopLevels
from anonnb.cluster.release import ClusterRelease
from anonnb.cluster.table import ClusterTable
from anonnb.cluster.writing import Finished
from anonnb.core.arrays import group_order
from anonnb.methods.base import Method, Progress, anonymized
from anonnb.methods.mondrian.mondrian import Mondrian, finish_regions
from anonnb.methods.mondrian.regions import Bounds
from anonnb.tables.table import Table

Share = tuple[Block, np.ndarray]  # some rows, and the region of each


@anonymized.register
def on_cluster(table: ClusterTable, method: Method, progress: Progress) -> ClusterRelease:
    """Make the release of a table on a cluster, with the one method that scales to it."""
    if type(method) is not Mondrian:
        raise TypeError(
            f"{type(method).__name__} needs all rows in memory: make a Table of frame.compute(); "
            "on a cluster use Mondrian"
        )
    if not method.strict:
        raise ValueError("strict=False shares rows by their order, which a table on a cluster lacks; use strict=True")
    if method.summary == "mean":
        raise ValueError("summary='mean' is not available for a table on a cluster; use 'set' or 'region'")
    if method.polish:
        raise ValueError("polish=True is not available for a table on a cluster; use polish=False")
    method._check_table(cast(Table, table))  # it has all that is asked of a table: its rows and roles
    top = TopLevels(method, table)
    for _ in progress(top.levels(), desc="levels"):
        pass
    with explained():
        parts = table.client.persist(_finished(method, table, top))
        del top  # the regions of rows leave memory as soon as the rows are divided
        return ClusterRelease(table, method, parts)


def _finished(method: Mondrian, table: ClusterTable, top: TopLevels) -> list[Delayed]:
    """Return a task for every run of regions that together are about as large as one worker can handle.

    Blocks are divided a few at a time: a task for every block and run would make their number quadratic.
    """
    ends = runs(top.sizes, table.region_rows)
    split, ready = dask.delayed(divided, pure=False, nout=len(ends) - 1), dask.delayed(finished, pure=False)
    starts = range(0, len(table.blocks), FAN)
    shares = [split(table.blocks[start : start + FAN], top.level[start : start + FAN], ends) for start in starts]
    limits = Bounds(top.low, top.high)
    return [
        ready(method, table.held, limits.take(np.arange(start, end)), start, [share[run] for share in shares])
        for run, (start, end) in enumerate(pairwise(ends.tolist()))
    ]


def runs(sizes: np.ndarray, limit: int) -> np.ndarray:
    """Return where runs of neighboring regions begin and the last one ends; a run has at most ``limit`` rows if it can.

    >>> runs(np.array([3, 4, 9, 1, 2]), 8).tolist()
    [0, 2, 3, 5]
    """
    ends, rows = [0], 0
    for region, size in enumerate(sizes):
        if rows and rows + size > limit:
            ends.append(region)
            rows = 0
        rows += size
    return np.array([*ends, len(sizes)])


def divided(blocks: Sequence[Block], levels: Sequence[BlockLevel], ends: np.ndarray) -> list[Share]:
    """Divide the rows of some blocks by the run of regions that they lie in."""
    parts = [_divided(block, level.region, ends) for block, level in zip(blocks, levels, strict=True)]
    backwards = [_together([part.pop() for part in parts]) for _ in ends[1:]]  # so that no row is in memory twice
    return backwards[::-1]


def _divided(block: Block, region: np.ndarray, ends: np.ndarray) -> list[Share]:
    order, starts = group_order(region, ends[-1])
    parts = [order[start:end] for start, end in pairwise(starts[ends])]
    return [({name: codes[rows] for name, codes in block.items()}, region[rows]) for rows in parts]


def _together(shares: Sequence[Share]) -> Share:
    block = {name: np.concatenate([part[name] for part, _ in shares]) for name in shares[0][0]}
    return block, np.concatenate([region for _, region in shares])


def finished(method: Mondrian, whole: WholeTable, limits: Bounds, first: int, shares: Sequence[Share]) -> Finished:
    """Finish cutting the regions of a run, whose rows come from many blocks, and check the result."""
    block, region = _together(shares)
    start, part = region.astype(np.int64) - first, whole.part(block)
    bounds = limits.take(start) if method.summary == "region" else None
    groups, columns = finish_regions(method, part, start, bounds)
    groups = groups.astype(np.min_scalar_type(len(columns[part.quasi[0]])))
    return Finished(block, groups, columns).checked(method, whole)
