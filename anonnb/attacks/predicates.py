"""Predicates that an attacker reads off single published rows, to single somebody out.

Univariate and multivariate ones are those of Anonymeter (Giomi, Boenisch, Wehmeyer and Tasnádi, PoPETs 2023): values
that one published row has alone, the ends of a column, and values of a random row, numbers as "at least" above the
median and as "at most" below it. A ball reaches half the way from a published row to the next one: perturbed numbers
stay near the row that they came from. Columns are scaled by their standard deviation; other values must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from anonnb.core.arrays import group_ids
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table

COLUMNS = 3  # of a multivariate predicate, as Anonymeter has it
TRIES = 20  # random conjunctions that are tried for each that is wanted
APART = 1e6  # standard deviations between rows that differ in a column without numbers
Conditions = dict[str, tuple[float, float]]  # the ends of what a column may hold


def people_column(people: Table, name: str) -> Attribute:
    """Return an attribute of the people, or say what is missing."""
    if name not in people.attributes:
        raise KeyError(f"the table has no column {name!r}, which the release has; give one with its columns")
    return people.attributes[name]


class Family:
    """Predicates of one kind about the rows of a release that shows single values.

    ``texts`` are the predicates, ``sizes`` counts the published rows behind each, ``rows`` finds the people who satisfy
    it, and ``weights`` are the products of the published margins.
    """

    def __init__(self, release: Release, count: int, seed: int):
        self.columns = {name: release.columns[name] for name in release.quasi}
        for name, column in self.columns.items():
            if not column.is_exact():
                raise ValueError(f"column {name!r} shows sets of values, not single ones; use predicates='box'")
        self.numeric = {name for name, column in self.columns.items() if column.attribute.kind == "numeric"}
        self.shown = {
            name: self._values(name, column.attribute)[column.sets.lo[column.index]]
            for name, column in self.columns.items()
        }
        self.texts: list[str] = []
        self.sizes = np.zeros(0, dtype=np.int64)
        self._read_off(len(release), count, np.random.default_rng(seed))

    def _values(self, name: str, own: Attribute) -> np.ndarray:
        """Return a number for each code of an attribute: that of a number, or the published code of the same value."""
        attribute = self.columns[name].attribute
        return own.numbers_from(attribute) if name in self.numeric else own.recode_to(attribute).astype(float)

    def _of_people(self, people: Table) -> dict[str, np.ndarray]:
        return {name: self._values(name, people_column(people, name))[people.codes(name)] for name in self.columns}

    def _read_off(self, rows: int, count: int, rng: np.random.Generator) -> None:
        raise NotImplementedError

    def rows(self, people: Table) -> list[np.ndarray]:
        raise NotImplementedError

    @property
    def weights(self) -> np.ndarray:
        raise NotImplementedError


class Univariate(Family):
    """Values that one published row has alone, and the ends of numbers if one row has them."""

    def _read_off(self, rows: int, count: int, rng: np.random.Generator) -> None:
        found: list[Conditions] = []
        for name, shown in self.shown.items():
            values, times = np.unique(shown[~np.isnan(shown)], return_counts=True)
            alone = values[times == 1]
            found += [{name: (value, value)} for value in alone]
            if name in self.numeric and len(values):
                found += [{name: (-np.inf, value)} for value in alone[alone == values[0]]]
                found += [{name: (value, np.inf)} for value in alone[alone == values[-1]]]
        self._keep([found[index] for index in rng.permutation(len(found))[:count]])

    def _keep(self, conditions: list[Conditions]) -> None:
        self._conditions, self.sizes = conditions, np.ones(len(conditions), dtype=np.int64)
        self.texts = [" and ".join(self._text(name, *ends) for name, ends in each.items()) for each in conditions]

    def _text(self, name: str, low: float, high: float) -> str:
        if low != high:
            return f"{name} ≤ {high:.12g}" if np.isinf(low) else f"{name} ≥ {low:.12g}"
        shown = f"{low:.12g}" if name in self.numeric else self.columns[name].attribute.labels[int(low)]
        return f"{name} = {shown}"

    def rows(self, people: Table) -> list[np.ndarray]:
        values = self._of_people(people)
        return [np.flatnonzero(_meets(values, each)) for each in self._conditions]

    @property
    def weights(self) -> np.ndarray:
        parts = [[_meets(self.shown, {name: ends}).mean() for name, ends in each.items()] for each in self._conditions]
        return np.array([np.prod(each) for each in parts])


class Multivariate(Univariate):
    """What random published rows have in several columns, met by no other row."""

    def _read_off(self, rows: int, count: int, rng: np.random.Generator) -> None:
        middle = {name: np.nanmedian(self.shown[name]) for name in self.numeric}
        found: dict[str, Conditions] = {}
        for _ in range(TRIES * count):
            row, each = int(rng.integers(rows)), {}
            for name in sorted(rng.permutation(list(self.columns))[:COLUMNS]):
                value = self.shown[name][row]
                ends = (value, np.inf) if value >= middle.get(name, np.inf) else (-np.inf, value)
                each[name] = ends if name in self.numeric else (value, value)
            if _meets(self.shown, each).sum() == 1:
                found[str(each)] = each
            if len(found) == count:
                break
        self._keep(list(found.values()))


def _meets(values: Mapping[str, np.ndarray], conditions: Conditions) -> np.ndarray:
    """Tell who meets all conditions; a missing number meets none."""
    parts = [(values[name] >= low) & (values[name] <= high) for name, (low, high) in conditions.items()]
    return np.logical_and.reduce(parts)


class Balls(Family):
    """The loneliest published rows, each with all that is nearer than half the way to the next one."""

    def _read_off(self, rows: int, count: int, rng: np.random.Generator) -> None:
        from scipy.spatial import KDTree

        self._spread = {name: float(np.nanstd(self.shown[name])) or 1.0 for name in self.numeric}
        kinds, first, size = np.unique(self._points(self.shown), axis=0, return_index=True, return_counts=True)
        apart = KDTree(kinds).query(kinds, k=2)[0][:, 1] if len(kinds) > 1 else np.full(len(kinds), APART)
        order = np.lexsort([first, -apart])[:count]  # ties by position
        self.sizes, self._first, self._radii = size[order], first[order], np.minimum(apart[order], APART) / 2
        numbered = zip(self._radii, self._first, strict=True)
        self.texts = [f"within {radius:.3g} of published row {row}" for radius, row in numbered]

    def _points(self, values: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return points in standard deviations, behind a coordinate that keeps apart who differs in anything else."""
        keys = [np.isnan(each) if name in self.numeric else each + 1 for name, each in values.items()]
        kinds = group_ids([key.astype(np.int64) for key in keys])[0]
        numbers = [np.nan_to_num(each) / self._spread[name] for name, each in values.items() if name in self.numeric]
        return np.column_stack([APART * kinds, *numbers])

    def rows(self, people: Table) -> list[np.ndarray]:
        from scipy.spatial import KDTree

        own = self._of_people(people)
        points = self._points({name: np.append(self.shown[name][self._first], own[name]) for name in own})
        centers, others = np.split(points, [len(self._first)])
        found = KDTree(others).query_ball_point(centers, self._radii)
        return [np.sort(np.array(each, dtype=np.int64)) for each in found]

    @property
    def weights(self) -> np.ndarray:
        weights = np.ones(len(self._first))
        for name, shown in self.shown.items():
            center, known = shown[self._first], np.sort(shown[~np.isnan(shown)])
            reach = self._radii * self._spread[name] if name in self.numeric else 0.0
            inside = np.searchsorted(known, center + reach, "right") - np.searchsorted(known, center - reach)
            weights *= np.where(np.isnan(center), np.isnan(shown).sum(), inside) / len(shown)
        return weights


FAMILIES: Mapping[str, Callable[[Release, int, int], Family]] = {
    "univariate": Univariate,
    "multivariate": Multivariate,
    "ball": Balls,
}
