"""The loop of GCCG and the partners of KACA, compiled by numba: rows or groups that are gone are not looked at again.

A sum of distances is given up as soon as it reaches the farthest that is still wanted; what it would add is not
negative, so nothing nearer is missed. Sums run over the attributes in their order, so that equal ones stay equal.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.compiled import compiled
from anonnb.methods.clustering._oka import Domains, from_value


@compiled
def take_centres(by_grade, left, codes, domains: Domains, k, n_clusters):
    """For each cluster its centre and what it takes: kinds of equal rows and how many of each, nearest first.

    ``codes`` holds the values of each kind, ``left`` how many rows of it no cluster has; both in the order of ties. The
    kinds and counts of cluster c stand from ``starts[c]`` on.
    """
    centres, starts = np.empty(n_clusters, dtype=np.int64), np.zeros(n_clusters + 1, dtype=np.int64)
    kinds, counts = np.empty(n_clusters * k, dtype=np.int64), np.empty(n_clusters * k, dtype=np.int64)
    alive, tables = np.arange(len(left)), np.empty((codes.shape[1], domains.sizes.max()))
    near, distance = np.empty(k, dtype=np.int64), np.empty(k)
    place = 0
    for cluster in range(n_clusters):
        while left[by_grade[place]] == 0:
            place += 1
        centre = centres[cluster] = by_grade[place]
        taken = min(left[centre], k)
        end = starts[cluster]
        kinds[end], counts[end] = centre, taken
        left[centre] -= taken
        end += 1
        if taken < k:
            alive = _still_there(alive, left)
            for a in range(codes.shape[1]):
                from_value(a, codes[centre, a], domains, tables[a])
            found = _nearest_kinds(alive, codes, tables, codes[centre], k - taken, near, distance)
            for number in range(found):
                count = min(left[near[number]], k - taken)
                if count > 0:
                    kinds[end], counts[end] = near[number], count
                    left[near[number]] -= count
                    taken += count
                    end += 1
        starts[cluster + 1] = end
    return centres, starts, kinds, counts


@compiled
def _still_there(alive, left):
    """The kinds with rows left, in their order."""
    kept = 0
    for kind in alive:
        if left[kind] > 0:
            alive[kept] = kind
            kept += 1
    return alive[:kept]


@compiled
def _nearest_kinds(alive, codes, tables, centre, wanted, near, distance):
    """The ``wanted`` nearest kinds, sorted; the earlier one among equals. Returns how many there are."""
    found = 0
    for kind in alive:
        worst = distance[found - 1] if found == wanted else np.inf
        total = 0.0
        for a in range(codes.shape[1]):
            total += tables[a, codes[kind, a]]
            if total >= worst:
                break
        if total < worst:
            found = min(found + 1, wanted)
            place = found - 1
            while place > 0 and distance[place - 1] > total:
                near[place], distance[place] = near[place - 1], distance[place - 1]
                place -= 1
            near[place], distance[place] = kind, total
    return found


@compiled
def least_distortion(group, others, alive, nodes, sizes, costs, starts, widths, order):
    """The group whose union with ``group`` distorts both least, the first among equals.

    ``costs`` holds, attribute after attribute, what joining two nodes costs the first and the second. The attributes
    are looked at in an ``order`` that tells groups apart early; only a group that may be the best is summed exactly.
    """
    best, partner, own, axes = np.inf, -1, sizes[group], nodes.shape[1]
    base, limit = starts + nodes[group] * widths, np.inf
    for candidate in others:
        if candidate == group or not alive[candidate]:
            continue
        size, total = sizes[candidate], 0.0
        for place in range(axes):
            a = order[place]
            cell = base[a] + nodes[candidate, a]
            total += own * costs[cell, 0] + size * costs[cell, 1]
            if total > limit:
                break
        if total <= limit:
            mine = theirs = 0.0
            for a in range(axes):
                cell = base[a] + nodes[candidate, a]
                mine += costs[cell, 0]
                theirs += costs[cell, 1]
            distance = own * mine + size * theirs
            if distance < best:
                best, partner = distance, candidate
                limit = best * (1 + 1e-9)  # beyond what another order of sums can make of it
    return partner
