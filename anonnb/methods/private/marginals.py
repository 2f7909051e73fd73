"""Marginals: how many rows fall into each cell of one column, or of two, and which pairs of columns are worth counting.

The tree is Kruskal's with a private choice in each round (McKenna, Miklau and Sheldon 2021, section 4): among the pairs
that join two parts of the tree, one whose counts differ much from what its noisy one-way marginals would make them.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np

Edge = tuple[int, int]


def one_way(rows: np.ndarray, sizes: Sequence[int]) -> np.ndarray:
    """Count each column's cells, one column after the other."""
    return np.concatenate([np.bincount(rows[:, index], minlength=size) for index, size in enumerate(sizes)])


def two_way(rows: np.ndarray, sizes: Sequence[int], edge: Edge) -> np.ndarray:
    """Count the cells of two columns together, cells of the first × cells of the second."""
    first, second = edge
    cells = rows[:, first] * sizes[second] + rows[:, second]
    return np.bincount(cells, minlength=sizes[first] * sizes[second]).reshape(sizes[first], sizes[second])


def all_two_way(rows: np.ndarray, sizes: Sequence[int], edges: Sequence[Edge]) -> np.ndarray:
    """Count the cells of several pairs, one after the other."""
    return np.concatenate([two_way(rows, sizes, edge).ravel() for edge in edges])


def spanning_tree(
    columns: int, choose: Callable[[Callable[[np.ndarray], np.ndarray]], int], scores: Callable[[np.ndarray, Edge], int]
) -> list[Edge]:
    """Return the edges of a tree over the columns.

    ``choose`` picks a place, given what computes the scores of all places from the rows; ``scores`` that of a pair.
    A single pair needs no choice.
    """
    part = list(range(columns))
    edges: list[Edge] = []
    for _ in range(columns - 1):
        pairs = [(a, b) for a, b in itertools.combinations(range(columns), 2) if part[a] != part[b]]
        index = 0 if columns == 2 else choose(partial(_scores, scores, pairs))
        edges.append(pairs[index])
        joined, kept = part[pairs[index][1]], part[pairs[index][0]]
        part = [kept if each == joined else each for each in part]
    return edges


def _scores(score: Callable[[np.ndarray, Edge], int], pairs: Sequence[Edge], rows: np.ndarray) -> np.ndarray:
    return np.array([score(rows, pair) for pair in pairs])


def misfit(margins: Sequence[np.ndarray], total: float, grain: int) -> Callable[[np.ndarray, Edge], int]:
    """Return a score of how badly independent columns explain a pair: an L1 distance, in 1/grain rows.

    ``margins`` are public (noisy and made to fit ``total``). Expected counts are rounded to whole grains, so that a row
    moves the sum by exactly ``grain`` at most.
    """
    sizes = [len(margin) for margin in margins]

    @cache
    def expected(edge: Edge) -> np.ndarray:
        first, second = margins[edge[0]], margins[edge[1]]
        return np.rint(np.outer(first, second) * (grain / total)).astype(np.int64)

    known: dict[Edge, int] = {}

    def score(rows: np.ndarray, edge: Edge) -> int:
        if edge not in known:
            known[edge] = int(np.abs(two_way(rows, sizes, edge) * grain - expected(edge)).sum())
        return known[edge]

    return score
