"""Frequent itemsets that give no small count away (Atzori et al. 2005; Ciriani et al. 2008, section 7.1).

Additive: for each maximal channel add k to every X ⊆ I, as if k people with just the items of I had been there; so
counts stay consistent. Suppressive: delete the people a channel tells of, mine again, repeat. Withholding: publish true
counts, but not all. Reading: every mined attribute counts as identifying; by default the quasi-identifier is mined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.methods import register
from anonnb.methods.base import KMethod, Progress
from anonnb.methods.mining.withholding import sets_to_withhold
from anonnb.methods.promises import Promise
from anonnb.rules.association.channels import Channel, Supports, channels, gaps, matching, maximal_channels, row_masks
from anonnb.rules.association.itemsets import Itemsets, least_count, mine
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.tables.table import Table

STRATEGIES = ("additive", "lean", "suppressive", "withhold")


@dataclass(frozen=True)
class NoSmallSupport(Promise):
    """No support between 1 and k − 1 follows from the published ones by adding and subtracting them."""

    name: ClassVar[str] = "no small support"

    k: int

    @property
    def guarantee(self) -> str:
        return f"No count of 1 to {self.k - 1} people follows from the supports of an itemset and its subsets."

    @property
    def limits(self) -> str:
        return "Somebody who knows which values exclude each other, or solves for all counts at once, may learn more."

    @property
    def floors(self) -> dict[str, int]:
        return {"count": self.k}

    def check(self, published: MinedItemsets) -> None:
        shown = Supports(published.counts()).completed()
        if channels(shown, self.k) or gaps(shown, self.k):
            raise Infeasible(
                f"{published.method}: the itemsets would tell of fewer than {self.k} people; please report this table"
            )


@register
@dataclass(frozen=True)
class SafeItemsets(KMethod):
    """Frequent itemsets from which nobody learns of fewer than k people; publishes itemsets, not a table.

    Parameters
    ----------
    strategy:
        ``"additive"`` as in the paper; ``"lean"``: the same, but channels that an earlier addition has blocked are
        left alone; ``"suppressive"``; ``"withhold"``: the fewest itemsets (exact up to 150 itemsets, greedy beyond).
    min_support, min_count, bins, max_len:
        As for :func:`anonnb.rules.frequent_itemsets`.
    attributes:
        What is mined; the quasi-identifier by default.

    ``info``: ``mined`` and ``kept`` itemsets, ``channels`` there were, ``distortion`` (mean of |new − old| / old over
    the kept ones), and what the strategy did.

    >>> import anonnb
    >>> table = anonnb.load("survey")
    >>> result = SafeItemsets(k=3, min_count=19, strategy="withhold").anonymize(table)
    >>> result.info["mined"], result.info["kept"]
    (11, 10)
    """

    strategy: str = "additive"
    min_support: float = 0.1
    min_count: int | None = None
    bins: int | None = None
    max_len: int | None = None
    attributes: Sequence[str] | None = None

    publishes: ClassVar[str] = "itemsets"
    promised: ClassVar[type[Promise]] = NoSmallSupport
    exempt: ClassVar[Mapping[str, str]] = {
        "progress is called": "Itemsets are mined one length after the other, in few steps of unknown number."
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy={self.strategy!r} is not known; use {', '.join(map(repr, STRATEGIES))}")
        least_count(1, self.min_support, self.min_count)
        if self.attributes is not None:
            names = (self.attributes,) if isinstance(self.attributes, str) else tuple(self.attributes)
            object.__setattr__(self, "attributes", names)

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
        found = channels(before, self.k)
        after, extra = getattr(self, f"_{self.strategy}")(table, before)
        old = {before.set_of(bits): count for bits, count in before.counts.items()}
        new = {after.set_of(bits): count for bits, count in after.counts.items()}
        kept = [items for items in new if items in old]
        distortion = float(np.mean([abs(new[items] - old[items]) / old[items] for items in kept])) if kept else 0.0
        info = {"mined": len(old), "kept": len(kept), "channels": len(found), "distortion": distortion, **extra}
        return MinedItemsets.of(new, self, info | {"original": old})

    def _mined(self, table: Table, least: int) -> Supports:
        found = mine(table, min_count=least, bins=self.bins, max_len=self.max_len)
        return supports_of(found)

    # ---- strategies: the supports to publish, and what was done -------------------------------------------------

    def _additive(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        blocked = maximal_channels(before, self.k)
        return self._added(before, blocked), {"additions": len(blocked)}

    def _lean(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        blocked: list[Channel] = []
        for channel in sorted(maximal_channels(before, self.k), key=lambda channel: -len(channel.having)):
            if not any(channel.having <= c.having and not channel.lacking & c.having for c in blocked):
                blocked.append(channel)
        return self._added(before, blocked), {"additions": len(blocked)}

    def _added(self, before: Supports, blocked: Sequence[Channel]) -> Supports:
        after = before.without(())
        for channel in blocked:
            for bits in before.subsets(before.bits_of(channel.having)):
                after.counts[bits] += self.k
        return after

    def _suppressive(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        least, rows, after = least_count(len(table), self.min_support, self.min_count), len(table), before
        while found := maximal_channels(after, self.k):
            masks = row_masks(table, after.items, self.bins)
            gone = np.logical_or.reduce([matching(channel, masks, len(table)) for channel in found])
            table = table.take(~gone)
            if len(table) < self.k:
                raise Infeasible(f"{self}: no table of at least {self.k} rows is left; use another strategy")
            after = self._mined(table, least)
        return after, {"deleted rows": rows - len(table)}

    def _withhold(self, table: Table, before: Supports) -> tuple[Supports, dict]:
        withheld = sets_to_withhold(before, self.k)
        return before.without(withheld), {"withheld": [before.set_of(bits) for bits in sorted(withheld)]}


def supports_of(found: Itemsets) -> Supports:
    """The counts of mined itemsets, the empty one included."""
    counts = {}
    for level, numbers in zip(found.levels, found.counts, strict=True):
        for row, count in zip(level.tolist(), numbers.tolist(), strict=True):
            counts[frozenset(found.items[number] for number in row)] = count
    return Supports(counts)
