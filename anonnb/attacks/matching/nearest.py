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
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Blocks of (persons, places among them, distinct rows): each pair of place and row is a nearest row of a person.

    Other values differ by whole numbers, so numbers are compared only in the rows that differ in so few other values
    that they can be nearest: for one person at a time, whose differences stay in the processor's cache.
    """
    if not len(published):
        return
    columns = [_Distance(people, published, name) for name in known]
    numbers, others = [c for c in columns if c.is_number], [c for c in columns if not c.is_number]
    step = max(BLOCK // len(published), 1)
    for start in range(0, len(persons), step):
        block = persons[start : start + step]
        found = [_nearest(int(person), len(published), numbers, others) for person in block]
        yield block, np.repeat(np.arange(len(block)), [len(rows) for rows in found]), np.concatenate(found)


def _nearest(person: int, n_rows: int, numbers: Sequence[_Distance], others: Sequence[_Distance]) -> np.ndarray:
    """The rows nearest to one person, in their order."""
    differ = np.zeros(n_rows, dtype=np.min_scalar_type(len(others)))  # narrow numbers are quick to add and to search
    for column in others:
        differ += column.differs(person)
    rows, far, best = [], [], np.inf
    for level in range(int(differ.min()), len(others) + 1):
        if level > best + TIE:
            break  # even with equal numbers these are farther away
        some = np.flatnonzero(differ == level)
        if len(some):
            away = sum((column.distance(person, some) for column in numbers), np.full(len(some), float(level)))
            best = min(best, away.min())
            rows, far = [*rows, some], [*far, away]
    return np.sort(np.concatenate(rows)[np.concatenate(far) <= best + TIE])


class _Distance:
    """How far the values of people are from those of the published rows, in one column."""

    def __init__(self, people: Table, published: DistinctRows, name: str):
        column, own = published.column(name), people.attributes[name]
        self._codes, shown = people.codes(name), column.sets.lo[column.index]
        self.is_number = own.kind == "numeric" and column.attribute.kind == "numeric"
        if self.is_number:
            scale = min(own.difference_scale, column.attribute.difference_scale)
            ends = column.attribute.numbers * scale
            known = ends[: len(column.attribute.domain)]
            room = (float(np.ptp(known)) if len(known) else 0.0) or 1.0
            self._own, self._shown = own.numbers * scale / room, ends[shown] / room
        else:
            narrow = np.min_scalar_type(-column.attribute.size - 1)
            self._own, self._shown = own.recode_to(column.attribute).astype(narrow), shown.astype(narrow)

    def differs(self, person: int) -> np.ndarray:
        """Which rows show another value than the person's."""
        return self._shown != self._own[self._codes[person]]

    def distance(self, person: int, rows: np.ndarray) -> np.ndarray:
        """The share of the range, 1 at most; a missing number is near a missing one only."""
        mine, shown = self._own[self._codes[person]], self._shown[rows]
        if np.isnan(mine):
            return (~np.isnan(shown)).astype(np.float64)
        return np.fmin(np.abs(shown - mine), 1.0)  # also where none is shown
