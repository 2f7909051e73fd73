"""What is the same in every table that fits: the backbone, found by asking for a table that lacks some of it.

Begin with one table that fits. Ask for another that has fewer rows of some kind; what both share is still a candidate.
When there is no such table, the candidates are certain. At most as many searches as people, and two for one table.
"""

from __future__ import annotations

from collections import Counter
from typing import Protocol


class Tables(Protocol):
    """Finds tables that fit; see ``cell_tables`` and ``row_tables``."""

    def table(self, lacking: Counter | None = None) -> Counter | None: ...


def certain_rows(tables: Tables) -> tuple[Counter, Counter | None]:
    """The rows that every fitting table has, each as often as it is certain, and a second table if there is one."""
    found = tables.table()
    if found is None:
        raise ValueError("no table fits what was published; check the counts, the medians, the means and the values")
    certain, other = Counter(found), None
    while certain:
        another = tables.table(certain)
        if another is None:
            break
        certain, other = certain & another, another
    return certain, other
