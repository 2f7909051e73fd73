"""Small counts that are certain: patterns with 1 to k − 1 people in every table that fits published counts.

A table is a count per cell. Its smallest and largest count in a pattern come from two integer programs; every table met
on the way clears all patterns in which it has nobody or k people. A pattern that is a weighted sum of published counts
has the same count in all tables, and needs no program.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonnb.attacks.reconstruction.programs import Program

MOST_PROGRAMS = 4000


class Constraints(NamedTuple):
    """Published counts: the cells inside each (counts × cells), how many people these have, and the least per cell."""

    inside: np.ndarray
    counts: np.ndarray
    least: np.ndarray


class Box(NamedTuple):
    """A pattern by its number, and the smallest and the largest count of people it has in the tables that fit."""

    pattern: int
    least: int
    most: int


class CountBoxes:
    """Searches the tables that fit; ``programs`` counts the searches, ``undecided`` patterns left when they ran out.

    >>> two_by_two = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])  # rows and columns
    >>> known = Constraints(two_by_two, np.array([1, 9, 1, 9]), np.zeros(4, dtype=np.int64))
    >>> [tuple(box) for box in CountBoxes(known).small(two_by_two, 2)]
    [(0, 1, 1), (2, 1, 1)]
    """

    def __init__(self, known: Constraints, solver: str = "highs", programs: int = MOST_PROGRAMS):
        self._left, self.programs, self.undecided = programs, 0, 0
        nobody = known.inside[known.counts == 0].any(axis=0)
        most = np.min(np.where(known.inside > 0, known.counts[:, None], np.iinfo(np.int64).max), axis=0, initial=2**40)
        self._program = Program(solver)
        self._program.unknowns(
            known.inside.shape[1], known.least, np.where(nobody, known.least, np.maximum(most, known.least))
        )
        for cells, count in zip(known.inside, known.counts, strict=True):
            places = np.flatnonzero(cells)
            self._program.add(places, np.ones(len(places)), count, count)
        self._basis = _basis(known.inside[:, ~nobody].astype(np.float64))
        self._used = ~nobody

    def small(self, patterns: np.ndarray, k: int) -> list[Box]:
        """The patterns (patterns × cells) with 1 to k − 1 people in every table that fits."""
        patterns = np.asarray(patterns, dtype=np.int64)
        table = self._solve(np.zeros(patterns.shape[1]))
        if table is None:
            raise ValueError("no table fits the published counts; check them, or use exclusive=False")
        counts = patterns @ table
        open_, found = _is_small(counts, k), []
        for pattern in np.flatnonzero(open_ & self._determined(patterns)):
            found.append(Box(int(pattern), int(counts[pattern]), int(counts[pattern])))
            open_[pattern] = False
        while open_.any():
            if self.programs >= self._left:
                self.undecided += int(open_.sum())
                break
            pattern = int(open_.argmax())
            open_[pattern] = False
            ends = []
            for sign in (1, -1):
                table = self._solve(sign * patterns[pattern])
                ends.append(int(patterns[pattern] @ table))
                open_ &= _is_small(patterns @ table, k)
                if not 0 < ends[-1] < k:
                    break
            else:
                found.append(Box(pattern, *ends))
        return sorted(found)

    def _solve(self, goal: np.ndarray) -> np.ndarray | None:
        self.programs += 1
        return self._program.least(goal)

    def _determined(self, patterns: np.ndarray) -> np.ndarray:
        """Patterns that are weighted sums of the published counts."""
        wanted = patterns[:, self._used].astype(np.float64)
        rest = wanted - (wanted @ self._basis.T) @ self._basis
        return np.abs(rest).max(axis=1, initial=0.0) < 1e-7


def _is_small(counts: np.ndarray, k: int) -> np.ndarray:
    return (counts > 0) & (counts < k)


def _basis(inside: np.ndarray) -> np.ndarray:
    """Orthonormal rows that span the published counts."""
    if not inside.size:
        return np.zeros((0, inside.shape[1]))
    _, sizes, rows = np.linalg.svd(inside, full_matrices=False)
    return rows[sizes > 1e-9 * max(sizes[0], 1.0)]
