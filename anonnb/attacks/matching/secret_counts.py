"""How often each value of a secret occurs among the candidates: a line per selection of rows, without its zeros."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np


class SecretCounts:
    """Counts of values (lines × values, a sparse array); many cases may share a line.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> counts = SecretCounts(csr_array([[2.0, 0, 3], [0, 0, 0], [0, 1, 0]]))
    >>> [part.tolist() for part in counts.left()], counts.shares.tolist()
    ([[2, 0, 1], [0, 0, 1]], [0.4, 0.6, 1.0])
    >>> [part.tolist() for part in counts.largest(counts.shares)]
    [[2, 0, 1], [0.6, 0.0, 1.0]]
    """

    def __init__(self, counts: Any):
        counts.sort_indices()
        self.matrix, self.values = counts, counts.indices
        self._starts, self._sizes = counts.indptr[:-1], np.diff(counts.indptr)

    def left(self) -> tuple[np.ndarray, np.ndarray]:
        """For each line the number of its values, and the first of them (0 where there is none)."""
        return self._sizes.astype(np.int64), self._of_lines(self.values[self._starts[self._some]])

    @cached_property
    def shares(self) -> np.ndarray:
        """For each count, line by line, its share of the line."""
        return self.matrix.data / np.repeat(self.matrix.sum(axis=1), self._sizes)

    def likeliest(self, shares: np.ndarray, tie: float = 1e-12) -> tuple[np.ndarray, np.ndarray]:
        """For each line the most frequent value and its share; -1 and 0 where there is none.

        Of equally frequent ones that with the largest of ``shares`` (a number per value) counts, then the first.
        """
        _, best = self.largest(self.shares)
        tied = self.shares >= np.repeat(best, self._sizes) - tie
        value, _ = self.largest(np.where(tied, 1.0 + shares[self.values], 0.0))
        return np.where(self._sizes > 0, value, -1), best

    def largest(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each line the value with the highest score, of equal ones the first, and that score (0 where none is).

        ``scores`` has a number of at least 0 for each count.
        """
        starts = self._starts[self._some]
        if not len(starts):
            return self._of_lines(starts), self._of_lines(np.zeros(0))
        best = np.maximum.reduceat(scores, starts)
        places = np.where(scores == np.repeat(best, self._sizes[self._some]), np.arange(len(scores)), len(scores))
        return self._of_lines(self.values[np.minimum.reduceat(places, starts)]), self._of_lines(best)

    @cached_property
    def _some(self) -> np.ndarray:
        """The lines with a value."""
        return np.flatnonzero(self._sizes)

    def _of_lines(self, found: np.ndarray) -> np.ndarray:
        """Numbers of the lines with a value as numbers of all lines, 0 for the others."""
        every = np.zeros(len(self._sizes), dtype=np.result_type(found, np.int64))
        every[self._some] = found
        return every


def in_shares(counts: Any) -> Any:
    """Return each line of a sparse array (lines × values) divided by its sum.

    >>> from scipy.sparse import csr_array
    >>> in_shares(csr_array([[1.0, 3, 0], [0, 0, 0]])).toarray().tolist()
    [[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]]
    """
    counts = counts.copy()
    counts.data /= np.repeat(np.maximum(counts.sum(axis=1), 1e-300), np.diff(counts.indptr))
    return counts


def likeliest(weights: Any, shares: np.ndarray, tie: float = 1e-12) -> tuple[np.ndarray, np.ndarray]:
    """Return for each line of weights (lines × values, sparse or not) the likeliest value, and how likely it is.

    Of values whose shares differ by at most ``tie``, the one with the largest of ``shares`` counts, then the first. A
    line without any weight has the value with the largest share; -1 and 0 if no value has a share.

    >>> [part.tolist() for part in likeliest(np.array([[1.0, 1, 2], [2, 2, 0], [0, 0, 0]]), np.array([0.2, 0.5, 0.3]))]
    [[2, 1, 1], [0.5, 0.5, 0.5]]
    """
    from scipy.sparse import csr_array

    weights = csr_array(weights)
    weights.eliminate_zeros()
    value, share = SecretCounts(weights).likeliest(shares, tie)
    if len(shares) and shares.max() > 0:
        silent = value < 0
        value[silent], share[silent] = shares.argmax(), shares.max() / shares.sum()
    return value, share
