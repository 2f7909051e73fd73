"""Forest's search for nearest rows by buckets, compiled by numba: rows that agree in all but a few columns.

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

    @classmethod
    def of_single_rows(cls, n_rows: int) -> Trees:
        component, root, last = (np.arange(n_rows) for _ in range(3))
        target, following = (np.full(n_rows, -1, dtype=np.int64) for _ in range(2))
        return cls(target, component, following, root, last, np.ones(n_rows, dtype=np.int64))


def grow_by_buckets(codes: np.ndarray, k: int) -> tuple[np.ndarray, int]:
    """The row each row points to (-1: none) and the weight of the forest, for columns (× rows) that count 1 each."""
    levels = [list(combinations(range(len(codes)), left_out)) for left_out in range(3)]
    while len(levels) > 1 and (sum(map(len, levels)) > MOST_CHOICES or len(levels) > len(codes)):
        levels.pop()
    by_row = np.ascontiguousarray(codes.T).astype(np.int64)
    trees = Trees.of_single_rows(len(by_row))
    weight = _grow(by_row, k, _buckets(codes, levels), trees)
    return trees.target, weight


def _buckets(codes: np.ndarray, levels: list[list[tuple[int, ...]]]) -> RowBuckets:
    """Sort the rows by the columns that are not left out; each level has choices of equally many that are."""
    choices, ends = [choice for level in levels for choice in level], np.cumsum([len(level) for level in levels])
    n_rows, sizes = codes.shape[1], codes.max(axis=1).astype(np.int64) + 1
    bucket, order = (np.empty((len(choices), n_rows), dtype=np.int32) for _ in range(2))
    starts, offset = [], np.zeros(len(choices), dtype=np.int64)
    for number, choice in enumerate(choices):
        kept = [column for column in range(len(codes)) if column not in choice]
        ids, count = group_ids([codes[kept[0]], *codes[kept[1:]]], sizes[kept]) if kept else (np.zeros(n_rows, int), 1)
        bucket[number] = ids
        order[number], start = group_order(ids, count)
        offset[number] = sum(map(len, starts[-1:])) + (offset[number - 1] if number else 0)
        starts.append(start)
    return RowBuckets(bucket, order, np.concatenate(starts), offset, ends)


@compiled(makes_arrays=False)
def _grow(codes, k, buckets, trees):
    """Join each tree of fewer than k rows to the nearest row outside; returns the weight of all that is joined."""
    component, following, last, weight = trees.component, trees.following, trees.last, 0
    for row in range(len(codes)):
        while trees.size[component[row]] < k:
            small = component[row]
            nearest, distance = _near(trees.root[small], component, buckets)
            if nearest < 0:
                nearest, distance = _nearest(trees.root[small], component, codes)
            trees.target[trees.root[small]] = nearest
            weight += distance
            other, member = component[nearest], small
            while member >= 0:
                component[member] = other
                member = following[member]
            following[last[other]], last[other] = small, last[small]
            trees.size[other] += trees.size[small]
    return weight


@inner
def _near(row, component, buckets):
    """The nearest row outside the own tree, the first among equals, and its distance; -1 where none is in a bucket."""
    choice = 0
    for distance in range(len(buckets.ends)):
        nearest = -1
        while choice < buckets.ends[distance]:
            mine = buckets.offset[choice] + buckets.bucket[choice, row]
            for place in range(buckets.start[mine], buckets.start[mine + 1]):
                other = buckets.order[choice, place]
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
def _nearest(row, component, codes):
    """The same by comparing with every row."""
    nearest, least = -1, codes.shape[1] + 1
    for other in range(len(codes)):
        if component[other] != component[row]:
            distance = 0
            for column in range(codes.shape[1]):
                distance += codes[other, column] != codes[row, column]
                if distance >= least:
                    break
            if distance < least:
                nearest, least = other, distance
    return nearest, least
