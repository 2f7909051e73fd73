"""Children of published nodes: which there are, and how the rows of a class can be divided among them.

The downcoding attack counts with them. Children are interchangeable here: only their number and the rows matter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.tables.attribute import Attribute
from anonnb.tables.hierarchies.nodes import HierarchyNodes
from anonnb.tables.value_sets import Column

Family = tuple[list[str], np.ndarray]  # the children's labels, and for each code the number of the child above it


def families(column: Column, *, one_level: bool) -> dict[int, Family]:
    """For each published set of a column its children in the hierarchy; a value is its own only child.

    ``one_level``: the column was published on one level, and all sets go down from there. Of two equal nodes the lower
    one is meant: the upper has only one child.
    """
    attribute, sets, used = column.attribute, column.sets, np.unique(column.index)
    nodes = HierarchyNodes(attribute)
    sizes = np.bincount(nodes.ladder.ravel(), minlength=len(nodes.labels))
    level = {}
    for number in used:
        path = nodes.ladder[:, sets.lo[number]]
        fits = [sizes[node] == sets.sizes[number] and nodes.labels[node] == sets.labels[number] for node in path]
        level[number] = int(np.argmax(fits))
    if one_level:
        level = dict.fromkeys(level, max(level.values(), default=0))
    return {number: _family(nodes, int(sets.lo[number]), height) for number, height in level.items()}


def _family(nodes: HierarchyNodes, code: int, height: int) -> Family:
    """The children of the node above a code on a level, those included that the table has no value of."""
    if not height:
        return [nodes.labels[code]], np.zeros(nodes.attribute.size, dtype=np.int64)
    above, below = nodes.ladder[height], nodes.ladder[height - 1]
    seen = [nodes.labels[node] for node in below[above == above[code]]]
    children = list(dict.fromkeys([*seen, *_listed(nodes.attribute, nodes.labels[above[code]], height)]))
    return children, pd.Index(children).get_indexer([nodes.labels[node] for node in below])


def _listed(attribute: Attribute, parent: str, height: int) -> Sequence[str]:
    """The children that a hierarchy lists below a label of a level; none where it is a rule and not a list."""
    hierarchy = attribute.hierarchy
    if hierarchy is None or hierarchy.values is None:
        return []
    is_root = height > hierarchy.height  # a star that is added above the listed levels
    below = [value for value in hierarchy.values if is_root or hierarchy.generalize(value, height) == parent]
    return [hierarchy.generalize(value, height - 1) for value in below]


# ---- counting rows in children ----------------------------------------------------------------------------------


def most_small(rows: int, children: int, k: int) -> int:
    """At most how many of some rows can be in parts of fewer than k, when they are divided among children.

    >>> most_small(5, 2, k=5), most_small(9, 2, k=5), most_small(9, 1, k=5), most_small(4, 1, k=5)
    (5, 4, 0, 4)
    """
    if rows <= children * (k - 1):
        return rows
    return max(children - 1, 0) * (k - 1)


def left_children(rows: int, children: int, k: int, needed: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last child that each of the rows, in the order of their children, can have.

    ``needed`` is how many of them must be in parts of fewer than k.

    >>> [ends.tolist() for ends in left_children(3, 2, k=2, needed=1)]
    [[0, 0, 1], [0, 1, 1]]
    """
    counts = np.arange(rows + 1)
    rest = (
        np.array([most_small(rows - count, children - 1, k) for count in range(rows + 1)]) if needed > 0 else counts * 0
    )
    possible = np.flatnonzero(np.where(counts < k, counts, 0) + rest >= needed)
    fewest, most = int(possible[0]), int(possible[-1])
    child, place = np.arange(children), np.arange(rows)
    before = np.maximum(child * fewest, rows - (children - child) * most)
    upto = np.minimum((child + 1) * most, rows - (children - 1 - child) * fewest)
    return np.searchsorted(upto, place, side="right"), np.searchsorted(before, place, side="right") - 1


def by_chance(rows: int, children: int, place: np.ndarray, child: np.ndarray) -> np.ndarray:
    """The probability that the row in a place, in the order of the children, has a child, when all are equally likely.

    >>> by_chance(2, 2, np.array([0, 1]), np.array([0, 1])).tolist()
    [0.75, 0.75]
    """
    from scipy.stats import binom

    return binom.cdf(place, rows, child / children) - binom.cdf(place, rows, (child + 1) / children)
