"""The two passes of OKA over the rows, compiled: each row looks at every cluster, and the centres move on the way.

Centres are kept attribute by attribute, so that a row's distances to all clusters are a few straight runs over memory.
"""

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled
from anonnb.core.progress import ticks

BLOCK = 500  # rows between two reports of progress


class Domains(NamedTuple):
    """The values of the attributes that are compared by value, one attribute after the other.

    ``offsets`` are the attributes' first places in ``numbers``; ``maps`` holds a row for each level of a hierarchy,
    ``levels[a]`` of them for attribute a, from ``rows[a]`` on. An attribute without levels is compared by its numbers.
    """

    sizes: np.ndarray
    offsets: np.ndarray
    numbers: np.ndarray
    widths: np.ndarray
    weights: np.ndarray
    maps: np.ndarray
    starts: np.ndarray
    levels: np.ndarray


def domains(distances):
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


@compiled
def from_value(a, code, domains, out):
    """The distance of a value of attribute ``a`` from each of its values."""
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


@compiled
def _nearest(row, most, members, numbers, codes, means, modes, domains, to_value, distance):
    """The nearest of the clusters that hold fewer than ``most`` rows; the first among equals, -1 when there is none."""
    distance[:] = 0.0
    for a in range(numbers.shape[1]):
        value, centre = numbers[row, a], means[a]
        for cluster in range(len(distance)):
            distance[cluster] += abs(value - centre[cluster])
    for a in range(codes.shape[1]):
        from_value(a, codes[row, a], domains, to_value)
        centre = modes[a]
        for cluster in range(len(distance)):
            distance[cluster] += to_value[centre[cluster]]
    best, chosen = np.inf, -1
    for cluster in range(len(distance)):
        if distance[cluster] < best and members[cluster] < most:
            best, chosen = distance[cluster], cluster
    return chosen


@compiled
def _join(row, cluster, members, numbers, codes, means, modes, counts, offsets):
    members[cluster] += 1
    for a in range(numbers.shape[1]):
        means[a, cluster] += (numbers[row, a] - means[a, cluster]) / members[cluster]
    for a in range(codes.shape[1]):
        place = offsets[a] + codes[row, a]
        counts[cluster, place] += 1
        if counts[cluster, place] > counts[cluster, offsets[a] + modes[a, cluster]]:
            modes[a, cluster] = codes[row, a]


@compiled
def _open(seeds, members, numbers, codes, means, modes, domains, to_value, counts):
    """The seeds open the clusters."""
    group = np.full(len(numbers), -1, dtype=np.int64)
    for cluster in range(len(seeds)):
        row = seeds[cluster]
        group[row] = cluster
        modes[:, cluster] = codes[row]
        _join(row, cluster, members, numbers, codes, means, modes, counts, domains.offsets)
    return group


@compiled
def _gather(start, stop, group, distance, members, numbers, codes, means, modes, domains, to_value, counts):
    """First pass over some rows: each joins the nearest cluster."""
    for row in range(start, stop):
        if group[row] < 0:
            most = len(group) + 1
            chosen = _nearest(row, most, members, numbers, codes, means, modes, domains, to_value, distance)
            group[row] = chosen
            _join(row, chosen, members, numbers, codes, means, modes, counts, domains.offsets)


@compiled
def _to_centres(group, codes, modes, domains, to_value):
    """Each row's distance from the centre of its cluster, attribute by attribute."""
    away = np.zeros(codes.shape)
    for row in range(len(group)):
        for a in range(codes.shape[1]):
            from_value(a, codes[row, a], domains, to_value)
            away[row, a] = to_value[modes[a, group[row]]]
    return away


@compiled
def _spread(freed, k, group, distance, members, numbers, codes, means, modes, domains, to_value):
    """Second pass: freed rows go to the nearest cluster under ``k``; when all are full, to the nearest."""
    missing = 0
    for count in members:
        missing += max(k - count, 0)
    for row in freed:
        most = k if missing > 0 else len(group) + 1
        missing -= 1
        group[row] = _nearest(row, most, members, numbers, codes, means, modes, domains, to_value, distance)
        members[group[row]] += 1


def one_pass(seeds, k, numbers, codes, domains, notes=None):
    """The cluster of every row; ``numbers`` have means as centres, ``codes`` their most frequent values.

    With ``notes`` the same loops run row by row, and each row is recorded.
    """
    members = np.zeros(len(seeds), dtype=np.int64)
    means, modes = np.zeros((numbers.shape[1], len(seeds))), np.zeros((codes.shape[1], len(seeds)), dtype=np.int64)
    counts = np.zeros((len(seeds), int(domains.sizes.sum())), dtype=np.int32)
    shared = (numbers, codes, means, modes, domains, np.zeros(int(domains.sizes.max(initial=0))))
    group, distance = _open(seeds, members, *shared, counts), np.empty(len(seeds))
    if notes is not None:
        notes.tell_seeds(seeds)
        _gather_row_by_row(notes, group, distance, members, *shared, counts)
    for start in ticks(range(0, len(group), BLOCK), f"blocks of {BLOCK} rows"):
        _gather(start, min(start + BLOCK, len(group)), group, distance, members, *shared, counts)
    away = np.abs(numbers - means[:, group].T).sum(axis=1)
    away += _to_centres(group, codes, modes, domains, shared[-1]).sum(axis=1)
    order = np.lexsort((away, group))  # within a cluster the nearest first: those after the k-th are freed
    rank = np.arange(len(group)) - (np.cumsum(members) - members)[group[order]]
    freed = np.sort(order[rank >= k])
    members = np.minimum(members, k)
    if notes is not None and len(freed):
        notes.tell_freed(freed)
        _spread_row_by_row(notes, freed, k, group, distance, members, *shared)
    else:
        _spread(freed, k, group, distance, members, *shared)
    return group


def _gather_row_by_row(notes, group, distance, members, *rest):
    for row in np.flatnonzero(group < 0):
        _gather(row, row + 1, group, distance, members, *rest)
        notes.tell_join(int(row), int(group[row]), distance.copy(), members.copy())


def _spread_row_by_row(notes, freed, k, group, distance, members, *rest):
    for row in freed:
        short = bool((members < k).any())
        _spread(np.array([row]), k, group, distance, members, *rest)
        notes.tell_move(int(row), int(group[row]), distance.copy(), members.copy(), short)
