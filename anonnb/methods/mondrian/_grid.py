"""What the compiled loops that cut by information loss share (``_small_regions``, ``_large_regions``).

numba takes time for every array, in every loop that it is passed to. So what has one type is one array, whose lines
have names.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import inner

NOMINAL, OFFSET, LOW, HIGH, KINDS = range(5)  # lines of Grid.axes; the last three are working space
AXIS, CODE, WAITS = range(3)  # lines of a list of cuts: the last is 1 while further cuts are to be tried after a cut
REGION = WAITS  # in the list of what was found
HERE, BEYOND = range(2)  # the two lists of cuts: of a region, and of the parts of it that further cuts make


class Grid(NamedTuple):
    """What loops read of all attributes. Arrays over codes hold one attribute after the other, from its offset on."""

    codes: np.ndarray  # rows × attributes; equal rows of a table are one row here, whose number stands for them
    axes: np.ndarray
    price: np.ndarray  # of every code: its position or, where the attribute is nominal, the cost of one more value


class CutLists(NamedTuple):
    """Two lists of cuts: of each its attribute and its code, the last on the left; and the loss that remains."""

    cuts: np.ndarray
    loss: np.ndarray


def make_lists(room: int) -> CutLists:
    """Lists with room for so many cuts."""
    return CutLists(np.empty((2, WAITS + 1, room), dtype=np.int64), np.empty((2, room)))


def make_grid(codes: np.ndarray, is_nominal: np.ndarray, positions: list[np.ndarray], step: np.ndarray) -> Grid:
    """The grid of attributes × rows of codes; ``step`` is what one more distinct value costs, for nominal ones."""
    sizes = np.array([len(each) for each in positions])
    axes = np.zeros((KINDS + 1, len(sizes)), dtype=np.int64)
    axes[NOMINAL], axes[OFFSET] = is_nominal, np.cumsum(sizes) - sizes
    price = np.where(np.repeat(is_nominal, sizes), np.repeat(step, sizes), np.concatenate(positions))
    return Grid(np.ascontiguousarray(codes.T, dtype=np.int64), axes, price)


@inner
def keep(cuts, loss, count, region, best, found, left, total):
    """Add the cuts of a region to those found, or only its best one; returns how many there are then.

    The best one leaves the least loss to nine decimals, then has the first attribute, then the smallest value.
    """
    chosen, least = 0, np.inf
    for number in range(count if best else 0):
        rounded = np.rint(loss[HERE, number] * 1e9) / 1e9
        same = rounded == least and cuts[HERE, AXIS, number] == cuts[HERE, AXIS, chosen]
        if rounded < least or (same and cuts[HERE, CODE, number] < cuts[HERE, CODE, chosen]):
            chosen, least = number, rounded
    for number in range(count):
        if number == chosen or not best:
            found[AXIS, total], found[CODE, total] = cuts[HERE, AXIS, number], cuts[HERE, CODE, number]
            found[REGION, total], left[total] = region, loss[HERE, number]
            total += 1
    return total
