"""The rows that have no group yet, and how far they are from a row or from their centre.

Numbers are standardized (sample standard deviation) and compared by Euclidean distance, as in the literature; a table
with categories, ranks or missing values is compared by the distance of the clustering methods.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.methods.clustering.clusters import ValueDistance
from anonnb.methods.microaggregation import _distances
from anonnb.steps.recording import note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

FULL = 0.9  # rows with a group are skipped until they are a tenth of all


class RowsLeft:
    """The rows without a group, which leave one group at a time; subclasses compute the distances.

    ``groups`` holds the group of every row of the table, -1 while it has none. Places number the rows that are kept in
    memory; a place is present until its row has a group.
    """

    power = 1  # distances are stored raised to this power

    def __init__(self, table: Table):
        rows, self._table = len(table), table
        self.groups = np.full(rows, -1, dtype=np.int64)
        self.n_groups, self._rows, self._there, self._count = 0, np.arange(rows), np.ones(rows, dtype=bool), rows

    def __len__(self) -> int:
        return self._count

    @property
    def places(self) -> np.ndarray:
        """The places that are still present, in the order of the table."""
        return np.flatnonzero(self._there)

    def from_centre(self) -> np.ndarray:
        """For every place its distance from the centre of the rows left."""
        raise NotImplementedError

    def from_place(self, place: int) -> np.ndarray:
        """For every place its distance from one of them."""
        raise NotImplementedError

    def farthest(self, distances: np.ndarray) -> int:
        """The place that is farthest away; ties go to the first row."""
        return int(_distances.farthest(distances, self._there))

    def nearest(self, distances: np.ndarray, count: int) -> np.ndarray:
        """The places that are nearest, the nearest first; ties go to the first row."""
        return _distances.nearest(distances, self._there, count)

    def leave(self, places: np.ndarray, group: int) -> None:
        """Give rows a group; their places are no longer present."""
        self.groups[self._rows[places]] = group
        self.n_groups = max(self.n_groups, group + 1)
        self._there[places] = False
        self._count -= len(places)

    def name(self, place: int) -> object:
        """What the table calls the row at a place."""
        return self._table.index[self._rows[place]]

    def tell(
        self, title: str, sentence: str, distances: np.ndarray, taken: np.ndarray, group: int | None = None
    ) -> None:
        """Note that rows are about to join a group, a new one by default: all rows left, by their distance."""
        order = self.places[np.argsort(distances[self.places], kind="stable")]
        far = np.maximum(distances[order], 0.0) ** (1 / self.power)
        names = pd.Index([self.name(place) for place in order], name="row")
        groups = self.groups.copy()
        groups[self._rows[taken]] = self.n_groups if group is None else group
        state = RowGroups(self._table, groups, self._rows[taken])
        note(title, sentence, state, pd.DataFrame({"distance": far.round(4)}, index=names), list(map(self.name, taken)))

    def close_ranks(self) -> np.ndarray:
        """Drop rows with a group once there are enough of them: which places are kept, numbered anew."""
        if self._count >= FULL * len(self._rows):
            return np.ones(len(self._rows), dtype=bool)
        kept = self._there
        self._rows, self._there = self._rows[kept], np.ones(self._count, dtype=bool)
        self._keep(kept)
        return kept

    def _keep(self, kept: np.ndarray) -> None:
        raise NotImplementedError


class StandardizedRows(RowsLeft):
    """Numbers, standardized; squared Euclidean distances."""

    power = 2

    def __init__(self, table: Table):
        super().__init__(table)
        self._values = standardized(table)
        self._total = self._values.sum(axis=1)

    def from_centre(self) -> np.ndarray:
        return _distances.squared_distances(self._values, self._total / len(self))

    def from_place(self, place: int) -> np.ndarray:
        return _distances.squared_distances(self._values, self._values[:, place].copy())

    def leave(self, places: np.ndarray, group: int) -> None:
        super().leave(places, group)
        self._total = self._total - self._values[:, places].sum(axis=1)

    def _keep(self, kept: np.ndarray) -> None:
        self._values = np.ascontiguousarray(self._values[:, kept])
        self._total = self._values.sum(axis=1)  # subtracting has left rounding errors


class MixedRows(RowsLeft):
    """Any columns; the distance is that of the clustering methods, the centre has means and most frequent values."""

    def __init__(self, table: Table):
        super().__init__(table)
        self._distance = [ValueDistance(table.attributes[name]) for name in table.quasi]
        self._codes = [table.codes(name) for name in table.quasi]

    def from_centre(self) -> np.ndarray:
        total = np.zeros(len(self._rows))
        for distance, codes in zip(self._distance, self._codes, strict=True):
            counts = np.bincount(codes[self._there], minlength=len(distance.numbers))
            if len(distance.maps):
                total += distance(int(counts.argmax()))[codes]
            else:
                total += _from_mean(distance, counts)[codes]
        return total

    def from_place(self, place: int) -> np.ndarray:
        pairs = zip(self._distance, self._codes, strict=True)
        return np.sum([distance(codes[place])[codes] for distance, codes in pairs], axis=0)

    def _keep(self, kept: np.ndarray) -> None:
        self._codes = [codes[kept] for codes in self._codes]


def _from_mean(distance: ValueDistance, counts: np.ndarray) -> np.ndarray:
    """The distance of every value from the mean of those counted; a missing value is at distance 1."""
    known = ~np.isnan(distance.numbers)
    if not counts[known].any():
        return np.zeros(len(counts))
    mean = np.average(distance.numbers[known], weights=counts[known])
    return np.where(known, np.abs(distance.numbers - mean) / distance.width, 1.0)


def standardized(table: Table) -> np.ndarray:
    """The quasi-identifiers as attributes × rows, each with mean 0 and sample standard deviation 1 (0 if constant)."""
    values = np.array([table.attributes[name].numbers[table.codes(name)] for name in table.quasi])
    values = values - values.mean(axis=1, keepdims=True)
    spread = values.std(axis=1, ddof=1, keepdims=True) if len(table) > 1 else np.zeros((len(values), 1))
    return np.divide(values, spread, out=np.zeros_like(values), where=spread > 0)


def all_numbers(table: Table) -> bool:
    """Whether every quasi-identifier has a number in every row."""
    attributes = [table.attributes[name] for name in table.quasi]
    return all(attribute.kind == "numeric" and not attribute.missing for attribute in attributes)


def rows_of(table: Table) -> RowsLeft:
    """All rows of a table, with the distance that its columns allow."""
    return StandardizedRows(table) if all_numbers(table) else MixedRows(table)
