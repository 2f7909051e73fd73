"""Rounding cuts (Gomory 1958; Chvátal 1973) on the program of groups, and the search for violated ones.

Give every point a whole weight, and take a divisor d. Of all groups together, ⌊weight of all units / d⌋ is the most
that ⌊weight of a group / d⌋ can sum to, as amounts are whole. Fractional solutions break such cuts, which raise the
bound. With the weight 1 of three points and d = 2 they are subset-row cuts (Jepsen et al. 2008); a local search finds
others, with d up to k.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_array, hstack

from anonnb.optimum import _cuts
from anonnb.optimum._search import Charges
from anonnb.optimum.generation import Pool

ROUNDS = 12  # of looking for cuts
MAX_CUTS, PER_POINT = 80, 12  # that a round adds, in all and for one point
MOST_STARTS = 400  # pairs of overlapping groups that the search for cuts starts from
VIOLATED = 0.03  # by less than this a cut is not worth its line
GAINED = 0.0002  # of the bound: a round that gains less is the last but for the first three
MOVES = 14  # changes of a weight that the local search makes
FIRST, MORE = 1_500, 400  # groups that a program begins with, and how many of the others join it at once
NEGATIVE = -1e-7  # a reduced cost below this is one
NARROW = 0.01  # of the bound: groups that cost at most so much above their prices stay in the next program


class RoundingCuts:
    """Cuts for the points of one problem: they hold for any pool of its groups."""

    def __init__(self, units: np.ndarray, k: int):
        self.weights = np.zeros((0, len(units)), dtype=np.int64)
        self.divisors = np.zeros(0, dtype=np.int64)
        self._units, self._k = units, k

    def __len__(self) -> int:
        return len(self.divisors)

    def pieces(self, pool: Pool, which: np.ndarray) -> csc_array:
        """Return for every cut and each of some groups how often the divisor goes into the group's weight."""
        counts = np.zeros((len(self), len(which)))
        _cuts.pieces(*pool.arrays, which, self.weights, self.divisors, counts)
        return csc_array(counts)

    def most(self) -> np.ndarray:
        """Return the right-hand side of each cut: the most that all groups together can have."""
        return (self.weights @ self._units // self.divisors).astype(float)

    def charges(self, fines: np.ndarray) -> Charges:
        """Return the cuts with their fines, for the search for groups."""
        return Charges(self.weights, self.divisors, fines)

    def charge(self, pool: Pool, fines: np.ndarray, limit: float, reduced: np.ndarray) -> None:
        """Add what the cuts charge every group to its reduced cost, unless that is above ``most`` anyway."""
        _cuts.charge(*pool.arrays, self.weights, self.divisors, fines, limit, reduced)

    def keep(self, which: np.ndarray) -> None:
        """Forget all cuts except some."""
        self.weights, self.divisors = self.weights[which], self.divisors[which]

    def add(self, pool: Pool, solution: Solution) -> bool:
        """Add the cuts that the solution violates most; return whether there are any."""
        part = np.flatnonzero(np.abs(solution.amounts - np.rint(solution.amounts)) > 1e-6)
        counts = pool.matrix[:, part].toarray().astype(np.int64)
        points = np.flatnonzero(counts.any(axis=1))
        if not len(points):
            return False
        weights, divisors, over = _violated(counts[points], solution.amounts[part], self._units[points], self._k)
        every = np.zeros((len(weights), counts.shape[0]), dtype=np.int64)
        every[:, points] = weights
        seen = {(cut.tobytes(), by) for cut, by in zip(self.weights, self.divisors.tolist(), strict=True)}
        chosen: list[int] = []
        often = np.zeros(counts.shape[0], dtype=np.int64)
        for number in np.argsort(-over / np.sqrt((weights > 0).sum(axis=1)), kind="stable").tolist():
            key, weighted = (every[number].tobytes(), int(divisors[number])), every[number] > 0
            if key not in seen and often[weighted].max() < PER_POINT and len(chosen) < MAX_CUTS:
                seen.add(key)
                chosen.append(number)
                often += weighted
        self.weights = np.concatenate([self.weights, every[chosen]])
        self.divisors = np.concatenate([self.divisors, divisors[chosen]])
        return bool(chosen)


@dataclass(frozen=True)
class Solution:
    """Solved linear program over a pool: its value, the amount and the reduced cost of every group, cuts' fines."""

    value: float
    amounts: np.ndarray
    reduced: np.ndarray
    fines: np.ndarray
    active: np.ndarray
    prices: np.ndarray


def solved(pool: Pool, active: np.ndarray, cuts: RoundingCuts | None = None, total: float = np.inf) -> Solution:
    """Solve the program of a pool, beginning with the ``active`` groups.

    Reduced costs of groups that no grouping within ``total`` can have may lack what cuts charge.
    """
    units, rest = pool.problem.points.units, len(pool.problem.points.units)
    cuts = cuts if cuts is not None and len(cuts) else None
    while True:
        costs, matrix = pool.with_rest(active)
        more = {}
        if cuts is not None:
            pieces = csc_array(hstack([cuts.pieces(pool, active), csc_array((len(cuts), rest))]))
            more = {"A_ub": pieces, "b_ub": cuts.most()}
        answer = linprog(costs, A_eq=matrix, b_eq=units, method="highs-ds", **more)
        prices = np.asarray(answer.eqlin.marginals, dtype=float)
        fines = np.zeros(0) if cuts is None else np.maximum(-answer.ineqlin.marginals, 0.0)
        value = float(prices @ units - (0.0 if cuts is None else fines @ cuts.most()))
        reduced = pool.costs - prices @ pool.matrix
        if cuts is not None:
            cuts.charge(pool, fines, max(total - value, 0.0) + 1e-6, reduced)
        asked = np.flatnonzero(reduced < NEGATIVE)
        asked = asked[~np.isin(asked, active)]
        if not len(asked):
            amounts = np.zeros(len(pool))
            amounts[active] = answer.x[: len(active)]
            return Solution(value, amounts, reduced, fines, active, prices)
        active = np.union1d(active, asked[np.argsort(reduced[asked], kind="stable")[:MORE]])


def cheapest(pool: Pool, prices: np.ndarray) -> np.ndarray:
    """Return the groups to begin with: those that cost least above their prices."""
    return np.argsort(pool.costs - prices @ pool.matrix, kind="stable")[:FIRST]


@dataclass(frozen=True)
class Tightened:
    """Groups of groupings within a total, what each costs above its prices, and what all groupings cost at least.

    Surpluses and bound belong together: no grouping costs less than the bound and the surpluses of its groups.
    """

    pool: Pool
    surplus: np.ndarray
    bound: float
    prices: np.ndarray
    fines: np.ndarray


def tightened(pool: Pool, prices: np.ndarray, total: float, cuts: RoundingCuts) -> Tightened:
    """Raise the bound by cuts, and keep the groups of groupings that cost at most ``total``."""
    active, last = cheapest(pool, prices), -np.inf
    for number in range(ROUNDS):
        solution = solved(pool, active, cuts, total)
        keep, paid = solution.reduced <= total - solution.value + 1e-7, solution.fines > 1e-9
        narrow = keep & (solution.reduced <= NARROW * solution.value)
        active = np.cumsum(keep)[solution.active[narrow[solution.active]]] - 1
        pool = pool.take(np.flatnonzero(keep))
        cuts.keep(paid)
        amounts, reduced, fines = solution.amounts[keep], solution.reduced[keep], solution.fines[paid]
        solution = replace(solution, amounts=amounts, reduced=reduced, fines=fines, active=active)
        slow = number > 2 and solution.value - last < GAINED * solution.value
        if not len(pool) or slow or number + 1 == ROUNDS or not cuts.add(pool, solution):
            break
        last = solution.value
    below = -float(solution.reduced.min(initial=0.0)) * pool.problem.points.units.sum()  # rounding, once per group
    return Tightened(pool, np.maximum(solution.reduced, 0.0), solution.value - below, solution.prices, solution.fines)


def _violated(counts: np.ndarray, amounts: np.ndarray, units: np.ndarray, k: int) -> _cuts.ViolatedCuts:
    """Find violated cuts near single points, groups, and pairs of overlapping groups."""
    held = counts.T > 0
    pairs = [(one, other) for one, other in combinations(range(len(held)), 2) if (held[one] & held[other]).any()]
    pairs = pairs[:: len(pairs) // MOST_STARTS + 1]
    both = [held[one] | held[other] for one, other in pairs]
    starts = np.concatenate([np.eye(len(units), dtype=bool), held, np.array(both).reshape(-1, len(units))])
    groups, divisors = _cuts.make_groups(counts, amounts), np.arange(2, k + 1)
    cuts, cut = _cuts.make_violated(len(starts) * len(divisors), len(units)), _cuts.make_cut(*counts.shape)
    number = _cuts.violated(groups, units, starts.astype(np.int64), divisors, MOVES, VIOLATED, cuts, cut)
    return _cuts.ViolatedCuts(*(each[:number] for each in cuts))
