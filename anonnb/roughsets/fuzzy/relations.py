"""How much two rows resemble each other: a degree per attribute, joined by a t-norm (Jensen and Shen 2004).

Idea: the nearer two numbers are, relative to the range or the standard deviation, the more they resemble each other;
other values are equal or not. Reading chosen: the ranks of an ordinal attribute count as numbers; a missing value
resembles only missing values. All pairs of rows are compared, so that time grows with their square, in blocks, so that
memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from anonnb.roughsets.fuzzy.connectives import Connective, t_norm
from anonnb.roughsets.relations import PAIRS_AT_ONCE
from anonnb.tables.attribute import some
from anonnb.tables.table import Table

SIMILARITIES = ("range", "deviation", "gaussian", "equal")


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions of one attribute: numbers in units of their spread, or codes that are equal or not."""

    positions: np.ndarray  # of the rows; NaN where a value is missing
    kind: str

    def alike(self, ones: np.ndarray, others: np.ndarray | None = None) -> np.ndarray:
        """The degrees to which the positions ``ones`` (first axis) resemble the others (second axis)."""
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
    """The positions of every row in every attribute, scaled so that 1 is far."""
    check_similarity(kind)
    return {name: Positions(*positions(table, table, name, kind)) for name in names}


def check_similarity(kind: str) -> None:
    if kind not in SIMILARITIES:
        raise ValueError(f"similarity={kind!r} is not known; use one of {', '.join(SIMILARITIES)}")


def positions(rows: Table, measured: Table, name: str, kind: str) -> tuple[np.ndarray, str]:
    """Positions of the ``rows`` in units of the spread of the table ``measured``, and how to compare them.

    A category that ``measured`` does not have is infinitely far from all others.
    """
    own, attribute = rows.attributes[name], measured.attributes[name]
    if attribute.kind == "numeric" and kind != "equal":
        places = own.numbers_from(attribute) * attribute.difference_scale / _spread(measured, name, kind)
    else:
        codes = own.recode_to(attribute)
        is_rank = attribute.kind == "ordinal" and kind != "equal"
        places = np.where(codes < 0, np.inf, codes / _spread(measured, name, kind) if is_rank else codes)
        kind = kind if is_rank else "equal"
    if own.missing:
        places[own.missing_code] = np.nan
    return places[rows.codes(name)], kind


def _spread(table: Table, name: str, kind: str) -> float:
    """The range or the standard deviation of an attribute; 1 where all its values are the same."""
    attribute = table.attributes[name]
    numbers = (attribute.numbers * attribute.difference_scale)[table.codes(name)]
    known = numbers[~np.isnan(numbers)]
    if not len(known) or known.min() == known.max():
        return 1.0
    return float(np.ptp(known) if kind == "range" else known.std())


def similarity(
    table: Table, attributes: Sequence[str] | None = None, *, similarity: str = "range", t_norm: str = "minimum"
) -> np.ndarray:
    """How much every two rows resemble each other.

    Parameters
    ----------
    table:
        The table.
    attributes:
        The condition attributes to use; all of them by default.
    similarity:
        ``"range"`` (1 − distance / range), ``"deviation"`` (1 − distance / standard deviation, at least 0),
        ``"gaussian"`` (of the distance in standard deviations) or ``"equal"`` (1 or 0).
    t_norm:
        Joins the attributes: a name in ``T_NORMS``.

    Returns
    -------
    numpy.ndarray
        Degrees between 0 and 1, rows × rows.

    Examples
    --------
    >>> import pandas as pd
    >>> similarity(Table(pd.DataFrame({"age": [20, 30, 60], "sex": ["f", "f", "m"]}))).tolist()
    [[1.0, 0.75, 0.0], [0.75, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    relation = Relation(table, attributes, similarity, t_norm)
    return np.vstack([np.empty((0, len(table))), *(block for _, block in relation.blocks())])


class Relation:
    """The similarity of the rows of a table, in blocks of rows."""

    def __init__(self, table: Table, attributes: Sequence[str] | None, similarity: str, t_norm_name: str):
        self.table = table
        self.names = _known_names(table, attributes)
        self.join: Connective = t_norm(t_norm_name)
        self.scales = scales(table, self.names, similarity)

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Row numbers, and their similarity to all rows in the named attributes."""
        names = self.names if names is None else names
        for rows in self.row_blocks():
            yield rows, self.joined(names, rows)

    def row_blocks(self) -> Iterator[np.ndarray]:
        """The row numbers in blocks, each small enough to be compared with all rows at once."""
        count = len(self.table)
        step = max(PAIRS_AT_ONCE // max(count, 1), 1)
        for start in range(0, count, step):
            yield np.arange(start, min(start + step, count))

    def joined(self, names: Sequence[str], rows: np.ndarray) -> np.ndarray:
        """The similarity of some rows to all rows in the named attributes; 1 without attributes."""
        parts = (self.of(name, rows) for name in names)
        return reduce(self.join, parts, np.ones((len(rows), len(self.table))))

    def of(self, name: str, rows: np.ndarray) -> np.ndarray:
        """The similarity of some rows to all rows in one attribute."""
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
            raise KeyError(f"attributes: there is no column {name!r}; the columns are {some(table.columns, 20)}")
        if name == table.decision:
            raise ValueError(f"attributes: {name!r} is the decision; it cannot help to describe itself")
    return names
