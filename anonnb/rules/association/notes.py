"""The steps of mining itemsets: which sets are joined, how many rows have each, and which are too rare to grow."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.steps.recording import note
from anonnb.steps.states import Graph

MOST_NODES = 60  # of a picture; more itemsets are listed


class Telling:
    """Remembers the itemsets that were tried, and notes every batch of them."""

    def __init__(self, items: Sequence[object], least: int):
        self._items, self._least = items, least
        self._tried: dict[tuple[int, ...], tuple[int, bool]] = {}

    def items(self, singles: np.ndarray, counts: np.ndarray) -> None:
        """Note the frequent items."""
        self._add(singles, counts, np.ones(len(singles), dtype=bool))
        needed = f"At least {counted(self._least, 'row')} must have an item, and {counted(len(singles), 'item')} do"
        words = f"{needed}: no set with a rarer item can be frequent."
        note("Frequent items", words, self._state, *self._shown(singles))

    def joined(self, sets: np.ndarray, counts: np.ndarray, keep: np.ndarray) -> None:
        """Note a batch of itemsets, each joined from two frequent ones that differ in their last item."""
        self._add(sets, counts, keep)
        sentence = (
            f"Frequent sets that differ in their last item are joined: of {counted(len(sets), 'set')}, {keep.sum():,} "
            f"{'reaches' if keep.sum() == 1 else 'reach'} {counted(self._least, 'row')}, and only these grow"
        )
        note(f"Sets of {sets.shape[1]} items", f"{sentence}.", self._state, *self._shown(sets))

    def _add(self, sets: np.ndarray, counts: np.ndarray, keep: np.ndarray) -> None:
        for row, count, kept in zip(sets.tolist(), counts.tolist(), keep.tolist(), strict=True):
            self._tried[tuple(row)] = count, kept

    def _name(self, row: tuple[int, ...]) -> str:
        return ", ".join(str(self._items[item]) for item in row) or "{}"

    def _shown(self, sets: np.ndarray) -> tuple[pd.DataFrame, list[str]]:
        """The sets of a batch with their counts, the most frequent first, and the names of those that are kept."""
        rows = sorted(map(tuple, sets.tolist()), key=lambda row: -self._tried[row][0])
        names = pd.Index([self._name(row) for row in rows], name="itemset")
        frame = pd.DataFrame({"rows": [self._tried[row][0] for row in rows]}, index=names)
        return frame, [name for name, row in zip(names, rows, strict=True) if self._tried[row][1]]

    def _state(self) -> Graph | pd.DataFrame:
        """The lattice of the sets so far if it is small; otherwise the frequent ones as a frame."""
        if len(self._tried) > MOST_NODES:
            kept = [(self._name(row), count) for row, (count, frequent) in self._tried.items() if frequent]
            return pd.DataFrame(kept, columns=["itemset", "rows"])
        nodes = {row: (len(row) - 1, "kept" if frequent else "pruned") for row, (_, frequent) in self._tried.items()}
        texts = {row: f"{self._name(row)}\n{counted(count, 'row')}" for row, (count, _) in self._tried.items()}
        parts = [(row[:gone] + row[gone + 1 :], row) for row in nodes for gone in range(len(row))]
        return Graph.of(nodes, [edge for edge in parts if edge[0] in nodes], texts=texts, down=False)
