"""What KACA merges by (Li, Wong, Fu and Pei 2006): the distortion of two groups by their common generalization."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.methods.base import Progress, no_progress
from anonnb.methods.merging import Merging, pass_together
from anonnb.steps.recording import listening
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.table import Table

PLAIN = 2_000  # groups up to which numpy is quick enough, and needs nothing compiled
MOST_PAIRS = 4_000_000  # of nodes, whose costs are tabulated
BLOCK = 500  # failing groups between two reports of progress


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

    def __init__(
        self,
        nodes: np.ndarray,
        home: np.ndarray,
        trees: list[CostedTree],
        k: int,
        check: Callable | None,
        table: Table,
    ):
        order, starts = group_order(home, len(nodes))
        sizes = np.diff(starts)
        members = [order[a:b] for a, b in pairwise(starts.tolist())]
        super().__init__(members, sizes >= k if check is None else check(home, len(nodes)), table)
        self.nodes, self._sizes, self._trees, self._k, self._check = nodes, sizes, trees, k, check

    def run(self, progress: Progress = no_progress) -> None:
        """As always; in one compiled loop where only rows count and nobody watches."""
        if self._check is not None or listening() or self._index is None:
            super().run(progress)
            return
        from anonnb.methods.clustering._nearest import unite_failing

        failing, into = np.flatnonzero(~self.good), np.full(len(self.nodes), -1)
        trie, search, level, *tables = self._index
        for start in progress(range(0, len(failing), BLOCK), desc=f"blocks of {BLOCK} groups"):
            block = failing[start : start + BLOCK]
            unite_failing(block, self._k, into, trie, search, level, self.nodes, self._sizes, *tables)
        home, owner = self.owners(), np.where(into < 0, np.arange(len(into)), into)
        while (owner[owner] != owner).any():
            owner = owner[owner]
        self.alive, self.good = into < 0, self._sizes >= self._k
        order, starts = group_order(owner[home], len(into))
        self.members = [order[a:b] for a, b in pairwise(starts.tolist())]

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
        if self._index is None:
            return super().partner(group)
        from anonnb.methods.clustering._nearest import least_distortion  # needs numba, which takes a moment to import

        trie, search, level, costs, _, *places = self._index
        return least_distortion(group, trie, search, level, self.nodes, self._sizes, costs, *places)

    @cached_property
    def _index(self) -> tuple | None:
        """All groups in a trie, and what joining any two nodes costs and gives; None where that is not worth it.

        Costs and joined nodes are listed attribute after attribute, for all pairs of nodes.
        """
        widths = np.array([len(tree.level) for tree in self._trees])
        if len(self.nodes) <= PLAIN or (widths**2).sum() > MOST_PAIRS:
            return None
        from anonnb.methods.clustering import _nearest, _trie

        joined = [[tree.with_each(node) for node in range(len(tree.level))] for tree in self._trees]
        costs = [
            tree.attribute.weight * np.stack([own, others], axis=1)
            for tree, rows in zip(self._trees, joined, strict=True)
            for own, others, _ in rows
        ]
        table, starts = np.concatenate(costs), np.cumsum(widths**2) - widths**2
        usual = []
        for shown, start, width in zip(self.nodes.T, starts, widths, strict=True):
            chance = np.bincount(shown, minlength=width) / len(shown)
            usual.append(chance @ table[start : start + width**2, 0].reshape(width, width) @ chance)
        order = _trie.level_order(usual)
        trie = _trie.empty_trie(self.nodes[:, order])
        _nearest.put_all(trie)
        above = np.concatenate([node for rows in joined for *_, node in rows])
        return trie, _trie.new_search(widths), np.argsort(order), table, above, starts, widths

    def unite(self, group: int, target: int) -> None:
        super().unite(group, target)
        self._sizes[target] += self._sizes[group]
        if self._index is None:
            for a, tree in enumerate(self._trees):
                self.nodes[target, a] = tree.with_each(int(self.nodes[group, a]))[2][self.nodes[target, a]]
            return
        from anonnb.methods.clustering._nearest import unite_groups

        trie, _, level, _, above, *places = self._index
        unite_groups(group, target, trie, level, self.nodes, above, *places)

    def passes(self, group: int) -> bool:
        if self._check is None:
            return bool(self._sizes[group] >= self._k)
        return pass_together(self._check, self.members[group])
