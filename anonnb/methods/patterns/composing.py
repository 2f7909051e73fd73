"""The cells of patterns: what each allows of an attribute (steps (s4) to (s6) of Inuiguchi, Ichida and Torra 2019).

A pattern has the values that its rule asks for or, where that asks nothing, the values of its members: of an ordered
attribute an interval. Flags for all patterns and all values would be rows × rows where an attribute has a value per
row, so intervals stay two numbers; only patterns that join something else to them become flags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from anonnb.core.arrays import distinct_rows, first_places, group_ids, group_order
from anonnb.methods.patterns.choosing import PatternChoice
from anonnb.rules import RuleSet
from anonnb.rules.induction.rule import Condition
from anonnb.rules.induction.satisfying import CodeRanges
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column, ValueSets

_FLAGS = 20_000_000  # of patterns × values worked on at once


class PatternCells:
    """The cells of the patterns of some choices; ``matches`` says which row satisfies which rule."""

    def __init__(self, table: Table, rules: RuleSet, matches: np.ndarray, choices: Sequence[PatternChoice]):
        self.table, self.rules, self._matches = table, rules, matches
        self.rows = np.array([choice.row for choice in choices])
        self.used, self.rule = np.unique([choice.rule for choice in choices], return_inverse=True)
        self.members = np.array([choice.members for choice in choices])
        _, self.family = np.unique(self.rows, return_inverse=True)  # patterns made for the same row

    def column(self, name: str, *, widened: bool, printed: bool, open_ends: str) -> Column:
        """Return what each pattern allows of a condition attribute."""
        attribute, asked = self.table.attributes[name], self.asked(name, open_ends)
        everything = np.arange(len(self.rows))
        if attribute.kind == "nominal":
            return Column.from_masks(attribute, self.flags(name, asked, everything, widened=widened, printed=printed))
        codes = self.table.codes(name)[self.members]
        is_asked = np.array([mask is not None for mask in asked])[self.rule]
        spans = np.array([(0, 0, 0) if mask is None else _span(mask) for mask in asked])[self.rule]
        lo, hi = np.where(is_asked, spans[:, 0], codes.min(axis=1)), np.where(is_asked, spans[:, 1], codes.max(axis=1))
        owners = np.bincount(self.family, weights=is_asked)[self.family]
        joined = ~is_asked & ((widened & (owners > 0)) | (printed & (owners == 0) & (self._sizes > 1)))
        positions, gaps = [], [np.zeros((0, attribute.size), bool)]
        for block in self._families_of(joined | (is_asked & (spans[:, 2] > 0)), attribute.size):
            flags = self.flags(name, asked, block, widened=widened, printed=printed)
            lo[block], hi[block] = flags.argmax(axis=1), attribute.size - 1 - flags[:, ::-1].argmax(axis=1)
            gappy = flags.sum(axis=1) != hi[block] - lo[block] + 1
            positions.append(block[gappy])
            gaps.append(flags[gappy])
        return _encoded(attribute, lo, hi, np.concatenate([everything[:0], *positions]), np.concatenate(gaps))

    def flags(
        self, name: str, asked: Sequence[np.ndarray | None], block: np.ndarray, *, widened: bool, printed: bool
    ) -> np.ndarray:
        """Return the same for a block of whole families, as flags (patterns × values): the definition itself."""
        attribute, codes = self.table.attributes[name], self.table.codes(name)
        _, family = np.unique(self.family[block], return_inverse=True)
        masks = np.zeros((len(block), attribute.size), dtype=bool)
        masks[np.arange(len(block))[:, None], codes[self.members[block]]] = True
        if attribute.kind != "nominal":
            # the smallest run of codes that covers each row
            masks = np.logical_or.accumulate(masks, axis=1) & np.logical_or.accumulate(masks[:, ::-1], axis=1)[:, ::-1]
        rules = self.rule[block]
        is_asked = np.array([asked[rule] is not None for rule in rules])
        asks = np.zeros_like(masks)
        for index in np.flatnonzero(is_asked):
            asks[index] = asked[rules[index]]
        if printed:
            masks |= _union(masks, family) & ~_union(is_asked[:, None], family)
        if widened:
            masks |= _union(asks, family)
        return np.where(is_asked[:, None], asks, masks)

    def asked(self, name: str, open_ends: str) -> list[np.ndarray | None]:
        """Return, for each rule in use, the values it requires of an attribute, open ends closed; None if none."""
        codes, masks = self.table.codes(name), []
        whole = open_ends == "table" and self.table.attributes[name].kind == "numeric"
        for number in self.used.tolist():
            mask, part = None, self._conditions[number].get(name)
            if part is not None:
                mask = self._ranges.mask(part)
                _close(mask, self._ranges.conditions[part], codes if whole else codes[self._matches[:, number]])
            masks.append(mask)
        return masks

    @cached_property
    def _ranges(self) -> CodeRanges:
        return CodeRanges(self.rules.distinct_conditions[0], self.table)

    @cached_property
    def _conditions(self) -> list[dict[str, int]]:
        """For each rule the numbers of its conditions, by attribute."""
        _, flat, pointers = self.rules.distinct_conditions
        by_rule = np.split(flat, pointers[1:-1])
        return [
            {part.attribute: number for part, number in zip(rule.conditions, numbers.tolist(), strict=True)}
            for rule, numbers in zip(self.rules, by_rule, strict=True)
        ]

    @cached_property
    def _sizes(self) -> np.ndarray:
        """For each pattern the patterns of its row."""
        return np.bincount(self.family)[self.family]

    def _families_of(self, flags: np.ndarray, n_values: int) -> Iterator[np.ndarray]:
        """Yield blocks of patterns: whole families of flagged patterns, as many as may be worked on at once."""
        wanted = np.bincount(self.family, weights=flags)[self.family] > 0
        order, _ = group_order(self.family, int(self.family.max()) + 1)
        order = order[wanted[order]]
        while len(order):
            size = min(max(_FLAGS // n_values, 1), len(order))
            size = int(np.searchsorted(self.family[order], self.family[order[size - 1]], "right"))
            yield order[:size]
            order = order[size:]


def _encoded(attribute: Attribute, lo: np.ndarray, hi: np.ndarray, positions: np.ndarray, gaps: np.ndarray) -> Column:
    """Return a column of intervals; some cells are sets with gaps instead, given as flags."""
    first, kind = distinct_rows(np.packbits(gaps, axis=1))
    number = np.full(len(lo), -1)
    number[positions] = kind
    index, count = group_ids([lo, hi, number + 1], [attribute.size, attribute.size, len(first) + 1])
    at = first_places(index, count)
    return Column(ValueSets(attribute, lo[at], hi[at], gaps[first], number[at].astype(np.int32)), index)


def _span(mask: np.ndarray) -> tuple[int, int, bool]:
    """Return the first and the last value, and whether some value between them is missing."""
    held = np.flatnonzero(mask)
    return held[0], held[-1], len(held) != held[-1] - held[0] + 1


def _close(mask: np.ndarray, part: Condition, seen: np.ndarray) -> None:
    """Close an open end of a condition by the codes that are seen."""
    if part.lower is None and part.upper is not None:
        mask[: seen.min()] = False
    elif part.upper is None and part.lower is not None:
        mask[seen.max() + 1 :] = False


def _union(masks: np.ndarray, family: np.ndarray) -> np.ndarray:
    """Return for each row the union of the rows of its family."""
    order, starts = group_order(family, int(family.max()) + 1)
    return np.logical_or.reduceat(masks[order], starts[:-1], axis=0)[family]
