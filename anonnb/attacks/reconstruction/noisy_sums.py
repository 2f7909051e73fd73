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

ROUNDS = 3  # of sharpening beliefs: more gain nothing


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
    >>> NoisySums(np.array([everybody, two]), np.array([1, 1]), 0).beliefs().round(2).tolist()
    [0.5, 0.5, 0.0]
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
        published share give the belief, and beliefs about the others sharpen what the sums say in the next round. The
        first round is ridge regression towards the share.
        """
        from scipy.special import expit, logit

        asked, size = self.asked.astype(float), self.asked.sum(axis=1)
        share = float(np.clip(self.sums.sum() / size.sum(), 0.01, 0.99))
        variance = max(self.error * (self.error + 1) / 3, 0.01)  # of a whole number between -error and error
        known, told = asked.T @ asked / variance, asked.T @ self.sums / variance
        precision, pull = np.full((2, asked.shape[1]), 1 / (share * (1 - share))) * [[1.0], [share]]
        for _ in range(ROUNDS):
            covariance = np.linalg.inv(known + np.diag(precision))
            spread = covariance.diagonal()
            weight = np.maximum(1 / spread - precision, 1e-9)
            seen = (covariance @ (told + pull) / spread - pull) / weight
            belief = expit(logit(share) + weight * (seen - 0.5))
            own = np.maximum(belief * (1 - belief), 1e-4)
            precision = (precision + np.maximum(1 / own - weight, 1e-6)) / 2
            pull = (pull + belief / own - weight * seen) / 2
        return belief
