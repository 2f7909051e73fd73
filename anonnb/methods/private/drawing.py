"""Rows drawn along a tree: the first column from its counts, every other one given its neighbour's cell.

Draws are systematic: of the rows that share a neighbour's cell, each value gets its expected number, rounded up or down
at random. That adds less noise of its own than independent draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from anonnb.core.arrays import group_order
from anonnb.methods.private.marginals import Edge


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
    """The edges from the first column outwards: (a column that has been drawn, one that has not)."""
    reached = [0]
    for column in reached:  # grows while it is read
        for first, second in edges:
            new = second if first == column else first if second == column else column
            if new not in reached:
                reached.append(new)
                yield column, new


def _drawn(given: np.ndarray, table: np.ndarray, margin: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A cell for every row, by the row of ``table`` that its ``given`` cell names; by the margin where it is empty."""
    weights = np.where(table.sum(axis=1, keepdims=True) > 0, table, margin)
    shares = np.cumsum(weights, axis=1)
    shares /= shares[:, -1:]
    # within each group: equidistant points from a random start, handed to its rows in random order
    mixed = rng.permutation(len(given))
    order, starts = group_order(given[mixed], len(table))
    order, group = mixed[order], given[mixed][order]
    points = (np.arange(len(given)) - starts[group] + rng.random(len(table))[group]) / np.diff(starts)[group]
    points = np.minimum(points, 1 - 1e-9) + group  # each group searches its own row of shares
    found = np.empty(len(given), dtype=np.int64)
    found[order] = np.searchsorted((shares + np.arange(len(table))[:, None]).ravel(), points, side="right")
    return found - given * table.shape[1]
