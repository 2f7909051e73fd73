"""Itemsets and trees as counts of cells, and the patterns of people that somebody could ask about.

Itemsets: a cell is a value, or none of the known ones, of every attribute; a pattern says of each attribute that people
have a value or lack some. Where that is too much, attributes are taken together as published itemsets join them, which
is sound: a table that fits everything fits a part. Trees: a cell is a leaf, a pattern a node or what shown nodes leave.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.attacks.reconstruction.count_boxes import KnownCounts
from anonnb.rules.association.channels import Channel, Supports
from anonnb.rules.association.deductions import Completed, single_bits
from anonnb.trees.disclosure import Disclosure, below, frontier, parts_and_rows

MOST_CELLS, MOST_PATTERNS = 256, 3_000
Said = tuple[int, int]  # what a pattern says of an attribute: items it has, items it lacks (as bits)


class Question(NamedTuple):
    """Published counts of some cells, the patterns to ask about (patterns × cells), and what each is about."""

    known: KnownCounts
    patterns: np.ndarray
    about: Sequence


# ---- itemsets ---------------------------------------------------------------------------------------------------


class ItemCells:
    """The questions about published itemsets; ``too_large`` counts sets of attributes with too many cells."""

    def __init__(self, supports: Supports, exclusive: bool = True):
        self._supports, self.too_large = supports, 0
        self._family = Completed(supports, exclusive, deduce=False).family

    def questions(self, further: Sequence[Channel] = ()) -> Iterator[Question]:
        """All patterns over each set of attributes, and those of ``further`` that are about these attributes."""
        also = [(self._supports.bits_of(channel.whole), channel) for channel in further]
        for families in self._windows():
            if prod(family.bit_count() + 1 for family in families) > MOST_CELLS:
                self.too_large += 1
                continue
            whole = sum(families)
            yield self._question(families, [channel for bits, channel in also if bits & ~whole == 0])

    def _windows(self) -> list[tuple[int, ...]]:
        """All attributes together if they are few; else those of each published itemset that no other one contains."""
        every = tuple(sorted(set(self._family.values())))
        cells = prod(family.bit_count() + 1 for family in every)
        if cells <= MOST_CELLS and prod(len(_choices(family)) for family in every) <= MOST_PATTERNS:
            return [every]
        joined = {frozenset(self._family[bit] for bit in single_bits(bits)) for bits in self._supports.counts}
        return sorted(tuple(sorted(some)) for some in joined if not any(some < other for other in joined))

    def _question(self, families: tuple[int, ...], extra: Sequence[Channel]) -> Question:
        whole = sum(families)
        cells = np.array(
            [sum(chosen) for chosen in product(*((0, *single_bits(family)) for family in families))], dtype=object
        )
        published = [(bits, count) for bits, count in self._supports.counts.items() if bits & whole == bits]
        inside = [cells & bits == bits for bits, _ in published]
        known = KnownCounts(
            np.array(inside, dtype=np.int64).reshape(-1, len(cells)),
            np.array([count for _, count in published], dtype=np.int64),
            np.zeros(len(cells), dtype=np.int64),
        )
        said = _patterns(families)
        rows = [(cells & having == having) & (cells & lacking == 0) for having, lacking in said]
        set_of = self._supports.set_of
        about = [Channel(set_of(having), set_of(lacking), 0) for having, lacking in said]
        sets = [set_of(cell) for cell in cells] if extra else []
        rows += [np.array([each.blocked_by(having) for having in sets]) for each in extra]
        return Question(known, np.array(rows, dtype=np.int64).reshape(-1, len(cells)), [*about, *extra])


def _patterns(families: tuple[int, ...]) -> list[Said]:
    """Everything a pattern may say of these attributes; simpler ones where they would be too many."""
    choices = [_choices(family) for family in families]
    if prod(map(len, choices)) > MOST_PATTERNS:
        choices = [_simple_choices(family) for family in families]
    return [(sum(having for having, _ in parts), sum(lacking for _, lacking in parts)) for parts in product(*choices)]


def _choices(family: int) -> list[Said]:
    """Has one of the values, or lacks any of them (none: nothing is said)."""
    values = list(single_bits(family))
    if len(values) > 12:
        return [(0, 0)] * (MOST_PATTERNS + 1)  # more than anybody asks about
    lacking = [sum(some) for some in product(*((0, value) for value in values))]
    return [*((0, some) for some in lacking), *((value, 0) for value in values)]


def _simple_choices(family: int) -> list[Said]:
    """Nothing, one of the values, not one of the values, none of the values."""
    values = list(single_bits(family))
    lacking = dict.fromkeys([0, *values, family])
    return [*((0, some) for some in lacking), *((value, 0) for value in values)]


# ---- trees ------------------------------------------------------------------------------------------------------


def tree_question(frame: pd.DataFrame, public: set[str]) -> Question:
    """The question about a published tree: shown counts of its nodes; a branch is drawn only where somebody is."""
    parts, rows = parts_and_rows(frame, public)
    reached = below(parts, -1)
    leaves = [node for node in reached if node not in parts]
    under = {node: {node, *below(parts, node)} for node in reached}

    def cells(nodes: set[int]) -> list[bool]:
        return [leaf in nodes for leaf in leaves]

    shown = [node for node in reached if rows[node] is not None]
    known = KnownCounts(
        np.array([cells(under[node]) for node in shown], dtype=np.int64).reshape(-1, len(leaves)),
        np.array([rows[node] for node in shown], dtype=np.int64),
        np.array([rows[leaf] is None for leaf in leaves], dtype=np.int64),
    )
    about = [Disclosure(node, (), 0) for node in reached]
    for node in shown:
        without = tuple(frontier(node, parts, rows)[0])
        about += [Disclosure(node, without, 0)] if without else []
    patterns = [cells(under[each.node].difference(*(under[node] for node in each.without))) for each in about]
    return Question(known, np.array(patterns, dtype=np.int64).reshape(-1, len(leaves)), about)
