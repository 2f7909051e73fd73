"""Dictionaries of value sets: each distinct set of possible values once, with the text that people see for it.

A set is an interval of codes ``lo..hi`` or, when it has gaps, a mask over the domain. Questions about sets are answered
for all sets of a dictionary at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from anonnb.core.arrays import group_min_max, in_ranges
from anonnb.core.readonly import ReadOnly, frozen
from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import HIDDEN_CELL, OR, TRICKY, join_names
from anonnb.tables.value_sets.spans import EN_DASH, Piece, joined, number_ends, value_pieces

SPARSE = 16  # sets with gaps that hold fewer than one value in so many are summed value by value


class ValueSets(ReadOnly):
    """A dictionary of distinct value sets over one attribute's codes.

    ``lo`` and ``hi`` are the smallest and largest code of each set; a set with gaps also has a row in ``masks``,
    found through ``mask_row`` (-1 for a set without gaps).
    """

    attribute: Attribute
    lo: np.ndarray
    hi: np.ndarray
    masks: np.ndarray
    mask_row: np.ndarray
    _labels: list[str] | None

    def __init__(
        self,
        attribute: Attribute,
        lo: np.ndarray,
        hi: np.ndarray,
        masks: np.ndarray | None = None,
        mask_row: np.ndarray | None = None,
        labels: Sequence[str] | None = None,
    ):
        vars(self).update(
            attribute=attribute,
            lo=frozen(np.asarray(lo, dtype=np.int32)),
            hi=frozen(np.asarray(hi, dtype=np.int32)),
            masks=frozen(np.zeros((0, attribute.size), dtype=bool) if masks is None else masks),
            mask_row=frozen(np.full(len(lo), -1, dtype=np.int32) if mask_row is None else mask_row),
            _labels=None if labels is None else list(labels),
        )

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def singletons(cls, attribute: Attribute) -> ValueSets:
        """Return one set per value, in the order of the codes."""
        codes = np.arange(attribute.size)
        return cls(attribute, codes, codes)

    @classmethod
    def whole(cls, attribute: Attribute) -> ValueSets:
        """Return the one set that holds every value: a suppressed cell."""
        # a column of one value: suppressed, it must not show that value
        return cls(attribute, np.array([0]), np.array([attribute.size - 1]), labels=[HIDDEN_CELL])

    @classmethod
    def from_masks(cls, attribute: Attribute, masks: np.ndarray, labels: Sequence[str] | None = None) -> ValueSets:
        """Return one set per boolean row; rows need not be distinct (see :meth:`Column.from_masks`)."""
        masks = np.asarray(masks, dtype=bool).reshape(-1, attribute.size)
        counts = masks.sum(axis=1)
        if (counts == 0).any():
            raise ValueError(f"column {attribute.name!r}: a value set is empty; a cell must allow at least one value")
        lo = masks.argmax(axis=1)
        hi = attribute.size - 1 - masks[:, ::-1].argmax(axis=1)
        gaps = hi - lo + 1 != counts
        mask_row = np.where(gaps, np.cumsum(gaps) - 1, -1).astype(np.int32)
        return cls(attribute, lo, hi, masks[gaps], mask_row, labels)

    @classmethod
    def from_partition(cls, attribute: Attribute, cell: np.ndarray, labels: Sequence[str] | None = None) -> ValueSets:
        """Return the blocks of a partition of the domain; ``cell[code]`` is the block of a code, from 0 on."""
        cell = np.asarray(cell)
        blocks = int(cell.max(initial=-1)) + 1
        lo, hi = group_min_max(np.arange(len(cell)), cell, blocks)
        gappy = np.flatnonzero(hi - lo + 1 != np.bincount(cell, minlength=blocks))
        mask_row = np.full(blocks, -1, dtype=np.int32)
        mask_row[gappy] = np.arange(len(gappy))
        return cls(attribute, lo, hi, cell[None, :] == gappy[:, None], mask_row, labels)

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.lo)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of values in each set."""
        sizes = (self.hi - self.lo + 1).astype(np.int64)
        gaps = self.mask_row >= 0
        sizes[gaps] = self.masks[self.mask_row[gaps]].sum(axis=1)
        return frozen(sizes)

    def mask(self, number: int) -> np.ndarray:
        """Return one set as a boolean array over the domain."""
        row = self.mask_row[number]
        if row >= 0:
            return self.masks[row].copy()
        codes = np.arange(self.attribute.size)
        return (codes >= self.lo[number]) & (codes <= self.hi[number])

    def as_masks(self, numbers: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return all sets, or those numbered, as boolean rows over the domain (sets × values: mind the size)."""
        codes, rows = np.arange(self.attribute.size), self.mask_row[numbers]
        masks = (codes >= self.lo[numbers, None]) & (codes <= self.hi[numbers, None])
        masks[rows >= 0] = self.masks[rows[rows >= 0]]
        return masks

    def contains(self, code: int | np.ndarray) -> np.ndarray:
        """Return which sets hold a code; with an array, one code for each set."""
        inside = (self.lo <= code) & (code <= self.hi)
        gaps = np.flatnonzero(inside & (self.mask_row >= 0))
        inside[gaps] = self.masks[self.mask_row[gaps], np.broadcast_to(code, len(self))[gaps]]
        return inside

    def overlaps(self, mask: np.ndarray) -> np.ndarray:
        """Return which sets share a value with ``mask``."""
        before = np.concatenate([[0], np.cumsum(mask)])
        result = before[self.hi + 1] > before[self.lo]
        gaps = self.mask_row >= 0
        result[gaps] = (self.masks[self.mask_row[gaps]] & mask).any(axis=1)
        return result

    def inside(self, mask: np.ndarray) -> np.ndarray:
        """Return which sets lie wholly within ``mask``."""
        return ~self.overlaps(~np.asarray(mask, dtype=bool))

    def intersection(self, numbers: np.ndarray | Sequence[int]) -> np.ndarray:
        """Return the values that all the numbered sets share, as a mask."""
        numbers = np.unique(np.asarray(numbers, dtype=np.int64))
        if len(numbers) == 0:
            return np.ones(self.attribute.size, dtype=bool)
        codes = np.arange(self.attribute.size)
        common = (codes >= self.lo[numbers].max()) & (codes <= self.hi[numbers].min())
        rows = self.mask_row[numbers]
        return common & self.masks[rows[rows >= 0]].all(axis=0)

    def union(self, numbers: np.ndarray | Sequence[int]) -> np.ndarray:
        """Return the values that some of the numbered sets hold, as a mask."""
        numbers = np.unique(np.asarray(numbers, dtype=np.int64))
        rows = self.mask_row[numbers]
        plain = numbers[rows < 0]
        edges = np.zeros(self.attribute.size + 1, dtype=np.int64)
        np.add.at(edges, self.lo[plain], 1)
        np.add.at(edges, self.hi[plain] + 1, -1)
        return (np.cumsum(edges[:-1]) > 0) | self.masks[rows[rows >= 0]].any(axis=0)

    def totals(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of the weights of the values in each set.

        >>> import pandas as pd
        >>> from anonnb import Table
        >>> attribute = Table(pd.DataFrame({"x": [1, 2, 3]})).attributes["x"]
        >>> ValueSets(attribute, [0, 1], [2, 1]).totals(np.array([1.0, 10.0, 100.0])).tolist()
        [111.0, 10.0]
        """
        before = np.concatenate([[0.0], np.cumsum(weights)])
        result = before[self.hi + 1] - before[self.lo]
        single = self.lo == self.hi
        result[single] = weights[self.lo[single]]  # without the rounding of a difference of sums
        result[self.mask_row >= 0] = self.gap_totals(weights)
        return result

    def gap_totals(self, weights: np.ndarray) -> np.ndarray:
        """Return the sum of the weights of the values in each set with gaps, in their order."""
        gaps = self.mask_row >= 0
        if self._gap_members is None:
            return self.masks[self.mask_row[gaps]] @ weights
        owner, codes = self._gap_members
        totals = np.bincount(owner, weights[codes], minlength=np.count_nonzero(gaps))
        return totals.astype(np.result_type(weights.dtype, bool), copy=False)

    @cached_property
    def _gap_members(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Pairs of (place among the sets with gaps, code) of all their values; None where these fill the masks."""
        gaps = self.mask_row >= 0
        if self.sizes[gaps].sum() * SPARSE > np.count_nonzero(gaps) * self.attribute.size:
            return None
        owner, codes = np.nonzero(self.masks[self.mask_row[gaps]])
        return owner.astype(np.int32), codes.astype(np.int32)

    @property
    def widths(self) -> np.ndarray:
        """Distance between the ends of each set in the attribute's numbers; NaN when an end is a missing value."""
        return self.attribute.numbers[self.hi] - self.attribute.numbers[self.lo]

    # ---- texts ------------------------------------------------------------------------------------------------

    @property
    def has_own_labels(self) -> bool:
        """Whether the labels were given (for example by a hierarchy) rather than derived from the values."""
        return self._labels is not None

    @cached_property
    def labels(self) -> list[str]:
        """The text people see for each set: ``[30–39]``, ``male or female``, ``been_married``, ``*``."""
        if self._labels is not None:
            return self._labels
        names, single = self.attribute.labels, (self.lo == self.hi).tolist()
        ends = enumerate(zip(self.lo.tolist(), single, strict=True))
        return [names[lo] if alone else self._label(number) for number, (lo, alone) in ends]

    def _label(self, number: int) -> str:
        attribute, lo, hi = self.attribute, int(self.lo[number]), int(self.hi[number])
        names = attribute.labels
        if lo == hi:
            return names[lo]
        if self.sizes[number] == attribute.size:
            return HIDDEN_CELL
        spanned = attribute.kind != "nominal" and self.mask_row[number] < 0
        label = self._span_label(lo, hi) if spanned else None
        if label is None:
            label = self._list_label(number)
        # nobody could tell a set apart from a value of the same name
        return label if label not in attribute.code_of_label else self._list_label(number, quote_all=True)

    def _span_label(self, lo: int, hi: int) -> str | None:
        """Return ``[low–high]``, or None if the names of the ends would make that unreadable."""
        attribute, absent = self.attribute, hi == self.attribute.missing_code
        names, last = attribute.labels, hi - absent
        numeric = attribute.kind == "numeric" and attribute.is_number
        low, high = number_ends(attribute, lo, last) if numeric and lo < last else (names[lo], names[last])
        span = joined(self._pieces, lo, last) if self._pieces and lo < last else None
        if span is None and any(EN_DASH in name or TRICKY.search(name) for name in (low, high)):
            return None
        return (low if lo == last else span or f"[{low}{EN_DASH}{high}]") + f" or {names[hi]}" * absent

    @cached_property
    def _pieces(self) -> list[Piece] | None:
        return value_pieces(self.attribute)

    def _list_label(self, number: int, quote_all: bool = False) -> str:
        codes = np.flatnonzero(self.mask(number)).tolist()
        if quote_all:
            return join_names([self.attribute.labels[code] for code in codes], quote_all)
        names = self.attribute.listed_labels
        return OR.join([names[code] for code in codes])


def what_sets_say(sets: ValueSets, count_missing: bool = False) -> Any:
    """Return the weights of the values in each set: equal, and 1 in total (sets × values, a sparse array)."""
    from scipy.sparse import csr_array

    runs, gaps = np.flatnonzero(sets.mask_row < 0), np.flatnonzero(sets.mask_row >= 0)
    starts, ends = np.maximum(sets.lo[runs], 0), sets.hi[runs] + 1
    place, codes = np.nonzero(sets.masks[sets.mask_row[gaps]])
    owner = np.concatenate([np.repeat(runs, ends - starts), gaps[place]])
    codes = np.concatenate([in_ranges(starts, ends), codes])
    if sets.attribute.missing and not count_missing:
        owner, codes = (part[codes != sets.attribute.missing_code] for part in (owner, codes))
    weights = 1.0 / np.bincount(owner, minlength=len(sets))[owner]
    return csr_array((weights, (owner, codes)), shape=(len(sets), sets.attribute.size))
