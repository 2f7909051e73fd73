"""Compiled passes over the rows of a block; import this module where a worker needs it (it needs numba)."""

from __future__ import annotations

from anonnb.core.compiled import compiled


@compiled(makes_arrays=False)
def add_right(codes, region, limit, moved):
    """Add 1 to ``moved`` for each row whose code lies above the limit of its region."""
    for row in range(len(codes)):
        moved[row] += codes[row] > limit[region[row]]


@compiled(makes_arrays=False)
def add_counts(codes, region, number, size, table):
    """Add the rows of the regions that have a number to ``table``: a cell for each number and code."""
    for row in range(len(codes)):
        group = number[region[row]]
        if group >= 0:
            table[group * size + codes[row]] += 1
