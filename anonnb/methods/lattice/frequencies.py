"""Frequency sets of lattice nodes, rolled up (LeFevre, DeWitt and Ramakrishnan 2005, section 1.2).

The rows are counted once, as the distinct tuples of the finest level. Every other node adds up the counts of a node
below it that is already known, which has far fewer tuples than the table has rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.hierarchies.lattice import Lattice
from anonnb.tables.table import Table

# Tuples kept in the cache of frequency sets, 16 bytes each.
CACHED_TUPLES = 6_000_000
# A key packs as many columns as fit; further columns start another key.
KEY_ROOM = 2**62

Node = tuple[int, ...]

UNKNOWN, PASSES, FAILS = 0, 1, 2  # what is known of a node


def at_or_above(node: Node) -> tuple[slice, ...]:
    """Return the part of an array over the lattice that a node's generalizations fill, itself included."""
    return tuple(slice(level, None) for level in node)


def at_or_below(node: Node) -> tuple[slice, ...]:
    """Return the part of an array over the lattice that a node's specializations fill, itself included."""
    return tuple(slice(None, level + 1) for level in node)


@dataclass(frozen=True, eq=False)
class FrequencySet:
    """The distinct tuples of a node: ``keys`` (mixed-radix numbers, mostly one per tuple) and ``counts`` of rows."""

    node: Node
    keys: np.ndarray
    counts: np.ndarray

    def __len__(self) -> int:
        return len(self.counts)


class Frequencies:
    """Frequency sets of a table's nodes, each added up from a smaller one.

    A node gives a level per column. One level above a hierarchy's top is allowed and drops the column, so that the
    frequency sets of subsets of the quasi-identifier are nodes too.

    Parameters
    ----------
    table:
        The table whose rows are counted; its quasi-identifiers need hierarchies.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Hierarchy
    >>> table = Table(pd.DataFrame({"a": ["x", "y", "y"]}), quasi=["a"]).with_hierarchies(a=Hierarchy.flat())
    >>> found = Frequencies(table)
    >>> [found.at((level,)).counts.tolist() for level in (0, 1)]
    [[1, 2], [3]]
    >>> found.sizes((0,)), found.classes_of_rows((0,))
    ([2], (array([0, 1, 1]), 2))
    >>> found.labels(found.at((0,)), np.array([1]))
    [array([1])]
    >>> found.rolled_up(found.at((0,)), (1,)).counts, found.in_order_of(np.array([1, 0, 0]), 2, (0,)).counts
    (array([3]), array([2, 1]))
    """

    def __init__(self, table: Table):
        self.names = table.quasi
        self.n_rows = len(table)
        bound = [table.attributes[name].usable for name in self.names]
        self.lattice = Lattice([levels.height for levels in bound])
        # the extra last level has one label: the column is dropped
        self.maps = [np.vstack([levels.maps, np.zeros_like(levels.maps[:1])]) for levels in bound]
        self._sizes = [[*(len(labels) for labels in levels.labels), 1] for levels in bound]
        self._words = _packed([sizes[0] for sizes in self._sizes])
        self._steps: dict[tuple[int, int, int], np.ndarray] = {}
        self.codes = [table.codes(name) for name in self.names]
        self.finest, self.first_row, self.tuple_of_row = self._count_rows()
        self._cache: dict[Node, FrequencySet] = {}
        self._room = max(CACHED_TUPLES, 4 * len(self.finest))

    def _count_rows(self) -> tuple[FrequencySet, np.ndarray, np.ndarray]:
        bottom = self.lattice.bottom
        tuple_of_row, count = group_ids(self.codes, self.sizes(bottom))
        first = first_places(tuple_of_row, count)
        keys = np.zeros((len(self._words), count), dtype=np.int64)
        for word, columns in enumerate(self._words):
            for column in columns:
                keys[word] = keys[word] * self._sizes[column][0] + self.codes[column][first]
        counts = np.bincount(tuple_of_row, minlength=count)
        return FrequencySet(bottom, keys, counts), first, tuple_of_row

    def at(self, node: Node) -> FrequencySet:
        """Give the frequency set of a node, added up from the smallest known set below it."""
        if node == self.finest.node:
            return self.finest
        frequency_set = self._cache.get(node)
        if frequency_set is None:
            frequency_set = self.rolled_up(self._source(node), node)
            self._remember(frequency_set)
        return frequency_set

    def _source(self, node: Node) -> FrequencySet:
        known = [self._cache[below] for below in self.lattice.predecessors(node) if below in self._cache]
        if known:
            return min(known, key=len)
        # lower the last generalized column to the bottom: neighbours share these prefixes, as in a depth-first scan
        last = max(index for index, level in enumerate(node) if level)
        return self.at((*node[:last], 0, *node[last + 1 :]))

    def _remember(self, frequency_set: FrequencySet) -> None:
        self._room -= len(frequency_set)
        while self._room < 0 and self._cache:
            self._room += len(self._cache.pop(next(iter(self._cache))))
        self._cache[frequency_set.node] = frequency_set

    def rolled_up(self, source: FrequencySet, node: Node) -> FrequencySet:
        """Add up the frequency set of a node from that of any node below it.

        Parameters
        ----------
        source:
            The frequency set of a node below.
        """
        keys = self._generalized(source, node)
        n_keys = math.prod(self.sizes(node))
        if len(keys) == 1 and n_keys <= 4 * len(source) + 1024:  # a dense table of counts beats sorting
            sums = np.bincount(keys[0], weights=source.counts, minlength=n_keys)
            present = np.flatnonzero(sums)
            return FrequencySet(node, present[None, :], sums[present].astype(np.int64))
        order = np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys)
        keys = [key[order] for key in keys]
        fresh = np.any([key[1:] != key[:-1] for key in keys], axis=0) if len(keys) > 1 else keys[0][1:] != keys[0][:-1]
        starts = np.flatnonzero(np.concatenate([[True], fresh]))
        counts = np.add.reduceat(source.counts[order], starts)
        return FrequencySet(node, np.stack([key[starts] for key in keys]), counts)

    def _generalized(self, source: FrequencySet, node: Node) -> list[np.ndarray]:
        """Return the keys of a source's tuples at a higher node; equal ones are not yet brought together."""
        keys = list(source.keys)
        for word, columns in enumerate(self._words):
            low = 1  # the weight of a column in the key: the number of keys of the columns after it
            for column in reversed(columns):
                if source.node[column] != node[column]:
                    keys[word] = self._recoded(keys[word], low, column, source.node[column], node[column])
                low *= self._sizes[column][node[column]]
        return keys

    def _recoded(self, key: np.ndarray, low: int, column: int, old: int, new: int) -> np.ndarray:
        """Return a key with one column's label replaced by its label on a higher level."""
        above = key // low
        below = key - above * low
        rest = above // self._sizes[column][old]
        label = above - rest * self._sizes[column][old]
        return (rest * self._sizes[column][new] + self._step(column, old, new)[label]) * low + below

    def labels(self, found: FrequencySet, chosen: np.ndarray) -> list[np.ndarray]:
        """Give the label numbers of some tuples of a frequency set, column by column.

        Parameters
        ----------
        chosen:
            Which of its tuples: their positions, or a mask.
        """
        labels: list[np.ndarray] = [np.empty(0)] * len(self.names)
        for keys, columns in zip(found.keys, self._words, strict=True):
            rest = keys[chosen]
            for column in reversed(columns):
                rest, labels[column] = np.divmod(rest, self._sizes[column][found.node[column]])
        return labels

    def classes_of_rows(self, node: Node) -> tuple[np.ndarray, int]:
        """Give each row the number of its class at a node; computed on the finest tuples."""
        columns = [self.maps[column][level][self.codes[column][self.first_row]] for column, level in enumerate(node)]
        ids, count = group_ids(columns, self.sizes(node))
        return ids[self.tuple_of_row], count

    def in_order_of(self, groups: np.ndarray, n_groups: int, node: Node) -> FrequencySet:
        """Give the frequency set of a node with its tuples in the order in which its classes are numbered.

        Returns
        -------
        FrequencySet
            The same tuples and counts as :meth:`at`, the first class first.
        """
        first = first_places(groups, n_groups)
        keys = self.finest.keys[:, self.tuple_of_row[first]]
        finest = FrequencySet(self.finest.node, keys, np.bincount(groups, minlength=n_groups))
        return FrequencySet(node, np.stack(self._generalized(finest, node)), finest.counts)

    def sizes(self, node: Node) -> list[int]:
        """Count the labels of each column at a node."""
        return [sizes[level] for sizes, level in zip(self._sizes, node, strict=True)]

    def _step(self, column: int, old: int, new: int) -> np.ndarray:
        """Return the label at level ``new`` for each label at level ``old`` of a column."""
        key = (column, old, new)
        if key not in self._steps:
            step = np.zeros(self._sizes[column][old], dtype=np.int32)
            step[self.maps[column][old]] = self.maps[column][new]
            self._steps[key] = step
        return self._steps[key]

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Levels per column: the shape of an array over the lattice."""
        return tuple(height + 1 for height in self.lattice.heights)


def _packed(sizes: Sequence[int]) -> list[list[int]]:
    """Columns by key: each key takes the next columns as long as their mixed-radix number fits."""
    words: list[list[int]] = []
    n_keys = KEY_ROOM
    for column, size in enumerate(sizes):
        if not words or n_keys * size >= KEY_ROOM:
            words.append([])
            n_keys = 1
        words[-1].append(column)
        n_keys *= size
    return words


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a check of a node found: its classes, which of them miss the requirement, and the rows in those."""

    found: FrequencySet
    bad: np.ndarray
    suppressed: int
    passes: bool

    @property
    def node(self) -> Node:
        return self.found.node

    @property
    def n_classes(self) -> int:
        """Distinct tuples that would be published."""
        return int(len(self.bad) - self.bad.sum())


@dataclass(frozen=True, eq=False)
class Best:
    """The best node found, its loss, and a bound that no node can go below."""

    verdict: Verdict
    loss: float
    bound: float = -np.inf

    @property
    def proved(self) -> bool:
        return self.bound >= self.loss
