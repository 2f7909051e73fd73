"""Closing the gap between the bound of the linear program and the best grouping that is known.

A grouping that costs at most a total T consists of groups whose reduced cost is at most T less the bound (Baldacci et
al. 2008). All such groups are listed, cuts shrink the list, and a search with memory finds the best grouping of what is
left; once that costs at most T, none costs less. T is the cost of a good grouping. Where the list would be too long,
cuts raise the bound first, in a program of some groups, and if that is not enough, T is less. A list or a search that
is too long all the same leaves a gap, and the result says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csc_array

from anonnb.optimum._cover import Memory, PricedGroups, by_first_point, cheapest_cover, make_memory, make_path
from anonnb.optimum.generation import SOLVED, TINY, Pool, Prepared, Problem
from anonnb.optimum.rounding_cuts import RoundingCuts, cheapest, solved, tightened

ROOM, NODES = 2_000_000, 400_000_000  # groups that are listed, and nodes that may be visited for them
SOME = 100_000  # groups that neighbours are regrouped with
SHARES = (0.03, 0.02, 0.01, 0.005, 0.002)  # of the bound: how far above it T is, to list some groups
LESS = 0.7  # of the distance between bound and T is tried where the list is too long
LISTINGS = 6  # at prices with cuts; so far the second has found that the program lacks no group
FORGOTTEN = 20_000  # groups that join the program at once
ROUNDING = 1e-7  # of reduced costs
STEPS = (0.5, 0.75, 1.0)  # of the distance between the raised bound and T: a search up to each, as the first are quick
VISITED = 150_000_000  # nodes of each search for a grouping: about a minute


@dataclass(frozen=True)
class Closed:
    """Best grouping known, what it costs, whether none costs less, and what all cost at least."""

    total: float
    groups: Members
    proved: bool
    least: float


def closed(problem: Problem, prepared: Prepared, groups: Members) -> Closed:
    """Improve a first grouping to the best one."""
    best = _closed_by_bound(problem, prepared, groups)
    if best.proved or not prepared.exact:
        return best
    pools = (Pool.up_to(problem, prepared.prices, share * prepared.bound, SOME, NODES) for share in SHARES)
    cheap = next((pool for pool in pools if pool is not None), None)
    if cheap is not None:
        surplus = np.maximum(cheap.costs - prepared.prices @ cheap.matrix, 0.0)
        best = _closed_by_bound(problem, prepared, Covers(cheap, surplus, prepared.prices).regrouped(groups))
    if best.proved:
        return best
    limit = best.total - prepared.bound + ROUNDING
    listed = _listed(problem, prepared, limit)
    if listed is None and cheap is not None:
        listed = _listed_in_stages(cheap, prepared, best.total + ROUNDING)
    while listed is None and limit > TINY:
        limit *= LESS
        listed = _listed(problem, prepared, limit)
    return best if listed is None else _searched(listed, best)


def _closed_by_bound(problem: Problem, prepared: Prepared, groups: Members) -> Closed:
    """Return a grouping, which is the best one if it costs what the bound says."""
    published = np.bincount(np.concatenate(groups), minlength=len(problem.points.units))
    withheld = float((problem.points.units - published) @ problem.withheld)
    total = sum(problem.cost(members) for members in groups) + withheld
    proved = total <= prepared.bound * (1 + 1e-9) + 1e-9
    return Closed(total, groups, proved, total if proved else prepared.bound)


@dataclass(frozen=True)
class Listing:
    """Groups of all groupings that cost at most ``total``, and prices and cuts to begin a program with."""

    pool: Pool
    total: float
    prices: np.ndarray
    cuts: RoundingCuts


def _listed(problem: Problem, prepared: Prepared, limit: float) -> Listing | None:
    """List the groups of groupings that cost at most ``limit`` more than the bound; None if there are too many."""
    pool = Pool.up_to(problem, prepared.prices, limit, ROOM, NODES)
    cuts = RoundingCuts(problem.points.units, problem.k)
    return None if pool is None else Listing(pool, prepared.bound + limit, prepared.prices, cuts)


def _listed_in_stages(cheap: Pool, prepared: Prepared, total: float) -> Listing | None:
    """List fewer groups, at the prices and fines of a program of some groups with cuts, whose bound is higher.

    Groups that cost less than nothing join the program. Once none does, its prices hold for all groups.
    """
    problem, units = cheap.problem, cheap.problem.points.units
    cuts = RoundingCuts(units, problem.k)
    left = tightened(cheap, prepared.prices, total, cuts)
    prices, fines, bound = left.prices, left.fines, left.bound
    for _ in range(LISTINGS):
        limit = max(total - bound, 0.0) + ROUNDING * (1 + units.sum())
        pool = Pool.up_to(problem, prices, limit, ROOM, NODES, cuts.charges(fines))
        if pool is None:
            return None
        reduced = pool.costs - prices @ pool.matrix
        cuts.charge(pool, fines, np.inf, reduced)
        forgotten = np.flatnonzero(reduced < -ROUNDING)
        if not len(forgotten):
            return Listing(pool, total, prices, cuts)
        cheap = cheap.joined(pool.take(forgotten[np.argsort(reduced[forgotten], kind="stable")[:FORGOTTEN]]))
        solution = solved(cheap, cheapest(cheap, prices), cuts)
        prices, fines, bound = solution.prices, solution.fines, solution.value
    return None


def _searched(listed: Listing, best: Closed) -> Closed:
    """Find the best grouping out of a list."""
    total, left = listed.total, tightened(listed.pool, listed.prices, listed.total, listed.cuts)
    covers = Covers(left.pool, left.surplus, left.prices)
    best = replace(best, least=min(max(best.least, min(left.bound, total)), best.total))
    for step in STEPS:
        upto = min(left.bound + step * (total - left.bound), total)  # the list holds nothing above the total
        cover = covers.best(left.bound, upto, VISITED)
        if cover.groups is not None and cover.total < best.total:
            best = replace(best, total=cover.total, groups=cover.groups)
        if not cover.complete:
            return best
        if cover.groups is not None or best.total <= upto:
            return replace(best, proved=True, least=best.total)
        best = replace(best, least=min(max(best.least, upto - SOLVED), best.total))
    return best


# ---- covers ----------------------------------------------------------------------------------------------------------
# The cheapest grouping out of a pool of groups, and the regrouping of a few neighbours at a time.
#
# Both are the search of ``_cover``: over all points, or over those of some groups of a grouping, which are then
# replaced by the cheapest ones of the same points.


LINES, FEW_LINES = 1 << 21, 1 << 14  # of memory for a whole search, and for the regrouping of neighbours
TOGETHER = (3, 4, 5, 6)  # neighbouring groups that are regrouped
NODES_OF_SOME = 100_000  # that the regrouping of some neighbours may visit
CHEAP = 4_000  # groups that tell which points are neighbours

Members = list[np.ndarray]  # the points of the units of each group; a withheld unit is in none


@dataclass(frozen=True)
class Cover:
    """Result of a search: the least cost, the groups (None: no better ones), and whether it was complete."""

    total: float
    groups: Members | None
    complete: bool


class Covers:
    """Groups of a pool, and withheld units as groups of their own, with what each costs above its prices."""

    def __init__(self, pool: Pool, surplus: np.ndarray, prices: np.ndarray):
        costs, matrix = pool.with_rest()
        surplus = np.concatenate([surplus, np.maximum(pool.problem.withheld - prices, 0.0)])
        self._order = np.argsort(surplus, kind="stable")
        self._pool, self._prices = pool, prices
        self._matrix = csc_array(matrix[:, self._order])
        arrays = (self._matrix.indptr, self._matrix.indices, self._matrix.data)
        starts, points, units = (np.asarray(each, dtype=np.int64) for each in arrays)
        self._groups = PricedGroups(starts, points, units, costs[self._order], surplus[self._order])

    def best(self, bound: float, total: float, nodes: int) -> Cover:
        """Find the cheapest cover of all points below ``total``; none costs less than ``bound`` and its surpluses."""
        units = self._pool.problem.points.units
        near = self._neighbours(int(np.searchsorted(self._groups.surplus, total - bound)))
        return self._search(units, near, bound, total, nodes, make_memory(units, LINES))

    def regrouped(self, groups: Members) -> Members:
        """Regroup neighbours as long as that is cheaper, as far as searches of some nodes tell."""
        units, cost = self._pool.problem.points.units, self._pool.problem.cost
        near, memory, tried = self._neighbours(CHEAP), make_memory(units, FEW_LINES), set()
        for together in TOGETHER:
            first = 0
            while first < len(groups):
                counts = np.array([np.bincount(members, minlength=len(units)) for members in groups])
                which = _nearest(counts @ near @ counts[first], first, together)
                need, total = counts[which].sum(axis=0), sum(cost(groups[number]) for number in which)
                key, first = counts[which].tobytes(), first + 1
                if key not in tried:
                    tried.add(key)
                    cover = self._search(need, near, float(self._prices @ need), total, NODES_OF_SOME, memory)
                    if cover.groups is not None:
                        groups = [members for number, members in enumerate(groups) if number not in which]
                        groups, first = cover.groups + groups, 0
        return groups

    def _search(
        self, units: np.ndarray, near: np.ndarray, bound: float, total: float, nodes: int, memory: Memory
    ) -> Cover:
        chosen = np.empty(int(units.sum()), dtype=np.int64)
        sweep = _sweep(near, np.flatnonzero(units))
        memory.covered[:] = 0
        lists = by_first_point(self._groups, units, sweep, total - bound)
        path = make_path(len(chosen), memory.covered.shape[1])
        total, number, left = cheapest_cover(
            self._groups, lists, units.copy(), sweep, bound, total, nodes, memory, path, chosen
        )
        return Cover(float(total), self._members(chosen[:number]) if number else None, left >= 0)

    def _members(self, chosen: np.ndarray) -> Members:
        """Return the groups of a cover, without the units that it withholds."""
        numbers = self._order[chosen]
        return [self._pool.group(number) for number in numbers[numbers < len(self._pool)].tolist()]

    def _neighbours(self, limit: int) -> np.ndarray:
        """Count for every two points the groups with the smallest surpluses that hold both."""
        held = self._matrix[:, :limit]
        held = csc_array((np.ones(len(held.data)), held.indices, held.indptr), shape=held.shape)
        return (held @ held.T).toarray()


def _nearest(shared: np.ndarray, first: int, count: int) -> list[int]:
    """Return one group and those that have most cheap groups in common with it."""
    order = [number for number in np.argsort(-shared, kind="stable").tolist() if number != first]
    return sorted([first, *order[: count - 1]])


def _sweep(near: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Order points from neighbours to neighbours: few are begun and not yet covered at any time."""
    near = near[np.ix_(points, points)]
    often = np.maximum(near.diagonal(), 1.0)
    order: list[int] = []
    unvisited, shared = np.ones(len(points), dtype=bool), -often
    while unvisited.any():
        following = int(np.argmax(np.where(unvisited, shared, -np.inf)))
        shared = near[following] / often if not order else shared + near[following] / often
        unvisited[following] = False
        order.append(following)
    return points[order]
