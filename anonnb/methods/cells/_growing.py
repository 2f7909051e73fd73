"""Forest's trees grow, compiled: nearest rows are looked for in buckets of rows that agree in all but a few columns.

Rows at a distance of at most t share, for some t columns, the values of all others. So for each choice of up to two
columns the rows are sorted by the rest, and the first row of a bucket outside the own tree is found among the first k.
Only rows without a near one are compared with all.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.compiled import compiled, inner
from anonnb.core.progress import ticks

PARTS = 50  # of the rows, between which progress is reported
FAR = 2**62  # beyond every distance
MOST_CHOICES = 64  # of columns that are left out; beyond that no further level is made


class RowBuckets(NamedTuple):
    """For every choice of columns left out the rows by bucket; those with fewer columns left out come first."""

    bucket: np.ndarray  # of each row
    order: np.ndarray  # the rows, bucket by bucket
    start: np.ndarray  # where buckets begin, for all choices one after the other
    offset: np.ndarray  # where those of a choice begin
    ends: np.ndarray  # how many choices leave out at most 0, 1, … columns


class Trees(NamedTuple):
    """The trees so far, numbered by their first row: at the start each row is one."""

    target: np.ndarray  # the row that each row points to; -1: none
    component: np.ndarray  # the tree of each row
    following: np.ndarray  # the next row of its tree; -1: none
    root: np.ndarray  # of each tree
    last: np.ndarray
    size: np.ndarray
    joined: np.ndarray  # the rows that point to one, in the order in which they got it
    totals: np.ndarray  # how many these are, and what their edges weigh

    @classmethod
    def of_single_rows(cls, n_rows: int) -> Trees:
        component, root, last = (np.arange(n_rows) for _ in range(3))
        target, following, joined = (np.full(n_rows, -1, dtype=np.int64) for _ in range(3))
        size, totals = np.ones(n_rows, dtype=np.int64), np.zeros(2, dtype=np.int64)
        return cls(target, component, following, root, last, size, joined, totals)


def grow_trees(codes: np.ndarray, weights: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, int]:
    """The row each row points to (-1: none), the rows that point, in the order of their edges, and the forest's weight.

    Columns (× rows) have whole-number weights; only where all are 1 do rows in a bucket come in the order of distances
    when columns are left out.
    """
    levels = [list(combinations(range(len(codes)), left_out)) for left_out in range(3 if (weights == 1).all() else 1)]
    while len(levels) > 1 and (sum(map(len, levels)) > MOST_CHOICES or len(levels) > len(codes)):
        levels.pop()
    by_row = np.ascontiguousarray(codes.T).astype(np.int64)
    trees, buckets = Trees.of_single_rows(len(by_row)), _buckets(codes, levels)
    step = -(-len(by_row) // PARTS)
    for start in ticks(range(0, len(by_row), step), f"blocks of {step} rows"):
        _grow(start, min(start + step, len(by_row)), by_row, weights, k, buckets, trees)
    return trees.target, trees.joined[: trees.totals[0]], int(trees.totals[1])


def _buckets(codes: np.ndarray, levels: list[list[tuple[int, ...]]]) -> RowBuckets:
    """Sort the rows by the columns that are not left out; each level has choices of equally many that are."""
    choices, ends = [choice for level in levels for choice in level], np.cumsum([len(level) for level in levels])
    n_rows, sizes = codes.shape[1], codes.max(axis=1).astype(np.int64) + 1
    bucket, order = (np.empty((len(choices), n_rows), dtype=np.int32) for _ in range(2))
    starts: list[np.ndarray] = []
    offset = np.zeros(len(choices), dtype=np.int64)
    for number, choice in enumerate(choices):
        kept = [column for column in range(len(codes)) if column not in choice]
        ids, count = group_ids([codes[kept[0]], *codes[kept[1:]]], sizes[kept]) if kept else (np.zeros(n_rows, int), 1)
        bucket[number] = ids
        order[number], start = group_order(ids, count)
        offset[number] = sum(len(each) for each in starts)
        starts.append(start)
    return RowBuckets(bucket, order, np.concatenate(starts), offset, ends)


@compiled(makes_arrays=False)
def _grow(start, stop, codes, weights, k, buckets, trees):
    """Join each tree of fewer than k rows to the nearest row outside, for the trees of some rows."""
    component, following, last = trees.component, trees.following, trees.last
    for row in range(start, stop):
        while trees.size[component[row]] < k:
            small = component[row]
            nearest, distance = _near(trees.root[small], component, buckets)
            if nearest < 0:
                nearest, distance = _nearest(trees.root[small], component, codes, weights)
            trees.target[trees.root[small]] = nearest
            trees.joined[trees.totals[0]] = trees.root[small]
            trees.totals[0] += 1
            trees.totals[1] += distance
            other, member = component[nearest], small
            while member >= 0:
                component[member] = other
                member = following[member]
            following[last[other]], last[other] = small, last[small]
            trees.size[other] += trees.size[small]


@inner
def _near(row, component, buckets):
    """The nearest row outside the own tree, the first among equals, and its distance; -1 where none is in a bucket."""
    choice = 0
    for distance in range(len(buckets.ends)):
        nearest = -1
        while choice < buckets.ends[distance]:
            bucket = buckets.offset[choice] + buckets.bucket[choice, row]
            for position in range(buckets.start[bucket], buckets.start[bucket + 1]):
                other = buckets.order[choice, position]
                if 0 <= nearest <= other:
                    break
                if component[other] != component[row]:
                    nearest = other
                    break
            choice += 1
        if nearest >= 0:
            return nearest, distance
    return -1, 0


@inner
def _nearest(row, component, codes, weights):
    """Return the same by comparing with every row."""
    nearest, shortest = -1, FAR
    for other in range(len(codes)):
        if component[other] != component[row]:
            distance = 0
            for column in range(codes.shape[1]):
                if codes[other, column] != codes[row, column]:
                    distance += weights[column]
                if distance >= shortest:
                    break
            if distance < shortest:
                nearest, shortest = other, distance
    return nearest, shortest
