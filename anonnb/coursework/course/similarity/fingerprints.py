"""Fingerprints by winnowing: Schleimer, Wilkerson and Aiken (SIGMOD 2003), on k-grams of tokens.

Idea: hash every run of k tokens; of every window of w hashes the smallest is a fingerprint. So two texts that share a
run of w + k − 1 tokens always share a fingerprint, and only about 2 of w + 1 hashes are kept. Reading chosen: runs that
the starter has, and runs across the border of two cells, are left out before choosing, so that they hide nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from anonnb.coursework.course.similarity.tokens import BORDER

K = 10  # tokens: shorter runs are alike in any two programs
WINDOW = 5
LEAST_RUN = K + WINDOW - 1  # shared tokens that are always found
_NONE = np.uint64(2**64 - 1)


def hashes(tokens: Sequence[str], k: int = K) -> np.ndarray:
    """A hash for every run of ``k`` tokens, the same in every process; a mark for runs across a border."""
    if len(tokens) < k:
        return np.zeros(0, np.uint64)
    codes = np.array([zlib.crc32(token.encode("utf-8", "replace")) for token in tokens], np.uint64)
    powers = np.array([pow(0x9E3779B97F4A7C15, place, 2**64) for place in range(k)], np.uint64)
    found = _mixed((sliding_window_view(codes, k) * powers).sum(axis=1, dtype=np.uint64))
    across = sliding_window_view(np.array([token == BORDER for token in tokens]), k).any(axis=1)
    return np.where(across, _NONE, found)


def _mixed(values: np.ndarray) -> np.ndarray:
    """Sums of products have weak low bits; this spreads them (splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def own_hashes(tokens: Sequence[str], starter: np.ndarray, k: int = K) -> np.ndarray:
    """The hashes of a submission, with a mark in place of those that the starter has."""
    found = hashes(tokens, k)
    return np.where(np.isin(found, starter), _NONE, found)


def is_own(values: np.ndarray) -> np.ndarray:
    return values != _NONE


def winnowed(values: np.ndarray, window: int = WINDOW) -> np.ndarray:
    """The fingerprints among hashes, each once, in order of their values.

    >>> winnowed(np.array([5, 3, 9, 1, 7, 8], np.uint64), 3).tolist()
    [1, 3]
    """
    if not len(values):
        return values
    chosen = sliding_window_view(values, min(window, len(values))).min(axis=1)
    return np.unique(chosen[is_own(chosen)])
