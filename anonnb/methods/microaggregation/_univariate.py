"""The best groups of one column (Hansen and Mukherjee 2003): runs of k to 2k − 1 sorted values, by shortest path.

In a best grouping no group lies between the values of another, and none has 2k values, as two halves would be better.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.compiled import compiled
from anonnb.methods.microaggregation.notes import PathSteps
from anonnb.steps.recording import listening
from anonnb.tables.table import Table


@compiled
def _shortest_path(values, k):
    """For the first 0, 1, … of the sorted values: where the last group of a best grouping begins, and what it costs."""
    n = len(values)
    total, squares = np.zeros(n + 1), np.zeros(n + 1)
    for place in range(n):
        total[place + 1] = total[place] + values[place]
        squares[place + 1] = squares[place] + values[place] * values[place]
    cost, begins = np.full(n + 1, np.inf), np.zeros(n + 1, dtype=np.int64)
    cost[0] = 0.0
    for end in range(k, n + 1):
        for start in range(max(end - 2 * k + 1, 0), end - k + 1):
            part = total[end] - total[start]
            price = cost[start] + squares[end] - squares[start] - part * part / (end - start)
            if price < cost[end]:
                cost[end], begins[end] = price, start
    return begins, cost


def best_runs(values: np.ndarray, k: int, table: Table | None = None) -> np.ndarray:
    """The group of every value, such that the sum of squares within groups of at least k values is least.

    ``table`` holds the values in one column; the steps show its rows.

    >>> best_runs(np.array([1.0, 2.0, 4.0, 7.0, 8.0, 9.0, 15.0, 16.0]), 3)
    array([0, 0, 0, 0, 0, 1, 1, 1])
    """
    order = np.argsort(values, kind="stable")
    # sums of squares lose digits far from 0
    begins, cost = _shortest_path(values[order] - values.mean(), k)
    if listening() and table is not None:
        PathSteps(table, values[order], order, begins, cost, k).tell()
    edges, end = [], len(values)
    while end > 0:
        end = int(begins[end])
        edges.append(end)
    group = np.zeros(len(values), dtype=np.int64)
    group[edges[:-1]] = 1  # every run but the first begins a new group
    groups = np.empty(len(values), dtype=np.int64)
    groups[order] = np.cumsum(group)
    return groups
