"""The loop of GCCG and the unions of KACA, compiled by numba; both search a trie, which holds only what is left.

The trie says what may be near enough; sums of what it names run over the attributes in their order, so that equal
distances stay equal.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.methods.clustering._oka import Domains, from_value
from anonnb.methods.clustering._trie import begin, insert, likely_thing, next_things, remove

ROUNDING = 1 + 1e-9  # beyond what another order of sums can make of a distance


@compiled(makes_arrays=False)
def put_all(trie):
    """Put everything into an empty trie."""
    for thing in range(len(trie.cells)):
        insert(trie, thing)


# ---- GCCG -------------------------------------------------------------------------------------------------------


def take_centres(by_grade, left, codes, domains: Domains, trie, search, level, k, n_clusters):
    """For each cluster its centre and what it takes: kinds of equal rows and how many of each, nearest first.

    ``codes`` holds the values of each kind, ``left`` how many rows of it no cluster has; both in the order of ties. The
    kinds and counts of cluster c stand from ``starts[c]`` on. The trie holds all kinds; ``level`` is its level of each
    attribute.
    """
    centres, starts = np.empty(n_clusters, dtype=np.int64), np.zeros(n_clusters + 1, dtype=np.int64)
    kinds, counts = np.empty(n_clusters * k, dtype=np.int64), np.empty(n_clusters * k, dtype=np.int64)
    near, distance = np.empty(k, dtype=np.int64), np.empty(k)
    _take(by_grade, left, codes, domains, trie, search, level, centres, starts, kinds, counts, near, distance)
    return centres, starts, kinds, counts


@compiled(makes_arrays=False)
def _take(by_grade, left, codes, domains, trie, search, level, centres, starts, kinds, counts, near, distance):
    place, k = 0, len(near)
    for cluster in range(len(centres)):
        while left[by_grade[place]] == 0:
            place += 1
        centre = centres[cluster] = by_grade[place]
        taken, end = 0, starts[cluster]
        near[0], found = centre, 1
        while taken < k and found > 0:
            for number in range(found):
                kind = near[number]
                count = min(left[kind], k - taken)
                if count > 0:
                    kinds[end], counts[end] = kind, count
                    left[kind] -= count
                    taken += count
                    end += 1
                    if left[kind] == 0:
                        remove(trie, kind)
            found = 0
            if taken < k:
                for a in range(codes.shape[1]):
                    from_value(a, codes[centre, a], domains, search.low[level[a]])
                found = _nearest_kinds(trie, search, codes, level, k - taken, near, distance)
        starts[cluster + 1] = end


@inner
def _nearest_kinds(trie, search, codes, level, wanted, near, distance):
    """The ``wanted`` nearest kinds, sorted; the earlier one among equals. Returns how many there are."""
    found, limit = 0, np.inf
    kind = likely_thing(trie, search.low)
    if wanted == 1 and kind >= 0:
        limit = _sum(kind, codes, level, search.low) * ROUNDING
    begin(trie, search)
    kind = next_things(trie, search, limit)
    while kind >= 0:
        total = _sum(kind, codes, level, search.low)
        last = wanted - 1
        if found < wanted or total < distance[last] or (total == distance[last] and kind < near[last]):
            found = min(found + 1, wanted)
            place = found - 1
            while place > 0 and (
                distance[place - 1] > total or (distance[place - 1] == total and near[place - 1] > kind)
            ):
                near[place], distance[place] = near[place - 1], distance[place - 1]
                place -= 1
            near[place], distance[place] = kind, total
            if found == wanted:
                limit = min(limit, distance[last] * ROUNDING)
        kind = next_things(trie, search, limit)
    return found


@inner
def _sum(kind, codes, level, low):
    total = 0.0
    for a in range(len(level)):
        total += low[level[a], codes[kind, a]]
    return total


# ---- KACA -------------------------------------------------------------------------------------------------------


@compiled(makes_arrays=False)
def least_distortion(group, trie, search, level, nodes, sizes, costs, starts, widths):
    """Take a group out of the trie; returns the one whose union with it distorts both least, the first among equals.

    ``costs`` holds, attribute after attribute, what joining two nodes costs the first and the second. A group has at
    least one row, which is how much a cell adds at least.
    """
    remove(trie, group)
    own, low = sizes[group], search.low
    for a in range(len(level)):
        base = starts[a] + nodes[group, a] * widths[a]
        for node in range(widths[a]):
            low[level[a], node] = own * costs[base + node, 0] + costs[base + node, 1]
    best, partner = np.inf, -1
    candidate = likely_thing(trie, low)
    begin(trie, search)
    while candidate >= 0:
        while candidate >= 0:
            mine = theirs = 0.0
            for a in range(len(level)):
                cell = starts[a] + nodes[group, a] * widths[a] + nodes[candidate, a]
                mine += costs[cell, 0]
                theirs += costs[cell, 1]
            distance = own * mine + sizes[candidate] * theirs
            if distance < best or (distance == best and candidate < partner):
                best, partner = distance, candidate
            candidate = trie.following[candidate]
        candidate = next_things(trie, search, best * ROUNDING)
    return partner


@compiled(makes_arrays=False)
def unite_groups(group, target, trie, level, nodes, joined, starts, widths):
    """Give a group what it shares with another, which is in the trie no more."""
    remove(trie, target)
    for a in range(len(level)):
        nodes[target, a] = joined[starts[a] + nodes[group, a] * widths[a] + nodes[target, a]]
        trie.cells[target, level[a]] = nodes[target, a]
    insert(trie, target)


@compiled(makes_arrays=False)
def unite_failing(failing, k, into, trie, search, level, nodes, sizes, costs, joined, starts, widths):
    """Unite groups that fail, and what they become, until they hold ``k`` rows; ``into`` gets where each group went."""
    for start in failing:
        group = start
        while into[group] < 0 and sizes[group] < k:
            target = least_distortion(group, trie, search, level, nodes, sizes, costs, starts, widths)
            if target < 0:
                return  # it holds everything
            unite_groups(group, target, trie, level, nodes, joined, starts, widths)
            sizes[target] += sizes[group]
            into[group] = target
            group = target
