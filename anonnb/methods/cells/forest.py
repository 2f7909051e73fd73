"""Forest: hide cells at no more than 3k−3 times the least cost (Aggarwal et al. 2005; Ciriani et al. 2008, §3).

Rows are joined to their nearest rows until every tree has k members; big trees are then cut without adding an edge.
Reading: trees are cut from the leaves upward, in linear time. Parts have k to 3k−3 members, as with cuts at centroids,
and trees of 2k members and more are cut as well, which can only lower the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core.parameters.constraints import Flag
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import number, pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.cells.cell_method import MAX_LISTED, CellMethod, Cells, in_parts, part_numbers
from anonnb.methods.naming import row_name
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph, RowGroups
from anonnb.tables.table import Table

MAX_DRAWN = 40  # rows whose edges can be drawn


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

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Without further models the cost is at most 3k − 3 times the least possible, and info["weight"] is a
        lower bound of it (Aggarwal et al. 2005).
    tested:
        120 random tables of 2 to 9 rows, suppressed and generalized: weight ≤ optimum ≤ cost ≤ (3k − 3) · weight, with
        the optimum from Exact. 40 random tables of 6 to 60 rows: the trees and parts have the sizes that the proof
        needs. 40 random tables of 2 to 60 rows: the trees equal those of a plain version.
    heuristic:
        Which near row is taken goes by the order of the table. Groups that miss a required model are merged where that
        costs least, and then no bound holds.
    paper:
        G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas and A. Zhu, Approximation algorithms
        for k-anonymity, Journal of Privacy Technology, 2005.
    """

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
        target, weight = grow(cells, self.k)
        return carve(cells, target, self.k), {"weight": weight / cells.unit, "points_to": target}


def grow(cells: Cells, k: int) -> tuple[np.ndarray, int]:
    """The row each row points to (-1: the root of its tree), all trees of k members or more, and the forest's weight.

    A tree of fewer than k members has one row that points nowhere; it gets an edge to the nearest row outside. One of
    its k−1 nearest rows is outside, so the edge costs no more than that row must lose in any k-anonymous release.
    """
    from anonnb.methods.cells._growing import grow_trees  # loads numba

    target, joined, weight = grow_trees(cells.codes, cells.weights, k)
    if listening():
        _ForestRecord(cells, k).tell(target, joined)
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
            _record_part(cells.table, parts, row, k)
        return len(parts) - 1

    for row in _leaves_first(target):
        gathered: list[int] = []
        near = touching = -1
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
    for row in np.flatnonzero(target < 0).tolist():
        if left[row]:
            parts[beside[row]] += left[row]
            if listening():
                _record_rest(cells.table, parts, left[row], beside[row])
    return part_numbers(parts, len(target))


def _children(cells: Cells, target: np.ndarray) -> list[list[int]]:
    """Return the rows that point to each row; those that differ from it in the same columns stand together.

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
    """Return every row after all rows that point to it."""
    children_left = np.bincount(target[target >= 0], minlength=len(target))
    order = np.flatnonzero(children_left == 0).tolist()
    for row in order:  # grows while it is read
        above = target[row]
        if above >= 0:
            children_left[above] -= 1
            if children_left[above] == 0:
                order.append(int(above))
    return order


# ---- the steps ------------------------------------------------------------------------------------------------------


class _ForestRecord:
    """Lets the trees grow again, edge by edge, and tells each edge."""

    def __init__(self, cells: Cells, k: int):
        self._cells, self._table, self._k = cells, cells.table, k
        self._target = np.full(cells.n_rows, -1, dtype=np.int64)
        self._tree = np.arange(cells.n_rows)
        self._weights: dict[tuple[int, int], str] = {}

    def tell(self, target: np.ndarray, joined: np.ndarray) -> None:
        """Each row in ``joined`` gets its edge to ``target``, from which its tree joins another."""
        for row in joined.tolist():
            self._record_edge(row, int(target[row]))

    def _record_edge(self, row: int, nearest: int) -> None:
        cells, table, edge = self._cells, self._table, (row, nearest)
        differs = cells.codes[:, row] != cells.codes[:, nearest]
        self._weights[edge] = number(int(cells.weights @ differs) / cells.unit)
        members = np.flatnonzero(self._tree == self._tree[row])
        self._target[row], self._tree[members] = nearest, self._tree[nearest]
        name, other = row_name(table, row), row_name(table, nearest)

        def near() -> pd.DataFrame:
            away = cells.distances(row) / cells.unit
            away[members] = np.inf
            order = np.argsort(away, kind="stable")[: min(MAX_LISTED, len(away) - len(members))]
            return pd.DataFrame({"distance": away[order]}, index=[row_name(table, each) for each in order])

        note(
            f"Join {name} to {other}",
            f"The tree of {name} has only {pluralize(len(members), 'row')}, fewer than k = {self._k}. The nearest row "
            f"outside it is {other}, at distance {self._weights[edge]}.",
            lambda: self._forest(edge),
            near,
            [other],
        )

    def _forest(self, edge: tuple[int, int]) -> Graph | RowGroups:
        """Return the trees so far: rows that point to rows, or of many rows just the trees they are in."""
        table, tree = self._table, self._tree
        if len(table) > MAX_DRAWN:
            return RowGroups(table, tree, np.array(edge))
        sizes = np.bincount(tree, minlength=len(tree))
        values = [", ".join(map(str, line)) for line in table.frame[table.quasi].itertuples(index=False)]
        nodes, texts = {}, {}
        for row in range(len(table)):
            depth, above = 0, self._target[row]
            while above >= 0:
                depth, above = depth + 1, self._target[above]
            status = "now" if row in edge else "kept" if sizes[tree[row]] >= self._k else "open"
            nodes[row_name(table, row)] = depth, status
            texts[row_name(table, row)] = f"{table.index[row]}\n{values[row]}"
        edges = {(row_name(table, u), row_name(table, v)): weight for (u, v), weight in self._weights.items()}
        return Graph.of(nodes, edges, texts=texts)


def _record_part(table: Table, parts: Sequence[Sequence[int]], row: int, k: int) -> None:
    """The last part was cut off, at a row; groups are numbered from 0, as in the picture."""
    rows = pluralize(len(parts[-1]), "row")
    note(
        f"Cut off {rows}",
        f"Going up from the leaves, {rows} have come together at {row_name(table, row)}. That is at least k = {k}, so "
        f"they become group {len(parts) - 1}.",
        lambda: in_parts(table, parts, parts[-1]),
    )


def _record_rest(table: Table, parts: Sequence[Sequence[int]], rest: Sequence[int], part: int) -> None:
    note(
        f"Add {pluralize(len(rest), 'row')} to group {part}",
        f"Fewer than k rows are left at the root {row_name(table, rest[-1])}, so they join group {part}, which is next "
        "to them in their tree.",
        lambda: in_parts(table, parts, rest),
    )
