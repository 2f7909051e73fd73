"""Lower bounds on what any k-anonymous grouping of a table loses, with prices of rows as their certificate.

Weak duality: if no group of k rows or more costs less than the prices of its rows together, no grouping costs less than
all prices. Nearest rows, cheapest groups and column generation find such prices, each higher and slower than the last.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from anonnb.core.errors import Infeasible
from anonnb.optimum.prices import MEASURES, Prices
from anonnb.tables.table import Table

EFFORTS = ("nearest", "groups", "columns")
COLUMNS_UP_TO = 1_000  # different rows times k for which columns are generated unasked: about a minute at most
GROUPS_UP_TO = 20_000  # the same for cheapest groups
NODES = 200  # that the search for the cheapest group of a row may visit


@dataclass(frozen=True, eq=False)
class Bound:
    """No grouping of the table into groups of at least ``k`` rows has a smaller ``measure`` than ``value``.

    ``prices`` are the certificate: a share for every row, in the units of the measure, that add up to the value (None
    for discernibility, which the sizes of groups decide alone). ``effort`` says how they were found. ``exact`` tells
    that no higher prices exist (the linear program is solved), not that a grouping attains them.
    """

    measure: str
    k: int
    value: float
    prices: np.ndarray | None = field(repr=False)
    effort: str
    exact: bool = False
    withhold: bool = False
    costs: Prices | None = field(default=None, repr=False)

    def slack(self, groups: np.ndarray) -> np.ndarray:
        """For each group what it costs above the prices of its rows, in linear time; never below 0 but for rounding.

        ``groups`` numbers all rows of the table, -1 for those withheld, whose costs stand at the end.
        """
        if self.prices is None:
            raise ValueError("discernibility depends on the sizes of groups alone: there are no prices of rows")
        groups = np.asarray(groups)
        if groups.shape != self.prices.shape:
            raise ValueError(f"groups must number the {len(self.prices):,} rows of the table")
        count, shown = int(groups.max(initial=-1)) + 1, groups >= 0
        paid = np.bincount(groups[shown], self.prices[shown], count)
        alone = self.costs.withheld[~shown] * self.costs.scale - self.prices[~shown]
        return np.append(self.costs.costs(groups, count) * self.costs.scale - paid, alone)

    def holds_for(self, groups: np.ndarray) -> bool:
        """Whether the prices add up to the value and no group, of k rows at least, costs less than its rows' prices.

        This is what anybody can check in linear time, for any grouping they like. That it holds for all groupings is
        what the search for prices has proved.
        """
        if self.prices is None:
            sizes = np.bincount(groups[groups >= 0])
            cost = int((sizes**2).sum()) + len(groups) * int((groups < 0).sum())
            return bool(sizes[sizes > 0].min(initial=len(groups)) >= self.k and cost >= self.value)
        adds_up = abs(float(self.prices.sum()) - self.value) <= 1e-9 * max(1.0, self.value)
        return bool(adds_up and self.slack(groups).min(initial=0.0) >= -1e-9)


def bound(table: Table, k: int, measure: str = "ncp", *, withhold: bool = False, effort: str | None = None) -> Bound:
    """A lower bound on the loss of every release of ``table`` that publishes its rows in classes of at least ``k``.

    Parameters
    ----------
    measure:
        ``"ncp"`` (with the weights of columns), ``"suppression"`` (the share of cells that are hidden, where cells are
        published as they are or not at all), ``"sse"`` (of the numeric columns; any one value per class) or
        ``"discernibility"``.
    withhold:
        True also covers releases that withhold rows, at what the measure charges for them.
    effort:
        ``"nearest"`` rows, cheapest ``"groups"`` or ``"columns"`` of the linear program: each bound is at least the one
        before, and takes longer. By default the number of different rows, times k, decides.

    What is covered: every class of at least k rows whose cells hold the values of its rows (NCP), whatever else is
    required of it, and whatever limits a hierarchy sets, since both leave fewer releases. Not covered: releases that
    publish untrue values, as NCP says nothing of them.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 21, 22, 60, 61, 62]}), quasi=["age"])
    >>> found = bound(table, 3)
    >>> round(found.value, 3), found.holds_for(np.array([0, 0, 0, 1, 1, 1]))
    (0.048, True)
    """
    check_problem(table, k, measure)
    if effort not in (None, *EFFORTS):
        raise ValueError(f"effort={effort!r} is not known; use 'nearest', 'groups' or 'columns'")
    if measure == "discernibility":
        return Bound(measure, k, _least_discernibility(len(table), k, withhold), None, "sizes", True, withhold)
    costs = Prices.of(table, measure)
    if k == 1:
        return Bound(measure, k, 0.0, np.zeros(len(table)), "nearest", True, withhold, costs)
    from anonnb.optimum.generation import Problem  # needs numba, which takes a moment to import

    problem = Problem(costs, k, withhold)
    found, exact, effort = _points_priced(table, problem, effort or _usual_effort(problem))
    shares = found[problem.point] * costs.scale
    return Bound(measure, k, float(shares.sum()), shares, effort, exact, withhold, costs)


def check_problem(table: Table, k: int, measure: str) -> None:
    """Raise a clear error where there is nothing to bound."""
    if measure not in MEASURES:
        raise ValueError(f"measure={measure!r} is not known; use {', '.join(map(repr, MEASURES))}")
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"k must be a whole number of at least 1, not {k!r}")
    if not table.quasi:
        raise ValueError("the table has no quasi-identifier; name its columns: quasi=[…]")
    if len(table) < k:
        raise Infeasible(f"k = {k} needs at least {k} rows; the table has {len(table)}", best=len(table))


def _usual_effort(problem: object) -> str:
    work = len(problem.points.units) * problem.k
    return "columns" if work <= COLUMNS_UP_TO else "groups" if work <= GROUPS_UP_TO else "nearest"


def _points_priced(table: Table, problem: object, effort: str) -> tuple[np.ndarray, bool, str]:
    """The price of every point, whether no prices are higher, and which of the efforts found them."""
    from anonnb.optimum import _nearest, generation
    from anonnb.optimum._search import make_levels

    points, k = problem.points, problem.k
    prices = _nearest.nearest_prices(points, k)
    if effort != "nearest" and not points.squares:
        _nearest.cheapest_prices(points, make_levels(len(prices), len(points.cap), k), k, NODES, prices)
    prices = np.minimum(prices, problem.withheld)
    if effort == "columns":
        found = generation.generated(problem, first_groups(table, k))
        if found.bound >= prices @ points.units:
            return np.minimum(found.prices, problem.withheld), found.exact, effort
    return prices, False, "groups" if effort != "nearest" and not points.squares else "nearest"


def first_groups(table: Table, k: int) -> np.ndarray:
    """A grouping to begin with: rows halved where that costs least, as in Mondrian by loss, and polished."""
    from anonnb.optimum.polishing import polish

    costs, groups = Prices.of(table), np.zeros(len(table), dtype=np.int64)
    waiting, count = [np.arange(len(table))], 0
    while waiting:
        rows = waiting.pop()
        if len(rows) >= 2 * k:
            waiting += _halves(costs, rows, k)
        else:
            groups[rows], count = count, count + 1
    return polish(table, groups, k)[0]


def _halves(costs: Prices, rows: np.ndarray, k: int) -> list[np.ndarray]:
    """Some rows in two parts of at least k: of all cuts of the order of a column the one that costs least."""
    best, parts = np.inf, []
    first = np.arange(k, len(rows) - k + 1)  # rows in the first part
    for column in range(len(costs.cap)):
        ranks = costs.codes[rows, column] if costs.is_nominal[column] else costs.place[rows, column]
        order = rows[np.argsort(ranks, kind="stable")]
        before, after = _growing_widths(costs, order), _growing_widths(costs, order[::-1])
        total = first * before[first - 1] + (len(rows) - first) * after[len(rows) - first - 1]
        if total.min() < best:
            best, cut = total.min(), int(first[total.argmin()])
            parts = [order[:cut], order[cut:]]
    return parts


def _growing_widths(costs: Prices, rows: np.ndarray) -> np.ndarray:
    """The summed widths of the first row, the first two, the first three, and so on."""
    widths = np.zeros(len(rows))
    for column in range(len(costs.cap)):
        if costs.is_nominal[column]:
            is_first = np.zeros(len(rows))
            is_first[np.unique(costs.codes[rows, column], return_index=True)[1]] = 1
            own = costs.step[column] * (np.cumsum(is_first) - 1)
        else:
            place = costs.place[rows, column]
            own = np.maximum.accumulate(place) - np.minimum.accumulate(place)
        widths += np.minimum(own, costs.cap[column])
    return widths


def _least_discernibility(rows: int, k: int, withhold: bool) -> float:
    """The sum of squared sizes of as many groups as there can be, all of nearly one size; a withheld row costs all."""
    left = np.arange(rows, -1, -1) if withhold else np.array([rows])
    groups = np.maximum(left // k, 1)
    size, larger = left // groups, left % groups
    total = larger * (size + 1) ** 2 + (groups - larger) * size**2 + (rows - left) * rows
    return float(total[(left >= k) | (left == 0)].min())
