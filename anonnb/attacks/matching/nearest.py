"""The published rows nearest to a person who fits none of them.

Means, moved values and noise look like data, yet hardly anybody finds their own values there, and an outsider may fall
between the boxes of a generalized release: an attacker then takes the row that comes closest. Numbers differ by their
share of the published range, and from an interval by how far they lie outside; other values differ by 0 or 1. Many rows
of single values are put into a tree (``_row_tree``), so that the work grows about as n log n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from anonnb.core.progress import ticks
from anonnb.tables.attribute import Attribute
from anonnb.tables.matching import DistinctRows
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

BLOCK = 4_000_000  # people × rows in memory at once
FEW = 20_000_000  # people × rows that are compared without a tree: a blink
AT_ONCE = 4_096  # people who are looked for from one tick of progress to the next
SAMPLE = 1_000  # people whose search tells how long that of all of them takes
FAR = 1e300  # where a number is missing
TIE = 1e-9  # distances that differ by less are equal
PAIRS = 400_000_000  # people × boxes that are compared at most: seconds


def shows_single_values(release: Release, known: Sequence[str]) -> bool:
    """Whether every published cell of these columns is a single value, shown as itself."""
    return all(release.columns[name].is_exact() for name in known)


class NearestRows:
    """The nearest of the distinct rows of a release to any of some people.

    Few pairs of people and rows are compared one person at a time. Of many, the rows are put into a tree first, and
    only those are compared that can be nearest: the same rows are found, to the last bit of their distances.
    """

    def __init__(self, people: Table, published: DistinctRows, known: Sequence[str]):
        self._n_rows = len(published)
        columns = [_Distance(people, published, name) for name in known]
        self._numbers, self._others = [c for c in columns if c.is_number], [c for c in columns if not c.is_number]

    def blocks(self, persons: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Blocks of (persons, places among them, distinct rows): each pair of place and row is a nearest row.

        People and the rows of a person are in any order. The arrays hold them only until the next block is asked for.
        """
        if not self._n_rows:
            return
        if len(persons) * self._n_rows > FEW:
            yield from self._in_tree(persons)
            return
        step = max(BLOCK // self._n_rows, 1)
        for start in range(0, len(persons), step):
            block = persons[start : start + step]
            found = [_nearest(int(person), self._n_rows, self._numbers, self._others) for person in block]
            yield block, np.repeat(np.arange(len(block)), [len(rows) for rows in found]), np.concatenate(found)

    def _in_tree(self, persons: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The same blocks, of rows that are looked for in the tree."""
        near = np.empty(max(BLOCK, self._n_rows), dtype=np.int64)
        persons = persons[np.lexsort(self._points(persons).T[::-1])]  # who is alike meets the same part of the tree
        for start in ticks(range(0, len(persons), AT_ONCE), "people who fit no row"):
            block, done = persons[start : start + AT_ONCE], 0
            points = self._points(block)
            while done < len(block):
                count, counts, _ = self._tree.nearest(points, done, near)
                place = np.repeat(np.arange(count), counts)
                yield block[done : done + count], place, near[: len(place)]
                done += count

    def comparisons(self, persons: np.ndarray) -> int:
        """How many comparisons of a person with a row, or a part of the tree, are expected: from a sample of people."""
        some = np.unique(np.linspace(0, len(persons) - 1, SAMPLE).astype(np.int64)) if len(persons) else persons
        points, near = self._points(persons[some]), np.empty(max(BLOCK, self._n_rows), dtype=np.int64)
        done, total = 0, 0
        while done < len(some):
            count, _, steps = self._tree.nearest(points, done, near)
            done, total = done + count, total + steps
        return -(-total * len(persons) // max(len(some), 1))

    def _points(self, persons: np.ndarray) -> np.ndarray:
        """Some people as points of the tree."""
        return np.column_stack([column.own(persons) for column in [*self._others, *self._numbers]])

    @cached_property
    def _tree(self) -> RowTree:
        rows = np.column_stack([column.shown() for column in [*self._others, *self._numbers]])
        return RowTree(rows, len(self._others))


class NearestBoxes:
    """The nearest of the distinct rows of a release whose cells are sets of values, for some people.

    If there are so many people and rows that comparing all of them would take minutes, every person is compared with
    the same even sample of the rows.
    """

    def __init__(self, people: Table, published: DistinctRows, known: Sequence[str]):
        self._n_rows = len(published)
        self._columns = [(people.codes(name), _BoxDistance(people, published.column(name), name)) for name in known]

    def pairs(self, persons: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return pairs of a position in ``persons`` and a distinct row that is nearest to the person."""
        step = -(-len(persons) * self._n_rows // PAIRS) or 1
        rows = np.arange(0, self._n_rows, step)
        if not len(rows):
            return np.zeros(0, dtype=np.int64), rows
        columns = [(codes[persons], column, column.sets_of(rows)) for codes, column in self._columns]
        nearest = []
        for number in range(len(persons)):
            away = np.zeros(len(rows))
            for codes, column, sets in columns:
                away += column.distances(int(codes[number]))[sets]
            nearest.append(rows[away <= away.min() + TIE])
        counts = [len(found) for found in nearest]
        return np.repeat(np.arange(len(persons)), counts), np.concatenate([rows[:0], *nearest])


class _BoxDistance:
    """How far the values of people are from the published sets of one column."""

    def __init__(self, people: Table, column: Column, name: str):
        self._column, own = column, people.attributes[name]
        self._codes = own.recode_to(column.attribute)
        self._known: dict[int, np.ndarray] = {}
        self._numbers: np.ndarray | None = None
        if own.kind == "numeric" and column.attribute.kind == "numeric":
            self._numbers, ends = _in_shares_of_range(own, column.attribute)
            self._low, self._high = ends[column.sets.lo], ends[column.sets.hi]

    def sets_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the number of the set in each of some rows."""
        return self._column.index[rows]

    def distances(self, code: int) -> np.ndarray:
        """Return the distance of a person's value, given by its code, from every set; 0 inside, at most 1."""
        if code not in self._known:
            sets, published = self._column.sets, int(self._codes[code])
            inside = sets.sizes >= sets.attribute.size
            if published >= 0:
                inside = inside | sets.contains(published)
            away = np.ones(len(sets))
            if self._numbers is not None and not np.isnan(self._numbers[code]):
                outside = np.maximum(self._low - self._numbers[code], self._numbers[code] - self._high)
                away = np.clip(np.nan_to_num(outside, nan=1.0), 0.0, 1.0)
            self._known[code] = np.where(inside, 0.0, away)
        return self._known[code]


class RowTree:
    """Rows in a tree, each a point: the codes of so many ``plain`` columns, which differ by 0 or 1, then numbers."""

    def __init__(self, rows: np.ndarray, plain: int):
        from anonnb.attacks.matching._row_tree import grown  # needs numba, which takes a moment to import

        self._plain, self._tree = plain, grown(rows, plain, max(len(rows) // 4, 1))
        self._rows = rows[self._tree[0]]

    def nearest(self, people: np.ndarray, start: int, near: np.ndarray) -> tuple[int, np.ndarray, int]:
        """Fill in the nearest rows of people from a place on; how many people, how many rows of each, the work.

        Numbers differ by 1 at most.
        """
        from anonnb.attacks.matching._row_tree import nearest

        counts = np.zeros(len(people), dtype=np.int64)
        done, steps = nearest(people, start, self._rows, self._plain, self._tree, TIE, near, counts)
        return done, counts[start : start + done], steps

    def least_squares(self, people: np.ndarray, own: np.ndarray) -> np.ndarray:
        """For each person the square of Euclid's distance to the nearest row, their ``own`` left out (-1: none is)."""
        from anonnb.attacks.matching._row_tree import least_squares

        least = np.empty(len(people))
        for start in ticks(range(0, len(people), AT_ONCE), "people who fit no row"):
            some = slice(start, start + AT_ONCE)
            least_squares(people[some], self._rows, self._plain, self._tree, own[some], least[some])
        return least


def _nearest(person: int, n_rows: int, numbers: Sequence[_Distance], others: Sequence[_Distance]) -> np.ndarray:
    """The rows nearest to one person, in their order.

    Other values differ by whole numbers, so numbers are compared only in the rows that differ in so few other values
    that they can be nearest.
    """
    differ = np.zeros(n_rows, dtype=np.min_scalar_type(len(others)))  # narrow numbers are quick to add and to search
    for column in others:
        differ += column.differs(person)
    rows: list[np.ndarray] = []
    far: list[np.ndarray] = []
    best = np.inf
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
            self._own, ends = _in_shares_of_range(own, column.attribute)
            self._shown = ends[shown]
        else:
            narrow = np.min_scalar_type(-column.attribute.size - 1)
            self._own, self._shown = own.recode_to(column.attribute).astype(narrow), shown.astype(narrow)

    def own(self, persons: np.ndarray) -> np.ndarray:
        """The values of some people as numbers."""
        return _without_gaps(self._own[self._codes[persons]])

    def shown(self) -> np.ndarray:
        """The values of the rows as numbers."""
        return _without_gaps(self._shown)

    def differs(self, person: int) -> np.ndarray:
        """Which rows show another value than the person's."""
        return self._shown != self._own[self._codes[person]]

    def distance(self, person: int, rows: np.ndarray) -> np.ndarray:
        """The share of the range, 1 at most; a missing number is near a missing one only."""
        mine, shown = self._own[self._codes[person]], self._shown[rows]
        if np.isnan(mine):
            return (~np.isnan(shown)).astype(np.float64)
        return np.fmin(np.abs(shown - mine), 1.0)  # also where none is shown


def _in_shares_of_range(own: Attribute, published: Attribute) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the people's values and of the published ones, as shares of the published range."""
    scale = min(own.difference_scale, published.difference_scale)
    ends = published.numbers * scale
    known = ends[: len(published.domain)]
    width = (float(np.ptp(known)) if len(known) else 0.0) or 1.0
    return own.numbers_from(published) * scale / width, ends / width


def _without_gaps(values: np.ndarray) -> np.ndarray:
    """Values as numbers, with one for missing ones that is far from all others."""
    return np.nan_to_num(values.astype(np.float64), nan=FAR)
