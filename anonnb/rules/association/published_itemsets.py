"""Itemsets as SafeItemsets publishes them and attackers read them: each with its count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import pandas as pd

from anonnb.rules.association.mining import readable
from anonnb.tables.mined_results import Mined


class MinedItemsets(Mined):
    """Itemsets and their counts; that of the empty set, if published, is the number of rows.

    >>> found = MinedItemsets.of({(): 66, ("M",): 55})
    >>> found.published()
      itemsets  count
    0              66
    1        M     55
    """

    what: ClassVar[str] = "itemsets"

    @classmethod
    def of(cls, counts: Mapping[Iterable, int], method: object = None, info: dict | None = None) -> MinedItemsets:
        """From a mapping of itemsets to counts, smaller sets first."""
        sets = [(frozenset(items), int(count)) for items, count in counts.items()]
        sets.sort(key=lambda pair: (len(pair[0]), sorted(map(str, pair[0]))))
        names = pd.Series([items for items, _ in sets], dtype=object)
        return cls(pd.DataFrame({"itemsets": names, "count": [count for _, count in sets]}), method, info or {})

    def counts(self) -> dict[frozenset, int]:
        """Return the counts by itemset."""
        return dict(zip(self.frame["itemsets"], self.frame["count"].tolist(), strict=True))

    def published(self) -> pd.DataFrame:
        """Return the itemsets as texts, with their counts."""
        return readable(self.frame)
