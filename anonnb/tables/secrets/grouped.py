"""Grouped secrets: a sensitive column that is published per group (Xiao and Tao 2006), as values and their counts.

Idea: every published row names its group, and a second table says how often each value occurs in the group. Who has
which value stays open, so a cell is the set of the group's values, each as likely as its share of the counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from anonnb.core.arrays import group_pairs, in_ranges
from anonnb.tables.attribute import Attribute
from anonnb.tables.value_sets import Column


@dataclass(frozen=True, eq=False)
class GroupedSecrets:
    """The values of ``column`` in each group: pairs of group (``owner``) and code (``value``), sorted, with counts.

    ``group`` is the group of every published row. ``counterfeits`` says for each group how many of its counts stand for
    nobody (None: there are none).

    >>> secrets = GroupedSecrets.of("ill", np.array([2, 0, 1, 2]), np.array([0, 0, 1, 1]), size=3)
    >>> secrets.owner.tolist(), secrets.value.tolist(), secrets.highest_share
    ([0, 0, 1, 1], [0, 2, 1, 2], 0.5)
    """

    column: str
    group: np.ndarray
    owner: np.ndarray
    value: np.ndarray
    count: np.ndarray
    counterfeits: np.ndarray | None = None

    @classmethod
    def of(cls, column: str, codes: np.ndarray, group: np.ndarray, size: int) -> GroupedSecrets:
        """From the code and the group of every row; ``size`` is the number of codes."""
        return cls(column, np.asarray(group, dtype=np.int64), *group_pairs(codes, size, group))

    def take(self, places: np.ndarray) -> GroupedSecrets:
        """The secrets of some rows; the counts of the groups stay."""
        return replace(self, group=self.group[places])

    @cached_property
    def totals(self) -> np.ndarray:
        """The counts of each group together."""
        return np.bincount(self.owner, weights=self.count).astype(np.int64)

    @property
    def n_groups(self) -> int:
        return len(self.totals)

    @cached_property
    def starts(self) -> np.ndarray:
        """Where the pairs of each group begin, and where the last ends."""
        return np.searchsorted(self.owner, np.arange(self.n_groups + 1))

    @property
    def shares(self) -> np.ndarray:
        """Of each pair the share of the value in its group."""
        return self.count / self.totals[self.owner]

    @property
    def highest_share(self) -> float:
        """The largest share of one value in a group: the most that anyone may believe about a person."""
        return float(self.shares.max(initial=0.0))

    def cells(self, attribute: Attribute) -> Column:
        """The column as a release shows it: every row has the set of its group's values."""
        column = Column.of_groups(attribute, self.value, self.owner, self.n_groups, spans=False)
        return Column(column.sets, column.index[self.starts[:-1]][self.group])

    def says(self, attribute: Attribute, count_missing: bool = False) -> tuple[np.ndarray, Any]:
        """For every row the number of a distribution, and the distributions as a sparse matrix over the codes.

        A missing value does not count, unless ``count_missing``.
        """
        from scipy.sparse import csr_array

        absent = attribute.missing and not count_missing
        count = np.where(self.value == attribute.missing_code, 0, self.count) if absent else self.count
        totals = np.maximum(np.bincount(self.owner, weights=count), 1)
        shape = (self.n_groups, attribute.size)
        return self.group, csr_array((count / totals[self.owner], (self.owner, self.value)), shape=shape)

    def spread(self, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is known about the rows of each class: (class, code, expected rows); a pair may occur repeatedly."""
        keys, rows = np.unique(classes * np.int64(self.n_groups) + self.group, return_counts=True)
        owner, group = np.divmod(keys, self.n_groups)
        first, last = self.starts[group], self.starts[group + 1]
        lengths, pairs = last - first, in_ranges(first, last)
        return np.repeat(owner, lengths), self.value[pairs], np.repeat(rows, lengths) * self.shares[pairs]
