"""Who fits which row, column by column: value sets against value sets.

Where the sets of the rows do not overlap, people and rows are joined (``selections``); elsewhere both are halved
together, as in a k-d tree (``neighbourhoods``), and the rest is compared directly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.matching.neighbourhoods import Span, neighbourhoods
from anonnb.tables.matching.selections import Selections, joined, most_pairs
from anonnb.tables.value_sets import Column


class Overlaps:
    """Which of some rows share a value with each of some people in every column.

    The code -1 stands for a value outside the domain: only a set that begins there holds it.

    Parameters
    ----------
    people, rows:
        Lists of columns in the same codes.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Table
    >>> age = Table(pd.DataFrame({"age": [30, 35, 39, 50]})).attributes["age"]
    >>> people = Column.original(age, np.array([0, 1, 3]))
    >>> rows = Column.from_spans(age, np.array([0, 1]), np.array([1, 3]))
    >>> found = Overlaps([people], [rows])
    >>> found.matrix().tolist()
    [[True, False], [True, True], [False, True]]
    >>> found.pairs(np.array([0, 2]), np.array([0, 0])).tolist(), found.totals([np.ones(2)])[0][0].tolist()
    ([True, False], [1.0, 2.0, 1.0])
    >>> found.only([0]).n_rows
    2
    """

    def __init__(self, people: Sequence[Column], rows: Sequence[Column]):
        self._people, self._rows = list(people), list(rows)
        self.n_people, self.n_rows = len(people[0]), len(rows[0])

    def only(self, columns: Sequence[int]) -> Overlaps:
        """Return the overlaps in some of the columns, given by their positions."""
        return Overlaps([self._people[number] for number in columns], [self._rows[number] for number in columns])

    def matrix(self, people: np.ndarray | None = None, rows: np.ndarray | None = None) -> np.ndarray:
        """Return which people fit which rows."""
        people = np.arange(self.n_people) if people is None else people
        rows = np.arange(self.n_rows) if rows is None else rows
        fits = np.ones((len(people), len(rows)), dtype=bool)
        for pair in self._pairs:
            pair.narrow(fits, people, rows)
        return fits

    def pairs(self, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return, for each person, whether the row at the same position fits."""
        fits = np.ones(len(people), dtype=bool)
        for pair in self._pairs:
            fits &= pair.pairs(people, rows)
        return fits

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield blocks of (people, rows, flags of who fits which); everybody is in one, with all rows they fit."""
        spans = ([pair.people for pair in self._pairs], [pair.rows for pair in self._pairs])
        for people, rows in neighbourhoods(*spans):
            yield people, rows, self.matrix(people, rows)

    def totals(
        self, rows: Sequence[np.ndarray] = (), people: Sequence[np.ndarray] = ()
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Return sums over the rows that fit each person, and over the people who fit each row.

        Parameters
        ----------
        rows:
            Numbers to sum over rows: vectors, or matrices (rows × kinds).
        people:
            Numbers to sum over people: vectors.
        """
        if self.selections is not None:
            return self.selections.totals(rows, people)
        rows, people = [np.asarray(part, dtype=np.float64) for part in rows], [np.asarray(part) for part in people]
        per_person = [np.zeros((self.n_people, *part.shape[1:])) for part in rows]
        per_row = [np.zeros(self.n_rows) for _ in people]
        for block, near, fits in self.blocks():
            picked = fits.astype(np.float64)
            for total, part in zip(per_person, rows, strict=True):
                total[block] = picked @ part[near]
            for total, part in zip(per_row, people, strict=True):
                total[near] += part[block].astype(np.float64) @ picked
        return per_person, per_row

    @cached_property
    def selections(self) -> Selections | None:
        """The rows that each person fits; None where these are too many to be kept."""
        selections = joined(self._people, self._rows)
        return self._compared() if selections is None else selections

    def _compared(self) -> Selections | None:
        """Compute the sums block by block."""
        left, persons, chosen = most_pairs(self.n_people, self.n_rows), [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for block, near, fits in self.blocks():
            person, row = np.nonzero(fits)
            left -= len(row)
            if left < 0:
                return None
            persons.append(block[person])
            chosen.append(near[row])
        return Selections.of_pairs(np.concatenate(persons), np.concatenate(chosen), self.n_people, self.n_rows)

    @cached_property
    def _pairs(self) -> list[_ColumnPair]:
        return [_ColumnPair(people, rows) for people, rows in zip(self._people, self._rows, strict=True)]


class _ColumnPair:
    """One column of people and rows: the ends of all sets, and counters for those that have gaps."""

    def __init__(self, people: Column, rows: Column):
        self.people, self.rows = ends(people), ends(rows)
        self._person, self._row = _Gaps(people), _Gaps(rows)
        if self._person and self._row:
            self._shared = people.sets.masks.astype(np.float32) @ rows.sets.masks.T.astype(np.float32) > 0

    def narrow(self, fits: np.ndarray, people: np.ndarray, rows: np.ndarray) -> None:
        """Clear the flags (people × rows) of pairs that do not overlap in this column."""
        (first, last), (low, high) = self.people, self.rows
        fits &= low[rows] <= last[people, None]
        fits &= high[rows] >= first[people, None]
        in_rows, in_people = self._row.among(rows), self._person.among(people)
        if len(in_rows):
            # few different spans stand for many people: each is compared once
            span, count = group_ids([first[people] + 1, last[people] + 1])
            person = people[first_places(span, count)]
            met = self._row.meet(rows[in_rows], first[person, None], last[person, None])
            fits[:, in_rows] &= met[span]
        if len(in_people):
            fits[in_people] &= self._person.meet(people[in_people, None], low[rows], high[rows])
        if len(in_rows) and len(in_people):
            sets = self._person.sets[people[in_people]], self._row.sets[rows[in_rows]]
            fits[np.ix_(in_people, in_rows)] &= self._shared[np.ix_(*sets)]

    def pairs(self, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return, for each person, whether they overlap the row at the same position."""
        (first, last), (low, high) = ((ends[people] for ends in self.people), (ends[rows] for ends in self.rows))
        met = (low <= last) & (high >= first)
        in_rows, in_people = self._row.among(rows), self._person.among(people)
        met[in_rows] &= self._row.meet(rows[in_rows], first[in_rows], last[in_rows])
        met[in_people] &= self._person.meet(people[in_people], low[in_people], high[in_people])
        if len(in_rows) and len(in_people):
            both = np.intersect1d(in_rows, in_people)
            met[both] &= self._shared[self._person.sets[people[both]], self._row.sets[rows[both]]]
        return met


class _Gaps:
    """The sets of a column that have gaps, and whether they hold a value between two codes."""

    def __init__(self, column: Column):
        self.sets, self._masks = column.sets.mask_row[column.index], column.sets.masks

    def __bool__(self) -> bool:
        return len(self._masks) > 0

    @cached_property
    def _upto(self) -> np.ndarray:
        """How many values of each set are below each code: four times the masks, so made for spans only."""
        upto = np.zeros((len(self._masks), self._masks.shape[1] + 1), dtype=np.int32)
        np.cumsum(self._masks, axis=1, out=upto[:, 1:])
        return upto

    def among(self, places: np.ndarray) -> np.ndarray:
        """Return which of these cells have gaps."""
        return np.flatnonzero(self.sets[places] >= 0) if self else np.zeros(0, dtype=np.int64)

    def meet(self, places: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return whether the sets of these cells hold one of the codes (-1, outside the domain, is in none)."""
        sets = self.sets[places]
        if np.array_equal(first, last):
            return self._masks[sets, np.maximum(first, 0)] & (first >= 0)
        return self._upto[sets, last + 1] > self._upto[sets, np.maximum(first, 0)]


def ends(column: Column) -> Span:
    return column.sets.lo[column.index], column.sets.hi[column.index]
