"""Predicates that an attacker reads off single published rows, to single somebody out.

Univariate and multivariate ones are those of Anonymeter (Giomi, Boenisch, Wehmeyer and Tasnádi, PoPETs 2023): values
that one published row has alone, the ends of a column, and values of a random row, numbers as "at least" above the
median and as "at most" below it. A ball reaches half the way from a published row to the next one, or as far as the
noise that a method states: perturbed numbers stay near the row that they came from. Other values must be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from anonnb.attacks.matching.likely import stated_likelihoods
from anonnb.core.arrays import group_ids
from anonnb.privacy.likelihoods import NormalLikelihood
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table

COLUMNS = 3  # of a multivariate predicate, as Anonymeter has it
TRIES = 20  # random conjunctions that are tried for each that is wanted
NEAR, RADII = 100, 20  # rows around a ball that count, and radii that are tried
FURTHER = 0.6  # of the way to the next mean: a mean's own rows lie around it
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
        self.release, self.columns = release, {name: release.columns[name] for name in release.quasi}
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
    """What lies around published rows: the likeliest to hold one person only, or else the loneliest.

    If the method states the noise, a ball has the radius at which it most likely holds the row's own person and nobody
    else of the people published and of as many others; distances are in standard deviations of the noise. Otherwise it
    reaches half the way to the next row. A mean of several rows lies between them: so a ball around it that reaches a
    little further is halved by the sum of the columns, which of two rows just one exceeds.
    """

    def _read_off(self, rows: int, count: int, rng: np.random.Generator) -> None:
        from scipy.spatial import KDTree

        stated = stated_likelihoods(self.release, list(self.columns))
        normal = [part for part in stated if isinstance(part, NormalLikelihood)]
        means = any(part.log_share is None for part in normal)
        self._noise = normal[0] if normal and not means else None
        self._spread = {name: float(np.nanstd(self.shown[name])) or 1.0 for name in self.numeric}
        kinds, first, size = np.unique(self._points(self.shown), axis=0, return_index=True, return_counts=True)
        near = KDTree(kinds).query(kinds, k=min(NEAR + 1, len(kinds)))[0].reshape(len(kinds), -1)[:, 1:]
        if self._noise is None or not near.shape[1]:
            apart = np.minimum(near[:, 0], APART) if near.shape[1] else np.full(len(kinds), APART)
            chance, radii = apart, apart * np.where(means & (size > 1), FURTHER, 0.5)
        else:
            chance, radii = _likeliest_radii(near, kinds.shape[1] - 1)
        order = np.lexsort([first, -chance])[:count]  # ties by position
        self.sizes, self._first, self._radii = size[order], first[order], radii[order]
        self._halved = means & (self.sizes > 1)
        self.sizes = np.where(self._halved, np.maximum(self.sizes / 2, 1), self.sizes)  # half are on the other side
        unit = "" if self._noise is None else " standard deviations of the noise"
        ends = ["", " and above it in the sum of the scaled columns"]
        numbered = zip(self._radii, self._first, self._halved, strict=True)
        self.texts = [
            f"within {radius:.3g}{unit} of published row {row}{ends[int(half)]}" for radius, row, half in numbered
        ]

    def _points(self, values: Mapping[str, np.ndarray], people: bool = False) -> np.ndarray:
        """Return points in standard deviations, behind a coordinate that keeps apart who differs in anything else."""
        noisy = self.numeric if self._noise is None else self._noise.names
        keys = [np.isnan(each) if name in noisy else each for name, each in values.items()]
        kinds = group_ids([np.unique(key, return_inverse=True)[1].astype(np.int64) for key in keys])[0]
        if self._noise is not None:
            numbers = np.column_stack([values[name] for name in noisy])
            return np.column_stack([APART * kinds, self._noise.points(numbers, moved=people)])
        scaled = [np.nan_to_num(each) / self._spread[name] for name, each in values.items() if name in noisy]
        return np.column_stack([APART * kinds, *scaled])

    def rows(self, people: Table) -> list[np.ndarray]:
        from scipy.spatial import KDTree

        own, count = self._of_people(people), len(self._first)
        both = {name: np.append(self.shown[name][self._first], own[name]) for name in own}
        centers, others = self._points(both)[:count], self._points(both, people=True)[count:]
        found = KDTree(others).query_ball_point(centers, self._radii)
        above = others[:, 1:].sum(axis=1), centers[:, 1:].sum(axis=1)
        result = []
        for number, each in enumerate(found):
            inside = np.sort(np.array(each, dtype=np.int64))
            result.append(inside[above[0][inside] > above[1][number]] if self._halved[number] else inside)
        return result

    @property
    def weights(self) -> np.ndarray:
        weights = np.ones(len(self._first))
        for name, shown in self.shown.items():
            center, known = shown[self._first], np.sort(shown[~np.isnan(shown)])
            reach = self._radii * self._reach(name)
            inside = np.searchsorted(known, center + reach, "right") - np.searchsorted(known, center - reach)
            weights *= np.where(np.isnan(center), np.isnan(shown).sum(), inside) / len(shown)
        return np.where(self._halved, weights / 2, weights)

    def _reach(self, name: str) -> float:
        """Return how far a ball of radius 1 reaches in a column."""
        if self._noise is None:
            return self._spread[name] if name in self.numeric else 0.0
        if name not in self._noise.names:
            return 0.0
        unit = np.eye(len(self._noise.names))[self._noise.names.index(name)]
        ends = self._noise.points(np.array([unit, 0 * unit]))
        return 1 / max(float(np.linalg.norm(ends[0] - ends[1])), 1e-12)


def _likeliest_radii(near: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row how likely a ball holds its own person alone, and the radius, given the nearest rows.

    Distances are in standard deviations of the noise, so the square of that to a person has a chi-squared distribution:
    a central one for the own person, else a noncentral one.
    """
    from scipy.special import chdtr, chdtri, chndtr

    squares = chdtri(columns, 1 - np.linspace(0.05, 0.999, RADII))
    alone = np.array([np.prod(1 - chndtr(square, columns, near**2), axis=1) for square in squares])
    chances = chdtr(columns, squares)[:, None] * alone**2  # nobody of the others here, and of as many elsewhere
    return chances.max(axis=0), np.sqrt(squares)[chances.argmax(axis=0)]


FAMILIES: Mapping[str, Callable[[Release, int, int], Family]] = {
    "univariate": Univariate,
    "multivariate": Multivariate,
    "ball": Balls,
}
