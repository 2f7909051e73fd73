"""What the cell methods share: the table as weighted columns, and the price of putting rows into one group.

Suppression (``_CS``): one column per attribute, and a cell that differs costs 1. Generalization (``CG_``, Aggarwal et
al.): one column per level below the root, each of weight 1/l. Rows that first meet on level h differ in h of an
attribute's l columns, so the Hamming distance of these columns is Σ h/l, and one algorithm serves both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.errors import Infeasible
from anonnb.core.wording import number, pluralize
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.merging import Merging, pass_together
from anonnb.methods.promises import whole_table_misses
from anonnb.privacy import GroupCheck
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

MAX_LISTED = 200  # candidates in a frame, the best ones


class Cells:
    """The quasi-identifier as ``codes`` (columns × rows) with whole-number ``weights``.

    ``unit`` is the weight of a cell that is lost entirely, so that costs are exact integers and ties are real ties.
    """

    def __init__(self, table: Table, generalize: bool = False):
        self.table, self.generalize = table, generalize
        columns: list[np.ndarray] = []
        steps: list[int] = []
        self._slices: dict[str, slice] = {}
        self._nodes = {name: HierarchyNodes(table.attributes[name]) for name in table.quasi} if generalize else {}
        for name in table.quasi:
            codes = table.codes(name)
            # on the root all rows are equal: it needs no column
            maps = self._nodes[name].maps[:-1] if generalize else [np.arange(table.attributes[name].size)]
            self._slices[name] = slice(len(columns), len(columns) + len(maps))
            columns += [level[codes] for level in maps]
            steps += [len(maps)] * len(maps)
        widest = max(int(column.max()) for column in columns)
        self.codes = np.array(columns, dtype=np.min_scalar_type(widest))
        self.unit = math.lcm(*steps)
        self.weights = self.unit // np.array(steps, dtype=np.int64)

    @property
    def n_rows(self) -> int:
        return self.codes.shape[1]

    def distances(self, row: int) -> np.ndarray:
        """Weigh the columns in which each row differs from ``row``."""
        return self.weights @ (self.codes != self.codes[:, [row]])

    def distance_matrix(self) -> np.ndarray:
        """Return all distances, for small tables."""
        return np.array([self.distances(row) for row in range(self.n_rows)])

    # ---- groups -----------------------------------------------------------------------------------------------

    def varying(self, groups: np.ndarray, n_groups: int) -> np.ndarray:
        """Return which columns are not constant in each group (columns × groups)."""
        order, starts = group_order(groups, n_groups)
        first = self.codes[:, order[starts[:-1]]]
        differs = self.codes[:, order] != first[:, groups[order]]
        return np.logical_or.reduceat(differs, starts[:-1], axis=1)

    def costs(self, groups: np.ndarray, n_groups: int) -> np.ndarray:
        """Rows × weight of the columns that vary, for each group."""
        return np.bincount(groups, minlength=n_groups) * (self.weights @ self.varying(groups, n_groups))

    def fused(self, groups: np.ndarray, n_groups: int) -> tuple[np.ndarray, int]:
        """Groups that would read alike are one group: renumber them so."""
        order, starts = group_order(groups, n_groups)
        shown = self.codes[:, order[starts[:-1]]].astype(np.int64) + 1
        shown[self.varying(groups, n_groups)] = 0
        ids, count = group_ids(list(shown))
        return ids[groups], count

    def release_columns(self, groups: np.ndarray, n_groups: int) -> dict[str, Column]:
        """Each attribute on the lowest level on which the members of a group agree."""
        varying = self.varying(groups, n_groups)
        columns = {}
        for name, part in self._slices.items():
            attribute, codes = self.table.attributes[name], self.table.codes(name)
            level = varying[part].sum(axis=0)[groups]
            if not level.any():
                continue
            if self.generalize:
                used, index = np.unique(self._nodes[name].ladder[level, codes], return_inverse=True)
                columns[name] = Column(self._nodes[name].sets(used), index)
            else:
                columns[name] = Column.original(attribute, codes).with_suppressed(level > 0)
        return columns


def merged(cells: Cells, groups: np.ndarray, n_groups: int, check: GroupCheck) -> tuple[np.ndarray, int]:
    """Merge every group that misses the requirement into the one where it costs least, until all groups pass.

    Groups are taken in order of their numbers; ties go to the lower number. Raises Infeasible when even the whole
    table, as one group, misses the requirement.
    """
    while True:
        groups, n_groups = cells.fused(groups, n_groups)
        good = check(groups, n_groups)
        if good.all():
            return groups, n_groups
        if n_groups == 1:
            raise Infeasible(whole_table_misses(check.missed_by_all()))
        merging = _CheapestMerges(cells, groups, n_groups, good, check)
        merging.run()
        groups, n_groups = merging.groups()


class _CheapestMerges(Merging):
    """Every failing group joins the one where that costs least; ties go to the lower number."""

    at_once = False

    def __init__(self, cells: Cells, groups: np.ndarray, n_groups: int, good: np.ndarray, check: GroupCheck):
        order, starts = group_order(groups, n_groups)
        super().__init__(np.split(order, starts[1:-1]), good, cells.table)
        self._check, self._weights, self.unit = check, cells.weights, cells.unit
        self._first = cells.codes[:, order[starts[:-1]]]
        self._varying = cells.varying(groups, n_groups)
        self._sizes = np.diff(starts)
        self._costs = self._sizes * (self._weights @ self._varying)

    def prices(self, group: int) -> np.ndarray:
        differs = self._varying | self._varying[:, [group]] | (self._first != self._first[:, [group]])
        price = (self._sizes + self._sizes[group]) * (self._weights @ differs) - self._costs
        price[~self.alive] = price[group] = np.iinfo(np.int64).max
        return price

    def unite(self, group: int, target: int) -> None:
        super().unite(group, target)
        differs = self._first[:, group] != self._first[:, target]
        self._varying[:, target] |= self._varying[:, group] | differs
        self._sizes[target] += self._sizes[group]
        self._costs[target] = self._sizes[target] * (self._weights @ self._varying[:, target])

    def passes(self, group: int) -> bool:
        return pass_together(self._check, self.members[group])


@dataclass(frozen=True)
class CellMethod(GroupMethod):
    """A method that partitions the rows and then hides the cells in which the rows of a part differ.

    Subclasses implement ``_partition``. ``release.info["cost"]`` is the number of suppressed cells (for
    generalization Σ h/l over the cells), ``info["parts"]`` the partition before groups that read alike were fused.
    """

    @property
    def bound(self) -> float:
        """The cost is at most this many times the least possible."""
        return math.inf

    def _cells(self, table: Table) -> Cells:
        return Cells(table)

    def _partition(self, cells: Cells, progress: Progress) -> tuple[np.ndarray, dict]:
        """Return a part number for every row, parts numbered from 0, and what is worth telling in ``info``."""
        raise NotImplementedError

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        cells = self._cells(table)
        parts, info = self._partition(cells, progress)
        groups, n_groups = merged(cells, parts, int(parts.max()) + 1, self.group_check(table))
        cost = int(cells.costs(groups, n_groups).sum()) / cells.unit
        if listening():
            _record_groups(table, groups, n_groups, cost, int(parts.max()) + 1)
        columns = cells.release_columns(groups, n_groups)
        info = {"cost": cost, "parts": parts, **info}
        return Release(table, columns, np.arange(len(table)), method=self, info=info)


def _record_groups(table: Table, groups: np.ndarray, n_groups: int, cost: float, parts: int) -> None:
    fewer = f", because {pluralize(parts - n_groups, 'part')} read like another or had to be merged"
    note(
        "Hide what differs",
        f"The rows form {pluralize(n_groups, 'group')}{fewer if parts > n_groups else ''}. Cells that differ within a "
        f"group are hidden, at a cost of {number(cost)}.",
        lambda: RowGroups(table, groups),
    )


def in_parts(table: Table, parts: Iterable[Iterable[int]], marked: Sequence[int] = ()) -> RowGroups:
    """Return the parts made so far as the state of a step; other rows are in none."""
    return RowGroups(table, part_numbers(parts, len(table)), np.array(sorted(marked), dtype=np.int64))


def part_numbers(parts: Iterable[Iterable[int]], n_rows: int) -> np.ndarray:
    """Number the part of each row; -1 for rows in none.

    >>> part_numbers([[2, 0], [3]], 4).tolist()
    [0, -1, 0, 1]
    """
    result = np.full(n_rows, -1, dtype=np.int64)
    for index, rows in enumerate(parts):
        result[rows if isinstance(rows, list) else list(rows)] = index
    return result
