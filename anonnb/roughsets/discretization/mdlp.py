"""MDLP (Fayyad and Irani 1993): cut where classes change, as long as the shorter description pays for the cut.

Idea: the cut with the least class entropy divides a column; it is kept if its gain exceeds the cost of describing it,
(log2(N-1) + log2(3^k - 2) - (k Ent - k1 Ent1 - k2 Ent2)) / N; then both sides are cut in the same way. Reading
chosen: cuts lie halfway between neighbouring values, ties go to the lowest, rows without a value or a class are
ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb import steps
from anonnb.roughsets.discretization.cuts import CutPoints, NumericColumn
from anonnb.tables.labels import text

SAME = 1e-12  # entropies that differ by less are equal


def mdlp(column: NumericColumn, classes: np.ndarray, names: Sequence[str]) -> CutPoints:
    """Return the cuts that the minimum description length principle accepts.

    ``classes`` has the number of every row's class, ``names`` what the classes are called.

    >>> from anonnb import load
    >>> iris = load("iris")
    >>> mdlp(NumericColumn.of(iris, "petal_length"), iris.codes("class"), iris.attributes["class"].labels).points
    (2.45, 4.75)
    """
    known = column.places >= 0
    counts = np.zeros((len(column.values), len(names)), dtype=np.int64)
    np.add.at(counts, (column.places[known], classes[known]), 1)
    below = np.vstack([np.zeros((1, len(names)), dtype=np.int64), np.cumsum(counts, axis=0)])
    accepted: list[BestCut] = []
    stack = [(0, len(counts))]
    while stack:
        first, last = stack.pop()
        best = best_cut(below, first, last)
        if best is None:
            continue
        if best.pays:
            accepted.append(best)
            stack += [(best.place, last), (first, best.place)]
        if steps.listening():
            _record_step(column, names, below, (first, last), best, accepted)
    return column.cuts([cut.place for cut in accepted], [cut.gain * cut.rows for cut in accepted])


class BestCut:
    """Cut with the least entropy within a range of values: its position, its gain in bits per row and its cost."""

    def __init__(self, position: int, left: np.ndarray, right: np.ndarray):
        self.place, self.left, self.right = position, left, right
        whole = left + right
        self.rows = int(whole.sum())
        parts = np.array([left.sum(), right.sum()]) / self.rows
        entropies = np.array([entropy(left), entropy(right)])
        self.gain = float(entropy(whole) - parts @ entropies)
        kinds, kinds_of_parts = np.count_nonzero(whole), np.count_nonzero([left, right], axis=1)
        delta = np.log2(3.0**kinds - 2) - (kinds * entropy(whole) - kinds_of_parts @ entropies)
        self.cost = float(np.log2(self.rows - 1) + delta) / self.rows

    @property
    def pays(self) -> bool:
        """Whether the cut saves more than it costs to describe."""
        return self.gain > self.cost


def best_cut(below: np.ndarray, first: int, last: int) -> BestCut | None:
    """Return the best cut of the values ``first`` to ``last - 1``, from the rows of each class below each value."""
    if last - first < 2:
        return None
    mixed = entropies_of_cuts(below, first, last)
    position = first + 1 + int(np.argmax(mixed <= mixed.min() + SAME))
    return BestCut(position, below[position] - below[first], below[last] - below[position])


def entropies_of_cuts(below: np.ndarray, first: int, last: int) -> np.ndarray:
    """Return the mean entropy, per row, that every possible cut of the values ``first`` to ``last - 1`` leaves."""
    left = below[first + 1 : last] - below[first]
    right = below[last] - below[first + 1 : last]
    mixed = left.sum(axis=1) * entropy(left) + right.sum(axis=1) * entropy(right)
    return mixed / (left[0] + right[0]).sum()


def entropy(counts: np.ndarray) -> np.ndarray:
    """Return the entropy in bits of distributions given as counts along the last axis.

    >>> entropy(np.array([[2, 2], [4, 0]])).tolist()
    [1.0, 0.0]
    """
    shares = counts / counts.sum(axis=-1, keepdims=True)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return 0.0 - (shares * logs).sum(axis=-1)


def _record_step(
    column: NumericColumn,
    names: Sequence[str],
    below: np.ndarray,
    run: tuple[int, int],
    candidate: BestCut,
    accepted: list[BestCut],
) -> None:
    """Record a step: the possible cuts of a range of values, the best of them, and whether it is kept."""
    first, last = run
    points = [column.point(position) for position in range(first + 1, last)]
    best = column.point(candidate.place)
    verdict = "so the cut stays" if candidate.pays else "so the cut is not made"
    steps.note(
        f"{'Cut' if candidate.pays else 'Do not cut'} {column.name} at {text(best)}",
        f"The best cut of these {candidate.rows} rows saves {candidate.gain:.3f} bits per row and costs "
        f"{candidate.cost:.3f}, {verdict}.",
        lambda: _intervals(column, names, below, [cut.place for cut in accepted]),
        lambda: pd.DataFrame({"entropy": entropies_of_cuts(below, first, last)}, index=pd.Index(points, name="cut")),
        [best] if candidate.pays else [],
    )


def _intervals(column: NumericColumn, names: Sequence[str], below: np.ndarray, positions: list[int]) -> pd.DataFrame:
    """Count the rows of each class in each interval."""
    ends = [0, *sorted(positions), len(below) - 1]
    labels = column.cuts(positions, [1.0] * len(positions)).labels
    return pd.DataFrame(np.diff(below[ends], axis=0), index=pd.Index(labels, name=column.name), columns=list(names))
