"""Rounding cuts in loops, compiled (it needs numba): what they charge groups, and a local search for violated ones.

A cut has a whole weight below its divisor for every point. A group's weight is that of its units together, and the cut
counts how often the divisor goes into it.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.compiled import compiled, inner

TABU = 4  # moves for which a point that has got a new weight keeps it

# called from compiled code only: without wrappers for Python they compile faster


@inner
def goes_into(begins, point, amount, g, weights, divisor):
    weight = 0
    for e in range(begins[g], begins[g + 1]):
        weight += weights[point[e]] * np.int64(amount[e])
    return weight // divisor


@compiled
def pieces(begins, point, amount, which, weights, divisors):
    """For every cut and each of some groups how often the divisor goes into the group's weight."""
    counts = np.zeros((len(divisors), len(which)))
    for i in range(len(which)):
        for c in range(len(divisors)):
            counts[c, i] = goes_into(begins, point, amount, which[i], weights[c], divisors[c])
    return counts


@compiled
def charge(begins, point, amount, weights, divisors, fines, most, reduced):
    """Add what the cuts charge to the reduced costs, except to those that are above ``most`` without it."""
    for g in range(len(reduced)):
        if reduced[g] <= most:
            for c in range(len(divisors)):
                if fines[c] > 0:
                    reduced[g] += fines[c] * goes_into(begins, point, amount, g, weights[c], divisors[c])


@inner
def best_move(counts, amounts, units, touched, weights, total, hits, divisor, last, move):
    """The point and its new weight that raise the violation most, and by how much."""
    gain, point, weight = -np.inf, -1, 0
    for t in range(len(units)):
        if last[t] > move - TABU:
            continue
        for new in range(divisor):
            more = new - weights[t]
            if more == 0:
                continue
            own = float(total // divisor - (total + more * units[t]) // divisor)
            for i in range(touched[t, 0]):
                g = touched[t, i + 1]
                own += amounts[g] * ((hits[g] + more * counts[t, g]) // divisor - hits[g] // divisor)
            if own > gain:
                gain, point, weight = own, t, new
    return gain, point, weight


@inner
def groups_of_points(counts):
    """For every point how many groups hold it, and which."""
    touched = np.zeros((counts.shape[0], counts.shape[1] + 1), dtype=np.int64)
    for t in range(counts.shape[0]):
        for g in range(counts.shape[1]):
            if counts[t, g]:
                touched[t, 0] += 1
                touched[t, touched[t, 0]] = g
    return touched


@inner
def add(hits, more, counts, t):
    """A point's weight grows: so do the weights of the groups that hold it."""
    for g in range(len(hits)):
        hits[g] += more * counts[t, g]


@compiled
def violated(counts, amounts, units, starts, divisors, moves, least):
    """Cuts that a fractional solution violates by more than ``least``: from every start and divisor the worst one met.

    ``counts`` are points × groups, ``amounts`` how much of each group the solution has. Returns the weights of points,
    the divisors and the violations; those without a violation are left out.
    """
    room = len(starts) * len(divisors)
    found, over, by = np.zeros((room, len(units)), dtype=np.int64), np.zeros(room), np.zeros(room, dtype=np.int64)
    number, touched = 0, groups_of_points(counts)
    weights, last = np.empty(len(units), dtype=np.int64), np.empty(len(units), dtype=np.int64)
    hits = np.empty(len(amounts), dtype=np.int64)
    for start in range(len(starts)):
        for divisor in divisors:
            total, worst, value = 0, least, 0.0
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
                gain, t, new = best_move(counts, amounts, units, touched, weights, total, hits, divisor, last, move)
                if t < 0:
                    break
                more, last[t], weights[t] = new - weights[t], move, new
                total += more * units[t]
                add(hits, more, counts, t)
                value += gain
                if value > worst + 1e-9:
                    worst = value
                    over[number], by[number] = value, divisor
                    for point in range(len(units)):
                        found[number, point] = weights[point]
            number += worst > least
    return found[:number], by[:number], over[:number]
