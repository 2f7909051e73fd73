"""The two passes of OKA over the rows, compiled: each row looks for the nearest cluster, whose centre moves on the way.

Clusters are found through a trie of their centres (``_trie``): most frequent values, and means by the interval they lie
in. Where steps are recorded each row looks at every cluster instead, and every distance is known. Both add up in the
same order, so that equal distances stay equal.
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


@inner
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


@inner
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


@inner
def _join(row, cluster, members, numbers, codes, means, modes, counts, offsets):
    members[cluster] += 1
    for a in range(numbers.shape[1]):
        means[a, cluster] += (numbers[row, a] - means[a, cluster]) / members[cluster]
    for a in range(codes.shape[1]):
        place = offsets[a] + codes[row, a]
        counts[cluster, place] += 1
        if counts[cluster, place] > counts[cluster, offsets[a] + modes[a, cluster]]:
            modes[a, cluster] = codes[row, a]


@compiled(makes_arrays=False)
def _gather(start, stop, group, distance, members, numbers, codes, means, modes, domains, to_value, counts):
    """First pass over some rows: each joins the nearest cluster."""
    for row in range(start, stop):
        if group[row] < 0:
            most = len(group) + 1
            chosen = _nearest(row, most, members, numbers, codes, means, modes, domains, to_value, distance)
            group[row] = chosen
            _join(row, chosen, members, numbers, codes, means, modes, counts, domains.offsets)


@compiled(makes_arrays=False)
def _to_centres(group, codes, modes, domains, to_value, away):
    """Fill in each row's distance from the centre of its cluster, attribute by attribute."""
    for row in range(len(group)):
        for a in range(codes.shape[1]):
            from_value(a, codes[row, a], domains, to_value)
            away[row, a] = to_value[modes[a, group[row]]]


@compiled(makes_arrays=False)
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


class Ladder(NamedTuple):
    """How the attributes, numbers first, become levels of a trie: ``order`` by level, ``level`` by attribute.

    Numbers from ``lowest`` on are put into intervals of a ``width``.
    """

    order: np.ndarray
    level: np.ndarray
    lowest: np.ndarray
    width: np.ndarray


def _levels(numbers, usual):
    """``usual`` is how far rows are apart in the attributes that are no plain numbers."""
    lowest, highest = numbers.min(axis=0), numbers.max(axis=0)
    order = level_order(np.append((highest - lowest) / 4, usual))
    return Ladder(order, np.argsort(order), lowest, np.maximum((highest - lowest) / BINS, 1e-12))


def _values(domains):
    return np.zeros(int(domains.sizes.max(initial=0)))


@inner
def _cell(level, cluster, means, modes, levels):
    """The cell of a cluster on a level: its most frequent value, or the interval of its mean."""
    a = levels.order[level]
    if a >= len(means):
        return modes[a - len(means), cluster]
    return min(max(int((means[a, cluster] - levels.lowest[a]) / levels.width[a]), 0), BINS - 1)


@inner
def _put(cluster, trie, means, modes, levels):
    for level in range(len(levels.order)):
        trie.cells[cluster, level] = _cell(level, cluster, means, modes, levels)
    insert(trie, cluster)


@inner
def _find(row, trie, search, numbers, codes, means, modes, domains, levels):
    """The nearest of the clusters in a trie; the first among equals, -1 when it is empty."""
    low, plain = search.low, numbers.shape[1]
    for a in range(plain):
        for cell in range(BINS):
            middle = levels.lowest[a] + (cell + 0.5) * levels.width[a]
            away = abs(numbers[row, a] - middle) - 0.5 * levels.width[a]
            low[levels.level[a], cell] = max(away - 1e-9, 0.0)
    for a in range(codes.shape[1]):
        from_value(a, codes[row, a], domains, low[levels.level[plain + a]])
    best, chosen, limit = np.inf, -1, np.inf
    cluster = likely_thing(trie, low)
    begin(trie, search)
    while cluster >= 0:
        while cluster >= 0:
            total = 0.0
            for a in range(plain):
                total += abs(numbers[row, a] - means[a, cluster])
            for a in range(codes.shape[1]):
                total += low[levels.level[plain + a], modes[a, cluster]]
            if total < best or (total == best and cluster < chosen):
                best, chosen = total, cluster
            cluster = trie.following[cluster]
        limit = best * (1 + 1e-9)  # beyond what another order of sums can make of it
        cluster = next_things(trie, search, limit)
    return chosen


@compiled(makes_arrays=False)
def _find_and_join(start, stop, group, trie, search, members, numbers, codes, means, modes, domains, counts, levels):
    """First pass over some rows, through a trie of the clusters, in which a centre that moved gets another place."""
    for row in range(start, stop):
        if group[row] < 0:
            chosen = _find(row, trie, search, numbers, codes, means, modes, domains, levels)
            group[row] = chosen
            _join(row, chosen, members, numbers, codes, means, modes, counts, domains.offsets)
            for level in range(len(levels.order)):
                if trie.cells[chosen, level] != _cell(level, chosen, means, modes, levels):
                    remove(trie, chosen)
                    _put(chosen, trie, means, modes, levels)
                    break


@compiled(makes_arrays=False)
def _find_and_fill(freed, most, group, trie, search, members, numbers, codes, means, modes, domains, levels):
    """Second pass through a trie of clusters under ``most`` rows; returns how many rows found one."""
    for place in range(len(freed)):
        chosen = _find(freed[place], trie, search, numbers, codes, means, modes, domains, levels)
        if chosen < 0:
            return place
        group[freed[place]] = chosen
        members[chosen] += 1
        if members[chosen] == most:
            remove(trie, chosen)
    return len(freed)


def one_pass(seeds, k, numbers, codes, domains, usual, notes=None):
    """The cluster of every row; ``numbers`` have means as centres, ``codes`` their most frequent values.

    ``usual`` is how far rows usually are apart in each attribute with codes. With ``notes`` each row looks at every
    cluster, and is recorded.
    """
    group, members = np.full(len(codes), -1, dtype=np.int64), np.ones(len(seeds), dtype=np.int64)
    group[seeds] = np.arange(len(seeds))
    means, modes = numbers[seeds].T.copy(), codes[seeds].T.copy()
    counts = np.zeros((len(seeds), int(domains.sizes.sum())), dtype=np.int32)
    counts[np.arange(len(seeds))[:, None], domains.offsets + codes[seeds]] = 1
    centres = numbers, codes, means, modes, domains
    if notes is not None:
        notes.tell_seeds(seeds)
        _gather_row_by_row(notes, group, np.empty(len(seeds)), members, *centres, _values(domains), counts)
    else:
        levels = _levels(numbers, usual)
        found_by = _trie_of(np.ones(len(seeds), dtype=bool), means, modes, levels), _search(domains, levels)
        for start in ticks(range(0, len(group), BLOCK), f"blocks of {BLOCK} rows"):
            stop = min(start + BLOCK, len(group))
            _find_and_join(start, stop, group, *found_by, members, *centres, counts, levels)
    apart = np.zeros(codes.shape)
    _to_centres(group, codes, modes, domains, _values(domains), apart)
    away = np.abs(numbers - means[:, group].T).sum(axis=1) + apart.sum(axis=1)
    order = np.lexsort((away, group))  # within a cluster the nearest first: those after the k-th are freed
    rank = np.arange(len(group)) - (np.cumsum(members) - members)[group[order]]
    freed = np.sort(order[rank >= k])
    members = np.minimum(members, k)
    if notes is None:
        _fill(freed, k, group, members, *centres, levels)
    elif len(freed):
        notes.tell_freed(freed)
        _spread_row_by_row(notes, freed, k, group, np.empty(len(seeds)), members, *centres, _values(domains))
    return group


def _trie_of(which, means, modes, levels):
    """A trie of some clusters."""
    trie = empty_trie(np.zeros((len(which), len(levels.order))))
    _put_all(np.flatnonzero(which), trie, means, modes, levels)
    return trie


def _search(domains, levels):
    return new_search([*domains.sizes.tolist(), *[BINS] * len(levels.lowest)])


@compiled(makes_arrays=False)
def _put_all(clusters, trie, means, modes, levels):
    for cluster in clusters:
        _put(cluster, trie, means, modes, levels)


def _fill(freed, k, group, members, numbers, codes, means, modes, domains, levels):
    """Freed rows go to the nearest cluster under ``k``; when all are full, to the nearest."""
    centres, search = (numbers, codes, means, modes, domains), _search(domains, levels)
    trie = _trie_of(members < k, means, modes, levels)
    done = _find_and_fill(freed, k, group, trie, search, members, *centres, levels)
    if done < len(freed):
        trie = _trie_of(np.ones(len(members), dtype=bool), means, modes, levels)
        _find_and_fill(freed[done:], len(group) + 1, group, trie, search, members, *centres, levels)


def _gather_row_by_row(notes, group, distance, members, *rest):
    for row in np.flatnonzero(group < 0):
        _gather(row, row + 1, group, distance, members, *rest)
        notes.tell_join(int(row), int(group[row]), distance.copy(), members.copy())


def _spread_row_by_row(notes, freed, k, group, distance, members, *rest):
    for row in freed:
        short = bool((members < k).any())
        _spread(np.array([row]), k, group, distance, members, *rest)
        notes.tell_move(int(row), int(group[row]), distance.copy(), members.copy(), short)
