"""Marginals that agree: noisy counts become non-negative tables with the same total and the same sums.

Least squares, which are the likeliest tables under Gaussian noise. Reading chosen: first each column's counts, from its
own marginal and those of its edges weighted by their precision, then each edge's table given the counts of its two
columns, by Dykstra's alternating projections (Boyle and Dykstra 1986).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonnb.methods.private.marginals import Edge

ROUNDS, CLOSE = 200, 1e-7


def on_simplices(rows: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """The nearest non-negative rows with these sums.

    >>> on_simplices(np.array([[5.0, -1.0, 2.0]]), np.array([4.0])).tolist()
    [[3.5, 0.0, 0.5]]
    """
    falling = -np.sort(-rows, axis=1)
    excess = np.cumsum(falling, axis=1) - totals[:, None]
    counts = np.arange(1, rows.shape[1] + 1)
    kept = np.maximum((falling - excess / counts > 0).sum(axis=1), 1)
    lowered = excess[np.arange(len(rows)), kept - 1] / kept
    found = np.maximum(rows - lowered[:, None], 0.0)
    return np.where(totals[:, None] > 0, found, 0.0)


def fitted_margins(
    columns: Sequence[np.ndarray],
    noise: float,
    tables: Mapping[Edge, np.ndarray] | None = None,
    edge_noise: float = 0.0,
) -> tuple[list[np.ndarray], float]:
    """Non-negative counts of each column with one total, and that total.

    Estimates of one thing are averaged with the inverse of their variances as weights.
    """
    tables = tables or {}
    estimates = [[(column, noise**2)] for column in columns]
    for (first, second), table in tables.items():
        estimates[first].append((table.sum(axis=1), table.shape[1] * edge_noise**2))
        estimates[second].append((table.sum(axis=0), table.shape[0] * edge_noise**2))
    totals = [(column.sum(), len(column) * noise**2) for column in columns]
    totals += [(table.sum(), table.size * edge_noise**2) for table in tables.values()]
    total = max(float(_average(totals)), 1.0)
    margins = [on_simplices(_average(found)[None, :], np.array([total]))[0] for found in estimates]
    return margins, total


def _average(estimates: Sequence[tuple]) -> np.ndarray:
    weights = np.array([1 / variance for _, variance in estimates])
    return sum(weight * value for weight, (value, _) in zip(weights, estimates, strict=True)) / weights.sum()


def fitted_table(table: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The nearest non-negative table whose sums are ``rows`` and ``columns``, up to rounding.

    >>> fitted_table(np.array([[9.0, 3.0], [-4.0, 6.0]]), np.array([10.0, 5.0]), np.array([9.0, 6.0])).round(3).tolist()
    [[9.0, 1.0], [0.0, 5.0]]
    """
    found = table.astype(float)
    by_row, by_column = np.zeros_like(found), np.zeros_like(found)
    for _ in range(ROUNDS):
        across = on_simplices(found + by_row, rows)
        by_row += found - across
        found = on_simplices((across + by_column).T, columns).T
        by_column += across - found
        if np.abs(across - found).max() <= CLOSE * rows.sum():
            break
    return found
