"""Lower and upper approximation of a fuzzy set under a similarity (Dubois and Prade 1990; Radzikowska and Kerre 2002).

Idea: a row belongs to the lower approximation to the degree that everything that resembles it belongs to the set, and
to the upper one to the degree that something does: inf I(R(x, y), A(y)) and sup T(R(x, y), A(y)). Reading chosen: the
positive region is the union of the lower approximations of the classes; a missing class is a class of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.roughsets.fuzzy.connectives import implicator as implicator_of
from anonnb.roughsets.fuzzy.relations import Relation
from anonnb.tables.table import Table


@dataclass(frozen=True, eq=False)
class FuzzyApproximation:
    """The degree to which each row belongs to the lower and to the upper approximation, and to the set itself."""

    lower: np.ndarray
    upper: np.ndarray
    membership: np.ndarray

    @property
    def boundary(self) -> np.ndarray:
        """The degree to which each row belongs to the upper but not to the lower approximation: upper − lower, or 0."""
        return np.maximum(self.upper - self.lower, 0.0)

    @property
    def accuracy(self) -> float:
        """Σ lower / Σ upper; 1 for an empty set."""
        return float(self.lower.sum() / self.upper.sum()) if self.upper.sum() else 1.0


def approximate(
    table: Table,
    concept: object = None,
    attributes: Sequence[str] | None = None,
    *,
    membership: Sequence[float] | None = None,
    similarity: str = "range",
    t_norm: str = "minimum",
    implicator: str = "kleene_dienes",
) -> FuzzyApproximation:
    """Lower and upper approximation of a class, of a union of classes, or of a fuzzy set.

    Every row is compared with every other: time grows with the square of the rows.

    Parameters
    ----------
    table:
        The table.
    concept, membership:
        Either a class or a list of classes, or a degree between 0 and 1 for every row.
    attributes:
        The condition attributes to use; all of them by default.
    similarity:
        How much values resemble each other: ``"range"``, ``"deviation"``, ``"gaussian"`` or ``"equal"``; see
        :func:`similarity`.
    t_norm:
        Joins the attributes, and similarity with membership in the upper approximation: a name in ``T_NORMS``.
    implicator:
        The implicator of the lower approximation: a name in ``IMPLICATORS``.

    Returns
    -------
    FuzzyApproximation
        The degrees of every row.

    Raises
    ------
    ValueError
        If both or neither of ``concept`` and ``membership`` are given.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 60], "ill": ["no", "yes", "yes"]}), decision="ill")
    >>> found = approximate(table, "yes")
    >>> found.lower.tolist(), found.upper.tolist()
    ([0.0, 0.25, 1.0], [0.75, 1.0, 1.0])
    """
    if (concept is None) == (membership is None):
        raise ValueError("approximate needs either a concept (a class or several) or a membership")
    degrees = class_membership(table, concept) if membership is None else _checked(membership, len(table))
    relation, implies = Relation(table, attributes, similarity, t_norm), implicator_of(implicator)
    lower, upper = np.ones(len(table)), np.zeros(len(table))
    for rows, near in relation.blocks():
        lower[rows] = implies(near, degrees[None, :]).min(axis=1, initial=1.0)
        upper[rows] = relation.join(near, degrees[None, :]).max(axis=1, initial=0.0)
    return FuzzyApproximation(lower, upper, degrees)


def positive_region(
    table: Table,
    attributes: Sequence[str] | None = None,
    *,
    similarity: str = "range",
    t_norm: str = "minimum",
    implicator: str = "kleene_dienes",
) -> np.ndarray:
    """How certain the class of every row is: its degree in the union of the lower approximations of all classes.

    Every row is compared with every other.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 60], "ill": ["no", "yes", "yes"]}), decision="ill")
    >>> positive_region(table).tolist()
    [0.25, 0.25, 1.0]
    """
    classes, implies = class_codes(table), implicator_of(implicator)
    relation = Relation(table, attributes, similarity, t_norm)
    region = np.ones(len(table))
    for rows, near in relation.blocks():
        region[rows] = certainty(near, classes[rows], classes, implies)
    return region


def certainty(near: np.ndarray, own: np.ndarray, classes: np.ndarray, implies) -> np.ndarray:
    """The degree in the positive region, from the similarity of some rows to all.

    A row resembles itself fully, so it is only in the lower approximation of its own class; an implication of a false
    statement falls as its premise grows, so the most similar row of another class decides.
    """
    nearest_other = np.where(own[:, None] != classes[None, :], near, 0.0).max(axis=1, initial=0.0)
    return implies(nearest_other, np.zeros(len(own)))


def quality(
    table: Table,
    attributes: Sequence[str] | None = None,
    *,
    similarity: str = "range",
    t_norm: str = "minimum",
    implicator: str = "kleene_dienes",
) -> float:
    """Fuzzy quality of approximation γ: the mean degree in the positive region.

    Parameters
    ----------
    table, attributes, similarity, t_norm, implicator:
        As for :func:`approximate`.

    Returns
    -------
    float
        γ, between 0 and 1.

    Examples
    --------
    >>> from anonnb import load
    >>> round(quality(load("iris")), 3)
    0.236
    """
    options = {"similarity": similarity, "t_norm": t_norm, "implicator": implicator}
    return float(positive_region(table, attributes, **options).mean()) if len(table) else 1.0


def class_codes(table: Table) -> np.ndarray:
    """The class of every row."""
    if table.decision is None:
        name_it = advice("; name it with ", remedies.role("decision"))
        raise ValueError(Message("the table has no decision column", name_it))
    return table.codes(table.decision)


def class_membership(table: Table, concept: object) -> np.ndarray:
    """1 for the rows of a class or of several, 0 for the others."""
    codes, attribute = class_codes(table), table.attributes[table.decision]
    values = list(concept) if isinstance(concept, list | tuple | set | frozenset) else [concept]
    return np.isin(codes, [attribute.code(value) for value in values]).astype(float)


def _checked(membership: Sequence[float], rows: int) -> np.ndarray:
    degrees = np.asarray(membership, dtype=float)
    if degrees.shape != (rows,):
        raise ValueError(f"membership has the shape {degrees.shape}; give one degree for each of the {rows} rows")
    strange = ~((degrees >= 0) & (degrees <= 1))
    if strange.any():
        raise ValueError(f"membership: {degrees[strange][0]:g} is no degree; give numbers between 0 and 1")
    return degrees
