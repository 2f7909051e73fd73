"""Distances from a point to many rows, the farthest and the nearest of them: compiled loops.

Rows are kept attribute by attribute, so that each loop is a straight run over memory. Squared distances are rounded to
36 bits: rows that are equally far away stay so whatever the order of additions, and the first of them is taken.
"""

import numpy as np

from anonnb.core.compiled import compiled

BLOCK = 1024  # rows whose distances stay in the processor's cache while the attributes are added up
SPLIT = 131073.0  # 2**17 + 1: what it takes to cut a float of 53 bits to 36 (Dekker's split)


@compiled
def squared_distances(values, point):
    """Return the squared Euclidean distance of every row from a point; ``values``: attributes × rows."""
    out = np.zeros(values.shape[1])
    for start in range(0, len(out), BLOCK):
        part = out[start : start + BLOCK]
        for a in range(values.shape[0]):
            column, coordinate = values[a, start : start + BLOCK], point[a]
            for row in range(len(part)):
                gap = column[row] - coordinate
                part[row] += gap * gap
        for row in range(len(part)):
            large = part[row] * SPLIT
            part[row] = large - (large - part[row])
    return out


@compiled
def farthest(distances, there):
    """Return the place of the largest distance among those present; the first among equals."""
    best, largest = -1, -np.inf
    for row in range(len(distances)):
        if there[row] and distances[row] > largest:
            best, largest = row, distances[row]
    return best


@compiled
def nearest(distances, there, count):
    """Return the places of the ``count`` smallest distances among those present; the first among equals."""
    indices, smallest = np.full(count, -1), np.full(count, np.inf)
    for row in range(len(distances)):
        if there[row] and distances[row] < smallest[count - 1]:
            slot = count - 1
            while slot > 0 and smallest[slot - 1] > distances[row]:
                smallest[slot], indices[slot] = smallest[slot - 1], indices[slot - 1]
                slot -= 1
            smallest[slot], indices[slot] = distances[row], row
    return indices
