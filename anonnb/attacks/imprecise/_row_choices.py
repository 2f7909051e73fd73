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
def pair_up(rows, spans, some, near, pairs):
    """Write down the later ones of those near that share a value of every attribute with each of some rows.

    Returns how many of the rows are done and how many pairs there are: it stops where the next row may need more room.
    """
    joint, found = np.empty(rows.shape[1], dtype=np.uint64), 0
    for done in range(len(some)):
        if found + len(near) > len(pairs):
            return done, found
        row = some[done]
        for other in near:
            if other > row and meet(rows[row], rows[other], spans, len(spans), joint):
                pairs[found, 0], pairs[found, 1] = row, other
                found += 1
    return len(some), found


@compiled
def mark_partners(rows, spans, some, near, alone):
    """Clear the flag of each of some rows that shares a value of every attribute with another one of those near."""
    joint = np.empty(rows.shape[1], dtype=np.uint64)
    for row in some:
        for other in near:
            if row != other and meet(rows[row], rows[other], spans, len(spans), joint):
                alone[row] = False
                break


@inner
def narrowing(rows, chosen, place, spans, sizes, partners, starts, left, alone, marks, mark, out):
    """Write down the later chosen rows that are compatible with one of them and exclude one of its target values.

    A row that excludes none of them is in no smallest set with it. ``left`` keeps how many target values a row and each
    of its partners leave (-1: not yet counted). Returns the rows written down and the rows considered, and whether one
    of them leaves a single value together with the first; that one is then the last.
    """
    row, found, steps, listed = chosen[place], 0, 0, len(starts) > 0
    first, last = (starts[row], starts[row + 1]) if listed else (place + 1, len(chosen))
    joint = np.empty(rows.shape[1], dtype=np.uint64)
    for at in range(first, last):
        other = np.int64(partners[at]) if listed else chosen[at]
        if marks[other] != mark or alone[other]:
            continue
        steps += 1
        values = np.int64(left[at]) if listed else -1
        if values < 0:
            values = sizes[row]  # where they are not compatible
            if meet(rows[row], rows[other], spans, len(spans), joint):
                values = target_values(joint, spans)
            if listed:
                left[at] = values
        if values < sizes[row]:
            out[found] = other
            found += 1
            if values == 1:
                return found, steps, True
    return found, steps, False


@inner
def larger_set(rows, near, spans, meets, picked, size, most_steps):
    """The first set of a size that leaves one target value: of the row in ``meets[0]`` and some of those near.

    Fills in ``picked``, the places among those near, and ``meets``, what the first rows of the set have in common.
    Returns what is found, the rows considered, and whether some rows got that far.
    """
    steps, reached, depth = 0, False, 1
    picked[1] = -1
    while depth > 0:
        picked[depth] += 1
        if picked[depth] + size - depth > len(near):  # too few are left for the rest of the set
            depth -= 1
            continue
        row = near[picked[depth]]
        if depth > 1:
            steps += 1
            if steps > most_steps:
                return UNDECIDED, steps, reached
        if not meet(meets[depth - 1], rows[row], spans, len(spans), meets[depth]):
            continue
        if target_values(meets[depth], spans) == target_values(meets[depth - 1], spans):
            continue
        if depth + 1 < size:
            depth += 1
            picked[depth] = picked[depth - 1]
            continue
        reached = True
        if target_values(meets[depth], spans) == 1:
            return FOUND, steps, True
    return NONE, steps, reached


@inner
def smallest_set(rows, chosen, spans, sizes, network, marks, mark, most_steps):
    """The smallest set of mutually compatible rows that leaves one target value; ties: the first in row order.

    ``chosen`` are the rows to choose from, in their order, and ``sizes`` counts the target values of every row.
    ``network`` has the later partners of all rows, where they were written down: their numbers, where each row's begin,
    and what they leave of the target; and flags for rows that are compatible with no other. ``marks`` is room for a
    mark per row. Returns what is found, the rows considered, what the set has in common, and its rows.
    """
    partners, starts, left, alone = network
    steps, reached = 0, False
    for row in chosen:
        steps += 1
        if steps > most_steps:
            return UNDECIDED, steps, rows[0], chosen[:0]
        if sizes[row] == 1:
            found = np.empty(1, dtype=np.int64)
            found[0] = row
            return FOUND, steps, rows[row], found
        marks[row] = mark
    near, size = np.empty(len(chosen), dtype=np.int64), 1
    while size == 1 or reached:
        size += 1
        reached = False
        picked, meets = np.empty(size, dtype=np.int64), np.empty((size, rows.shape[1]), dtype=np.uint64)
        for place in range(len(chosen)):
            row = chosen[place]
            if alone[row]:
                continue
            steps += 1
            count, more, single = narrowing(
                rows, chosen, place, spans, sizes, partners, starts, left, alone, marks, mark, near
            )
            steps += more
            if steps > most_steps:
                return UNDECIDED, steps, rows[0], chosen[:0]
            if count + 1 < size:
                continue
            if single:  # in a pair, as larger sets are looked for only where no pair does
                picked[0], picked[1] = row, near[count - 1]
                meet(rows[row], rows[near[count - 1]], spans, len(spans), meets[0])
                return FOUND, steps, meets[0], picked
            if size == 2:
                reached = True
                continue
            for word in range(rows.shape[1]):  # copying a slice takes numba a second more to compile
                meets[0, word] = rows[row, word]
            outcome, more, got_far = larger_set(rows, near[:count], spans, meets, picked, size, most_steps - steps)
            steps, reached = steps + more, reached | got_far
            if outcome == UNDECIDED:
                return UNDECIDED, steps, rows[0], chosen[:0]
            if outcome == FOUND:
                for number in range(1, size):
                    picked[number] = near[picked[number]]
                picked[0] = row
                return FOUND, steps, meets[size - 1], picked
    return NONE, steps, rows[0], chosen[:0]


@compiled
def one_smallest_set(rows, chosen, spans, sizes, network, marks, most_steps):
    """The same for a single search: what is found, and the rows of the set."""
    outcome, _, _, found = smallest_set(rows, chosen, spans, sizes, network, marks, 0, most_steps)
    return outcome, found


@inner
def deep_case(rows, chosen, spans, sizes, network, marks, mark, most_steps):
    """Steps (d1) to (d4) for one case: the code of the target value, NONE or UNDECIDED; and the rows considered."""
    among, against, found = chosen, np.empty(len(chosen), dtype=np.int64), 0
    joint = np.empty(rows.shape[1], dtype=np.uint64)
    value, steps, outcome = NONE, 0, NONE
    for again in range(2):  # (d1) among all rows, and (d4) among those that contradict what it finds
        outcome, more, common, _ = smallest_set(rows, among, spans, sizes, network, marks, mark + again, most_steps)
        steps += more
        if again or outcome != FOUND:
            break
        value = first_target_value(common, spans)
        for row in chosen:
            if allows(rows[row], spans, value):
                continue
            if meet(common, rows[row], spans, len(spans) - 1, joint):  # (d3) compares everything but the target
                return NONE, steps
            against[found] = row
            found += 1
        among = against[:found]
    if outcome == UNDECIDED:
        return UNDECIDED, steps
    return (NONE if outcome == FOUND else value), steps


@inner
def select(selecting, cells, case, sizes, first_values, chosen):
    """Write down the rows of a case; returns how many, or -1 where two of them leave one target value each, but not the
    same: nothing is inferred then, as (d1) takes one of them and (d4) finds it contradicted by the other.
    """
    found, value = 0, NONE
    for word in range(selecting.shape[1]):
        bits = selected_word(selecting, cells, case, word)
        while bits:
            row = 64 * word + lowest(bits)
            if sizes[row] == 1:
                if value != NONE and first_values[row] != value:
                    return -1
                value = first_values[row]
            chosen[found] = row
            found += 1
            bits &= bits - np.uint64(1)
    return found


@compiled
def deep_cases(selecting, cells, waiting, first_values, rows, spans, sizes, network, marks, most_steps, enough, values):
    """Fill in ``values`` for cases until the rows considered are enough; returns how many cases of those waiting.

    A case takes the rows whose bit is set in all lines of ``selecting`` that ``cells`` names. ``first_values`` has the
    first target value of each row, and ``marks`` is room for a mark per row.
    """
    chosen, steps = np.empty(len(rows), dtype=np.int64), 0
    for row in range(len(rows)):
        marks[row] = -1
    for done in range(len(waiting)):
        if steps > enough:
            return done
        found = select(selecting, cells, waiting[done], sizes, first_values, chosen)
        outcome, considered = NONE, 0
        if found >= 0:
            outcome, considered = deep_case(rows, chosen[:found], spans, sizes, network, marks, 2 * done, most_steps)
        values[waiting[done]] = outcome
        steps += considered + selecting.shape[1]
    return len(waiting)
