"""Kernels of the deep attack: branch and bound over rows held as bitsets (compiled by numba, kept in its cache)."""

import numpy as np

from anonnb.core.bits import ones
from anonnb.core.compiled import compiled, inner

NONE, FOUND, UNDECIDED = 0, 1, 2


@inner
def meet(first, second, spans, out):
    """Intersect two rows into ``out``; False when some attribute (first and last word: a span) has no value left."""
    for attribute in range(len(spans)):
        alive = False
        for word in range(spans[attribute, 0], spans[attribute, 1]):
            out[word] = first[word] & second[word]
            alive |= out[word] != 0
        if not alive:
            return False
    return True


@inner
def count(row, low, high):
    """Set bits of the words ``low`` to ``high``."""
    total = 0
    for word in range(low, high):
        total += ones(row[word])
    return total


@inner
def is_single(row, low, high, single):
    """Whether exactly one value is left, and it is a value that can be told apart from its neighbours."""
    if count(row, low, high) != 1:
        return False
    for word in range(low, high):  # noqa: SIM110  numba compiles the loop, not any()
        if row[word] & single[word - low]:
            return True
    return False


@compiled
def smallest_set(bits, rows, spans, single, most_steps):
    """The smallest set of mutually compatible rows that leaves one target value; ties: the first in row order.

    ``spans`` lists the attributes that are compared, the target last. Returns the outcome, the intersection of
    the rows of the set, and the places of these among ``rows``.
    """
    low, high, words = spans[-1, 0], spans[-1, 1], bits.shape[1]
    meets = np.zeros((len(rows) + 1, words), dtype=np.uint64)
    for word in range(words):
        meets[0, word] = ~np.uint64(0)
    chosen = np.zeros(len(rows) + 1, dtype=np.int64)
    steps = 0
    for size in range(1, len(rows) + 1):
        reached, depth = False, 0
        chosen[0] = -1
        while depth >= 0:
            chosen[depth] += 1
            if chosen[depth] >= len(rows):
                depth -= 1
                continue
            steps += 1
            if steps > most_steps:
                return UNDECIDED, meets[0], chosen[:0]
            row = bits[rows[chosen[depth]]]
            if not meet(meets[depth], row, spans, meets[depth + 1]):
                continue
            if depth > 0 and count(meets[depth + 1], low, high) == count(meets[depth], low, high):
                continue  # a row that excludes no target value is in no smallest set
            if depth + 1 == size:
                reached = True
                if is_single(meets[depth + 1], low, high, single):
                    return FOUND, meets[depth + 1], chosen[:size]
            else:
                depth += 1
                chosen[depth] = chosen[depth - 1]
        if not reached:
            return NONE, meets[0], chosen[:0]
    return NONE, meets[0], chosen[:0]


@compiled
def deep_case(bits, rows, spans, single, most_steps):
    """Steps (d1) to (d4) for one case: the outcome and, when found, the bit of the target value (or -1)."""
    outcome, common, _ = smallest_set(bits, rows, spans, single, most_steps)
    if outcome != FOUND:
        return outcome, -1
    low, high = spans[-1, 0], spans[-1, 1]
    value = 0
    for word in range(low, high):
        if common[word]:
            rest = common[word]
            while rest & np.uint64(1) == 0:
                rest >>= np.uint64(1)
                value += 1
            break
        value += 64
    against = np.zeros(len(rows), dtype=np.int64)
    found = 0
    joint = np.zeros(bits.shape[1], dtype=np.uint64)
    open_row = np.zeros(bits.shape[1], dtype=np.uint64)
    for row in rows:
        holds = False
        for word in range(low, high):
            holds |= bits[row, word] & common[word] != 0
        if holds:
            continue
        against[found] = row
        found += 1
        for word in range(bits.shape[1]):  # copying a slice takes numba a second more to compile
            open_row[word] = bits[row, word]
        for word in range(low, high):  # (d3) compares everything but the target
            open_row[word] = common[word]
        if meet(common, open_row, spans, joint):
            return NONE, -1
    outcome, _, _ = smallest_set(bits, against[:found], spans, single, most_steps)
    if outcome == FOUND:
        return NONE, -1
    return (UNDECIDED, -1) if outcome == UNDECIDED else (FOUND, value)
