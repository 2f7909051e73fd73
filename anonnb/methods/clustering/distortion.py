"""What KACA merges by (Li, Wong, Fu and Pei 2006): the distortion of two groups by their common generalization."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.methods.merging import Merging, pass_together
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchy_nodes import HierarchyNodes
from anonnb.tables.table import Table

PLAIN = 2_000  # groups up to which numpy is quick enough, and needs nothing compiled
MOST_PAIRS = 4_000_000  # of nodes, whose costs are tabulated


class CostedTree(HierarchyNodes):
    """A hierarchy and what it costs to generalize its nodes.

    Nothing is stored for pairs of nodes: what a node shares with all others is computed when it is needed.
    """

    ROWS = 256  # nodes whose costs are cached: all of a small domain

    def __init__(self, attribute: Attribute, beta: float):
        super().__init__(attribute)
        steps = 1.0 / np.arange(1, len(self.ladder)) ** beta  # w_2 … w_h: the step next to the top weighs most
        self._depth = np.append(np.cumsum(steps / steps.sum())[::-1], 0.0)  # of each level, from the values to the top
        self.with_each = lru_cache(self.ROWS)(self._with)

    def _with(self, node: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For every node: what joining it with ``node`` costs ``node`` and costs the other, and their common parent."""
        shared = self.ancestors == self.ancestors[:, node, None]
        shared &= np.arange(len(self.ladder))[:, None] >= np.maximum(self.level, self.level[node])
        lowest = shared.argmax(axis=0)
        together = self._depth[lowest]
        own, others = self._depth[self.level[node]] - together, self._depth[self.level] - together
        return own, others, self.ancestors[lowest, node]


class LeastDistortion(Merging):
    """Every failing group unites with the one whose common generalization distorts both least.

    ``nodes`` says what each group shows (groups × columns); after a union it describes the united group.
    """

    priced: ClassVar[str] = "distortion"

    def __init__(self, nodes: np.ndarray, home: np.ndarray, trees: list[CostedTree], check: Callable, table: Table):
        order, starts = group_order(home, len(nodes))
        super().__init__(np.split(order, starts[1:-1]), check(home, len(nodes)), table)
        self.nodes, self._sizes, self._trees, self._check = nodes, np.diff(starts), trees, check
        self._others, self._gone = np.arange(len(nodes)), 0  # all groups alive, and some that are no more

    def prices(self, group: int) -> np.ndarray:
        mine, others = np.zeros(len(self.nodes)), np.zeros(len(self.nodes))
        for a, tree in enumerate(self._trees):
            own_cost, other_cost, _ = tree.with_each(int(self.nodes[group, a]))
            mine += tree.attribute.weight * own_cost[self.nodes[:, a]]
            others += tree.attribute.weight * other_cost[self.nodes[:, a]]
        distance = np.where(self.alive, self._sizes[group] * mine + self._sizes * others, np.inf)
        distance[group] = np.inf
        return distance

    def partner(self, group: int) -> int:
        if self._pairs is None:
            return super().partner(group)
        from anonnb.methods.clustering._nearest import least_distortion  # needs numba, which takes a moment to import

        if 4 * self._gone > len(self._others):
            self._others, self._gone = self._others[self.alive[self._others]], 0
        self._gone += 1  # the group, once it is united
        others = self._others
        return least_distortion(group, others, self.alive, self.nodes, self._sizes, *self._pairs)

    @cached_property
    def _pairs(self) -> tuple[np.ndarray, ...] | None:
        """What joining any two nodes costs, attribute after attribute; None where that is not worth it."""
        widths = np.array([len(tree.level) for tree in self._trees])
        if len(self.nodes) <= PLAIN or (widths**2).sum() > MOST_PAIRS:
            return None
        costs = [[tree.with_each(node)[:2] for node in range(len(tree.level))] for tree in self._trees]
        flat = [
            tree.attribute.weight * np.stack(cost, axis=1)
            for tree, rows in zip(self._trees, costs, strict=True)
            for cost in rows
        ]
        chances = [
            np.bincount(shown, minlength=width) / len(shown) for shown, width in zip(self.nodes.T, widths, strict=True)
        ]
        table, starts = np.concatenate(flat), np.cumsum(widths**2) - widths**2
        usual = [
            chance @ table[start : start + width**2, 0].reshape(width, width) @ chance
            for chance, start, width in zip(chances, starts, widths, strict=True)
        ]
        return table, starts, widths, np.argsort(usual)[::-1].copy()

    def unite(self, group: int, target: int) -> None:
        super().unite(group, target)
        for a, tree in enumerate(self._trees):
            self.nodes[target, a] = tree.with_each(int(self.nodes[group, a]))[2][self.nodes[target, a]]
        self._sizes[target] += self._sizes[group]

    def passes(self, group: int) -> bool:
        return pass_together(self._check, self.members[group])
