"""Rough sets of releases: what is certain, and what is possible, over all tables that a release may stand for.

Idea (Lipski 1981; Nakata and Sakai 2005): a release of value sets stands for every table that has one value of each set
in each cell. A row is certainly in an approximation if it is in it for every such table, and possibly if for some.
Reading: cells are assumed independent; the answers below are then exact, though the tables are never written down.
:func:`dependencies` shows what is left of a table's quality, core and reducts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb.core.arrays import first_places
from anonnb.roughsets.approximations import decision_flags, generalized_decision, membership, positive, ready
from anonnb.roughsets.dominance import Criteria, bounds_of
from anonnb.roughsets.reduction import core, reducts
from anonnb.roughsets.relations import kinds_of, sums_over_relatives
from anonnb.tables.matching import Overlaps
from anonnb.tables.release import Release
from anonnb.tables.table import Table

HIGHEST_VOLUME = 2.0**60  # a box with more points than any table has rows is never full


@dataclass(frozen=True, eq=False)
class WorldApproximation:
    """Row numbers in the lower and the upper approximation: certainly (in every table) and possibly (in some)."""

    certain_lower: np.ndarray
    possible_lower: np.ndarray
    certain_upper: np.ndarray
    possible_upper: np.ndarray


def approximate_worlds(
    data: Table | Release,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    rows: Iterable[int] | None = None,
) -> WorldApproximation:
    """Return certain and possible approximations of a class, a union of classes, or any set of rows.

    A row is certainly in the lower approximation when every row that may look like it surely belongs to the concept. It
    is possibly in it when it may have values that no exact row outside the concept has. The upper approximations are
    the complements of the lower approximations of the complement. For a table, certain and possible are the same.

    >>> from anonnb import load
    >>> found = approximate_worlds(load("decision6"), "high", ["occupation", "domicile"])
    >>> found.certain_lower.tolist(), found.possible_lower.tolist(), found.certain_upper.tolist()
    ([0, 5], [0, 5], [0, 1, 2, 5])
    """
    release, names = ready(data, attributes)
    sure, possible = membership(release, concept, rows)
    lower, upper = _possible_lower(release, names, possible), _possible_lower(release, names, ~sure)
    near = sums_over_relatives(release, names, "overlap", np.column_stack([~sure, possible])) > 0
    return WorldApproximation(*map(np.flatnonzero, (~near[:, 0], lower, ~upper, near[:, 1])))


def dominance_worlds(
    data: Table | Release, value: object, attributes: Sequence[str] | None = None, *, cost: Sequence[str] = ()
) -> WorldApproximation:
    """Return certain and possible approximations of the rows of a class or better, under dominance.

    A cell is read as all values between its ends.

    >>> from anonnb import load
    >>> found = dominance_worlds(load("car"), "good", cost=["buying", "maint"])
    >>> len(found.certain_lower), len(found.possible_upper)
    (131, 137)
    """
    criteria = Criteria.of(data, attributes, cost)
    wide, narrow, code = bounds_of(criteria), bounds_of(criteria, narrow=True), criteria.decision.code(value)
    parts = wide.low >= code, narrow.low >= code, narrow.high >= code, wide.high >= code
    return WorldApproximation(*map(np.flatnonzero, parts))


def quality_bounds(data: Table | Release, attributes: Sequence[str] | None = None) -> tuple[float, float]:
    """Return the share of rows that surely have one class, and the share possibly in the positive region.

    The first is γ of the release with overlapping rows related; no table that it may stand for has a lower γ.

    >>> from anonnb import load
    >>> quality_bounds(load("hayes-roth"))
    (0.79375, 0.79375)
    """
    release, names = ready(data, attributes)
    if not len(release):
        return 1.0, 1.0
    certain = positive(release, names, "overlap")
    possible = np.zeros(len(release), dtype=bool)
    for flags in decision_flags(release).T:
        possible |= _possible_lower(release, names, flags)
    return float(certain.mean()), float(possible.mean())


def roughness(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "overlap") -> float:
    """Return Pawlak's roughness: 1 minus the rows surely in a class per row possibly in it.

    1 − Σ|lower(X)| / Σ|upper(X)| over all classes X: 0 if the class of every row is sure, 1 if none is. A withheld row
    may have any class. Time grows as in :func:`approximate`: with the square of the different rows where many overlap.

    >>> from anonnb import load
    >>> round(roughness(load("decision6"), ["occupation", "domicile"]), 3)
    0.5
    """
    release, names = ready(data, attributes)
    reached = generalized_decision(release, names, relation)
    sure, maybe = (reached.sum(axis=1) == 1).sum(), reached.sum() + release.n_suppressed * reached.any(axis=0).sum()
    return 1 - float(sure / maybe) if maybe else 1.0


def dependencies(
    releases: Mapping[object, Table | Release],
    attributes: Sequence[str] | None = None,
    *,
    relation: str = "overlap",
    limit: int = 20_000,
) -> pd.DataFrame:
    """Compare what is left of a rough-set analysis in each release with the first.

    Shares are of all rows, including withheld ones, about which nothing is sure.

    Returns
    -------
    pandas.DataFrame
        A row per name: γ, the share of rows in the positive region of some table that the release may stand for,
        roughness, core, number of reducts, how many reducts of the first are still reducts, and the γ of the first's
        shortest reduct in this release: the dependency that an analyst would have used.

    Examples
    --------
    >>> from anonnb import load
    >>> frame = dependencies({"original": load("decision6")})
    >>> frame.loc["original", "core"], int(frame.loc["original", "reducts"])
    ('sex, occupation', 1)
    """
    wanted: list[list[str]] = []
    lines = {}
    for label, data in releases.items():
        release, names = ready(data, attributes)
        results = reducts(release, names, relation=relation, limit=limit)
        wanted = wanted or results
        withheld, count = release.n_suppressed, max(len(release) + release.n_suppressed, 1)
        lines[label] = {
            "γ": positive(release, names, relation).sum() / count,
            "γ possible": (quality_bounds(release, names)[1] * len(release) + withheld) / count,
            "roughness": roughness(release, names, relation=relation),
            "core": ", ".join(core(release, names, relation=relation)),
            "reducts": len(results),
            "reducts kept": sum(chosen in results for chosen in wanted),
            "γ of the shortest reduct": positive(release, wanted[0], relation).sum() / count,
        }
    return pd.DataFrame.from_dict(lines, orient="index")


# ---- possible worlds ----------------------------------------------------------------------------------------------


def _possible_lower(release: Release, names: Sequence[str], possible: np.ndarray) -> np.ndarray:
    """Return rows that some table puts in the lower approximation of a concept; ``possible`` rows may belong to it.

    Of the other rows, only exact ones cannot take other values; so a row needs a point of its box that no exact row
    surely outside the concept has. Occupied points are counted and compared with the number of points in the box.
    """
    exact = np.ones(len(release), dtype=bool)
    volume = np.ones(len(release))
    for name in names:
        sizes = release.columns[name].sizes
        exact &= sizes == 1
        volume = np.minimum(volume * sizes, HIGHEST_VOLUME)
    if not names:  # all rows look alike in every table
        return possible & bool(possible.all())
    bad = np.flatnonzero(exact & ~possible)
    if not len(bad):
        return possible
    kinds, count = kinds_of(release.take(bad), names)
    points = [release.columns[name].take(bad[first_places(kinds, count)]) for name in names]
    boxes, many = kinds_of(release, names)
    first = first_places(boxes, many)
    rows = [release.columns[name].take(first) for name in names]
    filled = Overlaps(points, rows).totals(people=[np.ones(count)])[1][0]
    return possible & (filled < volume[first])[boxes]
