"""Groups of different secrets (Xiao and Tao 2006, figure 3): the most frequent secrets first, one row of each.

Taking from the l largest heaps leaves at most l − 1 rows, all with different secrets, whenever no secret has more than
n/l rows; each of these rows finds a group that lacks its secret.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_order, in_ranges
from anonnb.core.progress import steps
from anonnb.steps.recording import listening, note


def largest_l(counts: np.ndarray) -> int:
    """Return the largest l for which groups exist: no value may have more than n/l rows.

    >>> largest_l(np.array([4, 3, 3])), largest_l(np.array([5]))
    (2, 1)
    """
    return int(counts.sum() // max(int(counts.max(initial=0)), 1))


def turns(counts: np.ndarray, l: int, names: Sequence[str] | None = None) -> list[list[int]]:  # noqa: E741
    """Return the secrets of each group: in every turn the l with most rows left, ties to the first.

    ``names`` are what the steps call the secrets.

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
        if listening():
            _record_turn(heap, taken, names, len(made))
        for left, value in taken:
            if left < -1:
                heapq.heappush(heap, (left + 1, value))
    return made


def dealt_groups(
    secrets: np.ndarray,
    l: int,  # noqa: E741
    rng: np.random.Generator,
    names: Sequence[str] | None = None,
) -> np.ndarray:
    """Return the group of every row; rows with the secret −1 have none and join the groups in turn.

    ``rng`` chooses the row of a secret, and the group of a row that is left over; ``names`` are those of the secrets.

    >>> groups = dealt_groups(np.array([0, 0, 1, 1, 2]), 2, np.random.default_rng(0))
    >>> sorted(np.bincount(groups).tolist())
    [2, 3]
    """
    order = rng.permutation(len(secrets))
    known, size = order[secrets[order] >= 0], int(secrets.max(initial=-1)) + 1
    rows, starts = group_order(secrets[known], size)
    rows = known[rows]
    made = np.array(turns(np.diff(starts), l, names), dtype=np.int64).reshape(-1, l)
    by_value, first = group_order(made.ravel(), size)
    taken = np.diff(first)
    indices = in_ranges(starts[:-1], starts[:-1] + taken)  # the next rows of each secret
    groups = np.full(len(secrets), -1, dtype=np.int64)
    groups[rows[indices]] = by_value // l
    for value in np.flatnonzero(np.diff(starts) > taken):
        free = np.flatnonzero((made != value).all(axis=1))
        groups[rows[starts[value] + taken[value] : starts[value + 1]]] = rng.choice(free)
    without = order[secrets[order] < 0]
    groups[without] = np.resize(np.arange(len(made)), len(without))
    return groups


def _record_turn(
    heap: list[tuple[int, int]], taken: list[tuple[int, int]], names: Sequence[str] | None, number: int
) -> None:
    """Note which secrets make a group, and how many rows each has left after it."""
    before = sorted([*heap, *taken])
    called = [str(value) if names is None else names[value] for _, value in before]
    rows = pd.DataFrame({"rows": [-count for count, _ in before]}, index=pd.Index(called, name="secret"))
    chosen = called[: len(taken)]
    left = rows["rows"] - rows.index.isin(chosen)
    note(
        f"Group {number}",
        f"The secrets {', '.join(chosen[:-1])} and {chosen[-1]} have the most rows left, so each gives one row to "
        f"group {number}; {int(left.sum()):,} remain.",
        left.to_frame("rows left"),
        rows,
        chosen,
    )
