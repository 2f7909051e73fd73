"""Fuzzy-rough QuickReduct (Jensen and Shen 2004, 2009): add the attribute that helps most until γ is that of all.

Idea: γ never falls when an attribute is added, since t-norms only make rows less alike. Add the one that raises it
most, until γ is that of all attributes. Reading chosen: ties go to the first attribute; as in the original, nothing is
removed again, so an early choice may turn out to be redundant.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb import steps
from anonnb.core.progress import ticks
from anonnb.roughsets.fuzzy.approximations import certainty, class_codes
from anonnb.roughsets.fuzzy.connectives import implicator as implicator_of
from anonnb.roughsets.fuzzy.relations import Relation
from anonnb.tables.table import Table

SAME = 1e-9  # qualities that differ by less are equal


def quick_reduct(
    table: Table,
    attributes: Sequence[str] | None = None,
    *,
    similarity: str = "range",
    t_norm: str = "lukasiewicz",
    implicator: str = "lukasiewicz",
    tolerance: float = 0.0,
) -> list[str]:
    """Attributes that keep the fuzzy quality of approximation, found greedily.

    ``steps.of(quick_reduct, table)`` shows every choice. Each attribute tried compares all pairs of rows.

    Parameters
    ----------
    table, attributes, similarity, t_norm, implicator:
        As for :func:`approximate`.
    tolerance:
        Stop as soon as γ is within this distance of that of all attributes.

    Returns
    -------
    list of str
        The attributes in the order in which they are added.

    Raises
    ------
    ValueError
        If ``tolerance`` is not at least 0 and below 1.

    Examples
    --------
    >>> from anonnb import load
    >>> quick_reduct(load("iris"), tolerance=0.1)
    ['petal_width', 'petal_length', 'sepal_width']
    """
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance={tolerance!r} is not possible; give a number of at least 0 and below 1")
    search = _Qualities(table, attributes, similarity, t_norm, implicator)
    wanted = search.qualities([], [search.relation.names])[0] - tolerance - SAME
    chosen: list[str] = []
    reached = search.qualities([], [[]])[0]
    while reached < wanted:
        rest = [name for name in search.relation.names if name not in chosen]
        found = search.qualities(chosen, [[name] for name in rest])
        best = int(np.argmax(found > found.max() - SAME))
        before, reached = reached, float(found[best])
        chosen = [*chosen, rest[best]]
        if steps.listening():
            _tell(chosen, pd.Series(found, index=rest), before)
    return chosen


class _Qualities:
    """Qualities of several sets of attributes at once, over blocks of rows."""

    def __init__(self, table: Table, attributes: Sequence[str] | None, similarity: str, t_norm: str, implicator: str):
        self.classes, self.implies = class_codes(table), implicator_of(implicator)
        self.relation = Relation(table, attributes, similarity, t_norm)

    def qualities(self, chosen: list[str], additions: list[list[str]]) -> np.ndarray:
        """γ of the chosen attributes with each of the additions."""
        sums, rows_seen = np.zeros(len(additions)), len(self.classes)
        for rows in ticks(list(self.relation.row_blocks()), "blocks of rows"):
            near = self.relation.joined(chosen, rows)
            for place, names in enumerate(additions):
                joined = near
                for name in names:
                    joined = self.relation.join(joined, self.relation.of(name, rows))
                sums[place] += certainty(joined, self.classes[rows], self.classes, self.implies).sum()
        return sums / max(rows_seen, 1)


def _tell(chosen: list[str], found: pd.Series, before: float) -> None:
    best = chosen[-1]
    steps.note(
        f"Add {best}",
        f"{best} raises the quality from {before:.3f} to {found[best]:.3f}; no other attribute raises it more.",
        pd.DataFrame({"attribute": chosen}),
        found.rename("quality").to_frame(),
        [best],
    )
