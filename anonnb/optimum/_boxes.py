"""Groups as lists of rows and boxes around them, compiled (it needs numba): what the local search of groups works on.

A box is what the rows of a group span; its width is the loss (NCP) of one of its rows. A row widens a box by as much as
it lies outside; to remove a row, the box is rebuilt, since it is unknown which rows determine its ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.core.compiled import compiled, inner

# called from compiled code only: without wrappers for Python they compile faster


class PricedRows(NamedTuple):
    """Rows for the kernels; the values of nominal columns are bits, from word ``word`` of a box on."""

    codes: np.ndarray
    place: np.ndarray
    is_nominal: np.ndarray
    step: np.ndarray
    cap: np.ndarray
    word: np.ndarray


class RowBoxes(NamedTuple):
    """What the rows of each group span: low and high ends, bits of the values, summed widths, number of rows."""

    low: np.ndarray
    high: np.ndarray
    bits: np.ndarray
    width: np.ndarray
    size: np.ndarray


class RowLists(NamedTuple):
    """Groups as linked lists of rows.

    ``changed`` is the pass in which a group was last changed, ``change`` the change of this pass that a row was part of
    (-1: none); ``tired`` rows begin no change.
    """

    head: np.ndarray
    after: np.ndarray
    before: np.ndarray
    label: np.ndarray
    changed: np.ndarray
    change: np.ndarray
    tired: np.ndarray


def make_boxes(count: int, columns: int, words: int) -> RowBoxes:
    """Return working space for ``count`` boxes."""
    low, high = np.zeros((count, columns)), np.zeros((count, columns))
    bits, width, size = np.zeros((count, words), dtype=np.uint64), np.zeros(count), np.zeros(count, dtype=np.int64)
    return RowBoxes(low, high, bits, width, size)


# ---- boxes --------------------------------------------------------------------------------------------------------


@inner
def empty(boxes, g):
    low, high, bits = boxes.low, boxes.high, boxes.bits
    for a in range(low.shape[1]):
        low[g, a], high[g, a] = np.inf, -np.inf
    for word in range(bits.shape[1]):
        bits[g, word] = 0
    boxes.width[g], boxes.size[g] = 0.0, 0


@compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True, inline="always")
def up_to(rows, low, high, bits, g, r, limit):
    """Return how much wider a box with rows in it becomes with one more row, or something above ``limit``."""
    total = 0.0
    for a in range(len(rows.cap)):
        if rows.is_nominal[a]:
            code = rows.codes[r, a]
            if (bits[g, rows.word[a] + (code >> 6)] >> np.uint64(code & 63)) & np.uint64(1) == 0:
                total += rows.step[a]
        else:
            position, minimum, greatest = rows.place[r, a], low[g, a], high[g, a]
            if position < minimum or position > greatest:
                cap = rows.cap[a]
                total += min(max(greatest, position) - min(minimum, position), cap) - min(greatest - minimum, cap)
        if total > limit:
            break
    return total


@inner
def wider(rows, boxes, g, r):
    """Return how much wider a box becomes with one more row; nothing for the first."""
    return up_to(rows, boxes.low, boxes.high, boxes.bits, g, r, np.inf) if boxes.size[g] else 0.0


@inner
def put(rows, boxes, g, r, growth):
    """Add a row to a box, which becomes wider by ``growth``."""
    for a in range(len(rows.cap)):
        if rows.is_nominal[a]:
            code = rows.codes[r, a]
            boxes.bits[g, rows.word[a] + (code >> 6)] |= np.uint64(1) << np.uint64(code & 63)
        else:
            position = rows.place[r, a]
            boxes.low[g, a], boxes.high[g, a] = min(boxes.low[g, a], position), max(boxes.high[g, a], position)
    boxes.width[g] += growth
    boxes.size[g] += 1


@inner
def fill(rows, groups, boxes, g, target, without, extra):
    """Make box ``target`` that of group g ``without`` one row and with an ``extra`` one (-1: none)."""
    empty(boxes, target)
    r = groups.head[g]
    while r >= 0:
        if r != without:
            put(rows, boxes, target, r, wider(rows, boxes, target, r))
        r = groups.after[r]
    if extra >= 0:
        put(rows, boxes, target, extra, wider(rows, boxes, target, extra))


@inner
def cost(boxes, g):
    return boxes.size[g] * boxes.width[g]


# ---- lists of rows --------------------------------------------------------------------------------------------------


@inner
def unlink(groups, r):
    before, after = groups.before[r], groups.after[r]
    if before >= 0:
        groups.after[before] = after
    else:
        groups.head[groups.label[r]] = after
    if after >= 0:
        groups.before[after] = before


@inner
def link(groups, r, g):
    groups.label[r], groups.before[r], groups.after[r] = g, -1, groups.head[g]
    if groups.head[g] >= 0:
        groups.before[groups.head[g]] = r
    groups.head[g] = r


@compiled(makes_arrays=False)
def begin(rows, groups, boxes):
    """Make lists and boxes from the labels of the rows."""
    for g in range(len(groups.head)):
        groups.head[g] = -1
        empty(boxes, g)
    for r in range(len(groups.label) - 1, -1, -1):
        link(groups, r, groups.label[r])
    for g in range(len(groups.head)):
        fill(rows, groups, boxes, g, g, -1, -1)


@inner
def mark(groups, g, number):
    """Note that all rows of a group were part of a change."""
    r = groups.head[g]
    while r >= 0:
        groups.change[r] = number
        r = groups.after[r]
