"""Forest's search for nearest rows by buckets, compiled by numba: rows that agree in all but a few columns.

Rows at a distance of at most t share, for some t columns, the values of all others. So for each choice of up to two
columns the rows are sorted by the rest, and the first row of a bucket outside the own tree is found among the first k.
Only rows without a near one are compared with all.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.compiled import compiled, inner

MOST_CHOICES = 64  # of columns that are left out; beyond that no further level is made


def grow_by_buckets(codes: np.ndarray, k: int) -> tuple[np.ndarray, int]:
    """The row each row points to (-1: none) and the weight of the forest, for columns (× rows) that count 1 each."""
    levels = [list(combinations(range(len(codes)), left_out)) for left_out in range(3)]
    while len(levels) > 1 and (sum(map(len, levels)) > MOST_CHOICES or len(levels) > len(codes)):
        levels.pop()
    bucket, order, start, offset = _buckets(codes, [choice for level in levels for choice in level])
    ends = np.cumsum([len(level) for level in levels])
    by_row = np.ascontiguousarray(codes.T).astype(np.int64)
    return _grow(by_row, k, bucket, order, start, offset, ends)


def _buckets(codes: np.ndarray, choices: list[tuple[int, ...]]) -> tuple[np.ndarray, ...]:
    """For every choice of columns left out: the bucket of each row, the rows by bucket, and where buckets begin.

    The beginnings of all choices stand one after the other, those of a choice from its ``offset`` on.
    """
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
    return bucket, order, np.concatenate(starts), offset


@compiled
def _grow(codes, k, bucket, order, start, offset, ends):
    n_rows, weight = len(codes), 0
    target = np.full(n_rows, -1, dtype=np.int64)
    component, root, last = np.arange(n_rows), np.arange(n_rows), np.arange(n_rows)
    following = np.full(n_rows, -1, dtype=np.int64)  # the next member of the own tree; the first bears its number
    size = np.ones(n_rows, dtype=np.int64)
    for row in range(n_rows):
        while size[component[row]] < k:
            small = component[row]
            nearest, distance = _near(root[small], component, bucket, order, start, offset, ends)
            if nearest < 0:
                nearest, distance = _nearest(root[small], component, codes)
            target[root[small]] = nearest
            weight += distance
            other, member = component[nearest], small
            while member >= 0:
                component[member] = other
                member = following[member]
            following[last[other]], last[other] = small, last[small]
            size[other] += size[small]
    return target, weight


@inner
def _near(row, component, bucket, order, start, offset, ends):
    """The nearest row outside the own tree, the first among equals, and its distance; -1 where none is in a bucket."""
    choice = 0
    for distance in range(len(ends)):
        nearest = -1
        while choice < ends[distance]:
            mine = offset[choice] + bucket[choice, row]
            for place in range(start[mine], start[mine + 1]):
                other = order[choice, place]
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
