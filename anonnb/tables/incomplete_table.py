"""Incomplete tables: cells that are a value, a weighted set of values, or unknown (Dardzińska and Raś 2003).

A system is of type λ when the weights of a cell sum to 1 and each is at least λ. A weighted column is a column of
value sets plus weights; without weights the values of a set are equally likely, and the whole domain means unknown.
Readings: containment compares with ≥ (the printed > fails on unchanged cells); an unknown cell counts as one value more
than its domain has, so that any evidence at all makes it more complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

from anonnb.core.arrays import distinct_rows
from anonnb.core.parameters.constraints import SHARE
from anonnb.tables.attribute import Attribute, encode, some
from anonnb.tables.hierarchy import SUPPRESSED
from anonnb.tables.incomplete_cells import cell_text, read_cell
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table, html_block, row_numbers
from anonnb.tables.value_sets import Column, ValueSets

EPSILON = 1e-9  # two weights that differ by less are equal: products of thirds are not exact
_MOST_CELLS = 50_000_000  # of a sets × values matrix


class WeightedColumn:
    """A column of value sets with a weight per possible value.

    ``column`` holds the sets (the whole domain where nothing is known), ``known`` flags the sets that are not unknown,
    and ``weights`` (sets × values) says how likely each value is; None means equally likely.

    >>> a = encode(pd.Series(["a1", "a2", "a3"], name="a"))[0]
    >>> c = WeightedColumn.from_weights(a, np.array([[2 / 3, 1 / 3, 0], [0, 0, 0], [0, 0, 1]]))
    >>> c.texts().tolist(), c.cards.tolist()
    (['a1 2/3 | a2 1/3', '*', 'a3'], [2, 4, 1])
    """

    def __init__(self, column: Column, known: np.ndarray, weights: np.ndarray | None = None):
        self.column, self.known, self.weights = column, np.asarray(known, dtype=bool), weights

    @classmethod
    def of(cls, column: Column) -> WeightedColumn:
        """Value sets with equal weights; the whole domain and a missing value are unknown."""
        sets, attribute = column.sets, column.attribute
        # the only value of a column is its whole domain too: only its label shows whether it was suppressed
        whole = (sets.sizes == attribute.size) & (attribute.size > 1)
        if attribute.size == 1 and sets.has_own_labels:
            whole = np.array([label.strip() == SUPPRESSED for label in sets.labels])
        absent = (sets.lo == attribute.missing_code) & attribute.missing
        return cls(column, ~(whole | absent))

    @classmethod
    def from_weights(cls, attribute: Attribute, weights: np.ndarray) -> WeightedColumn:
        """From a rows × values array; a row of zeros is an unknown cell."""
        weights = np.asarray(weights, dtype=float)
        if attribute.size == 0:  # a column in which nothing is known yet
            return cls(Column.suppressed(attribute, len(weights)), [False], np.zeros((1, 0)))
        first, index = distinct_rows(weights)
        distinct = weights[first]
        known = distinct.any(axis=1)
        sets = ValueSets.from_masks(attribute, (distinct > 0) | ~known[:, None])
        return cls(Column(sets, index), known, distinct)

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.column)

    @property
    def attribute(self) -> Attribute:
        return self.column.attribute

    @property
    def unknown(self) -> np.ndarray:
        """Which cells are unknown."""
        return ~self.known[self.column.index]

    @property
    def cards(self) -> np.ndarray:
        """Possible values of each cell; one more than the domain has where it is unknown."""
        return self._set_cards[self.column.index]

    @property
    def spreads(self) -> np.ndarray:
        """How uneven each cell is: the sum of |p − q| over all pairs of values of the domain, 0 when unknown."""
        return self._set_spreads[self.column.index]

    @cached_property
    def _set_cards(self) -> np.ndarray:
        return np.where(self.known, self.column.sets.sizes, self.attribute.size + 1)

    @cached_property
    def _set_spreads(self) -> np.ndarray:
        if self.weights is not None:
            return spread(self.weights)
        # n equal weights of 1/n against m − n zeros
        return np.where(self.known, self.attribute.size - self.column.sets.sizes, 0).astype(float)

    def weight(self, codes: Sequence[int]) -> np.ndarray:
        """The weights of the given values, as a rows × values array."""
        return self.set_weights(codes)[self.column.index]

    def set_weights(self, codes: Sequence[int] | None = None) -> np.ndarray:
        """The weights of the given values (all by default) in each set of the dictionary."""
        size, sets = self.attribute.size, self.column.sets
        codes = np.arange(size) if codes is None else np.asarray(codes, dtype=np.int64)
        if len(sets) * len(codes) > _MOST_CELLS:
            raise ValueError(f"column {self.attribute.name!r} has {size:,} values; group them into fewer first")
        if self.weights is not None:
            return self.weights[:, codes]
        share = self.known / np.maximum(sets.sizes, 1)
        if len(codes) == 0:
            return np.zeros((len(sets), 0))
        return np.column_stack([sets.contains(int(code)) * share for code in codes])

    def totals(self) -> np.ndarray:
        """The sum of the weights of each value over all rows."""
        rows = np.bincount(self.column.index, minlength=len(self.column.sets)) * self.known
        if self.weights is not None:
            return rows @ self.weights
        sets, size = self.column.sets, self.attribute.size
        single = sets.sizes == 1  # columns of many exact values must not cost sets × values
        totals = np.bincount(sets.lo[single], weights=rows[single], minlength=size).astype(float)
        wide = np.flatnonzero(~single & (rows > 0))
        for number in wide:
            totals += sets.mask(number) * (rows[number] / sets.sizes[number])
        return totals

    def texts(self) -> np.ndarray:
        """What a person reads: ``a1``, ``a1 2/3 | a2 1/3``, or ``*`` where nothing is known."""
        labels = self.attribute.labels
        used = np.bincount(self.column.index, minlength=len(self.known)) > 0
        words = np.full(len(self.known), SUPPRESSED, dtype=object)
        for number in np.flatnonzero(used & self.known):
            codes = np.flatnonzero(self.column.sets.mask(number))
            weights = np.full(len(codes), 1 / len(codes)) if self.weights is None else self.weights[number, codes]
            words[number] = cell_text([labels[code] for code in codes], weights)
        return words[self.column.index]

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, rows: np.ndarray) -> WeightedColumn:
        """The given rows, with the same dictionary."""
        return WeightedColumn(self.column.take(rows), self.known, self.weights)

    def hidden(self, rows: np.ndarray) -> WeightedColumn:
        """The same column with the cells of ``rows`` (a mask or row numbers) unknown."""
        grown = Column(self.column.sets, self.column.index).with_suppressed(rows)
        added = len(grown.sets) - len(self.known)
        if not added and self.known[grown.index[rows]].any():  # a whole domain with weights of its own is no null
            return WeightedColumn.from_weights(self.attribute, self._cleared(rows))
        known = np.append(self.known, np.zeros(added, dtype=bool))
        weights = self.weights
        if weights is not None and added:
            weights = np.vstack([weights, np.zeros((added, self.attribute.size))])
        return WeightedColumn(grown, known, weights)

    def _cleared(self, rows: np.ndarray) -> np.ndarray:
        weights = self.set_weights()[self.column.index]
        weights[rows] = 0
        return weights

    def of_type(self, threshold: float) -> WeightedColumn:
        """Drop values below the threshold and scale the rest to 1; a cell with nothing left is unknown."""
        if self.weights is None:
            known = self.known & (1 / np.maximum(self.column.sets.sizes, 1) >= threshold - EPSILON)
            return WeightedColumn(self.column, known)
        kept = np.where(self.weights >= threshold - EPSILON, self.weights, 0)
        if (kept > 0).sum() == (self.weights > 0).sum():
            return self
        total = kept.sum(axis=1, keepdims=True)
        scaled = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)
        return WeightedColumn.from_weights(self.attribute, scaled[self.column.index])

    def extended(self, values: Iterable) -> WeightedColumn:
        """The same cells over a domain that has these values too."""
        attribute, place = self.attribute.extended(values)
        if attribute is self.attribute:
            return self
        old = self.set_weights()
        weights = np.zeros((len(old), attribute.size))
        weights[:, place] = old
        return WeightedColumn.from_weights(attribute, weights[self.column.index])


def spread(weights: np.ndarray) -> np.ndarray:
    """The sum of |p − q| over all pairs of each row.

    >>> spread(np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 0]])).tolist()
    [2.0, 1.0, 0.0]
    """
    size = weights.shape[1]
    # sorted upward, the value at place i is subtracted size − 1 − i times and added i times
    return np.sort(weights, axis=1) @ (2 * np.arange(size) - (size - 1))


class IncompleteTable:
    """A table whose cells may be weighted sets of values or unknown.

    Parameters
    ----------
    columns:
        The weighted columns by name.
    index:
        The labels of the rows.

    Raises
    ------
    ValueError
        If the columns differ in length.

    Examples
    --------
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
        """A table or a release as an incomplete table: its sets with equal weights, its suppressed cells unknown.

        Parameters
        ----------
        data:
            A table, a release or an incomplete table.

        Returns
        -------
        IncompleteTable
            The incomplete table.

        Raises
        ------
        TypeError
            If it is none of these.
        """
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

        Returns
        -------
        IncompleteTable
            The table.
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
        """A column by name.

        Parameters
        ----------
        name:
            The name.

        Returns
        -------
        WeightedColumn
            The column.

        Raises
        ------
        KeyError
            If there is no such column.
        """
        if name not in self.columns:
            raise KeyError(f"there is no column {name!r}; the columns are {some(self.names, 20)}")
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
        """Per attribute the shares of exact, partly known and unknown cells, and how much is open on average.

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
        """Whether the weights of every known cell sum to 1 and each is at least λ.

        Parameters
        ----------
        threshold:
            λ.

        Returns
        -------
        bool
            Whether it is a system of type λ.
        """
        check_threshold(threshold)
        return all(_is_type(column, threshold) for column in self.columns.values())

    def completed_by(self, other: IncompleteTable) -> bool:
        """Containment: no cell of the other table leaves more values, or as many and more evenly spread.

        Parameters
        ----------
        other:
            A table with the same rows and columns.

        Returns
        -------
        bool
            Whether the other one is at least as complete.

        Raises
        ------
        ValueError
            If rows or columns differ.
        """
        if self.names != other.names or len(self) != len(other):
            raise ValueError("containment compares two tables with the same rows and the same columns")
        pairs = [(self.columns[name], other.columns[name]) for name in self.names]
        return all(bool(at_least_as_complete(mine, theirs).all()) for mine, theirs in pairs)

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, rows: np.ndarray) -> IncompleteTable:
        """Some of the rows.

        Parameters
        ----------
        rows:
            Row numbers or a mask.

        Returns
        -------
        IncompleteTable
            These rows.
        """
        rows = row_numbers(rows, len(self))
        return IncompleteTable({name: column.take(rows) for name, column in self.columns.items()}, self.index[rows])

    def with_columns(self, columns: Mapping[str, WeightedColumn]) -> IncompleteTable:
        """The same table with some columns replaced.

        Parameters
        ----------
        columns:
            The new columns by name.

        Returns
        -------
        IncompleteTable
            The table.
        """
        return IncompleteTable(self.columns | dict(columns), self.index)

    def hide(self, cells: str | Sequence[str] | Mapping[str, np.ndarray]) -> IncompleteTable:
        """Make cells unknown.

        Parameters
        ----------
        cells:
            Names of whole columns, or ``{column: rows}`` with a mask or row numbers.

        Returns
        -------
        IncompleteTable
            The table without these cells.
        """
        if not isinstance(cells, Mapping):
            names = [cells] if isinstance(cells, str) else list(cells)
            cells = {name: np.ones(len(self), dtype=bool) for name in names}
        return self.with_columns(
            {name: self.column(name).hidden(row_numbers(rows, len(self))) for name, rows in cells.items()}
        )

    def of_type(self, threshold: float) -> IncompleteTable:
        """The same table as a system of type λ: values below λ are dropped.

        Parameters
        ----------
        threshold:
            λ.

        Returns
        -------
        IncompleteTable
            The table.
        """
        check_threshold(threshold)
        return IncompleteTable({name: c.of_type(threshold) for name, c in self.columns.items()}, self.index)


def at_least_as_complete(mine: WeightedColumn, theirs: WeightedColumn) -> np.ndarray:
    """For each row whether ``theirs`` has fewer values, or as many and at least as uneven weights."""
    same = mine.cards == theirs.cards
    return (theirs.cards < mine.cards) | (same & (theirs.spreads >= mine.spreads - EPSILON))


def check_threshold(threshold: float) -> None:
    """λ is a share above 0."""
    SHARE.checked("threshold (λ)", threshold)


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
        raise KeyError(f"like: there is no column {name!r}; the columns are {some(like.columns, 20)}")
    return like.attributes[name]


def _read_column(series: pd.Series, attribute: Attribute | None) -> WeightedColumn:
    """Parse each distinct text once."""
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
