"""How much two rows resemble each other: a degree per attribute, joined by a t-norm (Jensen and Shen 2004).

Idea: the nearer two numbers are, relative to the range or the standard deviation, the more they resemble each other;
other values are equal or not. Reading chosen: the ranks of an ordinal attribute count as numbers; a missing value
resembles only missing values. All pairs of rows are compared, so that time grows with their square, in blocks, so that
memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from anonnb.roughsets.relations import PAIRS_AT_ONCE
from anonnb.tables.attribute import preview
from anonnb.tables.table import Table

SIMILARITIES = ("range", "deviation", "gaussian", "equal")


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions of one attribute: numbers in units of their spread, or codes that are equal or not."""

    positions: np.ndarray  # of the rows; NaN where a value is missing
    kind: str

    def alike(self, ones: np.ndarray, others: np.ndarray | None = None) -> np.ndarray:
        """Return the degrees to which the positions ``ones`` (first axis) resemble the others (second axis)."""
        others = self.positions if others is None else others
        if self.kind == "equal":
            near = ones[:, None] == others[None, :]
        else:
            with np.errstate(invalid="ignore"):  # two unknown categories: infinity minus infinity
                apart = np.abs(ones[:, None] - others[None, :])
            near = np.exp(-0.5 * apart**2) if self.kind == "gaussian" else np.maximum(1.0 - apart, 0.0)
        missing = np.isnan(ones)[:, None] | np.isnan(others)[None, :]
        return np.where(missing, np.isnan(ones)[:, None] & np.isnan(others)[None, :], near).astype(float)


def scales(table: Table, names: Sequence[str], kind: str) -> dict[str, Positions]:
    """Return the positions of every row in every attribute, scaled so that 1 is far."""
    check_similarity(kind)
    return {name: Positions(*positions(table, table, name, kind)) for name in names}


def check_similarity(kind: str) -> None:
    if kind not in SIMILARITIES:
        raise ValueError(f"similarity={kind!r} is not known; use one of {', '.join(SIMILARITIES)}")


def positions(rows: Table, measured: Table, name: str, kind: str) -> tuple[np.ndarray, str]:
    """Return positions of the ``rows`` in units of the spread of the table ``measured``, and how to compare them.

    A category that ``measured`` does not have is infinitely far from all others.
    """
    row_attribute, attribute = rows.attributes[name], measured.attributes[name]
    if attribute.kind == "numeric" and kind != "equal":
        values = row_attribute.numbers_from(attribute) * attribute.difference_scale / _spread(measured, name, kind)
    else:
        codes = row_attribute.recode_to(attribute)
        is_rank = attribute.kind == "ordinal" and kind != "equal"
        values = np.where(codes < 0, np.inf, codes / _spread(measured, name, kind) if is_rank else codes)
        kind = kind if is_rank else "equal"
    if row_attribute.missing:
        values[row_attribute.missing_code] = np.nan
    return values[rows.codes(name)], kind


def _spread(table: Table, name: str, kind: str) -> float:
    """Return the range or the standard deviation of an attribute; 1 if all its values are the same."""
    attribute = table.attributes[name]
    numbers = (attribute.numbers * attribute.difference_scale)[table.codes(name)]
    known = numbers[~np.isnan(numbers)]
    if not len(known) or known.min() == known.max():
        return 1.0
    return float(np.ptp(known) if kind == "range" else known.std())


def similarity(
    table: Table, attributes: Sequence[str] | None = None, *, similarity: str = "range", t_norm: str = "minimum"
) -> np.ndarray:
    """Return how much every two rows resemble each other: degrees from 0 to 1, rows × rows.

    Parameters
    ----------
    similarity:
        ``"range"`` (1 − distance / range), ``"deviation"`` (1 − distance / standard deviation, at least 0),
        ``"gaussian"`` (of the distance in standard deviations) or ``"equal"`` (1 or 0).
    t_norm:
        Joins the attributes: a name in ``T_NORMS``.

    Examples
    --------
    >>> import pandas as pd
    >>> similarity(Table(pd.DataFrame({"age": [20, 30, 60], "sex": ["f", "f", "m"]}))).tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    relation = Relation(table, attributes, similarity, t_norm)
    return np.vstack([np.empty((0, len(table))), *(block for _, block in relation.blocks())])


class Relation:
    """Similarity of the rows of a table, in blocks of rows."""

    def __init__(self, table: Table, attributes: Sequence[str] | None, similarity: str, t_norm_name: str):
        self.table = table
        self.names = _known_names(table, attributes)
        self.join: Connective = t_norm(t_norm_name)
        self.scales = scales(table, self.names, similarity)

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield row numbers, and their similarity to all rows in the named attributes."""
        names = self.names if names is None else names
        for rows in self.row_blocks():
            yield rows, self.joined(names, rows)

    def row_blocks(self) -> Iterator[np.ndarray]:
        """Yield the row numbers in blocks, each small enough to be compared with all rows at once."""
        count = len(self.table)
        step = max(PAIRS_AT_ONCE // max(count, 1), 1)
        for start in range(0, count, step):
            yield np.arange(start, min(start + step, count))

    def joined(self, names: Sequence[str], rows: np.ndarray) -> np.ndarray:
        """Return the similarity of some rows to all rows in the named attributes; 1 without attributes."""
        parts = (self.of(name, rows) for name in names)
        return reduce(self.join, parts, np.ones((len(rows), len(self.table))))

    def of(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Return the similarity of some rows to all rows in one attribute."""
        scale = self.scales[name]
        return scale.alike(scale.positions[rows])


def _known_names(table: Table, attributes: Sequence[str] | None) -> list[str]:
    if not isinstance(table, Table):
        raise TypeError(f"fuzzy rough sets need a Table of single values, not a {type(table).__name__}")
    if attributes is None:
        return table.conditions
    names = [attributes] if isinstance(attributes, str) else list(attributes)
    for name in names:
        if name not in table.columns:
            raise KeyError(f"attributes: there is no column {name!r}; the columns are {preview(table.columns, 20)}")
        if name == table.decision:
            raise ValueError(f"attributes: {name!r} is the decision; it cannot help to describe itself")
    return names


# ---- t-norms and implicators -----------------------------------------------------------------------------------------
# T-norms and implicators by name (Klement, Mesiar and Pap 2000; Baczyński and Jayaram 2008).
#
# Idea: a t-norm says to what degree two statements both hold, an implicator to what degree one follows from the
# other, for degrees of truth between 0 and 1; for 0 and 1 they are the usual "and" and "if … then". They take arrays.


Connective = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _hamacher(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    both = a + b - a * b
    return np.divide(a * b, both, out=np.zeros(np.broadcast(a, b).shape), where=both > 0)


def _goguen(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    shape = np.broadcast(a, b).shape
    return np.where(a <= b, 1.0, np.divide(b, a, out=np.ones(shape), where=np.broadcast_to(a, shape) > 0))


T_NORMS: dict[str, Connective] = {
    "minimum": np.minimum,
    "product": np.multiply,
    "lukasiewicz": lambda a, b: np.maximum(a + b - 1.0, 0.0),
    "nilpotent_minimum": lambda a, b: np.where(a + b > 1, np.minimum(a, b), 0.0),
    "hamacher": _hamacher,
    "drastic": lambda a, b: np.where(np.maximum(a, b) == 1, np.minimum(a, b), 0.0),
}
IMPLICATORS: dict[str, Connective] = {
    "kleene_dienes": lambda a, b: np.maximum(1.0 - a, b),
    "lukasiewicz": lambda a, b: np.minimum(1.0 - a + b, 1.0),
    "reichenbach": lambda a, b: 1.0 - a + a * b,
    "goedel": lambda a, b: np.where(a <= b, 1.0, b),
    "goguen": _goguen,
    "fodor": lambda a, b: np.where(a <= b, 1.0, np.maximum(1.0 - a, b)),
}


def t_norm(name: str) -> Connective:
    """Return the t-norm with a given name.

    >>> float(t_norm("lukasiewicz")(np.array(0.75), np.array(0.5)))
    0.25
    """
    return _named("t_norm", name, T_NORMS)


def implicator(name: str) -> Connective:
    """Return the implicator with a given name.

    >>> float(implicator("kleene_dienes")(np.array(0.75), np.array(0.5)))
    0.5
    """
    return _named("implicator", name, IMPLICATORS)


def _named(what: str, name: str, known: dict[str, Connective]) -> Connective:
    if name not in known:
        raise ValueError(f"{what}={name!r} is not known; use one of {', '.join(known)}")
    return known[name]
