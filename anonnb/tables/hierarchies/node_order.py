"""An order of the nodes of a lattice that no row changes: by what their levels lose on the leaves of the hierarchies.

Reading: a hierarchy that lists no leaves, as intervals do, goes by the column's declared domain; without one a level
loses its share of the height. LocalRecoding publishes in this order, and the refinement attack reasons from it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from functools import reduce

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import text
from anonnb.tables.table import Table


def node_order(table: Table) -> np.ndarray:
    """Return all nodes, a row of levels each, by (sum of the levels' losses, sum of levels, levels)."""
    attributes = [table.attributes[name] for name in table.quasi]
    losses = [[loss * Fraction(str(each.weight)) for loss in level_losses(each)] for each in attributes]
    scale = math.lcm(*(loss.denominator for column in losses for loss in column))
    total = reduce(np.add.outer, [np.array([int(loss * scale) for loss in column], dtype=object) for column in losses])
    rank = np.unique(total, return_inverse=True)[1].ravel()  # of whole numbers of any size: nothing is rounded
    height = np.indices(total.shape).sum(axis=0).ravel()
    return np.stack(np.unravel_index(np.lexsort((height, rank)), total.shape), axis=1)


def level_losses(attribute: Attribute) -> list[Fraction]:
    """Return the mean NCP of each level that may be published over the leaves of the hierarchy; no row enters."""
    levels, tree = range(attribute.usable.height + 1), attribute.hierarchy
    numeric, leaves = attribute.kind == "numeric" and attribute.is_number, {}
    for leaf in listed_leaves(attribute):
        with suppress(ValueError, ZeroDivisionError):  # a word for missing values is no number
            leaves[leaf] = Fraction(text(leaf)) if numeric else Fraction()
    if tree is None or not leaves:
        return [Fraction(level, attribute.levels.height) for level in levels]

    def width(group: list[Fraction]) -> Fraction:
        return max(group) - min(group) if numeric else Fraction(len(group) - 1)

    losses, whole = [], len(leaves) * (width(list(leaves.values())) or 1)
    for level in levels:
        groups = defaultdict(list)
        for leaf, number in leaves.items():
            groups[tree.generalize(leaf, level)].append(number)
        losses.append(sum((len(group) * width(group) for group in groups.values()), Fraction()) / whole)
    return losses


def listed_leaves(attribute: Attribute) -> Sequence:
    """Return the values that the hierarchy lists or the declared domain holds; none if the hierarchy is a rule."""
    tree = attribute.hierarchy
    return () if tree is None else tree.values or (attribute.declared.values if attribute.declared else ())
