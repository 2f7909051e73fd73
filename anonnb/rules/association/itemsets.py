"""Frequent itemsets by vertical bitsets (Zaki 2000, Eclat), as arrays, from which ``association`` makes its frames.

An item is a value of an attribute; the rows that have it are a bitset, and an itemset's rows are the AND of its items'.
Itemsets with a common prefix are joined in batches, so that numpy does the work and memory stays bounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.core.arrays import group_ids
from anonnb.core.errors import Infeasible
from anonnb.core.progress import ticks
from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note
from anonnb.steps.states import Graph
from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import HIDDEN_LABELS
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column
from anonnb.tables.value_sets.spans import EN_DASH

MAX_NODES = 60  # of a picture; more itemsets are listed
_CHUNK = 1 << 21  # 64-bit words that one batch of intersections may hold (16 MB)


class Item(NamedTuple):
    """A value (or, in a release, a set of values) of an attribute.

    >>> Item("sex", "Male")
    sex=Male
    """

    attribute: str
    value: str

    def __repr__(self) -> str:
        return f"{self.attribute}={self.value}"

    def __str__(self) -> str:
        return repr(self)


@dataclass(frozen=True, eq=False)
class Itemsets:
    """Frequent itemsets as arrays: ``levels[s]`` holds item numbers (n × s), ``counts[s]`` their rows; 0 is {}.

    ``bits`` are the rows of each item, 64 to a word. ``failed`` holds, on request, the pairs and larger sets that were
    tried and found too rare, with their counts. An itemset's number counts through all levels, {} being 0.
    """

    rows: int
    items: list[Item]
    bits: np.ndarray
    levels: list[np.ndarray]
    counts: list[np.ndarray]
    failed: list[tuple[np.ndarray, np.ndarray]]

    @cached_property
    def starts(self) -> np.ndarray:
        """The number of the first itemset of each size."""
        return np.cumsum([0, *map(len, self.levels)])

    @cached_property
    def all_counts(self) -> np.ndarray:
        """The rows of each itemset, by its number."""
        return np.concatenate(self.counts)

    @cached_property
    def _shorter(self) -> np.ndarray:
        """The number of each itemset without its first item, its second, …: itemsets × the largest size."""
        result = np.zeros((self.starts[-1], len(self.levels) - 1), dtype=np.int64)
        for size in range(1, len(self.levels)):
            for gone in range(size):
                position = self.place_in(np.delete(self.levels[size], gone, axis=1))
                result[self.starts[size] : self.starts[size + 1], gone] = self.starts[size - 1] + position
        return result

    def without(self, numbers: np.ndarray, mask: int) -> np.ndarray:
        """Return the numbers of itemsets of one size without the items at the places that a bit mask gives."""
        for bit in reversed(range(mask.bit_length())):  # the last ones first: the places of the others stay
            if mask >> bit & 1:
                numbers = self._shorter[numbers, bit]
        return numbers

    def frozensets(self) -> np.ndarray:
        """Return the items of each itemset as people see them, by its number."""
        sets = np.empty(self.starts[-1], dtype=object)
        sets[:] = [frozenset([self.items[item] for item in row]) for level in self.levels for row in level.tolist()]
        return sets

    def border(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the minimal itemsets of two or more items that are not frequent: every proper subset is."""
        minimal = []
        for sets, count in self.failed:
            size = sets.shape[1]
            known = len(self.levels[size - 1])
            parts = [self.place_in(np.delete(sets, gone, axis=1)) for gone in range(size)]
            good = np.all([part < known for part in parts], axis=0)
            minimal.append((sets[good], count[good]))
        return minimal

    def place_in(self, columns: np.ndarray) -> np.ndarray:
        """Return the position of each itemset (rows of item numbers, ascending) in the level of its size.

        An itemset that is not frequent has a position past the level's end.
        """
        size = columns.shape[1]
        if size == 0:
            return np.zeros(len(columns), dtype=np.int64)
        known = self.levels[size]
        both = np.concatenate([known, columns])
        # known rows are distinct, so numbering by first appearance gives each its own position
        return group_ids(list(both.T), [len(self.items)] * size)[0][len(known) :]


def mine(
    data: Table | Release,
    min_support: float | Fraction = 0.5,
    *,
    min_count: int | None = None,
    bins: int | None = None,
    max_len: int | None = None,
    keep_failed: bool = False,
    most: int | None = None,
) -> Itemsets:
    """Return the frequent itemsets as arrays, each level in the order of the items' positions.

    Parameters
    ----------
    keep_failed:
        Also keep the sets that were tried and found too rare.
    most:
        The most itemsets: their number may double with every column.

    Raises
    ------
    ValueError
        If ``bins`` or ``max_len`` is below 1.
    Infeasible
        If there are more than ``most`` itemsets.

    Examples
    --------
    >>> from anonnb import load
    >>> found = mine(load("decision6"), 0.5)
    >>> found.rows, [len(level) for level in found.levels]
    (6, [1, 3, 3, 1])
    """
    release = as_release(data)
    minimum = least_count(len(release), min_support, min_count)
    if bins is not None and (isinstance(bins, bool) or not isinstance(bins, int | np.integer) or bins < 1):
        raise ValueError(f"bins must be a whole number of at least 1, not {bins!r}")
    if max_len is not None and max_len < 1:
        raise ValueError(f"max_len must be at least 1, not {max_len!r}")
    items, bits, counts = frequent_items(release, minimum, bins)
    blocks = [(np.zeros((1, 0), dtype=np.int32), np.array([len(release)]))]
    singles = np.arange(len(items), dtype=np.int32)[:, None]
    blocks.append((singles, counts))
    owner = np.unique([item.attribute for item in items], return_inverse=True)[1] if items else np.zeros(0, int)
    longest = max_len or len(release.columns)
    failed: list[tuple[np.ndarray, np.ndarray]] = []
    many = len(items)
    record = _MiningRecord(items, minimum) if listening() else None
    if record:
        record.items(singles, counts)
    for sets, count, keep in ticks(_extended(singles, bits, owner, minimum, longest), "itemsets"):
        if record:
            record.joined(sets, count, keep)
        blocks.append((sets[keep], count[keep]))
        many += len(blocks[-1][0])
        if most is not None and many > most:
            raise Infeasible(
                f"more than {most:,} itemsets are frequent, too many to go on; raise min_support, "
                "or leave columns out: table.select([…])"
            )
        if keep_failed and not keep.all():
            failed.append((sets[~keep], count[~keep]))
    return Itemsets(len(release), items, bits, *_by_level(blocks), failed)


def as_fraction(value: float | Fraction, name: str, *, zero: bool = False) -> Fraction:
    """Return a threshold as an exact decimal: 0.1 is one tenth, not the nearest binary number.

    >>> as_fraction(0.1, "min_support")
    Fraction(1, 10)
    """
    if isinstance(value, bool) or not isinstance(value, int | float | np.number | Fraction):
        raise TypeError(f"{name} must be a number between 0 and 1, not {value!r}")
    if not (0 <= value <= 1) or (value == 0 and not zero):
        raise ValueError(f"{name} must be {'at least' if zero else 'above'} 0 and at most 1, not {value!r}")
    return value if isinstance(value, Fraction) else Fraction(str(value))


def least_count(rows: int, min_support: float | Fraction, min_count: int | None = None) -> int:
    """Return the least number of rows that reaches the support, at least 1."""
    if min_count is None:
        return max(math.ceil(as_fraction(min_support, "min_support") * rows), 1)
    if isinstance(min_count, bool) or not isinstance(min_count, int | np.integer) or min_count < 1:
        raise ValueError(f"min_count must be a whole number of at least 1, not {min_count!r}")
    return int(min_count)


def needed_count(left: int | np.ndarray, confidence: Fraction) -> np.ndarray:
    """The least count of AB for each count of A: ⌈confidence · f(A)⌉, in Python's integers, which never overflow."""
    values, inverse = np.unique(left, return_inverse=True)
    needed = [math.ceil(confidence * value) for value in values.tolist()]
    return np.array(needed, dtype=np.int64)[inverse].reshape(np.shape(left))


def frequent_items(release: Release, least: int, bins: int | None) -> tuple[list[Item], np.ndarray, np.ndarray]:
    """Return the items with enough rows, their bitsets and counts, by position of attribute and value."""
    items, bits, counts = [], [], []
    for name, column in release.columns.items():
        labels, index = item_index(column, bins)
        count = np.bincount(index[index >= 0], minlength=len(labels))
        for number in np.flatnonzero(count >= least):
            items.append(Item(name, labels[number]))
            bits.append(np.packbits(index == number))
            counts.append(count[number])
    width = -(-len(release) // 64)
    packed = np.zeros((len(items), width * 8), dtype=np.uint8)
    for position, row in enumerate(bits):
        packed[position, : len(row)] = row
    return items, packed.view(np.uint64), np.array(counts, dtype=np.int64)


def item_index(column: Column, bins: int | None = None) -> tuple[list[str], np.ndarray]:
    """Return the items of a column, and the item of every row.

    Returns
    -------
    tuple of list and numpy.ndarray
        The labels of the items, and the number of each row's item; -1 for a suppressed cell, which is not an item.

    Examples
    --------
    >>> from anonnb import Release, load
    >>> item_index(Release.of(load("decision6")).columns["sex"])
    (['female', 'male'], array([1, 1, 0, 0, 1, 1]))
    """
    sets, attribute = column.sets, column.attribute
    labels = list(sets.labels)
    if bins is not None and attribute.kind == "numeric" and len(attribute.domain) > bins:
        cell = _bin_of_code(attribute, bins)
        whole = (cell[sets.lo] == cell[sets.hi]) & (sets.mask_row < 0)
        names = _bin_labels(attribute, cell)
        for number, bin_number in zip(np.flatnonzero(whole).tolist(), cell[sets.lo[whole]].tolist(), strict=True):
            labels[number] = names[bin_number]  # a set inside one bin becomes the bin
    number_of = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    numbers = np.array([number_of[label] for label in labels], dtype=np.int64)
    hidden = (sets.sizes == attribute.size) & (attribute.size > 1)
    hidden |= np.array([label in HIDDEN_LABELS for label in labels], dtype=bool)
    return list(number_of), np.where(hidden, -1, numbers)[column.index]


def _bin_of_code(attribute: Attribute, bins: int) -> np.ndarray:
    """Return the bin of each code: equal widths over the domain, the upper end inside; a missing value has its own."""
    numbers = attribute.numbers[: len(attribute.domain)]
    edges = np.linspace(numbers[0], numbers[-1], bins + 1)[1:-1]
    return np.append(np.searchsorted(edges, numbers, side="left"), [bins] * attribute.missing).astype(np.int64)


def _bin_labels(attribute: Attribute, cell: np.ndarray) -> dict[int, str]:
    """Return the label of each bin that has a code: its first value and its last; ``cell`` is the bin of each code."""
    numbers, first = np.unique(cell, return_index=True)
    last = np.append(first[1:], len(cell)) - 1  # codes follow the values, so a bin is a run of them
    ends = zip(numbers.tolist(), first.tolist(), last.tolist(), strict=True)
    labels = [(number, attribute.labels[low], attribute.labels[high]) for number, low, high in ends]
    return {number: low if low == high else f"[{low}{EN_DASH}{high}]" for number, low, high in labels}


def _extended(
    sets: np.ndarray, bits: np.ndarray, owner: np.ndarray, minimum: int, longest: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Candidates of two and more items, batch by batch: (sets, counts, whether frequent).

    Frequent itemsets with a common prefix are joined pairwise. A batch holds all joins of some first partners, so that
    larger sets need nothing from other batches, and at most about ``_CHUNK`` words, so that memory stays bounded.
    """
    stack = [(sets, bits)]
    while stack:
        sets, bits = stack.pop()
        if len(sets) < 2 or sets.shape[1] >= longest:
            continue
        for first, second in _partners(sets, owner, max(_CHUNK // max(bits.shape[1], 1), 1)):
            both = bits[first]
            both &= bits[second]
            count = np.bitwise_count(both).sum(axis=1, dtype=np.int64)
            keep = count >= minimum
            grown = np.column_stack([sets[first], sets[second, -1]])
            yield grown, count, keep
            if keep.any():
                stack.append((grown[keep], both[keep]))


def _partners(sets: np.ndarray, owner: np.ndarray, limit: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of itemsets that differ in their last item and its attribute only, in batches of about ``most``."""
    n = len(sets)
    new_class = np.ones(n, dtype=bool)
    new_class[1:] = (sets[1:, :-1] != sets[:-1, :-1]).any(axis=1)
    starts = np.append(np.flatnonzero(new_class), n)
    end = np.repeat(starts[1:], np.diff(starts))
    partners = end - np.arange(n) - 1
    ahead = np.concatenate([[0], np.cumsum(partners)])
    begin = 0
    while begin < n:
        stop = max(int(np.searchsorted(ahead, ahead[begin] + limit, side="right")) - 1, begin + 1)
        first = np.repeat(np.arange(begin, stop), partners[begin:stop])
        second = np.arange(len(first)) - (ahead[first] - ahead[begin]) + first + 1
        other = owner[sets[first, -1]] != owner[sets[second, -1]]
        if other.any():
            yield first[other], second[other]
        begin = stop


def _by_level(blocks: list[tuple[np.ndarray, np.ndarray]]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    levels, counts = [], []
    for size in range(max(sets.shape[1] for sets, _ in blocks if len(sets)) + 1):
        parts = [(sets, count) for sets, count in blocks if sets.shape[1] == size]
        sets, count = np.concatenate([s for s, _ in parts]), np.concatenate([c for _, c in parts])
        order = np.lexsort(sets.T[::-1]) if size else np.arange(len(sets))
        levels.append(sets[order])
        counts.append(count[order])
    return levels, counts


# ---- the steps ------------------------------------------------------------------------------------------------------


class _MiningRecord:
    """Remembers the itemsets that were tried, and notes every batch of them."""

    def __init__(self, items: Sequence[object], least: int):
        self._items, self._least = items, least
        self._tried: dict[tuple[int, ...], tuple[int, bool]] = {}

    def items(self, singles: np.ndarray, counts: np.ndarray) -> None:
        """Note the frequent items."""
        self._add(singles, counts, np.ones(len(singles), dtype=bool))
        sentence = (
            f"{pluralize(len(singles), 'item')} occur{'s' * (len(singles) == 1)} in at least "
            f"{pluralize(self._least, 'row')}. No set with a rarer item can be frequent."
        )
        note("Frequent items", sentence, self._state, *self._ranked(singles))

    def joined(self, sets: np.ndarray, counts: np.ndarray, keep: np.ndarray) -> None:
        """Note a batch of itemsets, each joined from two frequent ones that differ in their last item."""
        self._add(sets, counts, keep)
        joined, least = pluralize(len(sets), "set"), pluralize(self._least, "row")
        sentence = (
            f"Join frequent sets that differ only in their last item. This gives {joined}; {keep.sum():,} of them "
        )
        sentence += f"occur{'s' * int(keep.sum() == 1)} in at least {least} and may grow, the others are refused"
        if keep.all():
            which = "which occurs" if len(sets) == 1 else "and each occurs"
            sentence = sentence.partition("; ")[0] + f", {which} in at least {least}"
        note(f"Sets of {sets.shape[1]} items", f"{sentence}.", self._state, *self._ranked(sets))

    def _add(self, sets: np.ndarray, counts: np.ndarray, keep: np.ndarray) -> None:
        for row, count, kept in zip(sets.tolist(), counts.tolist(), keep.tolist(), strict=True):
            self._tried[tuple(row)] = count, kept

    def _name(self, row: tuple[int, ...]) -> str:
        return ", ".join(str(self._items[item]) for item in row) or "{}"

    def _ranked(self, sets: np.ndarray) -> tuple[pd.DataFrame, list[str]]:
        """The sets of a batch with their counts, the most frequent first, and the names of those that are kept."""
        rows = sorted(map(tuple, sets.tolist()), key=lambda row: -self._tried[row][0])
        names = pd.Index([self._name(row) for row in rows], name="itemset")
        frame = pd.DataFrame({"rows": [self._tried[row][0] for row in rows]}, index=names)
        return frame, [name for name, row in zip(names, rows, strict=True) if self._tried[row][1]]

    def _state(self) -> Graph | pd.DataFrame:
        """Return the lattice of the sets so far if it is small; otherwise the frequent ones as a frame."""
        if len(self._tried) > MAX_NODES:
            kept = [(self._name(row), count) for row, (count, frequent) in self._tried.items() if frequent]
            return pd.DataFrame(kept, columns=["itemset", "rows"])
        nodes = {row: (len(row) - 1, "kept" if frequent else "pruned") for row, (_, frequent) in self._tried.items()}
        texts = {row: f"{self._name(row)}\n{pluralize(count, 'row')}" for row, (count, _) in self._tried.items()}
        parts = [(row[:gone] + row[gone + 1 :], row) for row in nodes for gone in range(len(row))]
        return Graph.of(nodes, [edge for edge in parts if edge[0] in nodes], texts=texts, down=False)
