"""Compiled loops for cuts by information loss; import this module only when such cuts are asked for (it needs numba).

A region's loss is its rows times the sum of its widths. Sweeping the rows in the order of one attribute, from below and
from above, gives the loss on both sides of all its cuts, and the cuts that would follow are tried out too. Regions too
large for that are swept value by value (``_large_regions``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.methods.mondrian._large_regions import Ends, large_cuts

TRIED = 32  # cuts per region after which further cuts are tried


class Grid(NamedTuple):
    """The quasi-identifier for the kernels. Arrays over codes hold all attributes one after the other (``offset``)."""

    codes: np.ndarray  # rows × attributes; equal rows of a table are one row here, whose number stands for them
    is_nominal: np.ndarray
    offset: np.ndarray
    position: np.ndarray  # of every code, for attributes with an order
    step: np.ndarray  # what one more distinct value costs, for nominal ones


class Bench(NamedTuple):
    """Room to work in, made once: ``seen`` and ``turn`` tell which values the present sweep has met."""

    seen: np.ndarray
    turn: np.ndarray
    order: np.ndarray
    keys: np.ndarray
    other: np.ndarray
    trial: np.ndarray
    below: np.ndarray


class CutList(NamedTuple):
    """Cuts of one region: attribute, code (the last on the left) and the loss that remains."""

    axis: np.ndarray
    code: np.ndarray
    loss: np.ndarray


def make_bench(n: int, n_codes: int) -> Bench:
    """Room for regions of up to ``n`` rows and ``n_codes`` codes in all."""
    rows = [np.empty(n, dtype=np.int64) for _ in range(4)]
    return Bench(np.zeros(n_codes, dtype=np.int64), np.zeros(1, dtype=np.int64), *rows, np.empty(n + 1))


def make_list(room: int) -> CutList:
    """Room for this many cuts."""
    return CutList(np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64), np.empty(room))


def cuts_of_regions(grid: Grid, large: Ends, rows: np.ndarray, starts: np.ndarray, k: int, lookahead: int, best: bool):
    """Cuts that leave k rows on both sides, region after region: region, axis, code and remaining loss.

    ``rows[starts[r]:starts[r + 1]]`` are the rows of region r. Regions of up to ``lookahead`` rows are judged by the
    loss after further greedy cuts, larger ones by the loss just after the cut. With ``best`` a region gives its best
    cut only: ties, to nine decimals, go to the first attribute and the smallest value.
    """
    values = np.diff(grid.offset, append=len(grid.position))
    sizes = np.diff(starts)
    at_most = np.minimum.outer(values - 1, sizes - 2 * k + 1).clip(0).sum(axis=0)
    bench = make_bench(min(int(sizes.max()), lookahead), len(grid.position))
    cuts, spare = make_list(int(at_most.max())), make_list(int(at_most.max()))
    room = len(sizes) if best else int(at_most.sum())
    owner, found = np.empty(room, dtype=np.int64), make_list(room)
    total = _fill(grid, large, rows, starts, k, lookahead, best, bench, cuts, spare, owner, found)
    return owner[:total], found.axis[:total], found.code[:total], found.loss[:total]


@compiled
def _fill(grid, large, rows, starts, k, lookahead, best, bench, cuts, spare, owner, found):
    total = 0
    for region in range(len(starts) - 1):
        mine = rows[starts[region] : starts[region + 1]]
        if len(mine) <= lookahead:
            count = find_cuts(grid, mine, k, bench, cuts)
            look_ahead(grid, mine, k, bench, cuts, count, spare)
        else:
            count = large_cuts(grid, mine, k, large, cuts)
        first = _preferred(cuts, count) if best else 0
        for number in range(first, min(first + 1, count) if best else count):
            owner[total] = region
            found.axis[total], found.code[total] = cuts.axis[number], cuts.code[number]
            found.loss[total] = cuts.loss[number]
            total += 1
    return total


@inner
def _preferred(cuts, count):
    """The place of the cut with the least loss to nine decimals, then the first attribute, then the smallest value."""
    best, least = 0, np.inf
    for number in range(count):
        loss = np.rint(cuts.loss[number] * 1e9) / 1e9
        if loss < least or (
            loss == least and cuts.axis[number] == cuts.axis[best] and cuts.code[number] < cuts.code[best]
        ):
            best, least = number, loss
    return best


@inner
def find_cuts(grid, rows, k, bench, cuts):
    """Fill ``cuts`` with the cuts of one region that leave k rows on both sides; returns their number."""
    n, count = len(rows), 0
    if n < 2 * k:
        return 0
    for axis in range(grid.codes.shape[1]):
        order = _sorted_rows(grid, rows, axis, bench)
        if grid.codes[order[k - 1], axis] == grid.codes[order[n - k], axis]:
            continue  # no cut between two values leaves k rows on both sides
        _sweep_up(grid, order, bench)
        count = _sweep_down(grid, order, axis, k, bench, cuts, count)
    return count


@inner
def _sorted_rows(grid, rows, axis, bench):
    """The rows by their code on an axis: by counting where the codes lie close together."""
    n = len(rows)
    order = bench.order[:n]
    low = high = grid.codes[rows[0], axis]
    for row in rows:
        code = grid.codes[row, axis]
        low, high = min(low, code), max(high, code)
    if high - low > 4 * n + 64:
        for place in range(n):
            order[place], bench.keys[place] = rows[place], grid.codes[rows[place], axis]
        _sort_by(bench.keys, order)
        return order
    place = np.zeros(high - low + 2, dtype=np.int64)
    for row in rows:
        place[grid.codes[row, axis] - low + 1] += 1
    for code in range(high - low + 1):
        place[code + 1] += place[code]
    for row in rows:
        code = grid.codes[row, axis] - low
        order[place[code]] = row
        place[code] += 1
    return order


@inner
def _sort_by(keys, rows):
    """Shell sort: a few lines that compile in a moment, where numba's own sorts take seconds."""
    gap = 1
    while gap < len(rows) // 5:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for place in range(gap, len(rows)):
            key, row = keys[place], rows[place]
            while place >= gap and keys[place - gap] > key:
                keys[place], rows[place] = keys[place - gap], rows[place - gap]
                place -= gap
            keys[place], rows[place] = key, row
        gap = gap * 4 // 9


@inner
def _meet(grid, row, low, high, bench):
    """How much wider a sweep's set of rows becomes by one more row; ``low`` and ``high`` are its ends so far."""
    grown = 0.0
    for axis in range(grid.codes.shape[1]):
        code = grid.codes[row, axis]
        cell = grid.offset[axis] + code
        if grid.is_nominal[axis]:
            if bench.seen[cell] != bench.turn[0]:
                bench.seen[cell] = bench.turn[0]
                if high[axis] >= 0:
                    grown += grid.step[axis]
                high[axis] = code
        elif high[axis] < 0:
            low[axis], high[axis] = code, code
        elif code < low[axis]:
            grown += grid.position[grid.offset[axis] + low[axis]] - grid.position[cell]
            low[axis] = code
        elif code > high[axis]:
            grown += grid.position[cell] - grid.position[grid.offset[axis] + high[axis]]
            high[axis] = code
    return grown


@inner
def _begin(grid, bench):
    bench.turn[0] += 1
    axes = grid.codes.shape[1]
    return np.full(axes, -1, dtype=np.int64), np.full(axes, -1, dtype=np.int64)


@inner
def _sweep_up(grid, order, bench):
    """``below[i]``: the summed widths of the first i rows."""
    low, high = _begin(grid, bench)
    width = 0.0
    for place in range(len(order)):
        width += _meet(grid, order[place], low, high, bench)
        bench.below[place + 1] = width


@inner
def _sweep_down(grid, order, axis, k, bench, cuts, count):
    """Add the cuts of one axis, from the highest down, with the loss that remains on their two sides."""
    low, high = _begin(grid, bench)
    n, width = len(order), 0.0
    for place in range(n - 1, k - 1, -1):
        row = order[place]
        width += _meet(grid, row, low, high, bench)
        code = grid.codes[order[place - 1], axis]
        if n - place >= k and code != grid.codes[row, axis]:
            cuts.axis[count], cuts.code[count] = axis, code
            cuts.loss[count] = place * bench.below[place] + (n - place) * width
            count += 1
    return count


@inner
def _loss(grid, rows, bench):
    low, high = _begin(grid, bench)
    width = 0.0
    for row in rows:
        width += _meet(grid, row, low, high, bench)
    return len(rows) * width


@inner
def _split(grid, rows, axis, code, bench):
    """Move the rows left of a cut to the front, keeping the order of both sides; returns their number."""
    left = right = 0
    for row in rows:
        if grid.codes[row, axis] <= code:
            rows[left] = row
            left += 1
        else:
            bench.other[right] = row
            right += 1
    for place in range(right):
        rows[left + place] = bench.other[place]
    return left


@inner
def look_ahead(grid, rows, k, bench, cuts, count, spare):
    """Replace the loss of the most promising cuts by the loss that remains when greedy cuts follow.

    The others keep the loss just after the cut, which is larger than any of these can become.
    """
    trial = bench.trial[: len(rows)]
    untried = np.full(count, True)
    for _ in range(min(count, TRIED)):
        number = _least(cuts.loss, untried)
        untried[number] = False
        for place in range(len(rows)):
            trial[place] = rows[place]
        left = _split(grid, trial, cuts.axis[number], cuts.code[number], bench)
        loss = _greedy(grid, trial[:left], k, bench, spare)
        cuts.loss[number] = loss + _greedy(grid, trial[left:], k, bench, spare)


@inner
def _least(numbers, among):
    """The place of the smallest of the flagged numbers; ties: the first."""
    best = -1
    for place in range(len(among)):
        if among[place] and (best < 0 or numbers[place] < numbers[best]):
            best = place
    return best


@inner
def _greedy(grid, rows, k, bench, cuts):
    """The loss of a region after cuts that each save most at once (``rows`` are reordered)."""
    begin = np.empty(len(rows) // k + 2, dtype=np.int64)
    end = np.empty(len(rows) // k + 2, dtype=np.int64)
    begin[0], end[0] = 0, len(rows)
    waiting, loss = 1, 0.0
    while waiting:
        waiting -= 1
        first, last = begin[waiting], end[waiting]
        part = rows[first:last]
        count = find_cuts(grid, part, k, bench, cuts)
        if count == 0:
            loss += _loss(grid, part, bench)
            continue
        best = np.argmin(cuts.loss[:count])
        middle = first + _split(grid, part, cuts.axis[best], cuts.code[best], bench)
        begin[waiting], end[waiting] = first, middle
        begin[waiting + 1], end[waiting + 1] = middle, last
        waiting += 2
    return loss
