"""Rank swapping (Moore 1996): each value is exchanged with one of similar rank, column by column.

Rows are sorted by a column. Each row without a partner gets one at random among the later rows within ``percent`` of
the ranks that have none either; the two exchange their values. Ties in the order go by position, which changes nothing,
since equal values are exchanged for equal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from anonnb.core.parameters.constraints import SEED, Number
from anonnb.core.parameters.declared import parameter
from anonnb.core.wording import pluralize
from anonnb.methods import register
from anonnb.methods.base import Method, Progress
from anonnb.methods.perturbation.columns import COLUMNS, chosen, log_shares, tell_column, tell_columns
from anonnb.methods.perturbation.promises import SameMargins
from anonnb.methods.promises import Promise
from anonnb.privacy.likelihoods import Likelihood, LogChance
from anonnb.steps.recording import listening, note
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column


@register
@dataclass(frozen=True)
class RankSwapping(Method):
    """Exchange the values of a column between rows of similar rank.

    Parameters
    ----------
    percent:
        By how much the ranks of two rows may differ at most, in percent of the rows.
    columns:
        The quasi-identifiers to change (all by default); categories are ranked in the order of their domain.
    seed:
        Chooses the partners.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30, 40, 50]}), quasi=["age"])
    >>> RankSwapping(percent=25).anonymize(table).frame["age"].tolist()
    [30, 20, 50, 40]

    Guarantees
    ----------
    proved:
        Every column holds the values that it held, each as often. No value moves further than the given share of the
        ranks, and each row takes part in at most one exchange per column.
    tested:
        60 random tables of up to 40 rows: margins from the published text, and the distance of ranks.
    heuristic:
        No class size is promised. Relations between columns weaken as values move further.
    paper:
        R. Moore, Controlled data-swapping techniques for masking public use microdata sets, US Census 1996.
    """

    promised: ClassVar[type[Promise]] = SameMargins
    truthful: ClassVar[bool] = False
    order_matters: ClassVar[bool] = True
    rows_in_seconds: ClassVar[int] = 300_000

    percent: float = parameter(Number(above=0, at_most=100), default=10.0)
    columns: Sequence[str] | None = parameter(COLUMNS, default=None)
    seed: int = parameter(SEED, default=0)

    def _check_table(self, table: Table) -> None:
        super()._check_table(table)
        chosen(table, self.columns)

    def _anonymize(self, table: Table, progress: Progress) -> Release:
        rng, reach = np.random.default_rng(self.seed), self._reach(len(table))
        columns: dict[str, Column] = {}
        names = chosen(table, self.columns)
        tell_columns(table, names)
        for name in progress(names, desc="columns"):
            codes = table.codes(name)
            order = np.argsort(codes, kind="stable")
            tell = ExchangeSteps(table, columns, name, order) if listening() else None
            swapped = codes.copy()
            swapped[order] = codes[order[partners(len(table), reach, rng, tell)]]
            columns[name] = Column.original(table.attributes[name], swapped)
            near = f"at most {pluralize(reach, 'rank')} away"
            tell_column(table, columns, name, f"Each row swaps with one that chance chooses, {near}")
        return Release(table, columns, np.arange(len(table)), method=self)

    def _reach(self, rows: int) -> int:
        return max(1, int(self.percent / 100 * rows))

    def likelihoods(self, release: Release, names: Sequence[str]) -> list[Likelihood]:
        # A value may be any of those within reach, each rank as likely as the next. The column holds the values that it
        # held, so it tells the ranks, and whoever has another value is not in it.
        if len(release) != len(release.table):
            return []  # rows were taken out, and their ranks with them
        swapped = [name for name in chosen(release.table, self.columns) if name in names]
        return [
            Likelihood((name,), self._log_chance(release, name), log_shares(release, name), numbers=False, mutual=True)
            for name in swapped
        ]

    def _log_chance(self, release: Release, name: str) -> LogChance:
        column = release.columns[name]
        counts = np.bincount(column.sets.lo[column.index], minlength=column.attribute.size + 1)
        past, reach = np.cumsum(counts), self._reach(len(release))
        first = past - counts  # the first rank of each value, and the one past its last; -1 stands for no value
        within = np.subtract(*(_near(ends, np.full_like(ends, len(release)), reach) for ends in (past, first)))

        def log_chance(true: np.ndarray, published: np.ndarray) -> np.ndarray:
            pairs = sum(
                sign * _near(one[true], other[published.T], reach)
                for one, other, sign in ((past, past, 1), (first, past, -1), (past, first, -1), (first, first, 1))
            )
            with np.errstate(divide="ignore"):
                return np.log(pairs / np.maximum(within[true], 1))

        return log_chance


def _near(x: np.ndarray, y: np.ndarray, reach: int) -> np.ndarray:
    """Count the pairs of a rank below x and a rank below y that are at most ``reach`` apart.

    >>> _near(np.array([2]), np.array([3]), 1).tolist()
    [5]
    """

    def below(z: np.ndarray) -> np.ndarray:  # the sum of min(j, y) over 0 <= j < z
        inside = np.minimum(np.maximum(z, 0), y)
        return inside * (inside - 1) // 2 + y * np.maximum(z - y, 0)

    up, down = reach + 1, -reach
    return below(x + up) - below(np.full_like(x, up)) - below(x + down) + below(np.full_like(x, down))


def partners(
    rows: int, reach: int, rng: np.random.Generator, tell: Callable[[int, np.ndarray, np.ndarray], None] | None = None
) -> np.ndarray:
    """Return for every rank the rank it exchanges with, at most ``reach`` away; its own if it has no partner.

    ``tell`` is called after each choice with the rank, the ranks that were free, and the partners so far.

    >>> partners(4, 1, np.random.default_rng(0))
    array([1, 0, 3, 2])
    """
    partner, chance = np.full(rows, -1, dtype=np.int64), rng.random(rows)
    for rank in range(rows):
        if partner[rank] >= 0:
            continue
        free = np.flatnonzero(partner[rank + 1 : rank + 1 + reach] < 0)
        other = rank + 1 + int(free[int(chance[rank] * len(free))]) if len(free) else rank
        partner[rank], partner[other] = other, rank
        if tell is not None:
            tell(rank, rank + 1 + free, partner)
    return partner


# ---- exchanging values ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ExchangeSteps:
    """Records the exchanges of one column; ``order`` holds the rows by rank, ``columns`` the finished columns."""

    table: Table
    columns: Mapping[str, Column]
    name: str
    order: np.ndarray

    def __call__(self, rank: int, free: np.ndarray, partner: np.ndarray) -> None:
        row, other = self._row(rank), self._row(partner[rank])
        value, partner_value = self._text(rank), self._text(partner[rank])
        if len(free):
            title = f"Swap {self.name} of {row} and {other}"
            within = f"{pluralize(len(free), 'row')} within reach {'has' if len(free) == 1 else 'have'} no partner yet"
            sentence = f"{within}. Row {other} is drawn for row {row}, so {value} and {partner_value} change places."
        else:
            title = f"Keep {self.name} of {row}"
            sentence = f"Every row within reach has a partner already, so row {row} keeps its value {value}."
        note(title, sentence, lambda: self._state(partner), lambda: self._within(free), [other] if len(free) else [])

    def _row(self, rank: int) -> object:
        return self.table.index[self.order[rank]]

    def _text(self, rank: int) -> str:
        return self.table.attributes[self.name].labels[self.table.codes(self.name)[self.order[rank]]]

    def _within(self, free: np.ndarray) -> pd.DataFrame:
        index = pd.Index([self._row(rank) for rank in free], name="row")
        return pd.DataFrame({self.name: [self._text(rank) for rank in free]}, index=index)

    def _state(self, partner: np.ndarray) -> Release:
        """Return what would be published now: ranks without a partner keep their values."""
        now = np.where(partner < 0, np.arange(len(partner)), partner)
        codes = self.table.codes(self.name)
        swapped = codes.copy()
        swapped[self.order] = codes[self.order[now]]
        column = Column.original(self.table.attributes[self.name], swapped)
        return Release(self.table, {**self.columns, self.name: column}, np.arange(len(self.table)))
