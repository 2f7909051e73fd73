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

from anonnb.optimum.covers import Covers, Members
from anonnb.optimum.generation import SOLVED, TINY, Prepared, Problem
from anonnb.optimum.pool import Pool
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
    """The best grouping that was found, what it costs, whether none costs less, and what all cost at least."""

    total: float
    groups: Members
    proved: bool
    least: float


def closed(problem: Problem, found: Prepared, groups: Members) -> Closed:
    """The best grouping, given a first one."""
    best = _closed_by_bound(problem, found, groups)
    if best.proved or not found.exact:
        return best
    some = _some(problem, found)
    if some is not None:
        surplus = np.maximum(some.costs - found.prices @ some.matrix, 0.0)
        best = _closed_by_bound(problem, found, Covers(some, surplus, found.prices).regrouped(groups))
    if best.proved:
        return best
    limit = best.total - found.bound + ROUNDING
    listed = _listed(problem, found, limit)
    if listed is None and some is not None:
        listed = _listed_in_stages(some, found, best.total + ROUNDING)
    while listed is None and limit > TINY:
        limit *= LESS
        listed = _listed(problem, found, limit)
    return best if listed is None else _searched(listed, best)


def _closed_by_bound(problem: Problem, found: Prepared, groups: Members) -> Closed:
    """A grouping, which is the best one where it costs what the bound says."""
    published = np.bincount(np.concatenate(groups), minlength=len(problem.points.units))
    withheld = float((problem.points.units - published) @ problem.withheld)
    total = sum(problem.cost(members) for members in groups) + withheld
    proved = total <= found.bound * (1 + 1e-9) + 1e-9
    return Closed(total, groups, proved, total if proved else found.bound)


def _some(problem: Problem, found: Prepared) -> Pool | None:
    """The groups that cost least above their prices, as many as can be listed quickly."""
    pools = (Pool.up_to(problem, found.prices, share * found.bound, SOME, NODES) for share in SHARES)
    return next((pool for pool in pools if pool is not None), None)


@dataclass(frozen=True)
class Listing:
    """The groups of all groupings that cost at most ``total``, and prices and cuts to begin a program with."""

    pool: Pool
    total: float
    prices: np.ndarray
    cuts: RoundingCuts


def _listed(problem: Problem, found: Prepared, limit: float) -> Listing | None:
    """The groups of groupings that cost at most ``limit`` more than the bound; None where there are too many."""
    pool = Pool.up_to(problem, found.prices, limit, ROOM, NODES)
    cuts = RoundingCuts(problem.points.units, problem.k)
    return None if pool is None else Listing(pool, found.bound + limit, found.prices, cuts)


def _listed_in_stages(some: Pool, found: Prepared, total: float) -> Listing | None:
    """The same at the prices and fines of a program of some groups with cuts, whose bound is higher: fewer are listed.

    Groups that cost less than nothing join the program. Once none does, its prices hold for all groups.
    """
    problem, units = some.problem, some.problem.points.units
    cuts = RoundingCuts(units, problem.k)
    left = tightened(some, found.prices, total, cuts)
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
        some = some.joined(pool.take(forgotten[np.argsort(reduced[forgotten], kind="stable")[:FORGOTTEN]]))
        solution = solved(some, cheapest(some, prices), cuts)
        prices, fines, bound = solution.prices, solution.fines, solution.value
    return None


def _searched(listed: Listing, best: Closed) -> Closed:
    """The best grouping out of a list."""
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
