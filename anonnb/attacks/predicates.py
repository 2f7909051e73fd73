"""Predicates that an attacker reads off single published rows, to single somebody out.

Univariate and multivariate ones are those of Anonymeter (Giomi, Boenisch, Wehmeyer and Tasnádi, PoPETs 2023): values
that one published row has alone, the ends of a column, and values of a random row, numbers as "at least" above the
median and as "at most" below it. A ball reaches half the way from a published row to the next one: perturbed numbers
stay near the row that they came from. Columns are scaled by their standard deviation; other values must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from anonnb.attacks.matching.shares import published_shares
from anonnb.core.arrays import group_ids
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

Condition = tuple[Attribute, Any]  # a published attribute with a mask of its codes, or with the ends of a range
COLUMNS = 3  # of a multivariate predicate, as Anonymeter has it
TRIES = 20  # random conjunctions that are tried for each that is wanted
APART = 1e6  # standard deviations between rows that differ in a column without numbers


def satisfies(people: Table, conditions: Mapping[str, Condition]) -> np.ndarray:
    """Tell which rows of a table satisfy all conditions."""
    inside = np.ones(len(people), dtype=bool)
    for name, condition in conditions.items():
        inside &= _allowed(_column(people, name), condition)[people.codes(name)]
    return inside


def _column(people: Table, name: str) -> Attribute:
    if name not in people.attributes:
        raise KeyError(f"the table has no column {name!r}, which the release has; give one with its columns")
    return people.attributes[name]


def _allowed(own: Attribute, condition: Condition) -> np.ndarray:
    """Tell which codes of an attribute satisfy a condition; a missing number satisfies no range."""
    attribute, wanted = condition
    if isinstance(wanted, tuple):
        numbers = own.numbers_from(attribute)
        return (numbers >= wanted[0]) & (numbers <= wanted[1])
    return np.append(wanted, False)[own.recode_to(attribute)]


# ---- conjunctions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Conjunctions:
    """Predicates that are conditions on columns, each of which holds for one published row.

    ``sizes`` counts the published rows behind each, ``rows`` finds who satisfies it, ``weights`` weighs it by margins.
    """

    conditions: list[dict[str, Condition]]
    texts: list[str]

    @property
    def sizes(self) -> np.ndarray:
        return np.ones(len(self.texts), dtype=np.int64)

    def rows(self, people: Table) -> list[np.ndarray]:
        return [np.flatnonzero(satisfies(people, each)) for each in self.conditions]

    def weights(self, release: Release) -> np.ndarray:
        shares = {name: published_shares(release, name, count_missing=True) for name in release.quasi}
        parts = [
            [shares[name] @ _allowed(condition[0], condition) for name, condition in each.items()]
            for each in self.conditions
        ]
        return np.array([np.prod(each) for each in parts])


class _Published:
    """A published column: the ends of its cells, and conditions with the rows that may meet them."""

    def __init__(self, name: str, column: Column):
        self.name, self.column, self.attribute = name, column, column.attribute
        self.is_number = column.attribute.kind == "numeric"
        numbers, sets = column.attribute.numbers, column.sets
        self.low, self.high = numbers[sets.lo][column.index], numbers[sets.hi][column.index]
        self.median = np.nanmedian(self.low) if self.is_number and not np.isnan(self.low).all() else np.nan

    def at_most(self, end: float) -> tuple[Condition, str, np.ndarray]:
        return (self.attribute, (-np.inf, end)), f"{self.name} ≤ {end:g}", self.low <= end

    def at_least(self, end: float) -> tuple[Condition, str, np.ndarray]:
        return (self.attribute, (end, np.inf)), f"{self.name} ≥ {end:g}", self.high >= end

    def equal(self, row: int) -> tuple[Condition, str, np.ndarray]:
        number = self.column.index[row]
        mask = self.column.sets.mask(number)
        text = f"{self.name} = {self.column.sets.labels[number]}"
        return (self.attribute, mask), text, self._overlaps(mask)

    def beyond(self, row: int) -> tuple[Condition, str, np.ndarray]:
        """Return the condition of a row that is away from the median, or equality for what is no number."""
        if not self.is_number or np.isnan(self.low[row]):
            return self.equal(row)
        return self.at_least(self.low[row]) if self.low[row] >= self.median else self.at_most(self.high[row])

    def _overlaps(self, mask: np.ndarray) -> np.ndarray:
        return self.column.sets.overlaps(mask)[self.column.index]


def univariate(release: Release, count: int, seed: int) -> Conjunctions:
    """Return predicates on one column: values that one published row has alone, and the ends of numbers."""
    conditions, texts = [], []
    for name in release.quasi:
        column = _Published(name, release.columns[name])
        rows, index = column.column.sets, column.column.index
        alone = np.flatnonzero(np.bincount(index, minlength=len(rows))[index] == 1)
        candidates = [column.equal(row) for row in alone[:count]]
        if column.is_number and not np.isnan(column.median):
            candidates += [column.at_most(np.nanmin(column.high)), column.at_least(np.nanmax(column.low))]
        for condition, text, meets in candidates:
            if meets.sum() == 1:
                conditions.append({name: condition})
                texts.append(text)
    chosen = np.random.default_rng(seed).permutation(len(texts))[:count]
    return Conjunctions([conditions[index] for index in chosen], [texts[index] for index in chosen])


def multivariate(release: Release, count: int, seed: int) -> Conjunctions:
    """Return predicates on several columns: what random published rows have there, met by no other row."""
    rng, names = np.random.default_rng(seed), list(release.quasi)
    columns = [_Published(name, release.columns[name]) for name in names]
    found: dict[str, dict[str, Condition]] = {}
    for _ in range(TRIES * count if len(release) else 0):
        chosen = rng.permutation(len(names))[:COLUMNS]
        row = int(rng.integers(len(release)))
        parts = [columns[index].beyond(row) for index in np.sort(chosen)]
        if np.logical_and.reduce([meets for *_, meets in parts]).sum() == 1:
            text = " and ".join(text for _, text, _ in parts)
            found[text] = {names[index]: part[0] for index, part in zip(np.sort(chosen), parts, strict=True)}
        if len(found) == count:
            break
    return Conjunctions(list(found.values()), list(found))


# ---- balls -------------------------------------------------------------------------------------------------------


class Balls:
    """The loneliest published rows, each with all that is nearer than half the way to the next one."""

    def __init__(self, release: Release, count: int, seed: int = 0):
        from scipy.spatial import KDTree

        for name in release.quasi:
            if not release.columns[name].is_exact():
                raise ValueError(
                    f"column {name!r} shows sets of values, and a ball needs single ones; use predicates='box'"
                )
        columns = {name: release.columns[name] for name in release.quasi}
        self._release, self._shown = release, {name: each.sets.lo[each.index] for name, each in columns.items()}
        numeric = {name: each.attribute.numbers for name, each in columns.items() if each.attribute.kind == "numeric"}
        self._spread = {name: float(np.nanstd(each[self._shown[name]])) or 1.0 for name, each in numeric.items()}
        points, _ = self._points()
        kinds, first, size = np.unique(points, axis=0, return_index=True, return_counts=True)
        apart = KDTree(kinds).query(kinds, k=2)[0][:, 1] if len(kinds) > 1 else np.full(len(kinds), APART)
        order = np.lexsort([first, -apart])[:count]  # ties by position
        self.sizes, self._first = size[order], first[order]
        self._radii = np.minimum(apart[order], APART) / 2
        self.texts = [
            f"within {radius:.3g} of published row {row}" for radius, row in zip(self._radii, self._first, strict=True)
        ]

    def _points(self, people: Table | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return a point for each published row and one for each of the people, in standard deviations.

        The first coordinate keeps those apart who differ in a column without numbers or in what is missing.
        """
        numbers, keys = [], []
        for name, shown in self._shown.items():
            attribute = self._release.columns[name].attribute
            parts = [(attribute, shown)] + ([] if people is None else [(_column(people, name), people.codes(name))])
            if name in self._spread:
                values = np.concatenate([own.numbers_from(attribute)[codes] for own, codes in parts])
                keys.append(np.isnan(values).astype(np.int64))
                numbers.append(np.nan_to_num(values) / self._spread[name])
            else:
                keys.append(np.concatenate([own.recode_to(attribute)[codes] for own, codes in parts]) + 1)
        points = np.column_stack([APART * group_ids(keys)[0], *numbers])
        return points[: len(self._release)], points[len(self._release) :]

    def rows(self, people: Table) -> list[np.ndarray]:
        from scipy.spatial import KDTree

        published, points = self._points(people)
        found = KDTree(points).query_ball_point(published[self._first], self._radii)
        return [np.sort(np.array(each, dtype=np.int64)) for each in found]

    def weights(self, release: Release) -> np.ndarray:
        weights = np.ones(len(self.sizes))
        for name, shown in self._shown.items():
            if name in self._spread:
                numbers = release.columns[name].attribute.numbers[shown]
                known, reach = np.sort(numbers[~np.isnan(numbers)]), self._radii * self._spread[name]
                center = numbers[self._first]
                inside = np.searchsorted(known, center + reach, "right") - np.searchsorted(known, center - reach)
                inside = np.where(np.isnan(center), np.isnan(numbers).sum(), inside)
            else:
                inside = np.bincount(shown)[shown[self._first]]
            weights *= inside / len(release)
        return weights


Family = Conjunctions | Balls  # predicates of one kind
FAMILIES: Mapping[str, Callable[[Release, int, int], Family]] = {
    "univariate": univariate,
    "multivariate": multivariate,
    "ball": Balls,
}
