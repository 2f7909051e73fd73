"""Groups of different secrets (Xiao and Tao 2006, figure 3): the most frequent secrets first, one row of each.

Taking from the l largest heaps leaves at most l − 1 rows, all with different secrets, whenever no secret has more than
n/l rows; each of these rows finds a group that lacks its secret.
"""

from __future__ import annotations

import heapq

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.core.progress import steps


def largest_l(counts: np.ndarray) -> int:
    """The largest l for which groups exist: no value may have more than n/l rows.

    >>> largest_l(np.array([4, 3, 3])), largest_l(np.array([5]))
    (2, 1)
    """
    return int(counts.sum() // max(int(counts.max(initial=0)), 1))


def turns(counts: np.ndarray, l: int) -> list[list[int]]:  # noqa: E741
    """The secrets of each group: in every turn the l with most rows left, ties to the first.

    >>> turns(np.array([1, 2, 1]), 2)
    [[1, 0], [1, 2]]
    """
    heap = [(-int(count), value) for value, count in enumerate(counts) if count]
    heapq.heapify(heap)
    made, counted = [], steps("groups")
    while len(heap) >= l:
        next(counted)
        taken = [heapq.heappop(heap) for _ in range(l)]
        made.append([value for _, value in taken])
        for left, value in taken:
            if left < -1:
                heapq.heappush(heap, (left + 1, value))
    return made


def dealt_groups(secrets: np.ndarray, l: int, rng: np.random.Generator) -> np.ndarray:  # noqa: E741
    """The group of every row; rows with the secret −1 have none and join the groups in turn.

    ``rng`` chooses the row of a secret, and the group of a row that is left over.

    >>> groups = dealt_groups(np.array([0, 0, 1, 1, 2]), 2, np.random.default_rng(0))
    >>> sorted(np.bincount(groups).tolist())
    [2, 3]
    """
    order = rng.permutation(len(secrets))
    known, size = order[secrets[order] >= 0], int(secrets.max(initial=-1)) + 1
    rows, starts = group_order(secrets[known], size)
    rows = known[rows]
    made = np.array(turns(np.diff(starts), l), dtype=np.int64).reshape(-1, l)
    by_value, first = group_order(made.ravel(), size)
    taken = np.diff(first)
    places = np.arange(len(by_value)) + np.repeat(starts[:-1] - first[:-1], taken)  # the next row of each secret
    groups = np.full(len(secrets), -1, dtype=np.int64)
    groups[rows[places]] = by_value // l
    for value in np.flatnonzero(np.diff(starts) > taken):
        free = np.flatnonzero((made != value).all(axis=1))
        groups[rows[starts[value] + taken[value] : starts[value + 1]]] = rng.choice(free)
    without = order[secrets[order] < 0]
    groups[without] = np.resize(np.arange(len(made)), len(without))
    return groups
