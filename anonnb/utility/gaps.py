"""How far a release is from the best possible: its loss beside a proved lower bound on the loss of any grouping.

The bound is that of :mod:`anonnb.optimum` for the same table, the same k and the same measure. It covers releases that
publish rows in classes of at least k; others are refused, since nothing is proved about them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from anonnb import optimum
from anonnb.optimum.bounds import Bound
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.utility.cells import ncp, suppression_rate, truthfulness
from anonnb.utility.classes import class_k, discernibility
from anonnb.utility.values import sse

_VALUES: dict[str, Callable[[Table, Release, int], float]] = {
    "ncp": lambda table, release, k: ncp(table, release),
    "sse": lambda table, release, k: sse(table, release),
    "suppression": lambda table, release, k: suppression_rate(table, release, of="cells"),
    "discernibility": lambda table, release, k: float(discernibility(table, release, k)),
}


@dataclass(frozen=True, eq=False)
class Gap:
    """Loss, a proved lower bound on the loss of any grouping, and how far the loss is above the bound.

    ``certificate.holds_for(groups)`` checks the bound for these groups.

    Parameters
    ----------
    gap:
        value / bound − 1: with 0.07 the release loses at most 7 % more than the best possible. Infinite where the bound
        is 0 and the loss is not.
    groups:
        The class of every row of the table; -1 for withheld rows.

    Examples
    --------
    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 20, 60, 60]}), quasi=["age"])
    >>> found: Gap = gap(table, Release.of(table), k=2)
    >>> found.value, found.gap, found.certificate.holds_for(found.groups)
    (0.0, 0.0, True)
    """

    value: float
    bound: float
    gap: float
    certificate: Bound = field(repr=False)
    groups: np.ndarray = field(repr=False)

    def __str__(self) -> str:
        name = {"ncp": "NCP", "sse": "SSE"}.get(self.certificate.measure, self.certificate.measure)
        lost = f"{name} {self.value:.4g}; no grouping with k = {self.certificate.k} loses less than {self.bound:.4g}"
        if self.gap == 0:
            return f"{lost}: the optimum"
        return f"{lost}" if np.isinf(self.gap) else f"{lost}: at most {100 * self.gap:.3g} % above the optimum"


def gap(
    table: Table, release: Release, measure: str = "ncp", *, k: int | None = None, bound: Bound | None = None
) -> Gap:
    """Bound how far a release is above the least loss of any k-anonymous grouping.

    A release that withholds rows is compared with groupings that may withhold rows. Except for discernibility, the
    bound compares all pairs of different rows.

    Parameters
    ----------
    measure:
        ``"ncp"``, ``"sse"``, ``"discernibility"``, or ``"suppression"`` (the share of suppressed cells) for releases
        whose cells are exact or suppressed.
    k:
        By default that of the method, or else the size of the smallest class.
    bound:
        A bound found earlier, for example by ``anonnb.optimum.bound`` with another effort. A bound for a smaller k
        holds for a larger one.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonnb.tables.value_sets import Column
    >>> table = Table(pd.DataFrame({"age": [20, 21, 60, 64]}), quasi=["age"])
    >>> columns = {"age": Column.from_spans(table.attributes["age"], [0, 0, 2, 2], [1, 1, 3, 3])}
    >>> print(gap(table, Release(table, columns, np.arange(4)), k=2))
    NCP 0.05682; no grouping with k = 2 loses less than 0.05682: the optimum
    """
    if measure not in _VALUES:
        raise ValueError(f"measure={measure!r} is not known; use {', '.join(map(repr, _VALUES))}")
    groups, k = _classes(table, release), class_k(release, k)
    _check_covered(table, release, measure, k)
    withhold = bool((groups < 0).any())
    if bound is None:
        bound = optimum.bound(table, k, measure, withhold=withhold)
    _check_bound(table, bound, measure, k, withhold)
    value = _VALUES[measure](table, release, k)
    lower_bound = min(bound.value, value)  # above it by rounding only
    above = value - lower_bound
    if above <= 1e-9 * max(value, 1.0) or (bound.exact and above <= 1e-6 * value):
        ratio = 0.0
    else:
        ratio = above / lower_bound if lower_bound > 0 else float("inf")
    return Gap(value, bound.value, ratio, bound, groups)


def _classes(table: Table, release: Release) -> np.ndarray:
    """Return the class of every row of the table, -1 for withheld ones."""
    rows = release.rows
    if rows is None or len(np.unique(rows)) < len(rows) or rows.max(initial=-1) >= len(table):
        raise ValueError("the gap needs a release whose rows are linked, one each, to rows of the table")
    if list(release.quasi) != list(table.quasi):
        raise ValueError(
            "the release and the table have different quasi-identifiers; give the table that was published"
        )
    groups = np.full(len(table), -1, dtype=np.int64)
    groups[rows] = release.groups
    return groups


def _check_covered(table: Table, release: Release, measure: str, k: int) -> None:
    smallest = int(release.group_sizes.min(initial=len(table)))
    if smallest < k:
        raise ValueError(
            f"a class of the release has {smallest} rows, which a bound for k = {k} does not cover; lower k"
        )
    if measure in ("ncp", "suppression") and len(release) and truthfulness(table, release) < 1:
        raise ValueError(
            f"the release has untrue cells, which no bound on {measure} covers; use measure='sse' or 'discernibility'"
        )
    if measure == "suppression":
        for name in release.quasi:
            column = release.columns[name]
            partly = (column.sets.sizes > 1) & (column.sets.sizes < column.attribute.size)
            if partly[column.index].any():
                raise ValueError(
                    f"column {name!r} has generalized cells, which a bound on suppressed cells does not cover; use "
                    "measure='ncp'"
                )


def _check_bound(table: Table, bound: Bound, measure: str, k: int, withhold: bool) -> None:
    rows = len(table) if bound.prices is None else len(bound.prices)
    fits = bound.measure == measure and bound.k <= k and rows == len(table)  # groups of k rows hold any fewer, too
    if not fits or (withhold and not bound.withhold):
        raise ValueError(
            f"the bound is one on {bound.measure} for k = {bound.k} and {rows:,} rows"
            f"{'' if bound.withhold else ' that withholds none'}; find one for this release"
        )
