"""Closing the gap between the bound of the linear program and the best grouping that is known.

A grouping that costs at most a total T consists of groups whose reduced cost is at most T less the bound (Baldacci et
al. 2008). For a rising T all such groups are listed, cuts shrink the list, and HiGHS finds the best grouping of what is
left; once that costs at most T, none costs less. A list that is too long leaves a gap, and the result says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array, hstack

from anonnb.optimum.generation import SOLVED, Prepared, Problem
from anonnb.optimum.pool import Pool
from anonnb.optimum.rounding_cuts import RoundingCuts, any_sets, tightened, triples

ROOM, NODES = 2_000_000, 400_000_000  # groups that are listed, and nodes that may be visited for them
QUICK = 100_000  # nodes of the first look: if few groups are listed in it, T need not rise to the known total
FIRST_SHARE, GROWTH = 0.01, 1.4  # of the bound: how far above it the first T is, and by what that rises
FEW, SOME, MOST = 500, 6_000, 30_000  # groups that HiGHS takes without cuts, with short cuts, and at all
SECONDS = 300  # that HiGHS may take for one program; its searches of one size differ tenfold

Groups = list[np.ndarray]  # the points of the units of each group


@dataclass(frozen=True)
class Closed:
    """The best grouping that was found, what it costs, whether none costs less, and what all cost at least."""

    total: float
    groups: Groups
    proved: bool
    least: float


def closed(problem: Problem, found: Prepared, groups: Groups) -> Closed:
    """The best grouping, given a first one."""
    best = Closed(sum(problem.cost(members) for members in groups), groups, False, found.bound)
    bound, limit = found.bound, _first_limit(problem, found, best.total)
    proved, short = best.total <= bound * (1 + 1e-9) + 1e-9, True
    while found.exact and not proved:
        limit = min(limit, best.total - bound) + 1e-7
        left = _listed(problem, found, limit)
        if left is None:
            break
        pool, cuts = left
        before = best.total
        if short and len(pool) > SOME:  # once, a good grouping of likely groups: it shortens the long program
            best, short = _whole(pool.take(np.arange(SOME)), cuts, best)[0], False
        if best.total >= before - 1e-9:
            best, exhausted = _whole(pool, cuts, best)
            if not exhausted:
                break
            proved = best.total <= bound + limit
            best = replace(best, least=max(best.least, bound + limit - SOLVED))
        limit = best.total - bound if best.total < before else limit * GROWTH
    return replace(best, proved=bool(proved), least=best.total if proved else min(best.least, best.total))


def _first_limit(problem: Problem, found: Prepared, total: float) -> float:
    """How far above the bound the first T is: all the way to the total that is known where that is a short list."""
    whole = total - found.bound + 1e-7
    return whole if Pool.up_to(problem, found.prices, whole, FEW, QUICK) is not None else FIRST_SHARE * found.bound


def _listed(problem: Problem, found: Prepared, limit: float) -> tuple[Pool, RoundingCuts | None] | None:
    """The groups of all groupings that cost at most ``limit`` above the bound, with cuts; None where they are many."""
    pool, cuts = Pool.up_to(problem, found.prices, limit, ROOM, NODES), None
    for finder, enough in ((triples, FEW), (any_sets, SOME), (triples, SOME)):
        if pool is not None and len(pool) > enough:
            pool, cuts = tightened(pool, found.prices, found.bound + limit, finder)
    return None if pool is None or len(pool) > MOST else (pool, cuts)


def _whole(pool: Pool, cuts: RoundingCuts | None, best: Closed) -> tuple[Closed, bool]:
    """The best grouping of a pool, or the best so far, and whether the pool was searched completely."""
    if not len(pool):
        return best, True
    units = pool.problem.points.units
    costs, matrix = pool.with_rest()
    constraints = [LinearConstraint(matrix, units, units)]
    if cuts is not None and len(cuts):
        pieces = csc_array(hstack([cuts.pieces(pool), csc_array((len(cuts), len(units)))]))
        constraints.append(LinearConstraint(pieces, -np.inf, cuts.most(units)))
    answer = milp(
        costs,
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, np.inf),
        constraints=constraints,
        options={"mip_rel_gap": 0.0, "time_limit": SECONDS},
    )
    if answer.x is not None and answer.fun < best.total - 1e-9:
        times = np.rint(answer.x[: len(pool)]).astype(int)
        groups = [pool.group(number) for number in np.repeat(np.arange(len(pool)), times)]
        best = replace(best, total=float(answer.fun), groups=groups)
    return best, answer.status in (0, 2)  # solved, or without any grouping
