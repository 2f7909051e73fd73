"""Forest: hide cells at no more than 3k−3 times the least cost (Aggarwal et al. 2005; Ciriani et al. 2008, §3).

Rows are joined to their nearest rows until every tree has k members; big trees are then cut without adding an edge.
Reading: trees are cut from the leaves upward, in linear time. Parts have k to 3k−3 members, as with cuts at centroids,
and trees of 2k members and more are cut as well, which can only lower the cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.card import Card
from anonnb.core.parameters.constraints import Flag
from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import Progress, no_progress
from anonnb.methods.cells.cell_method import CellMethod, Cells
from anonnb.methods.cells.notes import ForestNotes, tell_part, tell_rest
from anonnb.steps.recording import listening
from anonnb.tables.table import Table

PLAIN = 2_000  # rows up to which all rows are compared: that is quick, and needs nothing compiled


@register
@dataclass(frozen=True)
class Forest(CellMethod):
    """Hide few cells: at most (3k−3) times as many as the best partition needs.

    Parameters
    ----------
    generalize:
        Replace cells by labels of the hierarchies instead of suppressing them (class ``CG_``); a cell on level h of l
        then costs h/l.

    Notes
    -----
    ``release.info["weight"]`` is the weight of the forest: no k-anonymous release of this kind costs less.
    ``info["points_to"]`` holds its edges, from each row to another (-1: to none). Rows are taken in their order, ties
    go to the earlier row. Rows without a near one are compared with all, and so is every row with ``generalize``: that
    takes quadratic time.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"sex": list("MMFF"), "zip": [1, 1, 1, 2]}), quasi=["sex", "zip"])
    >>> release = Forest(k=2).anonymize(table)
    >>> release.frame["zip"].tolist(), release.info["cost"]
    (['1', '1', '*', '*'], 2.0)
    """

    card: ClassVar[Card] = Card(
        proved=(
            "Every class has at least k rows and meets every required model; this is checked again before the release "
            "is handed out. Without further models the cost is at most 3k − 3 times the least possible, and "
            'info["weight"] is a lower bound of it (Aggarwal et al. 2005).'
        ),
        tested=(
            "120 random tables of 2 to 9 rows, suppressed and generalized: weight ≤ optimum ≤ cost ≤ (3k − 3) · "
            "weight, with the optimum from Exact. 40 random tables of 6 to 60 rows: the trees and parts have the "
            "sizes that the proof needs."
        ),
        heuristic=(
            "Which near row is taken goes by the order of the table. Groups that miss a required model are merged "
            "where that costs least, and then no bound holds."
        ),
        paper=(
            "G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas and A. Zhu, Approximation "
            "algorithms for k-anonymity, Journal of Privacy Technology, 2005."
        ),
    )

    rows_in_seconds: ClassVar[int] = 100_000
    order_matters: ClassVar[bool] = True

    generalize: bool = parameter(Flag(), default=False)

    @property
    def bound(self) -> float:
        """The cost is at most this many times the least possible."""
        return max(3.0 * self.k - 3, 1.0)

    def _cells(self, table: Table) -> Cells:
        return Cells(table, self.generalize)

    def _partition(self, cells: Cells, progress: Progress) -> tuple[np.ndarray, dict]:
        if self.k == 1:
            return np.arange(cells.n_rows), {"weight": 0.0, "points_to": np.full(cells.n_rows, -1)}
        target, weight = grow(cells, self.k, progress)
        return carve(cells, target, self.k), {"weight": weight / cells.unit, "points_to": target}


def grow(cells: Cells, k: int, progress: Progress = no_progress) -> tuple[np.ndarray, int]:
    """The row each row points to (-1: the root of its tree), all trees of k members or more, and the forest's weight.

    A tree of fewer than k members has one row that points nowhere; it gets an edge to the nearest row outside. One of
    its k−1 nearest rows is outside, so the edge costs no more than that row must lose in any k-anonymous release.
    """
    n_rows = cells.n_rows
    if n_rows > PLAIN and cells.unit == 1 and not listening():
        from anonnb.methods.cells._growing import grow_by_buckets  # needs numba, which takes a moment to import

        return grow_by_buckets(cells.codes, k)
    target = np.full(n_rows, -1, dtype=np.int64)
    component = np.arange(n_rows)
    members = {row: [row] for row in range(n_rows)}
    root = np.arange(n_rows)
    weight, notes = 0, ForestNotes(cells.table, k) if listening() else None
    for row in progress(range(n_rows)):
        while len(members[component[row]]) < k:
            small = component[row]
            distances = cells.distances(root[small])
            # members of the own tree are out of reach, wherever they are
            distances[members[small]] = np.iinfo(distances.dtype).max
            nearest = int(np.argmin(distances))
            target[root[small]] = nearest
            weight += int(distances[nearest])
            other, moved = component[nearest], members[small]
            component[moved] = other
            if notes is not None:
                notes.tell((int(root[small]), nearest), distances / cells.unit, moved, target, component)
            members[other] += members.pop(small)
    return target, weight


def carve(cells: Cells, target: np.ndarray, k: int) -> np.ndarray:
    """Cut trees of at least k members into parts of k to 3k−3 members that share no edge; a part number per row.

    From the leaves upward a row collects what its children left over (fewer than k rows each). Every k rows or more of
    these are a part of their own, held together by a copy of the row; the rest goes up with the row. What is left at
    the root, fewer than k rows, joins a neighbouring part of at most 2k−2.
    """
    children = _children(cells, target)
    parts: list[list[int]] = []
    left: list[list[int]] = [[] for _ in target]  # rows from a row downward that are in no part yet
    beside: list[int] = [-1] * len(target)  # the smallest part that touches them, or the row itself

    def smaller(one: int, other: int) -> int:
        return max(one, other) if min(one, other) < 0 else min(one, other, key=lambda part: (len(parts[part]), part))

    def add(rows: list[int], row: int) -> int:
        parts.append(rows)
        if listening():
            tell_part(cells.table, parts, row, k)
        return len(parts) - 1

    for row in _leaves_first(target):
        gathered, near, touching = [], -1, -1
        for child in children[row]:
            gathered, near = gathered + left[child], smaller(near, beside[child])
            if len(gathered) >= k:
                touching = smaller(touching, add(gathered, row))
                gathered, near = [], -1
        gathered.append(row)
        if len(gathered) >= k:
            beside[row] = add(gathered, row)
        else:
            left[row], beside[row] = gathered, smaller(near, touching)
    for row in np.flatnonzero(target < 0):
        if left[row]:
            parts[beside[row]] += left[row]
            if listening():
                tell_rest(cells.table, parts, left[row], beside[row])
    return _numbered(parts, len(target))


def _numbered(parts: list[list[int]], n_rows: int) -> np.ndarray:
    """The number of each row's part."""
    result = np.empty(n_rows, dtype=np.int64)
    for number, rows in enumerate(parts):
        result[rows] = number
    return result


def _children(cells: Cells, target: np.ndarray) -> list[list[int]]:
    """The rows that point to each row; those that differ from it in the same columns stand together.

    The order is free, and rows that miss the same cells make cheap parts.
    """
    pointing = np.flatnonzero(target >= 0)
    differs = cells.codes[:, pointing] != cells.codes[:, target[pointing]]
    keys = [*cells.codes[:, pointing], *differs, target[pointing]]
    children: list[list[int]] = [[] for _ in range(len(target))]
    for row in pointing[np.lexsort(keys)]:
        children[target[row]].append(int(row))
    return children


def _leaves_first(target: np.ndarray) -> list[int]:
    """Every row after all rows that point to it."""
    waiting = np.bincount(target[target >= 0], minlength=len(target))
    order = np.flatnonzero(waiting == 0).tolist()
    for row in order:  # grows while it is read
        above = target[row]
        if above >= 0:
            waiting[above] -= 1
            if waiting[above] == 0:
                order.append(int(above))
    return order
