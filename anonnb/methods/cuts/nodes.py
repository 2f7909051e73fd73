"""Hierarchies with the rows of a table below their nodes, for methods that move a cut up or down through them.

A cut is an array: for every code the node that stands for it.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from anonnb.core.arrays import group_pairs
from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.value_sets import Column


class Nodes(HierarchyNodes):
    """The nodes of one attribute's hierarchy, and what ``codes``, the table's column, has below each."""

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
        """The attribute recoded to a cut."""
        used, cell = np.unique(cut, return_inverse=True)
        return Column(self.sets(used), cell[self.codes])
