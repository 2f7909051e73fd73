"""What follows from published supports: closure, attributes with all values known, and people with none of them.

If the counts of I with each value in L add up to the count of I (with one value: equal counts), then everybody with I
has a value of L, and so does everybody with more than I: sup(S) = Σ sup(S ∪ {v}) for every S ⊇ I (Bykowski and Rigotti
2001 call such sets disjunctive). A count also follows if people with one of several values are at least as many as are
left once other values of an attribute are subtracted. Both are applied until nothing new follows. The work grows with
what is known, not with the number of subsets.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.rules.association.channels import Channel, Supports, channels, gaps, reading_order

MOST_DERIVED = 100_000  # itemsets that may follow from the published ones
MOST_NEEDED = 10_000_000  # published sets from which they follow, all together: about half a gigabyte
MOST_STEPS = 500_000_000  # known sets looked at until nothing new follows: about a minute
BALANCE = 30  # steps that one application of a rule is worth


class Completed(Supports):
    """Published counts and all that follow from them by these rules; ``needs`` holds the published sets they need.

    With ``exclusive``, values of one attribute exclude each other: nobody has two of them. Items without an attribute
    stand for themselves. Without ``deduce`` the rules are not applied: only sums of published counts are used.

    >>> known = Completed(Supports({"": 9, "C": 4, "AB": 6, "AC": 4, "BC": 4}))
    >>> known.count(known.bits_of("ABC"))
    4
    """

    def __init__(self, supports: Supports, exclusive: bool = True, deduce: bool = True):
        self.items, self._parts, self.counts = supports.items, supports._parts, dict(supports.counts)
        self.needs = {bits: frozenset([bits]) for bits in self.counts}
        families: dict[object, int] = defaultdict(int)
        for number, item in enumerate(self.items):
            families[getattr(item, "attribute", number) if exclusive else number] |= 1 << number
        self.family = {bit: mask for mask in families.values() for bit in single_bits(mask)}
        self.families = [mask for mask in families.values() if mask.bit_count() > 1]
        self._left: dict[tuple[int, tuple[int, ...]], int | None] = {}
        self._rules: dict[tuple[int, int], frozenset[int]] = {}
        self._under: dict[int, list[int]] = defaultdict(list)  # the same: for each L its I
        self._sums: dict[int, np.ndarray | None] = {}
        self._published, self._steps, self._needed = len(supports.counts), 0, 0
        while deduce and ((self._find_rules() and self._apply_rules()) or self._squeeze()):
            pass

    def count(self, bits: int) -> int | None:
        """Return the support of an itemset (as bits), if it is known."""
        count = self.counts.get(bits)
        return 0 if count is None and self._two_of_a_family(bits) else count

    def differences(self, bits: int) -> np.ndarray | None:
        """As in the base class, but remembered, since what is known no longer changes."""
        if bits not in self._sums:
            self._sums[bits] = super().differences(bits)
        return self._sums[bits]

    def left(self, having: int, lacking: tuple[int, ...]) -> int | None:
        """Return how many have all of ``having`` and nothing of ``lacking`` (a mask per family), if that is known."""
        if not lacking:
            return self.counts.get(having)
        key = having, lacking
        if key not in self._left:
            total = self.left(having, lacking[1:])
            for value in single_bits(lacking[0]):
                part = self.left(having | value, lacking[1:]) if total is not None else None
                total = None if total is None or part is None else total - part
            self._left[key] = total
        return self._left[key]

    def used(self, channel: Channel) -> frozenset[int]:
        """Return the published sets from which a channel follows."""
        having, lacking = self.bits_of(channel.having), self.bits_of(channel.lacking)
        terms = [having]
        if channel.whole_lacking:
            terms.append(having | lacking)
        else:
            for values in self.by_family(lacking):
                terms += [term | value for term in terms for value in single_bits(values)]
        return frozenset().union(*(self.needs.get(term, ()) for term in terms))

    def by_family(self, bits: int) -> tuple[int, ...]:
        """Items as one mask per family, in a fixed order."""
        return tuple(sorted({bits & self.family[bit] for bit in single_bits(bits)}))

    def _two_of_a_family(self, bits: int) -> bool:
        return any((bits & mask).bit_count() > 1 for mask in self.families)

    def settled(self, family: int) -> bool:
        """Return whether everybody has one of two or three values of a family: then nobody has another one."""
        return any(not small and values & family and values.bit_count() <= 3 for small, values in self._rules)

    # ---- rules (I, L): everybody with I has a value of L --------------------------------------------------------

    def _find_rules(self) -> bool:
        for small, large in self._equal_pairs():
            for value in single_bits(large & ~small):
                self._add_rule(small, value, self.needs[small] | self.needs[large])
        for small, known in self._children():
            if len(known) > 1 and self.counts[small] == sum(self.counts[small | bit] for bit in known):
                why = self.needs[small].union(*(self.needs[small | bit] for bit in known))
                self._add_rule(small, sum(known), why)
        return bool(self._rules)

    def _add_rule(self, small: int, values: int, why: frozenset[int]) -> None:
        alone = not values & (values - 1)  # a single value: only rules for the same value imply this one
        fewer = [values] if alone else [subset for subset in self._under if subset & values == subset]
        if not any(under & small == under for subset in fewer for under in self._under[subset]):
            self._rules[small, values] = why
            self._under[values].append(small)
            for other in single_bits(self.family[values & -values] & ~values):
                self._learn(small | other, 0, why)

    def _equal_pairs(self) -> Iterator[tuple[int, int]]:
        alike = defaultdict(list)
        for bits, count in self.counts.items():
            if count:
                alike[count].append(bits)
        for sets in alike.values():
            self._work(len(sets) ** 2 // 2)
            for one, other in combinations(sorted(sets, key=int.bit_count), 2):
                if one & other == one:
                    yield one, other

    def _children(self) -> Iterator[tuple[int, list[int]]]:
        """Known sets, each with two or more values of a family that some of its people are known to have."""
        for small in sorted(self.counts, key=int.bit_count):
            for mask in self.families:
                if not small & mask and self.counts[small]:
                    yield small, [bit for bit in single_bits(mask) if self.counts.get(small | bit)]

    def _apply_rules(self) -> bool:
        before = len(self.counts)
        for (small, values), why in list(self._rules.items()):
            family = self.family[values & -values]
            above = [bits for bits in self.counts if bits & small == small]
            self._work(len(self.counts) + BALANCE * len(above))
            for bits in above:
                if not bits & family:
                    self._balance(bits, values, why)
                elif bits & values and (bits & ~family) & small == small:
                    self._balance(bits & ~family, values, why)
        return len(self.counts) > before

    def _balance(self, whole: int, values: int, why: frozenset[int]) -> None:
        """sup(whole) = Σ sup(whole ∪ {v}): the one count that is missing follows."""
        parts = [whole | value for value in single_bits(values)]
        missing = [bits for bits in [whole, *parts] if self.count(bits) is None]
        if len(missing) != 1:
            return
        others = sum(self.count(bits) or 0 for bits in parts if bits != missing[0])
        count = others if missing[0] == whole else (self.count(whole) or 0) - others
        needs = why.union(*(self.needs.get(bits, ()) for bits in [whole, *parts]))
        if count >= 0:  # otherwise no table has the published counts
            self._learn(missing[0], count, needs)

    def _squeeze(self) -> bool:
        """Learn counts whose bounds agree: at least the people with a further value, at most those that others leave.

        With A=y 5 of 13 people, 4 with A=x and B=x and 4 with A=x and B=y, there are 8 people with A=x.
        """
        unknown: dict[int, None] = {}
        for bits in self.counts:
            unknown.update(dict.fromkeys(bits ^ bit for bit in single_bits(bits) if bits ^ bit not in self.counts))
        self._work(BALANCE * len(unknown))
        before, families = len(self.counts), set(self.family.values())
        for bits in sorted(unknown, key=int.bit_count):
            above, upper = min((self._at_most(bits, value) for value in single_bits(bits)), default=(math.inf, ()))
            below, lower = max((self._at_least(bits, mask) for mask in families if not bits & mask), default=(-1, ()))
            if above == below:
                self._learn(bits, below, frozenset().union(*(self.needs[each] for each in (*upper, *lower))))
        return len(self.counts) > before

    def _at_most(self, bits: int, value: int) -> tuple[float, tuple[int, ...]]:
        """How many at most have all of ``bits``: everybody with the others, minus those with another such value."""
        whole = bits ^ value
        if whole not in self.counts:
            return math.inf, ()
        rivals = [whole | other for other in single_bits(self.family[value] & ~value) if whole | other in self.counts]
        return self.counts[whole] - sum(self.counts[other] for other in rivals), (whole, *rivals)

    def _at_least(self, bits: int, family: int) -> tuple[int, tuple[int, ...]]:
        """Return how many at least have all of ``bits``: those with a known value of another attribute."""
        parts = [bits | value for value in single_bits(family) if bits | value in self.counts]
        return sum(self.counts[part] for part in parts), tuple(parts)

    def _work(self, steps: int) -> None:
        """Give up where so much follows that it would take too long or too much memory."""
        self._steps += steps
        if len(self.counts) > self._published + MOST_DERIVED:
            what = f"more than {MOST_DERIVED:,} itemsets follow from"
        elif self._needed > MOST_NEEDED or self._steps > MOST_STEPS:
            what = "it takes too long to find all itemsets that follow from"
        else:
            return
        raise Infeasible(
            f"{what} the {self._published:,} published ones; raise min_support, or leave columns out: table.select([…])"
        )

    def _learn(self, bits: int, count: int, needs: frozenset[int]) -> None:
        if bits not in self.counts and not self._two_of_a_family(bits):
            self.counts[bits], self.needs[bits] = count, needs
            self._needed += len(needs)


def single_bits(mask: int) -> Iterator[int]:
    """Yield the bits of a mask, one by one."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def small_counts(known: Completed, k: int) -> list[Channel]:
    """Every small count that is found, 1 to k − 1: channels, people with no known value of an attribute, and gaps.

    >>> from anonnb.rules.association.channels import items
    >>> people = Supports({(): 100, items("sex=M"): 60, items("sex=F"): 38})
    >>> [str(found) for found in small_counts(Completed(people), 3)]
    ['not sex=F and not sex=M: 2']
    """
    return [*channels(known, k), *rests(known, k), *gaps(known, k)]


def rests(known: Completed, k: int) -> list[Channel]:
    """Channels (I, L) where L holds several values of an attribute: people with all of I and none of these values.

    If no (I, L) that cannot be widened is small, no other is, since their difference is a count of the same kind. So L
    starts from one attribute, or from a largest J, and grows by every value for which the count stays known.
    """
    counts = {}
    for having, lacking in _widest(known):
        count = known.left(having, lacking)
        if count is not None and 0 < count < k and any(values.bit_count() > 1 for values in lacking):
            counts[having, lacking] = count
    return sorted(
        (Channel(known.set_of(i), known.set_of(sum(parts)), count) for (i, parts), count in counts.items()),
        key=reading_order,
    )


def _widest(known: Completed) -> set[tuple[int, tuple[int, ...]]]:
    """Pairs (having, lacking by family), widened as far as possible, a family with several known values first."""
    extra: dict[int, dict] = {bits: {} for bits in known.counts}
    for large in known.counts:
        for bit in single_bits(large):
            if large ^ bit in extra:
                extra[large ^ bit].setdefault(known.family[bit], []).append(bit)
    result = set()
    for small, largest in _largest_above(known).items():
        several = [mask for mask, values in extra[small].items() if len(values) > 1 and not known.settled(mask)]
        starts = {(first, 0) for first in several}
        for large in largest:
            rest = large & ~small
            starts |= {(first, rest & ~first) for first in several if rest & first}
        result |= {(small, _widened(known, small, first, others, extra[small])) for first, others in starts}
    return result


def _largest_above(known: Completed) -> dict[int, list[int]]:
    """Return for each known set I the largest known J ⊇ I with everything in between known."""
    result: dict[int, list[int]] = {bits: [] for bits in known.counts}
    for large in sorted(known.counts, key=int.bit_count, reverse=True):
        sums = known.differences(large)
        if sums is None:
            continue
        for small, known_sum in zip(known.subsets(large).tolist(), sums.tolist(), strict=True):
            if known_sum >= 0 and small in result and not any(large & other == large for other in result[small]):
                result[small].append(large)
    return result


def _widened(known: Completed, small: int, first: int, others: int, extra: dict[int, list[int]]) -> tuple[int, ...]:
    """Lacking values by family: those of the first, then of the given items' families, then of all further ones."""
    lacking = {first: 0} | {known.family[bit]: bit for bit in single_bits(others)}
    lacking |= {family: 0 for family in extra if family not in lacking}
    for family in lacking:
        rest = tuple(sorted(values for mask, values in lacking.items() if mask != family and values))
        for value in extra.get(family, ()):
            if known.left(small | value, rest) is not None:
                lacking[family] |= value
    return tuple(sorted(values for values in lacking.values() if values))
