"""The table that a tree stands for (Ciriani et al. 2008, Figs 1.18 and 1.20): a row shows what its path says.

With private attributes in the tree, a row shows what all public splits on its way say, whatever private branch it
takes: the rows that read alike are the spans of Friedman, Wolff and Schuster.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from anonnb.core.arrays import distinct_rows, group_ids
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets
from anonnb.trees.tree import Node, Tree


def table_of(table: Table, tree: Tree, public: Collection[str]) -> Release:
    """Return the release whose classes are the tree's spans (its leaves, if all its attributes are public)."""
    span = np.zeros(len(table), dtype=np.int64)
    steps = list(_public_branches(table, tree, public))
    for _, rows, _ in steps:
        inside = np.zeros(len(table), dtype=np.int64)
        inside[rows] = 1
        span, _ = group_ids([span, inside], [len(table), 2])
    count = int(span.max()) + 1
    columns = {}
    for name in table.quasi:
        attribute = table.attributes[name]
        masks = np.ones((count, attribute.size), dtype=bool)
        for tested, rows, allowed in steps:
            if tested == name:
                masks[np.unique(span[rows])] &= allowed
        columns[name] = _column(attribute, masks, span)
    return Release(table, columns, np.arange(len(table)))


def _public_branches(table: Table, tree: Tree, public: Collection[str]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield each branch of a public split: attribute, rows whose public values lead there, its values."""
    stack: list[tuple[Node, np.ndarray]] = [(tree.root, np.arange(len(table)))]
    while stack:
        node, rows = stack.pop()
        if node.is_leaf:
            continue
        split = node.divided
        name = split.attribute.name
        if name not in public:
            stack += [(child, rows) for child in node.children]
            continue
        codes = table.codes(name)[rows]
        # a cut covers all values; a list of values only those that occurred
        stated = np.ones(split.attribute.size, dtype=bool)
        if split.cut is None:
            stated = np.isin(np.arange(len(stated)), codes)
        for number, child in enumerate(node.children):
            branch = split.branch == number
            yield name, rows[branch[codes]], branch & stated
            stack.append((child, rows[branch[codes]]))


def _column(attribute: Attribute, masks: np.ndarray, span: np.ndarray) -> Column:
    """Return the masks of the spans as a column; a set that has a label in the hierarchy is shown by it."""
    first, index = distinct_rows(np.packbits(masks, axis=1))
    distinct = masks[first]
    labels = ValueSets.from_masks(attribute, distinct).labels
    named = [
        label if mask.all() else name_of_set(attribute, mask) or label
        for mask, label in zip(distinct, labels, strict=True)
    ]
    return Column(ValueSets.from_masks(attribute, distinct, named), index[span])


def name_of_set(attribute: Attribute, mask: np.ndarray) -> str | None:
    """Return the label that the attribute's own hierarchy gives to a set of two or more values, if any.

    >>> import anonnb
    >>> name_of_set(anonnb.load("survey").attributes["Marital_status"], np.array([True, True, False]))
    'been_married'
    """
    if attribute.hierarchy is None or mask.sum() < 2:
        return None
    levels, first = attribute.levels, int(np.argmax(mask))
    for level in range(1, levels.height + 1):
        if np.array_equal(levels.maps[level] == levels.maps[level][first], mask):
            return levels.labels[level][levels.maps[level][first]]
    return None
