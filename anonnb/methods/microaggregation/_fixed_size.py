"""MDAV (Domingo-Ferrer and Torra 2005): groups of k rows, formed from the outside inwards.

The row farthest from the centre gathers its k − 1 nearest, then the row farthest from that one gathers its own; the
last group takes what is left, k to 2k − 1 rows. Ties go to the first row.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.progress import ticks
from anonnb.methods.microaggregation._rows_left import RowsLeft, rows_of
from anonnb.steps.recording import listening
from anonnb.tables.table import Table

CENTRE = "the centre of the rows left"


def mdav(table: Table, k: int) -> np.ndarray:
    """The group of every row."""
    rows = rows_of(table)
    for _ in ticks(range((len(rows) - k) // (2 * k)), "pairs of groups"):  # while at least 3k rows are left
        distances = _gather(rows, rows.from_centre(), k, CENTRE)
        _gather(rows, distances, k, "the row before")
        rows.close_ranks()
    if len(rows) >= 2 * k:
        _gather(rows, rows.from_centre(), k, CENTRE)
    if listening():
        left = f"Fewer than 2k = {2 * k} rows are left: {len(rows)}"
        rows.tell("The last group", f"{left}, and they make the last group.", rows.from_centre(), rows.places)
    rows.leave(rows.places, rows.n_groups)
    return rows.groups


def _gather(rows: RowsLeft, remote: np.ndarray, k: int, origin: str) -> np.ndarray:
    """A new group of the row that is farthest from an origin and its k − 1 nearest; all distances from that row."""
    place = rows.farthest(remote)
    distances = rows.from_place(place)
    distances[place] = -1.0  # before those that equal it
    members = rows.nearest(distances, k)
    if listening():
        far = remote[place] ** (1 / rows.power)
        sentence = f"Row {rows.name(place)} is farthest from {origin}, {far:.4g} away, and takes its {k - 1} nearest"
        rows.tell(f"Gather around row {rows.name(place)}", f"{sentence}.", distances, members)
    rows.leave(members, rows.n_groups)
    return distances
