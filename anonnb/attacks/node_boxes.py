"""The boxes that a method published in the order of the lattice, as hierarchy nodes over all leaves.

The refinement attack reasons with them. All of it follows from what is public: the published labels, their hierarchies
with the leaves that occur nowhere, k, the number of suppressed rows, and an order of the nodes that no row changes.
"""

from __future__ import annotations

from math import inf

import numpy as np
import pandas as pd

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.node_order import listed_leaves, node_order
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


class NodeBoxes:
    """The boxes of a release in terms of hierarchy nodes over all leaves, and when each of them was published.

    ``nodes[i, c]`` is the node of class i in column c, the lowest with the same leaves; ``at`` is the position of its
    lattice node in the order, ``sizes`` its rows and ``group`` its number in the release. Group -1 are the suppressed
    rows, whose box is everything.
    """

    def __init__(self, release: Release, k: int):
        attributes = [release.table.attributes[name] for name in release.quasi]
        self.k, self.names, self.order = k, release.quasi, node_order(release.table)
        self.trees = [HierarchyNodes(_with_all_leaves(each)) for each in attributes]
        self.lowest = [_lowest_levels(tree) for tree in self.trees]
        self.heights = np.array([each.usable.height for each in attributes])
        first = first_places(release.groups, release.n_groups)
        trees = zip([release.columns[name] for name in release.quasi], self.trees, self.lowest, strict=True)
        self.nodes = np.column_stack([_nodes_of_sets(*each)[each[0].index[first]] for each in trees])
        self.sizes, self.group, rows = release.group_sizes, np.arange(release.n_groups), release.n_suppressed
        if rows and rows == release.info.get("suppressed", rows):  # and not rows that were left out since
            self.nodes = np.vstack([self.nodes, [canonical[-1] for _, canonical in self.lowest]])
            self.sizes, self.group = np.append(self.sizes, rows), np.append(self.group, -1)
        self.at = self._positions()
        self.at[(self.group < 0) & (self.sizes < k)] = len(self.order)  # k rows are a class that a file shows as all *

    def levels(self, nodes: np.ndarray) -> np.ndarray:
        """Return the levels of some boxes."""
        return np.column_stack([levels[own] for (levels, _), own in zip(self.lowest, nodes.T, strict=True)])

    def _positions(self) -> np.ndarray:
        """Return the position of each box's lattice node; the last if a column is above its limit."""
        levels, shape = self.levels(self.nodes), tuple(self.heights + 1)
        position = np.argsort(np.ravel_multi_index(tuple(self.order.T), shape))
        flat = np.ravel_multi_index(tuple(np.minimum(levels, self.heights).T), shape)
        return np.where((levels <= self.heights).all(axis=1), position[flat], len(self.order))

    def leaves(self, table: Table) -> np.ndarray:
        """Return the leaf of every row of a table in every column; -1 if the hierarchy has none."""
        columns = [(table.attributes[name], table.codes(name)) for name in self.names]
        leaf_codes = [_leaf_codes(each, tree) for (each, _), tree in zip(columns, self.trees, strict=True)]
        return np.column_stack([leaf[codes] for leaf, (_, codes) in zip(leaf_codes, columns, strict=True)])

    def first(self, nodes: np.ndarray, before: np.ndarray | float = inf) -> np.ndarray:
        """Return the first class, published before a position, whose box holds each of some boxes; -1 if none does."""
        result, levels = np.full(len(nodes), -1), np.full(nodes.shape, -1)
        known = (nodes >= 0).all(axis=1)
        levels[known] = self.levels(nodes[known])
        published = np.where(self.group >= 0, self.at, -1)
        for position in np.unique(published[published >= 0]):
            node, here = self.order[position], np.flatnonzero(published == position)
            rows = np.flatnonzero(known & (result < 0) & (position < before) & (levels <= node).all(axis=1))
            raised = [
                np.append(self.nodes[here, place], tree.ancestors[level][nodes[rows, place]])
                for place, (tree, level) in enumerate(zip(self.trees, node, strict=True))
            ]
            ids, count = group_ids(raised, [len(tree.labels) for tree in self.trees])
            number = np.full(count, -1)
            number[ids[: len(here)]] = here
            result[rows] = number[ids[len(here) :]]
        return result


def _leaf_codes(attribute: Attribute, tree: HierarchyNodes) -> np.ndarray:
    """Return for each code of an attribute the leaf of the tree with the same text; -1 if there is none."""
    leaves = tree.attribute.code_of_label
    return np.array([leaves.get(label, -1) for label in attribute.labels], dtype=np.int64)


def _nodes_of_sets(column: Column, tree: HierarchyNodes, lowest: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return the node of each published set of a column: the lowest with these values, as the others come later."""
    sets, leaf = column.sets, _leaf_codes(column.attribute, tree)
    above, result = tree.ladder[:, leaf], np.full(len(sets), -1)
    for number in np.unique(column.index):
        path, label = above[:, sets.lo[number]], sets.labels[number]
        fits = ((above == path[:, None]) & (leaf >= 0)).sum(axis=1) == sets.sizes[number]
        fits &= (above[:, sets.hi[number]] == path) & (leaf[sets.lo[number]] >= 0)
        if not fits.any():
            raise ValueError(f"column {column.attribute.name!r}: {label!r} is no label of its hierarchy")
        result[number] = lowest[1][path[int(np.argmax(fits))]]
    return result


def _with_all_leaves(attribute: Attribute) -> Attribute:
    """Return the same column with every value that its hierarchy lists, in the table or not."""
    leaves = listed_leaves(attribute)
    if not leaves:
        raise ValueError(
            f"column {attribute.name!r}: the refinement attack needs all values that there can be; attach a hierarchy "
            "that lists them, or declare them with domains="
        )
    return Attribute(attribute.name, "nominal", pd.Index(leaves, dtype=object), attribute.missing, attribute.hierarchy)


def _lowest_levels(tree: HierarchyNodes) -> tuple[np.ndarray, np.ndarray]:
    """Return for each node the lowest level with a node of the same leaves, and that node."""
    leaves = np.bincount(tree.ladder.ravel(), minlength=len(tree.labels))
    level = np.argmax(leaves[tree.ancestors] == leaves, axis=0)
    return level, tree.ancestors[level, np.arange(len(leaves))]
