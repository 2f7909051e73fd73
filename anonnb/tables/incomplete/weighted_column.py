"""Weighted columns: cells that are a value, a weighted set of values, or unknown (Dardzińska and Raś 2003).

A weighted column is a column of value sets plus weights; without weights the values of a set are equally likely, and
the whole domain means unknown. Readings: containment compares with ≥ (the printed > fails on unchanged cells); an
unknown cell counts as one value more than its domain has, so that any evidence at all makes it more complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.tables.attribute import Attribute
from anonnb.tables.incomplete.cells import cell_text
from anonnb.tables.labels import SUPPRESSED
from anonnb.tables.value_sets import Column, ValueSets

EPSILON = 1e-9  # two weights that differ by less are equal: products of thirds are not exact
_MOST_CELLS = 50_000_000  # of a sets × values matrix


class WeightedColumn:
    """A column of value sets with a weight per possible value.

    ``column`` holds the sets (the whole domain where nothing is known), ``known`` flags the sets that are not unknown,
    and ``weights`` (sets × values) says how likely each value is; None means equally likely.

    >>> import pandas as pd
    >>> from anonnb.tables.encoding import encode
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


def at_least_as_complete(mine: WeightedColumn, theirs: WeightedColumn) -> np.ndarray:
    """For each row whether ``theirs`` has fewer values, or as many and at least as uneven weights."""
    same = mine.cards == theirs.cards
    return (theirs.cards < mine.cards) | (same & (theirs.spreads >= mine.spreads - EPSILON))
