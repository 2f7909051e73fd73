"""Rough sets (Pawlak 1982): what can be said for sure and what is possible when rows look alike.

Idea: rows that the attributes cannot tell apart are related; a set is approximated from below by the rows whose
relatives all belong to it, from above by those with some relative in it. Reading for releases: ``relation`` says when
rows are related: their value sets are equal (``"equal"``), share a value in every attribute (``"overlap"``, which need
not be transitive) or lie inside those of the row in question (``"inside"``); ``"tolerance"`` and ``"similarity"`` are
the last two with missing values read as any value (``relations``). A row surely belongs to a union of classes when its
decision set lies inside the union, and possibly when it overlaps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.roughsets.relations import kinds_of, sums_over_relatives
from anonnb.tables.attribute import preview
from anonnb.tables.release import Release, as_release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

MAX_KINDS = 5_000


@dataclass(frozen=True, eq=False)
class Approximation:
    """Rough set of a concept: the row numbers of its lower and upper approximation.

    >>> from anonnb import load
    >>> high: Approximation = approximate(load("decision6"), "high", ["occupation", "domicile"])
    >>> high.concept.tolist(), high.boundary.tolist(), round(high.quality, 2)
    ([0, 1, 5], [1, 2], 0.67)
    """

    lower: np.ndarray
    upper: np.ndarray
    concept: np.ndarray = field(repr=False)

    @property
    def boundary(self) -> np.ndarray:
        """Rows that possibly but not surely belong to the concept."""
        return np.setdiff1d(self.upper, self.lower)

    @property
    def accuracy(self) -> float:
        """|lower| / |upper|: 1 when the attributes describe the concept exactly (and for an empty concept)."""
        return len(self.lower) / len(self.upper) if len(self.upper) else 1.0

    @property
    def quality(self) -> float:
        """|lower| / |concept|: the share of the concept that is recognized for sure (1 for an empty concept)."""
        return len(self.lower) / len(self.concept) if len(self.concept) else 1.0


def indiscernibility(data: Table | Release, attributes: Sequence[str] | None = None) -> tuple[np.ndarray, int]:
    """Number the equivalence classes: rows with the same number read alike in all the attributes.

    Returns
    -------
    tuple of numpy.ndarray and int
        The number of each row's class, and the number of classes.

    Examples
    --------
    >>> from anonnb import load
    >>> indiscernibility(load("decision6"), ["occupation", "domicile"])[0].tolist()
    [0, 1, 1, 2, 3, 4]
    """
    return kinds_of(*ready(data, attributes))


def approximate(
    data: Table | Release,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    rows: Iterable[int] | None = None,
    relation: str = "equal",
) -> Approximation:
    """Return lower and upper approximation of a class, of a union of classes, or of any set of rows.

    A_*(X) = {u : [u] ⊆ X} and A^*(X) = {u : [u] ∩ X ≠ ∅}, where [u] are the rows related to u. Where sets overlap so
    much that nothing separates the rows, all pairs of different rows are compared, and time grows with their square.

    Parameters
    ----------
    relation:
        When rows are related: their value sets are equal (``"equal"``), share a value in every attribute
        (``"overlap"``), or lie inside those of the row in question (``"inside"``); ``"tolerance"`` and ``"similarity"``
        are the last two with missing values read as any value.

    Examples
    --------
    >>> from anonnb import load
    >>> high = approximate(load("decision6"), "high", ["occupation", "domicile"])
    >>> high.lower.tolist(), high.upper.tolist(), high.boundary.tolist(), high.accuracy
    ([0, 5], [0, 1, 2, 5], [1, 2], 0.5)
    """
    release, names = ready(data, attributes)
    sure, possible = membership(release, concept, rows)
    related = sums_over_relatives(release, names, relation, np.column_stack([~sure, possible])) > 0
    return Approximation(np.flatnonzero(~related[:, 0]), np.flatnonzero(related[:, 1]), np.flatnonzero(possible))


def lower(
    data: Table | Release, concept: object, attributes: Sequence[str] | None = None, **options: Any
) -> np.ndarray:
    """Return the rows that surely belong to a concept; the arguments are those of :func:`approximate`.

    >>> from anonnb import load
    >>> lower(load("decision6"), "high", ["occupation", "domicile"]).tolist()
    [0, 5]
    """
    return approximate(data, concept, attributes, **options).lower


def upper(
    data: Table | Release, concept: object, attributes: Sequence[str] | None = None, **options: Any
) -> np.ndarray:
    """Return the rows that possibly belong to a concept; the arguments are those of :func:`approximate`.

    >>> from anonnb import load
    >>> upper(load("decision6"), "high", ["occupation", "domicile"]).tolist()
    [0, 1, 2, 5]
    """
    return approximate(data, concept, attributes, **options).upper


def boundary(
    data: Table | Release, concept: object, attributes: Sequence[str] | None = None, **options: Any
) -> np.ndarray:
    """Return the rows that possibly but not surely belong to a concept; arguments as for :func:`approximate`.

    >>> from anonnb import load
    >>> boundary(load("decision6"), "high", ["occupation", "domicile"]).tolist()
    [1, 2]
    """
    return approximate(data, concept, attributes, **options).boundary


def positive_region(
    data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal"
) -> np.ndarray:
    """Return the rows whose class the attributes determine: the union of the lower approximations of all classes.

    >>> from anonnb import load
    >>> positive_region(load("decision6"), ["occupation", "domicile"]).tolist()
    [0, 3, 4, 5]
    """
    release, names = ready(data, attributes)
    return np.flatnonzero(positive(release, names, relation))


def quality(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal") -> float:
    """Return the quality of approximation of the classes, ``γ = |positive region| / |rows|``.

    >>> from anonnb import load
    >>> round(quality(load("decision6"), ["occupation", "domicile"]), 3), quality(load("decision6"))
    (0.667, 1.0)
    """
    release, names = ready(data, attributes)
    return float(positive(release, names, relation).mean()) if len(release) else 1.0


# ---- decisions ----------------------------------------------------------------------------------------------------


def ready(data: Table | Release, attributes: Sequence[str] | None) -> tuple[Release, list[str]]:
    release = as_release(data)
    if attributes is None:
        return release, [name for name in release.table.conditions if name in release.columns]
    names = [attributes] if isinstance(attributes, str) else list(attributes)
    for name in names:
        if name not in release.columns:
            raise KeyError(
                f"attributes: there is no column {name!r}; the columns are {preview(list(release.columns), 20)}"
            )
        if name == release.decision:
            raise ValueError(f"attributes: {name!r} is the decision; it cannot help to describe itself")
    return release, names


def decision_flags(release: Release) -> np.ndarray:
    """Flag the classes that each row may have; without a decision, every kind of row is a class of its own."""
    if release.decision is None:
        groups, count = indiscernibility(release)
        if count > MAX_KINDS:
            raise ValueError(
                Message(
                    f"without a decision every kind of row is a class, and there are {count:,}; "
                    f"more than {MAX_KINDS:,} are too many",
                    advice(": name a decision with ", remedies.role("decision")),
                )
            )
        return np.eye(count, dtype=bool)[groups]
    column = release.columns[release.decision]
    return column.sets.as_masks()[column.index]


def positive(release: Release, names: Sequence[str], relation: str) -> np.ndarray:
    """Tell whether each row's relatives all have the same single class."""
    return generalized_decision(release, names, relation).sum(axis=1) == 1


def generalized_decision(release: Release, names: Sequence[str], relation: str) -> np.ndarray:
    """Return the classes of the rows related to each row: rows × classes."""
    return sums_over_relatives(release, names, relation, decision_flags(release)) > 0


def membership(
    release: Release, concept: object = None, rows: Iterable[int] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows surely and possibly in a concept: a class, a union of classes, or any set of rows."""
    if (concept is None) == (rows is None):
        raise ValueError("approximate needs either a concept (a class or several) or rows")
    return _members(release, concept) if rows is None else _given(rows, len(release))


def _members(release: Release, concept: object) -> tuple[np.ndarray, np.ndarray]:
    """Return rows surely and possibly in a class or a union of classes."""
    column = release.columns[required_decision(release, tail=", or give rows")]
    values = list(concept) if isinstance(concept, list | tuple | set | frozenset) else [concept]
    mask = np.zeros(column.attribute.size, dtype=bool)
    mask[[column.attribute.code(value) for value in values]] = True
    return column.sets.inside(mask)[column.index], column.sets.overlaps(mask)[column.index]


def _given(rows: Iterable[int], count: int) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.asarray(list(rows), dtype=np.int64)
    if len(numbers) and (numbers.min() < 0 or numbers.max() >= count):
        strange = int(numbers[(numbers < 0) | (numbers >= count)][0])
        raise ValueError(f"rows: {strange} is not a row; the {count} rows are numbered from 0")
    member = np.zeros(count, dtype=bool)
    member[numbers] = True
    return member, member
