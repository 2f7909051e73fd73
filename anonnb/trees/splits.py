"""Splits of a tree node: every candidate of an attribute is scored from counts, and only the partition breaks ties.

A split is a map from codes to branches. Scores depend only on which rows go where, never on the values or the order of
the rows, so a table that is recoded without moving a row across a split yields the same tree, sorted or not. Scores
that agree to nine digits are ties: the earlier attribute wins, then the lower cut; for subsets, then the larger side
with the name that sorts first, then the names on it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import text

MAX_SUBSET_VALUES = 10  # beyond it, subsets are searched along the order of the mean response


@dataclass(frozen=True, eq=False)
class Split:
    """Test of one attribute.

    Parameters
    ----------
    branch:
        For each code, the child to which a row goes.
    score:
        The impurity that the split removes, per row of the training table.
    seen:
        The codes that the node's rows have.
    cut:
        The threshold, for ordered attributes.
    larger:
        The branch with the most rows, to which codes not seen go.

    Examples
    --------
    >>> from anonnb import load
    >>> sex = load("survey").attributes["Sex"]
    >>> split = Split(sex, np.array([0, 1]), score=0.1, seen=np.array([0, 1]))
    >>> split.labels(), split.branches_of(sex).tolist()
    (['Sex = F', 'Sex = M'], [0, 1])
    """

    attribute: Attribute
    branch: np.ndarray
    score: float
    seen: np.ndarray
    cut: float | None = None
    larger: int = 0

    @property
    def n_branches(self) -> int:
        return int(self.branch.max()) + 1

    def labels(self) -> list[str]:
        """Return the condition of each branch as text."""
        name = self.attribute.name
        if self.cut is not None:
            if not math.isfinite(self.cut):
                return [f"{name} is known", f"{name} is missing"]
            if self.attribute.kind == "numeric" and self.attribute.is_number:
                return [f"{name} ≤ {text(round(self.cut, 10))}", f"{name} > {text(round(self.cut, 10))}"]
            last = int(np.flatnonzero(self.branch == 0)[-1])
            return [f"{name} ≤ {self.attribute.labels[last]}", f"{name} > {self.attribute.labels[last]}"]
        names = [
            [self.attribute.labels[code] for code in self.seen[self.branch[self.seen] == number]]
            for number in range(self.n_branches)
        ]
        return [f"{name} = {' or '.join(labels)}" for labels in names]

    def branches_of(self, other: Attribute) -> np.ndarray:
        """Return the branch of each code of another domain of the same attribute.

        Parameters
        ----------
        other:
            The attribute in another table; values not seen in training go where most rows went.
        """
        if other is self.attribute:
            return self.branch
        if self.cut is not None and self.attribute.kind == "numeric":
            numbers = other.numbers
            if self.attribute.is_number:
                return np.where(np.isnan(numbers), 1, numbers > self.cut).astype(np.int64)
        codes = other.recode_to(self.attribute)
        return np.where(codes >= 0, self.branch[codes], self.larger)


# ---- impurities: from a (… × classes) array of counts, or (rows, sum, sum of squares) for regression


def entropy(counts: np.ndarray) -> np.ndarray:
    """Return rows × entropy in bits: Σ n log n − Σ nᵢ log nᵢ, exactly zero for a pure node.

    >>> entropy(np.array([[2, 2], [4, 0]])).tolist()
    [4.0, 0.0]
    """
    total = counts.sum(axis=-1)
    return n_log_n(total) - n_log_n(counts).sum(axis=-1)


def gini(counts: np.ndarray) -> np.ndarray:
    """Return rows × Gini impurity: n − Σ nᵢ²/n.

    >>> gini(np.array([[2, 2], [4, 0]])).tolist()
    [2.0, 0.0]
    """
    total = counts.sum(axis=-1)
    squares = (counts * counts).sum(axis=-1)
    return total - np.divide(squares, total, out=np.zeros(total.shape), where=total > 0)


def variance(moments: np.ndarray) -> np.ndarray:
    """Return rows × variance, from (rows, sum, sum of squares): Σy² − (Σy)²/n."""
    n, total, squares = moments[..., 0], moments[..., 1], moments[..., 2]
    return squares - np.divide(total * total, n, out=np.zeros(n.shape), where=n > 0)


def n_log_n(n: np.ndarray) -> np.ndarray:
    """Return n log n in bits, 0 for 0."""
    n = np.asarray(n, dtype=float)
    return n * np.log2(np.maximum(n, 1))


IMPURITIES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "entropy": entropy,
    "gain_ratio": entropy,
    "gini": gini,
    "variance": variance,
}


class Scorer:
    """Score candidate partitions of one node: the impurity they remove, per row of the whole training table.

    ``logs`` may hold n log n of every count that there can be: looking them up is quicker.
    """

    def __init__(self, criterion: str, whole: np.ndarray, rows: int, min_leaf: int, logs: np.ndarray | None = None):
        self.criterion, self.whole, self.rows, self.min_leaf = criterion, whole, rows, min_leaf
        self._n_log_n = n_log_n if logs is None else logs.take
        self.impurity = self._entropy if IMPURITIES[criterion] is entropy else IMPURITIES[criterion]
        self.before = float(self.impurity(whole))

    def _entropy(self, counts: np.ndarray, sizes: np.ndarray | None = None) -> np.ndarray:
        """Return the entropy of cells; ``sizes`` are their rows, if these are known."""
        sizes = counts.sum(axis=-1) if sizes is None else sizes
        return self._n_log_n(sizes) - self._n_log_n(counts).sum(axis=-1)

    def size(self, stats: np.ndarray) -> np.ndarray:
        """Return the rows of each cell of statistics."""
        return stats[..., 0] if self.criterion == "variance" else stats.sum(axis=-1)

    def score(self, parts: np.ndarray) -> np.ndarray:
        """Return scores of candidates × branches × statistics; -inf if a branch is too small."""
        sizes = self.size(parts)
        left = self._entropy(parts, sizes) if self.impurity == self._entropy else self.impurity(parts)
        gain = (self.before - left.sum(axis=-1)) / self.rows
        if self.criterion == "gain_ratio":
            info = (self._n_log_n(sizes.sum(axis=-1)) - self._n_log_n(sizes).sum(axis=-1)) / self.rows
            gain = np.divide(gain, info, out=np.full(gain.shape, -np.inf), where=info > 0)
        return np.where((sizes >= self.min_leaf).all(axis=-1), gain, -np.inf)

    def score_two(self, left: np.ndarray) -> np.ndarray:
        """Score candidates that divide the node in two; ``left`` holds the statistics of the first branch."""
        parts = np.empty((left.shape[1], 2, len(left)), left.dtype)  # candidates last: numpy adds long runs quickly
        parts[:, 0] = left.T
        np.subtract(self.whole[:, None], left.T, out=parts[:, 1])
        return self.score(parts.T)


def is_better(score: float, best: float) -> bool:
    """Tell whether a score is better by more than rounding."""
    return score > best + 1e-9 * max(abs(score), abs(best), 1e-300) if math.isfinite(best) else score > best


def first_best(scores: np.ndarray) -> int:
    """Return the first of the best scores, up to rounding."""
    top = scores.max()
    return int(np.argmax(scores >= top - 1e-9 * abs(top))) if math.isfinite(top) else int(np.argmax(scores))


# ---- candidates of one attribute -----------------------------------------------------------------------------


def best_cut(attribute: Attribute, seen: np.ndarray, stats: np.ndarray, scorer: Scorer) -> Split | None:
    """Return the best cut of an ordered attribute; ``stats`` holds the statistics of each code ``seen``."""
    if len(seen) < 2:
        return None
    left = np.cumsum(stats, axis=0)[:-1]
    scores = scorer.score_two(left)
    position = first_best(scores)
    return cut_after(attribute, seen, position, left[position], float(scores[position]), scorer)


def cut_after(
    attribute: Attribute, seen: np.ndarray, position: int, left: np.ndarray, score: float, scorer: Scorer
) -> Split | None:
    """Return the cut behind a position among the codes seen, with the statistics of its left side and its score."""
    if not math.isfinite(score):
        return None
    last, following = seen[position], seen[position + 1]
    numbers = attribute.numbers
    cut = np.inf if following == attribute.missing_code else numbers[last] / 2 + numbers[following] / 2
    branch = np.ones(attribute.size, dtype=np.int64)
    branch[: last + 1] = 0
    if following > last + 1 and attribute.kind == "numeric" and attribute.is_number:
        branch[last + 1 : following] = numbers[last + 1 : following] > cut  # numbers that no row has: by the cut
    larger = int(2 * scorer.size(left) < scorer.size(scorer.whole))
    return Split(attribute, branch, score, seen, float(cut), larger)


class ScoredCuts:
    """Every cut of every ordered attribute of a node, scored at once.

    ``stats`` holds the class counts of the values that the node has, attribute after attribute, and ``begins`` where
    those of each attribute begin. ``scores`` has the best of each attribute; -inf where there is none.
    """

    def __init__(self, stats: np.ndarray, begins: np.ndarray, scorer: Scorer):
        self._begins, self._ends, self._scorer = begins, np.empty_like(begins), scorer
        self._ends[:-1], self._ends[-1] = begins[1:], len(stats)
        # every row has one value of each attribute, so all attributes before it hold the whole node each
        before = np.repeat(np.arange(len(begins)), self._ends - begins)
        self._left = (np.cumsum(stats.T, axis=1) - scorer.whole[:, None] * before).T
        self._scores = scorer.score_two(self._left)
        self._scores[self._ends - 1] = -np.inf  # behind its last value an attribute has no cut
        self.scores = np.maximum.reduceat(self._scores, begins)

    def best(self, number: int, attribute: Attribute, seen: np.ndarray) -> Split | None:
        """Return the best cut of the attribute with a number, of which the node has the codes ``seen``."""
        begin, end = self._begins[number], self._ends[number]
        position = first_best(self._scores[begin:end])
        score = float(self._scores[begin + position])
        return cut_after(attribute, seen, position, self._left[begin + position], score, self._scorer)


def best_subset(
    attribute: Attribute, seen: np.ndarray, stats: np.ndarray, scorer: Scorer, ranks: np.ndarray
) -> Split | None:
    """Return the best two-way split of nominal values; ``ranks`` is each code's position among the sorted names."""
    if len(seen) < 2:
        return None
    ranks_seen = ranks[seen]
    lead = int(ranks_seen.argmin())  # the name that sorts first is always on the left
    subsets = (AllSubsets if len(seen) <= MAX_SUBSET_VALUES else OrderedSubsets)(stats, scorer, lead)
    scores = scorer.score_two(subsets.stats)
    top = scores.max()
    if not np.isfinite(top):
        return None
    tied = np.flatnonzero(scores >= top - 1e-9 * abs(top))
    best = tied[0]
    if len(tied) > 1:
        sizes = scorer.size(subsets.stats)
        best = min(tied.tolist(), key=lambda number: (-sizes[number], tuple(np.sort(ranks_seen[subsets.mask(number)]))))
    larger = int(2 * scorer.size(subsets.stats[best]) < scorer.size(scorer.whole))
    branch = np.full(attribute.size, larger, dtype=np.int64)
    branch[seen] = ~subsets.mask(best)
    return Split(attribute, branch, float(scores[best]), seen, larger=larger)


def best_multiway(attribute: Attribute, seen: np.ndarray, stats: np.ndarray, scorer: Scorer) -> Split | None:
    """Return the split with one branch per value of a nominal attribute."""
    if len(seen) < 2:
        return None
    score = float(scorer.score(stats[None])[0])
    if not np.isfinite(score):
        return None
    larger = int(scorer.size(stats).argmax())
    branch = np.full(attribute.size, larger, dtype=np.int64)
    branch[seen] = np.arange(len(seen))
    return Split(attribute, branch, score, seen, larger=larger)


def name_ranks(attribute: Attribute) -> np.ndarray:
    """Return the position of each code among the sorted names: the same for anyone who reads the values from a file."""
    ranks = np.empty(attribute.size, dtype=np.int64)
    ranks[np.argsort(np.array(attribute.labels, dtype=object), kind="stable")] = np.arange(attribute.size)
    return ranks


class AllSubsets:
    """Every subset of a node's values that has the leading one, but not all: ``stats`` has a row for each."""

    def __init__(self, stats: np.ndarray, scorer: Scorer, lead: int):
        self._masks, numbers = _all_masks(len(stats), lead)
        # in floating point, which BLAS multiplies; counts stay whole numbers
        self.stats = (numbers @ stats.astype(float)).astype(stats.dtype, copy=False)

    def mask(self, number: int) -> np.ndarray:
        """Return which values a subset has."""
        return self._masks[number]


@cache
def _all_masks(count: int, lead: int) -> tuple[np.ndarray, np.ndarray]:
    """Return every subset with the leading value except the whole, as flags and as numbers."""
    masks = np.array(list(itertools.product((False, True), repeat=count)), dtype=bool)
    masks = masks[masks[:, lead] & ~masks.all(axis=1)]
    return masks, masks.astype(float)


class OrderedSubsets:
    """Subsets along the order of the mean response: ``stats`` has a row for each, of the side that leads.

    For two classes and for regression the best of all subsets is among them (Breiman et al. 1984); for more classes
    there is an order for each. Where all values have the same mean, the leading value stands against the others.
    """

    def __init__(self, stats: np.ndarray, scorer: Scorer, lead: int):
        self._lead, sizes = lead, scorer.size(stats)
        total, along = stats.sum(axis=0), self._along
        if scorer.criterion == "variance":
            means = [stats[:, 1] / sizes]
        else:
            classes = range(1, 2) if stats.shape[1] == 2 else range(stats.shape[1])
            means = [stats[:, number] / sizes for number in classes if total[number]]
            if (stats == np.rint(stats)).all():  # sums of whole numbers are the same in any order
                along = partial(self._along_few, total=total)
        stats_found = [along(mean, stats, scorer.whole) for mean in means]
        if not any(len(parts) for *_, parts in stats_found):
            stats_found = [self._along(np.arange(len(stats)) != lead, stats, scorer.whole)]
        self._orders = [(mean, levels) for mean, levels, _ in stats_found]
        self.stats = np.concatenate([parts for *_, parts in stats_found])

    def _along(
        self, mean: np.ndarray, stats: np.ndarray, whole: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return means, levels at which to divide, and the statistics of the side with the leading value."""
        order = np.argsort(mean, kind="stable")
        ordered = mean[order]
        ends = np.flatnonzero(ordered[:-1] < ordered[1:])
        left = np.cumsum(stats[order], axis=0)[ends]
        levels = ordered[ends]
        return mean, levels, np.where((mean[self._lead] <= levels)[:, None], left, whole - left)

    def _along_few(
        self, mean: np.ndarray, stats: np.ndarray, whole: np.ndarray, total: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Do the same for counts, adding up only those with a mean above 0: of many classes each has few."""
        nonzero = np.flatnonzero(mean)
        order = nonzero[np.argsort(mean[nonzero], kind="stable")]
        zero = int(len(nonzero) < len(mean))  # a level of its own, below the others
        ordered = np.concatenate([np.zeros(zero), mean[order]])
        ends = np.flatnonzero(ordered[:-1] < ordered[1:])
        above = np.cumsum(stats[order[::-1]], axis=0)[::-1]
        left, levels = total - above[ends + 1 - zero], ordered[ends]
        return mean, levels, np.where((mean[self._lead] <= levels)[:, None], left, whole - left)

    def mask(self, number: int) -> np.ndarray:
        """Return which values a subset has."""
        for mean, levels in self._orders:
            if number < len(levels):
                below = mean <= levels[number]
                return below if below[self._lead] else ~below
            number -= len(levels)
        raise IndexError(number)
