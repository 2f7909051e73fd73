"""Rough sets (Pawlak 1982): what can be said for sure and what is possible when rows look alike.

Idea: rows that the attributes cannot tell apart are related; a set is approximated from below by the rows whose
relatives all belong to it, from above by those with some relative in it. Reading for releases: rows are related when
their value sets are equal (``relation="equal"``) or share a value in every attribute (``"overlap"``, which need not be
transitive); a row belongs surely to a union of classes when its decision set lies inside, possibly when it meets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from anonnb.core import remedies
from anonnb.core.arrays import distinct_rows, first_places, group_ids
from anonnb.core.errors import Message, advice
from anonnb.tables.attribute import some
from anonnb.tables.matching import Overlaps
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

RELATIONS = ("equal", "overlap")
PAIRS_AT_ONCE = 4_000_000
MOST_KINDS = 5_000


@dataclass(frozen=True, eq=False)
class Approximation:
    """The rough set of a concept: row numbers of its lower and upper approximation."""

    lower: np.ndarray
    upper: np.ndarray
    concept: np.ndarray = field(repr=False)

    @property
    def boundary(self) -> np.ndarray:
        """Rows that may belong to the concept but not for sure."""
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
    """Numbers of the equivalence classes: rows with the same number read alike in all the attributes.

    >>> from anonnb import load
    >>> indiscernibility(load("decision6"), ["occupation", "domicile"])[0].tolist()
    [0, 1, 1, 2, 3, 4]
    """
    release, names = ready(data, attributes)
    if not names:
        return np.zeros(len(release), dtype=np.int64), min(len(release), 1)
    return group_ids([set_numbers(release.columns[name]) for name in names])


def approximate(
    data: Table | Release,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    rows: Iterable[int] | None = None,
    relation: str = "equal",
) -> Approximation:
    """Lower and upper approximation of a class, of a union of classes (a list), or of any set of ``rows``.

    A_*(X) = {u : [u] ⊆ X} and A^*(X) = {u : [u] ∩ X ≠ ∅}, where [u] are the rows related to u. ``attributes`` are all
    condition attributes by default.

    >>> from anonnb import load
    >>> high = approximate(load("decision6"), "high", ["occupation", "domicile"])
    >>> high.lower.tolist(), high.upper.tolist(), high.boundary.tolist(), high.accuracy
    ([0, 5], [0, 1, 2, 5], [1, 2], 0.5)
    """
    release, names = ready(data, attributes)
    if (concept is None) == (rows is None):
        raise ValueError("approximate needs either a concept (a class or several) or rows")
    sure, possible = _members(release, concept) if rows is None else _given(rows, len(release))
    found = _of_relatives(release, names, relation, np.column_stack([~sure, possible]))
    return Approximation(np.flatnonzero(~found[:, 0]), np.flatnonzero(found[:, 1]), np.flatnonzero(possible))


def lower(data: Table | Release, concept: object, attributes: Sequence[str] | None = None, **options) -> np.ndarray:
    """The rows that surely belong to a concept; see :func:`approximate`."""
    return approximate(data, concept, attributes, **options).lower


def upper(data: Table | Release, concept: object, attributes: Sequence[str] | None = None, **options) -> np.ndarray:
    """The rows that possibly belong to a concept; see :func:`approximate`."""
    return approximate(data, concept, attributes, **options).upper


def boundary(data: Table | Release, concept: object, attributes: Sequence[str] | None = None, **options) -> np.ndarray:
    """The rows that possibly but not surely belong to a concept; see :func:`approximate`."""
    return approximate(data, concept, attributes, **options).boundary


def positive_region(
    data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal"
) -> np.ndarray:
    """The rows whose class the attributes tell for sure: the union of the lower approximations of all classes.

    >>> from anonnb import load
    >>> positive_region(load("decision6"), ["occupation", "domicile"]).tolist()
    [0, 3, 4, 5]
    """
    release, names = ready(data, attributes)
    return np.flatnonzero(positive(release, names, relation))


def quality(data: Table | Release, attributes: Sequence[str] | None = None, *, relation: str = "equal") -> float:
    """Quality of approximation of the classes, γ = |positive region| / |rows|.

    >>> from anonnb import load
    >>> round(quality(load("decision6"), ["occupation", "domicile"]), 3), quality(load("decision6"))
    (0.667, 1.0)
    """
    release, names = ready(data, attributes)
    return float(positive(release, names, relation).mean()) if len(release) else 1.0


# ---- relations ----------------------------------------------------------------------------------------------------


def _of_relatives(release: Release, names: Sequence[str], relation: str, flags: np.ndarray) -> np.ndarray:
    """For every row the flags that some related row has (a row is related to itself)."""
    if relation not in RELATIONS:
        raise ValueError(f"relation={relation!r} is not known; use 'equal' or 'overlap'")
    exact = all((release.columns[name].sizes == 1).all() for name in names)
    groups, count = indiscernibility(release, names)
    joined = np.zeros((count, flags.shape[1]), dtype=bool)
    for place in range(flags.shape[1]):
        joined[groups[flags[:, place]], place] = True
    if relation == "overlap" and not exact:
        first = first_places(groups, count)
        columns = [release.columns[name].take(first) for name in names]
        joined = Overlaps(columns, columns).totals([joined])[0][0] > 0
    return joined[groups]


def related(column: Column, ones: np.ndarray, relation: str) -> np.ndarray:
    """Which cells of a column (second axis) are related to those of the rows ``ones`` (first axis)."""
    if relation == "equal":
        numbers = set_numbers(column)
        return numbers[ones][:, None] == numbers[None, :]
    return Overlaps([column], [column]).matrix(ones)


def set_numbers(column: Column) -> np.ndarray:
    """A number per cell, equal for equal sets, whatever their labels."""
    sets = column.sets
    gaps = np.full(len(sets), -1, dtype=np.int64)
    if (sets.mask_row >= 0).any():
        _, numbers = distinct_rows(np.packbits(sets.masks, axis=1))
        gaps[sets.mask_row >= 0] = numbers[sets.mask_row[sets.mask_row >= 0]]
    numbers, _ = group_ids([sets.lo, sets.hi, gaps + 1])
    return numbers[column.index]


# ---- decisions ----------------------------------------------------------------------------------------------------


def ready(data: Table | Release, attributes: Sequence[str] | None) -> tuple[Release, list[str]]:
    release = as_release(data)
    if attributes is None:
        return release, [name for name in release.table.conditions if name in release.columns]
    names = [attributes] if isinstance(attributes, str) else list(attributes)
    for name in names:
        if name not in release.columns:
            raise KeyError(
                f"attributes: there is no column {name!r}; the columns are {some(list(release.columns), 20)}"
            )
        if name == release.decision:
            raise ValueError(f"attributes: {name!r} is the decision; it cannot help to describe itself")
    return release, names


def decision_flags(release: Release) -> np.ndarray:
    """Which classes each row may have; without a decision every kind of row is a class of its own."""
    if release.decision is None:
        groups, count = indiscernibility(release)
        if count > MOST_KINDS:
            raise ValueError(
                Message(
                    f"without a decision every kind of row is a class, and there are {count:,}; "
                    f"more than {MOST_KINDS:,} are too many",
                    advice(": name a decision with ", remedies.role("decision")),
                )
            )
        return np.eye(count, dtype=bool)[groups]
    column = release.columns[release.decision]
    return column.sets.as_masks()[column.index]


def positive(release: Release, names: Sequence[str], relation: str) -> np.ndarray:
    """Whether each row's relatives all have the same single class."""
    return _of_relatives(release, names, relation, decision_flags(release)).sum(axis=1) == 1


def _members(release: Release, concept: object) -> tuple[np.ndarray, np.ndarray]:
    """Rows surely and possibly in a class or a union of classes."""
    if release.decision is None:
        name_it = advice("; name it with ", remedies.role("decision"), tail=", or give rows")
        raise ValueError(Message("the table has no decision column", name_it))
    column = release.columns[release.decision]
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
