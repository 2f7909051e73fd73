"""Bounds that need no program, compiled (it needs numba): what a row's nearest rows, or its cheapest group, cost it.

A group of k rows holds a row and at least k − 1 others, so it is at least as wide as that row is far from the
(k − 1)-th nearest. The cheapest group of all that hold a row is a stronger bound, found by depth-first search.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.optimum._search import begin, branch, enter

# called from compiled code only: without wrappers for Python they compile faster


@compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True, inline="always")
def apart(points, i, j, limit):
    """Return how wide two points are together, or their squared distance; above ``limit``, anything above it."""
    total = 0.0
    for a in range(len(points.cap)):
        if points.squares:
            total += (points.place[i, a] - points.place[j, a]) ** 2
        elif points.is_nominal[a]:
            if points.codes[i, a] != points.codes[j, a]:
                total += min(points.step[a], points.cap[a])
        else:
            total += min(abs(points.place[i, a] - points.place[j, a]), points.cap[a])
        if total > limit:
            break
    return total


@inner
def nearest_of(points, i, k, near):
    """Fill ``near`` with the distances of the k − 1 nearest other rows, the nearest first."""
    alike = points.units[i] - 1
    for position in range(k - 1):
        near[position] = 0.0 if position < alike else np.inf
    for j in range(len(points.units)):
        if j == i or near[k - 2] == 0.0:
            continue
        distance = apart(points, i, j, near[k - 2])
        for _ in range(min(points.units[j], k - 1)):
            if distance >= near[k - 2]:
                break
            position = k - 2
            while position > 0 and near[position - 1] > distance:
                near[position] = near[position - 1]
                position -= 1
            near[position] = distance


@compiled(makes_arrays=False)
def nearest_prices(points, k, near, prices):
    """Return the least cost of a row of each point: the (k − 1)-th distance, or their sum over 2k for squares.

    ``prices`` receives it; ``near`` has k − 1 places as working space.
    """
    for i in range(len(prices)):
        nearest_of(points, i, k, near)
        total = 0.0
        for distance in near:
            total += distance
        prices[i] = total / (2 * k) if points.squares else near[k - 2]


@inner
def greedy_width(points, levels, root, k, reach):
    """Return the width of the group that grows from a row by what widens it least, or ``reach`` if that is less."""
    m = 1
    while m < k:
        if levels.candidates[m] == 0:
            return reach
        enter(points, levels, m, levels.point[m, 0], levels.growth[m, 0], 0.0)
        branch(points, levels, m, 0)
        m += 1
    return min(levels.cost[k] / k, reach)


@inner
def kth_growth(levels, m, k):
    """Return the least width of a group of k units below a node: that of the candidate that makes them enough."""
    units = m
    for i in range(levels.candidates[m]):
        units += levels.left[m, i]
        if units >= k:
            return levels.growth[m, i]
    return np.inf


@inner
def least_width(points, levels, k, best, budget):
    """Return the least width of a group of k units below level 1, or a lower bound when the budget runs out."""
    m, fresh, nodes, bound = 1, True, 0, best
    while m > 0:
        if fresh:
            fresh, nodes, levels.next[m] = False, nodes + 1, 0
            lower = levels.cost[m] / m if m == k else kth_growth(levels, m, k)
            if m == k:
                best = min(best, lower)
                levels.candidates[m] = 0
            elif nodes > budget:
                bound = min(bound, lower)
                levels.candidates[m] = 0
            while levels.candidates[m] > 0 and (lower >= best or levels.growth[m, levels.candidates[m] - 1] >= best):
                levels.candidates[m] -= 1
        i = levels.next[m]
        if i >= levels.candidates[m] or kth_growth(levels, m, k) >= best:
            m -= 1
            continue
        levels.next[m] += 1
        enter(points, levels, m, levels.point[m, i], levels.growth[m, i], 0.0)
        branch(points, levels, m, i)
        m, fresh = m + 1, True
    return min(bound, best)


@compiled(makes_arrays=False)
def cheapest_prices(points, levels, k, budget, widest, nothing, rank, prices):
    """Raise the prices of points to the least width of any group of k rows that holds them, within the budgets.

    No group is as wide as ``widest``. All rows may join any: they have ``nothing`` for a price, and the same rank.
    """
    for root in range(len(prices)):
        if prices[root] == 0.0:
            continue  # k rows alike
        begin(points, levels, root, nothing, rank, 4 * prices[root] + 1e-9)
        best = greedy_width(points, levels, root, k, widest)
        begin(points, levels, root, nothing, rank, best)
        prices[root] = max(prices[root], least_width(points, levels, k, best, budget))
