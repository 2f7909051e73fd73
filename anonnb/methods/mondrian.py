"""Mondrian (LeFevre, DeWitt and Ramakrishnan, ICDE 2006; Ciriani et al. 2008, section 3): boxes cut like a painting.

The table is cut in two along one attribute, each part again, until no cut leaves k rows on both sides. The chapter says
"more than k" but its example has a region of 10 at k = 10: at least k is meant. The widest attribute is cut first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from anonnb.errors import Infeasible
from anonnb.methods import register
from anonnb.methods._mondrian_cuts import MedianCuts, Ranking, RelaxedCutter, StrictCutter
from anonnb.methods._mondrian_regions import Cutter, Space, partition, rounds
from anonnb.methods._mondrian_summaries import check_summary, summarize
from anonnb.methods.base import GroupMethod, Progress
from anonnb.release import Release
from anonnb.table import Table

CUTS = ("median", "loss")


@register
@dataclass(frozen=True)
class Mondrian(GroupMethod):
    """Multidimensional k-anonymity by recursive cuts.

    Parameters
    ----------
    k, require:
        Both sides of every cut keep at least ``k`` rows and satisfy every required model.
    strict:
        True sends equal values to the same side, so that boxes do not overlap. False (relaxed) goes on where no such
        cut is left: the rows at the median are shared between the halves, so that no region of 2k rows remains
        unless all its rows are alike.
    cut:
        ``"median"`` cuts the widest attribute at its median (or next to it, or another attribute, where that is not
        allowed). ``"loss"`` takes the cut that saves most information loss, which is slower and loses less.
    summary:
        ``"set"`` publishes intervals and sets of values, ``"mean"`` the mean, the middle value or the mode.

    Categories are cut in the order of their domain: that of the hierarchy's leaves where a hierarchy is attached.
    Ties go to the first attribute and the smallest value.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 25, 30, 60], "sex": list("fmfm")}), quasi=["age", "sex"])
    >>> Mondrian(k=2).anonymize(table).frame["age"].tolist()
    ['[20–25]', '[20–25]', '[30–60]', '[30–60]']
    """

    strict: bool = True
    cut: str = "median"
    summary: str = "set"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_summary(self.summary)
        if self.cut not in CUTS:
            raise ValueError(f"cut={self.cut!r} is not known; use 'median' or 'loss'")

    def rounds(self, table: Table) -> Iterator[Release]:
        """What would be published before the first cut and after each round; a round cuts every region it can.

        >>> from anonnb import load
        >>> table = load("survey").with_roles(quasi=["Marital_status", "Sex"])
        >>> [sorted(release.group_sizes.tolist()) for release in Mondrian(k=10).rounds(table)]
        [[66], [26, 40], [11, 26, 29], [10, 11, 19, 26]]
        """
        self._check_table(table)
        check_whole_table(self, table)
        space = Space(table)
        for state in rounds(space, self._cutter(table, space)):
            yield self._release(table, *state.groups())

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        check_whole_table(self, table)
        space = Space(table)
        return self._release(table, *partition(space, self._cutter(table, space)))

    def _release(self, table: Table, groups: np.ndarray, count: int) -> Release:
        rows = np.arange(len(table))
        return Release(table, summarize(table, rows, groups, count, self.summary), rows, method=self)

    def _cutter(self, table: Table, space: Space) -> Cutter:
        check = self.group_check(table) if self.require else None
        strict = StrictCutter(self.k, self._ranking(space), check)
        return strict if self.strict else RelaxedCutter(strict)

    def _ranking(self, space: Space) -> Ranking:
        if self.cut == "loss":
            from anonnb.methods._mondrian_loss import LossCuts  # needs numba, which takes a moment to import

            return LossCuts(space)
        return MedianCuts()


def check_whole_table(method: GroupMethod, table: Table) -> None:
    """Raise Infeasible when the region to begin with, the whole table, misses a required model."""
    whole = np.zeros(len(table), dtype=np.int64)
    for model in method.require:
        if not model.checker(table)(whole, 1, np.arange(len(table))).all():
            raise Infeasible(f"the whole table as one group misses {model}; ask for less", best=0)
