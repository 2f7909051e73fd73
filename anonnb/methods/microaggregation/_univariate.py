"""The best groups of one column (Hansen and Mukherjee 2003): runs of k to 2k − 1 sorted values, by shortest path.

In a best grouping no group lies between the values of another, and none has 2k values, as two halves would be better.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from anonnb.core.compiled import compiled
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

MAX_VALUES = 6  # values of a group that are listed; of a larger one, its ends


@compiled
def _shortest_path(values, k):
    """For the first 0, 1, … of the sorted values: where the last group of a best grouping begins, and what it costs."""
    n = len(values)
    total, squares = np.zeros(n + 1), np.zeros(n + 1)
    for index in range(n):
        total[index + 1] = total[index] + values[index]
        squares[index + 1] = squares[index] + values[index] * values[index]
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
    """Return the group of every value, such that the sum of squares within groups of at least k values is least.

    ``table`` holds the values in one column; the steps show its rows.

    >>> best_runs(np.array([1.0, 2.0, 4.0, 7.0, 8.0, 9.0, 15.0, 16.0]), 3)
    array([0, 0, 0, 0, 0, 1, 1, 1])
    """
    order = np.argsort(values, kind="stable")
    # sums of squares lose digits far from 0
    begins, cost = _shortest_path(values[order] - values.mean(), k)
    edges, end = [], len(values)
    while end > 0:
        end = int(begins[end])
        edges.append(end)
    group = np.zeros(len(values), dtype=np.int64)
    group[edges[:-1]] = 1  # every run but the first begins a new group
    groups = np.empty(len(values), dtype=np.int64)
    groups[order] = np.cumsum(group)
    if listening() and table is not None:
        _PathRecord(table, values[order], order, begins, cost, k).tell()
        _record_runs(table, values, groups)
    return groups


# ---- the steps: what the loop found; the prices of candidates are recomputed ----------------------------------------


@dataclass(frozen=True, eq=False)
class _PathRecord:
    """Records the best groupings of the first values of a column, one after the other.

    ``values`` are sorted, ``order`` holds their rows in the table; ``begins`` and ``cost`` are what the loop found for
    the first 0, 1, … of them: where the last group begins, and the sum of squares of all groups.
    """

    table: Table
    values: np.ndarray
    order: np.ndarray
    begins: np.ndarray
    cost: np.ndarray
    k: int

    def tell(self) -> None:
        """Note for the first k, k + 1, … values which last group costs least."""
        for end in (np.flatnonzero(np.isfinite(self.cost[1:])) + 1).tolist():
            chosen = _named(self.values[self.begins[end] : end])
            note(
                f"The first {end} values",
                f"Their sum of squares is least, {self.cost[end]:.4g}, if the last group is {chosen}.",
                partial(self._grouping, end),
                partial(self._last_groups, end),
                [chosen],
            )

    def _last_groups(self, end: int) -> pd.DataFrame:
        """Return what each possible last group costs, with the best groups of the values before it."""
        possible = range(max(end - 2 * self.k + 1, 0), end - self.k + 1)
        starts = [start for start in possible if np.isfinite(self.cost[start])]
        own = np.array([_squares(self.values[start:end]) for start in starts])
        names = pd.Index([_named(self.values[start:end]) for start in starts], name="last group")
        before = self.cost[starts]
        return pd.DataFrame({"before it": before, "its own": own, "sum": before + own}, index=names).round(4)

    def _grouping(self, end: int) -> RowGroups:
        groups, edges = np.full(len(self.values), -1), [int(end)]
        while edges[-1] > 0:
            edges.append(int(self.begins[edges[-1]]))
        for number, (start, stop) in enumerate(zip(edges[:0:-1], edges[-2::-1], strict=True)):
            groups[self.order[start:stop]] = number
        return RowGroups(self.table, groups, self.order[self.begins[end] : end])


def _record_runs(table: Table, values: np.ndarray, groups: np.ndarray) -> None:
    """Note the runs of the best path, from the smallest values on, with what each adds to the sum of squares."""
    total = 0.0
    for group in range(int(groups.max()) + 1):
        part = values[groups == group]
        squares = _squares(part)
        total += squares
        note(
            f"A group from {part.min():g} to {part.max():g}",
            f"The best grouping has this group: its {pluralize(len(part), 'value')} add {squares:.4g} to the sum of "
            f"squares, which makes {total:.4g} so far.",
            RowGroups(table, np.where(groups <= group, groups, -1), np.flatnonzero(groups == group)),
        )


def _squares(part: np.ndarray) -> float:
    return float(((part - part.mean()) ** 2).sum())


def _named(part: np.ndarray) -> str:
    """Return the values of a group; of many, its ends and how many there are."""
    if len(part) > MAX_VALUES:
        return f"{part[0]:g} … {part[-1]:g} ({len(part)} values)"
    return " ".join(f"{value:g}" for value in part)
