"""Median cuts to the end in one compiled loop, for many rows; import it only when it is asked for (it needs numba).

It makes the groups of ``partition`` with ``MedianCuts`` and no check, under the same numbers. The rows of a region are
neighbours, and a cut moves them; one pass over them counts the values of all attributes, and nothing is sorted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.core.compiled import compiled, inner
from anonnb.methods.mondrian._large_regions import sort_in_place
from anonnb.methods.mondrian.regions import Space

SPARSE = 4  # values of an attribute, per row of a region, beyond which those that occur are sorted instead


class MedianAxes(NamedTuple):
    """The attributes. Arrays over codes hold all attributes one after the other (``offset``)."""

    offset: np.ndarray
    size: np.ndarray
    is_nominal: np.ndarray
    weight: np.ndarray
    position: np.ndarray  # of every code, for attributes with an order


class Room(NamedTuple):
    """Room to work in, made once."""

    count: np.ndarray  # rows of the region with each value; zero between two regions
    code: np.ndarray  # the values of one attribute that occur, in order
    right: np.ndarray  # rows that wait for their place
    regions: np.ndarray  # the open ones of a round and of the next: where the rows of each begin and end
    cuts: np.ndarray  # of each region the axis, -1 for none, and the code


def partition_at_medians(space: Space, k: int, start: np.ndarray) -> tuple[np.ndarray, int]:
    """Cut the regions that ``start`` numbers until no cut leaves k rows on both sides.

    Gives the region of every row and the number of regions.
    """
    axes, n = space.codes.shape
    order, starts = group_order(start, int(start.max()) + 1)
    rows = np.empty((n, axes + 1), dtype=np.int32)
    rows[:, :-1], rows[:, -1] = space.codes.T[order], order
    size = np.array([axis.size for axis in space.axes])
    grid = MedianAxes(
        np.cumsum(size) - size,
        size,
        np.array([axis.is_nominal for axis in space.axes]),
        np.array([float(axis.weight) for axis in space.axes]),
        np.concatenate([axis.positions for axis in space.axes]),
    )
    most = n // (2 * k) + 1  # regions that are open at once
    count, code = np.zeros(size.sum(), dtype=np.int64), np.empty(size.max(), dtype=np.int64)
    regions, cuts = (np.empty(shape, dtype=np.int64) for shape in ((2, most, 2), (most, 2)))
    room = Room(count, code, np.empty_like(rows), regions, cuts)
    groups = np.empty(n, dtype=np.int64)
    return groups, _cut_all(rows, starts, k, grid, room, groups)


@compiled(makes_arrays=False)
def _cut_all(rows, starts, k, grid, room, groups):
    """Round after round; each closes first the regions without a cut, then halves that are too small for another."""
    regions, following, cuts, closed, count = room.regions[0], room.regions[1], room.cuts, 0, 0
    for region in range(len(starts) - 1):
        closed, count = _sorted_out(rows, starts[region], starts[region + 1], k, groups, closed, regions, count)
    while count:
        for region in range(count):
            first, last = regions[region, 0], regions[region, 1]
            cuts[region, 0], cuts[region, 1] = _best_cut(rows[first:last], k, grid, room)
            if cuts[region, 0] < 0:
                closed = _close(rows[first:last], groups, closed)
        halves = 0
        for region in range(count):
            if cuts[region, 0] >= 0:
                first, last = regions[region, 0], regions[region, 1]
                middle = first + _split(rows[first:last], cuts[region, 0], cuts[region, 1], room.right)
                closed, halves = _sorted_out(rows, first, middle, k, groups, closed, following, halves)
                closed, halves = _sorted_out(rows, middle, last, k, groups, closed, following, halves)
        regions, following, count = following, regions, halves
    return closed


@inner
def _sorted_out(rows, first, last, k, groups, closed, regions, count):
    """Close a region that no cut can divide, or add it to those that are open."""
    if last - first < 2 * k:
        return _close(rows[first:last], groups, closed), count
    regions[count, 0], regions[count, 1] = first, last
    return closed, count + 1


@inner
def _close(rows, groups, number):
    for place in range(len(rows)):
        groups[rows[place, -1]] = number
    return number + 1


@inner
def _best_cut(rows, k, grid, room):
    """The cut nearest to the median of the widest attribute that can be cut: its axis, -1 for none, and its code."""
    for place in range(len(rows)):
        for axis in range(len(grid.offset)):
            room.count[grid.offset[axis] + rows[place, axis]] += 1
    best_axis, best_code, record = -1, 0, -np.inf
    for axis in range(len(grid.offset)):
        offset = grid.offset[axis]
        kinds = _values(rows, axis, grid, room)
        if grid.is_nominal[axis]:
            width = (kinds - 1) / max(grid.size[axis] - 1, 1) * grid.weight[axis]
        else:
            width = grid.position[offset + room.code[kinds - 1]] - grid.position[offset + room.code[0]]
        if width > record:
            code = _nearest_to_median(room, offset, kinds, len(rows), k)
            if code >= 0:
                best_axis, best_code, record = axis, code, width
        for place in range(kinds):
            room.count[offset + room.code[place]] = 0
    return best_axis, best_code


@inner
def _values(rows, axis, grid, room):
    """Note the codes of an attribute that occur, in order; returns their number."""
    offset, size, kinds = grid.offset[axis], grid.size[axis], 0
    if size <= SPARSE * len(rows) + 64:
        for code in range(size):
            if room.count[offset + code] > 0:
                room.code[kinds] = code
                kinds += 1
        return kinds
    for place in range(len(rows)):
        cell = offset + rows[place, axis]
        if room.count[cell] > 0:  # met first: the sign says so, until all are noted
            room.count[cell] = -room.count[cell]
            room.code[kinds] = rows[place, axis]
            kinds += 1
    for place in range(kinds):
        room.count[offset + room.code[place]] *= -1
    sort_in_place(room.code[:kinds])
    return kinds


@inner
def _nearest_to_median(room, offset, kinds, n, k):
    """The last code on the left of the cut: the median itself if k rows remain on both sides; -1 for none."""
    best, nearest, left = -1, n + 1, 0
    for place in range(kinds):
        below = left
        left += room.count[offset + room.code[place]]
        if left >= k and n - left >= k:
            distance = -1 if 2 * left >= n and 2 * below < n else abs(2 * left - n)
            if distance < nearest:
                best, nearest = room.code[place], distance
    return best


@inner
def _split(rows, axis, code, right):
    """Move the rows left of a cut to the front, keeping the order of both sides; returns their number."""
    left = waiting = 0
    width = rows.shape[1]
    for place in range(len(rows)):
        if rows[place, axis] <= code:
            for cell in range(width):
                rows[left, cell] = rows[place, cell]
            left += 1
        else:
            for cell in range(width):
                right[waiting, cell] = rows[place, cell]
            waiting += 1
    for place in range(waiting):
        for cell in range(width):
            rows[left + place, cell] = right[place, cell]
    return left
