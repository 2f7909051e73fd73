"""Pricing groups, compiled: the cheapest group for given row prices, by depth-first search (it needs numba).

A group is worth adding when its rows, at prices u, pay more than it costs: reduced cost = cost − Σ u < 0. The row with
the highest price is the root; rows are added by how much they widen the group, and a node is abandoned as soon as no
completion of it to k rows can be worth it. All rows with one quasi-identifier are one point with several units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core._sorting import sort_in_place
from anonnb.core.compiled import compiled, inner

# called from compiled code only: without wrappers for Python they compile faster

TINY = 1e-9  # differences of costs below this are rounding


class Points(NamedTuple):
    """Distinct rows for the kernels. ``squares``: groups cost sums of squares, else size times summed widths.

    An ordered column is as wide as its ``place`` values are apart, a nominal one ``step`` per further value, neither
    more than ``cap``.
    """

    codes: np.ndarray  # points × columns
    place: np.ndarray
    is_nominal: np.ndarray
    step: np.ndarray
    cap: np.ndarray
    units: np.ndarray  # rows of each point
    squares: bool


class SearchPath(NamedTuple):
    """Path from the root to the present node; level m holds m units, its group and its candidates."""

    member: np.ndarray
    low: np.ndarray  # of each column; for squares the centre
    high: np.ndarray
    distinct: np.ndarray
    cost: np.ndarray
    paid: np.ndarray
    point: np.ndarray  # candidates, the least widening first
    growth: np.ndarray  # the width with the candidate; for squares its squared distance from the centre
    left: np.ndarray
    candidates: np.ndarray
    next: np.ndarray
    pool: np.ndarray
    pool_units: np.ndarray


class Charges(NamedTuple):
    """Cuts with their fines: a group pays a fine as often as the divisor goes into the weights of its units."""

    weights: np.ndarray
    divisors: np.ndarray
    fines: np.ndarray


class Found(NamedTuple):
    """Groups that a search has found: the units of each, how many, and its reduced cost."""

    members: np.ndarray
    sizes: np.ndarray
    reduced: np.ndarray


def make_levels(n: int, columns: int, limit: int) -> SearchPath:
    """Return space for groups of up to ``limit`` units."""
    deep = limit + 1
    return SearchPath(
        np.zeros(deep, dtype=np.int64),
        np.zeros((deep, columns)),
        np.zeros((deep, columns)),
        np.zeros((deep, columns), dtype=np.int64),
        np.zeros(deep),
        np.zeros(deep),
        np.zeros((deep, n), dtype=np.int64),
        np.zeros((deep, n)),
        np.zeros((deep, n), dtype=np.int64),
        np.zeros(deep, dtype=np.int64),
        np.zeros(deep, dtype=np.int64),
        np.zeros(max(n, limit)),
        np.zeros(max(n, limit), dtype=np.int64),
    )


def make_found(capacity: int, limit: int) -> Found:
    """Return working space for ``capacity`` groups; members after the size of a group mean nothing."""
    return Found(np.empty((capacity, limit), dtype=np.int64), np.zeros(capacity, dtype=np.int64), np.empty(capacity))


# ---- a group with one more row ------------------------------------------------------------------------------------


@inner
def is_new(points, levels, m, j, column):
    """Tell whether none of the first m members has this point's value."""
    for i in range(m):  # noqa: SIM110  numba compiles no generators
        if points.codes[levels.member[i], column] == points.codes[j, column]:
            return False
    return True


@inner
def width_with(points, levels, m, j):
    """Return the summed widths of level m's group with one more point."""
    total = 0.0
    for a in range(len(points.cap)):
        if points.is_nominal[a]:
            width = points.step[a] * (levels.distinct[m, a] - 1 + is_new(points, levels, m, j, a))
        else:
            position = points.place[j, a]
            width = max(levels.high[m, a], position) - min(levels.low[m, a], position)
        total += min(width, points.cap[a])
    return total


@inner
def growth_with(points, levels, m, j):
    """Return the sort key of a candidate: the width with this point, or its squared distance from the centre."""
    if not points.squares:
        return width_with(points, levels, m, j)
    total = 0.0
    for a in range(len(points.cap)):
        total += (points.place[j, a] - levels.low[m, a]) ** 2
    return total


@inner
def enter(points, levels, m, j, growth, price):
    """Make level m + 1: the group of level m with one more unit of point j."""
    for a in range(len(points.cap)):
        position, low = points.place[j, a], levels.low[m, a]
        if points.squares:
            levels.low[m + 1, a] = low + (position - low) / (m + 1)
        else:
            levels.low[m + 1, a] = min(low, position)
            levels.high[m + 1, a] = max(levels.high[m, a], position)
            levels.distinct[m + 1, a] = levels.distinct[m, a] + is_new(points, levels, m, j, a)
    levels.member[m] = j
    levels.cost[m + 1] = levels.cost[m] + growth * m / (m + 1) if points.squares else growth * (m + 1)
    levels.paid[m + 1] = levels.paid[m] + price


@inner
def begin(points, levels, root, prices, rank, reach):
    """Make level 1: the root alone, with the later points within its reach as candidates."""
    for a in range(len(points.cap)):
        levels.low[1, a] = levels.high[1, a] = points.place[root, a]
        levels.distinct[1, a] = 1
    levels.member[0], levels.cost[1], levels.paid[1] = root, 0.0, prices[root]
    count = 0
    for j in range(len(prices)):
        left = points.units[j] - (j == root)
        if rank[j] < rank[root] or left <= 0:
            continue
        growth = growth_with(points, levels, 1, j)
        if growth < reach:
            levels.point[1, count], levels.growth[1, count], levels.left[1, count] = j, growth, left
            count += 1
    levels.candidates[1] = count
    sort_candidates(levels, 1)


@inner
def branch(points, levels, m, number):
    """Make the candidates of level m + 1: those of level m from the chosen one on, so that no group comes up twice."""
    count = 0
    for i in range(number, levels.candidates[m]):
        left = levels.left[m, i] - (i == number)
        if left > 0:
            j = levels.point[m, i]
            levels.point[m + 1, count], levels.left[m + 1, count] = j, left
            levels.growth[m + 1, count] = growth_with(points, levels, m + 1, j)
            count += 1
    levels.candidates[m + 1] = count
    sort_candidates(levels, m + 1)


@inner
def sort_candidates(levels, m):
    """By growth."""
    count = levels.candidates[m]
    sort_in_place(levels.growth[m, :count], levels.point[m, :count], levels.left[m, :count])


# ---- what a node can still become ---------------------------------------------------------------------------------


@inner
def insert(levels, used, key, units):
    """Put units into the pool, which is sorted by key from the highest down."""
    position = used
    while position > 0 and levels.pool[position - 1] < key:
        levels.pool[position], levels.pool_units[position] = levels.pool[position - 1], levels.pool_units[position - 1]
        position -= 1
    levels.pool[position], levels.pool_units[position] = key, units


@inner
def least_of_widths(levels, m, prices, k, most, limit):
    """Return a lower bound on the reduced cost of all groups below a node, and the largest width still worth it.

    If t is the largest width that a candidate gives the group, each unit costs at least t: at best the group takes
    every unit with a price above t, and is filled up to k units with the highest prices among the others.
    """
    lower, reach, units, i = np.inf, -1.0, m, 0
    while i < levels.candidates[m]:
        t = levels.growth[m, i]
        while i < levels.candidates[m] and levels.growth[m, i] <= t:
            insert(levels, i, prices[levels.point[m, i]], levels.left[m, i])
            units += levels.left[m, i]
            i += 1
        if units < k:
            continue
        value, size = m * t - levels.paid[m], m
        for position in range(i):
            pays = levels.pool[position] > t
            if size >= most or (size >= k and not pays):
                break
            taken = min(levels.pool_units[position], (most if pays else k) - size)
            value += taken * (t - levels.pool[position])
            size += taken
        lower = min(lower, value)
        if value <= limit:
            reach = t
    return lower, reach


@inner
def least_of_squares(levels, m, prices, k, most, limit):
    """Return the bound for sums of squares: M rows, m of them with centre c, cost at least SSE + m/M Σ |x − c|²."""
    lower = np.inf
    for size in range(max(k, m + 1), most + 1):
        used = 0
        for i in range(levels.candidates[m]):
            key = prices[levels.point[m, i]] - levels.growth[m, i] * m / size
            if used < size - m:
                insert(levels, used, key, levels.left[m, i])
                used += 1
            elif key > levels.pool[used - 1]:
                insert(levels, used - 1, key, levels.left[m, i])
        value, missing = levels.cost[m] - levels.paid[m], size - m
        for position in range(used):
            taken = min(levels.pool_units[position], missing)
            value -= taken * levels.pool[position]
            missing -= taken
        if missing == 0:
            lower = min(lower, value)
    return lower, np.inf if lower <= limit else -1.0


# ---- the search ---------------------------------------------------------------------------------------------------


@inner
def keep(levels, m, reduced, found, position):
    if position < len(found.sizes):
        found.sizes[position], found.reduced[position] = m, reduced
        for i in range(m):
            found.members[position, i] = levels.member[i]


@inner
def charged(levels, m, charges):
    """Return what cuts charge the group of level m."""
    total = 0.0
    for c in range(len(charges.fines)):
        weight = 0
        for i in range(m):
            weight += charges.weights[c, levels.member[i]]
        total += charges.fines[c] * (weight // charges.divisors[c])
    return total


@inner
def search(points, levels, prices, charges, k, most, limit, budget, every, found, start):
    """Search the nodes below level 1; return a lower bound on all groups there, and the numbers found and visited.

    With ``every``, all groups whose reduced cost is at most ``limit`` are kept, otherwise the best below it; nodes that
    the ``budget`` leaves unseen enter the bound with their own bounds.
    """
    m, fresh, nodes, bound, number = 1, True, 0, np.inf, start
    while m > 0:
        if fresh:
            fresh, nodes, levels.next[m] = False, nodes + 1, 0
            reduced = levels.cost[m] - levels.paid[m]
            if m >= k and reduced <= limit:
                reduced += charged(levels, m, charges)
            if m >= k and reduced <= limit:
                keep(levels, m, reduced, found, number)
                bound = min(bound, reduced - TINY)
                number += every
                limit = limit if every else reduced - TINY
            lower, reach = np.inf, -1.0
            if m < most and points.squares:
                lower, reach = least_of_squares(levels, m, prices, k, most, limit)
            elif m < most:
                lower, reach = least_of_widths(levels, m, prices, k, most, limit)
            if nodes > budget and reach >= 0:
                bound, reach = min(bound, lower), -1.0
            while levels.candidates[m] > 0 and levels.growth[m, levels.candidates[m] - 1] > reach:
                levels.candidates[m] -= 1
        i = levels.next[m]
        if m == most or i >= levels.candidates[m]:
            m -= 1
            continue
        levels.next[m] += 1
        j = levels.point[m, i]
        enter(points, levels, m, j, levels.growth[m, i], prices[j])
        branch(points, levels, m, i)
        m, fresh = m + 1, True
    return bound, number, nodes


@compiled(makes_arrays=False)
def groups_of_roots(points, levels, prices, charges, rank, reach, k, most, limit, budget, every, found, slack):
    """Find for every root its groups whose reduced cost is at most ``limit``, among the points within its ``reach``.

    With ``every`` they follow one another, and the budget is that of all roots; their number is returned, or -1 when
    there is no room or budget for them. Otherwise each root has a budget, its best group, if any (size 0: none), has
    the root's place, and ``slack`` receives how far below 0 any may be. (One kernel, as the search compiles slowly.)
    """
    number = 0
    for root in range(len(prices)):
        if not every:
            number, found.sizes[root] = root, 0
        begin(points, levels, root, prices, rank, reach[root])
        bound, number, nodes = search(points, levels, prices, charges, k, most, limit, budget, every, found, number)
        if not every:
            slack[root] = max(-bound, TINY)
            continue
        budget -= nodes
        if number > len(found.sizes) or budget < 0:
            return -1
    return number
