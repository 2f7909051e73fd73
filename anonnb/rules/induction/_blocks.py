"""Sets of rows as bits, compiled: which rows a rule covers, which of its conditions and which rules are needless.

A condition costs a pass over the words of a set of rows, 64 rows at a time, whatever it asks. The sets of rows are the
lines of one array, ``rows``; ``flattening`` makes it and what the other arrays hold. numba compiles each array that a
function takes and each call again, so there are few of either, and the loops are plain.
"""

import numpy as np

from anonnb.core.bits import lowest
from anonnb.core.compiled import compiled, inner
from anonnb.rules.induction.flattening import (
    AFTER,
    BEFORE,
    FROM,
    GOAL,
    GONE,
    LINE,
    NEGATIVE,
    SHOWN,
    SPARE,
    UPTO,
)


@inner
def narrow(rows, line, condition, words, listed, asked):
    """Keep, of a set of rows, those that satisfy a condition."""
    held = asked[LINE, condition]
    if held < 0:  # the rows that satisfy it are listed
        for w in range(rows.shape[1]):
            rows[SPARE, w] = 0
        for at in range(asked[FROM, condition], asked[UPTO, condition]):
            rows[SPARE, listed[at] >> 6] |= np.uint64(1) << np.uint64(listed[at] & 63)
        for w in range(rows.shape[1]):
            rows[line, w] &= rows[SPARE, w]
    else:  # a line has their bits; rows listed here are too many
        for w in range(rows.shape[1]):
            rows[line, w] &= words[held, w]
        for at in range(asked[FROM, condition], asked[UPTO, condition]):
            rows[line, listed[at] >> 6] &= ~(np.uint64(1) << np.uint64(listed[at] & 63))


@inner
def cover(rows, line, among, conditions, first, last, words, listed, asked):
    """Fill in the rows of the set ``among`` that satisfy the conditions from ``first`` to before ``last``."""
    for w in range(rows.shape[1]):
        rows[line, w] = rows[among, w]
    for c in range(first, last):
        narrow(rows, line, conditions[c], words, listed, asked)


@inner
def drop_needless(found, size, rows, words, listed, asked):
    """Drop, first added first, every condition without which no negative row is covered; how many stay, at least one.

    A condition is needed if some negative row satisfies all those kept before it and all those after it.
    """
    for w in range(rows.shape[1]):
        rows[AFTER + size, w] = rows[BEFORE, w] = rows[NEGATIVE, w]
    for c in range(size - 1, 0, -1):  # the negative rows that satisfy all conditions from c on
        cover(rows, AFTER + c, AFTER + c + 1, found, c, c + 1, words, listed, asked)
    left = 0
    for c in range(size):
        needed = left == 0 and c == size - 1
        for w in range(rows.shape[1]):
            if rows[BEFORE, w] & rows[AFTER + c + 1, w]:
                needed = True
                break
        if needed:
            narrow(rows, BEFORE, found[c], words, listed, asked)
            found[left] = found[c]
            left += 1
    return left


@compiled(makes_arrays=False)
def irredundant(pointers, conditions, rows, words, listed, asked, times, keep):
    """Mark the rules that stay when those that the others make redundant are dropped, first induced first."""
    for dropping in range(2):  # count first, then drop: covering twice costs less than remembering rules × rows
        for rule in range(len(keep)):
            cover(rows, GONE, GOAL, conditions, pointers[rule], pointers[rule + 1], words, listed, asked)
            if dropping == 0 or not _covers_alone(rows, times):
                _add(rows, times, 1 - 2 * dropping)
                keep[rule] = 1 - dropping


@inner
def _covers_alone(rows, times):
    """Return whether one of the rows is covered once."""
    for w in range(rows.shape[1]):
        word = rows[GONE, w]
        while word:
            if times[(w << 6) + lowest(word)] == 1:
                return True
            word &= word - np.uint64(1)
    return False


@inner
def _add(rows, times, step):
    for w in range(rows.shape[1]):
        word = rows[GONE, w]
        while word:
            times[(w << 6) + lowest(word)] += step
            word &= word - np.uint64(1)


@compiled(makes_arrays=False)
def coverage(pointers, conditions, rows, words, listed, asked, shares, support, best):
    """Fill in for each rule two sums over the shown rows it covers: of their weights, and of what in them is right.

    Also, for each row, the largest support among the rules that cover it.
    """
    for rule in range(len(support)):
        cover(rows, GONE, SHOWN, conditions, pointers[rule], pointers[rule + 1], words, listed, asked)
        for w in range(rows.shape[1]):
            word = rows[GONE, w]
            while word:
                row = (w << 6) + lowest(word)
                support[rule, 0] += shares[0, row]
                support[rule, 1] += shares[1, row]
                word &= word - np.uint64(1)
        for w in range(rows.shape[1]):
            word = rows[GONE, w]
            while word:
                row = (w << 6) + lowest(word)
                if best[row] < support[rule, 0]:
                    best[row] = support[rule, 0]
                word &= word - np.uint64(1)


@compiled(makes_arrays=False)
def meetings(pointers, conditions, rows, words, listed, asked, met):
    """Fill in for each list of conditions and each set of rows from ``AFTER`` on whether a row satisfies all."""
    for rule in range(len(met)):
        cover(rows, GONE, SHOWN, conditions, pointers[rule], pointers[rule + 1], words, listed, asked)
        for other in range(met.shape[1]):
            for w in range(rows.shape[1]):
                if rows[GONE, w] & rows[AFTER + other, w]:
                    met[rule, other] = 1
                    break
