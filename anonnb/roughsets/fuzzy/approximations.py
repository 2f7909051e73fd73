"""Lower and upper approximation of a fuzzy set under a similarity (Dubois and Prade 1990; Radzikowska and Kerre 2002).

Idea: a row belongs to the lower approximation to the degree that everything that resembles it belongs to the set, and
to the upper one to the degree that something does: inf I(R(x, y), A(y)) and sup T(R(x, y), A(y)). Reading chosen: the
positive region is the union of the lower approximations of the classes; a missing class is a class of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonnb import steps
from anonnb.core.progress import ticks
from anonnb.roughsets.fuzzy.relations import Connective, Relation
from anonnb.roughsets.fuzzy.relations import implicator as implicator_of
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table


@dataclass(frozen=True, eq=False)
class FuzzyApproximation:
    """Degree to which each row belongs to the lower and to the upper approximation, and to the set itself."""

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
    """Return lower and upper approximation of a class, of a union of classes, or of a fuzzy set.

    Every row is compared with every other: time grows with the square of the rows.

    Parameters
    ----------
    concept, membership:
        Either a class or a list of classes, or a degree between 0 and 1 for every row.
    similarity:
        How much values resemble each other: ``"range"``, ``"deviation"``, ``"gaussian"`` or ``"equal"``; see
        :func:`similarity`.
    t_norm:
        Joins the attributes, and similarity with membership in the upper approximation: a name in ``T_NORMS``.
    implicator:
        The implicator of the lower approximation: a name in ``IMPLICATORS``.

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
    """Return how certain the class of every row is: its degree in the union of all lower approximations.

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


def certainty(near: np.ndarray, classes_of_rows: np.ndarray, classes: np.ndarray, implies: Connective) -> np.ndarray:
    """Return the degree in the positive region, from the similarity of some rows to all.

    A row resembles itself fully, so it is only in the lower approximation of its own class; an implication of a false
    statement falls as its premise grows, so the most similar row of another class decides.
    """
    nearest_other = np.where(classes_of_rows[:, None] != classes[None, :], near, 0.0).max(axis=1, initial=0.0)
    return implies(nearest_other, np.zeros(len(classes_of_rows)))


def quality(
    table: Table,
    attributes: Sequence[str] | None = None,
    *,
    similarity: str = "range",
    t_norm: str = "minimum",
    implicator: str = "kleene_dienes",
) -> float:
    """Return the fuzzy quality of approximation γ: the mean degree in the positive region.

    >>> from anonnb import load
    >>> round(quality(load("iris")), 3)
    0.236
    """
    options = {"similarity": similarity, "t_norm": t_norm, "implicator": implicator}
    return float(positive_region(table, attributes, **options).mean()) if len(table) else 1.0


def class_codes(table: Table) -> np.ndarray:
    """Return the class of every row."""
    return table.codes(required_decision(table))


def class_membership(table: Table, concept: object) -> np.ndarray:
    """Return 1 for the rows of a class or of several, 0 for the others."""
    codes, attribute = class_codes(table), table.attributes[required_decision(table)]
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


# ---- QuickReduct -----------------------------------------------------------------------------------------------------
# Fuzzy-rough QuickReduct (Jensen and Shen 2004, 2009): add the attribute that helps most until γ is that of all.
#
# Idea: γ never falls when an attribute is added, since t-norms only make rows less alike. Add the one that raises it
# most, until γ is that of all attributes. Reading chosen: ties go to the first attribute; as in the original, nothing
# is removed again, so an early choice may turn out to be redundant.


SAME = 1e-9  # qualities that differ by less are equal


def quick_reduct(
    table: Table,
    attributes: Sequence[str] | None = None,
    *,
    similarity: str = "range",
    t_norm: str = "lukasiewicz",
    implicator: str = "lukasiewicz",
    tolerance: float = 0.0,
) -> list[str]:
    """Return attributes that keep the fuzzy quality of approximation, in the order in which greed adds them.

    ``steps.of(quick_reduct, table)`` shows every choice. Each attribute tried compares all pairs of rows.

    Parameters
    ----------
    tolerance:
        Stop as soon as γ is within this distance of that of all attributes.

    Examples
    --------
    >>> from anonnb import load
    >>> quick_reduct(load("iris"), tolerance=0.1)
    ['petal_width', 'petal_length', 'sepal_width']
    """
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance={tolerance!r} is not possible; give a number of at least 0 and below 1")
    search = _Qualities(table, attributes, similarity, t_norm, implicator)
    wanted = search.qualities([], [search.relation.names])[0] - tolerance - SAME
    chosen: list[str] = []
    reached = search.qualities([], [[]])[0]
    while reached < wanted:
        rest = [name for name in search.relation.names if name not in chosen]
        qualities = search.qualities(chosen, [[name] for name in rest])
        best = int(np.argmax(qualities > qualities.max() - SAME))
        before, reached = reached, float(qualities[best])
        chosen = [*chosen, rest[best]]
        if steps.listening():
            _record_step(chosen, pd.Series(qualities, index=rest), before)
    return chosen


class _Qualities:
    """Qualities of several sets of attributes at once, over blocks of rows."""

    def __init__(self, table: Table, attributes: Sequence[str] | None, similarity: str, t_norm: str, implicator: str):
        self.classes, self.implies = class_codes(table), implicator_of(implicator)
        self.relation = Relation(table, attributes, similarity, t_norm)

    def qualities(self, chosen: list[str], additions: list[list[str]]) -> np.ndarray:
        """Return γ of the chosen attributes with each of the additions."""
        sums, rows_seen = np.zeros(len(additions)), len(self.classes)
        for rows in ticks(list(self.relation.row_blocks()), "blocks of rows"):
            near = self.relation.joined(chosen, rows)
            for index, names in enumerate(additions):
                joined = near
                for name in names:
                    joined = self.relation.join(joined, self.relation.of(name, rows))
                sums[index] += certainty(joined, self.classes[rows], self.classes, self.implies).sum()
        return sums / max(rows_seen, 1)


def _record_step(chosen: list[str], qualities: pd.Series, before: float) -> None:
    best = chosen[-1]
    steps.note(
        f"Add {best}",
        f"{best} raises the quality from {before:.3f} to {qualities[best]:.3f}; no other attribute raises it more.",
        pd.DataFrame({"attribute": chosen}),
        qualities.rename("quality").to_frame(),
        [best],
    )
