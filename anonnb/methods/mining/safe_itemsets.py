"""Frequent itemsets that reveal no small count (Atzori et al. 2005; Ciriani et al. 2008, section 7.1).

Additive: for each maximal channel add k to every X ⊆ I, as if k more people had just the items of I; so counts stay
consistent. Suppressive: delete the people that a channel is about, mine again, repeat. Withholding, sure: publish true
counts, but not all. Reading: every mined attribute is identifying; what ``deductions`` finds is a channel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core.errors import Infeasible
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.parameters.constraints import POSITIVE, SHARE, Choice, Flag
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import KMethod, Progress
from anonnb.methods.promises import Promise
from anonnb.rules.association.channels import Channel, Supports, channels, matching, row_masks, undominated
from anonnb.rules.association.deductions import Completed, small_counts
from anonnb.rules.association.fitting_tables import FittingTables
from anonnb.rules.association.itemsets import Itemsets, least_count, mine
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.steps.recording import listening, note
from anonnb.tables.table import Table

STRATEGIES = ("additive", "lean", "suppressive", "withhold", "sure")


@dataclass(frozen=True)
class NoSmallSupport(Promise):
    """No count between 1 and k − 1 of people with some values and without others follows from the published supports.

    ``strategy="sure"`` assumes nothing about how a reader reasons: in some table that agrees with everything published
    the count is 0 or at least k. Other strategies take into account what ``rules.association.deductions`` finds.
    """

    name: ClassVar[str] = "no small support"

    k: int
    exclusive: bool = True
    strategy: str = "withhold"

    @property
    def guarantee(self) -> str:
        if self.strategy == "sure":
            return (
                "For any values to have and others to lack, some table that agrees with the published supports has "
                f"nobody or at least {self.k} people of that kind."
            )
        how = "sums, equal counts and values that exclude each other" if self.exclusive else "sums and equal counts"
        return (
            f"No count below {self.k}, except 0, of people with some values and without others follows from the "
            f"published supports by {how}, one count at a time."
        )

    @property
    def limits(self) -> str:
        means = (
            "knows more than is published, such as somebody's values, all values of an attribute or the least support"
        )
        if not self.exclusive:
            means += ", or that values of one attribute exclude each other"
        if self.strategy != "sure":
            means += ", or solves for all counts at once, which only strategy='sure' prevents"
        return f"Somebody may learn more who {means}."

    @property
    def floors(self) -> dict[str, int]:
        return {"count": self.k}

    def check(self, published: MinedItemsets) -> None:
        supports = Supports(published.counts())
        leak = bool(small_counts(Completed(supports, self.exclusive), self.k))
        if self.strategy == "sure" and not leak:
            leak = FittingTables(supports, self.exclusive).disclosed(self.k) is not None
        if leak:
            raise Infeasible(
                f"{published.method}: the itemsets would tell of fewer than {self.k} people; please report this table"
            )


@register
@dataclass(frozen=True)
class SafeItemsets(KMethod):
    """Frequent itemsets from which no count of fewer than k people follows; publishes itemsets, not a table.

    What "follows" means depends on the strategy. All of them consider sums and differences of counts, equal counts
    (everybody with I also has J) and, unless ``exclusive=False``, that nobody has two values of one attribute. Bounds
    that only show when all counts are solved for at once are prevented by ``"sure"`` alone.

    Parameters
    ----------
    strategy:
        ``"additive"`` as in the paper; ``"lean"``: the same, but channels that an earlier addition has blocked are
        left alone; ``"suppressive"``; ``"withhold"``: the fewest itemsets (exact up to 150 itemsets, greedy beyond);
        ``"sure"``: withholds until integer programs find no leak in the tables that fit (up to 512 cells, which are
        combinations of mined values; more are refused).
    min_support, min_count, bins, max_len:
        As for :func:`anonnb.rules.frequent_itemsets`.
    attributes:
        What is mined; the quasi-identifier by default.
    exclusive:
        Whether readers know that values of one attribute exclude each other; ``False`` as in the paper.
    k:
        Counts of 1 to ``k - 1`` people must not follow from what is published.

    Notes
    -----
    ``info``: ``mined`` and ``kept`` itemsets, ``channels`` there were, ``distortion`` (mean of ``|new − old| / old``
    over the kept ones), and what the strategy did.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> result = SafeItemsets(k=3, min_count=19, strategy="withhold").anonymize(table)
    >>> result.info["mined"], result.info["kept"]
    (11, 10)
    >>> print(result.method.promise.guarantee)
    No count below 3, except 0, of people with some values and without others follows from the published supports by
    sums, equal counts and values that exclude each other, one count at a time.

    Guarantees
    ----------
    proved:
        No count of 1 to k − 1 people follows from the published supports by sums, by equal counts and by values that
        exclude each other, one count at a time; every result is checked before it is handed out. With strategy='sure'
        integer programs find no such count in every table that fits. Counts that were added to stay those of some table
        in which people may lack every value of an attribute (Atzori et al. 2005).
    tested:
        60 random tables of 6 to 40 rows and four binary columns: no small and no negative count follows from any pair,
        for all strategies. 25 random tables: no smaller choice of itemsets than that of strategy='sure' passes the
        check, by trying all. 400 random tables judged by integer programs of their own: no leak with strategy='sure'.
    heuristic:
        Beyond 150 itemsets those to withhold are chosen greedily. Except with strategy='sure', an attacker who solves
        for all counts at once may learn more.
    paper:
        M. Atzori, F. Bonchi, F. Giannotti and D. Pedreschi, Blocking anonymity threats raised by frequent itemset
        mining, ICDM 2005; V. Ciriani, S. De Capitani di Vimercati, S. Foresti and P. Samarati, k-Anonymous data mining:
        a survey, 2008, section 7.1.
    """

    strategy: str = parameter(Choice(STRATEGIES), default="additive")
    min_support: float = parameter(SHARE, default=0.1)
    min_count: int | None = parameter(Optional(POSITIVE), default=None)
    bins: int | None = parameter(Optional(POSITIVE), default=None)
    max_len: int | None = parameter(Optional(POSITIVE), default=None)
    attributes: Sequence[str] | None = parameter(Optional(Names()), default=None)
    exclusive: bool = parameter(Flag(), default=True)

    publishes: ClassVar[str] = "itemsets"
    promised: ClassVar[type[Promise]] = NoSmallSupport

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        for name in self.attributes or ():
            if name not in table.attributes:
                raise KeyError(f"there is no column {name!r}; the columns are {', '.join(map(str, table.columns))}")
            if name in table.identifiers:
                raise ValueError(f"column {name!r} is an identifier and cannot be mined")

    def _anonymize(self, table: Table, progress: Progress) -> MinedItemsets:
        table = table.select(self.attributes or table.quasi)
        before = self._mined(table, least_count(len(table), self.min_support, self.min_count))
        leaks = channels(before, self.k)
        after, extra = getattr(self, f"_{self.strategy}")(table, before)
        old = {before.set_of(bits): count for bits, count in before.counts.items()}
        new = {after.set_of(bits): count for bits, count in after.counts.items()}
        kept = [items for items in new if items in old]
        distortion = float(np.mean([abs(new[items] - old[items]) / old[items] for items in kept])) if kept else 0.0
        info = {"mined": len(old), "kept": len(kept), "channels": len(leaks), "distortion": distortion, **extra}
        return MinedItemsets.of(new, self, info | {"original": old})

    def _mined(self, table: Table, minimum: int) -> Supports:
        itemsets = mine(table, min_count=minimum, bins=self.bins, max_len=self.max_len)
        return supports_of(itemsets)

    def _leaks(self, supports: Supports) -> list[Channel]:
        """Return the small counts to remove, none inside another: sums of published counts, then what else follows."""
        if leaks := small_counts(Completed(supports, self.exclusive, deduce=False), self.k):
            return undominated(leaks)
        known = Completed(supports, self.exclusive)
        return undominated(small_counts(known, self.k)) if len(known.counts) > len(supports.counts) else []

    # ---- strategies: the supports to publish, and what was done -------------------------------------------------

    def _additive(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        return self._added(before, lambda channel, blocked: False)

    def _lean(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        return self._added(before, lambda channel, blocked: any(channel.blocked_by(c.having) for c in blocked))

    def _added(self, before: Supports, needless: Callable[[Channel, list[Channel]], bool]) -> tuple[Supports, dict]:
        after, additions = before.without(()), 0
        while leaks := self._leaks(after):
            blocked: list[Channel] = []
            for channel in sorted(leaks, key=lambda channel: -len(channel.having)):
                if not needless(channel, blocked):
                    blocked.append(channel)
            if listening():
                how = f"Each time, add {self.k} to every subset of the items that these people have"
                _record_channels(how, after, leaks, blocked, self.k)
            for channel in blocked:
                for bits in before.subsets(before.bits_of(channel.having)):
                    if bits in after.counts:
                        after.counts[bits] += self.k
                if listening():
                    _record_addition(after, channel, self.k)
            additions += len(blocked)
        return after, {"additions": additions}

    def _suppressive(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        minimum, rows, after = least_count(len(table), self.min_support, self.min_count), len(table), before
        while leaks := self._leaks(after):
            if listening():
                _record_channels("Delete the people whom they count", after, leaks, leaks, self.k)
            masks = row_masks(table, after.items, self.bins)
            gone = np.logical_or.reduce([matching(channel, masks, len(table)) for channel in leaks])
            table = table.take(~gone)
            if len(table) < self.k:
                raise Infeasible(f"{self}: no table of at least {self.k} rows is left; use another strategy")
            after = self._mined(table, minimum)
        return after, {"deleted rows": rows - len(table)}

    def _sure(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        return self._withhold(table, before)

    def _withhold(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        withheld = sets_to_withhold(before, self.k, self.exclusive, sure=self.strategy == "sure")
        if listening():
            leaks, names = self._leaks(before), [_name(before.set_of(bits)) for bits in sorted(withheld)]
            summary = "; ".join(names) if len(names) <= 3 else pluralize(len(names), "itemset")
            _record_channels(f"Withholding {summary} closes all of them", before, leaks, leaks, self.k)
        return before.without(withheld), {"withheld": [before.set_of(bits) for bits in sorted(withheld)]}


def _record_channels(how: str, supports: Supports, leaks: list[Channel], dealt: list[Channel], k: int) -> None:
    """Record the small counts that follow from the supports so far, and what is done about them."""
    names = pd.Index([channel.pattern() for channel in leaks], name="people who have")
    frame = pd.DataFrame({"count that follows": [channel.count for channel in leaks]}, index=names)
    examples = "; ".join(f"{channel.count} with {channel.pattern()}" for channel in leaks[:2])
    sentence = f"Counts below {k} follow, such as {examples}. {how}."
    note(pluralize(len(leaks), "channel"), sentence, _state(supports, k), frame, [each.pattern() for each in dealt])


def _record_addition(supports: Supports, channel: Channel, k: int) -> None:
    """Record that k people with just the items of a channel were added, after it was done."""
    who = f"{_name(channel.having)} alone" if channel.having else "none of the items"
    sentence = f"Count {k} more people who have {who}. The count of {channel.pattern()} rises from {channel.count} to "
    note(f"{k} more: {who}", f"{sentence}at least {channel.count + k}.", _state(supports, k))


def _state(supports: Supports, k: int) -> MinedItemsets:
    """Return the supports so far as they are drawn, with their channels."""
    counts: dict[Iterable, int] = {supports.set_of(bits): count for bits, count in supports.counts.items()}
    return MinedItemsets.of(counts, info={"k": k})


def _name(items: frozenset) -> str:
    return ", ".join(map(str, sorted(items))) or "everybody"


def supports_of(found: Itemsets) -> Supports:
    """Return the counts of mined itemsets, the empty one included."""
    counts = {}
    for level, numbers in zip(found.levels, found.counts, strict=True):
        for row, count in zip(level.tolist(), numbers.tolist(), strict=True):
            counts[frozenset(found.items[number] for number in row)] = count
    return Supports(counts)


# ---- which itemsets to withhold ---------------------------------------------------------------------------------


MOST_EXACT = 150  # itemsets up to which the smallest set is found; beyond it, a greedy one


def sets_to_withhold(supports: Supports, k: int, exclusive: bool = True, sure: bool = False) -> set[int]:
    """Return itemsets (bit patterns) to withhold: as few as possible up to MOST_EXACT itemsets, greedily beyond.

    New derivations can appear when a set is withheld, since the ends of a gap bound what is inside; so the search
    repeats until none is left. Every list found stays a requirement, which makes the exact answer a smallest one. With
    ``sure``, integer programs look for further leaks when no derivation is left, and for the itemsets that each of them
    needs.
    """
    tables = FittingTables(supports, exclusive) if sure else None
    needed: list[frozenset[int]] = []
    withheld: set[int] = set()
    choose = _smallest if len(supports.counts) <= MOST_EXACT else _greedy
    while derivations := _derivations(supports.without(withheld), k, exclusive, tables):
        needed = list(dict.fromkeys(needed + derivations))
        withheld = choose(needed, withheld)
    return withheld


def _derivations(supports: Supports, k: int, exclusive: bool, tables: FittingTables | None) -> list[frozenset[int]]:
    """Return the published sets that each derivation of a small count needs, without the row count."""
    known = Completed(supports, exclusive)
    derivations = [known.used(channel) - {0} for channel in small_counts(known, k)]
    if derivations or tables is None:
        return derivations
    pattern = tables.disclosed(k, supports.counts)
    return [] if pattern is None else [tables.core(pattern, k, supports.counts) - {0}]


def _smallest(needed: list[frozenset[int]], _: set[int]) -> set[int]:
    """Return a smallest hitting set; among those, larger itemsets are withheld rather than smaller ones."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    sets = sorted(set().union(*needed), key=lambda bits: (-bits.bit_count(), bits))
    number_of = {bits: number for number, bits in enumerate(sets)}
    uses = np.zeros((len(needed), len(sets)))
    for row, used in enumerate(needed):
        uses[row, [number_of[bits] for bits in used]] = 1
    cost = 1 + np.arange(len(sets)) / (2 * len(sets) ** 2)  # all extras together stay below one
    solution = milp(
        cost,
        constraints=LinearConstraint(uses, lb=1),
        integrality=np.ones(len(sets)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    return {bits for bits, chosen in zip(sets, solution.x, strict=True) if chosen > 0.5}


def _greedy(needed: list[frozenset[int]], withheld: set[int]) -> set[int]:
    """Repeatedly withhold the set that most open lists use (ties: the larger itemset, then the later item)."""
    chosen = set(withheld)
    open_lists = [used for used in needed if not used & chosen]
    uses = Counter(bits for used in open_lists for bits in used)
    while open_lists:
        best = max(uses, key=lambda bits: (uses[bits], bits.bit_count(), bits))
        chosen.add(best)
        for used in [used for used in open_lists if best in used]:
            uses.subtract(used)
        open_lists = [used for used in open_lists if best not in used]
    return chosen
