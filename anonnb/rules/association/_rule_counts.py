"""Counting the rules of itemsets one by one, compiled: a walk over the subsets of each that stops where all hold."""

import numpy as np

from anonnb.core.bits import ones
from anonnb.core.compiled import compiled, inner


@inner
def _narrowed(rows, bits, item, out):
    """Return the rows that have one more item, and how many they are."""
    total = 0
    for word in range(len(rows)):
        out[word] = rows[word] & bits[item, word]
        total += ones(out[word])
    return total


@compiled
def count_antecedents(bits, sets, limits, most_steps):
    """Return how many proper, non-empty subsets A of each itemset have at most ``limits`` rows, in every table at once.

    ``bits[table, item]`` are the rows of an item, ``sets[table, itemset]`` its items in that table's numbers, and
    ``limits[table, itemset]`` the most rows A may have there. If A is rare enough, so is A with any further items: the
    walk goes no deeper and counts them together. Returns -1 after ``most_steps`` steps.
    """
    tables, n_sets, size = sets.shape
    rows = np.zeros((size + 1, tables, bits.shape[2]), dtype=np.uint64)
    rows[0] = ~np.uint64(0)
    last = np.zeros(size + 1, dtype=np.int64)
    total, steps = 0, 0
    for one in range(n_sets):
        depth, position = 0, 0
        total -= 1  # the itemset itself is not an antecedent, and the walk meets it once
        while True:
            if position == size:
                if depth == 0:
                    break
                position = last[depth] + 1
                depth -= 1
                continue
            steps += 1
            if steps > most_steps:
                return -1
            small = True
            for table in range(tables):
                item = sets[table, one, position]
                count = _narrowed(rows[depth, table], bits[table], item, rows[depth + 1, table])
                small &= count <= limits[table, one]
            if small:
                total += 1 << (size - 1 - position)
            else:
                depth += 1
                last[depth] = position
            position += 1
    return total
