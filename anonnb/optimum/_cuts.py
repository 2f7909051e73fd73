"""Rounding cuts in loops, compiled (it needs numba): what they charge groups, and a local search for violated ones.

A cut has a whole weight below its divisor for every point. A group's weight is that of its units together, and the cut
counts how often the divisor goes into it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner

TABU = 4  # moves for which a point that has got a new weight keeps it

# called from compiled code only: without wrappers for Python they compile faster


class FractionalGroups(NamedTuple):
    """How much of each group a fractional solution has.

    For every point: how many units each group has of it, how many groups have any, and these groups first.
    """

    amounts: np.ndarray
    counts: np.ndarray
    number: np.ndarray
    which: np.ndarray


class ViolatedCuts(NamedTuple):
    """Cuts that a solution violates: the weights of points, the divisors and the violations."""

    weights: np.ndarray
    divisors: np.ndarray
    over: np.ndarray


class PresentCut(NamedTuple):
    """Working space: the weights of points, when each got its own, and the weights of groups."""

    weights: np.ndarray
    last: np.ndarray
    hits: np.ndarray


def make_groups(counts: np.ndarray, amounts: np.ndarray) -> FractionalGroups:
    """Return the groups of a solution from ``counts`` of points × groups."""
    return FractionalGroups(amounts, counts, (counts > 0).sum(axis=1), np.argsort(counts == 0, axis=1, kind="stable"))


def make_violated(capacity: int, points: int) -> ViolatedCuts:
    """Return space for some cuts."""
    weights = np.zeros((capacity, points), dtype=np.int64)
    return ViolatedCuts(weights, np.zeros(capacity, dtype=np.int64), np.zeros(capacity))


def make_cut(points: int, groups: int) -> PresentCut:
    return PresentCut(*(np.empty(size, dtype=np.int64) for size in (points, points, groups)))


@inner
def goes_into(begins, point, amount, g, weights, divisor):
    weight = 0
    for e in range(begins[g], begins[g + 1]):
        weight += weights[point[e]] * np.int64(amount[e])
    return weight // divisor


@compiled(makes_arrays=False)
def pieces(begins, point, amount, which, weights, divisors, counts):
    """Fill in for every cut and each of some groups how often the divisor goes into the group's weight."""
    for i in range(len(which)):
        for c in range(len(divisors)):
            counts[c, i] = goes_into(begins, point, amount, which[i], weights[c], divisors[c])


@compiled(makes_arrays=False)
def charge(begins, point, amount, weights, divisors, fines, limit, reduced):
    """Add what the cuts charge to the reduced costs, except to those that are above ``most`` without it."""
    for g in range(len(reduced)):
        if reduced[g] <= limit:
            for c in range(len(divisors)):
                if fines[c] > 0:
                    reduced[g] += fines[c] * goes_into(begins, point, amount, g, weights[c], divisors[c])


@inner
def best_move(groups, units, cut, total, divisor, move):
    """Return the point and its new weight that raise the violation most, and by how much."""
    amounts, counts, number, which = groups
    weights, last, hits = cut
    gain, point, weight = -np.inf, -1, 0
    for t in range(len(units)):
        if last[t] > move - TABU:
            continue
        for new in range(divisor):
            more = new - weights[t]
            if more == 0:
                continue
            weight_now = float(total // divisor - (total + more * units[t]) // divisor)
            for i in range(number[t]):
                g = which[t, i]
                weight_now += amounts[g] * ((hits[g] + more * counts[t, g]) // divisor - hits[g] // divisor)
            if weight_now > gain:
                gain, point, weight = weight_now, t, new
    return gain, point, weight


@inner
def add(hits, more, counts, t):
    """Raise a point's weight, and with it the weights of the groups that hold it."""
    for g in range(len(hits)):
        hits[g] += more * counts[t, g]


@compiled(makes_arrays=False)
def violated(groups, units, starts, divisors, moves, minimum, cuts, cut):
    """Find cuts that a fractional solution violates by more than ``minimum``, the worst of every start and divisor.

    ``found`` receives them, and has a place for every start and divisor; ``cut`` is working space. Returns how many
    there are.
    """
    amounts, counts = groups.amounts, groups.counts
    weights, last, hits = cut
    number = 0
    for start in range(len(starts)):
        for divisor in divisors:
            total, worst, value = 0, minimum, 0.0
            for g in range(len(hits)):
                hits[g] = 0
            for t in range(len(units)):
                weights[t], last[t] = starts[start, t], -TABU
                total += weights[t] * units[t]
                add(hits, weights[t], counts, t)
            for g in range(len(amounts)):
                value += amounts[g] * (hits[g] // divisor)
            value -= total // divisor
            for move in range(moves):
                gain, t, new = best_move(groups, units, cut, total, divisor, move)
                if t < 0:
                    break
                more, last[t], weights[t] = new - weights[t], move, new
                total += more * units[t]
                add(hits, more, counts, t)
                value += gain
                if value > worst + 1e-9:
                    worst = value
                    cuts.over[number], cuts.divisors[number] = value, divisor
                    for point in range(len(units)):
                        cuts.weights[number, point] = weights[point]
            number += worst > minimum
    return number
