"""Candidates: for everybody an attacker may look for, the published rows that could be theirs and what these say.

People with equal known values are one case. A case's candidates are the rows whose value sets hold all its known
values; the counts of their sensitive values are all that record-level attacks need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from anonnb.attacks.matching.members import places_of
from anonnb.attacks.matching.nearest import NearestBoxes, NearestRows, shows_single_values
from anonnb.attacks.matching.secret_counts import SecretCounts, in_shares
from anonnb.core import remedies
from anonnb.core.arrays import group_order, in_ranges
from anonnb.core.errors import Message, advice
from anonnb.tables.matching import Matching
from anonnb.tables.release import Release
from anonnb.tables.roles import check_known
from anonnb.tables.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CELLS = 4_000_000  # lines × sensitive values that are looked at at once

Figures = Callable[[SecretCounts], tuple[np.ndarray, ...]]

_NEAREST: WeakKeyDictionary[Matching, dict[bytes, csr_array]] = WeakKeyDictionary()  # several attacks ask for the same


class Candidates:
    """The cases of an attack that knows some columns of everybody in ``people``.

    ``case`` numbers the case of each person, ``people_per_case`` counts them. ``size`` counts the candidates of each
    case, and ``people_per_row`` the people who fit each distinct published row. With ``secrets``, ``of(name)`` gives
    the same cases with what their candidates say about one of them: ``per_case`` and ``values`` count the sensitive
    values (a published set of several values counts for each of them in equal parts, or by its share where secrets are
    published per group), ``possible`` flags those that some candidate may have, and ``shares`` is how often each value
    occurs in the whole release. A published missing value says nothing, unless ``count_missing``.

    Examples
    --------
    >>> from anonnb import Release, load
    >>> table = load("survey")
    >>> cases = Candidates(Release.of(table), table, ["Sex"], ["Hypertension"]).of("Hypertension")
    >>> cases.texts().tolist(), cases.size.tolist(), cases.values.tolist(), cases.labels()
    (['Sex = M', 'Sex = F'], [55, 11], [[25.0, 30.0], [9.0, 2.0]], ['N', 'Y'])
    >>> cases.named(cases.values.argmax(axis=1)).tolist(), cases.rows_of(0)[:3].tolist()
    (['Y', 'N'], [0, 1, 2])
    >>> rows, chances = cases.row_chances(1)
    >>> len(rows), chances.sum().round(9) == 1
    (11, np.True_)
    >>> [count.tolist() for count in cases.per_case(SecretCounts.left)]  # how many secrets are left, and the first
    [[2, 2], [0, 0]]
    >>> [(some.tolist(), shares.toarray().round(2).tolist()) for some, shares in cases.beliefs()]
    [([0, 1], [[0.45, 0.55], [0.82, 0.18]])]
    >>> cases.look_nearby(max_pairs=1_000)  # for those who fit no row
    >>> cases.is_nearby(0)
    False
    """

    # how steps describe one candidate and several, why some are likelier, and which rows leave a value
    fits, fit, because, among = "fits", "fit", "", ""
    secret: str  # set by ``of``, with the shares of its values
    shares: np.ndarray

    def __init__(
        self,
        release: Release,
        people: Table,
        known: Sequence[str],
        secrets: Sequence[str] = (),
        *,
        tolerance: Mapping[str, float] | None = None,
        count_missing: bool = False,
    ):
        check_columns(known, release, people)
        self.release, self.people, self.known, self.count_missing = release, people, list(known), count_missing
        self._matching = Matching.of(release, people, known, tolerance)
        self.case, self.n_cases = self._matching.case, self._matching.n_cases
        self.first_person, self.people_per_case = self._matching.first_person, self._matching.people_per_case
        (size,), (self.people_per_row,) = self._matching.totals([self._matching.rows_per_kind], [self.people_per_case])
        self.size = size.astype(np.int64)
        self._says = {name: self._said(name) for name in secrets}

    def of(self, secret: str) -> Candidates:
        """The same cases, with what the candidates say about one of the secrets."""
        found, says = copy(self), self._says[secret]
        in_all = says.sum(axis=0)
        # rounded, so that shares that are equal but were added up otherwise are a tie
        found.secret, found.shares = secret, (in_all / max(in_all.sum(), 1e-12)).round(12)
        return found

    def _said(self, secret: str) -> csr_array:
        """What the rows of each distinct kind say about the secret: each row counts 1, split among its values."""
        from scipy.sparse import csr_array

        published, (index, says) = self._matching.published, self.release.says(secret, self.count_missing)
        rows = csr_array((np.ones(len(index)), (published.kind, index)), shape=(len(published), says.shape[0]))
        said = rows @ says
        said.eliminate_zeros()  # a value that is not there is none of those that are left
        return said

    def per_case(self, figures: Figures, weighted: bool = False) -> list[np.ndarray]:
        """For each case what a function finds in the counts of the sensitive values, a figure or several per line.

        Cases with the same candidates share a line, and the function gets many lines at a time. If ``weighted``, a row
        counts by its weight.
        """
        found = [(some, *figures(SecretCounts(lines))) for some, lines in self._lines(weighted)]
        some, *parts = map(np.concatenate, zip(*found, strict=True))
        return [part[self._line_of_cases(some)] for part in parts]

    def _line_of_cases(self, some: np.ndarray) -> np.ndarray:
        """The position of each case's line, given in which order the lines were computed."""
        position, selections = np.argsort(some), self._matching.selections
        return position if selections is None else position[selections.number]

    def _weigh(self, says: csr_array) -> csr_array:
        """Return what the rows of each kind say, times their weight: 1, unless a subclass knows better."""
        return says

    def _lines(self, weighted: bool) -> Iterator[tuple[np.ndarray, csr_array]]:
        """Yield numbers of lines and their counts of the sensitive values (lines × values), once at least."""
        from scipy.sparse import csr_array

        selections, says = self._matching.selections, self._says[self.secret]
        says = self._weigh(says) if weighted else says
        if selections is None:
            for some, near, fits in self._matching.blocks():
                yield some, csr_array(fits.astype(np.float64)) @ says[near]
            return
        for some in self._steps(selections.rows.shape[0]):
            yield some, selections.rows[some] @ says

    def _steps(self, count: int) -> Iterator[np.ndarray]:
        """Divide so many lines into runs that have at most CELLS sensitive values."""
        step = max(CELLS // max(len(self.shares), 1), 1)
        return (np.arange(start, min(start + step, count)) for start in range(0, max(count, 1), step))

    @cached_property
    def _lost(self) -> np.ndarray:
        """The cases that fit no row."""
        return np.flatnonzero(self.size == 0)

    def _nearest_says(self) -> csr_array:
        """What the rows nearest to those who fit none say about the secret (lost cases × values)."""
        known, lost = _NEAREST.setdefault(self._matching, {}), self._lost.tobytes()
        if lost not in known:
            known[lost] = self._nearest_rows()
        return known[lost] @ self._says[self.secret]

    def _nearest_rows(self) -> csr_array:
        """The rows nearest to those who fit none (lost cases × distinct rows)."""
        from scipy.sparse import csr_array

        published, persons = self._matching.published, self.first_person[self._lost]
        if shows_single_values(self.release, self.known):
            line = np.empty(len(self.people), dtype=np.int64)
            line[persons] = np.arange(len(persons))
            blocks = NearestRows(self.people, published, self.known).blocks(persons)
            parts = [np.array([line[some][number], near]) for some, number, near in blocks]
            pairs = tuple(np.concatenate([np.zeros((2, 0), dtype=np.int64), *parts], axis=1))
        else:
            pairs = NearestBoxes(self.people, published, self.known).pairs(persons)
        return csr_array((np.ones(len(pairs[0])), pairs), shape=(len(persons), len(published)))

    def likeliest(self) -> tuple[np.ndarray, np.ndarray]:
        """For each case the likeliest value of the secret, and how likely it is.

        It is the most common value among the candidates, each counted by its weight; if no row fits, among the nearest
        rows; if these say nothing, in the whole release. Of equally common values the one that is more common in the
        release counts, then the first. A secret without any value has -1.
        """
        value, share = self.per_case(lambda counts: counts.likeliest(self.shares), weighted=True)
        if len(self._lost):
            value[self._lost], share[self._lost] = SecretCounts(self._nearest_says()).likeliest(self.shares)
        silent = value < 0
        if silent.any() and len(self.shares) and self.shares.max() > 0:
            value[silent], share[silent] = self.shares.argmax(), self.shares.max()
        return value, share

    def beliefs(self, some: np.ndarray | None = None) -> Iterator[tuple[np.ndarray, csr_array]]:
        """Yield cases, or those named, with how likely each value is (cases × values), from the rows of `likeliest`."""
        matrix, line = self._belief_lines
        some = np.arange(self.n_cases) if some is None else some
        for step in self._steps(len(some)):
            yield some[step], in_shares(matrix[line[some[step]]])

    @cached_property
    def _belief_lines(self) -> tuple[csr_array, np.ndarray]:
        """Counts of values, and the line of each case: its own, that of the nearest rows, or that of all rows."""
        from scipy.sparse import csr_array, vstack

        line, parts = np.arange(self.n_cases), [self.weighted_counts(), csr_array(self.shares[None])]
        if len(self._lost):
            parts.insert(1, self._nearest_says())
            line[self._lost] = self.n_cases + np.arange(len(self._lost))
        matrix = vstack(parts, format="csr")
        line[np.diff(matrix.indptr)[line] == 0] = matrix.shape[0] - 1
        return matrix, line

    def left(self) -> list[np.ndarray]:
        """For each case how many sensitive values its candidates have, and the first of them."""
        return self.per_case(SecretCounts.left)

    def left_by_likeliest(self) -> list[np.ndarray]:
        """The same, of each case's likeliest candidates alone."""
        return self.left()

    @cached_property
    def counts(self) -> csr_array:
        """The counts of the sensitive values, cases × values: for attacks that look at all of them."""
        return self._counted(weighted=False)

    def weighted_counts(self) -> csr_array:
        """The same, where a row counts by its weight."""
        return self.counts

    def _counted(self, weighted: bool) -> csr_array:
        from scipy.sparse import vstack

        some, parts = zip(*self._lines(weighted), strict=True)
        return vstack(parts, format="csr")[self._line_of_cases(np.concatenate(some))]

    @cached_property
    def values(self) -> np.ndarray:
        """The same with its zeros, for those who show them."""
        return self.counts.toarray()

    @cached_property
    def possible(self) -> np.ndarray:
        """The values that some candidate may have, cases × values, for those who show them."""
        return self.values > 0

    def truth(self) -> np.ndarray:
        """Every person's true sensitive value, as a code of the published column (-1: one that it lacks)."""
        check_known([self.secret], self.people.attributes, "column")
        attribute = self.people.attributes[self.secret]
        return attribute.recode_to(self.release.columns[self.secret].attribute)[self.people.codes(self.secret)]

    @property
    def counted(self) -> np.ndarray:
        """Who has a secret: a missing value is not one, unless missing values count."""
        return has_secret(self.people, self.secret) | self.count_missing

    def labels(self) -> list[str]:
        """The sensitive values as texts."""
        return self.release.columns[self.secret].attribute.labels

    def named(self, values: np.ndarray) -> np.ndarray:
        """Return sensitive values as texts; an empty one for -1, and if the secret has no value at all."""
        return np.array([*self.labels(), ""], dtype=object)[values]

    def texts(self, some: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """Describe what the attacker knows in each case, or in some of them."""
        persons = self.first_person if some is None else self.first_person[some]
        texts = np.full(len(persons), "", dtype=object)
        for name in self.known:
            codes = self.people.codes(name)[persons]
            parts = np.array([f"{name} = {label}" for label in self.people.attributes[name].labels], dtype=object)[
                codes
            ]
            texts = texts + " and " + parts if name != self.known[0] else parts
        return texts

    def look_nearby(self, max_pairs: int) -> None:
        """Give those who fit no row the nearest rows as candidates; their sensitive values are not counted."""
        published = self._matching.published
        rows, persons = self.own_pairs if self.release.rows is not None else (np.zeros(0, dtype=np.int64),) * 2
        lost = self.first_person[self.size == 0]
        search = NearestRows(self.people, published, self.known)
        if len(lost) * len(published) > max_pairs:
            self._check_pairs(len(lost), len(published), search.comparisons(lost), max_pairs)
        own, kinds = self.case[persons], len(published)
        order, starts = group_order(own, self.n_cases)
        for some, place, near in search.blocks(lost):
            cases = self.case[some]
            self.size[cases] = np.bincount(place, self._matching.rows_per_kind[near], minlength=len(cases))
            self._nearby[cases] = True
            mine = order[in_ranges(starts[cases], starts[cases + 1])]
            self._own_nearby[mine] = np.isin(
                own[mine] * kinds + published.kind[rows[mine]], cases[place] * kinds + near
            )

    def _check_pairs(self, lost: int, rows: int, expected: int, most: int) -> None:
        """Refuse a search for so many people who fit no row among so many rows that it would take hours."""
        if expected > most:
            more = remedies.parameter("max_pairs", expected, words=f"max_pairs={expected:_}")
            raise ValueError(
                Message(
                    f"{lost:,} people fit no row, and finding the nearest of {rows:,} rows for each of them takes long",
                    advice("; attack fewer people, or allow it: ", more),
                )
            )

    def rows_of(self, case: int) -> np.ndarray:
        """The published rows that fit a case: its candidates; the nearest rows where none fits."""
        published = self._matching.published
        fits = self._matching.matrix(np.array([case]))[0]
        if self.is_nearby(case):
            [(_, _, near)] = NearestRows(self.people, published, self.known).blocks(self.first_person[[case]])
            fits = np.isin(np.arange(len(published)), near)
        return np.flatnonzero(fits[published.kind])

    def row_chances(self, case: int) -> tuple[np.ndarray, np.ndarray]:
        """The rows of :meth:`rows_of`, the likeliest first, and how likely each of them is theirs."""
        rows = self.rows_of(case)
        return rows, np.full(len(rows), 1 / max(len(rows), 1))

    def is_nearby(self, case: int) -> bool:
        """Whether the candidates of a case are the nearest rows, as none fits."""
        return bool(self._nearby[case])

    @cached_property
    def _nearby(self) -> np.ndarray:
        """For each case whether it got the nearest rows as candidates."""
        return np.zeros(self.n_cases, dtype=bool)

    @cached_property
    def _own_nearby(self) -> np.ndarray:
        """For each of the own pairs whether the row is one of the nearest to a person who fits none."""
        return np.zeros(0 if self.release.rows is None else len(self.own_pairs[0]), dtype=bool)

    def picked(self) -> tuple[np.ndarray, np.ndarray]:
        """For each case the number of its likeliest candidates, and how likely each of these is theirs."""
        return self.size, np.divide(1.0, self.size, out=np.zeros(self.n_cases), where=self.size > 0)

    def right_chances(self) -> np.ndarray:
        """For each person the chance that one of their likeliest candidates, picked at random, is a row of theirs."""
        persons, size = self.own_pairs[1], self.picked()[0][self.case]
        own = np.bincount(persons, weights=self._own_picked(), minlength=len(self.people))
        return np.divide(own, size, out=np.zeros(len(self.people)), where=size > 0)

    def _own_picked(self) -> np.ndarray:
        """For each of the own pairs whether the row is among the person's likeliest candidates."""
        published, persons = self.own_pairs
        return self._matching.own_rows(persons, published) | self._own_nearby

    @cached_property
    def own_pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of (published row, person): which rows are whose, for the people that are looked for."""
        published, rows = self.release.owners
        place = places_of(self.release.table, self.people)[rows]
        published, place = published[place >= 0], place[place >= 0]
        if not self.people.people_repeat:
            return published, place
        # a person with several rows is found by any of them
        person = self.people.people
        order, starts = group_order(person, self.people.n_people)
        first, last = starts[person[place]], starts[person[place] + 1]
        pairs = np.column_stack([np.repeat(published, last - first), order[in_ranges(first, last)]])
        published, persons = np.unique(pairs, axis=0).T
        return published, persons


def known_columns(known: Sequence[str] | None, release: Release, people: Table) -> list[str]:
    """The columns an attacker knows: those named, or the whole quasi-identifier."""
    names = list(release.quasi if known is None else known)
    check_columns(names, release, people)
    if not names:
        columns = remedies.parameter("known", words="known=[…]")
        raise ValueError(
            Message("the attacker knows nothing", advice("; name columns: ", columns, remedies.role("quasi")))
        )
    return names


def check_columns(names: Iterable[str], release: Release, people: Table) -> None:
    """Refuse columns that the release or the people to attack do not have."""
    for name in names:
        if name not in release.columns:
            raise KeyError(f"the release has no column {name!r}; it has {', '.join(map(str, release.columns))}")
        if name not in people.attributes:
            raise KeyError(f"the people have no column {name!r}, which the release has; give a table with its columns")


def secret_columns(column: str | None, release: Release) -> list[str]:
    """The columns an attacker is after: the one named, or all sensitive ones, or the decision."""
    names = [column] if column else release.sensitive or [name for name in [release.decision] if name is not None]
    if not names:
        name_one = advice("; name one: ", remedies.parameter("column", role="sensitive"))
        raise ValueError(Message("the release has no sensitive column", name_one))
    if names[0] not in release.columns:
        raise KeyError(f"the release has no column {names[0]!r}")
    return names


def has_secret(people: Table, secret: str) -> np.ndarray:
    """For everybody whether they have a secret at all: a missing value is not one."""
    attribute = people.attributes[secret]
    return people.codes(secret) != attribute.missing_code  # -1 where nothing is missing
