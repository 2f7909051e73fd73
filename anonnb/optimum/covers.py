"""The cheapest grouping out of a pool of groups, and the regrouping of a few neighbours at a time.

Both are the search of ``_cover``: over all points, or over those of some groups of a grouping, which are then replaced
by the cheapest ones of the same points.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array

from anonnb.optimum._cover import Memory, PricedGroups, by_first_point, cheapest_cover, make_memory, make_path
from anonnb.optimum.pool import Pool

LINES, FEW_LINES = 1 << 21, 1 << 14  # of memory for a whole search, and for the regrouping of neighbours
TOGETHER = (3, 4, 5, 6)  # neighbouring groups that are regrouped
NODES = 100_000  # that the regrouping of some neighbours may visit
CHEAP = 4_000  # groups that tell which points are neighbours

Members = list[np.ndarray]  # the points of the units of each group; a withheld unit is in none


@dataclass(frozen=True)
class Cover:
    """What a search found: the least cost, the groups (None: no better ones), and whether it was complete."""

    total: float
    groups: Members | None
    complete: bool


class Covers:
    """The groups of a pool, and withheld units as groups of their own, with what each costs above its prices."""

    def __init__(self, pool: Pool, surplus: np.ndarray, prices: np.ndarray):
        costs, matrix = pool.with_rest()
        surplus = np.concatenate([surplus, np.maximum(pool.problem.withheld - prices, 0.0)])
        self._order = np.argsort(surplus, kind="stable")
        self._pool, self._prices = pool, prices
        self._matrix = csc_array(matrix[:, self._order])
        arrays = (self._matrix.indptr, self._matrix.indices, self._matrix.data)
        arrays = [np.asarray(each, dtype=np.int64) for each in arrays]
        self._groups = PricedGroups(*arrays, costs[self._order], surplus[self._order])

    def best(self, bound: float, total: float, nodes: int) -> Cover:
        """The cheapest cover of all points below ``total``; none costs less than ``bound`` and its surpluses."""
        units = self._pool.problem.points.units
        near = self._neighbours(int(np.searchsorted(self._groups.surplus, total - bound)))
        return self._search(units, near, bound, total, nodes, make_memory(units, LINES))

    def regrouped(self, groups: Members) -> Members:
        """A grouping with no neighbours that are cheaper when regrouped, as far as searches of some nodes tell."""
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
                    found = self._search(need, near, float(self._prices @ need), total, NODES, memory)
                    if found.groups is not None:
                        groups = [members for number, members in enumerate(groups) if number not in which]
                        groups, first = found.groups + groups, 0
        return groups

    def _search(
        self, units: np.ndarray, near: np.ndarray, bound: float, total: float, nodes: int, memory: Memory
    ) -> Cover:
        chosen = np.empty(int(units.sum()), dtype=np.int64)
        sweep = _sweep(near, np.flatnonzero(units))
        memory.covered[:], words = 0, memory.covered.shape[1]
        lists, path = by_first_point(self._groups, units, sweep, total - bound), make_path(len(chosen), words)
        total, number, left = cheapest_cover(
            self._groups, lists, units.copy(), sweep, bound, total, nodes, memory, path, chosen
        )
        return Cover(float(total), self._members(chosen[:number]) if number else None, left >= 0)

    def _members(self, chosen: np.ndarray) -> Members:
        """The groups of a cover, without the units that it withholds."""
        numbers = self._order[chosen]
        return [self._pool.group(number) for number in numbers[numbers < len(self._pool)].tolist()]

    def _neighbours(self, most: int) -> np.ndarray:
        """For every two points how many of the groups with the smallest surpluses hold both."""
        held = self._matrix[:, :most]
        held = csc_array((np.ones(len(held.data)), held.indices, held.indptr), shape=held.shape)
        return (held @ held.T).toarray()


def _nearest(shared: np.ndarray, first: int, count: int) -> list[int]:
    """One group and those that have most cheap groups in common with it."""
    order = [number for number in np.argsort(-shared, kind="stable").tolist() if number != first]
    return sorted([first, *order[: count - 1]])


def _sweep(near: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points in an order that goes from neighbours to neighbours: few are begun and not yet covered at any time."""
    near = near[np.ix_(points, points)]
    often = np.maximum(near.diagonal(), 1.0)
    order, waiting, shared = [], np.ones(len(points), dtype=bool), -often
    while waiting.any():
        following = int(np.argmax(np.where(waiting, shared, -np.inf)))
        shared = near[following] / often if not order else shared + near[following] / often
        waiting[following] = False
        order.append(following)
    return points[order]
