"""MDAV and V-MDAV: groups around the rows that are farthest from the centre; ties go to the first row.

Numbers are standardized (sample standard deviation) and compared by Euclidean distance, as in the literature; a table
with categories, ranks or missing values is compared by the distance of the clustering methods.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonnb.core.progress import steps, ticks
from anonnb.methods.clustering.clusters import ValueDistance
from anonnb.methods.microaggregation import _distances
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.table import Table

CENTRE = "the mean of the remaining rows"
MAX_NAMED = 6  # rows that a sentence names
FULL = 0.9  # rows with a group are skipped until they are a tenth of all


def mdav(table: Table, k: int) -> np.ndarray:
    """Return the group of every row by MDAV (Domingo-Ferrer and Torra 2005), groups of k from the outside inwards.

    The row farthest from the centre gathers its k − 1 nearest, then the row farthest from that one gathers its own; the
    last group takes what is left, k to 2k − 1 rows.
    """
    rows = rows_of(table)
    for _ in ticks(range((len(rows) - k) // (2 * k)), "pairs of groups"):  # while at least 3k rows are left
        distances = _gather(rows, rows.from_centre(), k, CENTRE)
        _gather(rows, distances, k, "the row before")
        rows.close_ranks()
    if len(rows) >= 2 * k:
        _gather(rows, rows.from_centre(), k, CENTRE)
    if listening():
        sentence = f"Only {len(rows)} rows are left, fewer than 2k = {2 * k}, so they form the last group."
        rows.tell("The last group", sentence, rows.from_centre(), rows.places)
    rows.leave(rows.places, rows.n_groups)
    return rows.groups


def _gather(rows: RowsLeft, remote: np.ndarray, k: int, origin: str) -> np.ndarray:
    """A new group of the row that is farthest from an origin and its k − 1 nearest; all distances from that row."""
    position = rows.farthest(remote)
    distances = rows.from_place(position)
    distances[position] = -1.0  # before those that equal it
    members = rows.nearest(distances, k)
    if listening():
        far = remote[position] ** (1 / rows.power)
        takes = f"takes the nearest rows: {rows.list_names(members[1:])}"
        sentence = f"{rows.name(position)} lies farthest from {origin} (distance {far:.4g}) and {takes}."
        rows.tell(f"Gather around row {rows.name(position)}", sentence, distances, members)
    rows.leave(members, rows.n_groups)
    return distances


def v_mdav(table: Table, k: int, gain: float) -> np.ndarray:
    """Return the group of every row by V-MDAV (Solanas and Martínez-Ballesté 2006): groups grow where rows are dense.

    A group begins as in MDAV, at the row farthest from the centre of the whole table. It takes in the nearest row
    outside, up to 2k − 1 rows, as long as that row is nearer to the group than ``gain`` times its distance to any other
    row without a group. If fewer than k rows remain in the end, they join the group of the row nearest to them (the
    source does not say nearest to what).
    """
    rows, counted = rows_of(table), steps("groups")
    remote = rows.from_centre()
    while len(rows) >= k:
        next(counted)
        _grow(rows, rows.farthest(remote), k, gain)
        remote = remote[rows.close_ranks()]
    groups = rows.groups
    lonely, everybody = np.flatnonzero(groups < 0), rows_of(table)
    grouped = groups >= 0
    for row in lonely.tolist():
        distances = np.where(grouped, everybody.from_place(row), np.inf)
        groups[row] = groups[int(distances.argmin())]
    return groups


def _grow(rows: RowsLeft, position: int, k: int, gain: float) -> None:
    """A new group around a row, as large as the gain allows."""
    group, start = rows.n_groups, rows.from_place(position)
    start[position] = -1.0  # before those that equal it
    members = rows.nearest(start, k)
    if listening():
        takes = f"takes the nearest rows: {rows.list_names(members[1:])}"
        sentence = f"{rows.name(position)} lies farthest from the mean of the table and {takes}."
        rows.tell(f"Gather around row {rows.name(position)}", sentence, start, members)
    rows.leave(members, group)
    to_group = np.min([rows.from_place(member) for member in members], axis=0)
    for _ in range(k - 1):
        if not len(rows):
            return
        nearest = rows.nearest(to_group, 1)
        from_it = rows.from_place(int(nearest[0]))
        second = rows.nearest(from_it, 2) if len(rows) > 1 else nearest
        others = from_it[second[second != nearest[0]]].min(initial=np.inf)
        pays = to_group[nearest[0]] < gain**rows.power * others
        if listening():
            _record_growth(rows, int(nearest[0]), to_group, others, gain, pays)
        if not pays:
            return
        rows.leave(nearest, group)
        to_group = np.minimum(to_group, from_it)


def _record_growth(rows: RowsLeft, position: int, to_group: np.ndarray, others: float, gain: float, pays: bool) -> None:
    """Note whether the nearest row outside joins the group that was made last."""
    near, far = to_group[position] ** (1 / rows.power), others ** (1 / rows.power)
    verb, compared = ("joins", "less") if pays else ("stays out", "no less")
    sentence = (
        f"Its distance to the group, {near:.4g}, is {compared} than {gain:g} times its distance to the nearest other "
        f"row without a group, {far:.4g}"
        if np.isfinite(far)
        else f"Its distance to the group is {near:.4g}, and no other row is left without a group"
    )
    taken = np.array([position] if pays else [], dtype=np.int64)
    rows.tell(f"Row {rows.name(position)} {verb}", f"{sentence}.", to_group, taken, rows.n_groups - 1)


# ---- the rows that have no group yet --------------------------------------------------------------------------------


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
        """Return for every place its distance from the centre of the rows left."""
        raise NotImplementedError

    def from_place(self, place: int) -> np.ndarray:
        """Return for every place its distance from one of them."""
        raise NotImplementedError

    def farthest(self, distances: np.ndarray) -> int:
        """Return the place that is farthest away; ties go to the first row."""
        return int(_distances.farthest(distances, self._there))

    def nearest(self, distances: np.ndarray, count: int) -> np.ndarray:
        """Return the places that are nearest, the nearest first; ties go to the first row."""
        return _distances.nearest(distances, self._there, count)

    def leave(self, places: np.ndarray, group: int) -> None:
        """Give rows a group; their places are no longer present."""
        self.groups[self._rows[places]] = group
        self.n_groups = max(self.n_groups, group + 1)
        self._there[places] = False
        self._count -= len(places)

    def name(self, place: int) -> object:
        """Return what the table calls the row at a place."""
        return self._table.index[self._rows[place]]

    def list_names(self, places: np.ndarray) -> str:
        """Return what the table calls the rows at the given places; of many, the first few."""
        further = f" and {len(places) - MAX_NAMED} more" if len(places) > MAX_NAMED else ""
        return ", ".join(str(self.name(place)) for place in places[:MAX_NAMED]) + further

    def tell(
        self, title: str, sentence: str, distances: np.ndarray, taken: np.ndarray, group: int | None = None
    ) -> None:
        """Note that rows are about to join a group, a new one by default: all rows left, by their distance."""
        order = self.places[np.argsort(distances[self.places], kind="stable")]
        far = np.maximum(distances[order], 0.0) ** (1 / self.power)
        names = pd.Index([self.name(position) for position in order], name="row")
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
    """Return the distance of every value from the mean of those counted; a missing value is at distance 1."""
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
    """Return whether every quasi-identifier has a number in every row."""
    attributes = [table.attributes[name] for name in table.quasi]
    return all(attribute.kind == "numeric" and not attribute.missing for attribute in attributes)


def rows_of(table: Table) -> RowsLeft:
    """Return all rows of a table, with the distance that its columns allow."""
    return StandardizedRows(table) if all_numbers(table) else MixedRows(table)
