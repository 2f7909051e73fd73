"""How many significant rules are kept, lost and new, without listing any of them.

An itemset of s items makes 2^s - 2 rules, so a release with few distinct rows may have millions. For most itemsets
there is no need to look at subsets: if even the most frequent item is a confident antecedent, every subset is.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.rules.association.itemsets import Itemsets, as_fraction, frequent_items, least_count, mine
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table

MOST_ITEMSETS = 1_000_000  # more frequent itemsets than this are not searched
_MOST_STEPS = 2_000_000_000  # nor more subsets of them
_CHUNK = 1 << 21  # words that one batch of intersections may hold


class RuleChanges(NamedTuple):
    """Numbers of rules; ``new`` is None where the release has too many itemsets to count them."""

    kept: int
    lost: int
    new: int | None


def rule_changes(
    before: Table | Release,
    after: Table | Release,
    min_support: float | Fraction = 0.5,
    min_confidence: float | Fraction = 0.5,
    *,
    bins: int | None = None,
    max_len: int | None = None,
) -> RuleChanges:
    """Return how many significant rules of one table are kept and lost in another, and how many are new there.

    The numbers agree with the statuses of :func:`~anonnb.rules.compare_rules`, but rules are counted, not listed.

    Returns
    -------
    RuleChanges
        The numbers of rules; ``new`` is None if there are too many itemsets to count.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> rule_changes(table, table, 0.3, 0.6)
    RuleChanges(kept=39, lost=0, new=0)
    """
    confidence = as_fraction(min_confidence, "min_confidence", zero=True)
    mined = partial(mine, min_support=min_support, bins=bins, max_len=max_len, most=MOST_ITEMSETS)
    first = mined(before)
    release = as_release(after)
    min_count = least_count(len(release), min_support)
    items, bits, _ = frequent_items(release, min_count, bins)
    both = [_Sample(first.items, first.bits, first.rows), _Sample(items, bits, len(release), first.items, min_count)]
    kept = _count(first, both, confidence)
    try:
        new = count_rules(mined(release), confidence) - kept
    except Infeasible:
        new = None
    return RuleChanges(kept, count_rules(first, confidence) - kept, new)


def count_rules(found: Itemsets, min_confidence: float | Fraction) -> int:
    """Return how many rules of the frequent itemsets reach a confidence."""
    confidence = as_fraction(min_confidence, "min_confidence", zero=True)
    return _count(found, [_Sample(found.items, found.bits, found.rows)], confidence)


class _Sample:
    """The rows of a table by item; ``numbers`` maps an item's number in the itemsets to its number here."""

    def __init__(self, items: list, bits: np.ndarray, rows: int, named: list | None = None, least: int = 0):
        index = {item: number for number, item in enumerate(items)}
        self.numbers = np.array([index.get(item, -1) for item in (items if named is None else named)], dtype=np.int64)
        self.bits, self.rows, self.least = bits, rows, least

    def counts(self, sets: np.ndarray) -> np.ndarray:
        """Rows with all items of each set; 0 where an item is not frequent here."""
        numbers = self.numbers[sets]
        counts = np.zeros(len(sets), dtype=np.int64)
        known = np.flatnonzero((numbers >= 0).all(axis=1))
        step = max(_CHUNK // max(self.bits.shape[1] * sets.shape[1], 1), 1)
        for start in range(0, len(known), step):
            part = known[start : start + step]
            both = np.bitwise_and.reduce(self.bits[numbers[part]], axis=1)
            counts[part] = np.bitwise_count(both).sum(axis=1, dtype=np.int64)
        return counts


def _count(itemsets: Itemsets, samples: list[_Sample], confidence: Fraction) -> int:
    """Return the rules of the itemsets that are significant in every sample."""
    total = 0
    for sets in itemsets.levels[2:]:
        counts = [sample.counts(sets) for sample in samples]
        frequent = np.all([count >= max(s.least, 1) for count, s in zip(counts, samples, strict=True)], axis=0)
        sets, counts = sets[frequent], [count[frequent] for count in counts]
        limits = [_most_antecedents(count, confidence, s.rows) for count, s in zip(counts, samples, strict=True)]
        sure = np.ones(len(sets), dtype=bool)
        for limit, sample in zip(limits, samples, strict=True):
            single = np.bitwise_count(sample.bits).sum(axis=1, dtype=np.int64)
            sure &= single[sample.numbers[sets]].max(axis=1, initial=0) <= limit
        total += int(sure.sum()) * (2 ** sets.shape[1] - 2)
        if not sure.all():
            total += _count_parts(sets[~sure], [limit[~sure] for limit in limits], samples)
    return total


def _most_antecedents(count: np.ndarray, confidence: Fraction, rows: int) -> np.ndarray:
    """Return the most rows A may have for the rule to be confident: ⌊f(AB)/confidence⌋."""
    if confidence == 0:
        return np.full(len(count), rows)
    values, inverse = np.unique(count, return_inverse=True)
    return np.array([min(int(value / confidence), rows) for value in values.tolist()], dtype=np.int64)[inverse]


def _count_parts(sets: np.ndarray, limits: list[np.ndarray], samples: list[_Sample]) -> int:
    """Return the number of subsets of each itemset that are confident antecedents in every sample."""
    from anonnb.rules.association._rule_counts import count_antecedents  # numba is slow to import

    single = np.bitwise_count(samples[0].bits).sum(axis=1, dtype=np.int64)
    rare_first = np.argsort(single[sets], axis=1, kind="stable")  # the walk ends soonest at rare items
    sets = np.take_along_axis(sets, rare_first, axis=1)
    n_words = max(sample.bits.shape[1] for sample in samples)
    bits = np.zeros((len(samples), max(len(sample.bits) for sample in samples), n_words), dtype=np.uint64)
    for index, sample in enumerate(samples):
        bits[index, : len(sample.bits), : sample.bits.shape[1]] = sample.bits
    numbers = np.stack([sample.numbers[sets] for sample in samples])
    total = int(count_antecedents(bits, numbers, np.stack(limits), _MOST_STEPS))
    if total < 0:
        raise Infeasible(
            "the frequent itemsets have billions of parts, too many to count their rules; "
            "raise min_support, or leave columns out: table.select([…])"
        )
    return total
