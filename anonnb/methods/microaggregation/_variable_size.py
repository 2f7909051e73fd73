"""V-MDAV (Solanas and Martínez-Ballesté 2006): groups of k rows, which grow to 2k − 1 where rows are dense.

A group begins as in MDAV, at the row farthest from the centre of the whole table. It takes in the nearest row outside
as long as that row is nearer to the group than ``gain`` times its distance to any other row without a group. If fewer
than k rows remain in the end, they join the group of the row nearest to them (the source does not say nearest to what).
"""

from __future__ import annotations

import numpy as np

from anonnb.core.progress import steps
from anonnb.methods.microaggregation._rows_left import RowsLeft, rows_of
from anonnb.steps.recording import listening
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
    """A new group around a row, as large as the gain allows."""
    group, start = rows.n_groups, rows.from_place(place)
    start[place] = -1.0  # before those that equal it
    members = rows.nearest(start, k)
    if listening():
        sentence = f"Row {rows.name(place)} is farthest from the centre of the table and takes its {k - 1} nearest"
        rows.tell(f"Gather around row {rows.name(place)}", f"{sentence}.", start, members)
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
            _tell_growth(rows, int(nearest[0]), to_group, others, gain, pays)
        if not pays:
            return
        rows.leave(nearest, group)
        to_group = np.minimum(to_group, from_it)


def _tell_growth(rows: RowsLeft, place: int, to_group: np.ndarray, others: float, gain: float, pays: bool) -> None:
    """Note whether the nearest row outside joins the group that was made last."""
    near, far = to_group[place] ** (1 / rows.power), others ** (1 / rows.power)
    verb, compared = ("joins", "less") if pays else ("stays out", "no less")
    sentence = (
        f"It is {near:.4g} from the group and {far:.4g} from the nearest other row without one: {compared} than "
        f"{gain:g} times that"
        if np.isfinite(far)
        else f"It is {near:.4g} from the group, and no other row is without one"
    )
    taken = np.array([place] if pays else [], dtype=np.int64)
    rows.tell(f"Row {rows.name(place)} {verb}", f"{sentence}.", to_group, taken, rows.n_groups - 1)
