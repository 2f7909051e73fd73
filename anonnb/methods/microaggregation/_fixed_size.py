"""MDAV (Domingo-Ferrer and Torra 2005): groups of k rows, formed from the outside inwards.

The row farthest from the centre gathers its k − 1 nearest, then the row farthest from that one gathers its own; the
last group takes what is left, k to 2k − 1 rows. Ties go to the first row.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.progress import ticks
from anonnb.methods.microaggregation._rows_left import RowsLeft, rows_of
from anonnb.tables.table import Table


def mdav(table: Table, k: int) -> np.ndarray:
    """The group of every row."""
    rows = rows_of(table)
    for _ in ticks(range((len(rows) - k) // (2 * k)), "pairs of groups"):  # while at least 3k rows are left
        distances = _gather(rows, rows.farthest(rows.from_centre()), k)
        _gather(rows, rows.farthest(distances), k)
        rows.close_ranks()
    if len(rows) >= 2 * k:
        _gather(rows, rows.farthest(rows.from_centre()), k)
    rows.leave(rows.places, rows.n_groups)
    return rows.groups


def _gather(rows: RowsLeft, place: int, k: int) -> np.ndarray:
    """A new group of a row and its k − 1 nearest; the distances of all from that row."""
    distances = rows.from_place(place)
    distances[place] = -1.0  # before those that equal it
    rows.leave(rows.nearest(distances, k), rows.n_groups)
    return distances
