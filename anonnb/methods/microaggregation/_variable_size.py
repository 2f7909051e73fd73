"""V-MDAV (Solanas and Martínez-Ballesté 2006): groups of k to 2k − 1 rows, which grow where the data are dense.

A group begins as in MDAV, at the row farthest from the centre of the whole table. It takes in the nearest row outside
as long as that row is nearer to the group than ``gain`` times its distance to any other row without a group. Fewer than
k rows in the end join the group of the row nearest to them (open in the source: nearest to what).
"""

from __future__ import annotations

import numpy as np

from anonnb.core.progress import steps
from anonnb.methods.microaggregation._rows_left import RowsLeft, rows_of
from anonnb.tables.table import Table


def v_mdav(table: Table, k: int, gain: float) -> np.ndarray:
    """The group of every row."""
    rows, counted = rows_of(table), steps("groups")
    remote = rows.from_centre()
    while len(rows) >= k:
        next(counted)
        _grow(rows, rows.farthest(remote), k, gain)
        remote = remote[rows.close_ranks()]
    groups = rows.groups
    lonely, everybody = np.flatnonzero(groups < 0), rows_of(table)
    grouped = groups >= 0
    for row in lonely:
        distances = np.where(grouped, everybody.from_place(row), np.inf)
        groups[row] = groups[int(distances.argmin())]
    return groups


def _grow(rows: RowsLeft, place: int, k: int, gain: float) -> None:
    """A new group around a row, as large as it pays."""
    group, start = rows.n_groups, rows.from_place(place)
    start[place] = -1.0  # before those that equal it
    members = rows.nearest(start, k)
    rows.leave(members, group)
    to_group = np.min([rows.from_place(member) for member in members], axis=0)
    for _ in range(k - 1):
        if not len(rows):
            return
        nearest = rows.nearest(to_group, 1)
        from_it = rows.from_place(int(nearest[0]))
        second = rows.nearest(from_it, 2) if len(rows) > 1 else nearest
        others = from_it[second[second != nearest[0]]].min(initial=np.inf)
        if to_group[nearest[0]] >= gain**rows.power * others:
            return
        rows.leave(nearest, group)
        to_group = np.minimum(to_group, from_it)
