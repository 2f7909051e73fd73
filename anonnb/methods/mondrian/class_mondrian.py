"""Mondrian on each decision class (M2 of Inuiguchi and Washimi 2019): no region mixes decisions.

Rules induced from the release stay sharp, as all rows of a box share their decision; for the same reason the decision
of anyone in a box is known. Classes that are too small to be published are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.core.parameters.constraints import Flag
from anonnb.core.parameters.declared import parameter
from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.mondrian.cutting import SUMMARY, MedianCuts, RelaxedCutter, StrictCutter, check_summarized
from anonnb.methods.mondrian.regions import Space, released_columns
from anonnb.tables.release import Release
from anonnb.tables.table import Table


@register
@dataclass(frozen=True)
class ClassMondrian(GroupMethod):
    """Mondrian on the rows of each decision class, so that no region mixes decisions.

    Decision classes with fewer than ``k`` rows, or that miss a model of ``require``, are left out. Regions begin with
    the range of the decision class.

    Parameters
    ----------
    strict, summary:
        How regions are cut, and what is published of a region, as in :class:`~anonnb.methods.Mondrian`.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30, 40, 50, 60], "ill": ["no", "no", "yes", "yes", "?"]})
    >>> ClassMondrian(k=2).anonymize(Table(frame, quasi=["age"], decision="ill")).frame
           age  ill
    0  [20–30]   no
    1  [20–30]   no
    2  [40–50]  yes
    3  [40–50]  yes

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. All rows of a region have one decision, so the decision of anyone in a region is disclosed. Decision
        classes that cannot be published are left out.
    tested:
        On survey and hayes-roth the release equals Mondrian run on each decision class. 30 random tables of 120 rows:
        the required t-closeness and β-likeness hold when they are measured in the release.
    heuristic:
        The cuts are Mondrian's: greedy, and stopped by frequent values.
    paper:
        M. Inuiguchi and K. Washimi, Utilization of imprecise rules for privacy protection, LNCS 11471, Springer, 2019
        (M2); K. LeFevre, D. DeWitt and R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006.
    """

    rows_in_seconds: ClassVar[int] = 1_000_000
    needs_decision: ClassVar[bool] = True

    uses_weights: ClassVar[bool] = True
    keeps_limits: ClassVar[str] = "parts"

    strict: bool = parameter(Flag(), default=True)
    summary: str = parameter(SUMMARY, default="set")

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        check_summarized(table, self.summary)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        name = table.decision
        assert name is not None  # _check_table asked for it
        decision = table.codes(name)
        published = self.group_check(table).kept(decision, table.attributes[name].size)[decision]
        rows = np.flatnonzero(published)
        if len(rows) == 0:
            largest = int(np.bincount(decision).max())
            raise Infeasible(f"no class of {name!r} can be published by {self}; ask for less", best=largest)
        kept = table.take(rows)
        check = self._check_kept(table, rows) if self.further_check(table) else None
        start = np.unique(kept.codes(name), return_inverse=True)[1]
        cutter = StrictCutter(self.k, MedianCuts(), check) if self.strict else RelaxedCutter(self.k, check)
        return Release(
            table, released_columns(table, rows, Space(kept), cutter, self.summary, start), rows, method=self
        )

    def _check_kept(self, table: Table, rows: np.ndarray) -> Callable[..., np.ndarray]:
        """Return the requirement for groups of published rows, judged against the whole table and what is published.

        The rows that are published are known before the first cut.
        """
        whole, published = self.group_check(table), self.group_check(table.take(rows))

        def check(groups: np.ndarray, n_groups: int, places: np.ndarray | None = None) -> np.ndarray:
            original = rows if places is None else rows[places]
            return whole(groups, n_groups, original) & published(groups, n_groups, places)

        return check
