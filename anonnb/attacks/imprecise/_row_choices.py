"""Kernels of the deep attack: branch and bound over rows held as words (compiled by numba, kept in its cache).

An attribute without gaps has two words, the first and the last code of a set; any other has a bit per value. ``spans``
lists the attributes that are compared, the target last: the first word, the one after the last, and 1 if it is a run.
"""

import numpy as np

from anonnb.attacks.imprecise._intersecting import selected_word
from anonnb.core.bits import lowest, ones
from anonnb.core.compiled import compiled, inner

NONE, UNDECIDED, FOUND = -1, -2, 0  # what is found is a code, from 0 on


@inner
def meet(first, second, spans, count, out):
    """Intersect the first ``count`` attributes of two rows into ``out``; False as soon as one has no value left."""
    for attribute in range(count):
        low = spans[attribute, 0]
        if spans[attribute, 2]:
            out[low] = max(first[low], second[low])
            out[low + 1] = min(first[low + 1], second[low + 1])
            alive = out[low] <= out[low + 1]
        else:
            alive = False
            for word in range(low, spans[attribute, 1]):
                out[word] = first[word] & second[word]
                alive |= out[word] != 0
        if not alive:
            return False
    return True


@inner
def target_values(row, spans):
    """The number of values that a row leaves of the target."""
    low = spans[-1, 0]
    if spans[-1, 2]:
        return np.int64(row[low + 1]) - np.int64(row[low]) + 1
    total = np.int64(0)
    for word in range(low, spans[-1, 1]):
        total += ones(row[word])
    return total


@inner
def first_target_value(row, spans):
    """The smallest code of the target that a row leaves, which leaves one at least."""
    word = low = spans[-1, 0]
    if spans[-1, 2]:
        return np.int64(row[low])
    while row[word] == 0:
        word += 1
    return 64 * (word - low) + lowest(row[word])


@inner
def allows(row, spans, value):
    """Whether a row can have a value of the target."""
    low = spans[-1, 0]
    if spans[-1, 2]:
        return np.int64(row[low]) <= value <= np.int64(row[low + 1])
    return (row[low + value // 64] >> np.uint64(value % 64)) & np.uint64(1) != 0


@compiled
def mark_partners(rows, spans, some, near, alone):
    """Clear the flag of each of some rows that shares a value of every attribute with another one of those near."""
    joint = np.empty(rows.shape[1], dtype=np.uint64)
    for row in some:
        for other in near:
            if row != other and meet(rows[row], rows[other], spans, len(spans), joint):
                alone[row] = False
                break


@compiled
def smallest_set(rows, chosen, spans, sizes, alone, most_steps):
    """The smallest set of mutually compatible rows that leaves one target value; ties: the first in row order.

    ``chosen`` are the rows to choose from, ``sizes`` counts the target values of every row, and ``alone`` marks rows
    that are compatible with no other. Returns what is found, the rows considered, what the set has in common, and its
    places among ``chosen``.
    """
    steps, partners = 0, 0
    places, meets = np.zeros(1, dtype=np.int64), np.zeros((1, rows.shape[1]), dtype=np.uint64)
    for place in range(len(chosen)):
        steps += 1
        if steps > most_steps:
            return UNDECIDED, steps, meets[0], places[:0]
        if sizes[chosen[place]] == 1:
            places[0] = place
            return FOUND, steps, rows[chosen[place]], places
        partners += not alone[chosen[place]]
    for size in range(2, partners + 1):
        places, meets = np.zeros(size, dtype=np.int64), np.zeros((size, rows.shape[1]), dtype=np.uint64)
        reached, depth = False, 0
        places[0] = -1
        while depth >= 0:
            places[depth] += 1
            if places[depth] >= len(chosen):
                depth -= 1
                continue
            row = chosen[places[depth]]
            if alone[row]:
                continue
            steps += 1
            if steps > most_steps:
                return UNDECIDED, steps, meets[0], places[:0]
            if depth == 0:
                for word in range(rows.shape[1]):  # copying a slice takes numba a second more to compile
                    meets[0, word] = rows[row, word]
            elif not meet(meets[depth - 1], rows[row], spans, len(spans), meets[depth]):
                continue
            elif target_values(meets[depth], spans) == target_values(meets[depth - 1], spans):
                continue  # a row that excludes no target value is in no smallest set
            if depth + 1 == size:
                reached = True
                if target_values(meets[depth], spans) == 1:
                    return FOUND, steps, meets[depth], places
            else:
                depth += 1
                places[depth] = places[depth - 1]
        if not reached:
            break
    return NONE, steps, meets[0], places[:0]


@inner
def deep_case(rows, chosen, spans, sizes, alone, most_steps):
    """Steps (d1) to (d4) for one case: the code of the target value, NONE or UNDECIDED; and the rows considered."""
    outcome, steps, common, _ = smallest_set(rows, chosen, spans, sizes, alone, most_steps)
    if outcome != FOUND:
        return outcome, steps
    value = first_target_value(common, spans)
    against, found = np.zeros(len(chosen), dtype=np.int64), 0
    joint = np.empty(rows.shape[1], dtype=np.uint64)
    for row in chosen:
        if allows(rows[row], spans, value):
            continue
        if meet(common, rows[row], spans, len(spans) - 1, joint):  # (d3) compares everything but the target
            return NONE, steps
        against[found] = row
        found += 1
    outcome, more, _, _ = smallest_set(rows, against[:found], spans, sizes, alone, most_steps)
    if outcome == FOUND:
        return NONE, steps + more
    return (UNDECIDED if outcome == UNDECIDED else value), steps + more


@compiled
def deep_cases(selecting, cells, waiting, rows, spans, sizes, alone, most_steps, enough, values):
    """Fill in ``values`` for cases until the rows considered are enough; returns how many cases of those waiting.

    A case takes the rows whose bit is set in all lines of ``selecting`` that ``cells`` names.
    """
    chosen, steps = np.empty(len(rows), dtype=np.int64), 0
    for done in range(len(waiting)):
        if steps > enough:
            return done
        found = 0
        for word in range(selecting.shape[1]):
            bits = selected_word(selecting, cells, waiting[done], word)
            while bits:
                chosen[found] = 64 * word + lowest(bits)
                found += 1
                bits &= bits - np.uint64(1)
        outcome, considered = deep_case(rows, chosen[:found], spans, sizes, alone, most_steps)
        values[waiting[done]] = outcome
        steps += considered + selecting.shape[1]
    return len(waiting)
