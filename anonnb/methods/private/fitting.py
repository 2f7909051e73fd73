"""Marginals that agree: noisy counts become non-negative tables with the same total and the same sums.

Least squares, which are the likeliest tables under Gaussian noise. Reading chosen: first each column's counts, from its
own marginal and those of its edges weighted by their precision, then each edge's table given the counts of its two
columns, by Dykstra's alternating projections (Boyle and Dykstra 1986).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.methods.private.marginals import Edge

ROUNDS, CLOSE = 200, 1e-7


def on_simplices(rows: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Return the nearest non-negative rows with these sums.

    >>> on_simplices(np.array([[5.0, -1.0, 2.0]]), np.array([4.0])).tolist()
    [[3.5, 0.0, 0.5]]
    """
    falling = -np.sort(-rows, axis=1)
    excess = np.cumsum(falling, axis=1) - totals[:, None]
    counts = np.arange(1, rows.shape[1] + 1)
    kept = np.maximum((falling - excess / counts > 0).sum(axis=1), 1)
    lowered = excess[np.arange(len(rows)), kept - 1] / kept
    result = np.maximum(rows - lowered[:, None], 0.0)
    return np.where(totals[:, None] > 0, result, 0.0)


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
    margins = [on_simplices(_average(estimate)[None, :], np.array([total]))[0] for estimate in estimates]
    return margins, total


def _average(estimates: Sequence[tuple]) -> np.ndarray:
    weights = np.array([1 / variance for _, variance in estimates])
    return sum(weight * value for weight, (value, _) in zip(weights, estimates, strict=True)) / weights.sum()


def fitted_table(table: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return the nearest non-negative table whose sums are ``rows`` and ``columns``, up to rounding.

    >>> fitted_table(np.array([[9.0, 3.0], [-4.0, 6.0]]), np.array([10.0, 5.0]), np.array([9.0, 6.0])).round(3).tolist()
    [[9.0, 1.0], [0.0, 5.0]]
    """
    fitted = table.astype(float)
    by_row, by_column = np.zeros_like(fitted), np.zeros_like(fitted)
    for _ in range(ROUNDS):
        across = on_simplices(fitted + by_row, rows)
        by_row += fitted - across
        fitted = on_simplices((across + by_column).T, columns).T
        by_column += across - fitted
        if np.abs(across - fitted).max() <= CLOSE * rows.sum():
            break
    return fitted


# ---- drawing rows -----------------------------------------------------------------------------------------------


def drawn_rows(
    count: int, margins: Sequence[np.ndarray], tables: Mapping[Edge, np.ndarray], rng: np.random.Generator
) -> np.ndarray:
    """``count`` rows of cell numbers.

    >>> tables = {(0, 1): np.array([[3.0, 0.0], [0.0, 1.0]])}
    >>> rows = drawn_rows(4, [np.array([3.0, 1.0]), np.array([3.0, 1.0])], tables, np.random.default_rng(0))
    >>> sorted(map(tuple, rows.tolist()))
    [(0, 0), (0, 0), (0, 0), (1, 1)]
    """
    rows = np.zeros((count, len(margins)), dtype=np.int64)
    rows[:, 0] = _drawn(np.zeros(count, dtype=np.int64), margins[0][None, :], margins[0], rng)
    for known, new in _outwards(tables, len(margins)):
        table = tables[known, new] if (known, new) in tables else tables[new, known].T
        rows[:, new] = _drawn(rows[:, known], table, margins[new], rng)
    return rows


def _outwards(edges: Mapping[Edge, np.ndarray], columns: int) -> Iterator[Edge]:
    """Return the edges from the first column outwards: (a column that has been drawn, one that has not)."""
    reached = [0]
    for column in reached:  # grows while it is read
        for first, second in edges:
            new = second if first == column else first if second == column else column
            if new not in reached:
                reached.append(new)
                yield column, new


def _drawn(given: np.ndarray, table: np.ndarray, margin: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a cell for every row from the row of ``table`` for its ``given`` cell, or from the margin if empty."""
    weights = np.where(table.sum(axis=1, keepdims=True) > 0, table, margin)
    shares = np.cumsum(weights, axis=1)
    shares /= shares[:, -1:]
    # within each group: equidistant points from a random start, handed to its rows in random order
    mixed = rng.permutation(len(given))
    order, starts = group_order(given[mixed], len(table))
    order, group = mixed[order], given[mixed][order]
    points = (np.arange(len(given)) - starts[group] + rng.random(len(table))[group]) / np.diff(starts)[group]
    points = np.minimum(points, 1 - 1e-9) + group  # each group searches its own row of shares
    drawn = np.empty(len(given), dtype=np.int64)
    drawn[order] = np.searchsorted((shares + np.arange(len(table))[:, None]).ravel(), points, side="right")
    return drawn - given * table.shape[1]
