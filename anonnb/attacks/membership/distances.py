"""How far people are from the nearest of many rows of single values.

Numbers differ by their share of the published range, other values by 0 or 1; the distance is Euclid's. With a corner
for each value, squared distances of all pairs are one product of matrices, which finds the nearest row; its distance is
then computed anew, since the product rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anonnb.tables.matching import DistinctRows, Matching
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

BLOCK = 8_000_000  # people × rows in memory at once
SAMPLE = 1000  # published rows whose neighbours say how near rows are to each other
MOST_VALUES = 300  # an attribute with more values than that is compared value by value


class RowDistances:
    """The known columns of a release as coordinates.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 60], "sex": ["f", "m", "m"]}))
    >>> rows = Release.of(table)
    >>> space = RowDistances(rows, ["age", "sex"])
    >>> space.distances(Table(pd.DataFrame({"age": [20, 40], "sex": ["f", "f"]})), rows).round(3).tolist()
    [0.0, 0.5]
    """

    def __init__(self, release: Release, known: Sequence[str]):
        self._known = list(known)
        self._attributes = {name: release.columns[name].attribute for name in known}

    def distances(self, people: Table, release: Release) -> np.ndarray:
        """For everybody the distance to the nearest row."""
        matching = Matching(release, people, self._known)
        (rows,), _ = matching.totals([matching.rows_per_kind])
        far = np.zeros(matching.n_cases)
        lost = np.flatnonzero(rows == 0)  # the others find their own values
        mine = [Column.original(people.attributes[name], people.codes(name)) for name in self._known]
        mine = self._points([column.take(matching.first_person[lost]) for column in mine])
        far[lost] = _nearest(mine, self._points(self._columns(matching.published)))
        return far[matching.case]

    def half_way(self, release: Release) -> float:
        """Half the median distance of a published row to the nearest other one; of a sample, if there are many."""
        rows = DistinctRows(release, self._known)
        every = self._points(self._columns(rows))
        some = np.unique(np.linspace(0, len(rows) - 1, SAMPLE).astype(np.int64))
        if len(rows) < 2:
            return 0.0
        return float(np.median(_nearest([part[some] for part in every], every, own=some))) / 2

    def _columns(self, rows: DistinctRows) -> list[Column]:
        return [rows.column(name) for name in self._known]

    def _points(self, columns: Sequence[Column]) -> list[np.ndarray]:
        """Coordinates that differ as Euclid has it, and codes of columns with many values, which differ by 0 or 1."""
        parts, codes = [np.zeros((len(columns[0]), 0))], []
        for name, column in zip(self._known, columns, strict=True):
            attribute, shown = self._attributes[name], column.sets.lo[column.index]
            if attribute.kind == "numeric" and column.attribute.kind == "numeric":
                parts.append(_scaled(attribute, column.attribute)[shown])
                continue
            code = column.attribute.recode_to(attribute)[shown]
            if attribute.size > MOST_VALUES:
                codes.append(code)
            else:
                parts.append(np.eye(attribute.size + 1)[code] * np.sqrt(0.5))  # the last corner: a value from elsewhere
        return [np.hstack(parts), np.array(codes, dtype=np.int64).reshape(len(codes), len(columns[0])).T]


def _scaled(attribute: object, own: object) -> np.ndarray:
    """The numbers of an attribute as shares of the published range, and a second coordinate for missing ones."""
    scale = min(attribute.difference_scale, own.difference_scale)
    known = attribute.numbers[: len(attribute.domain)] * scale
    low, room = (float(known.min()), float(np.ptp(known)) or 1.0) if len(known) else (0.0, 1.0)
    numbers = np.clip((own.numbers * scale - low) / room, -1.0, 2.0)
    return np.column_stack([np.nan_to_num(numbers, nan=0.5), np.isnan(numbers)])


def _nearest(people: list[np.ndarray], rows: list[np.ndarray], own: np.ndarray | None = None) -> np.ndarray:
    """The distance of each person to the nearest row; to another than their ``own``, if that is given."""
    far = np.zeros(len(people[0]))
    points, codes = rows[0].astype(np.float32), rows[1]
    squares = (points**2).sum(axis=1)
    step = max(BLOCK // max(len(points), 1), 1)
    for start in range(0, len(far), step):
        some = slice(start, start + step)
        apart = squares - 2 * (people[0][some].astype(np.float32) @ points.T)
        for mine, theirs in zip(people[1][some].T, codes.T, strict=True):
            apart += mine[:, None] != theirs
        if own is not None:
            apart[np.arange(len(apart)), own[some]] = np.inf
        best = apart.argmin(axis=1)
        exact = ((people[0][some] - rows[0][best]) ** 2).sum(axis=1) + (people[1][some] != codes[best]).sum(axis=1)
        far[some] = np.sqrt(exact)
    return far
