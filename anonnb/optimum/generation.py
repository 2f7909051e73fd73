"""Column generation (Gilmore and Gomory 1961) for the partition of a table into groups of k to 2k − 1 rows.

The linear program has a column per group and a constraint per row; only groups that the dual prices call for are
generated. Larger groups never cost less: one of 2k rows splits into two that are no wider. HiGHS (Huangfu and Hall
2018) solves the programs, through scipy. Rows with one quasi-identifier are one constraint with several units.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.optimum._search import TINY, Charges, Found, Points, groups_of_roots, make_found, make_levels
from anonnb.optimum.prices import Prices

BUDGETS = (300, 3_000, 30_000)  # nodes per root: few while there are groups to be found, more to prove there are none
MOST_ROUNDS = 400  # programs per table; far more than any table of a few hundred rows has needed
SOLVED = 1e-6  # HiGHS leaves reduced costs of this size below 0
NARROWINGS = (0.97, 0.94, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)


@dataclass(frozen=True)
class Problem:
    """The rows of a table as points with units, the size of groups, and whether rows may be withheld."""

    prices: Prices
    k: int
    withhold: bool = False

    @cached_property
    def _distinct(self) -> tuple[np.ndarray, np.ndarray]:
        return self.prices.distinct()

    @property
    def point(self) -> np.ndarray:
        """The point of every row."""
        return self._distinct[0]

    @property
    def most(self) -> int:
        """The size of the largest group that needs to be considered."""
        return min(2 * self.k - 1, len(self.point))

    @cached_property
    def withheld(self) -> np.ndarray:
        """What a unit of each point costs unpublished; more than in any group if rows must not be withheld."""
        own = self.prices.withheld[self._distinct[1]]
        return own if self.withhold else np.full(len(own), 1 + 16 * self.k * float(self.prices.withheld.max()))

    @cached_property
    def points(self) -> Points:
        """The same for the compiled searches."""
        prices, first = self.prices, self._distinct[1]
        return Points(
            prices.codes[first],
            prices.place[first],
            prices.is_nominal,
            prices.step,
            prices.cap,
            np.bincount(self.point),
            prices.squares,
        )

    def groups_of(self, labels: np.ndarray) -> list[np.ndarray]:
        """The groups of the rows as points of their units."""
        count = int(labels.max(initial=-1)) + 1
        order, starts = group_order(labels + 1, count + 1)  # -1: a row in no group
        return np.split(self.point[order], starts[1:-1])[1:]

    def rows_of(self, groups: list[np.ndarray]) -> np.ndarray:
        """The number of the group of every row, -1 for a row that no group takes."""
        rows = np.argsort(self.point, kind="stable")
        next_row = np.cumsum(self.points.units) - self.points.units
        labels = np.full(len(self.point), -1, dtype=np.int64)
        for number, members in enumerate(groups):
            for point in members:
                labels[rows[next_row[point]]] = number
                next_row[point] += 1
        return labels

    def cost(self, members: np.ndarray) -> float:
        """What one group costs; ``members`` are the points of its units."""
        rows = self._distinct[1][members]
        prices, groups = self.prices, np.zeros(len(members), dtype=np.int64)
        part = Prices(
            prices.measure,
            prices.codes[rows],
            prices.place[rows],
            prices.is_nominal,
            prices.step,
            prices.cap,
            prices.withheld[rows],
            prices.scale,
        )
        return float(part.costs(groups, 1)[0])


class Columns:
    """Groups as columns of a program: each a sorted tuple of points, with its cost."""

    def __init__(self, problem: Problem):
        self.problem, self.costs = problem, {}

    def add(self, members: np.ndarray) -> bool:
        """Remember a group; whether it is new."""
        key = tuple(sorted(members.tolist()))
        if key in self.costs:
            return False
        self.costs[key] = self.problem.cost(np.array(key))
        return True

    def program(self) -> tuple[np.ndarray, object, np.ndarray]:
        """Costs, constraints and units: columns of groups, then one for every point that is left out."""
        from scipy.sparse import csc_array

        units, withheld = self.problem.points.units, self.problem.withheld
        members = [np.array(key) for key in self.costs]
        owner = np.repeat(np.arange(len(members)), [len(key) for key in members])
        alone = np.arange(len(units))
        rows = np.concatenate([*members, alone]).astype(np.int64)
        columns = np.concatenate([owner, len(members) + alone])
        matrix = csc_array((np.ones(len(rows)), (rows, columns)), shape=(len(units), len(members) + len(units)))
        return np.concatenate([list(self.costs.values()), withheld]), matrix, units

    def solve(self) -> tuple[float, np.ndarray]:
        """The value of the linear program and the price of every point."""
        from scipy.optimize import linprog

        costs, matrix, units = self.program()
        answer = linprog(costs, A_eq=matrix, b_eq=units, method="highs-ds")
        return float(answer.fun), np.asarray(answer.eqlin.marginals, dtype=float)


@dataclass(frozen=True)
class Prepared:
    """What column generation found: the groups, the prices of the points, and what these prove."""

    columns: Columns
    prices: np.ndarray
    value: float
    exact: bool

    @property
    def bound(self) -> float:
        return float(self.prices @ self.columns.problem.points.units)


def generated(problem: Problem, start: np.ndarray, budgets: tuple[int, ...] = BUDGETS) -> Prepared:
    """Solve the linear program; ``start`` is a first partition of the rows, ``budgets`` limit the searches.

    Prices are always feasible: what a search could not exclude is subtracted from the price of its root.
    """
    columns, search = Columns(problem), Pricing(problem)
    for group in problem.groups_of(start):
        columns.add(group)
    level = 0
    for _ in range(MOST_ROUNDS):
        value, prices = columns.solve()
        groups, slack = search.best(prices, budgets[level])
        if not sum([columns.add(group) for group in groups]):
            if level + 1 == len(budgets) or slack.max() <= SOLVED:
                break
            level += 1
    exact = bool(slack.max() <= SOLVED)
    return Prepared(columns, prices - slack if exact else _feasible(search, prices, slack, budgets[-1]), value, exact)


def _feasible(search: Pricing, prices: np.ndarray, slack: np.ndarray, budget: int) -> np.ndarray:
    """Smaller prices are proved with fewer nodes: the best of some shares, each with what it could not exclude."""
    units, best = search.problem.points.units, prices - slack
    for share in NARROWINGS:
        _, slack = search.best(share * prices, budget)
        tried = share * prices - slack
        if tried @ units < best @ units and slack.max() <= TINY:
            break
        best = max(best, tried, key=lambda each: each @ units)
    return best


def no_charges(points: int) -> Charges:
    """What groups pay where there are no cuts."""
    return Charges(np.zeros((0, points), dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))


class Pricing:
    """The compiled searches with their working space."""

    def __init__(self, problem: Problem):
        points = problem.points
        self.problem, self._points = problem, points
        self._free = no_charges(len(points.units))
        self._levels = make_levels(len(points.units), len(points.cap), problem.most)

    def best(self, prices: np.ndarray, budget: int) -> tuple[list[np.ndarray], np.ndarray]:
        """The best groups that cost less than their prices, one per root, and for each root what may be missing."""
        found, slack = make_found(len(prices), self.problem.most), np.zeros(len(prices))
        self._search(prices, self._free, prices, -TINY, budget, 0, found, slack)
        groups = [members[:size] for members, size in zip(found.members, found.sizes, strict=True) if size]
        return groups, slack

    def every(
        self, prices: np.ndarray, limit: float, room: int, budget: int, charges: Charges | None = None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """All groups that cost at most ``limit`` more than their prices: members and sizes; None for too many.

        What cuts charge a group counts as part of its cost.
        """
        found, reach = make_found(room, self.problem.most), np.nextafter(prices + limit / self.problem.k, np.inf)
        charges = self._free if charges is None else charges
        number = self._search(prices, charges, reach, limit, budget, 1, found, np.zeros(0))
        return None if number < 0 else (found.members[:number], found.sizes[:number])

    def _search(
        self,
        prices: np.ndarray,
        charges: Charges,
        reach: np.ndarray,
        limit: float,
        budget: int,
        every: int,
        found: Found,
        slack: np.ndarray,
    ) -> int:
        if self._points.squares:
            reach = np.full(len(prices), np.inf)  # candidates are sorted by distance there, and distances bound no cost
        sizes = self.problem.k, self.problem.most
        state = self._points, self._levels, prices, charges, _ranks(prices), reach
        return groups_of_roots(*state, *sizes, limit, budget, every, found, slack)


def _ranks(prices: np.ndarray) -> np.ndarray:
    """The place of each point from the highest price down."""
    ranks = np.empty(len(prices), dtype=np.int64)
    ranks[np.argsort(-prices, kind="stable")] = np.arange(len(prices))
    return ranks
