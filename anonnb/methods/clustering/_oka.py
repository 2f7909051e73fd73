"""The two passes of OKA over the rows, compiled: each row looks for the nearest cluster, whose centre moves on the way.

Clusters are found through a trie of their centres (``_trie``): most frequent values, and means by the interval they lie
in. Sums run over the attributes in their order, numbers first, so that equal distances stay equal.
"""

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.core.progress import ticks
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

BLOCK = 500  # rows between two reports of progress
BINS = 16  # intervals by which means are found


class Domains(NamedTuple):
    """The values of the attributes that are compared by value, one attribute after the other.

    ``offsets`` are the attributes' first places in ``numbers``; ``maps`` holds a row for each level of a hierarchy,
    ``levels[a]`` of them for attribute a, from ``starts[a]`` on. Attributes without levels are compared by numbers.
    """

    sizes: np.ndarray
    offsets: np.ndarray
    numbers: np.ndarray
    widths: np.ndarray
    weights: np.ndarray
    maps: np.ndarray
    starts: np.ndarray
    levels: np.ndarray


def flat_domains(distances):
    """Put the distances of several attributes (``ValueDistance``) into flat arrays."""
    sizes = np.array([len(each.numbers) for each in distances], dtype=np.int64)
    levels = np.array([len(each.maps) for each in distances], dtype=np.int64)
    return Domains(
        sizes,
        np.append(0, np.cumsum(sizes))[:-1],
        np.concatenate([np.zeros(0), *(each.numbers for each in distances)]),
        np.array([each.width for each in distances], dtype=np.float64),
        np.array([each.weight for each in distances], dtype=np.float64),
        np.concatenate([np.zeros(0, dtype=np.int64), *(each.maps.ravel() for each in distances)]),
        np.append(0, np.cumsum(sizes * levels))[:-1],
        levels,
    )


@inner
def from_value(a, code, domains, out):
    """Fill in the distance of a value of attribute ``a`` from each of its values."""
    size, offset, start, levels = domains.sizes[a], domains.offsets[a], domains.starts[a], domains.levels[a]
    for other in range(size):
        if levels == 0:
            gap = abs(domains.numbers[offset + code] - domains.numbers[offset + other]) / domains.widths[a]
            out[other] = domains.weights[a] * (1.0 if np.isnan(gap) else gap)
        else:
            level = 0
            while level < levels - 1 and domains.maps[start + code] != domains.maps[start + other]:
                level += 1
                start += size
            start -= level * size
            out[other] = domains.weights[a] * (level / (levels - 1))
    out[code] = 0.0


class ComparedRows(NamedTuple):
    """What rows are compared by: ``numbers``, whose centres are means, and ``codes``, whose centres are modes."""

    numbers: np.ndarray
    codes: np.ndarray
    domains: Domains


class Clusters(NamedTuple):
    """The clusters so far: how many ``members`` each has, its centre, and how often it holds each code."""

    members: np.ndarray
    means: np.ndarray
    modes: np.ndarray
    counts: np.ndarray


def single_rows(rows, seeds):
    """Clusters of one row each."""
    counts = np.zeros((len(seeds), int(rows.domains.sizes.sum())), dtype=np.int32)
    counts[np.arange(len(seeds))[:, None], rows.domains.offsets + rows.codes[seeds]] = 1
    members = np.ones(len(seeds), dtype=np.int64)
    return Clusters(members, rows.numbers[seeds].T.copy(), rows.codes[seeds].T.copy(), counts)


@compiled(makes_arrays=False)
def join(row, cluster, rows, clusters):
    """Add a row to a cluster, whose centre moves towards it."""
    means, modes, counts = clusters.means, clusters.modes, clusters.counts
    clusters.members[cluster] += 1
    for a in range(len(means)):
        means[a, cluster] += (rows.numbers[row, a] - means[a, cluster]) / clusters.members[cluster]
    for a in range(len(modes)):
        index = rows.domains.offsets[a] + rows.codes[row, a]
        counts[cluster, index] += 1
        if counts[cluster, index] > counts[cluster, rows.domains.offsets[a] + modes[a, cluster]]:
            modes[a, cluster] = rows.codes[row, a]


# ---- searching ------------------------------------------------------------------------------------------------------


class Ladder(NamedTuple):
    """How the attributes, numbers first, become levels of a trie: ``order`` by level, ``level`` by attribute.

    Numbers from ``lowest`` on are put into intervals of a ``width``.
    """

    order: np.ndarray
    level: np.ndarray
    lowest: np.ndarray
    width: np.ndarray


def _ladder(numbers, usual):
    """``usual`` is how far rows are apart in the attributes that are no plain numbers."""
    lowest, highest = numbers.min(axis=0), numbers.max(axis=0)
    order = level_order(np.append((highest - lowest) / 4, usual))
    return Ladder(order, np.argsort(order), lowest, np.maximum((highest - lowest) / BINS, 1e-12))


@inner
def _cell(level, cluster, clusters, ladder):
    """Return the cell of a cluster on a level: its most frequent value, or the interval of its mean."""
    a, means = ladder.order[level], clusters.means
    if a >= len(means):
        return clusters.modes[a - len(means), cluster]
    return min(max(int((means[a, cluster] - ladder.lowest[a]) / ladder.width[a]), 0), BINS - 1)


@inner
def _put(cluster, trie, clusters, ladder):
    for level in range(len(ladder.order)):
        trie.cells[cluster, level] = _cell(level, cluster, clusters, ladder)
    insert(trie, cluster)


@compiled(makes_arrays=False)
def _put_all(which, trie, clusters, ladder):
    for cluster in which:
        _put(cluster, trie, clusters, ladder)


def _trie_of(which, clusters, ladder):
    """Return a trie of some clusters."""
    trie = empty_trie(np.zeros((len(which), len(ladder.order))))
    _put_all(np.flatnonzero(which), trie, clusters, ladder)
    return trie


@inner
def _find(row, trie, search, rows, clusters, ladder):
    """Return the nearest of the clusters in a trie; the first among equals, -1 when it is empty."""
    low, numbers, plain = search.low, rows.numbers, rows.numbers.shape[1]
    for a in range(plain):
        for cell in range(BINS):
            middle = ladder.lowest[a] + (cell + 0.5) * ladder.width[a]
            away = abs(numbers[row, a] - middle) - 0.5 * ladder.width[a]
            low[ladder.level[a], cell] = max(away - 1e-9, 0.0)
    for a in range(rows.codes.shape[1]):
        from_value(a, rows.codes[row, a], rows.domains, low[ladder.level[plain + a]])
    best, chosen, limit = np.inf, -1, np.inf
    cluster = likely_thing(trie, low)
    begin(trie, search)
    while cluster >= 0:
        while cluster >= 0:
            total = 0.0
            for a in range(plain):
                total += abs(numbers[row, a] - clusters.means[a, cluster])
            for a in range(rows.codes.shape[1]):
                total += low[ladder.level[plain + a], clusters.modes[a, cluster]]
            if total < best or (total == best and cluster < chosen):
                best, chosen = total, cluster
            cluster = trie.following[cluster]
        limit = best * (1 + 1e-9)  # beyond what another order of sums can make of it
        cluster = next_things(trie, search, limit)
    return chosen


# ---- the two passes -------------------------------------------------------------------------------------------------


def two_passes(seeds, k, rows, usual):
    """The cluster that each row joined first, the rows that were freed, in order, and the cluster of each row at last.

    ``usual`` is how far rows usually are apart in each attribute with codes.
    """
    clusters, ladder = single_rows(rows, seeds), _ladder(rows.numbers, usual)
    group = np.full(len(rows.codes), -1, dtype=np.int64)
    group[seeds] = np.arange(len(seeds))
    search = new_search([*rows.domains.sizes.tolist(), *[BINS] * len(ladder.lowest)])
    trie = _trie_of(np.ones(len(seeds), dtype=bool), clusters, ladder)
    for start in ticks(range(0, len(group), BLOCK), f"blocks of {BLOCK} rows"):
        _join_nearest(start, min(start + BLOCK, len(group)), group, trie, search, rows, clusters, ladder)
    freed = _surplus(group, k, rows, clusters)
    joined, members = group.copy(), clusters.members
    np.minimum(members, k, out=members)
    trie = _trie_of(members < k, clusters, ladder)
    done = _move_to_nearest(freed, k, group, trie, search, rows, clusters, ladder)
    if done < len(freed):  # all clusters are full: the nearest of all
        trie = _trie_of(np.ones(len(seeds), dtype=bool), clusters, ladder)
        _move_to_nearest(freed[done:], len(group) + 1, group, trie, search, rows, clusters, ladder)
    return joined, freed, group


@compiled(makes_arrays=False)
def _join_nearest(start, stop, group, trie, search, rows, clusters, ladder):
    """First pass over some rows; a centre that moved gets another place in the trie."""
    for row in range(start, stop):
        if group[row] < 0:
            chosen = group[row] = _find(row, trie, search, rows, clusters, ladder)
            join(row, chosen, rows, clusters)
            for level in range(len(ladder.order)):
                if trie.cells[chosen, level] != _cell(level, chosen, clusters, ladder):
                    remove(trie, chosen)
                    _put(chosen, trie, clusters, ladder)
                    break


def _surplus(group, k, rows, clusters):
    """Return the rows of each cluster beyond the k that are nearest to its centre, in their order."""
    apart = np.zeros(rows.codes.shape)
    _to_centres(group, rows, clusters.modes, np.zeros(int(rows.domains.sizes.max(initial=0))), apart)
    away = np.abs(rows.numbers - clusters.means[:, group].T).sum(axis=1) + apart.sum(axis=1)
    order, members = np.lexsort((away, group)), clusters.members
    rank = np.arange(len(group)) - (np.cumsum(members) - members)[group[order]]
    return np.sort(order[rank >= k])


@compiled(makes_arrays=False)
def _to_centres(group, rows, modes, to_value, away):
    """Fill in each row's distance from the centre of its cluster, attribute by attribute."""
    for row in range(len(group)):
        for a in range(len(modes)):
            from_value(a, rows.codes[row, a], rows.domains, to_value)
            away[row, a] = to_value[modes[a, group[row]]]


@compiled(makes_arrays=False)
def _move_to_nearest(freed, limit, group, trie, search, rows, clusters, ladder):
    """Second pass through a trie of clusters under ``limit`` rows; returns how many rows found one."""
    for index in range(len(freed)):
        chosen = _find(freed[index], trie, search, rows, clusters, ladder)
        if chosen < 0:
            return index
        group[freed[index]] = chosen
        clusters.members[chosen] += 1
        if clusters.members[chosen] == limit:
            remove(trie, chosen)
    return len(freed)
