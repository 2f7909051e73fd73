"""How many pairs of rows each possible cut of a column separates: one compiled pass over the sorted rows."""

import numpy as np

from anonnb.core.compiled import compiled


@compiled
def pairs_parted(order, positions, n_places, blocks, n_blocks, classes, n_classes):
    """Count for each cut the pairs of rows of one block and of different classes that lie on its two sides.

    ``order`` sorts the rows by ``places``. A row that moves from the right of the cut to its left is separated from
    the rows of other classes that stay, and joins those of other classes that moved before.
    """
    left, right = np.zeros(n_blocks, np.int64), np.zeros(n_blocks, np.int64)
    left_of, right_of = np.zeros((n_blocks, n_classes), np.int64), np.zeros((n_blocks, n_classes), np.int64)
    for row in order:
        right[blocks[row]] += 1
        right_of[blocks[row], classes[row]] += 1
    parted = np.zeros(n_places, np.int64)
    total, at = 0, 0
    for row in order:
        while at < positions[row]:
            at += 1
            parted[at] = total
        block, label = blocks[row], classes[row]
        right[block] -= 1
        right_of[block, label] -= 1
        total += (right[block] - right_of[block, label]) - (left[block] - left_of[block, label])
        left[block] += 1
        left_of[block, label] += 1
    return parted
