"""Sets of rows as bits, compiled: which rows a rule covers, which of its conditions and which rules are needless.

A condition costs a pass over the words of a set of rows, 64 rows at a time, whatever it asks. The kernels are small and
their loops plain: numba needs seconds to compile sorting, slicing or flags as an index.
"""

import numpy as np

from anonnb.core.bits import lowest, ones
from anonnb.core.compiled import compiled


@compiled
def narrow(bits, kind, item, value, spare, blocks):
    """Keep, of a set of rows, those that satisfy a condition; ``spare`` is room for as many words."""
    order, starts, base, marks, stride, dense_at, dense, held_ptr, held = blocks
    if kind == 0:
        end = starts[base[item] + value]
        mark = end // stride
        for w in range(len(bits)):
            bits[w] &= marks[item, mark, w]
        for at in range(mark * stride, end):
            row = order[item, at]
            bits[row >> 6] &= ~(np.uint64(1) << np.uint64(row & 63))
    elif dense_at[value] >= 0:
        for w in range(len(bits)):
            bits[w] &= dense[dense_at[value], w]
    else:
        for w in range(len(bits)):
            spare[w] = 0
        for at in range(held_ptr[value], held_ptr[value + 1]):
            spare[held[at] >> 6] |= np.uint64(1) << np.uint64(held[at] & 63)
        for w in range(len(bits)):
            bits[w] &= spare[w]


@compiled
def cover(bits, among, conditions, first, last, spare, blocks):
    """The rows of ``among`` that satisfy the conditions from ``first`` to before ``last``."""
    for w in range(len(bits)):
        bits[w] = among[w]
    for c in range(first, last):
        narrow(bits, conditions[c, 0], conditions[c, 1], conditions[c, 2], spare, blocks)


@compiled
def drop_needless(conditions, size, negative, spare, blocks):
    """Drop, first added first, every condition without which no negative row is covered; how many stay, at least one.

    A condition is needed if some negative row satisfies all those kept before it and all those after it.
    """
    words = len(negative)
    after = np.empty((size + 1, words), np.uint64)  # the negative rows that satisfy all conditions from c on
    before = np.empty(words, np.uint64)
    for w in range(words):
        after[size, w] = before[w] = negative[w]
    for c in range(size - 1, 0, -1):
        cover(after[c], after[c + 1], conditions, c, c + 1, spare, blocks)
    left = 0
    for c in range(size):
        needed = left == 0 and c == size - 1
        for w in range(words):
            if before[w] & after[c + 1, w]:
                needed = True
                break
        if needed:
            narrow(before, conditions[c, 0], conditions[c, 1], conditions[c, 2], spare, blocks)
            for part in range(3):
                conditions[left, part] = conditions[c, part]
            left += 1
    return left


@compiled
def irredundant(pointers, conditions, goal, blocks):
    """Which rules stay when those that the others make redundant are dropped, first induced first."""
    n_rules, words = len(pointers) - 1, len(goal)
    times = np.zeros(words * 64, np.int32)
    bits, spare = np.empty(words, np.uint64), np.empty(words, np.uint64)
    keep = np.ones(n_rules, np.bool_)
    for dropping in range(2):  # count first, then drop: covering twice costs less than remembering rules × rows
        for rule in range(n_rules):
            cover(bits, goal, conditions, pointers[rule], pointers[rule + 1], spare, blocks)
            if dropping == 0 or not _covers_alone(bits, times):
                _add(bits, times, 1 - 2 * dropping)
                keep[rule] = dropping == 0
    return keep


@compiled
def _covers_alone(bits, times):
    """Whether one of the rows is covered once."""
    for w in range(len(bits)):
        word = bits[w]
        while word:
            if times[(w << 6) + lowest(word)] == 1:
                return True
            word &= word - np.uint64(1)
    return False


@compiled
def _add(bits, times, step):
    for w in range(len(bits)):
        word = bits[w]
        while word:
            times[(w << 6) + lowest(word)] += step
            word &= word - np.uint64(1)


@compiled
def coverage(pointers, conditions, shown, correct, blocks):
    """For each rule how many of the ``shown`` rows it covers, and how many of them are ``correct``.

    Also, for each row, the largest support among the rules that cover it.
    """
    n_rules, words = len(pointers) - 1, len(shown)
    support, strength = np.zeros(n_rules, np.int64), np.zeros(n_rules, np.int64)
    best = np.zeros(words * 64, np.int64)
    bits, spare = np.empty(words, np.uint64), np.empty(words, np.uint64)
    for rule in range(n_rules):
        cover(bits, shown, conditions, pointers[rule], pointers[rule + 1], spare, blocks)
        for w in range(words):
            support[rule] += ones(bits[w])
            strength[rule] += ones(bits[w] & correct[w])
        for w in range(words):
            word = bits[w]
            while word:
                row = (w << 6) + lowest(word)
                best[row] = max(best[row], support[rule])
                word &= word - np.uint64(1)
    return support, strength, best
