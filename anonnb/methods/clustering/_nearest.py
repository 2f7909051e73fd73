"""The centres of GCCG and the unions of KACA, compiled; both search a trie, which holds only what is left.

The trie says what may be near enough; sums of what it names run over the attributes in their order, so that equal
distances stay equal.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.core.progress import ticks
from anonnb.methods.clustering._oka import flat_domains, from_value
from anonnb.methods.clustering._trie import (
    begin,
    empty_trie,
    insert,
    level_order,
    likely_thing,
    new_search,
    next_things,
    remove,
)

BLOCK = 500  # clusters or groups between two reports of progress
ROUNDING = 1 + 1e-9  # beyond what another order of sums can make of a distance


@compiled(makes_arrays=False)
def _put_all(trie):
    """Put everything into an empty trie."""
    for thing in range(len(trie.cells)):
        insert(trie, thing)


# ---- GCCG -------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """The ``centres`` by cluster, and what they took: of each kind how many rows, cluster by cluster, nearest first."""

    centres: np.ndarray
    clusters: np.ndarray
    kinds: np.ndarray
    counts: np.ndarray


def take_centres(by_grade, left, codes, distances, usual, k, n_clusters):
    """Return what the centres take; ``left`` counts the rows of each kind, and at last those that no cluster has.

    ``codes`` holds the values of each kind, in the order of ties; ``usual`` is how far kinds usually are apart in each
    attribute.
    """
    order = level_order(usual)
    trie, search = empty_trie(codes[:, order]), new_search([len(each.numbers) for each in distances])
    _put_all(trie)
    domains, level = flat_domains(distances), np.argsort(order)
    centres, starts = np.empty(n_clusters, dtype=np.int64), np.zeros(n_clusters + 1, dtype=np.int64)
    kinds, counts = np.empty(n_clusters * k, dtype=np.int64), np.empty(n_clusters * k, dtype=np.int64)
    near, distance = np.empty(k, dtype=np.int64), np.empty(k)
    for start in ticks(range(0, n_clusters, BLOCK), f"blocks of {BLOCK} clusters"):
        stop = min(start + BLOCK, n_clusters)
        out = centres, starts, kinds, counts, near, distance
        _take(start, stop, by_grade, left, codes, domains, trie, search, level, *out)
    clusters = np.repeat(np.arange(n_clusters), np.diff(starts))
    return Taken(centres, clusters, kinds[: starts[-1]], counts[: starts[-1]])


@compiled(makes_arrays=False)
def _take(
    start, stop, by_grade, left, codes, domains, trie, search, level, centres, starts, kinds, counts, near, distance
):
    index, k = 0, len(near)
    for cluster in range(start, stop):
        while left[by_grade[index]] == 0:
            index += 1
        centre = centres[cluster] = by_grade[index]
        taken, end = 0, starts[cluster]
        near[0], n_near = centre, 1
        while taken < k and n_near > 0:
            for number in range(n_near):
                kind = near[number]
                count = min(left[kind], k - taken)
                if count > 0:
                    kinds[end], counts[end] = kind, count
                    left[kind] -= count
                    taken += count
                    end += 1
                    if left[kind] == 0:
                        remove(trie, kind)
            n_near = 0
            if taken < k:
                for a in range(codes.shape[1]):
                    from_value(a, codes[centre, a], domains, search.low[level[a]])
                n_near = _nearest_kinds(trie, search, codes, level, k - taken, near, distance)
        starts[cluster + 1] = end


@inner
def _nearest_kinds(trie, search, codes, level, wanted, near, distance):
    """Fill in the ``wanted`` nearest kinds, sorted, the earlier one among equals; return how many there are."""
    count, limit = 0, np.inf
    kind = likely_thing(trie, search.low)
    if wanted == 1 and kind >= 0:
        limit = _sum(kind, codes, level, search.low) * ROUNDING
    begin(trie, search)
    kind = next_things(trie, search, limit)
    while kind >= 0:
        total = _sum(kind, codes, level, search.low)
        last = wanted - 1
        if count < wanted or total < distance[last] or (total == distance[last] and kind < near[last]):
            count = min(count + 1, wanted)
            slot = count - 1
            while slot > 0 and (distance[slot - 1] > total or (distance[slot - 1] == total and near[slot - 1] > kind)):
                near[slot], distance[slot] = near[slot - 1], distance[slot - 1]
                slot -= 1
            near[slot], distance[slot] = kind, total
            if count == wanted:
                limit = min(limit, distance[last] * ROUNDING)
        kind = next_things(trie, search, limit)
    return count


@inner
def _sum(kind, codes, level, low):
    total = 0.0
    for a in range(len(level)):
        total += low[level[a], codes[kind, a]]
    return total


# ---- KACA -------------------------------------------------------------------------------------------------------


class FlatTrees(NamedTuple):
    """The hierarchies, one attribute after the other: of each node its ``level``, and its ``ancestors`` level by level.

    ``depth`` is what generalizing from the top down to a level costs. Those of attribute a begin at ``nodes[a]``,
    ``above[a]`` and ``levels[a]``; it has ``widths[a]`` nodes on ``heights[a]`` levels.
    """

    level: np.ndarray
    ancestors: np.ndarray
    depth: np.ndarray
    nodes: np.ndarray
    above: np.ndarray
    levels: np.ndarray
    widths: np.ndarray
    heights: np.ndarray
    weights: np.ndarray


class UnitedGroups(NamedTuple):
    """What each group shows, attribute by attribute, how many rows it holds, and which group it went ``into`` (-1)."""

    nodes: np.ndarray
    sizes: np.ndarray
    into: np.ndarray


class UnionSearch(NamedTuple):
    """The groups in a trie; what joining the current group costs it and costs each node; the unions and their number.

    ``level`` is the trie's level of each attribute.
    """

    trie: NamedTuple
    search: NamedTuple
    level: np.ndarray
    costs: np.ndarray
    unions: np.ndarray
    made: np.ndarray


def flat_trees(trees):
    """Put several hierarchies (``CostedTree``) into flat arrays."""

    def starts(sizes):
        return np.append(0, np.cumsum(sizes))[:-1]

    widths = np.array([len(tree.level) for tree in trees])
    heights = np.array([len(tree.ladder) for tree in trees])
    return FlatTrees(
        np.concatenate([tree.level for tree in trees]),
        np.concatenate([tree.ancestors.ravel() for tree in trees]),
        np.concatenate([tree.depth for tree in trees]),
        starts(widths),
        starts(widths * heights),
        starts(heights),
        widths,
        heights,
        np.array([tree.attribute.weight for tree in trees], dtype=np.float64),
    )


def new_unions(groups, trees, usual):
    """Everything in a trie, and no union yet; ``usual`` is what joining usually costs in each attribute."""
    order = level_order(usual)
    trie, search = empty_trie(groups.nodes[:, order]), new_search(trees.widths.tolist())
    _put_all(trie)
    unions = np.empty((len(groups.nodes), 2), dtype=np.int64)
    costs = np.zeros((2, *search.low.shape))
    return UnionSearch(trie, search, np.argsort(order), costs, unions, np.zeros(1, dtype=np.int64))


@compiled(makes_arrays=False)
def unite(failing, wanted, groups, trees, search):
    """Unite groups, one after the other, and what they become, until they hold ``wanted`` rows or everything."""
    last = len(groups.nodes) - 1  # unions that can be made
    for start in failing:
        group = start
        while groups.into[group] < 0 and groups.sizes[group] < wanted and search.made[0] < last:
            target = _least_distortion(group, groups, trees, search)
            remove(search.trie, target)
            for a in range(len(search.level)):
                node = groups.nodes[group, a]
                node = trees.ancestors[
                    _meeting(a, node, groups.nodes[target, a], trees) * trees.widths[a] + trees.above[a] + node
                ]
                groups.nodes[target, a] = search.trie.cells[target, search.level[a]] = node
            insert(search.trie, target)
            groups.sizes[target] += groups.sizes[group]
            groups.into[group] = target
            search.unions[search.made[0], 0], search.unions[search.made[0], 1] = group, target
            search.made[0] += 1
            group = target


@inner
def _meeting(a, node, other, trees):
    """Return the lowest level on which two nodes of attribute ``a`` are the same."""
    level = max(trees.level[trees.nodes[a] + node], trees.level[trees.nodes[a] + other])
    base = trees.above[a]
    while level < trees.heights[a] - 1 and (
        trees.ancestors[base + level * trees.widths[a] + node]
        != trees.ancestors[base + level * trees.widths[a] + other]
    ):
        level += 1
    return level


@inner
def _least_distortion(group, groups, trees, search):
    """Take a group out of the trie; returns the one whose union with it distorts both least, the first among equals.

    A group has at least one row, which is how much a node adds at least.
    """
    remove(search.trie, group)
    size, low, costs = groups.sizes[group], search.search.low, search.costs
    for a in range(len(search.level)):
        node, level, depth = groups.nodes[group, a], search.level[a], trees.levels[a]
        from_top = trees.depth[depth + trees.level[trees.nodes[a] + node]]
        for other in range(trees.widths[a]):
            together = trees.depth[depth + _meeting(a, node, other, trees)]
            costs[0, level, other] = trees.weights[a] * (from_top - together)
            others = trees.depth[depth + trees.level[trees.nodes[a] + other]]
            costs[1, level, other] = trees.weights[a] * (others - together)
            low[level, other] = size * costs[0, level, other] + costs[1, level, other]
    best, partner = np.inf, -1
    candidate = likely_thing(search.trie, low)
    begin(search.trie, search.search)
    while candidate >= 0:
        while candidate >= 0:
            first = second = 0.0
            for a in range(len(search.level)):
                first += costs[0, search.level[a], groups.nodes[candidate, a]]
                second += costs[1, search.level[a], groups.nodes[candidate, a]]
            distance = size * first + groups.sizes[candidate] * second
            if distance < best or (distance == best and candidate < partner):
                best, partner = distance, candidate
            candidate = search.trie.following[candidate]
        candidate = next_things(search.trie, search.search, best * ROUNDING)
    return partner
