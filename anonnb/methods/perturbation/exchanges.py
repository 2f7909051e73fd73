"""The steps of rank swapping: for each row without a partner, which rows are within reach, and which one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.wording import counted
from anonnb.steps.recording import note
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@dataclass(frozen=True, eq=False)
class ExchangeSteps:
    """Records the exchanges of one column; ``order`` holds the rows by rank, ``columns`` the finished columns."""

    table: Table
    columns: Mapping[str, Column]
    name: str
    order: np.ndarray

    def __call__(self, rank: int, free: np.ndarray, partner: np.ndarray) -> None:
        row, other = self._row(rank), self._row(partner[rank])
        mine, theirs = self._text(rank), self._text(partner[rank])
        if len(free):
            title = f"Swap {self.name} of {row} and {other}"
            within = f"Of {counted(len(free), 'row')} within reach without a partner"
            sentence = f"{within}, chance takes {other} for row {row}: {mine} and {theirs} change places."
        else:
            title = f"Keep {self.name} of {row}"
            sentence = f"No row within reach is without a partner, so row {row} keeps its value {mine}."
        note(title, sentence, lambda: self._state(partner), lambda: self._within(free), [other] if len(free) else [])

    def _row(self, rank: int) -> object:
        return self.table.index[self.order[rank]]

    def _text(self, rank: int) -> str:
        return self.table.attributes[self.name].labels[self.table.codes(self.name)[self.order[rank]]]

    def _within(self, free: np.ndarray) -> pd.DataFrame:
        index = pd.Index([self._row(rank) for rank in free], name="row")
        return pd.DataFrame({self.name: [self._text(rank) for rank in free]}, index=index)

    def _state(self, partner: np.ndarray) -> Release:
        """What would be published now: ranks without a partner keep their values."""
        now = np.where(partner < 0, np.arange(len(partner)), partner)
        codes = self.table.codes(self.name)
        swapped = codes.copy()
        swapped[self.order] = codes[self.order[now]]
        column = Column.original(self.table.attributes[self.name], swapped)
        return Release(self.table, {**self.columns, self.name: column}, np.arange(len(self.table)))
