"""Hierarchies as trees with a single root and numbered nodes, for algorithms that walk up and down.

A hierarchy may end in several labels, and a missing value may stay separate on every level: ``*`` is then their root.
Node numbers run level by level, the values first, so that a code is its own lowest node.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from anonnb.core.arrays import group_min_max
from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import HIERARCHY_ROOT
from anonnb.tables.value_sets import ValueSets


def with_root(maps: np.ndarray) -> np.ndarray:
    """Return levels as label numbers (levels × values), with a level of one label on top if there is none.

    >>> with_root(np.array([[0, 1, 2], [0, 0, 1]])).tolist()
    [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    """
    if not maps[-1].any():  # all have label number 0
        return maps
    return np.vstack([maps, np.zeros((1, maps.shape[1]), dtype=maps.dtype)])


class HierarchyNodes:
    """The nodes of an attribute's hierarchy.

    ``ladder[level][code]`` is the node above a code on a level, ``maps[level][code]`` its number among the labels of
    that level. ``labels``, ``level`` and ``parent`` are per node (the root's parent is -1).

    >>> import pandas as pd
    >>> from anonnb import Hierarchy, Table
    >>> table = Table(pd.DataFrame({"age": [3, 8, 14]}), hierarchies={"age": Hierarchy.intervals(10, top=False)})
    >>> nodes = HierarchyNodes(table.attributes["age"])
    >>> nodes.labels
    ['3', '8', '14', '[0,10)', '[10,20)', '*']
    >>> nodes.ladder.tolist(), nodes.parent.tolist()
    ([[0, 1, 2], [3, 3, 4], [5, 5, 5]], [3, 3, 4, 5, 5, -1])
    """

    def __init__(self, attribute: Attribute):
        self.attribute = attribute
        usable = attribute.usable  # below a limit there are several tops, and no root above them
        self.maps, labels = usable.maps if attribute.limit is not None else with_root(usable.maps), list(usable.labels)
        if len(self.maps) > len(labels):
            labels.append([HIERARCHY_ROOT])
        starts = np.cumsum([0] + [len(names) for names in labels])
        self.ladder = self.maps.astype(np.int64) + starts[:-1, None]
        self.labels = [name for names in labels for name in names]
        self.level = np.repeat(np.arange(len(labels)), np.diff(starts))
        self.parent = np.full(len(self.labels), -1, dtype=np.int64)
        for below, above in zip(self.ladder[:-1], self.ladder[1:], strict=True):
            self.parent[below] = above

    @cached_property
    def ancestors(self) -> np.ndarray:
        """For each level and node, the node above it on that level, if the level is not below the node's own."""
        return self.ladder[:, self._ends[0]]

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The first and the last code below each node."""
        codes = np.tile(np.arange(self.attribute.size), len(self.ladder))
        return group_min_max(codes, self.ladder.ravel(), len(self.labels))

    def sets(self, nodes: np.ndarray) -> ValueSets:
        """Return the values below each of the given nodes, as sets with the nodes' labels."""
        lo, hi = (ends[nodes] for ends in self._ends)
        sizes = np.bincount(self.ladder.ravel(), minlength=len(self.labels))[nodes]
        gaps = hi - lo + 1 != sizes
        masks = np.zeros((int(gaps.sum()), self.attribute.size), dtype=bool)
        for row, node in enumerate(nodes[gaps]):
            masks[row] = self.ladder[self.level[node]] == node
        mask_row = np.where(gaps, np.cumsum(gaps) - 1, -1).astype(np.int32)
        return ValueSets(self.attribute, lo, hi, masks, mask_row, [self.labels[node] for node in nodes])
