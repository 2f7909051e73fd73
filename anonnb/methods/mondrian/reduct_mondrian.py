"""Anonymization by a reduct: publish the attributes that the decision needs, and suppress the others.

Ye, Wu, Hu and Hu (2013) anonymize classification data with rough set theory; their paper is not open, and Inuiguchi et
al. (2019) say only that attribute reduction makes anonymous data more usable. Reading: one reduct, found greedily, is
generalized by Mondrian, and every other quasi-identifier is suppressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.methods import register
from anonnb.methods.base import GroupMethod, Progress
from anonnb.methods.mondrian.cutting import MedianCuts, StrictCutter
from anonnb.methods.mondrian.mondrian import check_whole_table
from anonnb.methods.mondrian.regions import Space, released_columns
from anonnb.roughsets import reduct
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@register
@dataclass(frozen=True)
class ReductMondrian(GroupMethod):
    """Strict Mondrian on the quasi-identifiers of a reduct; the other quasi-identifiers are suppressed.

    Examples
    --------
    >>> import anonnb
    >>> table = anonnb.load("decision6").with_roles(quasi=["sex", "occupation", "domicile"])
    >>> release = ReductMondrian(k=2).anonymize(table)
    >>> release.info["reduct"], release.frame["domicile"].unique().tolist()
    (['sex', 'occupation'], ['*'])

    Guarantees
    ----------
    proved:
        Every class has at least k rows and meets every required model; this is checked again before the release is
        handed out. Before generalization, the published attributes tell the decision as well as all quasi-identifiers.
    tested:
        40 random tables of 12 to 40 rows: every class has k rows, and suppressed are exactly the quasi-identifiers
        outside the reduct.
    heuristic:
        The reduct is found greedily and need not be the shortest; Mondrian then coarsens it without a look at the
        decision, so what the reduct tells may be lost.
    paper:
        M. Ye, X. Wu, X. Hu and D. Hu, Anonymizing classification data using rough set theory, Knowledge-Based Systems,
        2013 (the idea, as the related work describes it).
    """

    rows_in_seconds: ClassVar[int] = 100_000
    needs_decision: ClassVar[bool] = True

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        check_whole_table(self, table)
        kept, rows = reduct(table, table.quasi), np.arange(len(table))
        columns = {
            name: Column.suppressed(table.attributes[name], len(table)) for name in table.quasi if name not in kept
        }
        if kept:
            part = table.with_roles(quasi=kept)
            cutter = StrictCutter(self.k, MedianCuts(), self.further_check(table))
            columns |= released_columns(part, rows, Space(part), cutter, "set")
        return Release(table, columns, rows, info={"reduct": kept}, method=self)
