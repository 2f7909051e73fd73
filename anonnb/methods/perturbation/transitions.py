"""Transition matrices of PRAM, row by row: n values cost n × n numbers only where somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Matrix:
    """A matrix that somebody gave."""

    matrix: np.ndarray

    def row(self, code: int) -> np.ndarray:
        """The chances of each value to be published in place of this one."""
        return self.matrix[code]

    @property
    def diagonal(self) -> np.ndarray:
        """The chance of each value to stay as it is."""
        return self.matrix.diagonal()

    @property
    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """For each published value the largest and the smallest chance, over all true ones."""
        return self.matrix.max(axis=0), self.matrix.min(axis=0)


@dataclass(frozen=True)
class Mixture:
    """Keep the value with probability ``keep``, else draw from ``others``: keep·I + 1·othersᵀ."""

    keep: float
    others: np.ndarray  # they sum to 1 - keep

    def row(self, code: int) -> np.ndarray:
        """The chances of each value to be published in place of this one."""
        chances = self.others.copy()
        chances[code] += self.keep
        return chances

    @property
    def diagonal(self) -> np.ndarray:
        """The chance of each value to stay as it is."""
        return self.keep + self.others

    @property
    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """For each published value the largest and the smallest chance, over all true ones."""
        return self.diagonal, self.others if len(self.others) > 1 else self.diagonal


def drawn(transition: Matrix | Mixture, codes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A value for each row, drawn with the chances that its own value has.

    >>> drawn(Mixture(1.0, np.zeros(3)), np.array([2, 0]), np.random.default_rng(0)).tolist()
    [2, 0]
    """
    place, chance = np.empty(len(codes), dtype=np.int64), rng.random(len(codes))
    order = np.argsort(codes, kind="stable")
    for mine in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        if len(mine):
            edges = np.cumsum(transition.row(codes[mine[0]]))
            edges[-1] = 1.0  # rounding must not leave a gap at the end
            place[mine] = np.searchsorted(edges, chance[mine], side="right")
    return place


def factor(transition: Matrix | Mixture) -> float:
    """How many times as likely a published value may be for one true value as for another.

    >>> factor(Matrix(np.array([[0.9, 0.1], [0.2, 0.8]]))), factor(Matrix(np.eye(2)))
    (8.0, inf)
    """
    high, low = transition.extremes
    used = high > 0  # a value that is never published reveals nothing
    return float(np.divide(high, low, out=np.full(len(high), np.inf), where=low > 0)[used].max(initial=1.0))


class Frames(Mapping):
    """Transition matrices by column, each made into a frame when it is asked for."""

    def __init__(self, transitions: Mapping[str, Matrix | Mixture], labels: Mapping[str, Sequence[str]]):
        self._transitions, self._labels = dict(transitions), dict(labels)

    def __getitem__(self, name: str) -> pd.DataFrame:
        transition, labels = self._transitions[name], self._labels[name]
        return pd.DataFrame([transition.row(code) for code in range(len(labels))], index=labels, columns=labels)

    def __iter__(self) -> Iterator[str]:
        return iter(self._transitions)

    def __len__(self) -> int:
        return len(self._transitions)
