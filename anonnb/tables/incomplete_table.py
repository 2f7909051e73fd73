"""Incomplete tables: columns of weighted cells, and which of two tables is more complete (Dardzińska and Raś 2003).

A system is of type λ when the weights of a cell sum to 1 and each is at least λ. The readings chosen where the paper is
unclear are with the columns, in :mod:`anonnb.tables.weighted_column`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from anonnb.core.parameters.constraints import SHARE
from anonnb.tables.attribute import Attribute, preview
from anonnb.tables.descriptions import html_block
from anonnb.tables.encoding import encode
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table, row_numbers
from anonnb.tables.weighted_column import EPSILON, WeightedColumn, at_least_as_complete, read_cell


class IncompleteTable:
    """A table whose cells may be weighted sets of values or unknown.

    >>> s = IncompleteTable.from_frame(pd.DataFrame({"a": ["a1 2/3 | a2 1/3", "a2"], "b": ["b1", None]}))
    >>> s.frame
                     a   b
    0  a1 2/3 | a2 1/3  b1
    1               a2   *
    >>> s.is_type(0.2), s.is_type(0.5), s.of_type(0.5).frame["a"].tolist()
    (True, False, ['a1', 'a2'])
    >>> hidden = s.hide("b")
    >>> hidden.completed_by(s), s.completed_by(hidden), s.take(np.array([1])).frame["a"].tolist()
    (True, False, ['a2'])
    >>> hidden.with_columns({"b": s.column("b")}).frame.equals(s.frame), len(IncompleteTable.of(s))
    (True, 2)
    """

    def __init__(self, columns: Mapping[str, WeightedColumn], index: pd.Index | None = None):
        self.columns = dict(columns)
        lengths = {len(column) for column in self.columns.values()}
        if len(lengths) > 1:
            raise ValueError("the columns of an incomplete table must all have one cell per row")
        rows = lengths.pop() if lengths else 0
        self.index = pd.RangeIndex(rows) if index is None else index

    @classmethod
    def of(cls, data: Table | Release | IncompleteTable) -> IncompleteTable:
        """Make an incomplete table of a table or a release: sets with equal weights, suppressed cells unknown."""
        if isinstance(data, IncompleteTable):
            return data
        if not isinstance(data, Table | Release):
            raise TypeError(f"needs a Table, a Release or an IncompleteTable, not {type(data).__name__}")
        release = as_release(data)
        index = None if release.rows is None else release.table.index[release.rows]
        return cls({name: WeightedColumn.of(column) for name, column in release.columns.items()}, index)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, like: Table | IncompleteTable | None = None) -> IncompleteTable:
        """Read cells such as ``a1``, ``a1 2/3 | a2 1/3`` or ``a1 | a2`` (equal weights).

        Parameters
        ----------
        frame:
            The cells; empty, missing or ``*`` means unknown.
        like:
            A table with the domains; by default they are what occurs, in alphabetical order.
        """
        known = {} if like is None else {name: _attribute(like, name) for name in frame.columns}
        columns = {name: _read_column(frame[name], known.get(name)) for name in frame.columns}
        return cls(columns, frame.index)

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.index)

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.columns)

    def column(self, name: str) -> WeightedColumn:
        """Return a column by name."""
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}; the columns are {preview(self.names, 20)}")
        return self.columns[name]

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The table as a person reads it."""
        return pd.DataFrame({name: column.texts() for name, column in self.columns.items()}, index=self.index)

    def __repr__(self) -> str:
        unknown = sum(int(column.unknown.sum()) for column in self.columns.values())
        return f"IncompleteTable: {len(self):,} rows × {len(self.columns)} attributes, {unknown:,} unknown cells"

    def _repr_html_(self) -> str:
        return html_block(repr(self), self.take(np.arange(min(8, len(self)))).frame)

    def incompleteness(self) -> pd.DataFrame:
        """Return per attribute the shares of exact, partly known and unknown cells, and how much is open.

        ``open`` is (values left − 1) / (values − 1): 0 for an exact cell, 1 for an unknown one.
        """
        lines = []
        for name, column in self.columns.items():
            unknown, cards = column.unknown, column.cards
            left = (cards - 1) / max(column.attribute.size - 1, 1)
            left = np.where(unknown, 1.0, left)
            exact, partly = ~unknown & (cards == 1), ~unknown & (cards > 1)
            lines.append((name, *(float(part.mean()) if len(self) else 0.0 for part in (exact, partly, unknown, left))))
        return pd.DataFrame(lines, columns=["attribute", "exact", "partly", "unknown", "open"]).set_index("attribute")

    def is_type(self, threshold: float) -> bool:
        """Return whether the weights of every known cell sum to 1 and each is at least λ."""
        check_threshold(threshold)
        return all(_is_type(column, threshold) for column in self.columns.values())

    def completed_by(self, other: IncompleteTable) -> bool:
        """Return whether no cell of the other table leaves more values, or as many and more evenly spread."""
        if self.names != other.names or len(self) != len(other):
            raise ValueError("containment compares two tables with the same rows and the same columns")
        pairs = [(self.columns[name], other.columns[name]) for name in self.names]
        return all(bool(at_least_as_complete(first, second).all()) for first, second in pairs)

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, rows: np.ndarray) -> IncompleteTable:
        """Return some of the rows, given their numbers or a mask."""
        rows = row_numbers(rows, len(self))
        return IncompleteTable({name: column.take(rows) for name, column in self.columns.items()}, self.index[rows])

    def with_columns(self, columns: Mapping[str, WeightedColumn]) -> IncompleteTable:
        """Return the same table with some columns replaced."""
        return IncompleteTable(self.columns | dict(columns), self.index)

    def hide(self, cells: str | Sequence[str] | Mapping[str, np.ndarray]) -> IncompleteTable:
        """Return the table with cells made unknown.

        Parameters
        ----------
        cells:
            Names of whole columns, or ``{column: rows}`` with a mask or row numbers.
        """
        if not isinstance(cells, Mapping):
            names = [cells] if isinstance(cells, str) else list(cells)
            cells = {name: np.ones(len(self), dtype=bool) for name in names}
        return self.with_columns(
            {name: self.column(name).hidden(row_numbers(rows, len(self))) for name, rows in cells.items()}
        )

    def of_type(self, threshold: float) -> IncompleteTable:
        """Return the same table as a system of type λ: values below λ are dropped."""
        check_threshold(threshold)
        return IncompleteTable({name: c.of_type(threshold) for name, c in self.columns.items()}, self.index)


def check_threshold(threshold: float) -> None:
    """Raise an error unless λ is a share above 0."""
    SHARE.validate("threshold (λ)", threshold)


def _is_type(column: WeightedColumn, threshold: float) -> bool:
    used = (np.bincount(column.column.index, minlength=len(column.known)) > 0) & column.known
    if column.weights is None:
        return bool((1 / column.column.sets.sizes[used] >= threshold - EPSILON).all())
    weights = column.weights[used]
    low = (weights > 0) & (weights < threshold - EPSILON)
    return not low.any() and bool((abs(weights.sum(axis=1) - 1) < 1e-6).all())


def _attribute(like: Table | IncompleteTable, name: str) -> Attribute | None:
    if isinstance(like, IncompleteTable):
        return like.column(name).attribute
    if name not in like.attributes:
        raise KeyError(f"like: there is no column {name!r}; the columns are {preview(like.columns, 20)}")
    return like.attributes[name]


def _read_column(series: pd.Series, attribute: Attribute | None) -> WeightedColumn:
    """Read a column, parsing each distinct text once."""
    known_labels = {} if attribute is None else attribute.code_of_label
    index, texts = pd.factorize(series.astype(object).where(series.notna(), ""))
    cells = [read_cell(text, str(series.name), known_labels) for text in texts]
    if attribute is None:
        values = sorted({value for cell in cells for value in cell})
        attribute = encode(pd.Series(values, name=series.name, dtype=object))[0]
    weights = np.zeros((len(cells), attribute.size))
    for number, cell in enumerate(cells):
        for value, weight in cell.items():
            weights[number, attribute.code(value)] = weight
    return WeightedColumn.from_weights(attribute, weights[index])
