"""Grouped secrets: a sensitive column that is published per group (Xiao and Tao 2006), as values and their counts.

Idea: every published row names its group, and a second table says how often each value occurs in the group. Who has
which value stays open, so a cell is the set of the group's values, each as likely as its share of the counts. Groups
are numbered by what is published of them, so that the numbers reveal nothing about the original order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_order, group_pairs, in_ranges
from anonnb.files.spreadsheets import formula_again
from anonnb.tables.attribute import Attribute
from anonnb.tables.published_cells import parse_column
from anonnb.tables.shown_columns import content_rank, only_used_categories, shown_frame
from anonnb.tables.value_sets import Column

GROUP, COUNT, COUNTERFEITS = "group", "count", "counterfeits"


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
        """Count the codes in each group, from the code and the group of every row; there are ``size`` codes."""
        return cls(column, np.asarray(group, dtype=np.int64), *group_pairs(codes, size, group))

    def take(self, places: np.ndarray) -> GroupedSecrets:
        """Return the secrets of some rows; the counts of the groups stay."""
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
        """Return the column as a release shows it: every row has the set of its group's values."""
        column = Column.of_groups(attribute, self.value, self.owner, self.n_groups, spans=False)
        return Column(column.sets, column.index[self.starts[:-1]][self.group])

    def says(self, attribute: Attribute, count_missing: bool = False) -> tuple[np.ndarray, Any]:
        """Return the number of each row's distribution, and the distributions as a sparse matrix over the codes.

        A missing value does not count, unless ``count_missing``.
        """
        from scipy.sparse import csr_array

        absent = attribute.missing and not count_missing
        count = np.where(self.value == attribute.missing_code, 0, self.count) if absent else self.count
        totals = np.maximum(np.bincount(self.owner, weights=count), 1)
        shape = (self.n_groups, attribute.size)
        return self.group, csr_array((count / totals[self.owner], (self.owner, self.value)), shape=shape)

    def spread(self, classes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return what is known about each class: (class, code, expected rows); a pair may occur repeatedly."""
        keys, rows = np.unique(classes * np.int64(self.n_groups) + self.group, return_counts=True)
        owner, group = np.divmod(keys, self.n_groups)
        first, last = self.starts[group], self.starts[group + 1]
        lengths, pairs = last - first, in_ranges(first, last)
        return np.repeat(owner, lengths), self.value[pairs], np.repeat(rows, lengths) * self.shares[pairs]


# ---- a release as two frames, people and secrets, joined by the number of the group --------------------------------


def free_name(wanted: str, taken: Iterable[object]) -> str:
    """Return a name that no column has.

    >>> free_name("group", ["age", "group"])
    'group 2'
    """
    names, number = set(map(str, taken)), 1
    while (name := wanted if number == 1 else f"{wanted} {number}") in names:
        number += 1
    return name


def added_names(columns: Iterable[object]) -> tuple[str, str, str]:
    """Return names for the group, the count and the counterfeits that differ from a table's columns."""
    columns = list(columns)
    return free_name(GROUP, columns), free_name(COUNT, columns), free_name(COUNTERFEITS, columns)


def people_frame(
    columns: Mapping[str, Column], secrets: GroupedSecrets, names: Sequence[str], taken: Iterable[object]
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return the first table, the columns ``names`` and the group; the order of its rows; the numbers of the groups.

    The column of the group has a name that is not ``taken``.
    """
    numbers = group_numbers(columns, secrets, names)
    shown_numbers = numbers[secrets.group]
    order = np.lexsort([*(content_rank(columns[name]) for name in reversed(names)), shown_numbers])
    frame = shown_frame(columns, names, order)
    frame[added_names(taken)[0]] = shown_numbers[order]
    return frame, order, numbers


def secrets_frame(
    attribute: Attribute, secrets: GroupedSecrets, numbers: np.ndarray, taken: Iterable[object]
) -> pd.DataFrame:
    """Return the second table: group, secret, count, and the counterfeits of the group where there may be any."""
    group, count, counterfeits = added_names(taken)
    kept = np.flatnonzero(numbers[secrets.owner] > 0)
    kept = kept[np.lexsort([attribute.as_written[secrets.value[kept]], numbers[secrets.owner[kept]]])]
    owner = secrets.owner[kept]
    frame = pd.DataFrame(
        {
            group: numbers[owner],
            secrets.column: only_used_categories(attribute.decode(secrets.value[kept]).reset_index(drop=True)),
            count: secrets.count[kept],
        }
    )
    return frame if secrets.counterfeits is None else frame.assign(**{counterfeits: secrets.counterfeits[owner]})


def group_numbers(columns: Mapping[str, Column], secrets: GroupedSecrets, names: Sequence[str]) -> np.ndarray:
    """Return the number of each group in what is published, from 1; 0 if no row of it is.

    Groups are ordered by their rows, from the first in the order of what the rows show, and then by their secrets.
    """
    alike = columns[secrets.column].attribute.as_written
    rank = _dense_rank([content_rank(columns[name]) for name in names], len(secrets.group))
    rows = _padded(rank, secrets.group, secrets.n_groups)
    values = _padded(alike[secrets.value], secrets.owner, secrets.n_groups)
    order = np.lexsort([*values.T[::-1], *rows.T[::-1]])
    order = order[rows[order, 0] >= 0] if rows.shape[1] else order[:0]
    numbers = np.zeros(secrets.n_groups, dtype=np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    return numbers


def _dense_rank(ranks: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """Return the rank of every row's content; equal contents have equal ranks."""
    if not ranks:
        return np.zeros(rows, dtype=np.int64)
    order = np.lexsort(list(reversed(ranks)))
    new = np.zeros(rows, dtype=bool)
    for rank in ranks:
        new[1:] |= rank[order][1:] != rank[order][:-1]
    result = np.empty(rows, dtype=np.int64)
    result[order] = np.cumsum(new)
    return result


def _padded(values: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the sorted values of each group as a row of a matrix, followed by -1."""
    order, starts = group_order(groups, n_groups)
    order = order[np.lexsort([values[order], groups[order]])]
    lengths = np.diff(starts)
    matrix = np.full((n_groups, int(lengths.max(initial=0))), -1, dtype=np.int64)
    matrix[groups[order], np.arange(len(order)) - np.repeat(starts[:-1], lengths)] = values[order]
    return matrix


def read_secrets(people: pd.DataFrame, secrets: pd.DataFrame, attributes: Mapping[str, Attribute]) -> GroupedSecrets:
    """Read the secrets of two tables that were published together, given the attributes of the original table."""
    group, count, counterfeits = added_names(attributes)
    for what, frame, name in (("first", people, group), ("second", secrets, group), ("second", secrets, count)):
        if name not in frame.columns:
            raise KeyError(f"the {what} of the two tables lacks the column {name!r}")
    written = {formula_again(str(name)): name for name in secrets.columns}
    column = next((name for name in attributes if str(name) in written), None)
    if column is None:
        raise KeyError("the second of the two tables has no column of the original")
    numbers, known = pd.factorize(people[group].astype(str))
    owner = pd.Index(known).get_indexer(secrets[group].astype(str))
    if (owner < 0).any() or len(np.unique(owner)) < len(known):
        raise ValueError(f"the two tables do not name the same groups in the column {group!r}")
    cells = parse_column(secrets[written[str(column)]], attributes[column])
    if cells.attribute is not attributes[column] or (cells.sizes != 1).any():
        raise ValueError(f"column {column!r} of the second table must hold values that the original has")
    times = _whole_numbers(secrets[count], count, least=1)
    invented = None
    if counterfeits in secrets.columns:
        invented = np.zeros(len(known), dtype=np.int64)
        invented[owner] = _whole_numbers(secrets[counterfeits], counterfeits, least=0)
    order = np.lexsort([cells.sets.lo[cells.index], owner])
    value = cells.sets.lo[cells.index][order].astype(np.int64)
    return GroupedSecrets(column, numbers.astype(np.int64), owner[order], value, times[order], invented)


def _whole_numbers(series: pd.Series, name: str, least: int) -> np.ndarray:
    numbers = pd.to_numeric(series, errors="coerce").to_numpy(dtype=float)
    if not ((numbers >= least) & (numbers % 1 == 0)).all():
        raise ValueError(f"column {name!r} of the second table must hold whole numbers of at least {least}")
    return numbers.astype(np.int64)
