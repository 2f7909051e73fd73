"""Rounding, and top and bottom coding: numbers are published more coarsely at a fixed step, or at the ends only.

Top and bottom coding publishes the ends as intervals, which stay true; a table of means of the ends would be another
reading. Rounding goes to the nearest multiple of the step, halves to the even one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from anonnb.core.parameters.constraints import Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import Method, Progress
from anonnb.methods.perturbation.columns import COLUMNS, chosen, log_shares, number_column, tell_column, tell_columns
from anonnb.methods.perturbation.promises import CoarserValues
from anonnb.methods.promises import Promise
from anonnb.privacy.likelihoods import Likelihood
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@register
@dataclass(frozen=True)
class Rounding(Method):
    """Round numeric quasi-identifiers to multiples of a step.

    Parameters
    ----------
    step:
        Numbers are rounded to the nearest multiple of it, halves to the even one.
    columns:
        The numeric quasi-identifiers to change; all of them by default.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [21, 24, 38]}), quasi=["age"])
    >>> Rounding(step=5).anonymize(table).frame["age"].tolist()
    [20, 25, 40]

    Guarantees
    ----------
    proved:
        No number moves by more than half a step; equal numbers stay equal.
    tested:
        60 random tables of up to 30 rows, from the published text.
    heuristic:
        No class size is promised.
    paper:
        A. Hundepool et al., Statistical Disclosure Control, Wiley 2012, chapter 3.
    """

    promised: ClassVar[type[Promise]] = CoarserValues
    truthful: ClassVar[bool] = False
    rows_in_seconds: ClassVar[int] = 1_000_000

    step: float = parameter(Number(above=0), default=10.0)
    columns: Sequence[str] | None = parameter(COLUMNS, default=None)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        for name in chosen(table, self.columns, numbers=True):
            table.attributes[name].check_averages()

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        columns, names = {}, chosen(table, self.columns, numbers=True)
        tell_columns(table, names)
        for name in progress(names, desc="columns"):
            attribute = table.attributes[name]
            multiples = np.round(attribute.numbers / self.step) * self.step
            columns[name] = number_column(attribute, multiples[table.codes(name)], decimals=9)
            tell_column(table, columns, name, f"Every number becomes the nearest multiple of {self.step:g}")
        return Release(table, columns, np.arange(len(table)), method=self)

    def likelihoods(self, release: Release, names: Sequence[str]) -> list[Likelihood]:
        # A row can be a person's if it shows the multiple to which their number is rounded.

        def log_chance(true: np.ndarray, published: np.ndarray) -> np.ndarray:
            multiples = np.round(true / self.step) * self.step
            same = np.isclose(multiples, published.T, rtol=1e-9, atol=1e-8 * self.step, equal_nan=True)
            return np.where(same, 0.0, -np.inf)

        rounded = chosen(release.table, self.columns, numbers=True)
        return [
            Likelihood((name,), log_chance, log_shares(release, name, numbers=True))
            for name in rounded
            if name in names
        ]


@register
@dataclass(frozen=True)
class TopBottomCoding(Method):
    """Publish the largest and the smallest numbers of each numeric quasi-identifier as one interval each.

    Parameters
    ----------
    top, bottom:
        The shares of the rows at each end, from 0 to 0.5; numbers equal to one at the end belong to it.
    columns:
        The numeric quasi-identifiers to change; all of them by default.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"income": [10, 20, 30, 40, 900]}), quasi=["income"])
    >>> TopBottomCoding(top=0.4, bottom=0).anonymize(table).frame["income"].tolist()
    ['10', '20', '30', '[40–900]', '[40–900]']

    Guarantees
    ----------
    proved:
        Every cell holds its true value; outside the ends nothing changes.
    tested:
        60 random tables of up to 30 rows: the share of rows at each end, and the truth of every cell.
    heuristic:
        No class size is promised: only extreme values are hidden.
    paper:
        A. Hundepool et al., Statistical Disclosure Control, Wiley 2012, chapter 3.
    """

    promised: ClassVar[type[Promise]] = CoarserValues
    rows_in_seconds: ClassVar[int] = 1_000_000

    top: float = parameter(Number(at_least=0, at_most=0.5), default=0.05)
    bottom: float = parameter(Number(at_least=0, at_most=0.5), default=0.05)
    columns: Sequence[str] | None = parameter(COLUMNS, default=None)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        chosen(table, self.columns, numbers=True)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        columns, names = {}, chosen(table, self.columns, numbers=True)
        tell_columns(table, names)
        for name in progress(names, desc="columns"):
            low, high = self._ends(table.counts(name)[: len(table.attributes[name].domain)])
            codes = table.codes(name)
            known = codes < len(table.attributes[name].domain)
            below, above = known & (codes <= low), known & (codes >= high)
            start = np.where(below, 0, np.where(above, high, codes))
            end = np.where(below, low, np.where(above, len(table.attributes[name].domain) - 1, codes))
            columns[name] = Column.from_spans(table.attributes[name], start, end)
            ends = f"{pluralize(int(below.sum()), 'row')} at the lower end and {int(above.sum()):,} at the upper"
            tell_column(table, columns, name, f"Those at an end share one interval: {ends}")
        return Release(table, columns, np.arange(len(table)), method=self)

    def _ends(self, counts: np.ndarray) -> tuple[int, int]:
        """Return the last code of the lower end and the first of the upper one; the ends do not overlap."""
        before = np.cumsum(counts)
        total = int(before[-1]) if len(before) else 0
        low = int(np.searchsorted(before, np.ceil(self.bottom * total))) if self.bottom * total > 0 else -1
        after = total - before + counts  # rows with this number or a larger one
        high = len(counts) - 1 - int(np.searchsorted(after[::-1], np.ceil(self.top * total)))
        high = high if self.top * total > 0 else len(counts)
        return low, max(high, low + 1)
