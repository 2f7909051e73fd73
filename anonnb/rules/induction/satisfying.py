"""Which rows satisfy which conditions: conditions as ranges of codes of a table, and their rows as bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anonnb.rules.induction.rule import Condition
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table


class CodeRanges:
    """Conditions as ranges ``low .. high`` of a table's codes, or as flags where the codes have gaps.

    ``owner`` numbers the attribute of each condition among ``names``; where ``mask_at`` is not negative, the flags of a
    condition begin there in ``masks``.

    >>> from anonnb import load
    >>> table = load("decision6")
    >>> ranges = CodeRanges([Condition("sex", values=("male",)), Condition("domicile", values=("Tokyo",))], table)
    >>> ranges.names, ranges.low.tolist() == ranges.high.tolist(), ranges.mask_at.tolist()
    (['sex', 'domicile'], True, [-1, -1])
    >>> np.unpackbits(ranges.rows_as_bits(), axis=1, count=len(table)).sum(axis=1).tolist()
    [4, 2]
    >>> ranges.mask(0).tolist() == [label == "male" for label in table.attributes["sex"].labels]
    True
    """

    def __init__(self, conditions: Sequence[Condition], table: Table):
        self.conditions = conditions
        self.names = list(dict.fromkeys(part.attribute for part in conditions))
        absent = [name for name in self.names if name not in table.columns]
        if absent:
            raise KeyError(f"the rules ask for a column {absent[0]!r}, which the table does not have")
        self._table, self._flags = table, 0
        self._masks: list[np.ndarray] = []
        self._code_of: dict[str, dict] = {}
        self.owner = np.array([self.names.index(part.attribute) for part in conditions], dtype=np.int64)
        ranges = [self._range(part) for part in conditions]
        self.low, self.high, self.mask_at = np.array(ranges, dtype=np.int64).reshape(-1, 3).T
        self.masks = np.concatenate([*self._masks, np.zeros(1, dtype=bool)])

    def mask(self, number: int) -> np.ndarray:
        """Return which codes of its attribute a condition allows."""
        size, at = self._table.attributes[self.names[self.owner[number]]].size, self.mask_at[number]
        if at >= 0:
            return self.masks[at : at + size].copy()
        codes = np.arange(size)
        return (codes >= self.low[number]) & (codes <= self.high[number])

    def rows_as_bits(self) -> np.ndarray:
        """Return the rows of the table that satisfy each condition, as ``np.packbits`` has them."""
        result = np.zeros((len(self.owner), -(-len(self._table) // 8)), dtype=np.uint8)
        for index, (owner, low, high, at) in enumerate(
            zip(self.owner, self.low.tolist(), self.high.tolist(), self.mask_at.tolist(), strict=True)
        ):
            codes = self._table.codes(self.names[owner])
            if at >= 0:
                result[index] = np.packbits(self.masks[at:][codes])
            else:
                result[index] = np.packbits(codes == low if low == high else (codes >= low) & (codes <= high))
        return result

    def _range(self, condition: Condition) -> tuple[int, int, int]:
        """Return the first and the last code, and where the flags begin (-1: nowhere)."""
        attribute = self._table.attributes[condition.attribute]
        if condition.values is not None:
            return self._range_of_values(condition, attribute)
        low, high = 0, len(attribute.domain) - 1
        if condition.lower is None and condition.upper is None:
            return low, high, -1
        if attribute.kind != "numeric":
            raise ValueError(
                f"the rules compare column {attribute.name!r} with numbers, but it is {attribute.kind}; "
                "declare it numeric with kinds="
            )
        if condition.lower is not None:
            low = _position(attribute, condition.lower, "left")
        if condition.upper is not None:
            high = _position(attribute, condition.upper, "right") - 1
        return low, high, -1

    def _range_of_values(self, condition: Condition, attribute: Attribute) -> tuple[int, int, int]:
        codes = self._codes_of(attribute)
        held = sorted({codes[value] for value in condition.values or () if value in codes})
        if not held:
            return 1, 0, -1
        if held[-1] - held[0] + 1 == len(held):
            return held[0], held[-1], -1
        mask = np.zeros(attribute.size, dtype=bool)
        mask[held] = True
        self._masks.append(mask)
        self._flags += len(mask)
        return held[0], held[-1], self._flags - len(mask)

    def _codes_of(self, attribute: Attribute) -> dict:
        if attribute.name not in self._code_of:
            codes = {value: code for code, value in enumerate(attribute.domain.tolist())}
            self._code_of[attribute.name] = codes | ({None: attribute.missing_code} if attribute.missing else {})
        return self._code_of[attribute.name]


def _position(attribute: Attribute, bound: Any, side: str) -> int:
    """Return where a bound lies among the values of an attribute."""
    searchable = attribute.is_number and isinstance(bound, float)
    values = attribute.numbers if searchable else attribute.domain  # the numbers are searched faster
    try:
        return int(np.searchsorted(values, bound, "left" if side == "left" else "right"))
    except TypeError as error:
        raise TypeError(
            f"the rules compare column {attribute.name!r} with {bound!r}, but it holds {attribute.domain.dtype}; "
            "take rules that were made of such a table"
        ) from error
