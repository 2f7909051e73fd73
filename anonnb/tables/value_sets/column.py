"""Released columns: cells that are sets of possible values, from a single value to the whole domain.

Each distinct set is stored once, in a dictionary of value sets; a cell is a number into it, so each cell costs one
integer. A column is made of codes, of groups of rows, of intervals, of flags or of a level of a hierarchy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anonnb.core.arrays import distinct_rows, first_places, group_ids, group_min_max, group_pairs
from anonnb.core.readonly import ReadOnly, frozen
from anonnb.tables.attribute import Attribute, shorten
from anonnb.tables.labels import HIDDEN_CELL
from anonnb.tables.value_sets.sets import ValueSets


class Column(ReadOnly):
    """One released column: a dictionary of value sets and, for every row, the number of its set.

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

    sets: ValueSets
    index: np.ndarray

    def __init__(self, sets: ValueSets, index: np.ndarray):
        vars(self).update(sets=sets, index=frozen(np.asarray(index, dtype=np.int32)))

    # ---- ways to make one -------------------------------------------------------------------------------------

    @classmethod
    def original(cls, attribute: Attribute, codes: np.ndarray) -> Column:
        """Return a column in which every cell holds its own value."""
        return cls(ValueSets.singletons(attribute), codes)

    @classmethod
    def suppressed(cls, attribute: Attribute, rows: int) -> Column:
        """Return a column in which every cell is the whole domain."""
        return cls(ValueSets.whole(attribute), np.zeros(rows, dtype=np.int32))

    @classmethod
    def from_spans(cls, attribute: Attribute, lo: np.ndarray, hi: np.ndarray) -> Column:
        """Return a column of intervals of codes, given the first and the last code of each row."""
        lo, hi = np.asarray(lo), np.asarray(hi)
        index, count = group_ids([lo, hi], [attribute.size, attribute.size])
        first = first_places(index, count)
        return cls(ValueSets(attribute, lo[first], hi[first]), index)

    @classmethod
    def from_masks(cls, attribute: Attribute, masks: np.ndarray) -> Column:
        """Return a column of sets, given for each row a flag per value of the domain."""
        masks = np.asarray(masks, dtype=bool).reshape(-1, attribute.size)
        first, index = distinct_rows(np.packbits(masks, axis=1))
        return cls(ValueSets.from_masks(attribute, masks[first]), index)

    @classmethod
    def of_groups(
        cls, attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int, spans: bool | None = None
    ) -> Column:
        """Generalize each group to its interval (ordinal, numeric) or to the set of its values (nominal).

        Parameters
        ----------
        spans:
            True for intervals of codes for a nominal attribute too, as for boxes in the order of a hierarchy.
        """
        return cls.per_group(attribute, codes, groups, n_groups, spans).take(groups)

    @classmethod
    def per_group(
        cls, attribute: Attribute, codes: np.ndarray, groups: np.ndarray, n_groups: int, spans: bool | None = None
    ) -> Column:
        """Return the same as :meth:`of_groups` with one cell per group instead of one per row."""
        if spans is None:
            spans = attribute.kind != "nominal"
        if spans:
            return cls.from_spans(attribute, *group_min_max(codes, groups, n_groups))
        owner, value, _ = group_pairs(codes, attribute.size, groups)
        lo, hi = group_min_max(value, owner, n_groups)
        # only sets with gaps need bits; the others are runs already
        gappy = hi - lo + 1 != np.bincount(owner, minlength=n_groups)
        position = np.cumsum(gappy) - 1
        owner, value = position[owner[gappy[owner]]], value[gappy[owner]]
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
        """Return a column in which every cell is replaced by its label on a level of the hierarchy."""
        if level == 0:
            return cls.original(attribute, codes)
        levels = attribute.levels
        sets = ValueSets.from_partition(attribute, levels.maps[level], levels.labels[level])
        return cls(sets, levels.maps[level][codes])

    def with_suppressed(self, rows: np.ndarray) -> Column:
        """Return the same column with some cells, given by numbers or a mask, replaced by the whole domain."""
        sets, size = self.sets, self.sets.attribute.size
        index = self.index.copy()
        # a whole domain that is there already (a hierarchy's top) is the same set; a column's only value is not
        whole = np.flatnonzero((sets.sizes == size) & (size > 1))
        if len(whole):
            index[rows] = whole[0]
            return Column(sets, index)
        index[rows] = len(sets)
        labels = [*sets.labels, HIDDEN_CELL] if sets.has_own_labels or size <= 1 else None
        mask_row = np.append(sets.mask_row, np.int32(-1))
        grown = ValueSets(
            sets.attribute, np.append(sets.lo, 0), np.append(sets.hi, size - 1), sets.masks, mask_row, labels
        )
        return Column(grown, index)

    def take(self, rows: np.ndarray) -> Column:
        """Return some of the rows, with the same dictionary."""
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
        """Return which rows can have the value with a code."""
        return self.sets.contains(code)[self.index]

    def holds(self, codes: np.ndarray) -> np.ndarray:
        """Return whether the set of each row holds that row's code; -1, outside the domain, is never held."""
        lo, hi, row = self.sets.lo[self.index], self.sets.hi[self.index], self.sets.mask_row[self.index]
        codes = np.asarray(codes)
        inside = (lo <= codes) & (codes <= hi)
        gaps = np.flatnonzero(inside & (row >= 0))
        inside[gaps] = self.sets.masks[row[gaps], codes[gaps]]
        return inside

    def is_exact(self) -> bool:
        """Return whether every cell is a single value shown as itself."""
        used = np.bincount(self.index, minlength=len(self.sets)) > 0
        if (self.sets.sizes[used] > 1).any():
            return False
        if not self.sets.has_own_labels:
            return True
        names = self.attribute.labels
        return all(self.sets.labels[number] == names[self.sets.lo[number]] for number in np.flatnonzero(used))

    def expected_counts(self) -> np.ndarray:
        """Return how many cells are expected to have each value, if all values of a cell are equally likely."""
        sets = self.sets
        weights = np.bincount(self.index, minlength=len(sets)) / np.maximum(sets.sizes, 1)
        plain, edges = sets.mask_row < 0, np.zeros(self.attribute.size + 1)
        np.add.at(edges, sets.lo[plain], weights[plain])
        np.add.at(edges, sets.hi[plain] + 1, -weights[plain])
        gaps = weights[~plain] @ sets.masks[sets.mask_row[~plain]]
        return np.maximum(np.cumsum(edges[:-1]).round(9), 0.0) + gaps

    def texts(self) -> np.ndarray:
        """Return the label of every cell."""
        return np.array(self.sets.labels, dtype=object)[self.index]


def set_of_each_code(column: Column, codes: np.ndarray, attribute: Attribute) -> np.ndarray:
    """Return the number of the set that each code of the original attribute has in the released column.

    A value that no published row has gets the one set that holds it; -1 if none or several do.

    >>> import pandas as pd
    >>> from anonnb import Table
    >>> table = Table(pd.DataFrame({"age": [30, 35, 50]}))
    >>> age, codes = table.attributes["age"], table.codes("age")
    >>> set_of_each_code(Column.of_groups(age, codes, np.array([0, 0, 1]), 2), codes, age).tolist()
    [0, 0, 1]
    """
    set_of_code = np.full(attribute.size, -1, dtype=np.int64)
    set_of_code[codes] = column.index
    if (set_of_code[codes] != column.index).any():
        raise ValueError(
            f"column {attribute.name!r} was not recoded the same way everywhere, so there is no recoding to repeat; "
            "use a method that recodes globally"
        )
    sets, released = column.sets, attribute.recode_to(column.attribute)
    for code in np.flatnonzero(set_of_code < 0):
        holding = np.flatnonzero(sets.contains(int(released[code])))
        if len(holding) > 1:  # a suppressed cell holds everything
            holding = holding[sets.sizes[holding] < column.attribute.size]
        if len(holding) == 1:
            set_of_code[code] = holding[0]
    return set_of_code


def _packed(owner: np.ndarray, value: np.ndarray, sets: int, size: int) -> np.ndarray:
    """Return sets as rows of packed bits, from sorted pairs of a set's number and a value in it."""
    width = (size + 7) // 8
    packed, byte = np.zeros(sets * width, dtype=np.uint8), owner * width + value // 8
    if len(byte):
        first = np.flatnonzero(np.diff(byte, prepend=-1))
        packed[byte[first]] = np.bitwise_or.reduceat((128 >> (value % 8)).astype(np.uint8), first)
    return packed.reshape(sets, width)


def recoded(table: Any, attribute: Attribute, number_of_code: np.ndarray) -> np.ndarray:
    """Return the column of that name in another table, each value replaced by its number in ``number_of_code``."""
    name = attribute.name
    if name not in table.attributes:
        raise KeyError(f"the table lacks the quasi-identifier column {name!r} of the release")
    codes = table.attributes[name].recode_to(attribute)
    index = np.where(codes >= 0, np.append(number_of_code, -1)[codes], -1)[table.codes(name)]
    if (index < 0).any():
        value = table.attributes[name].labels[table.codes(name)[int(np.argmax(index < 0))]]
        raise ValueError(
            f"column {name!r}: the value {shorten(value)!r} did not occur when the release was made; "
            "anonymize both tables together"
        )
    return index
