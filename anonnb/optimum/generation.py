"""Column generation (Gilmore and Gomory 1961) for the partition of a table into groups of k to 2k − 1 rows.

The linear program has a column per group and a constraint per row; only groups that the dual prices call for are
generated. Larger groups never cost less: one of 2k rows splits into two that are no wider. HiGHS (Huangfu and Hall
2018) solves the programs, through scipy. Rows with one quasi-identifier are one constraint with several units.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csc_array, csr_array, eye_array, hstack

from anonnb.core.arrays import group_order
from anonnb.optimum._search import TINY, Charges, Found, Points, groups_of_roots, make_found, make_levels
from anonnb.optimum.prices import Prices

BUDGETS = (300, 3_000, 30_000)  # nodes per root: few while there are groups to be found, more to prove there are none
MOST_ROUNDS = 400  # programs per table; far more than any table of a few hundred rows has needed
SOLVED = 1e-6  # HiGHS leaves reduced costs of this size below 0
NARROWINGS = (0.97, 0.94, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)


@dataclass(frozen=True)
class Problem:
    """Rows of a table as points with units, the size of groups, and whether rows may be withheld."""

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
        cost = self.prices.withheld[self._distinct[1]]
        return cost if self.withhold else np.full(len(cost), 1 + 16 * self.k * float(self.prices.withheld.max()))

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
        """Return the groups of the rows as points of their units."""
        count = int(labels.max(initial=-1)) + 1
        order, starts = group_order(labels + 1, count + 1)  # -1: a row in no group
        return np.split(self.point[order], starts[1:-1])[1:]

    def rows_of(self, groups: list[np.ndarray]) -> np.ndarray:
        """Return the number of the group of every row, -1 for a row that no group takes."""
        rows = np.argsort(self.point, kind="stable")
        next_row = np.cumsum(self.points.units) - self.points.units
        labels = np.full(len(self.point), -1, dtype=np.int64)
        for number, members in enumerate(groups):
            for point in members:
                labels[rows[next_row[point]]] = number
                next_row[point] += 1
        return labels

    def cost(self, members: np.ndarray) -> float:
        """Return what one group costs; ``members`` are the points of its units."""
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
        self.problem = problem
        self.costs: dict[tuple[int, ...], float] = {}

    def add(self, members: np.ndarray) -> bool:
        """Remember a group; return whether it is new."""
        key = tuple(sorted(members.tolist()))
        if key in self.costs:
            return False
        self.costs[key] = self.problem.cost(np.array(key))
        return True

    def program(self) -> tuple[np.ndarray, object, np.ndarray]:
        """Return costs, constraints and units: columns of groups, then one for every point that is left out."""
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
        """Return the value of the linear program and the price of every point."""
        from scipy.optimize import linprog

        costs, matrix, units = self.program()
        answer = linprog(costs, A_eq=matrix, b_eq=units, method="highs-ds")
        return float(answer.fun), np.asarray(answer.eqlin.marginals, dtype=float)


@dataclass(frozen=True)
class Prepared:
    """Result of column generation: the groups, the prices of the points, and what these prove."""

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
    """Scale prices down, which fewer nodes prove: the best of some shares, each with what it cannot exclude."""
    units, best = search.problem.points.units, prices - slack
    for share in NARROWINGS:
        _, slack = search.best(share * prices, budget)
        tried = share * prices - slack
        if tried @ units < best @ units and slack.max() <= TINY:
            break
        best = max(best, tried, key=lambda each: each @ units)
    return best


def no_charges(points: int) -> Charges:
    """Return what groups pay if there are no cuts."""
    return Charges(np.zeros((0, points), dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))


class Pricing:
    """Compiled searches with their working space."""

    def __init__(self, problem: Problem):
        points = problem.points
        self.problem, self._points = problem, points
        self._free = no_charges(len(points.units))
        self._levels = make_levels(len(points.units), len(points.cap), problem.most)

    def best(self, prices: np.ndarray, budget: int) -> tuple[list[np.ndarray], np.ndarray]:
        """Return the best group below its prices per root, and for each root what may be missing."""
        space, slack = make_found(len(prices), self.problem.most), np.zeros(len(prices))
        self._search(prices, self._free, prices, -TINY, budget, 0, space, slack)
        groups = [members[:size] for members, size in zip(space.members, space.sizes, strict=True) if size]
        return groups, slack

    def every(
        self, prices: np.ndarray, limit: float, capacity: int, budget: int, charges: Charges | None = None
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Return all groups that cost at most ``limit`` more than their prices: members and sizes; None for too many.

        What cuts charge a group counts as part of its cost.
        """
        space, reach = make_found(capacity, self.problem.most), np.nextafter(prices + limit / self.problem.k, np.inf)
        charges = self._free if charges is None else charges
        number = self._search(prices, charges, reach, limit, budget, 1, space, np.zeros(0))
        return None if number < 0 else (space.members[:number], space.sizes[:number])

    def _search(
        self,
        prices: np.ndarray,
        charges: Charges,
        reach: np.ndarray,
        limit: float,
        budget: int,
        every: int,
        space: Found,
        slack: np.ndarray,
    ) -> int:
        if self._points.squares:
            reach = np.full(len(prices), np.inf)  # candidates are sorted by distance there, and distances bound no cost
        sizes = self.problem.k, self.problem.most
        state = self._points, self._levels, prices, charges, _ranks(prices), reach
        return groups_of_roots(*state, *sizes, limit, budget, every, space, slack)


def _ranks(prices: np.ndarray) -> np.ndarray:
    """Return the position of each point from the highest price down."""
    ranks = np.empty(len(prices), dtype=np.int64)
    ranks[np.argsort(-prices, kind="stable")] = np.arange(len(prices))
    return ranks


# ---- pools -----------------------------------------------------------------------------------------------------------
# A pool of groups as one sparse matrix: points × groups, the units of each point in each group.
#
# Every group that a better grouping can use is in the pool, so programs over it need no further search. Pools shrink:
# a group whose reduced cost is above what is left between bound and best total is in no better grouping (reduced cost
# fixing, Baldacci et al. 2008).


@dataclass(frozen=True)
class Pool:
    """Groups of a problem, and what each costs."""

    problem: Problem
    matrix: csc_array
    costs: np.ndarray

    @classmethod
    def of(cls, problem: Problem, members: np.ndarray, sizes: np.ndarray) -> Pool:
        """Make a pool of groups whose units are the first ``sizes`` entries of each line of ``members``."""
        used = np.arange(members.shape[1]) < sizes[:, None]
        points, owner = members[used], np.repeat(np.arange(len(sizes)), sizes)
        matrix = csc_array((np.ones(len(points)), (points, owner)), shape=(len(problem.points.units), len(sizes)))
        matrix.sum_duplicates()
        return cls(problem, matrix, _costs(problem, matrix))

    @classmethod
    def up_to(
        cls,
        problem: Problem,
        prices: np.ndarray,
        limit: float,
        capacity: int,
        nodes: int,
        charges: Charges | None = None,
    ) -> Pool | None:
        """List all groups that cost at most ``limit`` above their prices, with what cuts charge; None for too many."""
        listed = Pricing(problem).every(prices, limit, capacity, nodes, charges)
        return None if listed is None else cls.of(problem, *listed)

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the points of every group begin, the points, and their units, for the compiled loops."""
        return self.matrix.indptr, self.matrix.indices, self.matrix.data

    def joined(self, other: Pool) -> Pool:
        """Return these groups and those of another pool."""
        matrix = csc_array(hstack([self.matrix, other.matrix]))
        return Pool(self.problem, matrix, np.concatenate([self.costs, other.costs]))

    def take(self, which: np.ndarray) -> Pool:
        """Return some of the groups."""
        return Pool(self.problem, self.matrix[:, which], self.costs[which])

    def group(self, number: int) -> np.ndarray:
        """Return the points of a group's units."""
        span = slice(self.matrix.indptr[number], self.matrix.indptr[number + 1])
        return np.repeat(self.matrix.indices[span], self.matrix.data[span].astype(np.int64))

    def with_rest(self, which: np.ndarray | None = None) -> tuple[np.ndarray, csc_array]:
        """Return costs and matrix of the groups (or some), followed by a column for every point that is left out."""
        matrix, costs = self.matrix, self.costs
        if which is not None:
            matrix, costs = matrix[:, which], costs[which]
        rest = eye_array(matrix.shape[0], format="csc")
        return np.concatenate([costs, self.problem.withheld]), csc_array(hstack([matrix, rest]))


def _costs(problem: Problem, matrix: csc_array) -> np.ndarray:
    """Return what every group of a matrix costs."""
    points, sizes = problem.points, np.asarray(matrix.sum(axis=0)).ravel()
    if points.squares:
        sums = points.place.T @ matrix
        return (points.place**2).sum(axis=1) @ matrix - (sums**2).sum(axis=0) / sizes
    width, begins = np.zeros(len(sizes)), matrix.indptr[:-1]
    for column, nominal in enumerate(points.is_nominal):
        if nominal:
            values = csr_array(np.eye(int(points.codes[:, column].max()) + 1)[:, points.codes[:, column]])
            distinct = np.diff(csc_array(values @ matrix).indptr)
            widths = points.step[column] * (distinct - 1)
        else:
            positions = points.place[matrix.indices, column]
            widths = np.maximum.reduceat(positions, begins) - np.minimum.reduceat(positions, begins)
        width += np.minimum(widths, points.cap[column])
    return width * sizes
