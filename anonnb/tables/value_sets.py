"""Value sets: columns whose cells are sets of possible values, the one representation all releases share.

A set is an interval of codes ``lo..hi`` or, when it has gaps, a mask over the domain. Each distinct set is stored once
and a cell is a number into that dictionary, so each cell costs one integer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from anonnb.core.arrays import distinct_rows, first_places, group_ids, group_min_max, group_pairs
from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import OR, SUPPRESSED, TRICKY, listed

EN_DASH = "\u2013"
SPARSE = 16  # sets with gaps that hold fewer than one value in so many are summed value by value


class ValueSets:
    """A dictionary of distinct value sets over one attribute's codes.

    ``lo`` and ``hi`` are the smallest and largest code of each set; a set with gaps also has a row in ``masks``,
    found through ``mask_row`` (-1 for a set without gaps).
    """

    def __init__(
        self,
        attribute: Attribute,
        lo: np.ndarray,
        hi: np.ndarray,
        masks: np.ndarray | None = None,
        mask_row: np.ndarray | None = None,
        labels: Sequence[str] | None = None,
    ):
        self.attribute = attribute
        self.lo = np.asarray(lo, dtype=np.int32)
        self.hi = np.asarray(hi, dtype=np.int32)
        self.masks = np.zeros((0, attribute.size), dtype=bool) if masks is None else masks
        self.mask_row = np.full(len(self.lo), -1, dtype=np.int32) if mask_row is None else mask_row
        self._labels = None if labels is None else list(labels)

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def singletons(cls, attribute: Attribute) -> ValueSets:
        """One set per value, in the order of the codes."""
        codes = np.arange(attribute.size)
        return cls(attribute, codes, codes)

    @classmethod
    def whole(cls, attribute: Attribute) -> ValueSets:
        """The one set that holds every value: a suppressed cell."""
        # a column of one value: suppressed, it must not show that value
        return cls(attribute, [0], [attribute.size - 1], labels=[SUPPRESSED])

    @classmethod
    def from_masks(cls, attribute: Attribute, masks: np.ndarray, labels: Sequence[str] | None = None) -> ValueSets:
        """One set per boolean row; rows need not be distinct (see :meth:`Column.from_masks`)."""
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
        """The blocks of a partition of the domain; ``cell[code]`` is the block of a code, blocks numbered from 0."""
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
        return sizes

    def mask(self, number: int) -> np.ndarray:
        """One set as a boolean array over the domain."""
        row = self.mask_row[number]
        if row >= 0:
            return self.masks[row].copy()
        codes = np.arange(self.attribute.size)
        return (codes >= self.lo[number]) & (codes <= self.hi[number])

    def as_masks(self, numbers: np.ndarray | slice = slice(None)) -> np.ndarray:
        """All sets, or those numbered, as boolean rows over the domain (sets × values: mind the size)."""
        codes, rows = np.arange(self.attribute.size), self.mask_row[numbers]
        masks = (codes >= self.lo[numbers, None]) & (codes <= self.hi[numbers, None])
        masks[rows >= 0] = self.masks[rows[rows >= 0]]
        return masks

    def contains(self, code: int | np.ndarray) -> np.ndarray:
        """Which sets hold a code; with an array, one code for each set."""
        inside = (self.lo <= code) & (code <= self.hi)
        gaps = np.flatnonzero(inside & (self.mask_row >= 0))
        inside[gaps] = self.masks[self.mask_row[gaps], np.broadcast_to(code, len(self))[gaps]]
        return inside

    def overlaps(self, mask: np.ndarray) -> np.ndarray:
        """Which sets share a value with ``mask``."""
        before = np.concatenate([[0], np.cumsum(mask)])
        found = before[self.hi + 1] > before[self.lo]
        gaps = self.mask_row >= 0
        found[gaps] = (self.masks[self.mask_row[gaps]] & mask).any(axis=1)
        return found

    def inside(self, mask: np.ndarray) -> np.ndarray:
        """Which sets lie wholly within ``mask``."""
        return ~self.overlaps(~np.asarray(mask, dtype=bool))

    def intersection(self, numbers: np.ndarray | Sequence[int]) -> np.ndarray:
        """The values that all the numbered sets share, as a mask (all False when they share none)."""
        numbers = np.unique(np.asarray(numbers, dtype=np.int64))
        if len(numbers) == 0:
            return np.ones(self.attribute.size, dtype=bool)
        codes = np.arange(self.attribute.size)
        common = (codes >= self.lo[numbers].max()) & (codes <= self.hi[numbers].min())
        rows = self.mask_row[numbers]
        return common & self.masks[rows[rows >= 0]].all(axis=0)

    def union(self, numbers: np.ndarray | Sequence[int]) -> np.ndarray:
        """The values that some of the numbered sets hold, as a mask."""
        numbers = np.unique(np.asarray(numbers, dtype=np.int64))
        rows = self.mask_row[numbers]
        plain = numbers[rows < 0]
        edges = np.zeros(self.attribute.size + 1, dtype=np.int64)
        np.add.at(edges, self.lo[plain], 1)
        np.add.at(edges, self.hi[plain] + 1, -1)
        return (np.cumsum(edges[:-1]) > 0) | self.masks[rows[rows >= 0]].any(axis=0)

    def totals(self, weights: np.ndarray) -> np.ndarray:
        """For each set the sum of the weights of its values.

        >>> import pandas as pd
        >>> from anonnb import Table
        >>> attribute = Table(pd.DataFrame({"x": [1, 2, 3]})).attributes["x"]
        >>> ValueSets(attribute, [0, 1], [2, 1]).totals(np.array([1.0, 10.0, 100.0])).tolist()
        [111.0, 10.0]
        """
        before = np.concatenate([[0.0], np.cumsum(weights)])
        found = before[self.hi + 1] - before[self.lo]
        single = self.lo == self.hi
        found[single] = weights[self.lo[single]]  # without the rounding of a difference of sums
        found[self.mask_row >= 0] = self.gap_totals(weights)
        return found

    def gap_totals(self, weights: np.ndarray) -> np.ndarray:
        """For each set with gaps, in their order, the sum of the weights of its values."""
        gaps = self.mask_row >= 0
        if self._gap_members is None:
            return self.masks[self.mask_row[gaps]] @ weights
        place, codes = self._gap_members
        found = np.bincount(place, weights[codes], minlength=np.count_nonzero(gaps))
        return found.astype(np.result_type(weights.dtype, bool), copy=False)

    @cached_property
    def _gap_members(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Pairs of (place among the sets with gaps, code) of all their values; None where these fill the masks."""
        gaps = self.mask_row >= 0
        if self.sizes[gaps].sum() * SPARSE > np.count_nonzero(gaps) * self.attribute.size:
            return None
        place, codes = np.nonzero(self.masks[self.mask_row[gaps]])
        return place.astype(np.int32), codes.astype(np.int32)

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
            return SUPPRESSED
        spanned = attribute.kind != "nominal" and self.mask_row[number] < 0
        label = self._span_label(lo, hi) if spanned else None
        if label is None:
            label = self._list_label(number)
        # nobody could tell a set apart from a value of the same name
        return label if label not in attribute.code_of_label else self._list_label(number, quote_all=True)

    def _span_label(self, lo: int, hi: int) -> str | None:
        """``[low–high]``, or None when the names of the ends would make that unreadable."""
        names, absent = self.attribute.labels, hi == self.attribute.missing_code
        low, high = names[lo], names[hi - absent]
        if any(EN_DASH in name or TRICKY.search(name) for name in (low, high)):
            return None
        return (low if lo == hi - absent else f"[{low}{EN_DASH}{high}]") + f" or {names[hi]}" * absent

    def _list_label(self, number: int, quote_all: bool = False) -> str:
        codes = np.flatnonzero(self.mask(number)).tolist()
        if quote_all:
            return listed([self.attribute.labels[code] for code in codes], quote_all)
        names = self.attribute.listed_labels
        return OR.join([names[code] for code in codes])


class Column:
    """One released column: a dictionary of value sets and, for every row, the number of its set.

    Parameters
    ----------
    sets:
        The distinct sets.
    index:
        The number of each row's set.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb import Hierarchy, Table
    >>> t = Table(pd.DataFrame({"age": [30, 35, 39, 50]}))
    >>> age, codes = t.attributes["age"], t.codes("age")
    >>> c = Column.of_groups(age, codes, np.array([0, 0, 0, 1]), 2)
    >>> c.texts().tolist(), c.can_take(age.code(35)).tolist()
    (['[30–39]', '[30–39]', '[30–39]', '50'], [True, True, True, False])
    >>> Column.per_group(age, codes, np.array([0, 0, 0, 1]), 2).texts().tolist()
    ['[30–39]', '50']
    >>> c.take(np.array([3])).texts().tolist(), c.with_suppressed(np.array([3])).texts()[3], c.holds(codes).all().item()
    (['50'], '*', True)
    >>> Column.from_spans(age, [0, 3], [2, 3]).texts().tolist(), Column.original(age, codes).texts()[0]
    (['[30–39]', '50'], '30')
    >>> Column.from_masks(age, np.eye(4, dtype=bool)).texts()[1], Column.suppressed(age, 2).texts().tolist()
    ('35', ['*', '*'])
    >>> Column.generalized(t.with_hierarchies(age=Hierarchy.intervals(10)).attributes["age"], codes, 1).texts()[3]
    '[50,60)'
    """

    def __init__(self, sets: ValueSets, index: np.ndarray):
        self.sets = sets
        self.index = np.asarray(index, dtype=np.int32)

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def original(cls, attribute: Attribute, codes: np.ndarray) -> Column:
        """A column in which every cell holds its own value.

        Parameters
        ----------
        attribute, codes:
            The attribute, and the code of each row.

        Returns
        -------
        Column
            The column.
        """
        return cls(ValueSets.singletons(attribute), codes)

    @classmethod
    def suppressed(cls, attribute: Attribute, rows: int) -> Column:
        """A column in which every cell is the whole domain.

        Parameters
        ----------
        attribute:
            The attribute.
        rows:
            The number of rows.

        Returns
        -------
        Column
            The column.
        """
        return cls(ValueSets.whole(attribute), np.zeros(rows, dtype=np.int32))

    @classmethod
    def from_spans(cls, attribute: Attribute, lo: np.ndarray, hi: np.ndarray) -> Column:
        """A column of intervals of codes.

        Parameters
        ----------
        attribute:
            The attribute.
        lo, hi:
            The first and the last code of each row.

        Returns
        -------
        Column
            The column.
        """
        lo, hi = np.asarray(lo), np.asarray(hi)
        index, count = group_ids([lo, hi], [attribute.size, attribute.size])
        first = first_places(index, count)
        return cls(ValueSets(attribute, lo[first], hi[first]), index)

    @classmethod
    def from_masks(cls, attribute: Attribute, masks: np.ndarray) -> Column:
        """A column of sets given by flags.

        Parameters
        ----------
        attribute:
            The attribute.
        masks:
            For each row of the release, a flag per value of the domain.

        Returns
        -------
        Column
            The column.
        """
        masks = np.asarray(masks, dtype=bool).reshape(-1, attribute.size)
        first, index = distinct_rows(np.packbits(masks, axis=1))
        return cls(ValueSets.from_masks(attribute, masks[first]), index)

    @classmethod
    def of_groups(
        cls, attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int, spans: bool | None = None
    ) -> Column:
        """What the members of each group have: an interval (ordinal, numeric) or the set of their values (nominal).

        Parameters
        ----------
        attribute, codes:
            The attribute, and the code of each row.
        groups, n_groups:
            The group of each row, and the number of groups.
        spans:
            True for intervals of codes for a nominal attribute too, as for boxes in the order of a hierarchy.

        Returns
        -------
        Column
            The column.
        """
        return cls.per_group(attribute, codes, groups, n_groups, spans).take(groups)

    @classmethod
    def per_group(
        cls, attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int, spans: bool | None = None
    ) -> Column:
        """The same with a cell for each group instead of one for each row.

        Parameters
        ----------
        attribute, codes, groups, n_groups, spans:
            As for :meth:`of_groups`.

        Returns
        -------
        Column
            A column of ``n_groups`` cells.
        """
        if spans is None:
            spans = attribute.kind != "nominal"
        if spans:
            return cls.from_spans(attribute, *group_min_max(codes, groups, n_groups))
        owner, value, _ = group_pairs(codes, attribute.size, groups)
        lo, hi = group_min_max(value, owner, n_groups)
        # only sets with gaps need bits; the others are runs already
        gappy = hi - lo + 1 != np.bincount(owner, minlength=n_groups)
        place = np.cumsum(gappy) - 1
        owner, value = place[owner[gappy[owner]]], value[gappy[owner]]
        packed = _packed(owner, value, int(gappy.sum()), attribute.size)
        first, ids = distinct_rows(packed)
        masks = np.unpackbits(packed[first], axis=1, count=attribute.size).astype(bool)
        mask_row = np.full(n_groups, -1, dtype=np.int32)
        mask_row[gappy] = ids
        index, count = group_ids([lo, hi, mask_row + 1], [attribute.size, attribute.size, len(first) + 1])
        kept = first_places(index, count)
        return cls(ValueSets(attribute, lo[kept], hi[kept], masks, mask_row[kept]), index)

    @classmethod
    def generalized(cls, attribute: Attribute, codes: np.ndarray, level: int) -> Column:
        """A column in which every cell is replaced by its label on a level of the hierarchy.

        Parameters
        ----------
        attribute, codes:
            The attribute, with its hierarchy, and the code of each row.
        level:
            The level.

        Returns
        -------
        Column
            The column.
        """
        if level == 0:
            return cls.original(attribute, codes)
        levels = attribute.levels
        sets = ValueSets.from_partition(attribute, levels.maps[level], levels.labels[level])
        return cls(sets, levels.maps[level][codes])

    def with_suppressed(self, rows: np.ndarray) -> Column:
        """The same column with some cells replaced by the whole domain.

        Parameters
        ----------
        rows:
            A mask or row numbers.

        Returns
        -------
        Column
            The column.
        """
        sets, size = self.sets, self.sets.attribute.size
        index = self.index.copy()
        # a whole domain that is there already (a hierarchy's top) is the same set; a column's only value is not
        whole = np.flatnonzero(sets.sizes == size) if size > 1 else []
        if len(whole):
            index[rows] = whole[0]
            return Column(sets, index)
        index[rows] = len(sets)
        labels = [*sets.labels, SUPPRESSED] if sets.has_own_labels or size <= 1 else None
        mask_row = np.append(sets.mask_row, np.int32(-1))
        grown = ValueSets(
            sets.attribute, np.append(sets.lo, 0), np.append(sets.hi, size - 1), sets.masks, mask_row, labels
        )
        return Column(grown, index)

    def take(self, rows: np.ndarray) -> Column:
        """Some of the rows, with the same dictionary.

        Parameters
        ----------
        rows:
            Row numbers or a mask.

        Returns
        -------
        Column
            These rows.
        """
        return Column(self.sets, self.index[rows])

    # ---- reading ----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.index)

    @property
    def attribute(self) -> Attribute:
        return self.sets.attribute

    @property
    def sizes(self) -> np.ndarray:
        """Number of possible values of each cell."""
        return self.sets.sizes[self.index]

    def can_take(self, code: int) -> np.ndarray:
        """Which rows can have the value with a code.

        Parameters
        ----------
        code:
            The code.

        Returns
        -------
        numpy.ndarray
            A flag per row.
        """
        return self.sets.contains(code)[self.index]

    def holds(self, codes: np.ndarray) -> np.ndarray:
        """For each row, whether its set holds that row's code.

        Parameters
        ----------
        codes:
            A code per row; -1, a value outside the domain, is never held.

        Returns
        -------
        numpy.ndarray
            A flag per row.
        """
        lo, hi, row = self.sets.lo[self.index], self.sets.hi[self.index], self.sets.mask_row[self.index]
        codes = np.asarray(codes)
        inside = (lo <= codes) & (codes <= hi)
        gaps = np.flatnonzero(inside & (row >= 0))
        inside[gaps] = self.sets.masks[row[gaps], codes[gaps]]
        return inside

    def is_exact(self) -> bool:
        """Whether every cell is a single value shown as itself."""
        used = np.bincount(self.index, minlength=len(self.sets)) > 0
        if (self.sets.sizes[used] > 1).any():
            return False
        if not self.sets.has_own_labels:
            return True
        names = self.attribute.labels
        return all(self.sets.labels[number] == names[self.sets.lo[number]] for number in np.flatnonzero(used))

    def texts(self) -> np.ndarray:
        """The label of every cell."""
        return np.array(self.sets.labels, dtype=object)[self.index]


def _packed(owner: np.ndarray, value: np.ndarray, sets: int, size: int) -> np.ndarray:
    """Sets as rows of packed bits, from sorted pairs of a set's number and a value in it."""
    width = (size + 7) // 8
    packed, byte = np.zeros(sets * width, dtype=np.uint8), owner * width + value // 8
    if len(byte):
        first = np.flatnonzero(np.diff(byte, prepend=-1))
        packed[byte[first]] = np.bitwise_or.reduceat((128 >> (value % 8)).astype(np.uint8), first)
    return packed.reshape(sets, width)


def fill_from_sets(target: np.ndarray, column: Column, places: np.ndarray) -> None:
    """Assign values that no published row has to the one set that holds them, if there is just one."""
    sets = column.sets
    for code in np.flatnonzero(target < 0):
        holding = np.flatnonzero(sets.contains(int(places[code])))
        if len(holding) > 1:  # a suppressed cell holds everything
            holding = holding[sets.sizes[holding] < column.attribute.size]
        if len(holding) == 1:
            target[code] = holding[0]


def what_sets_say(sets: ValueSets, count_missing: bool = False) -> np.ndarray:
    """The weights of the values in each set: equal, and 1 in total (sets × values)."""
    masks = sets.as_masks().astype(np.float64)
    if sets.attribute.missing and not count_missing:
        masks[:, sets.attribute.missing_code] = 0.0
    return masks / np.maximum(masks.sum(axis=1, keepdims=True), 1.0)
