"""Candidates: for everybody an attacker may look for, the published rows that could be theirs and what these say.

People with equal known values are one case. A case's candidates are the rows whose sets hold all its known values;
their sensitive values, counted, are all that record-level attacks need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonnb.arrays import first_places, group_ids
from anonnb.attacks.published import Published
from anonnb.release import Release
from anonnb.table import Table

_BLOCK = 4_000_000  # cells of a cases × rows matrix worked on at once


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
        self.published = Published(release, [*known, *([sensitive] if sensitive else [])], people)
        self._weight = np.bincount(self.published.kind, minlength=len(self.published)).astype(np.float64)
        self._allowed = {name: self._allows(name, (tolerance or {}).get(name, 0.0)) for name in known}
        self._count()

    def _allows(self, name: str, tolerance: float) -> np.ndarray:
        """Which distinct rows allow which of the people's values (values × rows)."""
        attribute, column = self.people.attributes[name], self.published.column(name)
        if not tolerance or attribute.kind != "numeric":
            return self.published.membership(name)
        ends, numbers = column.attribute.numbers, attribute.numbers[:, None]
        low, high = ends[column.sets.lo[column.index]], ends[column.sets.hi[column.index]]
        return (numbers + tolerance >= low) & (numbers - tolerance <= high)

    def _count(self) -> None:
        """Sum up candidates and their sensitive values, block by block."""
        says = self._says()
        self.size = np.zeros(self.n_cases, dtype=np.int64)
        self.values = np.zeros((self.n_cases, says.shape[1]))
        self.possible = np.zeros(self.values.shape, dtype=bool)
        weighted = says * self._weight[:, None]
        for block, chosen in self.selections():
            picked = chosen.astype(np.float64)
            self.size[block] = picked @ self._weight
            self.values[block] = picked @ weighted
            self.possible[block] = self.values[block] > 0

    def selections(self):
        """Blocks of cases with the distinct rows that each of them allows (cases × rows)."""
        step = max(_BLOCK // max(len(self.published), 1), 1)
        for start in range(0, self.n_cases, step):
            block = slice(start, min(start + step, self.n_cases))
            chosen = np.ones((block.stop - block.start, len(self.published)), dtype=bool)
            for name in self.known:
                chosen &= self._allowed[name][self.people.codes(name)[self.first_person[block]]]
            yield block, chosen

    def _says(self) -> np.ndarray:
        """What each distinct row says about the sensitive value: shares that sum to one."""
        if self.sensitive is None:
            return np.zeros((len(self.published), 0))
        column = self.published.column(self.sensitive)
        masks = column.sets.as_masks()[column.index].astype(np.float64)
        return masks / masks.sum(axis=1, keepdims=True)

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
            raise ValueError("the release does not tell which row is whose; pass rows= to Release.from_frame")
        own = np.zeros(len(self.people), dtype=bool)
        linked = self.release.rows
        fits = np.ones(len(linked), dtype=bool)
        for name in self.known:
            fits &= self._allowed[name][self.people.codes(name)[linked], self.published.kind]
        own[linked] = fits
        return own


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
        raise ValueError("the release has no sensitive column; name one: column=…")
    if name not in release.columns:
        raise KeyError(f"the release has no column {name!r}")
    return name
