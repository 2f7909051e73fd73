"""Rounding cuts (Gomory 1958; Chvátal 1973) on the program of groups, and the search for violated ones.

Take a set of points and a divisor d. Of all groups together, ⌊units in the set / d⌋ is the most that ⌊members in the
set / d⌋ can sum to, as amounts are whole. Fractional solutions break such cuts, which raise the bound. Cuts on three
points with d = 2 (subset-row cuts, Jepsen et al. 2008) are short enough for HiGHS to branch with; those on any set,
with d up to k, are found by a local search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from anonnb.optimum.pool import Pool, Solution, cheapest, solved

ROUNDS = 12  # of looking for cuts
MOST_CUTS, PER_POINT = 80, 12  # that a round adds, in all and for one point
MOST_ACTIVE = 220  # cuts; past it those that cost nothing are dropped
VIOLATED = 0.03  # by less than this a cut is not worth its line
GAINED = 0.0002  # of the bound: a round that gains less is the last but for the first three
MOVES = 14  # points that the local search adds to a set, or takes out of it
NARROW = 0.01  # of the bound: groups that cost at most so much above their prices stay in the next program

Cut = tuple[tuple[int, ...], int]  # the points, sorted, and the divisor
Finder = Callable[[np.ndarray, np.ndarray, np.ndarray, int], dict[Cut, float]]


class RoundingCuts:
    """Cuts on a pool, with the finder that adds to them."""

    def __init__(self, finder: Finder, k: int):
        self.found: list[Cut] = []
        self._finder, self._k = finder, k

    def __len__(self) -> int:
        return len(self.found)

    def pieces(self, pool: Pool) -> csr_array:
        """For every cut and group how often the divisor goes into the members in the set."""
        sizes = [len(points) for points, _ in self.found]
        rows, points = np.repeat(np.arange(len(sizes)), sizes), np.concatenate([points for points, _ in self.found])
        sets = csr_array((np.ones(len(points)), (rows, points)), shape=(len(sizes), pool.matrix.shape[0]))
        pieces = csr_array(sets @ pool.matrix.tocsr())
        divisors = np.repeat([divisor for _, divisor in self.found], np.diff(pieces.indptr))
        pieces.data = np.floor(pieces.data / divisors)
        pieces.eliminate_zeros()
        return pieces

    def most(self, units: np.ndarray) -> np.ndarray:
        """The right-hand side of each cut: the most that all groups together can have."""
        return np.array([units[list(points)].sum() // divisor for points, divisor in self.found], dtype=float)

    def add(self, pool: Pool, solution: Solution) -> bool:
        """Add the cuts that the solution violates most; returns whether there are any. Old idle cuts may be dropped."""
        part = np.flatnonzero(np.abs(solution.amounts - np.rint(solution.amounts)) > 1e-6)
        counts = pool.matrix[:, part].toarray()
        points = np.flatnonzero(counts.any(axis=1))
        units = pool.problem.points.units[points]
        over = self._finder(counts[points], solution.amounts[part], units, self._k)
        over = {(tuple(points[list(own)].tolist()), divisor): gain for (own, divisor), gain in over.items()}
        chosen, often, known = [], Counter(), set(self.found)
        for cut in sorted(over, key=lambda cut: (-over[cut], cut)):
            if cut not in known and max(often[point] for point in cut[0]) < PER_POINT and len(chosen) < MOST_CUTS:
                chosen.append(cut)
                often.update(cut[0])
        if len(self.found) + len(chosen) > MOST_ACTIVE and len(solution.fines):
            self.found = [cut for cut, fine in zip(self.found, solution.fines, strict=True) if fine > 1e-9]
        self.found += chosen
        return bool(chosen)


def tightened(pool: Pool, prices: np.ndarray, total: float, finder: Finder) -> tuple[Pool, RoundingCuts]:
    """Raise the bound by cuts, and keep the groups of groupings that cost at most ``total``, likely ones first."""
    cuts, units, last = RoundingCuts(finder, pool.problem.k), pool.problem.points.units, -np.inf
    active = cheapest(pool, prices)
    for number in range(ROUNDS):
        more = (cuts.pieces(pool), cuts.most(units)) if len(cuts) else ()
        solution = solved(pool, units.astype(float), active, *more)
        if solution.value > total + 1e-7 * max(1.0, total):
            return pool.take(np.zeros(len(pool), dtype=bool)), cuts
        keep = solution.reduced <= total - solution.value + 1e-7
        narrow = keep & (solution.reduced <= NARROW * solution.value)
        active = np.cumsum(keep)[solution.active[narrow[solution.active]]] - 1
        pool = pool.take(keep)
        solution = Solution(solution.value, solution.amounts[keep], solution.reduced[keep], solution.fines, active)
        if number > 2 and solution.value - last < GAINED * solution.value:
            break
        last = solution.value
        if number + 1 == ROUNDS or not cuts.add(pool, solution):
            break
    return pool.take(np.argsort(solution.reduced, kind="stable")), cuts


def triples(counts: np.ndarray, amounts: np.ndarray, units: np.ndarray, _k: int) -> dict[Cut, float]:
    """All violated cuts on three points with the divisor 2, by how much they are violated."""
    found = {}
    for first, second in combinations(range(len(counts)), 2):
        both, others = counts[first] + counts[second], np.arange(second + 1, len(counts))
        if both.max() < 1 or not len(others):
            continue
        over = np.floor((both + counts[others]) / 2) @ amounts - (units[first] + units[second] + units[others]) // 2
        found |= {((first, second, int(others[i])), 2): float(over[i]) for i in np.flatnonzero(over > VIOLATED)}
    return found


def any_sets(counts: np.ndarray, amounts: np.ndarray, units: np.ndarray, k: int) -> dict[Cut, float]:
    """Violated cuts on sets near one group or two overlapping ones, with divisors up to k, by violation and length."""
    groups = [frozenset(np.flatnonzero(column).tolist()) for column in counts.T]
    starts = {*groups, *(one | other for one, other in combinations(groups, 2) if one & other)}
    found = {}
    for divisor in range(2, k + 1):
        for start in sorted(starts, key=sorted):
            inside, seen = np.zeros(len(counts), dtype=bool), set()
            inside[list(start)] = True
            for _ in range(MOVES):
                hits, own = inside @ counts, units[inside].sum()
                over = float(np.floor(hits / divisor) @ amounts - own // divisor)
                if over > VIOLATED:
                    points = tuple(np.flatnonzero(inside).tolist())
                    found[points, divisor] = over / np.sqrt(len(points))
                change = np.where(inside, -1, 1)
                values = (
                    np.floor((hits + change[:, None] * counts) / divisor) @ amounts - (own + change * units) // divisor
                )
                inside = next(
                    (
                        nearby
                        for place in np.argsort(-values, kind="stable")[:6]
                        if (nearby := _flipped(inside, place)).tobytes() not in seen
                    ),
                    None,
                )
                if inside is None:
                    break
                seen.add(inside.tobytes())
    return found


def _flipped(inside: np.ndarray, place: int) -> np.ndarray:
    other = inside.copy()
    other[place] ^= True
    return other
