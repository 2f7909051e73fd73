"""Sums of a secret bit over subsets of people, published with errors (Dinur and Nissim 2003), and how to undo them.

Least squares, rounded, lose to the best constant guess if the errors are large. A prior prevents that: before any sum
everybody has the bit with the published share, and the known error says how much a sum weighs against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from anonnb.core.wording import short_repr
from anonnb.tables.table import Table

ROUNDS = 8  # of sharpening beliefs: more gain nothing


@dataclass(frozen=True, eq=False)
class NoisySums:
    """Counts of the people with a value among subsets of them, each off by at most an error.

    Parameters
    ----------
    asked:
        Who is in each subset: subsets × people, true or false.
    sums:
        The published count of each subset.
    error:
        By how much a published count may be off, every whole error being equally likely.
    column, value:
        What is counted, for whoever knows the table.

    Examples
    --------
    >>> everybody, two = [True, True, True], [True, True, False]
    >>> NoisySums(np.array([everybody, two]), np.array([1, 1]), 0).beliefs().round(1).tolist()
    [0.5, 0.5, 0.1]
    """

    asked: np.ndarray
    sums: np.ndarray
    error: int
    column: str = ""
    value: Any = None

    def __post_init__(self):
        if self.asked.ndim != 2 or len(self.sums) != len(self.asked) or not self.asked.any():
            raise ValueError(
                f"asked has the shape {self.asked.shape} and there are {len(self.sums)} sums; give a line of flags per "
                "sum, a flag for each person, some of them true"
            )

    @classmethod
    def of(
        cls, table: Table, column: str, value: object, *, subsets: int = 800, error: int = 20, seed: int = 0
    ) -> NoisySums:
        """Publish counts of a value over random subsets of a table, each with a random error of at most ``error``.

        >>> from anonnb import load
        >>> NoisySums.of(load("survey"), "Hypertension", "Y", subsets=3, error=2).error
        2
        """
        has = (table.frame[column] == value).to_numpy()
        if not has.any():
            raise ValueError(f"{column!r} has no value {short_repr(value)}; name one that occurs")
        rng = np.random.default_rng(seed)
        asked = rng.random((subsets, len(table))) < 0.5
        return cls(asked, asked @ has.astype(np.int64) + rng.integers(-error, error + 1, subsets), error, column, value)

    def beliefs(self) -> np.ndarray:
        """Return how likely everybody has the bit, by expectation propagation (Minka 2001).

        What the sums say about a person beside the others is a number with a normal error. With it, Bayes' rule and the
        published share give the belief, and beliefs about the others sharpen what the sums say in the next round. So do
        the limits of the error: a sum says most if what is believed about the others takes it to one of its limits. The
        first round is ridge regression towards the share.
        """
        from scipy.special import expit, logit

        asked, size = self.asked.astype(float), self.asked.sum(axis=1)
        share = float(np.clip(self.sums.sum() / size.sum(), 0.01, 0.99))
        reach = self.error + 0.5  # of a whole number between -error and error
        exact, told = np.full(len(asked), 3 / reach**2), 3 * self.sums / reach**2  # of each sum
        precision, pull = np.full((2, asked.shape[1]), 1 / (share * (1 - share))) * [[1.0], [share]]
        for _ in range(ROUNDS):
            covariance = np.linalg.inv(asked.T * exact @ asked + np.diag(precision))
            mean, spread = covariance @ (asked.T @ told + pull), covariance.diagonal()
            weight = np.maximum(1 / spread - precision, 1e-9)
            seen = (mean / spread - pull) / weight
            belief = expit(logit(share) + weight * (seen - 0.5))
            own = np.maximum(belief * (1 - belief), 1e-4)
            precision = (precision + np.maximum(1 / own - weight, 1e-6)) / 2
            pull = (pull + belief / own - weight * seen) / 2
            spread = ((asked @ covariance) * asked).sum(axis=1)
            others = np.maximum(1 / spread - exact, 1e-9)
            expected = (asked @ mean / spread - told) / others
            mean, spread = _within(expected, 1 / others, self.sums, reach)
            exact = (exact + np.maximum(1 / spread - others, 1e-9)) / 2
            told = (told + mean / spread - expected * others) / 2
        return belief


def _within(mean: np.ndarray, variance: np.ndarray, center: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of normal numbers, given that each is at most ``reach`` from its center.

    >>> [float(part.round(3)[0]) for part in _within(np.zeros(1), np.ones(1), np.ones(1), 1.0)]
    [0.723, 0.251]
    """
    from scipy.special import log_ndtr

    deviation, side = np.sqrt(variance), np.where(center > mean, -1.0, 1.0)  # mirrored: the interval is on the left
    low, high = ((side * (center - mean) + end) / deviation for end in (-reach, reach))
    log_mass = log_ndtr(high) + np.log1p(-np.exp(log_ndtr(low) - log_ndtr(high)))
    left, right = (np.exp(-(end**2) / 2 - log_mass) / np.sqrt(2 * np.pi) for end in (low, high))
    shift = left - right
    part = np.clip(1 + low * left - high * right - shift**2, 1e-6, 1.0)
    return mean + side * deviation * shift, variance * part
