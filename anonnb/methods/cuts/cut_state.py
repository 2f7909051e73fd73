"""The state of a cut through the hierarchies: the classes it makes, and what moving it by one node would do.

Everything is counted over the distinct tuples of the quasi-identifier. What a step does to the entropy of the decision
depends on the rows below its node only, so it is computed once; only the sizes of the classes are counted anew.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from anonnb.core.arrays import group_ids, group_pairs
from anonnb.methods.base import GroupMethod
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


class Nodes(HierarchyNodes):
    """The nodes of one attribute's hierarchy, and what ``codes``, the table's column, has below each.

    A cut through it is an array: for every code the node that stands for it.
    """

    def __init__(self, attribute: Attribute, codes: np.ndarray):
        super().__init__(attribute)
        self.codes = codes

    @property
    def bottom(self) -> np.ndarray:
        """The cut that generalizes nothing."""
        return self.ladder[0].copy()

    @property
    def top(self) -> np.ndarray:
        """The cut that generalizes everything to the root."""
        return self.ladder[-1].copy()

    @cached_property
    def rows(self) -> np.ndarray:
        """Number of the table's rows below each node."""
        counts = np.bincount(self.codes, minlength=self.ladder.shape[1])
        rows = np.zeros(len(self.labels), dtype=np.int64)
        for level in self.ladder:
            np.add.at(rows, level, counts)
        return rows

    def disorder(self, classes: np.ndarray, n_classes: int) -> np.ndarray:
        """Rows × entropy (bits) of the classes below each node."""
        total = np.zeros(len(self.labels))
        for level in self.ladder:
            node, _, count = group_pairs(classes, n_classes, level[self.codes])
            np.subtract.at(total, node, count * np.log2(count))
        filled = self.rows > 0
        total[filled] += self.rows[filled] * np.log2(self.rows[filled])
        return total

    def column(self, cut: np.ndarray) -> Column:
        """Return the attribute recoded to a cut."""
        used, cell = np.unique(cut, return_inverse=True)
        return Column(self.sets(used), cell[self.codes])


class CutState:
    """One cut (a node per code) for every attribute of the quasi-identifier, and the classes of equal tuples.

    Attributes are named by their position in the quasi-identifier. ``degree`` is the number of rows in the smallest
    class: the largest k that holds.
    """

    def __init__(self, method: GroupMethod, table: Table, start: str):
        self.k, self.names = method.k, list(table.quasi)
        self.nodes = [Nodes(table.attributes[name], table.codes(name)) for name in table.quasi]
        self.limited = [name for name in table.quasi if name in table.limits]
        self.weights = [table.attributes[name].weight for name in table.quasi]
        self._n_nodes = [len(tree.labels) for tree in self.nodes]
        self.cuts = [getattr(tree, start) for tree in self.nodes]
        self._filled = [np.unique(tree.codes) for tree in self.nodes]  # the codes that have rows
        self._check = method.further_check(table)
        self._tuple_of_row, n_tuples = group_ids([tree.codes for tree in self.nodes])
        self._tuple_rows = np.bincount(self._tuple_of_row, minlength=n_tuples)
        first = np.unique(self._tuple_of_row, return_index=True)[1]
        self._tuples = [tree.codes[first] for tree in self.nodes]
        decision = required_decision(table)
        classes, n_classes = table.codes(decision), table.attributes[decision].size
        self._disorder = [tree.disorder(classes, n_classes) for tree in self.nodes]
        self._refinements: dict[int, tuple] = {}  # by position; valid as long as no class changes
        self._joins: dict[int, tuple] = {}  # by position, as are the losses; valid as long as its cut does not change
        self._losses: list[dict[int, float]] = [{} for _ in self.nodes]
        self._regroup()

    def _regroup(self) -> None:
        """Number the classes that the cuts make."""
        nodes = [cut[codes] for cut, codes in zip(self.cuts, self._tuples, strict=True)]
        self._group, self.n_groups = group_ids(nodes, self._n_nodes)
        self.sizes = self._sizes(self._group, self.n_groups)
        self.degree = int(self.sizes.min())
        first = np.unique(self._group, return_index=True)[1]
        self._group_nodes = [column[first] for column in nodes]
        self._group_codes = [codes[first] for codes in self._tuples]

    def _sizes(self, parts: np.ndarray, n_parts: int) -> np.ndarray:
        return np.bincount(parts, weights=self._tuple_rows, minlength=n_parts).astype(np.int64)

    def passes(self) -> np.ndarray:
        """Return which classes have k rows and satisfy every required model."""
        return self._good(self._group, self.n_groups, self.sizes)

    def _good(self, parts: np.ndarray, n_parts: int, sizes: np.ndarray) -> np.ndarray:
        if self._check is None:
            return sizes >= self.k
        return self._check(parts[self._tuple_of_row], n_parts)

    def used(self, place: int, below: int | None = None) -> np.ndarray:
        """Return the nodes of a cut that have rows; only those below a node when one is given."""
        tree, codes = self.nodes[place], self._filled[place]
        if below is not None:
            codes = codes[tree.ladder[tree.level[below], codes] == below]
        return np.unique(self.cuts[place][codes])

    def _move(self, place: int, cut: np.ndarray) -> None:
        """Replace the cut of an attribute."""
        self.cuts[place] = cut
        self._joins.pop(place, None)
        self._losses[place].clear()
        self._regroup()

    # ---- going down -------------------------------------------------------------------------------------------

    def gains(self, place: int) -> np.ndarray:
        """Return for each node the entropy, in bits per row, that refining it removes."""
        tree, disorder = self.nodes[place], self._disorder[place]
        gain = disorder.copy()
        below = tree.parent >= 0
        np.subtract.at(gain, tree.parent[below], disorder[below])
        return np.maximum(gain, 0) / np.maximum(tree.rows, 1)

    def refinements(self, place: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the nodes of a cut that have children, the degree after refining each, and whether that is allowed."""
        if place not in self._refinements:
            self._refinements[place] = self._count_refinements(place)
        return self._refinements[place]

    def _count_refinements(self, place: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        tree, cut, codes = self.nodes[place], self.cuts[place], self._tuples[place]
        candidates = self.used(place)
        candidates = candidates[tree.level[candidates] > 0]
        parts, n_parts = group_ids([self._group, self._children(place)[codes]])
        sizes = self._sizes(parts, n_parts)
        node_of_part = np.empty(n_parts, dtype=np.int64)
        node_of_part[parts] = cut[codes]
        smallest_part = np.full(len(tree.labels), len(self._tuple_of_row), dtype=np.int64)
        np.minimum.at(smallest_part, node_of_part, sizes)
        bad = np.zeros(len(tree.labels), dtype=bool)
        bad[node_of_part[~self._good(parts, n_parts, sizes)]] = True
        after = np.minimum(smallest_part[candidates], self._smallest_elsewhere(place)[candidates])
        return candidates, after, ~bad[candidates]

    def _children(self, place: int) -> np.ndarray:
        """Return for every code the node one level below its node on the cut (a value stays itself)."""
        tree, cut = self.nodes[place], self.cuts[place]
        return tree.ladder[np.maximum(tree.level[cut] - 1, 0), np.arange(len(cut))]

    def _smallest_elsewhere(self, place: int) -> np.ndarray:
        """Return for each node the size of the smallest class that does not show it."""
        nodes = self._group_nodes[place]
        smallest = np.full(len(self.nodes[place].labels), len(self._tuple_of_row), dtype=np.int64)
        np.minimum.at(smallest, nodes, self.sizes)
        smallest_node = int(np.argmin(smallest))
        result = np.full(len(smallest), smallest[smallest_node])
        result[smallest_node] = np.delete(smallest, smallest_node).min(initial=len(self._tuple_of_row))
        return result

    def refine(self, place: int, node: int) -> np.ndarray:
        """Replace a node of the cut by its children; returns those that have rows."""
        old = self.n_groups
        self._move(place, np.where(self.cuts[place] == node, self._children(place), self.cuts[place]))
        if self.n_groups > old:
            self._refinements.clear()
        self._refinements.pop(place, None)
        return self.used(place, node)

    # ---- going up ---------------------------------------------------------------------------------------------

    def generalizations(self, place: int, failing: np.ndarray) -> np.ndarray:
        """Return the lowest nodes above those that failing classes show which join them with another node."""
        if place not in self._joins:
            self._joins[place] = self._count_joined(place)
        tree, (code_below, joined) = self.nodes[place], self._joins[place]
        result = set()
        for node in np.unique(self._group_nodes[place][failing]):
            path = tree.ladder[tree.level[node] + 1 :, code_below[node]]
            result.update(path[joined[path] > 1][:1].tolist())
        return np.array(sorted(result), dtype=np.int64)

    def _count_joined(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """For each node of a cut a code below it, and for each node above the cut how many of its nodes it joins."""
        tree, used = self.nodes[place], self.used(place)
        code_below = np.zeros(len(tree.labels), dtype=np.int64)
        code_below[self.cuts[place]] = np.arange(len(self.cuts[place]))
        joined = np.zeros(len(tree.labels), dtype=np.int64)
        for level, above in enumerate(tree.ladder):
            np.add.at(joined, above[code_below[used[tree.level[used] < level]]], 1)
        return code_below, joined

    def information_loss(self, place: int, node: int) -> float:
        """Return the entropy, in bits per row below the node, that joining everything below it adds."""
        losses, disorder = self._losses[place], self._disorder[place]
        if node not in losses:
            added = disorder[node] - disorder[self.used(place, node)].sum()
            losses[node] = max(float(added), 0.0) / int(self.nodes[place].rows[node])
        return losses[node]

    def degree_above(self, place: int, node: int) -> int:
        """Return the degree after joining everything below a node that is above the cut."""
        tree, nodes = self.nodes[place], self._group_nodes[place]
        below = tree.ladder[tree.level[node], self._group_codes[place]] == node
        if self.sizes[~below].min(initial=len(self._tuple_of_row)) == self.degree:
            return self.degree  # a smallest class is not affected: no need to count
        columns = list(self._group_nodes)
        columns[place] = np.where(below, node, nodes)
        parts, n_parts = group_ids(columns, self._n_nodes)
        return int(np.bincount(parts, weights=self.sizes, minlength=n_parts).min())

    def raise_to(self, place: int, node: int) -> np.ndarray:
        """Replace all nodes of the cut below a node by it; returns those that had rows."""
        old, tree = self.used(place, node), self.nodes[place]
        self._move(place, np.where(tree.ladder[tree.level[node]] == node, node, self.cuts[place]))
        return old
