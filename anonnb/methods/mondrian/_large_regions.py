"""Cuts of large regions by information loss, from one pass over their rows (compiled by numba).

For every value of every attribute the pass notes the smallest and the largest code that its rows have in each other
attribute. An ordered attribute's width on one side of a cut follows from these ends value by value; a nominal value is
on the left of a cut when the smallest code of its rows is. So sweeps visit values, where those of ``_small_regions``
visit rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner
from anonnb.methods.mondrian._grid import AXIS, CODE, HERE, HIGH, KINDS, LOW, NOMINAL, OFFSET, keep

FAR = np.iinfo(np.int32).max
COUNT, SEEN, FOUND = range(3)  # lines of LargeRoom.values
WEIGHT, ROW = range(2)  # lines of LargeRoom.rows
FRESH, BELOW = range(2)  # lines of LargeRoom.widths


class LargeRoom(NamedTuple):
    """Room for one region. ``ends[value]`` holds, for the rows with a value, the smallest codes of all attributes and
    then the largest, negated, so that both are minima; ``signed`` holds the rows' codes in the same way."""

    signed: np.ndarray  # rows × 2 attributes
    ends: np.ndarray  # values × 2 attributes
    # how many rows have each value; the last turn that met it (the last place numbers the turns); and the codes that
    # occur, attribute after attribute as ``OFFSET`` has them
    values: np.ndarray
    # how often each row occurs in the region, zero between two regions; and the rows that occur
    rows: np.ndarray
    # nominal values that a sweep meets first at each code, times what one of them costs; summed widths up to each code
    widths: np.ndarray


def make_large_room(codes: np.ndarray, n_codes: int) -> LargeRoom:
    """Room for the rows of ``codes`` (rows × attributes), which have ``n_codes`` values in all."""
    signed = np.concatenate([codes, -codes], axis=1).astype(np.int32)
    ends = np.empty((n_codes, signed.shape[1]), dtype=np.int32)
    values, rows = np.zeros((FOUND + 1, n_codes + 1), dtype=np.int64), np.zeros((ROW + 1, len(codes)), dtype=np.int64)
    return LargeRoom(signed, ends, values, rows, np.zeros((BELOW + 1, n_codes)))


@compiled(makes_arrays=False)
def cut_large_regions(
    axes, price, signed, ends, values, weighed, widths, cuts, loss, rows, starts, regions, k, best, found, left, total
):  # fmt: skip
    """Add the cuts of some regions that leave k rows on both sides, or the best one of each; returns their number."""
    for place in range(len(regions)):
        first, last = starts[regions[place]], starts[regions[place] + 1]
        _meet_all(axes, signed, ends, values, weighed, rows, first, last)
        count, n = 0, last - first
        for axis in range(axes.shape[1]):
            offset = axes[OFFSET, axis]
            sort_in_place(values[FOUND, offset : offset + axes[KINDS, axis]])
        for axis in range(axes.shape[1]):
            if _can_cut(axes, values, axis, n, k):
                _upward(axes, price, ends, values, widths, axis)
                count = _downward(axes, price, ends, values, widths, axis, n, k, cuts, loss, count)
        total = keep(cuts, loss, count, regions[place], best, found, left, total)
    return total


@inner
def _meet_all(axes, signed, ends, values, weighed, rows, first, last):
    """One pass over the rows: which values occur, how often, and what ends their rows have."""
    values[SEEN, values.shape[1] - 1] += 1
    for axis in range(axes.shape[1]):
        axes[KINDS, axis] = 0
    different = 0
    for place in range(first, last):
        row = rows[place]
        if weighed[WEIGHT, row] == 0:
            weighed[ROW, different] = row
            different += 1
        weighed[WEIGHT, row] += 1
    for place in range(different):
        row = weighed[ROW, place]
        _meet(axes, signed, ends, values, row, weighed[WEIGHT, row])
        weighed[WEIGHT, row] = 0


@inner
def _meet(axes, signed, ends, values, row, weight):
    """One row that occurs ``weight`` times."""
    turn = values[SEEN, values.shape[1] - 1]
    for axis in range(axes.shape[1]):
        code, offset = signed[row, axis], axes[OFFSET, axis]
        value = offset + code
        if values[SEEN, value] == turn:
            values[COUNT, value] += weight
            for place in range(signed.shape[1]):
                end, mine = ends[value, place], signed[row, place]
                ends[value, place] = mine if mine < end else end
        else:
            values[SEEN, value], values[COUNT, value] = turn, weight
            values[FOUND, offset + axes[KINDS, axis]] = code
            axes[KINDS, axis] += 1
            for place in range(signed.shape[1]):
                ends[value, place] = signed[row, place]


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
def _can_cut(axes, values, axis, n, k):
    """Whether some cut between two values leaves k rows on both sides."""
    left, offset = 0, axes[OFFSET, axis]
    for place in range(axes[KINDS, axis] - 1):
        left += values[COUNT, offset + values[FOUND, offset + place]]
        if left >= k:
            return n - left >= k
    return False


@inner
def _begin(axes, price, ends, values, widths, axis, side):
    """Begin a sweep along an axis, from below (``side`` 0) or above (1).

    ``FRESH`` gets what nominal values cost where the sweep meets them first; the first one of an attribute is free.
    """
    there, far = axes[OFFSET, axis], axis + side * axes.shape[1]
    for other in range(axes.shape[1]):
        axes[LOW, other] = axes[HIGH, other] = -1
        if axes[NOMINAL, other]:
            nearest, offset = FAR, axes[OFFSET, other]
            for place in range(axes[KINDS, other]):
                end = ends[offset + values[FOUND, offset + place], far]
                widths[FRESH, there + abs(end)] += price[offset]
                if end < nearest:
                    nearest = end
            widths[FRESH, there + abs(nearest)] -= price[offset]


@inner
def _widen(axes, price, ends, value):
    """How much wider the ordered attributes become by the rows with one more value."""
    grown, axis_count = 0.0, axes.shape[1]
    for other in range(axis_count):
        if not axes[NOMINAL, other]:
            offset, low, high = axes[OFFSET, other], axes[LOW, other], axes[HIGH, other]
            least, most = ends[value, other], -ends[value, axis_count + other]
            if high < 0:
                axes[LOW, other], axes[HIGH, other] = least, most
                grown += price[offset + most] - price[offset + least]
                continue
            if least < low:
                grown += price[offset + low] - price[offset + least]
                axes[LOW, other] = least
            if most > high:
                grown += price[offset + most] - price[offset + high]
                axes[HIGH, other] = most
    return grown


@inner
def _upward(axes, price, ends, values, widths, axis):
    """``BELOW``: the summed widths of the rows up to each value of an axis."""
    offset, width = axes[OFFSET, axis], 0.0
    _begin(axes, price, ends, values, widths, axis, 0)
    for place in range(axes[KINDS, axis]):
        value = offset + values[FOUND, offset + place]
        width += widths[FRESH, value] + _widen(axes, price, ends, value)
        widths[BELOW, value], widths[FRESH, value] = width, 0.0


@inner
def _downward(axes, price, ends, values, widths, axis, n, k, cuts, loss, count):
    """Add the cuts of one axis, from the highest down, with the loss that remains on their two sides."""
    offset, width, right = axes[OFFSET, axis], 0.0, 0
    _begin(axes, price, ends, values, widths, axis, 1)
    for place in range(axes[KINDS, axis] - 1, -1, -1):
        value = offset + values[FOUND, offset + place]
        width += widths[FRESH, value] + _widen(axes, price, ends, value)
        widths[FRESH, value] = 0.0
        right += values[COUNT, value]
        if place > 0 and right >= k and n - right >= k:
            code = values[FOUND, offset + place - 1]
            cuts[HERE, AXIS, count], cuts[HERE, CODE, count] = axis, code
            loss[HERE, count] = (n - right) * widths[BELOW, offset + code] + right * width
            count += 1
    return count
