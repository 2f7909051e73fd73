"""The conditions of a release as flat arrays for the compiled search, and their rows as bits.

A set of rows is a line of 64-bit words. The rows that satisfy "key >= c" end a sorted column, so a few marks along it,
each with the bits of all rows from there on, give them with at most one interval between marks to correct. A set that
many rows satisfy has its bits ready; one with fewer rows than there are words has a list of them. So the blocks take
about as many bytes as the codes of the table, however many cuts and values there are. The search sees the rows in the
order of the attribute with the most bounds, from whose ends it takes most rows one by one: neighbours in memory.

Every condition has a cell, a number: first come the keys of the threshold features, then the candidate sets. The search
takes few arrays, because numba compiles each of them again in each function; the constants name their columns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

WORD = 64
MARKS = 64  # marks along each sorted column

# lines of FlatConditions.asked
FEATURE, AT_LEAST, LINE, FROM, UPTO, SET, USED = range(7)
# columns of FlatConditions.bounds and FlatConditions.sets
FIRST, LAST, PLACE, LOW, NEXT, BOUND = range(6)
MOST = LOW
# lines of the sets of rows that the kernels work on; those from AFTER on are as many as a kernel needs
SPARE, GOAL, NEGATIVE, SHOWN, OPEN_ROWS, ALIVE, GONE, BEFORE, AFTER = range(9)
# what the search for a rule has reached: open rows to cover; goal and negative rows alive, conditions, loss of a bound;
# where the next condition is recorded: behind all this, as far as there is room
OPEN, GOALS, NEGATIVES, SIZE, LOSS, RECORDED = range(6)


class FlatConditions(NamedTuple):
    """What the compiled loops read of all conditions; ``words``, ``listed`` and ``asked`` are for sets of rows."""

    words: np.ndarray  # lines of bits
    listed: np.ndarray  # rows: sorted by each threshold feature, then those of sets that few rows satisfy
    # for each cell: its feature, the rows of the table that satisfy it; the line of its rows in ``words``, without
    # those listed ``FROM`` .. ``UPTO``, or -1: only those listed; the set of a candidate in ``sup``, and working space
    asked: np.ndarray
    bounds: np.ndarray  # for each threshold feature: its first and last cell, its place, and working space
    sets: np.ndarray  # for each set feature: its first cell and the one after its last, its place, and working space
    # rows × features: the cells that a row counts in, and behind them the row's weight; the last cell counts what is in
    # no condition
    cells: np.ndarray
    set_of: np.ndarray  # rows × set features: the set of a row in ``sup``; without columns if cells say it all
    sup: np.ndarray  # pointers, then the cells of the candidates that each set satisfies


class FlatSets(NamedTuple):
    """The sets of the nominal attributes, numbered through, and the candidates that they satisfy."""

    set_of: np.ndarray  # rows × attributes: the set of a row
    ptr: np.ndarray  # where the candidates that a set satisfies begin in ``satisfied``
    satisfied: np.ndarray
    start: np.ndarray  # the first candidate of each attribute
    rows: np.ndarray  # of each candidate: the rows of the table that satisfy it
    own: np.ndarray  # of each candidate: the number of its set
    candidate: np.ndarray  # of each set: its candidate, or -1


def as_bits(flags: np.ndarray) -> np.ndarray:
    """Return flags along the last axis as 64-bit words, the first flag in the lowest bit.

    >>> as_bits(np.array([True, False, True])).tolist()
    [5]
    """
    words = -(-flags.shape[-1] // WORD)
    packed = np.packbits(flags, axis=-1, bitorder="little")
    whole = np.zeros((*flags.shape[:-1], words * 8), np.uint8)
    whole[..., : packed.shape[-1]] = packed
    return whole.view("<u8").astype(np.uint64, copy=False)


def flatten(features: Any, copies: int) -> None:
    """Fill the flat arrays of an ``encoding.Features``: ``keys``, ``base``, ``flat_sets``, ``longest``, ``search``."""
    tops = np.array([threshold.count for threshold in features.thresholds], np.int64)
    base = features.base = np.concatenate([[0], np.cumsum(tops + 2)]).astype(np.int64)
    keys = features.keys = np.zeros((copies, len(tops)), np.int32)
    for f, threshold in enumerate(features.thresholds):
        keys[:, f] = threshold.keys
    flat = features.flat_sets = _flat_sets(features, copies)
    features.longest = len(tops) + _longest_chain(flat)
    features.sorted_rows = np.argsort(keys[:, tops.argmax()], kind="stable") if len(tops) else np.arange(copies)
    keys, index = keys[features.sorted_rows], flat.set_of[features.sorted_rows]
    several = (np.diff(flat.ptr) > 1).any()
    words, listed, asked = _blocks(features, keys, index, flat)
    bounds, sets = _feature_tables(np.array(features.plan), base, flat.start)
    features.search = FlatConditions(
        words,
        listed,
        asked,
        bounds,
        sets,
        _cells(keys, index, base, flat, features),
        index if several else np.zeros((copies, 0), np.int32),
        np.concatenate([flat.ptr + len(flat.ptr), base[-1] + flat.satisfied]),
    )


def _blocks(features: Any, keys: np.ndarray, index: np.ndarray, flat: FlatSets) -> tuple:
    """``words``, ``listed`` and ``asked`` of all conditions, from the keys and sets of the sorted rows."""
    order, marks, stride = _marks(keys)
    dense_at, dense, held_ptr, held = _holders(index, flat)
    n_marks, base = marks.shape[1], features.base
    asked = np.zeros((USED + 1, base[-1] + len(flat.rows)), np.int64)
    for f in range(len(base) - 1):
        part = asked[:, base[f] : base[f + 1]]
        smaller = np.searchsorted(keys[order[f], f], np.arange(part.shape[1]))  # rows with smaller keys
        count = np.bincount(features.keys[: features.rows, f], features.weights, minlength=part.shape[1])
        part[FEATURE], part[AT_LEAST] = f, np.cumsum(count[::-1])[::-1]
        part[LINE] = f * n_marks + smaller // stride
        part[FROM], part[UPTO] = f * len(keys) + smaller // stride * stride, f * len(keys) + smaller
    part = asked[:, base[-1] :]
    part[FEATURE] = len(base) - 1 + np.repeat(np.arange(index.shape[1]), np.diff(flat.start))
    part[AT_LEAST], part[SET] = flat.rows, flat.own
    part[LINE] = np.where(dense_at < 0, -1, order.shape[0] * n_marks + dense_at)
    part[FROM], part[UPTO] = order.size + held_ptr[:-1], order.size + held_ptr[1:]
    return np.concatenate([marks.reshape(-1, marks.shape[2]), dense]), np.concatenate([order.ravel(), held]), asked


def _flat_sets(features: Any, copies: int) -> FlatSets:
    index = np.zeros((copies, len(features.candidates)), np.int32)
    ptr, satisfied, start, rows, own, candidate = [0], [], [0], [], [], []
    sets_before = 0
    for h, candidates in enumerate(features.candidates):
        index[:, h] = candidates.index + sets_before
        number = np.full(len(candidates.conditions), -1, np.int64)
        for position, condition in enumerate(candidates.conditions):
            if condition is not None:
                number[position] = len(features.conditions)
                features.conditions.append(condition)
                rows.append(candidates.rows[position])
                own.append(sets_before + position)
        candidate.extend([*number, *[-1] * (len(candidates.holders) - len(number))])
        for holders in candidates.holders:
            wanted = number[holders]
            satisfied.extend(wanted[wanted >= 0])
            ptr.append(len(satisfied))
        start.append(len(features.conditions))
        sets_before += len(candidates.holders)
    return FlatSets(index, *(np.array(part, np.int64) for part in (ptr, satisfied, start, rows, own, candidate)))


def _longest_chain(flat: FlatSets) -> int:
    """Return how many candidates a rule may ask for at most: one row satisfies all of them."""
    return int(np.diff(flat.ptr)[flat.set_of].max(axis=0, initial=0).sum())


def _feature_tables(plan: np.ndarray, base: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the cells and places of threshold features, and of set features."""
    bounds, sets = np.zeros((len(base) - 1, BOUND + 1), np.int64), np.zeros((len(start) - 1, MOST + 1), np.int64)
    bounds[:, FIRST], bounds[:, LAST], bounds[:, PLACE] = base[:-1], base[1:] - 2, np.flatnonzero(plan >= 0)
    sets[:, FIRST], sets[:, LAST], sets[:, PLACE] = (
        base[-1] + start[:-1],
        base[-1] + start[1:],
        np.flatnonzero(plan < 0),
    )
    return bounds, sets


def _marks(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return the rows sorted by each key, the bits of all rows from each mark on, and the rows between marks."""
    rows, count = keys.shape
    stride = max(-(-rows // MARKS), WORD)
    at = np.arange(0, rows + 1, stride)
    order = np.zeros((count, rows), np.int32)
    marks = np.zeros((count, len(at), -(-rows // WORD)), np.uint64)
    rank = np.empty(rows, np.int64)
    for f in range(count):
        order[f] = np.argsort(keys[:, f], kind="stable")
        rank[order[f]] = np.arange(rows)
        marks[f] = as_bits(rank >= at[:, None])
    return order, marks, stride


def _holders(index: np.ndarray, flat: FlatSets) -> tuple:
    """Return the rows of each candidate set: as bits where they are many, otherwise as a list."""
    rows, n_sets, count = len(index), len(flat.ptr) - 1, len(flat.rows)
    at_set = np.argsort(index, axis=None, kind="stable")  # each set belongs to one attribute
    set_rows = (at_set // max(index.shape[1], 1)).astype(np.int32)
    set_start = np.searchsorted(index.ravel()[at_set], np.arange(n_sets + 1))
    own_set = np.repeat(np.arange(n_sets), np.diff(flat.ptr))
    sizes = np.bincount(flat.satisfied, weights=np.diff(set_start)[own_set], minlength=count).astype(np.int64)
    words = -(-rows // WORD)
    many = sizes >= words
    dense_at = np.where(many, np.cumsum(many) - 1, -1)
    dense = np.zeros((int(many.sum()), words), np.uint64)
    by_candidate = np.argsort(flat.satisfied, kind="stable")
    sets_ptr = np.searchsorted(flat.satisfied[by_candidate], np.arange(count + 1))
    held_ptr, held = np.zeros(count + 1, np.int64), []
    for candidate in range(count):
        sets = own_set[by_candidate[sets_ptr[candidate] : sets_ptr[candidate + 1]]]
        members = np.concatenate([set_rows[set_start[each] : set_start[each + 1]] for each in sets], dtype=np.int32)
        if many[candidate]:
            flags = np.zeros(rows, bool)
            flags[members] = True
            dense[dense_at[candidate]] = as_bits(flags)
            members = members[:0]
        held.append(members)
        held_ptr[candidate + 1] = held_ptr[candidate] + len(members)
    return dense_at, dense, held_ptr, np.concatenate([np.zeros(0, np.int32), *held])


def _cells(keys: np.ndarray, index: np.ndarray, base: np.ndarray, flat: FlatSets, features: Any) -> np.ndarray:
    """Return where each row counts: one cell per threshold, and the first candidate that each of its sets satisfies."""
    n_thresholds, nowhere = keys.shape[1], int(base[-1]) + len(flat.rows)
    cells = np.ones((len(keys), n_thresholds + index.shape[1] + 1), np.uint32)
    cells[:, :n_thresholds] = keys + base[:-1]
    first = np.full(len(flat.ptr) - 1, nowhere, np.uint32)
    nonempty = np.diff(flat.ptr) > 0
    first[nonempty] = base[-1] + flat.satisfied[flat.ptr[:-1][nonempty]]
    cells[:, n_thresholds:-1] = first[index]
    shown = features.sorted_rows < features.rows  # the others are copies for overlaps
    cells[shown, -1] = features.weights[features.sorted_rows[shown]]
    return cells
