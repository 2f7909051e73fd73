"""What is the same in every table that fits: the backbone, found by asking for a table that lacks some of it.

Begin with one table that fits. Ask for another that has fewer rows of some kind; what both share is still a candidate.
When there is no such table, the candidates are certain. At most as many searches as people, and two for one table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Protocol

import pandas as pd

from anonnb.core.wording import pluralize
from anonnb.steps.recording import listening, note


class Tables(Protocol):
    """Finds tables that fit; see ``cell_tables`` and ``row_tables``."""

    def table(self, lacking: Counter | None = None, seed: int | None = None) -> Counter | None: ...


def certain_rows(tables: Tables, named: Callable[[tuple], str | tuple] = str) -> tuple[Counter, Counter | None]:
    """The rows that every fitting table has, each as often as it is certain, and a second table if there is one.

    ``named`` says how rows read, for those who listen.
    """
    found = tables.table()
    if found is None:
        raise ValueError("no table fits what was published; check the counts, the medians, the means and the values")
    certain, other = Counter(found), None
    told = partial(_tell, named)
    told("A table that fits", "Solve for any table that has the published figures: it may be the true one.", found)
    while certain:
        another = tables.table(certain)
        if another is None:
            told("No table lacks any of these", "Every table that fits has these rows, so they are certain.", certain)
            break
        certain, other = certain & another, another
        left = (
            f"{pluralize(certain.total(), 'row')} of the first table {'is' if certain.total() == 1 else 'are'} in all"
        )
        told("Another table that fits", f"Solve for a table that lacks some of them: {left} so far.", another, certain)
    return certain, other


def repeated_rows(tables: Tables, repeats: int, seed: int) -> dict[tuple, float]:
    """Return each kind of row of fitting tables drawn at random, with the share of the tables that have it.

    Each is the best for a random goal. What occurs in most of them is most likely in the data (Dick et al. 2023).
    """
    seen: Counter = Counter()
    for number in range(repeats):
        seen.update(set(tables.table(seed=seed + number) or ()))
    return {cell: count / repeats for cell, count in seen.items()}


def _tell(
    named: Callable[[tuple], str | tuple], title: str, sentence: str, found: Counter, certain: Counter | None = None
) -> None:
    """Note a table, and which of its rows are in all tables so far."""
    if not listening():
        return
    kept = found if certain is None else certain
    cells = pd.Index([_text(named(cell)) for cell in sorted(found)], name="row", dtype=object)
    lines = {
        "times": [found[cell] for cell in sorted(found)],
        "in all so far": [min(found[cell], kept[cell]) for cell in sorted(found)],
    }
    frame = pd.DataFrame(lines, cells)
    note(title, sentence, frame.reset_index(), frame, list(cells[frame["in all so far"] > 0]))


def _text(row: str | tuple) -> str:
    return row if isinstance(row, str) else ", ".join(map(str, row))
