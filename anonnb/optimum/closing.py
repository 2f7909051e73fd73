"""Closing the gap between the bound of the linear program and the best grouping that is known.

A grouping that costs at most a total T consists of groups whose reduced cost is at most T less the bound (Baldacci et
al. 2008). All such groups are listed, cuts shrink the list, and a search with memory finds the best grouping of what is
left; once that costs at most T, none costs less. T is the cost of a good grouping, or rises to it where the list would
be too long. A list or a search that is too long all the same leaves a gap, and the result says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anonnb.optimum.covers import Covers, Members
from anonnb.optimum.generation import SOLVED, TINY, Prepared, Problem
from anonnb.optimum.pool import Pool
from anonnb.optimum.rounding_cuts import RoundingCuts, tightened

ROOM, NODES = 2_000_000, 400_000_000  # groups that are listed, and nodes that may be visited for them
SOME = 100_000  # groups that neighbours are regrouped with
SHARES = (0.03, 0.02, 0.01, 0.005, 0.002)  # of the bound: how far above it T is, to list some groups
LESS = 0.7  # of the distance between bound and T is tried where the list is too long
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
    best = _closed_by_bound(problem, found, _regrouped(problem, found, groups))
    limit, pool = best.total - found.bound + 1e-7, None
    while not best.proved and pool is None and limit > TINY:
        pool = Pool.up_to(problem, found.prices, limit, ROOM, NODES)
        limit *= LESS if pool is None else 1
    return best if pool is None else _searched(pool, found, found.bound + limit, best)


def _closed_by_bound(problem: Problem, found: Prepared, groups: Members) -> Closed:
    """A grouping, which is the best one where it costs what the bound says."""
    published = np.bincount(np.concatenate(groups), minlength=len(problem.points.units))
    withheld = float((problem.points.units - published) @ problem.withheld)
    total = sum(problem.cost(members) for members in groups) + withheld
    proved = total <= found.bound * (1 + 1e-9) + 1e-9
    return Closed(total, groups, proved, total if proved else found.bound)


def _regrouped(problem: Problem, found: Prepared, groups: Members) -> Members:
    """A better grouping: neighbours are regrouped out of as many groups as can be listed quickly."""
    for share in SHARES:
        pool = Pool.up_to(problem, found.prices, share * found.bound, SOME, NODES)
        if pool is not None:
            surplus = np.maximum(pool.costs - found.prices @ pool.matrix, 0.0)
            return Covers(pool, surplus, found.prices).regrouped(groups)
    return groups


def _searched(pool: Pool, found: Prepared, total: float, best: Closed) -> Closed:
    """The best grouping of a pool, which holds the groups of all groupings that cost at most ``total``."""
    cuts = RoundingCuts(pool.problem.points.units, pool.problem.k)
    left = tightened(pool, found.prices, total, cuts)
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
