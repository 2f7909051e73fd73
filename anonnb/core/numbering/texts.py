"""Numbering of the texts of a column straight from the memory in which Arrow keeps them: no Python object per cell."""

import sys

import numpy as np
import pandas as pd

WORTH = 100_000  # rows from which on the loop is worth compiling: 0.4 s once, for a millisecond saved in each column
FEW = 12  # bits of a table for columns with few different texts: it stays in the fastest memory


def is_in_arrow(series: pd.Series) -> bool:
    """Return whether a column holds many texts in Arrow's memory, as pandas has them from version 3 on.

    >>> is_in_arrow(pd.Series([1, 2]))
    False
    """
    dtype = series.dtype
    in_arrow = isinstance(dtype, pd.StringDtype) and dtype.storage == "pyarrow"
    return in_arrow and len(series) >= WORTH and sys.byteorder == "little"


def encode_texts(series: pd.Series) -> tuple[np.ndarray, pd.Index]:
    """Return the code of each text, -1 if it is missing, and the different texts in order.

    >>> codes, domain = encode_texts(pd.Series(["b", None, "a", "b"], dtype="string[pyarrow]"))
    >>> codes.tolist(), domain.tolist()
    ([1, -1, 0, 1], ['a', 'b'])
    """
    from anonnb.core.numbering._hashing import renumber

    codes, first = _numbered_texts(series)
    distinct = series.array.take(first)
    order = distinct.argsort()
    rank = np.empty(len(order) + 1, dtype=np.int32)
    rank[order], rank[-1] = np.arange(len(order)), -1
    renumber(codes, rank)
    return codes, pd.Index(distinct.take(order))


def _numbered_texts(series: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Number the texts in order of first appearance, -1 if missing; also return the row where each is first."""
    from anonnb.core.numbering._hashing import number_texts

    words, offsets, absent = _memory_of(series)
    ids, bits = np.empty(len(series), dtype=np.int32), FEW
    while True:
        limit = min(len(series), 1 << (bits - 1))
        first, heads, tails = np.empty(limit, np.int64), np.empty(limit, np.uint64), np.empty(limit, np.uint64)
        slots = np.full(1 << bits, -1, dtype=np.int32)
        count = number_texts(words, offsets, absent, slots, bits, first, heads, tails, ids)
        if count >= 0:
            return ids, first[:count]
        bits = len(series).bit_length() + 1


def _memory_of(series: pd.Series) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the bytes of all texts as 64-bit words, where each begins and ends, and which are missing."""
    texts = series.array.__arrow_array__().combine_chunks()
    _, ends, data = texts.buffers()
    wide = np.int64 if "large" in str(texts.type) else np.int32
    offsets = np.frombuffer(ends, wide)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64, copy=False)
    begin, size = int(offsets[0]), int(offsets[-1] - offsets[0])
    words = np.zeros(size // 8 + 2, dtype=np.uint64)
    if size:
        words.view(np.uint8)[:size] = np.frombuffer(data, np.uint8)[begin : begin + size]
    absent = texts.is_null().to_numpy(zero_copy_only=False) if texts.null_count else np.zeros(0, dtype=bool)
    return words, offsets - begin if begin else offsets, absent
