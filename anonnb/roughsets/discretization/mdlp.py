"""MDLP (Fayyad and Irani 1993): cut where the classes part, as long as a shorter message pays for the cut.

Idea: the cut with the least class entropy divides a column; it stays if its gain exceeds what it costs to write it
down, (log2(N-1) + log2(3^k - 2) - (k Ent - k1 Ent1 - k2 Ent2)) / N; then both sides are cut in the same way. Reading
chosen: cuts lie halfway between neighbouring values, of equally good ones the lowest is taken, rows without a value
or a class take no part.
"""

from __future__ import annotations

import numpy as np

from anonnb.roughsets.discretization.cuts import CutPoints, NumericColumn

SAME = 1e-12  # entropies that differ by less are equal


def mdlp(column: NumericColumn, classes: np.ndarray, n_classes: int) -> CutPoints:
    """The cuts that the minimum description length principle accepts.

    ``classes`` has the number of every row's class.

    >>> from anonnb import load
    >>> iris = load("iris")
    >>> mdlp(NumericColumn.of(iris, "petal_length"), iris.codes("class"), 3).points
    (2.45, 4.75)
    """
    known = column.places >= 0
    counts = np.zeros((len(column.values), n_classes), dtype=np.int64)
    np.add.at(counts, (column.places[known], classes[known]), 1)
    below = np.vstack([np.zeros((1, n_classes), dtype=np.int64), np.cumsum(counts, axis=0)])
    accepted: list[tuple[int, float]] = []
    waiting = [(0, len(counts))]
    while waiting:
        first, last = waiting.pop()
        found = best_cut(below, first, last)
        if found is None or found.gain <= found.cost:
            continue
        accepted.append((found.place, found.gain * found.rows))
        waiting += [(found.place, last), (first, found.place)]
    return column.cuts([place for place, _ in accepted], [weight for _, weight in accepted])


class BestCut:
    """The cut with the least entropy within a run of values: its place, its gain in bits per row and its cost."""

    def __init__(self, place: int, left: np.ndarray, right: np.ndarray):
        self.place, self.left, self.right = place, left, right
        whole = left + right
        self.rows = int(whole.sum())
        parts = np.array([left.sum(), right.sum()]) / self.rows
        entropies = np.array([entropy(left), entropy(right)])
        self.gain = float(entropy(whole) - parts @ entropies)
        kinds, kinds_of_parts = np.count_nonzero(whole), np.count_nonzero([left, right], axis=1)
        delta = np.log2(3.0**kinds - 2) - (kinds * entropy(whole) - kinds_of_parts @ entropies)
        self.cost = float(np.log2(self.rows - 1) + delta) / self.rows


def best_cut(below: np.ndarray, first: int, last: int) -> BestCut | None:
    """The best cut of the values ``first`` to ``last - 1``, given how many rows of each class lie below each value."""
    if last - first < 2:
        return None
    left = below[first + 1 : last] - below[first]
    right = below[last] - below[first + 1 : last]
    mixed = left.sum(axis=1) * entropy(left) + right.sum(axis=1) * entropy(right)
    at = int(np.argmax(mixed <= mixed.min() + SAME * below[-1].sum()))
    return BestCut(first + 1 + at, left[at], right[at])


def entropy(counts: np.ndarray) -> np.ndarray:
    """Entropy in bits of distributions given as counts along the last axis.

    >>> entropy(np.array([[2, 2], [4, 0]])).tolist()
    [1.0, 0.0]
    """
    shares = counts / counts.sum(axis=-1, keepdims=True)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return 0.0 - (shares * logs).sum(axis=-1)
