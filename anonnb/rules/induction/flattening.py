"""The conditions of a release as flat arrays for the compiled search, and their rows as bits.

A set of rows is an array of 64-bit words. The rows that satisfy "key >= c" end a sorted column, so a few marks along
it, each with the bits of all rows from there on, give them with at most one interval between marks to correct. A set
that many rows satisfy has its bits ready; one with fewer rows than there are words has a list of them. So the blocks
take about as many bytes as the codes of the table, however many cuts and values there are. The search sees the rows in
the order of the attribute with the most bounds, from whose ends it takes most rows one by one: neighbours in memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

WORD = 64
MARKS = 64  # marks along each sorted column


class SatisfiedConditions(NamedTuple):
    """Which conditions each row satisfies: its keys, its sets, and the candidates that each set satisfies."""

    keys: np.ndarray
    index: np.ndarray
    sup_ptr: np.ndarray
    sup_list: np.ndarray
    many: bool  # some set satisfies several candidates


class ConditionBlocks(NamedTuple):
    """Which rows satisfy each condition; :func:`anonnb.rules.induction._blocks.narrow` reads it."""

    order: np.ndarray  # the rows by key, for each threshold feature
    starts: np.ndarray  # at ``base`` + key: how many rows have smaller keys
    base: np.ndarray
    marks: np.ndarray  # threshold features × marks × words: the rows from this mark on
    stride: int  # rows between marks
    dense_at: np.ndarray  # the place of each candidate set in ``dense``, or -1
    dense: np.ndarray
    held_ptr: np.ndarray  # where the rows of each other candidate begin in ``held``
    held: np.ndarray


class GreedyChoices(NamedTuple):
    """What the greedy choice reads: the cells that a row counts in, the sizes of blocks, the order among ties."""

    cells: np.ndarray  # rows × features: where in the tally a row counts; the last cell counts what is in no condition
    tops: np.ndarray  # the last cell of each threshold feature
    at_least: np.ndarray  # rows that satisfy the bound of a cell
    bound_place: np.ndarray  # places of threshold and set features in the order of the attributes
    set_place: np.ndarray
    cand_start: np.ndarray
    cand_rows: np.ndarray
    cand_index: np.ndarray


def as_bits(flags: np.ndarray) -> np.ndarray:
    """Flags along the last axis as 64-bit words, the first flag in the lowest bit.

    >>> as_bits(np.array([True, False, True])).tolist()
    [5]
    """
    words = -(-flags.shape[-1] // WORD)
    packed = np.packbits(flags, axis=-1, bitorder="little")
    whole = np.zeros((*flags.shape[:-1], words * 8), np.uint8)
    whole[..., : packed.shape[-1]] = packed
    return whole.view("<u8").astype(np.uint64, copy=False)


def flatten(features: Any, copies: int) -> None:
    """Fill ``matching``, ``sorted_rows``, ``search``, ``cand_of`` and ``conditions`` of an ``encoding.Features``."""
    rows, thresholds = features.rows, features.thresholds
    keys = np.zeros((copies, len(thresholds)), np.int32)
    tops = np.array([len(threshold.bounds) for threshold in thresholds], np.int64)
    base = np.concatenate([[0], np.cumsum(tops + 2)]).astype(np.int64)
    starts, at_least = np.zeros(base[-1], np.int64), np.zeros(base[-1], np.int64)
    for f, threshold in enumerate(thresholds):
        keys[:, f] = threshold.keys
        size = tops[f] + 1
        starts[base[f] + 1 : base[f + 1]] = np.cumsum(np.bincount(threshold.keys, minlength=size))
        shown = np.bincount(threshold.keys[:rows], minlength=size)
        at_least[base[f] : base[f] + size] = np.cumsum(shown[::-1])[::-1]
    index, sup_ptr, sup_list, cand_start, cand_rows, cand_index, cand_of = _flat_candidates(features, copies)
    many = bool((np.diff(sup_ptr) > 1).any())
    features.matching = SatisfiedConditions(keys, index, sup_ptr, sup_list, many)
    features.sorted_rows = np.argsort(keys[:, tops.argmax()], kind="stable") if len(tops) else np.arange(copies)
    keys, index = keys[features.sorted_rows], index[features.sorted_rows]
    plan = np.array(features.plan, np.int64)
    places = np.flatnonzero(plan >= 0), np.flatnonzero(plan < 0)
    cells = _cells(keys, index, base, sup_ptr, sup_list, len(cand_rows))
    order, marks, stride = _marks(keys)
    features.search = (
        SatisfiedConditions(keys, index, sup_ptr, sup_list, many),
        ConditionBlocks(order, starts, base, marks, stride, *_holders(index, sup_ptr, sup_list, len(cand_rows))),
        GreedyChoices(cells, base[:-1] + tops, at_least, *places, cand_start, cand_rows, cand_index),
    )
    features.cand_of = cand_of


def _flat_candidates(features: Any, copies: int) -> tuple:
    index = np.zeros((copies, len(features.candidates)), np.int32)
    sup_ptr, sup_list, cand_start, cand_rows, cand_index, cand_of = [0], [], [0], [], [], []
    sets_before = 0
    for h, candidates in enumerate(features.candidates):
        index[:, h] = candidates.index + sets_before
        number = np.full(len(candidates.conditions), -1, np.int64)
        for place, condition in enumerate(candidates.conditions):
            if condition is not None:
                number[place] = len(features.conditions)
                features.conditions.append(condition)
                cand_rows.append(candidates.rows[place])
                cand_index.append(sets_before + place)
        cand_of.extend([*number, *[-1] * (len(candidates.holders) - len(number))])
        for holders in candidates.holders:
            wanted = number[holders]
            sup_list.extend(wanted[wanted >= 0])
            sup_ptr.append(len(sup_list))
        cand_start.append(len(features.conditions))
        sets_before += len(candidates.holders)
    as_array = [np.array(part, np.int64) for part in (sup_ptr, sup_list, cand_start, cand_rows, cand_index, cand_of)]
    return index, *as_array


def _marks(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """The rows sorted by each key, the bits of all rows from each mark on, and the rows between marks."""
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


def _holders(index: np.ndarray, sup_ptr: np.ndarray, sup_list: np.ndarray, count: int) -> tuple:
    """The rows of each candidate set: as bits where they are many, otherwise as a list."""
    rows, n_sets = len(index), len(sup_ptr) - 1
    at_set = np.argsort(index, axis=None, kind="stable")  # each set belongs to one attribute
    set_rows = (at_set // max(index.shape[1], 1)).astype(np.int32)
    set_start = np.searchsorted(index.ravel()[at_set], np.arange(n_sets + 1))
    own_set = np.repeat(np.arange(n_sets), np.diff(sup_ptr))
    sizes = np.bincount(sup_list, weights=np.diff(set_start)[own_set], minlength=count).astype(np.int64)
    words = -(-rows // WORD)
    many = sizes >= words
    dense_at = np.where(many, np.cumsum(many) - 1, -1)
    dense = np.zeros((int(many.sum()), words), np.uint64)
    by_candidate = np.argsort(sup_list, kind="stable")
    sets_ptr = np.searchsorted(sup_list[by_candidate], np.arange(count + 1))
    held_ptr, held = np.zeros(count + 1, np.int64), []
    for candidate in range(count):
        sets = own_set[by_candidate[sets_ptr[candidate] : sets_ptr[candidate + 1]]]
        found = np.concatenate([set_rows[set_start[own] : set_start[own + 1]] for own in sets], dtype=np.int32)
        if many[candidate]:
            flags = np.zeros(rows, bool)
            flags[found] = True
            dense[dense_at[candidate]] = as_bits(flags)
            found = found[:0]
        held.append(found)
        held_ptr[candidate + 1] = held_ptr[candidate] + len(found)
    return dense_at, dense, held_ptr, np.concatenate([np.zeros(0, np.int32), *held])


def _cells(keys, index, base, sup_ptr, sup_list, count: int) -> np.ndarray:
    """Where each row counts: one cell per threshold, and the first candidate that each of its sets satisfies."""
    n_thresholds, nowhere = keys.shape[1], int(base[-1]) + count
    cells = np.full((len(keys), n_thresholds + index.shape[1]), nowhere, np.uint32)
    cells[:, :n_thresholds] = keys + base[:-1]
    first = np.full(len(sup_ptr) - 1, nowhere, np.uint32)
    some = np.diff(sup_ptr) > 0
    first[some] = base[-1] + sup_list[sup_ptr[:-1][some]]
    cells[:, n_thresholds:] = first[index]
    return cells
