"""Candidates: for everybody an attacker may look for, the published rows that could be theirs and what these say.

People with equal known values are one case. A case's candidates are the rows whose sets hold all its known values;
their sensitive values, counted, are all that record-level attacks need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.errors import Message, advice
from anonnb.tables.distinct_rows import Published
from anonnb.tables.neighbourhoods import neighbourhoods
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


class Candidates:
    """The cases of an attack that knows some columns of everybody in ``people``.

    ``case`` numbers the case of each person, ``size`` counts the candidates of each case, ``values`` their sensitive
    values (cases × values; a published set of several values counts for each of them in equal parts) and ``possible``
    flags the values that some candidate may have.
    """

    def __init__(
        self,
        release: Release,
        people: Table,
        known: Sequence[str],
        sensitive: str | None = None,
        tolerance: Mapping[str, float] | None = None,
    ):
        self.release, self.people, self.known = release, people, list(known)
        columns = [people.codes(name) for name in known]
        self.case, self.n_cases = group_ids(columns, [people.attributes[name].size for name in known])
        self.first_person = first_places(self.case, self.n_cases)
        self.sensitive = sensitive
        self.published = Published(release, known)
        self._weight = np.bincount(self.published.kind, minlength=len(self.published)).astype(np.float64)
        numeric = [name for name in known if people.attributes[name].kind == "numeric"]
        self._tolerance = {name: tolerance[name] for name in numeric if tolerance and tolerance.get(name)}
        self._spans = {name: self._people_spans(name) for name in known}
        self._count()

    def _people_spans(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """First and last published code that each of the people's values may stand for (-1: none)."""
        attribute, own = self.release.columns[name].attribute, self.people.attributes[name]
        same = own.recode_to(attribute)
        if name not in self._tolerance:
            return same, same
        tolerance = self._tolerance[name]
        ends, numbers = attribute.numbers[: len(attribute.domain)], own.numbers
        first = np.searchsorted(ends, numbers - tolerance, "left")
        last = np.searchsorted(ends, numbers + tolerance, "right") - 1
        missing = np.isnan(numbers)  # is near no number: it stands for itself
        return np.where(missing, same, first), np.where(missing, same, last)

    def _count(self) -> None:
        """Sum up candidates and their sensitive values, block by block."""
        says = self._says()
        self.size = np.zeros(self.n_cases, dtype=np.int64)
        self.values = np.zeros((self.n_cases, says.shape[1]))
        for cases, rows, chosen in self.selections():
            picked = chosen.astype(np.float64)
            self.size[cases] = picked @ self._weight[rows]
            self.values[cases] = picked @ says[rows]
        self.possible = self.values > 0

    def selections(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Blocks of (cases, distinct rows, which of these rows each case allows); all rows of a case are in one."""
        codes = {name: self.people.codes(name)[self.first_person] for name in self.known}
        people = [tuple(ends[codes[name]] for ends in self._spans[name]) for name in self.known]
        columns = [self.published.column(name) for name in self.known]
        boxes = [(column.sets.lo[column.index], column.sets.hi[column.index]) for column in columns]
        gaps = [_Gaps(column) for column in columns]
        for cases, rows in neighbourhoods(people, boxes):
            chosen = np.ones((len(cases), len(rows)), dtype=bool)
            for (first, last), (low, high), gappy in zip(people, boxes, gaps, strict=True):
                chosen &= low[rows] <= last[cases, None]
                chosen &= high[rows] >= first[cases, None]
                places = gappy.among(rows)
                if len(places):
                    chosen[:, places] &= gappy.meet(rows[places], first[cases, None], last[cases, None])
            yield cases, rows, chosen

    def _says(self) -> np.ndarray:
        """What the rows of each distinct kind say about the sensitive value: one for each row, shared by its values."""
        if self.sensitive is None:
            return np.zeros((len(self.published), 0))
        from scipy.sparse import csr_array

        column = self.release.columns[self.sensitive]
        masks = column.sets.as_masks().astype(np.float64)
        cells = (self.published.kind, column.index)
        counts = csr_array((np.ones(len(column)), cells), shape=(len(self.published), len(masks)))
        return counts @ (masks / masks.sum(axis=1, keepdims=True))

    @property
    def people_per_case(self) -> np.ndarray:
        """How many people each case stands for."""
        return np.bincount(self.case, minlength=self.n_cases)

    def truth(self) -> np.ndarray:
        """Every person's true sensitive value, as a code of the published column."""
        attribute = self.people.attributes[self.sensitive]
        return attribute.recode_to(self.release.columns[self.sensitive].attribute)[self.people.codes(self.sensitive)]

    def labels(self) -> list[str]:
        """The sensitive values as texts."""
        return self.release.columns[self.sensitive].attribute.labels

    def texts(self) -> np.ndarray:
        """What the attacker knows in each case, in words."""
        words = None
        for name in self.known:
            codes = self.people.codes(name)[self.first_person]
            parts = np.array([f"{name} = {label}" for label in self.people.attributes[name].labels], dtype=object)[
                codes
            ]
            words = parts if words is None else words + " and " + parts
        return words

    def holds_own_row(self) -> np.ndarray:
        """For each person whether their own published row is among their candidates (False when it is withheld)."""
        if self.release.rows is None:
            raise ValueError(
                Message(
                    "the release does not tell which row is whose",
                    advice("; pass ", remedies.python("rows= to Release.from_frame")),
                )
            )
        own = np.zeros(len(self.people), dtype=bool)
        linked = self.release.rows
        fits = np.ones(len(linked), dtype=bool)
        for name in self.known:
            column, codes = self.release.columns[name], self.people.codes(name)[linked]
            first, last = (ends[codes] for ends in self._spans[name])
            fits &= (column.sets.lo[column.index] <= last) & (column.sets.hi[column.index] >= first)
            gappy = _Gaps(column)
            places = gappy.among(np.arange(len(linked)))
            fits[places] &= gappy.meet(places, first[places], last[places])
        own[linked] = fits
        return own


class _Gaps:
    """The sets of a column that are no runs of codes, and how many of their values lie between two codes."""

    def __init__(self, column: Column):
        self._mask_row = column.sets.mask_row[column.index]
        self._upto = np.zeros((len(column.sets.masks), column.attribute.size + 1), dtype=np.int32)
        np.cumsum(column.sets.masks, axis=1, out=self._upto[:, 1:])

    def among(self, rows: np.ndarray) -> np.ndarray:
        """Places of the rows whose set has gaps."""
        return np.flatnonzero(self._mask_row[rows] >= 0)

    def meet(self, rows: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Whether the sets of these rows hold one of the codes (-1, outside the domain, is in none)."""
        sets = self._mask_row[rows]
        return self._upto[sets, last + 1] > self._upto[sets, np.maximum(first, 0)]


def known_columns(known: Sequence[str] | None, release: Release, people: Table) -> list[str]:
    """The columns an attacker knows: those named, or the whole quasi-identifier."""
    names = list(release.quasi if known is None else known)
    for name in names:
        if name not in release.columns or name not in people.attributes:
            raise KeyError(
                f"there is no column {name!r} to know; the release has {', '.join(map(str, release.columns))}"
            )
    if not names:
        raise ValueError("the attacker knows nothing: name columns with known=[…] or give the table a quasi-identifier")
    return names


def secret_column(column: str | None, release: Release) -> str:
    """The column an attacker is after: the one named, or the first sensitive one, or the decision."""
    name = column or next(iter(release.sensitive), None) or release.decision
    if name is None:
        raise ValueError(
            Message(
                "the release has no sensitive column",
                advice("; name one: ", remedies.parameter("column", role="sensitive")),
            )
        )
    if name not in release.columns:
        raise KeyError(f"the release has no column {name!r}")
    return name
