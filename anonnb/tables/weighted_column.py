"""Weighted columns: cells that are a value, a weighted set of values, or unknown (Dardzińska and Raś 2003).

A weighted column is a column of value sets plus weights; without weights the values of a set are equally likely, and
the whole domain means unknown. Readings: containment compares with ≥ (the printed > fails on unchanged cells); an
unknown cell counts as one value more than its domain has, so that any evidence at all makes it more complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np

from anonnb.core.arrays import distinct_rows
from anonnb.tables.attribute import Attribute, shorten
from anonnb.tables.labels import HIDDEN_CELL, HIDDEN_LABELS, quoted, text
from anonnb.tables.value_sets import Column, ValueSets

EPSILON = 1e-9  # two weights that differ by less are equal: products of thirds are not exact
_MOST_CELLS = 50_000_000  # of a sets × values matrix
UNKNOWN_CELL = "*"  # as the papers on Chase write it
_PART = re.compile(r'\s*("(?:[^"]|"")*"|[^|"]*?)\s*(?:(?<=[\s"])(\d+/\d+|\d*\.?\d+(?:e-?\d+)?))?\s*(?:\||$)')
_TRICKY = re.compile(r'[|"]|^\s|\s$|^$|^\*$|\s[\d.e/-]+$')


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
        """Give the values of each set equal weights; the whole domain and a missing value are unknown."""
        sets, attribute = column.sets, column.attribute
        # the only value of a column is its whole domain too: only its label shows whether it was suppressed
        whole = (sets.sizes == attribute.size) & (attribute.size > 1)
        if attribute.size == 1 and sets.has_own_labels:
            whole = np.array([label.strip() in HIDDEN_LABELS for label in sets.labels])
        absent = (sets.lo == attribute.missing_code) & attribute.missing
        return cls(column, ~(whole | absent))

    @classmethod
    def from_weights(cls, attribute: Attribute, weights: np.ndarray) -> WeightedColumn:
        """Make a column from a rows × values array; a row of zeros is an unknown cell."""
        weights = np.asarray(weights, dtype=float)
        if attribute.size == 0:  # a column in which nothing is known yet
            return cls(Column.suppressed(attribute, len(weights)), np.array([False]), np.zeros((1, 0)))
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
        """Return the weights of the given values, as a rows × values array."""
        return self.set_weights(codes)[self.column.index]

    def set_weights(self, codes: Sequence[int] | None = None) -> np.ndarray:
        """Return the weights of the given values (all by default) in each set of the dictionary."""
        size, sets = self.attribute.size, self.column.sets
        wanted = np.arange(size) if codes is None else np.asarray(codes, dtype=np.int64)
        if len(sets) * len(wanted) > _MOST_CELLS:
            raise ValueError(f"column {self.attribute.name!r} has {size:,} values; group them into fewer first")
        if self.weights is not None:
            return self.weights[:, wanted]
        share = self.known / np.maximum(sets.sizes, 1)
        if len(wanted) == 0:
            return np.zeros((len(sets), 0))
        return np.column_stack([sets.contains(int(code)) * share for code in wanted])

    def totals(self) -> np.ndarray:
        """Return the sum of the weights of each value over all rows."""
        rows = np.bincount(self.column.index, minlength=len(self.column.sets)) * self.known
        if self.weights is not None:
            return rows @ self.weights
        sets, size = self.column.sets, self.attribute.size
        single = sets.sizes == 1  # columns of many exact values must not cost sets × values
        totals = np.bincount(sets.lo[single], weights=rows[single], minlength=size).astype(float)
        for number in np.flatnonzero(~single & (rows > 0)).tolist():
            totals += sets.mask(number) * (rows[number] / sets.sizes[number])
        return totals

    def texts(self) -> np.ndarray:
        """Return what people read: ``a1``, ``a1 2/3 | a2 1/3``, or ``*`` if nothing is known."""
        labels = self.attribute.labels
        used = np.bincount(self.column.index, minlength=len(self.known)) > 0
        texts = np.full(len(self.known), UNKNOWN_CELL, dtype=object)
        for number in np.flatnonzero(used & self.known).tolist():
            codes = np.flatnonzero(self.column.sets.mask(number))
            weights = np.full(len(codes), 1 / len(codes)) if self.weights is None else self.weights[number, codes]
            texts[number] = cell_text([labels[code] for code in codes], weights)
        return texts[self.column.index]

    # ---- making others ----------------------------------------------------------------------------------------

    def take(self, rows: np.ndarray) -> WeightedColumn:
        """Return the given rows, with the same dictionary."""
        return WeightedColumn(self.column.take(rows), self.known, self.weights)

    def hidden(self, rows: np.ndarray) -> WeightedColumn:
        """Return the same column with the cells of ``rows`` (a mask or row numbers) unknown."""
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
        """Return the same cells over a domain that has these values too."""
        attribute, positions = self.attribute.extended(values)
        if attribute is self.attribute:
            return self
        old = self.set_weights()
        weights = np.zeros((len(old), attribute.size))
        weights[:, positions] = old
        return WeightedColumn.from_weights(attribute, weights[self.column.index])


def spread(weights: np.ndarray) -> np.ndarray:
    """Return the sum of |p − q| over all pairs of each row.

    >>> spread(np.array([[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 0]])).tolist()
    [2.0, 1.0, 0.0]
    """
    size = weights.shape[1]
    # sorted upward, the value at position i is subtracted size − 1 − i times and added i times
    return np.sort(weights, axis=1) @ (2 * np.arange(size) - (size - 1))


def at_least_as_complete(mine: WeightedColumn, theirs: WeightedColumn) -> np.ndarray:
    """Return, for each row, whether ``theirs`` has fewer values, or as many and at least as uneven weights."""
    same = mine.cards == theirs.cards
    return (theirs.cards < mine.cards) | (same & (theirs.spreads >= mine.spreads - EPSILON))


# ---- cells as people write them: a1 2/3 | a2 1/3 -------------------------------------------------------------------


def weight_text(weight: float) -> str:
    """Return a short fraction if the weight is one, otherwise three digits.

    >>> weight_text(2 / 3), weight_text(0.123456)
    ('2/3', '0.123')
    """
    near = Fraction(weight).limit_denominator(30)
    return str(near) if abs(float(near) - weight) < 1e-9 else f"{weight:.3g}"


def cell_text(labels: Sequence[str], weights: Sequence[float] | np.ndarray) -> str:
    """Write one cell; what the weights leave of 1 is written as unknown.

    >>> cell_text(["a1", "a2"], [2 / 3, 1 / 3]), cell_text(["a1"], [2 / 3]), cell_text(["a1"], [1.0])
    ('a1 2/3 | a2 1/3', 'a1 2/3 | * 1/3', 'a1')
    """
    rest = 1 - float(np.sum(weights))
    if len(labels) == 1 and rest < 1e-9:
        return labels[0]
    names = [quoted(label) if _TRICKY.search(label) else label for label in labels]
    parts = [f"{name} {weight_text(weight)}" for name, weight in zip(names, weights, strict=True)]
    return " | ".join(parts + [f"{UNKNOWN_CELL} {weight_text(rest)}"] * (rest > 1e-9))


def read_cell(cell: object, column: str, known: Mapping[str, int]) -> dict[str, float]:
    """Return the weight of each value of a cell; nothing for an unknown cell.

    >>> read_cell("a1 1/4 | a2 3/4", "a", {}), read_cell("*", "a", {}), read_cell("x y", "a", {})
    ({'a1': 0.25, 'a2': 0.75}, {}, {'x y': 1.0})
    """
    word = text(cell)
    if word.strip() in ("", UNKNOWN_CELL, HIDDEN_CELL):
        return {}
    if "|" not in word or word in known:
        return {word: 1.0}
    parts = _parts(word)
    if parts is None:
        raise ValueError(f"column {column!r}: cannot read {shorten(word)!r}; write it like 'a1 2/3 | a2 1/3'")
    weights = [weight for _, weight in parts if weight is not None]
    if not weights:
        weights = [1 / len(parts)] * len(parts)
    elif len(weights) < len(parts) or abs(sum(weights) - 1) > 5e-3 or min(weights) <= 0:
        raise ValueError(
            f"column {column!r}: the weights of {shorten(word)!r} must be given for all values, be above 0, sum to 1"
        )
    total = sum(weights)
    values = {value: weight / total for (value, _), weight in zip(parts, weights, strict=True)}
    if len(values) < len(parts):
        raise ValueError(f"column {column!r}: {shorten(word)!r} names a value twice; add up its weights")
    return {value: weight for value, weight in values.items() if value is not None}  # None: the part left open


def _parts(word: str) -> list[tuple[str | None, float | None]] | None:
    """Return names (None for an unquoted star) and weights between the bars; None if the text cannot be read."""
    parts, position = [], 0
    while position < len(word):
        match = _PART.match(word, position)
        if match is None or match.end() == position or not match[1]:
            return None
        name = match[1][1:-1].replace('""', '"') if match[1].startswith('"') else match[1]
        weight = None if match[2] is None else _number(match[2])
        parts.append((None if match[1] == UNKNOWN_CELL else name, weight))
        position = match.end()
    return None if word.rstrip().endswith("|") else parts


def _number(word: str) -> float:
    top, _, bottom = word.partition("/")
    return float(top) / float(bottom) if bottom and float(bottom) else 0.0 if bottom else float(top)
