"""How likely a published value is given a true one, if a method publishes its parameters.

A method declares it (``Method.likelihoods``) and attacks read it, so no attack needs to know a method by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

LogChance = Callable[[np.ndarray, np.ndarray], np.ndarray]
LogShare = Callable[[np.ndarray], np.ndarray]

FLAT = 1e-9  # directions with a smaller share of the variance tell nothing
NEIGHBOUR, NEIGHBOURS = 10, 100  # a kernel reaches the tenth nearest row, and the hundred nearest count


@dataclass(frozen=True, eq=False)
class Likelihood:
    """How much a published row speaks for a person: P(published | true) / P(published) over some columns.

    ``names`` are the columns. ``log_chance(true, published)`` takes two matrices with a line per person or per row and
    a column per name, and returns people × rows: minus infinity if a row cannot be the person's. ``log_share`` says how
    common published rows are, if that is known. Both hold up to a constant. Values are the numbers of numeric columns
    or, without ``numbers``, codes of the published attribute (-1: a value that it lacks). If it is ``mutual``, people
    exchanged their values in pairs.

    >>> chance = lambda true, published: np.where(true == published.T, 0.0, -np.inf)
    >>> same = Likelihood(("sex",), chance, lambda published: np.log([0.25]), numbers=False)
    >>> np.exp(same.log_ratio(np.array([[0], [1]]), np.array([[1]]))).tolist()
    [[0.0], [4.0]]
    """

    names: tuple[str, ...]
    log_chance: LogChance
    log_share: LogShare | None
    numbers: bool = True
    mutual: bool = False

    def log_ratio(self, true: np.ndarray, published: np.ndarray) -> np.ndarray:
        """Return the logarithm of the ratio, people × rows."""
        return self.log_chance(true, published) - (0.0 if self.log_share is None else self.log_share(published))


@dataclass(frozen=True, eq=False)
class NormalLikelihood(Likelihood):
    """The likelihood of numbers with a normal error; ``points`` scales people (``moved``) or rows to an error of 1."""

    points: Callable[..., np.ndarray] = lambda numbers, moved=False: numbers


def normal(
    names: Sequence[str],
    error: np.ndarray,
    published: np.ndarray,
    *,
    by_density: bool = True,
    slope: np.ndarray | None = None,
) -> NormalLikelihood:
    """Return the likelihood of published numbers that differ from the true ones by a normal error.

    With ``by_density`` a row counts for more if few other rows lie around it: their density is that of a normal kernel
    at the row that reaches its tenth neighbour, and as far as the error at least. A missing number stays missing.

    Parameters
    ----------
    names:
        The columns.
    error:
        The covariance of the error.
    published:
        The published numbers (rows × columns).
    slope:
        What true numbers are multiplied with before the error is added, from the mean on; 1 by default.

    Examples
    --------
    >>> rows = np.array([[0.0], [2.0], [4.0]])
    >>> normal(["age"], np.eye(1), rows, by_density=False).log_ratio(np.array([[1.0]]), rows).tolist()
    [[-0.5, -0.5, -4.5]]
    """
    centre = np.nan_to_num(np.nanmean(published, axis=0)) if len(published) else np.zeros(len(names))
    weights = _inverse_root(error)

    def points(numbers: np.ndarray, moved: bool = False) -> np.ndarray:
        filled = np.nan_to_num(numbers - centre)  # 0 for missing ones
        return (filled @ slope.T if moved and slope is not None else filled) @ weights

    def log_chance(true: np.ndarray, shown: np.ndarray) -> np.ndarray:
        people, rows = points(true, moved=True), points(shown)
        apart = (people**2).sum(axis=1)[:, None] + (rows**2).sum(axis=1) - 2 * people @ rows.T
        result = -0.5 * np.maximum(apart, 0.0)
        for person, row in zip(np.isnan(true).T, np.isnan(shown).T, strict=True):
            if person.any() or row.any():
                result[person[:, None] != row] = -np.inf
        return result

    def log_share(shown: np.ndarray) -> np.ndarray:
        return _log_density(points(published), points(shown))

    return NormalLikelihood(tuple(names), log_chance, log_share if by_density else None, points=points)


def _log_density(rows: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the log density of points around some of them, without the point itself."""
    from scipy.spatial import KDTree
    from scipy.special import logsumexp

    if len(rows) < 2 or not rows.shape[1]:
        return np.zeros(len(at))
    near = KDTree(rows).query(at, k=min(NEIGHBOURS + 1, len(rows)))[0][:, 1:] ** 2
    reach = np.maximum(near[:, min(NEIGHBOUR, near.shape[1]) - 1] / rows.shape[1], 1.0)
    kernels = logsumexp(-near / (2 * reach[:, None]), axis=1) - np.log(len(rows) - 1)
    return kernels - rows.shape[1] / 2 * np.log(reach)


def _inverse_root(covariance: np.ndarray) -> np.ndarray:
    """Return a matrix R with R Rᵀ = the inverse of a covariance, without directions that do not vary."""
    scale = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    some = values > FLAT * max(values.max(initial=0.0), 1e-300)
    return vectors[:, some] / np.sqrt(values[some]) / scale[:, None]
