"""Kernels of the deep attack: branch and bound over rows held as words (compiled by numba, kept in its cache).

An attribute without gaps has two words, the first and the last code of a set; any other has a bit per value. ``spans``
lists the attributes that are compared, the target last: the first word, the one after the last, and 1 if it is a run.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.attacks.imprecise._intersecting import selected_word
from anonnb.core.bits import lowest, ones
from anonnb.core.compiled import compiled, inner

NONE, UNDECIDED, FOUND = -1, -2, 0  # what is found is a code, from 0 on


class Searched(NamedTuple):
    """Rows as words, what is known of them for one target, and room to work in: the kernels make no arrays.

    Two rows are partners when they are compatible. The later partners of all rows stand one after the other, unless
    there are too many to be written down: then the three arrays about them are empty.
    """

    rows: np.ndarray
    spans: np.ndarray
    sizes: np.ndarray  # the target values of each row
    first_values: np.ndarray  # the first of them
    partners: np.ndarray
    starts: np.ndarray  # where the partners of each row begin
    left: np.ndarray  # target values that a row and each of its partners leave; -1: not yet counted
    alone: np.ndarray  # a flag for each row without a partner
    marks: np.ndarray  # of each row: the search that last had it to choose from
    chosen: np.ndarray  # the rows of a case
    against: np.ndarray  # those of them that contradict what is found
    near: np.ndarray  # those that go with one of them
    picked: np.ndarray  # a set of rows
    meets: np.ndarray  # what the first one, two, … rows of a set have in common


def search_room(rows: np.ndarray, most_values: int) -> tuple[np.ndarray, ...]:
    """Room for a search: ``marks``, ``chosen``, ``against``, ``near``, ``picked`` and ``meets``.

    Every row of a smallest set excludes a target value that those before it leave. So the set has no more rows than a
    row has target values, or two while there may be a pair; ``meets`` has a line more, to compare the set with a row.
    """
    most = max(min(most_values, len(rows)), 2)
    chosen, against, near = (np.empty(len(rows), dtype=np.int64) for _ in range(3))
    picked, meets = np.empty(most, dtype=np.int64), np.empty((most + 1, rows.shape[1]), dtype=np.uint64)
    return np.full(len(rows), -1), chosen, against, near, picked, meets


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


@compiled(makes_arrays=False)
def pair_up(rows, spans, some, near, joint, pairs):
    """Write down the later ones of those near that share a value of every attribute with each of some rows.

    Returns how many of the rows are done and how many pairs there are: it stops where the next row may need more room.
    ``joint`` is room for the words of a row.
    """
    found = 0
    for done in range(len(some)):
        if found + len(near) > len(pairs):
            return done, found
        row = some[done]
        for other in near:
            if other > row and meet(rows[row], rows[other], spans, len(spans), joint):
                pairs[found, 0], pairs[found, 1] = row, other
                found += 1
    return len(some), found


@compiled(makes_arrays=False)
def mark_partners(rows, spans, some, near, joint, alone):
    """Clear the flag of each of some rows that shares a value of every attribute with another one of those near."""
    for row in some:
        for other in near:
            if row != other and meet(rows[row], rows[other], spans, len(spans), joint):
                alone[row] = False
                break


@inner
def narrowing(searched, chosen, place, mark):
    """Write down the later chosen rows that are compatible with one of them and exclude one of its target values.

    A row that excludes none of them is in no smallest set with it. Returns the rows written down as near and the rows
    considered, and whether one of them leaves a single value together with the first; that one is then the last.
    """
    rows, sizes, spans, joint = searched.rows, searched.sizes, searched.spans, searched.meets[1]
    row, found, steps, listed = chosen[place], 0, 0, len(searched.starts) > 0
    first, last = (searched.starts[row], searched.starts[row + 1]) if listed else (place + 1, len(chosen))
    for at in range(first, last):
        other = np.int64(searched.partners[at]) if listed else chosen[at]
        if searched.marks[other] != mark or searched.alone[other]:
            continue
        steps += 1
        values = np.int64(searched.left[at]) if listed else -1
        if values < 0:
            values = sizes[row]  # where they are not compatible
            if meet(rows[row], rows[other], spans, len(spans), joint):
                values = target_values(joint, spans)
            if listed:
                searched.left[at] = values
        if values < sizes[row]:
            searched.near[found] = other
            found += 1
            if values == 1:
                return found, steps, True
    return found, steps, False


@inner
def begin_set(searched, row):
    """Pick a row as the first of a set."""
    searched.picked[0] = row
    for word in range(searched.rows.shape[1]):  # copying a slice takes numba a second more to compile
        searched.meets[0, word] = searched.rows[row, word]


@inner
def larger_set(searched, count, size, most_steps):
    """The first set of a size that leaves one target value: of the row that was picked and some of those near.

    Picks places among those near, of which there are ``count``. Returns what is found, the rows considered, and whether
    some rows got that far.
    """
    spans, near, picked, meets = searched.spans, searched.near, searched.picked, searched.meets
    steps, reached, depth = 0, False, 1
    picked[1] = -1
    while depth > 0:
        picked[depth] += 1
        if picked[depth] + size - depth > count:  # too few are left for the rest of the set
            depth -= 1
            continue
        row = near[picked[depth]]
        if depth > 1:
            steps += 1
            if steps > most_steps:
                return UNDECIDED, steps, reached
        if not meet(meets[depth - 1], searched.rows[row], spans, len(spans), meets[depth]):
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
def smallest_set(searched, chosen, mark, most_steps):
    """The smallest set of mutually compatible rows that leaves one target value; ties: the first in row order.

    ``chosen`` are the rows to choose from, in their order. Returns the number of rows in the set, NONE or UNDECIDED,
    and the rows considered. The set is picked; the line of its last row in ``meets`` is what they have in common.
    """
    spans, near, picked, meets = searched.spans, searched.near, searched.picked, searched.meets
    steps, reached, size = 0, False, 1
    for row in chosen:
        steps += 1
        if steps > most_steps:
            return UNDECIDED, steps
        if searched.sizes[row] == 1:
            begin_set(searched, row)
            return size, steps
        searched.marks[row] = mark
    while size == 1 or reached:
        size += 1
        reached = False
        for place in range(len(chosen)):
            if searched.alone[chosen[place]]:
                continue
            steps += 1
            count, more, single = narrowing(searched, chosen, place, mark)
            steps += more
            if steps > most_steps:
                return UNDECIDED, steps
            if count + 1 < size:
                continue
            if size == 2 and not single:
                reached = True
                continue
            begin_set(searched, chosen[place])
            if single:  # in a pair, as larger sets are looked for only where no pair does
                picked[1] = near[count - 1]
                meet(meets[0], searched.rows[picked[1]], spans, len(spans), meets[1])
                return size, steps
            outcome, more, got_far = larger_set(searched, count, size, most_steps - steps)
            steps, reached = steps + more, reached | got_far
            if outcome == UNDECIDED:
                return UNDECIDED, steps
            if outcome == FOUND:
                for number in range(1, size):
                    picked[number] = near[picked[number]]
                return size, steps
    return NONE, steps


@compiled(makes_arrays=False)
def one_smallest_set(searched, chosen, most_steps):
    """The same for a single search: the number of rows in the set that is picked, NONE or UNDECIDED."""
    return smallest_set(searched, chosen, 0, most_steps)[0]


@inner
def deep_case(searched, chosen, mark, most_steps):
    """Steps (d1) to (d4) for one case: the code of the target value, NONE or UNDECIDED; and the rows considered."""
    rows, spans, meets = searched.rows, searched.spans, searched.meets
    among, found, value, size, steps = chosen, 0, NONE, NONE, 0
    for again in range(2):  # (d1) among all rows, and (d4) among those that contradict what it finds
        size, more = smallest_set(searched, among, mark + again, most_steps)
        steps += more
        if again or size < 0:
            break
        common = meets[size - 1]
        value = first_target_value(common, spans)
        for row in chosen:
            if allows(rows[row], spans, value):
                continue
            if meet(common, rows[row], spans, len(spans) - 1, meets[size]):  # (d3) compares everything but the target
                return NONE, steps
            searched.against[found] = row
            found += 1
        among = searched.against[:found]
    if size == UNDECIDED:
        return UNDECIDED, steps
    return (NONE if size > 0 else value), steps


@inner
def select(selecting, cells, case, searched):
    """Write down the rows of a case; returns how many, or -1 where two of them leave one target value each, but not the
    same: nothing is inferred then, as (d1) takes one of them and (d4) finds it contradicted by the other.
    """
    found, value = 0, NONE
    for word in range(selecting.shape[1]):
        bits = selected_word(selecting, cells, case, word)
        while bits:
            row = 64 * word + lowest(bits)
            if searched.sizes[row] == 1:
                if value != NONE and searched.first_values[row] != value:
                    return -1
                value = searched.first_values[row]
            searched.chosen[found] = row
            found += 1
            bits &= bits - np.uint64(1)
    return found


@compiled(makes_arrays=False)
def deep_cases(selecting, cells, waiting, searched, most_steps, enough, values):
    """Fill in ``values`` for cases until the rows considered are enough; returns how many cases of those waiting.

    A case takes the rows whose bit is set in all lines of ``selecting`` that ``cells`` names.
    """
    steps = 0
    for row in range(len(searched.marks)):
        searched.marks[row] = -1
    for done in range(len(waiting)):
        if steps > enough:
            return done
        found = select(selecting, cells, waiting[done], searched)
        outcome, considered = NONE, 0
        if found >= 0:
            outcome, considered = deep_case(searched, searched.chosen[:found], 2 * done, most_steps)
        values[waiting[done]] = outcome
        steps += considered + selecting.shape[1]
    return len(waiting)
