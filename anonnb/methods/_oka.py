"""The two passes of OKA over the rows, compiled: each row looks at every cluster, and the centres move on the way.

Centres are kept attribute by attribute, so that a row's distances to all clusters are a few straight runs over memory.
"""

import numpy as np
from numba import njit


@njit(cache=True)
def _nearest(row, most, members, numbers, codes, means, modes, tables, starts, sizes, distance):
    """The nearest of the clusters that hold fewer than ``most`` rows; the first among equals, -1 when there is none."""
    distance[:] = 0.0
    for a in range(numbers.shape[1]):
        value, centre = numbers[row, a], means[a]
        for cluster in range(len(distance)):
            distance[cluster] += abs(value - centre[cluster])
    for a in range(codes.shape[1]):
        begin = starts[a] + codes[row, a] * sizes[a]
        to_value, centre = tables[begin : begin + sizes[a]], modes[a]
        for cluster in range(len(distance)):
            distance[cluster] += to_value[centre[cluster]]
    best, chosen = np.inf, -1
    for cluster in range(len(distance)):
        if distance[cluster] < best and members[cluster] < most:
            best, chosen = distance[cluster], cluster
    return chosen


@njit(cache=True)
def _join(row, cluster, members, numbers, codes, means, modes, counts, offsets):
    members[cluster] += 1
    for a in range(numbers.shape[1]):
        means[a, cluster] += (numbers[row, a] - means[a, cluster]) / members[cluster]
    for a in range(codes.shape[1]):
        place = offsets[a] + codes[row, a]
        counts[cluster, place] += 1
        if counts[cluster, place] > counts[cluster, offsets[a] + modes[a, cluster]]:
            modes[a, cluster] = codes[row, a]


@njit(cache=True)
def _gather(seeds, members, numbers, codes, means, modes, tables, starts, sizes, counts, offsets):
    """First pass: the seeds open the clusters, then each row joins the nearest."""
    distance = np.empty(len(seeds))
    group = np.full(len(numbers), -1, dtype=np.int64)
    for cluster in range(len(seeds)):
        row = seeds[cluster]
        group[row] = cluster
        modes[:, cluster] = codes[row]
        _join(row, cluster, members, numbers, codes, means, modes, counts, offsets)
    for row in range(len(group)):
        if group[row] < 0:
            most = len(group) + 1
            chosen = _nearest(row, most, members, numbers, codes, means, modes, tables, starts, sizes, distance)
            group[row] = chosen
            _join(row, chosen, members, numbers, codes, means, modes, counts, offsets)
    return group


@njit(cache=True)
def _spread(freed, k, group, members, numbers, codes, means, modes, tables, starts, sizes):
    """Second pass: freed rows go to the nearest cluster under ``k``; when all are full, to the nearest."""
    distance = np.empty(len(members))
    missing = 0
    for count in members:
        missing += max(k - count, 0)
    for row in freed:
        most = k if missing > 0 else len(group) + 1
        missing -= 1
        group[row] = _nearest(row, most, members, numbers, codes, means, modes, tables, starts, sizes, distance)
        members[group[row]] += 1


def one_pass(seeds, k, numbers, codes, tables, starts, sizes, offsets):
    """The cluster of every row."""
    members = np.zeros(len(seeds), dtype=np.int64)
    means, modes = np.zeros((numbers.shape[1], len(seeds))), np.zeros((codes.shape[1], len(seeds)), dtype=np.int64)
    counts = np.zeros((len(seeds), int(sizes.sum())), dtype=np.int32)
    shared = (numbers, codes, means, modes, tables, starts, sizes)
    group = _gather(seeds, members, *shared, counts, offsets)
    away = np.abs(numbers - means[:, group].T).sum(axis=1)
    away += tables[starts + codes * sizes + modes[:, group].T].sum(axis=1)
    order = np.lexsort((away, group))  # within a cluster the nearest first: those after the k-th are freed
    rank = np.arange(len(group)) - (np.cumsum(members) - members)[group[order]]
    freed = np.sort(order[rank >= k])
    members = np.minimum(members, k)
    _spread(freed, k, group, members, *shared)
    return group
