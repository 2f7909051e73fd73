"""The cheapest exact cover of points by groups of a pool, compiled (it needs numba): depth-first search with memory.

Points are covered in the order of a sweep, each by the groups that cost least above their prices. A partial cover is
given up when these surpluses reach what is left between bound and best total, or when the same points have been covered
before at no higher cost: what follows depends only on them. In a sweep through neighbours that happens all the time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner

TINY = 1e-9  # savings below this are rounding

# called from compiled code only: without wrappers for Python they compile faster


class PricedGroups(NamedTuple):
    """Groups of a pool, the smallest surplus first: where the points of each begin, the points, their units."""

    begins: np.ndarray
    point: np.ndarray
    amount: np.ndarray
    cost: np.ndarray
    surplus: np.ndarray


class Memory(NamedTuple):
    """Which units were covered, as bits from ``bit`` of each point on, and at what cost; an empty line is unused."""

    covered: np.ndarray
    cost: np.ndarray
    bit: np.ndarray


class GroupsByPoint(NamedTuple):
    """Groups by the first of their points in a sweep: where those of each place begin, and the groups."""

    begins: np.ndarray
    group: np.ndarray


class CoverPath(NamedTuple):
    """Partial cover: after each group the position in the sweep, the next group to try, what is covered, its cost."""

    at: np.ndarray
    following: np.ndarray
    cost: np.ndarray
    surplus: np.ndarray
    covered: np.ndarray


def make_memory(units: np.ndarray, lines: int) -> Memory:
    """Return space for ``lines`` covers, a power of two; each point has as many bits as count its units."""
    needed = np.ceil(np.log2(units + 1)).astype(np.int64)
    bit, used = np.zeros(len(units), dtype=np.int64), 0
    for point, bits in enumerate(needed.tolist()):
        if used % 64 + bits > 64:
            used += -used % 64
        bit[point], used = used, used + bits
    return Memory(np.zeros((lines, used // 64 + 1), dtype=np.uint64), np.zeros(lines), bit)


def make_path(deep: int, words: int) -> CoverPath:
    """Return space for covers of up to ``deep`` groups, whose units take ``words`` words."""
    numbers, sums = np.zeros((2, deep + 1), dtype=np.int64), np.zeros((2, deep + 1))
    return CoverPath(numbers[0], numbers[1], sums[0], sums[1], np.zeros((deep + 1, words), dtype=np.uint64))


def by_first_point(groups: PricedGroups, units: np.ndarray, sweep: np.ndarray, limit: float) -> GroupsByPoint:
    """List the groups that fit with a surplus below the limit under the first of their points in the sweep."""
    below = int(np.searchsorted(groups.surplus, limit))
    if not below:
        return GroupsByPoint(np.zeros(len(sweep) + 1, dtype=np.int64), np.zeros(0, dtype=np.int64))
    position = np.full(len(units), len(sweep), dtype=np.int64)
    position[sweep] = np.arange(len(sweep))
    starts, points = groups.begins[:below], groups.point[: groups.begins[below]]
    fits = np.flatnonzero(np.logical_and.reduceat(groups.amount[: len(points)] <= units[points], starts))
    first = np.minimum.reduceat(position[points], starts)[fits]
    begins = np.append(0, np.cumsum(np.bincount(first, minlength=len(sweep))))
    return GroupsByPoint(begins, fits[np.argsort(first, kind="stable")])


@inner
def change(groups, g, left, sign):
    """Take a group's units from what is left (-1), or give them back (1)."""
    for e in range(groups.begins[g], groups.begins[g + 1]):
        left[groups.point[e]] += sign * groups.amount[e]


@inner
def room_for(groups, g, left):
    for e in range(groups.begins[g], groups.begins[g + 1]):  # noqa: SIM110  numba compiles no generators
        if groups.amount[e] > left[groups.point[e]]:
            return False
    return True


@inner
def known(groups, g, memory, covered, depth, cost, everything):
    """Tell whether what the groups up to this depth cover was covered before at no higher cost.

    If not, note that it is now, where ``everything`` that can follow will be tried.
    """
    words, line = covered.shape[1], np.uint64(0)
    for word in range(words):
        covered[depth, word] = covered[depth - 1, word]
    for e in range(groups.begins[g], groups.begins[g + 1]):
        bit = memory.bit[groups.point[e]]
        covered[depth, bit >> 6] += np.uint64(groups.amount[e]) << np.uint64(bit & 63)
    for word in range(words):
        line = (line ^ covered[depth, word]) * np.uint64(0x9E3779B97F4A7C15)
        line ^= line >> np.uint64(29)
    line = (line * np.uint64(0xBF58476D1CE4E5B9)) >> np.uint64(20)
    position = np.int64(line & np.uint64(len(memory.cost) - 1))
    same = True
    for word in range(words):
        same = same and memory.covered[position, word] == covered[depth, word]
    if same and memory.cost[position] <= cost + TINY:
        return True
    if everything:
        memory.cost[position] = cost
        for word in range(words):
            memory.covered[position, word] = covered[depth, word]
    return False


@compiled(makes_arrays=False)
def cheapest_cover(groups, lists, left, sweep, bound, best, budget, memory, path, chosen):
    """Return the least cost of a cover of all units below ``best``, or ``best``; its groups, and the nodes left.

    The units are those ``left`` to cover; every cover costs at least ``bound`` and the surpluses of its groups.
    ``chosen`` receives the groups of the best cover; ``path`` is working space, and so is ``left`` itself. With fewer
    than no nodes left, the search is incomplete.
    """
    begins, listed = lists
    at, following, cost, surplus, covered = path
    depth, number = 0, 0
    following[0] = begins[0]
    while depth >= 0 and budget >= 0:
        here, i = at[depth], following[depth]
        if i >= begins[here + 1] or bound + surplus[depth] + groups.surplus[listed[i]] >= best - TINY:
            depth -= 1
            if depth >= 0:
                change(groups, listed[following[depth] - 1], left, 1)
            continue
        following[depth] += 1
        g = listed[i]
        if not room_for(groups, g, left):
            continue
        budget -= 1
        change(groups, g, left, -1)
        depth += 1
        cost[depth], surplus[depth] = cost[depth - 1] + groups.cost[g], surplus[depth - 1] + groups.surplus[g]
        after = here
        while after < len(sweep) and left[sweep[after]] == 0:
            after += 1
        if after == len(sweep):
            if cost[depth] < best - TINY:
                best, number = cost[depth], depth
                for d in range(depth):
                    chosen[d] = listed[following[d] - 1]
        # a point with units left goes on with the same group, so that no cover comes up twice
        elif not known(groups, g, memory, covered, depth, cost[depth], after > here):
            at[depth], following[depth] = after, i if after == here else begins[after]
            continue
        depth -= 1
        change(groups, g, left, 1)
    return best, number, budget
