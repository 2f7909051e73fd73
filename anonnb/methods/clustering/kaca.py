"""KACA, clustering in attribute hierarchies (Li, Wong, Fu and Pei 2006), and how its steps are told.

Groups unite by the distortion of their common generalization.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from anonnb.core.arrays import group_ids, group_order
from anonnb.core.parameters.constraints import Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import Progress
from anonnb.methods.clustering.clusters import Clustering, reported
from anonnb.methods.merging import Merging, pass_together
from anonnb.privacy import GroupCheck
from anonnb.steps.recording import listening, note
from anonnb.steps.states import RowGroups
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

SAMPLE = 200  # pairs of groups that say what joining usually costs
BLOCK = 500  # failing groups between two reports of progress


@register
@dataclass(frozen=True)
class KACA(Clustering):
    """K-anonymization by clustering in attribute hierarchies (Li, Wong, Fu and Pei 2006).

    It begins with groups of equal rows. A group under k merges with the group at the least distance: the size-weighted
    distortion of both to their common generalization. A step from level j to j - 1 of a hierarchy (level 1 is the top,
    h the values) costs w_j = 1/(j - 1)^beta over the sum of all. The source leaves open: groups are taken by position,
    and a merged group continues until it holds k. Numbers without a hierarchy get the default intervals.

    Parameters
    ----------
    beta:
        How much steps near the top of a hierarchy cost beside those at the bottom; 0 makes all equal.

    Examples
    --------
    >>> import anonnb
    >>> int(KACA(k=5).anonymize(anonnb.load("survey")).group_sizes.min()) >= 5
    True

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Every published cell holds the true value of its row.
    tested:
        30 random tables of 12 to 90 rows: the classes equal those of a plain version, row by row. 60 random tables of 6
        to 59 rows, shared with OKA and GCCG: clusters of k rows, the truth of every cell, the other columns unchanged.
        The distances equal the paper's formula on a hierarchy of five values.
    heuristic:
        A small group merges with the nearest one, group by group in their order: no bound on the loss is known. Its
        time grows with the square of the number of groups.
    paper:
        J. Li, R. C.-W. Wong, A. W.-C. Fu and J. Pei, Achieving k-anonymity by clustering in attribute hierarchical
        structures, DaWaK 2006.
    """

    beta: float = parameter(Number(at_least=0), default=1.0)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        trees = [CostedTree(table.attributes[name], self.beta) for name in table.quasi]
        home, count = group_ids(list(table.code_matrix().T))
        order, starts = group_order(home, count)
        nodes = table.code_matrix()[order[starts[:-1]]].astype(np.int64)  # a code is its own leaf
        check = self.further_check(table)
        good = np.diff(starts) >= self.k if check is None else check(home, count)
        members = np.split(order, starts[1:-1])
        owner, final, unions = _united(nodes, good, members, trees, self.k, check, progress)
        if listening():
            _record_equal_rows(table, home, count, good)
            _Unions(nodes, members, good, trees, table).tell(unions)
        columns = {}
        for name, tree, column_nodes in zip(table.quasi, trees, final[owner[home]].T, strict=True):
            used, index = np.unique(column_nodes, return_inverse=True)
            columns[name] = Column(tree.sets(used), index)
        return reported(Release(table, columns, np.arange(len(table)), method=self))


class CostedTree(HierarchyNodes):
    """A hierarchy and what it costs to generalize its nodes.

    Nothing is stored for pairs of nodes: what a node shares with all others is computed when it is needed.
    """

    ROWS = 256  # nodes whose costs are cached: all of a small domain

    def __init__(self, attribute: Attribute, beta: float):
        super().__init__(attribute)
        steps = 1.0 / np.arange(1, len(self.ladder)) ** beta  # w_2 … w_h: the step next to the top weighs most
        self.depth = np.append(np.cumsum(steps / steps.sum())[::-1], 0.0)  # of each level, from the values to the top
        self.with_each = lru_cache(self.ROWS)(self._with)

    def _with(self, node: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For every node: what joining it with ``node`` costs ``node`` and costs the other, and their common parent."""
        shared = self.ancestors == self.ancestors[:, node, None]
        shared &= np.arange(len(self.ladder))[:, None] >= np.maximum(self.level, self.level[node])
        lowest = shared.argmax(axis=0)
        together = self.depth[lowest]
        own, others = self.depth[self.level[node]] - together, self.depth[self.level] - together
        return own, others, self.ancestors[lowest, node]


def _united(
    nodes: np.ndarray,
    good: np.ndarray,
    members: list[np.ndarray],
    trees: list[CostedTree],
    k: int,
    check: GroupCheck | None,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The group that each group of equal rows ends in, the nodes that groups show then, and the unions in their order.

    ``nodes`` says what each group shows at first (groups × attributes). A group unites until it holds k rows; where a
    ``check`` is given, it is then tested, and goes on until it passes.
    """
    from anonnb.methods.clustering import _nearest  # loads numba

    groups = _nearest.UnitedGroups(nodes.copy(), np.array([len(rows) for rows in members]), np.full(len(nodes), -1))
    flat = _nearest.flat_trees(trees)
    search = _nearest.new_unions(groups, flat, _usual_costs(nodes, trees))
    failing = np.flatnonzero(~good)
    if check is None:
        for start in progress(range(0, len(failing), BLOCK), desc=f"blocks of {BLOCK} groups"):
            _nearest.unite(failing[start : start + BLOCK], k, groups, flat, search)
    else:
        good, held = good.copy(), list(members)
        for start in progress(failing.tolist(), desc="groups"):
            group = start
            while groups.into[group] < 0 and not good[group] and search.made[0] < len(nodes) - 1:
                before = int(search.made[0])
                _nearest.unite(np.array([group]), max(k, int(groups.sizes[group]) + 1), groups, flat, search)
                for source, target in search.unions[before : search.made[0]].tolist():
                    held[target], group = np.concatenate([held[target], held[source]]), target
                good[group] = pass_together(check, held[group])
    owner = np.where(groups.into < 0, np.arange(len(nodes)), groups.into)
    while (owner[owner] != owner).any():
        owner = owner[owner]
    return owner, groups.nodes, search.unions[: search.made[0]]


def _usual_costs(nodes: np.ndarray, trees: list[CostedTree]) -> np.ndarray:
    """Return what joining two groups usually costs the first in each attribute: the mean over some pairs."""
    count = len(nodes)
    sample = np.arange(0, count, max(count // SAMPLE, 1))
    pairs = list(zip(nodes[sample], nodes[(sample + count // 2) % count], strict=True))
    return np.array(
        [np.mean([tree.with_each(int(one[a]))[0][other[a]] for one, other in pairs]) for a, tree in enumerate(trees)]
    )


# ---- the steps ------------------------------------------------------------------------------------------------------


def _record_equal_rows(table: Table, home: np.ndarray, count: int, good: np.ndarray) -> None:
    failing = int((~good).sum())
    note(
        "Begin with equal rows",
        f"Identical rows form {pluralize(count, 'group')}; {failing:,} of them {'does' if failing == 1 else 'do'} not "
        "meet the requirement.",
        lambda: RowGroups(table, home),
    )


class _Unions(Merging):
    """Goes through the unions again and tells each, with what every other partner would have cost."""

    priced: ClassVar[str] = "distortion"

    def __init__(
        self, nodes: np.ndarray, members: list[np.ndarray], good: np.ndarray, trees: list[CostedTree], table: Table
    ):
        super().__init__(list(members), good, table)
        self._nodes, self._trees = nodes.copy(), trees
        self._sizes = np.array([len(rows) for rows in members])

    def tell(self, unions: np.ndarray) -> None:
        for group, target in unions.tolist():
            self.tell_union(group, target)
            self.unite(group, target)

    def prices(self, group: int) -> np.ndarray:
        mine, others = np.zeros(len(self._nodes)), np.zeros(len(self._nodes))
        for nodes, tree in zip(self._nodes.T, self._trees, strict=True):
            own_cost, other_cost, _ = tree.with_each(int(nodes[group]))
            mine += tree.attribute.weight * own_cost[nodes]
            others += tree.attribute.weight * other_cost[nodes]
        distance = np.where(self.alive, self._sizes[group] * mine + self._sizes * others, np.inf)
        distance[group] = np.inf
        return distance

    def unite(self, group: int, target: int) -> None:
        super().unite(group, target)
        self._sizes[target] += self._sizes[group]
        self.alive[group] = False
        for a, tree in enumerate(self._trees):
            self._nodes[target, a] = tree.with_each(int(self._nodes[group, a]))[2][self._nodes[target, a]]
