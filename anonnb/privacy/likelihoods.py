"""How likely a published value is given a true one, if a method publishes its parameters.

A method declares it (``Method.likelihoods``) and attacks read it, so no attack needs to know a method by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

LogRatio = Callable[[np.ndarray, np.ndarray], np.ndarray]

FLAT = 1e-9  # directions with a smaller share of the variance tell nothing


@dataclass(frozen=True, eq=False)
class Likelihood:
    """How much a published row speaks for a person: log(P(published | true) / P(published)) over some columns.

    ``names`` are the columns. ``log_ratio(true, published)`` takes two matrices with a line per person or per row and a
    column per name, and returns people × rows: minus infinity if a row cannot be the person's. Values are the numbers
    of numeric columns or, without ``numbers``, codes of the published attribute (-1: a value that it lacks).

    >>> same = Likelihood(("sex",), lambda true, published: np.where(true == published.T, 0.0, -np.inf), numbers=False)
    >>> same.log_ratio(np.array([[0], [1]]), np.array([[1]])).tolist()
    [[-inf], [0.0]]
    """

    names: tuple[str, ...]
    log_ratio: LogRatio
    numbers: bool = True


def normal(
    names: Sequence[str],
    error: np.ndarray,
    published: np.ndarray,
    *,
    by_density: bool = True,
    slope: np.ndarray | None = None,
) -> Likelihood:
    """Return the likelihood of published numbers that differ from the true ones by a normal error.

    With ``by_density`` a row counts for more if few rows lie around it, as a normal distribution with the published
    means and covariances has it. A missing number stays missing.

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
    filled = _filled(published, centre)
    weights = _inverse_root(error)
    density = _inverse_root(np.cov(filled.T).reshape(error.shape)) if by_density and len(filled) > 1 else None

    def log_ratio(true: np.ndarray, shown: np.ndarray) -> np.ndarray:
        people, rows = _filled(true, centre), _filled(shown, centre) @ weights
        people = (people if slope is None else people @ slope.T) @ weights
        apart = (people**2).sum(axis=1)[:, None] + (rows**2).sum(axis=1) - 2 * people @ rows.T
        result = -0.5 * np.maximum(apart, 0.0)
        if density is not None:
            result += 0.5 * ((_filled(shown, centre) @ density) ** 2).sum(axis=1)
        for person, row in zip(np.isnan(true).T, np.isnan(shown).T, strict=True):
            if person.any() or row.any():
                result[person[:, None] != row] = -np.inf
        return result

    return Likelihood(tuple(names), log_ratio)


def _filled(numbers: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return numbers as differences from the centre, 0 for missing ones."""
    return np.nan_to_num(numbers - centre)


def _inverse_root(covariance: np.ndarray) -> np.ndarray:
    """Return a matrix R with R Rᵀ = the inverse of a covariance, without directions that do not vary."""
    scale = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    scale = np.where(scale > 0, scale, 1.0)
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    some = values > FLAT * max(values.max(initial=0.0), 1e-300)
    return vectors[:, some] / np.sqrt(values[some]) / scale[:, None]
