"""The published rows nearest to a person, for releases whose cells all show a single value that need not be true.

Means, moved values and noise look like data, yet hardly anybody finds their own values there: an attacker takes the row
that comes closest. Numbers differ by their share of the published range, other values by 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from anonnb.tables.matching import DistinctRows
from anonnb.tables.release import Release
from anonnb.tables.table import Table

BLOCK = 4_000_000  # people × rows in memory at once
TIE = 1e-9  # distances that differ by less are equal


def shows_single_values(release: Release, known: Sequence[str]) -> bool:
    """Whether every published cell of these columns is a single value, shown as itself."""
    return all(release.columns[name].is_exact() for name in known)


def nearest_rows(
    people: Table, persons: np.ndarray, published: DistinctRows, known: Sequence[str]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Blocks of (persons, which of the distinct rows are nearest to each)."""
    if not len(published):
        return
    step = max(BLOCK // len(published), 1)
    columns = [_Distance(people, published, name) for name in known]
    for start in range(0, len(persons), step):
        block = persons[start : start + step]
        far = sum(column.of(block) for column in columns)
        yield block, far <= far.min(axis=1, keepdims=True) + TIE


class _Distance:
    """How far the values of people are from those of the published rows, in one column."""

    def __init__(self, people: Table, published: DistinctRows, name: str):
        column, own = published.column(name), people.attributes[name]
        self._codes, shown = people.codes(name), column.sets.lo[column.index]
        if own.kind == "numeric" and column.attribute.kind == "numeric":
            scale = min(own.difference_scale, column.attribute.difference_scale)
            ends = column.attribute.numbers * scale
            known = ends[: len(column.attribute.domain)]
            room = (float(np.ptp(known)) if len(known) else 0.0) or 1.0
            self._own, self._shown = own.numbers * scale / room, ends[shown] / room
        else:
            self._own, self._shown = own.recode_to(column.attribute), shown

    def of(self, persons: np.ndarray) -> np.ndarray:
        mine = self._own[self._codes[persons]][:, None]
        if self._own.dtype != np.float64:
            return (mine != self._shown).astype(np.float64)
        far = np.minimum(np.abs(mine - self._shown), 1.0)
        missing = np.isnan(mine) | np.isnan(self._shown)  # a missing number is near a missing one only
        return np.where(missing, ~(np.isnan(mine) & np.isnan(self._shown)), far)
