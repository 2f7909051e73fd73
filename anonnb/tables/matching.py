"""Which people fit which published row: the one engine behind attacks, population models and pattern tables.

A person fits a row when their value sets overlap in every column. Where the sets of the rows do not overlap, people and
rows are joined by set numbers; elsewhere both are halved together, as in a k-d tree, so that each half of the people
keeps only the rows that can fit it, and the rest is compared directly. Equal people and equal rows are processed once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from anonnb.core.arrays import first_places, group_ids
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

LEAF = 250_000  # people × rows that are compared without dividing further
BLOCK = 4_000_000  # people × rows in memory at once
WORTH = 0.8  # a division must leave at most this share of the comparisons

Span = tuple[np.ndarray, np.ndarray]  # first and last code, for each person or each row


# ---- columns against columns ------------------------------------------------------------------------------------


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
    >>> age = Table(pd.DataFrame({"age": [30, 35, 39, 50]})).attributes["age"]
    >>> people = Column.original(age, np.array([0, 1, 3]))
    >>> rows = Column.from_spans(age, np.array([0, 1]), np.array([1, 3]))
    >>> found = Overlaps([people], [rows])
    >>> found.matrix().tolist()
    [[True, False], [True, True], [False, True]]
    >>> found.pairs(np.array([0, 2]), np.array([0, 0])).tolist(), found.totals([np.ones(2)])[0][0].tolist()
    ([True, False], [1.0, 2.0, 1.0])
    """

    def __init__(self, people: Sequence[Column], rows: Sequence[Column]):
        self._people, self._rows = list(people), list(rows)
        self.n_people, self.n_rows = len(people[0]), len(rows[0])

    def matrix(self, people: np.ndarray | None = None, rows: np.ndarray | None = None) -> np.ndarray:
        """Which people fit which rows.

        Parameters
        ----------
        people, rows:
            Numbers of people and of rows; all by default.

        Returns
        -------
        numpy.ndarray
            Flags, people × rows.
        """
        people = np.arange(self.n_people) if people is None else people
        rows = np.arange(self.n_rows) if rows is None else rows
        fits = np.ones((len(people), len(rows)), dtype=bool)
        for pair in self._pairs:
            pair.narrow(fits, people, rows)
        return fits

    def pairs(self, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """For each person, whether the row at the same place fits.

        Parameters
        ----------
        people, rows:
            Numbers of people and of rows, equally many.

        Returns
        -------
        numpy.ndarray
            A flag per pair.
        """
        fits = np.ones(len(people), dtype=bool)
        for pair in self._pairs:
            fits &= pair.pairs(people, rows)
        return fits

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Blocks of (people, rows, flags of who fits which); everybody is in one, with all the rows they fit."""
        spans = ([pair.people for pair in self._pairs], [pair.rows for pair in self._pairs])
        for people, rows in neighbourhoods(*spans):
            yield people, rows, self.matrix(people, rows)

    def totals(
        self, rows: Sequence[np.ndarray] = (), people: Sequence[np.ndarray] = ()
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Sums in both directions: over the rows that fit each person, and over the people who fit each row.

        Parameters
        ----------
        rows:
            Numbers to sum over rows: vectors, or matrices (rows × kinds).
        people:
            Numbers to sum over people: vectors.

        Returns
        -------
        tuple of list
            The sums per person, and the sums per row.
        """
        joined = self._joined()
        if joined is not None:
            return self._totals_of_joined(*joined, rows, people)
        rows, people = [np.asarray(part, dtype=np.float64) for part in rows], [np.asarray(part) for part in people]
        per_person = [np.zeros((self.n_people, *part.shape[1:])) for part in rows]
        per_row = [np.zeros(self.n_rows) for _ in people]
        for some, near, fits in self.blocks():
            picked = fits.astype(np.float64)
            for total, part in zip(per_person, rows, strict=True):
                total[some] = picked @ part[near]
            for total, part in zip(per_row, people, strict=True):
                total[near] += part[some].astype(np.float64) @ picked
        return per_person, per_row

    def _joined(self) -> tuple[np.ndarray, np.ndarray] | None:
        """A number for each person and each row, equal where they fit; None when sets of the rows overlap."""
        keys = []
        for people, rows in zip(self._people, self._rows, strict=True):
            if (people.sets.lo != people.sets.hi).any():
                return None
            owner = _owners(rows.sets, np.unique(rows.index))
            if owner is None:
                return None
            keys.append(np.concatenate([rows.index, owner[people.sets.lo + 1][people.index]]) + 1)
        ids, _ = group_ids(keys, [len(rows.sets) + 1 for rows in self._rows])
        return ids[self.n_rows :], ids[: self.n_rows]

    def _totals_of_joined(
        self, person: np.ndarray, row: np.ndarray, rows: Sequence[np.ndarray], people: Sequence[np.ndarray]
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        count = max(person.max(initial=-1), row.max(initial=-1)) + 1
        per_person = []
        for part in rows:
            total = np.zeros((count, *part.shape[1:]))
            np.add.at(total, row, part)
            per_person.append(total[person])
        return per_person, [np.bincount(person, weights=part, minlength=count)[row] for part in people]

    @cached_property
    def _pairs(self) -> list[_ColumnPair]:
        return [_ColumnPair(people, rows) for people, rows in zip(self._people, self._rows, strict=True)]


class _ColumnPair:
    """One column of people and rows: the ends of all sets, and counters for those that have gaps."""

    def __init__(self, people: Column, rows: Column):
        self.people, self.rows = _ends(people), _ends(rows)
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
            place = people[first_places(span, count)]
            met = self._row.meet(rows[in_rows], first[place, None], last[place, None])
            fits[:, in_rows] &= met[span]
        if len(in_people):
            fits[in_people] &= self._person.meet(people[in_people, None], low[rows], high[rows])
        if len(in_rows) and len(in_people):
            sets = self._person.sets[people[in_people]], self._row.sets[rows[in_rows]]
            fits[np.ix_(in_people, in_rows)] &= self._shared[np.ix_(*sets)]

    def pairs(self, people: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """For each person whether they overlap the row at the same place."""
        (first, last), (low, high) = ((ends[people] for ends in self.people), (ends[rows] for ends in self.rows))
        met = (low <= last) & (high >= first)
        in_rows, in_people = self._row.among(rows), self._person.among(people)
        met[in_rows] &= self._row.meet(rows[in_rows], first[in_rows], last[in_rows])
        met[in_people] &= self._person.meet(people[in_people], low[in_people], high[in_people])
        both = np.intersect1d(in_rows, in_people)
        if len(both):
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
        """Which of these cells have gaps."""
        return np.flatnonzero(self.sets[places] >= 0) if self else np.zeros(0, dtype=np.int64)

    def meet(self, places: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Whether the sets of these cells hold one of the codes (-1, outside the domain, is in none)."""
        sets = self.sets[places]
        if np.array_equal(first, last):
            return self._masks[sets, np.maximum(first, 0)] & (first >= 0)
        return self._upto[sets, last + 1] > self._upto[sets, np.maximum(first, 0)]


def _ends(column: Column) -> Span:
    return column.sets.lo[column.index], column.sets.hi[column.index]


def _owners(sets: ValueSets, used: np.ndarray) -> np.ndarray | None:
    """The used set that holds each code, from -1 on (-1: none does), or None when two of them share a code."""
    rows, room = sets.mask_row[used], sets.attribute.size + 1
    runs, gappy = used[rows < 0], used[rows >= 0]
    low, sizes = sets.lo[runs] + 1, sets.hi[runs] - sets.lo[runs] + 1
    if sizes.sum() > room:
        return None
    place = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes - low, sizes)
    gap_row, gap_place = np.nonzero(sets.masks[rows[rows >= 0]])
    places = np.concatenate([place, gap_place + 1])
    owner = np.full(room, -1, dtype=np.int64)
    owner[places] = np.concatenate([np.repeat(runs, sizes), gappy[gap_row]])
    return owner if np.bincount(places, minlength=1).max(initial=0) <= 1 else None


# ---- neighbourhoods ---------------------------------------------------------------------------------------------


def neighbourhoods(people: list[Span], rows: list[Span]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of (people, rows): everybody is in one pair, together with all rows that overlap them in every column.

    Work grows about as n log n where rows are narrow; where nothing separates them, everybody comes with every row,
    block by block.

    >>> points = np.array([1, 5, 9])
    >>> list(neighbourhoods([(points, points)], [(np.array([0, 6]), np.array([5, 9]))]))
    [(array([0, 1, 2]), array([0, 1]))]
    """
    everybody = np.arange(len(people[0][0]))
    waiting = [(everybody, np.arange(len(rows[0][0])))] if len(everybody) else []
    while waiting:
        persons, near = waiting.pop()
        halves = _halved(people, rows, persons, near) if len(persons) * len(near) > LEAF else None
        if halves is not None:
            waiting += reversed(halves)
            continue
        step = max(BLOCK // max(len(near), 1), 1)
        for start in range(0, len(persons), step):
            yield persons[start : start + step], near


def _halved(people: list[Span], rows: list[Span], persons: np.ndarray, near: np.ndarray) -> list | None:
    """The best division in two, over all columns; None when none is worth it."""
    best, least = None, WORTH * len(persons) * len(near)
    for (first, last), (low, high) in zip(people, rows, strict=True):
        starts = first[persons]
        middle = np.partition(starts, len(starts) // 2)[len(starts) // 2]
        left = starts < middle
        if not left.any():  # half of them share the smallest code
            left = starts <= middle
            if left.all():
                continue
        reaches = [
            (high[near] >= first[part].min()) & (low[near] <= last[part].max())
            for part in (persons[left], persons[~left])
        ]
        cost = left.sum() * reaches[0].sum() + (~left).sum() * reaches[1].sum()
        if cost < least:
            best, least = (left, reaches), cost
    if best is None:
        return None
    left, (to_left, to_right) = best
    return [(persons[left], near[to_left]), (persons[~left], near[to_right])]


# ---- a table against a release ----------------------------------------------------------------------------------


class Matching(Overlaps):
    """The distinct people of a table against the distinct rows of a release.

    ``case`` numbers the distinct person that each person is and ``first_person`` is one of them; ``people_per_case``
    counts them. ``published`` are the distinct rows, ``rows_per_kind`` their numbers. A value that the release's domain
    lacks fits no row.

    Parameters
    ----------
    release:
        The release.
    people:
        A table of people.
    known:
        The columns to compare.
    tolerance:
        For some columns, how far a number may be from the published one.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("decision6")
    >>> found = Matching(Release.of(table), table, ["occupation"])
    >>> rows, people = found.totals([found.rows_per_kind], [found.people_per_case])
    >>> rows[0][found.case].astype(int).tolist()
    [4, 4, 4, 2, 2, 4]
    >>> found.own_rows(np.array([0, 3]), np.array([0, 0])).tolist()
    [True, False]
    """

    def __init__(
        self, release: Release, people: Table, known: Sequence[str], tolerance: Mapping[str, float] | None = None
    ):
        codes = [people.codes(name) for name in known]
        self.case, self.n_cases = group_ids(codes, [people.attributes[name].size for name in known])
        self.first_person = first_places(self.case, self.n_cases)
        self.people_per_case = np.bincount(self.case, minlength=self.n_cases)
        self.published = DistinctRows(release, known)
        self.rows_per_kind = np.bincount(self.published.kind, minlength=len(self.published))
        self._of_people = []
        for name, column in zip(known, codes, strict=True):
            sets = _spans(people, release, name, (tolerance or {}).get(name))
            self._of_people.append(Column(sets, column))
        self._of_release = [release.columns[name] for name in known]
        firsts = [column.take(self.first_person) for column in self._of_people]
        super().__init__(firsts, [self.published.column(name) for name in known])

    def own_rows(self, people: np.ndarray, published: np.ndarray) -> np.ndarray:
        """For each person, whether they fit the published row at the same place.

        Parameters
        ----------
        people, published:
            Numbers of people, and of published rows, equally many.

        Returns
        -------
        numpy.ndarray
            A flag per pair.
        """
        columns = [column.take(people) for column in self._of_people]
        return Overlaps(columns, self._of_release).pairs(np.arange(len(people)), published)


def _spans(people: Table, release: Release, name: str, tolerance: float | None) -> ValueSets:
    """The published codes that each of the people's values may stand for, as sets without gaps (-1: none)."""
    attribute, own = release.columns[name].attribute, people.attributes[name]
    same = own.recode_to(attribute)
    if not tolerance or own.kind != "numeric":
        return ValueSets(attribute, same, same)
    ends, numbers = attribute.numbers[: len(attribute.domain)], own.numbers
    first = np.searchsorted(ends, numbers - tolerance, "left")
    last = np.searchsorted(ends, numbers + tolerance, "right") - 1
    missing = np.isnan(numbers)  # is near no number: it stands for itself
    return ValueSets(attribute, np.where(missing, same, first), np.where(missing, same, last))


class DistinctRows:
    """The distinct rows of a release over some columns, and what selections of them (cases × rows) have in common.

    ``first`` holds one published position of each, ``kind`` the distinct row of each published one. Values are given as
    codes of the release's table.
    """

    def __init__(self, release: Release, names: Sequence[str]):
        self.release = release
        columns = [release.columns[name] for name in names]
        self.kind, count = group_ids([column.index for column in columns], [len(column.sets) for column in columns])
        self.first = first_places(self.kind, count)
        self._columns = {name: column.take(self.first) for name, column in zip(names, columns, strict=True)}
        self._membership: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.first)

    def column(self, name: str) -> Column:
        """The cells of the distinct rows in one column."""
        return self._columns[name]

    def membership(self, name: str) -> np.ndarray:
        """For every value of a column, which rows can take it: values × rows; no row for a value from elsewhere."""
        if name not in self._membership:
            known = self.taking(name, np.arange(self.release.table.attributes[name].size))
            self._membership[name] = np.concatenate([known, np.zeros((1, len(self)), dtype=bool)])
        return self._membership[name]

    def taking(self, name: str, codes: np.ndarray) -> np.ndarray:
        """For some values of a column, which rows can take them: values × rows."""
        values = Column(_spans(self.release.table, self.release, name, None), codes)
        return Overlaps([values], [self._columns[name]]).matrix()

    def select(self, known: Mapping[str, np.ndarray]) -> np.ndarray:
        """For each case (one code per known column) the rows that can take all its values: cases × rows.

        The code -1 stands for a value that the release's table lacks. Meant for cases that know little and so select
        many rows: every case is compared with every row.
        """
        selected = np.ones((len(next(iter(known.values()))), len(self)), dtype=bool)
        for name, codes in known.items():
            selected &= self.membership(name)[codes]
        return selected

    def intersect(self, name: str, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Values of a column that all selected rows share: how many are left, and the first of them, for each case.

        If a case selects no row, no value is left.
        """
        column = self._columns[name]
        if (column.sets.mask_row[column.index] < 0).all():
            return _intersect_spans(column, selected)
        return _intersect_masks(column, selected)


def _intersect_spans(column: Column, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Runs of codes: the largest lower and the smallest upper end among the selected rows."""
    lo, hi = _ends(column)
    if len(lo) == 0:
        return np.zeros(len(selected), dtype=np.int64), np.zeros(len(selected), dtype=np.int64)
    size = column.attribute.size
    small = np.min_scalar_type(-size - 1)  # a product of flags and narrow numbers is quick to make and to search
    low = (selected * (lo + 1).astype(small)).max(axis=1).astype(np.int64) - 1
    high = size - (selected * (size - hi).astype(small)).max(axis=1).astype(np.int64)
    return np.where(low >= 0, np.maximum(high - low + 1, 0), 0), np.maximum(low, 0)


def _intersect_masks(column: Column, selected: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sets with gaps: a value stays when no selected row excludes it, counted by one matrix product."""
    used, place = np.unique(column.index, return_inverse=True)
    excluded = ~column.sets.as_masks()[used]
    # rows with the same set count once: fold them together before the product
    folded = np.zeros((len(selected), len(used)), dtype=np.float32)
    for number in range(len(used)):
        folded[:, number] = selected[:, place == number].any(axis=1)
    left = (folded @ excluded.astype(np.float32) == 0) & selected.any(axis=1)[:, None]
    return left.sum(axis=1), left.argmax(axis=1)
