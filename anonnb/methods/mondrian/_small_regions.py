"""Cuts of small regions by information loss, and by what greedy cuts make of their two sides (compiled by numba).

A region's loss is its rows times the sum of its widths. Sweeping the rows in the order of one attribute, from below and
from above, gives the loss on both sides of all its cuts; then the cuts that would follow the best of them are tried.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.methods.mondrian._grid import AXIS, BEYOND, CODE, HERE, HIGH, LOW, NOMINAL, OFFSET, WAITS, keep

TRIED = 32  # cuts per region after which further cuts are tried
# lines of the working space for rows: those of the region, and those of a trial; what sorting and splitting need; where
# the parts begin and end that a trial has left to cut
MINE, TRIAL, ORDER, KEYS, COUNTS, OTHER, BEGIN, END = range(8)


class SmallRoom(NamedTuple):
    """Working space. ``seen`` says which values the present sweep has met; its last place numbers the sweeps."""

    seen: np.ndarray
    room: np.ndarray
    below: np.ndarray  # summed widths of the first rows


def make_small_room(n: int, n_codes: int) -> SmallRoom:
    """Room for regions of up to ``n`` rows with ``n_codes`` codes in all."""
    room = np.empty((END + 1, 4 * n + 66), dtype=np.int64)  # so many counts are the most that sorting needs
    return SmallRoom(np.zeros(n_codes + 1, dtype=np.int64), room, np.empty(n + 1))


@compiled(makes_arrays=False)
def cut_small_regions(
    codes, axes, price, seen, room, below, cuts, loss, rows, starts, regions, k, best, found, left
):  # fmt: skip
    """Find the cuts of some regions that leave k rows on both sides, or the best one of each; returns their number."""
    total = 0
    for place in range(len(regions)):
        first, n = starts[regions[place]], starts[regions[place] + 1] - starts[regions[place]]
        for row in range(n):
            room[MINE, row] = rows[first + row]
        count = _look_ahead(codes, axes, price, seen, room, below, cuts, loss, n, k)
        total = keep(cuts, loss, count, regions[place], best, found, left, total)
    return total


@inner
def _look_ahead(codes, axes, price, seen, room, below, cuts, loss, n, k):
    """List the cuts of a region; the loss of the most promising ones is what remains when greedy cuts follow.

    The others keep the loss just after the cut, which is larger than any of these can become.
    """
    count = _find(codes, axes, price, seen, room, below, cuts, loss, MINE, 0, n, k, HERE)
    for number in range(count):
        cuts[HERE, WAITS, number] = 1
    for _ in range(count if count < TRIED else TRIED):
        number = _least(cuts, loss, HERE, count)
        cuts[HERE, WAITS, number] = 0
        for place in range(n):
            room[TRIAL, place] = room[MINE, place]
        left = _split(codes, room, 0, n, cuts[HERE, AXIS, number], cuts[HERE, CODE, number])
        total = 0.0
        for side in range(2):
            total += _greedy(
                codes, axes, price, seen, room, below, cuts, loss, side * left, left if side == 0 else n, k
            )
        loss[HERE, number] = total
    return count


@inner
def _find(codes, axes, price, seen, room, below, cuts, loss, line, first, last, k, which):
    """List the cuts of some rows of a line of ``room``, with the loss just after each; returns their number."""
    n, count = last - first, 0
    if n < 2 * k:
        return 0
    for axis in range(codes.shape[1]):
        _sort(codes, room, line, first, last, axis)
        if codes[room[ORDER, k - 1], axis] == codes[room[ORDER, n - k], axis]:
            continue  # no cut between two values leaves k rows on both sides
        width = _begin(axes, seen)
        for place in range(n):
            width += _meet(codes, axes, price, seen, room[ORDER, place])
            below[place + 1] = width
        width = _begin(axes, seen)
        for place in range(n - 1, k - 1, -1):
            row = room[ORDER, place]
            width += _meet(codes, axes, price, seen, row)
            code = codes[room[ORDER, place - 1], axis]
            if n - place >= k and code != codes[row, axis]:
                cuts[which, AXIS, count], cuts[which, CODE, count] = axis, code
                loss[which, count] = place * below[place] + (n - place) * width
                count += 1
    return count


@inner
def _sort(codes, room, line, first, last, axis):
    """The rows by their code on an axis: by counting where the codes lie close together."""
    n = last - first
    low = high = codes[room[line, first], axis]
    for place in range(first, last):
        code = codes[room[line, place], axis]
        if code < low:
            low = code
        if code > high:
            high = code
    if high - low > 4 * n + 64:
        for place in range(n):
            row = room[line, first + place]
            room[ORDER, place], room[KEYS, place] = row, codes[row, axis]
        _sort_by_keys(room, n)
        return
    for code in range(high - low + 2):
        room[COUNTS, code] = 0
    for place in range(first, last):
        room[COUNTS, codes[room[line, place], axis] - low + 1] += 1
    for code in range(high - low + 1):
        room[COUNTS, code + 1] += room[COUNTS, code]
    for place in range(first, last):
        row = room[line, place]
        code = codes[row, axis] - low
        room[ORDER, room[COUNTS, code]] = row
        room[COUNTS, code] += 1


@inner
def _sort_by_keys(room, n):
    """Shell sort: a few lines that compile in a moment, where numba's own sorts take seconds."""
    gap = 1
    while gap < n // 5:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for place in range(gap, n):
            key, row = room[KEYS, place], room[ORDER, place]
            while place >= gap and room[KEYS, place - gap] > key:
                room[KEYS, place], room[ORDER, place] = room[KEYS, place - gap], room[ORDER, place - gap]
                place -= gap
            room[KEYS, place], room[ORDER, place] = key, row
        gap = gap * 4 // 9


@inner
def _begin(axes, seen):
    """Begin a sweep, which has no width."""
    seen[len(seen) - 1] += 1
    for axis in range(axes.shape[1]):
        axes[LOW, axis] = axes[HIGH, axis] = -1
    return 0.0


@inner
def _meet(codes, axes, price, seen, row):
    """How much wider a sweep's set of rows becomes by one more row."""
    grown, turn = 0.0, seen[len(seen) - 1]
    for axis in range(codes.shape[1]):
        code, offset, high = codes[row, axis], axes[OFFSET, axis], axes[HIGH, axis]
        if axes[NOMINAL, axis]:
            if seen[offset + code] != turn:
                seen[offset + code] = turn
                if high >= 0:
                    grown += price[offset + code]
                axes[HIGH, axis] = code
        elif high < 0:
            axes[LOW, axis] = axes[HIGH, axis] = code
        elif code < axes[LOW, axis]:
            grown += price[offset + axes[LOW, axis]] - price[offset + code]
            axes[LOW, axis] = code
        elif code > high:
            grown += price[offset + code] - price[offset + high]
            axes[HIGH, axis] = code
    return grown


@inner
def _split(codes, room, first, last, axis, code):
    """Move the rows of a trial left of a cut to the front, keeping the order of both sides; where the right begins."""
    left, right = first, 0
    for place in range(first, last):
        row = room[TRIAL, place]
        if codes[row, axis] <= code:
            room[TRIAL, left] = row
            left += 1
        else:
            room[OTHER, right] = row
            right += 1
    for place in range(right):
        room[TRIAL, left + place] = room[OTHER, place]
    return left


@inner
def _least(cuts, loss, which, count):
    """The place of the cut that leaves least, of the region's those that wait; ties: the first."""
    best = -1
    for place in range(count):
        if (which == BEYOND or cuts[which, WAITS, place]) and (best < 0 or loss[which, place] < loss[which, best]):
            best = place
    return best


@inner
def _greedy(codes, axes, price, seen, room, below, cuts, loss, first, last, k):
    """The loss of a part of a trial after cuts that each save most at once (its rows are reordered)."""
    room[BEGIN, 0], room[END, 0] = first, last
    waiting, total = 1, 0.0
    while waiting:
        waiting -= 1
        first, last = room[BEGIN, waiting], room[END, waiting]
        count = _find(codes, axes, price, seen, room, below, cuts, loss, TRIAL, first, last, k, BEYOND)
        if count == 0:
            width = _begin(axes, seen)
            for place in range(first, last):
                width += _meet(codes, axes, price, seen, room[TRIAL, place])
            total += (last - first) * width
            continue
        best = _least(cuts, loss, BEYOND, count)
        middle = _split(codes, room, first, last, cuts[BEYOND, AXIS, best], cuts[BEYOND, CODE, best])
        room[BEGIN, waiting], room[END, waiting] = first, middle
        room[BEGIN, waiting + 1], room[END, waiting + 1] = middle, last
        waiting += 2
    return total
