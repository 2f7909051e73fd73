"""Mondrian (LeFevre et al. 2006) on a cluster: top levels by counts of the whole data, every region finished locally.

Rows that lie in the same regions are brought together, and one worker goes on cutting with the code of the
single-machine Mondrian. With cut="median" the classes are the same as there. With cut="loss" the top levels are cut at
medians, because the loss of a cut needs the rows themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import dask
import numpy as np
from dask.delayed import Delayed

from anonnb.arrays import first_places
from anonnb.cluster.clients import explained
from anonnb.cluster.coding import Block, Whole
from anonnb.cluster.cutting import TopLevels
from anonnb.cluster.release import ClusterRelease
from anonnb.cluster.table import ClusterTable
from anonnb.methods._mondrian_regions import Bounds, Space, partition
from anonnb.methods._mondrian_summaries import summarize
from anonnb.methods.base import Progress
from anonnb.methods.mondrian import Mondrian
from anonnb.release import Release


@dataclass(frozen=True, eq=False)
class Limits:
    """How far regions reach on each axis: arrays of axes × regions, or axes × rows."""

    low: np.ndarray
    high: np.ndarray

    def of(self, places: np.ndarray) -> Limits:
        return Limits(self.low[:, places], self.high[:, places])


@dataclass(frozen=True, eq=False)
class Finished:
    """Some complete regions, cut to the end: the codes of their rows, the group of each, the limits of each group."""

    block: Block
    groups: np.ndarray
    n_groups: int
    limits: Limits | None

    def release(self, method: Mondrian, whole: Whole) -> Release:
        """These rows as a release of their own, whose table knows the counts of the whole."""
        part, rows = whole.part(self.block), np.arange(len(self.groups))
        limits = None if self.limits is None else self.limits.of(self.groups)
        columns = summarize(part, rows, self.groups, self.n_groups, method.summary, limits)
        return Release(part, columns, rows, method=method)


def anonymize(method: Mondrian, table: ClusterTable, progress: Progress) -> ClusterRelease:
    """The release of a table on a cluster."""
    if not method.strict:
        raise ValueError("strict=False shares rows by their order, which a table on a cluster lacks; use strict=True")
    if method.summary == "mean":
        raise ValueError("summary='mean' is not available for a table on a cluster; use 'set' or 'region'")
    method._check_table(table)
    top = TopLevels(method, table)
    for _ in progress(top.levels(), desc="levels"):
        pass
    with explained():
        return ClusterRelease(table, method, table.client.persist(_finished(method, table, top)))


def _finished(method: Mondrian, table: ClusterTable, top: TopLevels) -> list[Delayed]:
    """A task for every run of regions that together are about as large as one worker can handle."""
    ends = runs(top.sizes, table.region_rows)
    split, ready = dask.delayed(divided, pure=False, nout=len(ends) - 1), dask.delayed(finished, pure=False)
    shares = [split(block, region, ends) for block, region in zip(table.blocks, top.region, strict=True)]
    limits = Limits(top.low, top.high)
    return [
        ready(method, table.held, limits.of(np.arange(start, end)), start, [share[run] for share in shares])
        for run, (start, end) in enumerate(pairwise(ends.tolist()))
    ]


def runs(sizes: np.ndarray, most: int) -> np.ndarray:
    """Where runs of neighbouring regions begin and the last one ends; a run has at most ``most`` rows if it can.

    >>> runs(np.array([3, 4, 9, 1, 2]), 8).tolist()
    [0, 2, 3, 5]
    """
    ends, rows = [0], 0
    for region, size in enumerate(sizes):
        if rows and rows + size > most:
            ends.append(region)
            rows = 0
        rows += size
    return np.array([*ends, len(sizes)])


def divided(block: Block, region: np.ndarray, ends: np.ndarray) -> list[tuple[Block, np.ndarray]]:
    """The rows of a block by the run of regions that they lie in."""
    order = np.argsort(region, kind="stable")
    borders = np.searchsorted(region[order], ends)
    parts = [order[start:end] for start, end in pairwise(borders)]
    return [({name: codes[rows] for name, codes in block.items()}, region[rows]) for rows in parts]


def finished(
    method: Mondrian, whole: Whole, limits: Limits, first: int, shares: Sequence[tuple[Block, np.ndarray]]
) -> Finished:
    """Go on cutting the regions of a run, whose rows come from many blocks, and check what came out."""
    block = {name: np.concatenate([part[name] for part, _ in shares]) for name in shares[0][0]}
    start = np.concatenate([region for _, region in shares]).astype(np.int64) - first
    part = whole.part(block)
    space, bounds = Space(part), None
    if method.summary == "region":
        bounds = Bounds(space, start)
        bounds.low, bounds.high = limits.low[:, start], limits.high[:, start]
    groups, n_groups = partition(space, method._cutter(part, space), start, bounds)
    left = None if bounds is None else Limits(bounds.low, bounds.high).of(first_places(groups, n_groups))
    done = Finished(block, groups.astype(np.int32), n_groups, left)
    method._check_release(done.release(method, whole))
    return done
