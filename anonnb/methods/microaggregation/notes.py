"""The steps of the best groups of one column: the shortest path, position by position, and the runs on it.

A step of the path is recorded from what the compiled loop found; the prices of its candidates are recomputed here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.steps.recording import note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

MOST_VALUES = 6  # values of a group that are listed; of a larger one, its ends


@dataclass(frozen=True, eq=False)
class PathSteps:
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
        for end in np.flatnonzero(np.isfinite(self.cost[1:])) + 1:
            chosen = _named(self.values[self.begins[end] : end])
            note(
                f"The first {end} values",
                f"With {chosen} as the last group their sum of squares is {self.cost[end]:.4g}, the least possible.",
                lambda end=end: self._grouping(end),
                lambda end=end: self._last_groups(end),
                [chosen],
            )

    def _last_groups(self, end: int) -> pd.DataFrame:
        """What each possible last group costs, with the best groups of the values before it."""
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


def tell_runs(table: Table, values: np.ndarray, groups: np.ndarray) -> None:
    """Note the runs of the best path, from the smallest values on, with what each adds to the sum of squares."""
    total = 0.0
    for group in range(int(groups.max()) + 1):
        mine = values[groups == group]
        squares = _squares(mine)
        total += squares
        note(
            f"A group from {mine.min():g} to {mine.max():g}",
            f"On the shortest path its {counted(len(mine), 'value')} add {squares:.4g} to the sum of squares, which is "
            f"{total:.4g} so far.",
            RowGroups(table, np.where(groups <= group, groups, -1), np.flatnonzero(groups == group)),
        )


def _squares(part: np.ndarray) -> float:
    return float(((part - part.mean()) ** 2).sum())


def _named(part: np.ndarray) -> str:
    """The values of a group; of many, its ends and how many there are."""
    if len(part) > MOST_VALUES:
        return f"{part[0]:g} … {part[-1]:g} ({len(part)} values)"
    return " ".join(f"{value:g}" for value in part)
