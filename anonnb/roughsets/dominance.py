"""Dominance (Greco, Matarazzo and Słowiński 2001): ordered attributes, ordered classes, and what is at least as good.

Idea: a row that is at least as good as another in every criterion should not be in a worse class; rows that contradict
this are in the boundary of "at least" and "at most" some class. Reading: criteria are ordinal and numeric columns in
the order of their domains, larger is better unless named in ``cost``; where a cell is a set, or missing, it may be
anything between its ends: sure is what holds for all of these, possible what holds for at least one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import first_places, group_ids
from anonnb.core.errors import Message, advice
from anonnb.core.progress import Progress, no_progress, ticks, watched_by
from anonnb.roughsets.approximations import Approximation, ready
from anonnb.roughsets.implicants import minimal_sets
from anonnb.roughsets.relations import PAIRS_AT_ONCE
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

UNIONS = ("at least", "at most")


@dataclass(frozen=True, eq=False)
class Criteria:
    """Rows × criteria: the worst and the best that each cell may be (larger is better), and the same of the class."""

    names: list[str]
    attributes: list[Attribute]
    signs: np.ndarray
    low: np.ndarray
    high: np.ndarray
    decision: Attribute
    worst: np.ndarray
    best: np.ndarray

    @classmethod
    def of(cls, data: Table | Release, attributes: Sequence[str] | None, cost: Sequence[str]) -> Criteria:
        release, names = ready(data, attributes)
        if release.decision is None:
            name_it = advice("; name it with ", remedies.role("decision"))
            raise ValueError(Message("dominance needs a decision whose classes are ordered", name_it))
        if attributes is None:
            names = [name for name in names if release.columns[name].attribute.kind != "nominal"]
        cost = [cost] if isinstance(cost, str) else list(cost)
        columns = [release.columns[name] for name in names]
        for column in (*columns, release.columns[release.decision]):
            _check_order(column)
        if not names:
            raise ValueError("no condition attribute is ordered; make one ordinal with Table(orders={…})")
        unknown = [name for name in cost if name not in names]
        if unknown:
            raise KeyError(f"cost: {unknown[0]!r} is none of the criteria, which are {', '.join(names)}")
        signs = np.where([name in cost for name in names], -1, 1)
        ends = [_ends(column) for column in columns]
        low, high = (np.column_stack([end[end_index] for end in ends]) * signs for end_index in (0, 1))
        decision = release.columns[release.decision]
        criteria = [column.attribute for column in columns]
        return cls(
            names, criteria, signs, np.minimum(low, high), np.maximum(low, high), decision.attribute, *_ends(decision)
        )

    def __len__(self) -> int:
        return len(self.worst)

    def select(self, names: Sequence[str]) -> Criteria:
        """Return some of the criteria."""
        indices = [self.names.index(name) for name in names]
        attributes = [self.attributes[index] for index in indices]
        return Criteria(
            list(names),
            attributes,
            self.signs[indices],
            self.low[:, indices],
            self.high[:, indices],
            self.decision,
            self.worst,
            self.best,
        )

    @property
    def exact(self) -> bool:
        """Whether every cell is a single value."""
        return bool((self.low == self.high).all() and (self.worst == self.best).all())


@dataclass(frozen=True, eq=False)
class ClassBounds:
    """For every row the lowest class of rows at least as good, and the highest of rows at most as good, as codes.

    All approximations follow from them: a row is in the lower approximation of "at least t" if ``low`` ≥ t, in the
    upper one if ``high`` ≥ t; in those of "at most t" if ``high`` ≤ t and if ``low`` ≤ t, respectively.
    """

    low: np.ndarray
    high: np.ndarray

    @property
    def consistent(self) -> np.ndarray:
        """Whether nothing contradicts a row's class."""
        return self.low == self.high


def class_bounds(
    data: Table | Release, attributes: Sequence[str] | None = None, *, cost: Sequence[str] = (), narrow: bool = False
) -> ClassBounds:
    """Return the lowest and the highest class that dominance allows for each row.

    Parameters
    ----------
    narrow:
        For a release, the default gives the widest bounds over all tables that it may stand for; True gives those that
        some table reaches, each by itself. For a table without missing values the two are the same.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"maths": [1, 2, 3], "physics": [1, 1, 1], "grade": [1, 3, 2]})
    >>> bounds = class_bounds(Table(frame, decision="grade"))
    >>> bounds.low.tolist(), bounds.high.tolist()
    ([0, 1, 1], [0, 2, 2])
    """
    return bounds_of(Criteria.of(data, attributes, cost), narrow)


def approximate(
    data: Table | Release,
    value: object,
    attributes: Sequence[str] | None = None,
    *,
    union: str = "at least",
    cost: Sequence[str] = (),
) -> Approximation:
    """Return lower and upper approximation of the rows of a class or better, or of a class or worse.

    Parameters
    ----------
    union:
        ``"at least"`` for the class or better, ``"at most"`` for the class or worse.

    Examples
    --------
    >>> from anonnb import load
    >>> good = approximate(load("car"), "good", cost=["buying", "maint"])
    >>> len(good.lower), len(good.concept), len(good.upper)
    (131, 134, 137)
    """
    if union not in UNIONS:
        raise ValueError(f"union={union!r} is not known; use 'at least' or 'at most'")
    criteria = Criteria.of(data, attributes, cost)
    bounds, code = bounds_of(criteria), criteria.decision.code(value)
    if union == "at least":
        parts = bounds.low >= code, bounds.high >= code, criteria.best >= code
    else:
        parts = bounds.high <= code, bounds.low <= code, criteria.worst <= code
    return Approximation(*map(np.flatnonzero, parts))


def quality(data: Table | Release, attributes: Sequence[str] | None = None, *, cost: Sequence[str] = ()) -> float:
    """Return the share of rows whose class nothing contradicts: those in no boundary.

    >>> from anonnb import load
    >>> round(quality(load("car"), cost=["buying", "maint"]), 4)
    0.9792
    """
    return _share(bounds_of(Criteria.of(data, attributes, cost)))


def reducts(
    data: Table | Release,
    attributes: Sequence[str] | None = None,
    *,
    cost: Sequence[str] = (),
    limit: int = 20_000,
    progress: Progress = no_progress,
) -> list[list[str]]:
    """Return all minimal sets of criteria with the quality of all, shortest first; raise after ``limit`` sets.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"maths": [1, 2, 3], "physics": [1, 1, 2], "grade": [1, 2, 3]})
    >>> reducts(Table(frame, decision="grade"))
    [['maths']]
    """
    criteria = Criteria.of(data, attributes, cost)
    whole = bounds_of(criteria).consistent.sum()

    def suffices(names: list[str]) -> bool:
        return bool(bounds_of(criteria.select(names)).consistent.sum() == whole)

    with watched_by(progress):
        return minimal_sets(criteria.names, suffices, limit)


# ---- which rows are at least as good ------------------------------------------------------------------------------


def bounds_of(criteria: Criteria, narrow: bool = False) -> ClassBounds:
    """Return the bounds of every row; see :func:`class_bounds`."""
    low, high, worst, best = criteria.low, criteria.high, criteria.worst, criteria.best
    if narrow:  # rows avoid each other where they can: x takes its best and the others their worst, or the reverse
        lowest = _lowest(low, high, best)
        highest = -_lowest(-high, -low, -worst)
        return ClassBounds(np.minimum(lowest, best), np.maximum(highest, worst))
    return ClassBounds(_lowest(high, low, worst), -_lowest(-low, -high, -best))


def _lowest(values: np.ndarray, wanted: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return for every row the lowest class of the rows whose values reach ``wanted`` in every criterion."""
    far = np.iinfo(np.int64).max
    if not values.shape[1]:
        return np.full(len(classes), classes.min(initial=far))
    kind, count = group_ids(list((values - values.min(axis=0, initial=far)).T))
    lowest = np.full(count, far)
    np.minimum.at(lowest, kind, classes)
    givers = values[first_places(kind, count)]
    asking, askers = group_ids(list((wanted - wanted.min(axis=0, initial=far)).T))
    asked = wanted[first_places(asking, askers)]
    lowest_classes = np.empty(askers, dtype=np.int64)
    step = max(PAIRS_AT_ONCE // max(count, 1), 1)
    for start in ticks(range(0, askers, step), "blocks of rows"):
        part = asked[start : start + step]
        reached = np.ones((len(part), count), dtype=bool)
        for index in range(values.shape[1]):
            reached &= givers[:, index] >= part[:, index, None]
        lowest_classes[start : start + step] = np.where(reached, lowest, far).min(axis=1)
    return lowest_classes[asking]


def _ends(column: Column) -> tuple[np.ndarray, np.ndarray]:
    """Return first and last code of each cell; a cell that may be missing may be anything."""
    sets, attribute = column.sets, column.attribute
    low, high = sets.lo.astype(np.int64), sets.hi.astype(np.int64)
    if attribute.missing:
        absent = sets.contains(attribute.missing_code)
        low, high = np.where(absent, 0, low), np.where(absent, max(len(attribute.domain) - 1, 0), high)
    return low[column.index], high[column.index]


def _check_order(column: Column) -> None:
    if column.attribute.kind == "nominal":
        name = column.attribute.name
        raise ValueError(
            f"column {name!r} has no order; give it one, from worst to best, with Table(orders=…), or leave it out"
        )


def _share(bounds: ClassBounds) -> float:
    return float(bounds.consistent.mean()) if len(bounds.low) else 1.0
