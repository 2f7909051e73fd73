"""Compiled passes over the rows of regions; importing this module loads numba.

A row is a line of codes, one per attribute, and its number. The rows of a region are neighbors: region r has those
from ``begin[r]`` to ``end[r]``, and a cut moves them. One pass over them counts the values of all attributes.
"""

from __future__ import annotations

import numpy as np

from anonnb.core.compiled import compiled


def count_values(
    cells: np.ndarray, begin: np.ndarray, end: np.ndarray, axes: np.ndarray, sizes: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return, for each of some axes, the codes that occur in each region, the rows that have each, and their starts."""
    limits = np.minimum(int((end - begin).sum()), len(begin) * sizes)
    offsets, starts = np.cumsum(sizes) - sizes, np.cumsum(limits) - limits
    pairs, first = np.empty((2, int(limits.sum())), dtype=np.int32), np.empty((len(axes), len(begin)), dtype=np.int64)
    table, totals = np.zeros(int(sizes.sum()), dtype=np.int32), np.zeros(len(axes), dtype=np.int64)
    _count_values(cells, begin, end, axes, sizes, offsets, starts, table, pairs, first, totals)
    ends = (starts + totals).tolist()
    return [(*pairs[:, start:stop], each) for start, stop, each in zip(starts.tolist(), ends, first, strict=True)]


@compiled(makes_arrays=False)
def _count_values(cells, begin, end, axes, sizes, offsets, starts, table, pairs, first, totals):
    for region in range(len(begin)):
        for row in range(begin[region], end[region]):
            for number in range(len(axes)):
                table[offsets[number] + cells[row, axes[number]]] += 1
        for number in range(len(axes)):
            offset, total = offsets[number], totals[number]
            first[number, region] = total
            for code in range(sizes[number]):
                if table[offset + code] > 0:
                    pairs[0, starts[number] + total], pairs[1, starts[number] + total] = code, table[offset + code]
                    table[offset + code] = 0
                    total += 1
            totals[number] = total


@compiled(makes_arrays=False)
def find_right(cells, begin, end, axis, code, right):
    """Tell for each row of the regions, one after the other, whether it lies right of its region's cut, if any."""
    position = 0
    for region in range(len(begin)):
        for row in range(begin[region], end[region]):
            right[position] = axis[region] >= 0 and cells[row, axis[region]] > code[region]
            position += 1


@compiled(makes_arrays=False)
def move_right(cells, begin, end, is_cut, right, waiting, middle):
    """Move the rows right of each region's cut behind the others, keeping the order on both sides."""
    position, width = 0, cells.shape[1]
    for region in range(len(begin)):
        left, count = begin[region], 0
        if not is_cut[region]:
            position += end[region] - begin[region]
            continue
        for row in range(begin[region], end[region]):
            if right[position]:
                for cell in range(width):
                    waiting[count, cell] = cells[row, cell]
                count += 1
            else:
                for cell in range(width if count else 0):
                    cells[left, cell] = cells[row, cell]
                left += 1
            position += 1
        middle[region] = left
        for row in range(count):
            for cell in range(width):
                cells[left + row, cell] = waiting[row, cell]
