"""Mondrian (LeFevre, DeWitt and Ramakrishnan, ICDE 2006; Ciriani et al. 2008, section 3): boxes cut like a painting.

The table is cut in two along one attribute, each part again, until no cut leaves k rows on both sides. The chapter says
"more than k" but its example has a region of 10 at k = 10: at least k is meant. The widest attribute is cut first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.core.parameters.constraints import Choice, Flag
from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.limits import limited
from anonnb.methods.mondrian.cutting import SUMMARY, MedianCuts, RelaxedCutter, StrictCutter, check_summarized
from anonnb.methods.mondrian.regions import (
    Bounds,
    Cutter,
    Space,
    columns_per_group,
    partition,
    released_columns,
    rounds,
    sides,
    summarize,
)
from anonnb.methods.promises import whole_table_misses
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

CUTS = ("median", "loss")


@register
@dataclass(frozen=True)
class Mondrian(GroupMethod):
    """Multidimensional k-anonymity by recursive cuts.

    Parameters
    ----------
    k, require:
        Both sides of every cut keep at least ``k`` rows and satisfy every required model: one model of
        :mod:`anonnb.privacy` or several, such as ``LDiversity(3)`` or ``[LDiversity(3), TCloseness(0.2)]``.
    strict:
        True sends equal values to the same side, so that boxes do not overlap. False (relaxed) halves a region: its
        rows in the order of the widest attribute, those at the median shared between both sides in table order. So no
        region of 2k rows remains unless all its rows are alike, but frequent values are cut without narrowing anything.
    cut:
        ``"median"`` cuts the widest attribute at its median (or next to it, or another attribute, where that is not
        allowed). ``"loss"`` takes the cut that saves most information loss, which is slower and loses less; with
        ``strict=False`` only what such cuts leave is halved.
    summary:
        ``"set"`` publishes the interval of a group's values, or the set of its categories; ``"region"`` intervals as
        wide as the cuts left them, beginning with the range of the table; ``"mean"`` the mean, middle value or mode.
    polish:
        True continues after the cuts: rows move to and swap with cheaper groups, and neighboring groups are formed
        again, as long as the loss (NCP) falls. Every promise is kept, but groups are no longer boxes of a cut.

    Raises
    ------
    ValueError
        If ``polish`` is asked for together with ``summary="region"``: no regions are left then.

    Notes
    -----
    Categories are cut in the order of their domain: that of the hierarchy's leaves where a hierarchy is attached.
    Ties go to the first attribute and the smallest value.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 25, 30, 60], "sex": list("fmfm")}), quasi=["age", "sex"])
    >>> Mondrian(k=2).anonymize(table).frame["age"].tolist()
    ['[20–25]', '[20–25]', '[30–60]', '[30–60]']

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Strict cuts leave no allowed cut, so that without further models a region has at most 2d(k − 1) + m
        rows, for d attributes and m rows that are alike (LeFevre et al. 2006). Except with summary="mean", every cell
        holds the true value.
    tested:
        50 random tables of up to 40 rows: k, the required model and the truth of every cell, for seven settings. 50
        random tables: no allowed cut is left, by trying all. 30 random tables: relaxed regions stay below 2k rows
        unless their rows are alike.
    heuristic:
        Each cut is chosen greedily, by width or by loss; other cuts may lose less in the end. A frequent value stops
        strict cuts: 1, 2, 2, 2, 2, 3 stays one class at k = 3.
    paper:
        K. LeFevre, D. DeWitt and R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
    """

    rows_in_seconds: ClassVar[int] = 1_000_000

    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "parts"

    strict: bool = parameter(Flag(), default=True)
    cut: str = parameter(Choice(CUTS), default="median")
    summary: str = parameter(SUMMARY, default="set")
    polish: bool = parameter(Flag(), default=False)

    def _check_parameters(self) -> None:
        if self.polish and self.summary == "region":
            raise ValueError(
                "polish=True moves rows between regions, so that no region is left to publish; use summary='set', or "
                "polish=False"
            )

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        check_summarized(table, self.summary)

    def rounds(self, table: Table) -> Iterator[Release]:
        """Yield what would be published before the first cut and after each round; a round cuts every region it can.

        >>> from anonnb import load
        >>> table = load("survey").with_roles(quasi=["Marital_status", "Sex"])
        >>> [sorted(release.group_sizes.tolist()) for release in Mondrian(k=10).rounds(table)]
        [[66], [26, 40], [11, 26, 29], [10, 11, 19, 26]]
        """
        self._check_table(table)
        check_whole_table(self, table)
        space, rows = Space(table), np.arange(len(table))
        bounds = Bounds.of(space) if self.summary == "region" else None
        for state in rounds(space, self._cutter(table, space), bounds=bounds):
            yield Release(table, summarize(table, rows, *state.groups(), self.summary, bounds), rows, method=self)
        if self.polish:
            yield self._polished(table, state.groups()[0])

    def _polished(self, table: Table, groups: np.ndarray) -> Release:
        from anonnb.optimum.polishing import polish  # needs numba, which takes a moment to import

        rows = np.arange(len(table))
        better = polish(table, groups, self.k, self.further_check(table))
        return Release(table, summarize(table, rows, *better, self.summary), rows, method=self)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        check_whole_table(self, table)
        space, rows = Space(table), np.arange(len(table))
        if self.polish:
            return self._polished(table, partition(space, self._cutter(table, space))[0])
        columns = released_columns(table, rows, space, self._cutter(table, space), self.summary)
        return Release(table, columns, rows, method=self)

    def divides(self, table: Table, groups: np.ndarray) -> np.ndarray | None:
        if not self.strict or self.polish or self.summary == "mean" or limited(table):
            return None  # several regions may read alike, or rows move afterwards
        space = Space(table)
        return sides(space, self._cutter(table, space), groups)

    def _cutter(self, table: Table, space: Space) -> Cutter:
        check = self.further_check(table)
        if self.cut == "median":
            return StrictCutter(self.k, MedianCuts(), check) if self.strict else RelaxedCutter(self.k, check)
        from anonnb.methods.mondrian._cutting_by_loss import LossCuts  # needs numba, which takes a moment to import

        by_loss = StrictCutter(self.k, LossCuts(space), check)
        return by_loss if self.strict else RelaxedCutter(self.k, check, first=by_loss)


def check_whole_table(method: GroupMethod, table: Table) -> None:
    """Raise Infeasible when the region to begin with, the whole table, misses a required model."""
    if missed := method.group_check(table).missed_by_all():
        raise Infeasible(whole_table_misses(missed), best=0)


def finish_regions(
    method: Mondrian, table: Table, start: np.ndarray, bounds: Bounds | None = None
) -> tuple[np.ndarray, dict[str, Column]]:
    """Cut the regions that ``start`` numbers to the end; return the group of each row and columns of a cell per group.

    With ``bounds``, one per row, the cells are what the cuts left of them.
    """
    space = Space(table)
    groups, count = partition(space, method._cutter(table, space), start, bounds)
    return groups, columns_per_group(table, slice(None), groups, count, bounds)
