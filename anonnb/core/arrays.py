"""Array helpers that everything else shares: numbering of groups, per-group reductions, packed bitsets.

Rows are never visited one by one: a group number per row and numpy's reductions do the work.
"""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

DENSE = 8  # cells of a dense count per row beyond which sorting is cheaper
COMPILED = 100_000  # rows from which on a compiled loop is worth loading numba, which takes a fifth of a second


def group_ids(codes: Sequence[np.ndarray], sizes: Sequence[int] | None = None) -> tuple[np.ndarray, int]:
    """Number the distinct tuples of several code columns, in order of first appearance.

    ``sizes`` holds an exclusive upper bound of each column's codes (found by a scan when absent); codes are not
    negative. Codes beyond these bounds raise ValueError where they make a key that there cannot be.

    >>> ids, count = group_ids([np.array([1, 1, 0, 1]), np.array([2, 2, 0, 0])])
    >>> ids.tolist(), count
    ([0, 0, 1, 2], 3)
    """
    if not codes:
        raise ValueError("group_ids needs at least one column")
    if sizes is None:
        sizes = [int(column.max()) + 1 if len(column) else 1 for column in codes]
    key = np.asarray(codes[0]).astype(np.int64)
    n_keys = int(sizes[0])
    for column, size in zip(codes[1:], sizes[1:], strict=True):
        if n_keys * int(size) >= 2**62:  # the mixed-radix key would overflow: number what we have, then go on
            _check_keys(key, n_keys, codes, sizes)
            key, count = _numbered(key, n_keys)
            n_keys = max(count, 1)
        key *= int(size)
        key += column
        n_keys *= int(size)
    _check_keys(key, n_keys, codes, sizes)
    return _numbered(key, n_keys)


def _check_keys(keys: np.ndarray, n_keys: int, codes: Sequence[np.ndarray], sizes: Sequence[int]) -> None:
    """Raise ValueError for keys beyond ``room - 1``: a search for more keys than a hash table holds would never end."""
    if not len(keys) or keys.view(np.uint64).max() < n_keys:  # seen as unsigned, a negative number is a large one
        return
    for index, (column, size) in enumerate(zip(codes, sizes, strict=True)):
        low, high = int(column.min()), int(column.max())
        if low < 0 or high >= size:
            raise ValueError(
                f"column {index} has codes from {low} to {high}; number them from 0 on, below its size {size}"
            )


def _numbered(keys: np.ndarray, n_keys: int) -> tuple[np.ndarray, int]:
    """Return the number of each key, in order of first appearance, and how many differ.

    Keys are 0 to ``room - 1``; their array is used up.
    """
    if len(keys) < COMPILED:
        ids, uniques = pd.factorize(keys)
        return ids.astype(np.int64, copy=False), len(uniques)
    from anonnb.core.numbering._hashing import number_keys

    bits = min(len(keys), n_keys).bit_length() + 1  # at most half of the slots are taken
    slots, ids = np.full(1 << bits, -1, dtype=np.int32), np.empty(len(keys), dtype=np.int64)
    return ids, number_keys(keys, slots, bits, ids)


def group_order(groups: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers sorted by group (stable), and the start of each group among them (``n_groups + 1`` entries).

    >>> order, starts = group_order(np.array([1, 0, 1]), 2)
    >>> order.tolist(), starts.tolist()
    ([1, 0, 2], [0, 1, 3])
    """
    order = _stable_order(groups, n_groups)
    starts = np.zeros(n_groups + 1, dtype=np.int64)
    np.cumsum(np.bincount(groups, minlength=n_groups), out=starts[1:])
    return order, starts


def _stable_order(numbers: np.ndarray, limit: int) -> np.ndarray:
    """Return the stable order of numbers from 0 to ``room - 1``, in linear time: numpy has a radix sort for 16 bits."""
    if limit > 2**32 or len(numbers) < 256:
        return np.argsort(numbers, kind="stable")
    order = np.argsort(numbers.astype(np.uint16), kind="stable")  # by the lower 16 bits
    if limit > 2**16:
        order = order[np.argsort((numbers >> 16).astype(np.uint16)[order], kind="stable")]
    return order


def content_order(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return the stable order of rows by several columns of numbers from 0 on, the first the most important.

    >>> content_order([np.array([1, 0, 1]), np.array([0, 5, 0])]).tolist()
    [1, 0, 2]
    """
    sizes = [int(column.max(initial=0)) + 1 for column in columns]
    if math.prod(sizes) >= 2**62:
        return np.lexsort(columns[::-1])
    key = np.zeros(len(columns[0]), dtype=np.int64)  # one sort instead of one for each column
    for column, size in zip(columns, sizes, strict=True):
        key = key * size + column
    return np.argsort(key, kind="stable")


def first_places(ids: np.ndarray, count: int) -> np.ndarray:
    """Return the position where each of the numbers ``0..count - 1`` first occurs.

    >>> first_places(np.array([1, 0, 1]), 2).tolist()
    [1, 0]
    """
    first = np.zeros(count, dtype=np.int64)
    first[ids[::-1]] = np.arange(len(ids))[::-1]  # the last write wins: that of the first occurrence
    return first


def group_min_max(values: np.ndarray, groups: np.ndarray, n_groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Return smallest and largest value of each group; raises ValueError when a group has no row.

    >>> low, high = group_min_max(np.array([5, 1, 7]), np.array([0, 1, 0]), 2)
    >>> low.tolist(), high.tolist()
    ([5, 1], [7, 1])
    """
    order, starts = group_order(groups, n_groups)
    empty = np.flatnonzero(starts[1:] == starts[:-1])
    if len(empty):
        raise ValueError(f"group {empty[0]} has no row; number the groups 0 to {n_groups - 1} without gaps")
    sorted_values = values[order]
    return np.minimum.reduceat(sorted_values, starts[:-1]), np.maximum.reduceat(sorted_values, starts[:-1])


def group_table(codes: np.ndarray, size: int, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Counts of each code in each group, as an ``n_groups × size`` array.

    >>> group_table(np.array([0, 1, 1]), 2, np.array([0, 0, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    flat = np.bincount(groups * np.int64(size) + codes, minlength=n_groups * size)
    return flat.reshape(n_groups, size)


def distinct_per_group(values: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Return how many different values each group holds; values are not negative.

    >>> distinct_per_group(np.array([7, 7, 3, 7]), np.array([0, 0, 0, 1]), 3).tolist()
    [2, 1, 0]
    """
    width = int(values.max(initial=0)) + 1
    return np.bincount(pd.unique(groups * np.int64(width) + values) // width, minlength=n_groups)


def distinct_counts(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct numbers in order, and how often each occurs; none is negative.

    >>> [part.tolist() for part in distinct_counts(np.array([7, 3, 7]))]
    [[3, 7], [1, 2]]
    """
    if numbers.max(initial=0) > DENSE * len(numbers):
        return np.unique(numbers, return_counts=True)
    table = np.bincount(numbers)
    present = np.flatnonzero(table)
    return present, table[present]


def group_pairs(codes: np.ndarray, size: int, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the (group, code) pairs that occur, sorted, with their counts: ``group_table`` without its zeros.

    >>> [part.tolist() for part in group_pairs(np.array([0, 1, 1]), 2, np.array([0, 0, 0]))]
    [[0, 0], [0, 1], [1, 2]]
    """
    key, count = distinct_counts(groups * np.int64(size) + codes)
    return key // size, key % size, count


def multiset_ids(values: np.ndarray, groups: np.ndarray, n_groups: int) -> np.ndarray:
    """Number the groups by the multisets of their values: two groups share a number if they hold the same ones.

    The numbers follow from the values alone, whatever the order of rows and groups.

    >>> multiset_ids(np.array([7, 5, 5, 7, 5]), np.array([0, 0, 1, 1, 2]), 3).tolist()
    [1, 1, 0]
    """
    order = np.lexsort((values, groups))
    starts, sizes = np.searchsorted(groups[order], np.arange(n_groups)), np.bincount(groups, minlength=n_groups)
    ids, ranks = np.zeros(n_groups, dtype=np.int64), np.unique(values, return_inverse=True)[1][order]
    for place in range(int(sizes.max(initial=0))):  # all groups by their first value, the larger ones by the second, …
        larger = np.flatnonzero(sizes > place)
        keys = ids[larger] * (len(values) + 1) + ranks[starts[larger] + place]
        ids[larger] = int(ids.max()) + 1 + np.unique(keys, return_inverse=True)[1]
    return np.unique(ids, return_inverse=True)[1]


def words(flags: np.ndarray) -> np.ndarray:
    """Boolean rows as little-endian 64-bit words.

    >>> words(np.array([[True, True, False], [False, False, True]])).tolist()
    [[3], [4]]
    """
    padded = np.zeros((flags.shape[0], -(-flags.shape[1] // 64) * 64), dtype=bool)
    padded[:, : flags.shape[1]] = flags
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def popcount(packed: np.ndarray) -> np.ndarray:
    """Number of set bits of each packed row.

    >>> popcount(np.array([[5], [0]], dtype=np.uint8)).tolist()
    [2, 0]
    """
    return np.bitwise_count(packed).sum(axis=-1, dtype=np.int64)


def distinct_rows(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions of the first occurrence of each distinct row, and the number of its row for every row.

    >>> first, ids = distinct_rows(np.array([[1, 2], [0, 0], [1, 2]], dtype=np.uint8))
    >>> first.tolist(), ids.tolist()
    ([0, 1], [0, 1, 0])
    """
    if matrix.size == 0:
        return np.zeros(min(len(matrix), 1), dtype=np.int64), np.zeros(len(matrix), dtype=np.int64)
    raw = np.ascontiguousarray(matrix).view(np.uint8)
    padded = np.zeros((len(raw), -(-raw.shape[1] // 8) * 8), dtype=np.uint8)
    padded[:, : raw.shape[1]] = raw
    # eight bytes make one integer, and hashing integers is far faster than sorting byte strings
    words = [pd.factorize(word)[0] for word in padded.view(np.uint64).T]
    ids, count = group_ids(words)
    return first_places(ids, count), ids


def pairs_of_taken(places: np.ndarray, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of pairs (left, right) those whose left part is taken, in the order of ``places`` and numbered by it.

    >>> [part.tolist() for part in pairs_of_taken(np.array([2, 0]), np.array([0, 1, 2]), np.array([7, 8, 9]))]
    [[0, 1], [9, 7]]
    """
    order = np.argsort(left, kind="stable")
    first, last = (np.searchsorted(left[order], places, side) for side in ("left", "right"))
    return np.repeat(np.arange(len(places)), last - first), right[order[in_ranges(first, last)]]


def in_ranges(starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the whole numbers from each start on, before its end, one range after the other.

    >>> in_ranges(np.array([5, 2, 7]), np.array([7, 2, 10])).tolist()
    [5, 6, 7, 8, 9]
    """
    counts = ends - starts
    return np.repeat(ends - np.cumsum(counts), counts) + np.arange(counts.sum())


def grouped_means(values: np.ndarray, groups: np.ndarray, people: np.ndarray | None, k: int) -> np.ndarray:
    """Replace each value by the mean, to nine digits, of k to 2k − 1 adjacent ones in its group; people count once.

    >>> grouped_means(np.array([9.0, 1, 2, 3, 4]), np.array([0, 1, 1, 1, 1]), None, 2).tolist()
    [9.0, 1.5, 1.5, 3.5, 3.5]
    """
    people = np.arange(len(values)) if people is None else pd.factorize(people)[0]
    unit, keys = pd.factorize(groups * np.int64(people.max(initial=0) + 1) + people)
    group = keys // np.int64(people.max(initial=0) + 1)
    rows, total = np.bincount(unit), np.bincount(unit, weights=values)
    order = np.lexsort((total / rows, group))
    sizes = np.bincount(group)
    starts = np.cumsum(sizes) - sizes
    rank = np.arange(len(order)) - starts[group[order]]
    block = np.empty(len(order), dtype=np.int64)
    block[order] = starts[group[order]] + np.minimum(rank // k, np.maximum(sizes[group[order]] // k, 1) - 1)
    mean = np.bincount(block, weights=total) / np.maximum(np.bincount(block, weights=rows), 1)
    short = np.array([float(f"{each:.9g}") for each in mean])  # texts of longer numbers look like identity numbers
    return short[block[unit]]
