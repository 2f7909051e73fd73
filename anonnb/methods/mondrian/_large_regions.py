"""Cuts of large regions by information loss, from one pass over their rows (compiled by numba).

For every value of every attribute the pass notes the smallest and the largest code that its rows have in each other
attribute. An ordered attribute's width on one side of a cut follows from these ends value by value; a nominal value is
on the left of a cut when the smallest code of its rows is. So sweeps visit values, where those of small regions in
``_kernels`` visit rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import inner

FAR = np.iinfo(np.int32).max


class Ends(NamedTuple):
    """Room for one region. ``ends[cell]`` holds, for the rows with a value, the smallest codes of all attributes and
    then the largest, negated, so that both are minima; ``signed`` holds the rows' codes in the same way."""

    signed: np.ndarray  # rows × 2 attributes
    ends: np.ndarray  # cells × 2 attributes
    count: np.ndarray  # rows with each value
    seen: np.ndarray  # the last turn that met each value
    turn: np.ndarray
    weight: np.ndarray  # how often each row occurs in the region, zero between two regions
    rows: np.ndarray  # the rows that occur
    found: np.ndarray  # the codes that occur, attribute after attribute as ``offset`` has them
    fresh: np.ndarray  # nominal values that a sweep meets first at each code, times what one of them costs
    below: np.ndarray  # summed widths up to each code


def make_ends(codes: np.ndarray, n_codes: int) -> Ends:
    """Room for the rows of ``codes`` (rows × attributes), which have ``n_codes`` values in all."""
    signed = np.concatenate([codes, -codes], axis=1).astype(np.int32)
    numbers = [np.zeros(n_codes, dtype=np.int64) for _ in range(2)]
    room = np.empty((n_codes, signed.shape[1]), dtype=np.int32)
    return Ends(
        signed,
        room,
        *numbers,
        np.zeros(1, dtype=np.int64),
        np.zeros(len(codes), dtype=np.int64),
        np.empty(len(codes), dtype=np.int64),
        np.empty(n_codes, dtype=np.int64),
        np.zeros(n_codes),
        np.empty(n_codes),
    )


@inner
def large_cuts(grid, rows, k, large, cuts):
    """Fill ``cuts`` with the cuts of one region that leave k rows on both sides; returns their number."""
    axes, n, count = len(grid.offset), len(rows), 0
    kinds = np.zeros(axes, dtype=np.int64)  # how many values occur
    _meet_all(grid, rows, large, kinds)
    for axis in range(axes):
        sort_in_place(large.found[grid.offset[axis] : grid.offset[axis] + kinds[axis]])
    for axis in range(axes):
        if kinds[axis] > 1 and _can_cut(grid, axis, kinds[axis], n, k, large):
            _upward(grid, axis, kinds, large)
            count = _downward(grid, axis, kinds, n, k, large, cuts, count)
    return count


@inner
def _meet_all(grid, rows, large, kinds):
    """One pass over the rows: which values occur, how often, and what ends their rows have."""
    large.turn[0] += 1
    different = 0
    for row in rows:
        if large.weight[row] == 0:
            large.rows[different] = row
            different += 1
        large.weight[row] += 1
    for place in range(different):
        row = large.rows[place]
        _meet(grid, row, large.weight[row], large, kinds)
        large.weight[row] = 0


@inner
def _meet(grid, row, weight, large, kinds):
    """One row that occurs ``weight`` times."""
    axes, mine = len(grid.offset), large.signed[row]
    for axis in range(axes):
        cell = grid.offset[axis] + mine[axis]
        ends = large.ends[cell]
        if large.seen[cell] == large.turn[0]:
            large.count[cell] += weight
            for place in range(2 * axes):
                ends[place] = min(ends[place], mine[place])
        else:
            large.seen[cell], large.count[cell] = large.turn[0], weight
            large.found[grid.offset[axis] + kinds[axis]] = mine[axis]
            kinds[axis] += 1
            for place in range(2 * axes):
                ends[place] = mine[place]


@inner
def sort_in_place(numbers):
    """Shell sort: a few lines that compile in a moment."""
    gap = 1
    while gap < len(numbers) // 5:
        gap = gap * 9 // 4 + 1
    while gap > 0:
        for place in range(gap, len(numbers)):
            number = numbers[place]
            while place >= gap and numbers[place - gap] > number:
                numbers[place] = numbers[place - gap]
                place -= gap
            numbers[place] = number
        gap = gap * 4 // 9


@inner
def _can_cut(grid, axis, kinds, n, k, large):
    """Whether some cut between two values leaves k rows on both sides."""
    left = 0
    for place in range(kinds - 1):
        left += large.count[grid.offset[axis] + large.found[grid.offset[axis] + place]]
        if left >= k:
            return n - left >= k
    return False


@inner
def _fresh(grid, axis, kinds, large, upward):
    """What nominal values cost where a sweep along an axis meets them first; the first one of an attribute is free."""
    axes = len(grid.offset)
    for other in range(axes):
        if grid.is_nominal[other]:
            nearest = FAR
            for place in range(kinds[other]):
                cell = grid.offset[other] + large.found[grid.offset[other] + place]
                end = large.ends[cell, axis] if upward else large.ends[cell, axes + axis]
                large.fresh[grid.offset[axis] + abs(end)] += grid.step[other]
                nearest = min(nearest, end)
            large.fresh[grid.offset[axis] + abs(nearest)] -= grid.step[other]


@inner
def _widen(grid, cell, low, high, large):
    """How much wider the ordered attributes become by the rows with one more value."""
    axes, grown = len(grid.offset), 0.0
    for other in range(axes):
        if not grid.is_nominal[other]:
            offset, least, most = grid.offset[other], large.ends[cell, other], -large.ends[cell, axes + other]
            if high[other] < 0:
                low[other], high[other] = least, most
                grown += grid.position[offset + most] - grid.position[offset + least]
                continue
            if least < low[other]:
                grown += grid.position[offset + low[other]] - grid.position[offset + least]
                low[other] = least
            if most > high[other]:
                grown += grid.position[offset + most] - grid.position[offset + high[other]]
                high[other] = most
    return grown


@inner
def _upward(grid, axis, kinds, large):
    """``below``: the summed widths of the rows up to each value of an axis."""
    offset, axes = grid.offset[axis], len(grid.offset)
    low, high = np.full(axes, -1, dtype=np.int64), np.full(axes, -1, dtype=np.int64)
    _fresh(grid, axis, kinds, large, True)
    width = 0.0
    for place in range(kinds[axis]):
        cell = offset + large.found[offset + place]
        width += large.fresh[cell] + _widen(grid, cell, low, high, large)
        large.below[cell], large.fresh[cell] = width, 0.0


@inner
def _downward(grid, axis, kinds, n, k, large, cuts, count):
    """Add the cuts of one axis, from the highest down, with the loss that remains on their two sides."""
    offset, axes = grid.offset[axis], len(grid.offset)
    low, high = np.full(axes, -1, dtype=np.int64), np.full(axes, -1, dtype=np.int64)
    _fresh(grid, axis, kinds, large, False)
    width, right = 0.0, 0
    for place in range(kinds[axis] - 1, -1, -1):
        cell = offset + large.found[offset + place]
        width += large.fresh[cell] + _widen(grid, cell, low, high, large)
        large.fresh[cell] = 0.0
        right += large.count[cell]
        if place > 0 and right >= k and n - right >= k:
            code = large.found[offset + place - 1]
            cuts.axis[count], cuts.code[count] = axis, code
            cuts.loss[count] = (n - right) * large.below[offset + code] + right * width
            count += 1
    return count
