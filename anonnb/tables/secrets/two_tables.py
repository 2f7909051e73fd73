"""A release with grouped secrets as two frames, people and secrets, joined by the number of the group.

Groups are numbered by what is published of them, so that the numbers reveal nothing about the original order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_order
from anonnb.files.spreadsheets import formula_again
from anonnb.tables.published_cells import parse_column
from anonnb.tables.secrets.grouped import GroupedSecrets
from anonnb.tables.shown_columns import content_rank, only_used_categories, shown_frame

GROUP, COUNT, COUNTERFEITS = "group", "count", "counterfeits"


def free_name(wanted: str, taken: Iterable[object]) -> str:
    """A name that no column has.

    >>> free_name("group", ["age", "group"])
    'group 2'
    """
    names, number = set(map(str, taken)), 1
    while (name := wanted if number == 1 else f"{wanted} {number}") in names:
        number += 1
    return name


def added_names(columns: Iterable[object]) -> tuple[str, str, str]:
    """The names of the group, the count and the number of counterfeits, different from the columns of a table."""
    columns = list(columns)
    return tuple(free_name(name, columns) for name in (GROUP, COUNT, COUNTERFEITS))


def people_frame(release: Any, names: Sequence[str]) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """The first table: the columns ``names`` and the group; with it the order of the rows and the groups' numbers."""
    numbers = group_numbers(release, names)
    shown = numbers[release.secrets.group]
    order = np.lexsort([*(content_rank(release.columns[name]) for name in reversed(names)), shown])
    frame = shown_frame(release.columns, names, order)
    frame[added_names(release.table.columns)[0]] = shown[order]
    return frame, order, numbers


def secrets_frame(release: Any, numbers: np.ndarray) -> pd.DataFrame:
    """The second table: group, secret, count, and the counterfeits of the group where there may be any."""
    secrets: GroupedSecrets = release.secrets
    attribute = release.columns[secrets.column].attribute
    group, count, counterfeits = added_names(release.table.columns)
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


def group_numbers(release: Any, names: Sequence[str]) -> np.ndarray:
    """For each group its number in what is published, from 1; 0 where no row of it is.

    Groups are ordered by their rows, from the first in the order of what the rows show, and then by their secrets.
    """
    secrets: GroupedSecrets = release.secrets
    alike = release.columns[secrets.column].attribute.as_written
    rank = _dense_rank([content_rank(release.columns[name]) for name in names], len(secrets.group))
    rows = _padded(rank, secrets.group, secrets.n_groups)
    values = _padded(alike[secrets.value], secrets.owner, secrets.n_groups)
    order = np.lexsort([*values.T[::-1], *rows.T[::-1]])
    order = order[rows[order, 0] >= 0] if rows.shape[1] else order[:0]
    numbers = np.zeros(secrets.n_groups, dtype=np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    return numbers


def _dense_rank(ranks: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """The place of every row's content in the order of contents; equal contents have equal places."""
    if not ranks:
        return np.zeros(rows, dtype=np.int64)
    order = np.lexsort(list(reversed(ranks)))
    new = np.zeros(rows, dtype=bool)
    for rank in ranks:
        new[1:] |= rank[order][1:] != rank[order][:-1]
    place = np.empty(rows, dtype=np.int64)
    place[order] = np.cumsum(new)
    return place


def _padded(values: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """The sorted values of each group as a row of a matrix, -1 behind the last."""
    order, starts = group_order(groups, n_groups)
    order = order[np.lexsort([values[order], groups[order]])]
    lengths = np.diff(starts)
    matrix = np.full((n_groups, int(lengths.max(initial=0))), -1, dtype=np.int64)
    matrix[groups[order], np.arange(len(order)) - np.repeat(starts[:-1], lengths)] = values[order]
    return matrix


def read_secrets(people: pd.DataFrame, secrets: pd.DataFrame, like: Any) -> GroupedSecrets:
    """The secrets of two tables that were published together; ``like`` is the original table."""
    group, count, counterfeits = added_names(like.columns)
    for what, frame, name in (("first", people, group), ("second", secrets, group), ("second", secrets, count)):
        if name not in frame.columns:
            raise KeyError(f"the {what} of the two tables lacks the column {name!r}")
    written = {formula_again(str(name)): name for name in secrets.columns}
    column = next((name for name in like.columns if str(name) in written), None)
    if column is None:
        raise KeyError("the second of the two tables has no column of the original")
    numbers, known = pd.factorize(people[group].astype(str))
    owner = pd.Index(known).get_indexer(secrets[group].astype(str))
    if (owner < 0).any() or len(np.unique(owner)) < len(known):
        raise ValueError(f"the two tables do not name the same groups in the column {group!r}")
    cells = parse_column(secrets[written[str(column)]], like.attributes[column])
    if cells.attribute is not like.attributes[column] or (cells.sizes != 1).any():
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
