"""Inference channels in published itemsets (Atzori et al. 2005; Ciriani et al. 2008, section 4).

From the supports of all X between I and J follows f(I, J) = Σ (−1)^|X∖I| sup(X): the rows with all of I and nothing of
J∖I. A channel is a pair with 0 < f < k: it reveals fewer than k people. A zero is none, but may disclose a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.progress import ticks
from anonnb.rules.association.itemsets import Item, item_index
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table


@dataclass(frozen=True)
class Channel:
    """``count`` rows have every item of ``having`` and none of ``lacking`` (or not all, if ``whole_lacking``)."""

    having: frozenset
    lacking: frozenset
    count: int
    whole_lacking: bool = False

    @property
    def whole(self) -> frozenset:
        """J: the larger itemset of the pair."""
        return self.having | self.lacking

    def blocked_by(self, having: frozenset) -> bool:
        """Return whether people with exactly the items of ``having`` are among those it reveals."""
        missing = self.lacking - having
        return self.having <= having and (bool(missing) if self.whole_lacking else missing == self.lacking)

    def pattern(self) -> str:
        """Return the people it reveals, in words."""
        having = [str(item) for item in sorted(self.having)]
        lacking = [str(item) for item in sorted(self.lacking)]
        if self.whole_lacking and len(lacking) > 1:
            return " and ".join([*having, f"not all of {', '.join(lacking)}"])
        return " and ".join(having + [f"not {item}" for item in lacking]) or "everybody"

    def __str__(self) -> str:
        return f"{self.pattern()}: {self.count}"


class Supports:
    """Published itemsets and their counts, ready for sums over all sets between two of them.

    Sets of items are bit patterns: bit i stands for item i in :attr:`items`.

    Parameters
    ----------
    counts:
        The number of rows that have each itemset; the empty set stands for all rows.

    Examples
    --------
    >>> ab = Supports({(): 66, ("B",): 55, ("C",): 52, ("B", "C"): 43})
    >>> both = ab.bits_of(["B", "C"])
    >>> sorted(ab.set_of(both)), ab.subsets(both).tolist(), ab.differences(both).tolist()
    (['B', 'C'], [0, 1, 2, 3], [2, 12, 9, 43])
    >>> ab.without([both]).differences(both) is None
    True
    >>> from anonnb.rules import frequent_itemsets
    >>> from anonnb import load
    >>> len(Supports.of_frame(frequent_itemsets(load("decision6"), 0.5), rows=6).counts)
    8
    """

    def __init__(self, counts: Mapping[Any, int]):
        sets = {frozenset(items): int(count) for items, count in counts.items()}
        self.items = sorted({item for items in sets for item in items})
        bit_of = {item: 1 << number for number, item in enumerate(self.items)}
        self.counts = {sum(bit_of[item] for item in items): count for items, count in sets.items()}
        self._parts: dict[int, np.ndarray] = {}

    @classmethod
    def of_frame(cls, frame: pd.DataFrame, rows: int | None = None) -> Supports:
        """Supports from a frame of itemsets.

        Parameters
        ----------
        frame:
            A frame as :func:`frequent_itemsets` makes it.
        """
        counts = dict(zip(frame["itemsets"], frame["count"], strict=True))
        if rows is not None:
            counts[frozenset()] = rows
        return cls(counts)

    def bits_of(self, items: Iterable) -> int:
        """Return the bit pattern of some items."""
        return sum(self._bit[item] for item in items)

    @cached_property
    def _bit(self) -> dict[object, int]:
        return {item: 1 << number for number, item in enumerate(self.items)}

    def without(self, withheld: Iterable[int]) -> Supports:
        """Return the same supports without some itemsets."""
        fewer = Supports({})
        gone = set(withheld)
        fewer.items, fewer._parts = self.items, self._parts
        fewer.counts = {bits: count for bits, count in self.counts.items() if bits not in gone}
        return fewer

    def set_of(self, bits: int) -> frozenset:
        """Return the items of a bit pattern."""
        return frozenset(item for number, item in enumerate(self.items) if bits >> number & 1)

    def subsets(self, bits: int) -> np.ndarray:
        """Return all subsets of a bit pattern.

        Returns
        -------
        numpy.ndarray
            Bit patterns; subset number i takes the items of the bits of i.
        """
        if bits not in self._parts:
            singles = [1 << number for number in range(len(self.items)) if bits >> number & 1]
            parts = [0]
            for single in singles:
                parts += [part | single for part in parts]
            self._parts[bits] = np.array(parts, dtype=object)
        return self._parts[bits]

    def differences(self, bits: int) -> np.ndarray | None:
        """f(I, J) for one J and every I ⊆ J, in the order of :meth:`subsets`.

        Returns
        -------
        numpy.ndarray or None
            The numbers of rows, -1 where one does not follow; None if the support of J itself is unknown.
        """
        counts = [self.counts.get(part) for part in self.subsets(bits)]
        if any(count is None for count in counts):
            return self._known_differences(bits, counts)
        return _moebius(np.array(counts, dtype=np.int64))

    def positive_patterns(self) -> int:
        """Return how many patterns (I without the rest of J) have a known count above zero."""
        sums = (self.differences(bits) for bits in self.counts)
        return sum(int((patterns > 0).sum()) for patterns in sums if patterns is not None)

    def _known_differences(self, bits: int, counts: list[int | None]) -> np.ndarray | None:
        """Only intervals all of whose sets are published count; others are marked by -1 (unknown)."""
        if self.counts.get(bits) is None:
            return None
        known = np.array([count is not None for count in counts])
        sums = _moebius(np.array([count or 0 for count in counts], dtype=np.int64))
        missing = (~known).astype(np.int64)
        size = len(counts).bit_length() - 1
        for bit in range(size):
            view = missing.reshape(-1, 2, 1 << bit)
            view[:, 0] += view[:, 1]
        return np.where(missing == 0, sums, -1)


def _moebius(counts: np.ndarray) -> np.ndarray:
    """Alternating sums over all supersets, one item after the other."""
    sums = counts.copy()
    for bit in range(len(counts).bit_length() - 1):
        view = sums.reshape(-1, 2, 1 << bit)
        view[:, 0] -= view[:, 1]
    return sums


def channels(supports: Supports, k: int) -> list[Channel]:
    """Return every channel, in order of the size of J, then of its items.

    >>> ab = Supports({(): 66, ("B",): 55, ("C",): 52, ("B", "C"): 43})
    >>> [str(channel) for channel in channels(ab, 10)]
    ['C and not B: 9', 'not B and not C: 2']
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    result = []
    for whole in ticks(sorted(supports.counts, key=lambda bits: (bits.bit_count(), bits)), "itemsets"):
        sums = supports.differences(whole)
        if sums is None:
            continue
        parts = supports.subsets(whole)
        for index in np.flatnonzero((sums > 0) & (sums < k)):
            part = parts[index]
            result.append(Channel(supports.set_of(part), supports.set_of(whole & ~part), int(sums[index])))
    return sorted(result, key=reading_order)


def reading_order(channel: Channel) -> tuple:
    """Sorts by the size of J, larger I first, then by their items."""
    return len(channel.whole), -len(channel.having), sorted(channel.whole), sorted(channel.having)


def gaps(supports: Supports, k: int) -> list[Channel]:
    """Pairs of published sets whose counts differ by 1 to k − 1, where sets in between are not published.

    X and Y ⊃ X reveal the number of people who have X but not all of Y. If all sets in between are published, a
    channel reveals more, so these pairs are left out.

    >>> ab = Supports({("A",): 21, ("A", "B", "C"): 19})
    >>> [str(gap) for gap in gaps(ab, 5)]
    ['A and not all of B, C: 2']
    """
    result, counts = [], supports.counts
    for large, count in sorted(counts.items()):
        sums = supports.differences(large)
        if sums is None:
            continue
        for small, difference in zip(supports.subsets(large).tolist(), sums.tolist(), strict=True):
            left = counts.get(small, 0) - count
            if difference != -1 or not 0 < left < k:  # -1: a set in between may not be published
                continue
            if any(small | part not in counts for part in supports.subsets(large & ~small).tolist()):
                result.append(Channel(supports.set_of(small), supports.set_of(large & ~small), left, True))
    return sorted(result, key=lambda gap: (len(gap.whole), sorted(gap.whole), sorted(gap.having)))


def maximal_channels(supports: Supports, k: int) -> list[Channel]:
    """Return the channels that no other channel contains in both parts: J is a maximal itemset, I a closed one.

    >>> ab = Supports({(): 66, ("B",): 55, ("C",): 52, ("B", "C"): 43})
    >>> [str(channel) for channel in maximal_channels(ab, 10)]
    ['C and not B: 9', 'not B and not C: 2']
    """
    everything = sorted(supports.counts, key=lambda bits: -bits.bit_count())
    largest: list[int] = []
    for bits in everything:
        if not any(bits & other == bits for other in largest):
            largest.append(bits)
    counts = {}
    for whole in largest:
        sums = supports.differences(whole)
        if sums is None:
            continue
        parts = supports.subsets(whole)
        for index in np.flatnonzero((sums > 0) & (sums < k)):
            counts[int(parts[index]), int(whole & ~parts[index])] = int(sums[index])
    kept = _undominated(list(counts))
    return sorted(
        (Channel(supports.set_of(i), supports.set_of(rest), counts[i, rest]) for i, rest in kept), key=reading_order
    )


def undominated(found: Sequence[Channel]) -> list[Channel]:
    """Return the channels that no other contains in both parts; all gaps are kept."""
    names = sorted({item for channel in found for item in channel.whole})
    bit_of = {item: 1 << number for number, item in enumerate(names)}
    partial = [channel for channel in found if channel.whole_lacking]
    pairs = {
        (sum(bit_of[item] for item in channel.having), sum(bit_of[item] for item in channel.lacking)): channel
        for channel in found
        if not channel.whole_lacking
    }
    return [pairs[pair] for pair in _undominated(list(pairs))] + partial


def row_masks(data: Table | Release, items: Iterable[Item], bins: int | None = None) -> dict[Item, np.ndarray]:
    """Return for each item, the rows of a table that have it.

    >>> from anonnb import load
    >>> {str(item): int(rows.sum()) for item, rows in row_masks(load("decision6"), items("sex=male")).items()}
    {'sex=male': 4}
    """
    release = as_release(data)
    masks: dict[Item, np.ndarray] = {}
    wanted: dict[str, list[Item]] = {}
    for item in items:
        wanted.setdefault(item.attribute, []).append(item)
    for name, chosen in wanted.items():
        labels, index = item_index(release.columns[name], bins)
        number_of = {label: number for number, label in enumerate(labels)}
        masks |= {item: index == number_of.get(item.value, -2) for item in chosen}
    return masks


def matching(channel: Channel, masks: Mapping[Item, np.ndarray], rows: int) -> np.ndarray:
    """Return the rows that a channel reveals, as flags."""
    mask = np.ones(rows, dtype=bool)
    for item in channel.having:
        mask &= masks[item]
    if channel.whole_lacking:
        return mask & ~np.logical_and.reduce([masks[item] for item in channel.lacking])
    for item in channel.lacking:
        mask &= ~masks[item]
    return mask


def _undominated(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Pairs (having, lacking) that are not inside another pair, the largest first."""
    pairs = sorted(pairs, key=lambda pair: -(pair[0].bit_count() + pair[1].bit_count()))
    small = all((i | rest).bit_length() < 64 for i, rest in pairs)
    having, lacking = np.array(pairs, dtype=np.int64 if small else object).reshape(-1, 2).T
    kept = np.zeros(len(pairs), dtype=bool)
    for index, (i, rest) in enumerate(pairs):
        above = kept[:index]
        inside = (having[:index][above] & i == i) & (lacking[:index][above] & rest == rest)
        kept[index] = not inside.any()
    return [pair for pair, stays in zip(pairs, kept, strict=True) if stays]


def items(*texts: str) -> frozenset[Item]:
    """Items from texts such as ``"sex=M"``.

    >>> sorted(map(str, items("sex=M", "hours=40")))
    ['hours=40', 'sex=M']
    """
    return frozenset(Item(*word.split("=", 1)) for word in texts)
