"""Small counts that are certain: patterns with 1 to k − 1 people in every table that fits published counts.

A table is a count per cell. Its smallest and largest count in a pattern come from two integer programs; every table met
on the way clears all patterns in which it has nobody or k people. A pattern that is a weighted sum of published counts
has the same count in all tables, and needs no program; nor does one of what was found to be certain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd

from anonnb.attacks.matching.step_texts import one_line
from anonnb.attacks.reconstruction.programs import Program
from anonnb.steps.recording import listening, note

MOST_PROGRAMS = 4000
UNLIMITED = 10**6  # people in a cell that no count is about; larger numbers would be inexact
TINY = 1e-7
LONGEST = 80  # letters of a title


class KnownCounts(NamedTuple):
    """Published counts: the cells inside each (counts × cells), how many people these have, and the least per cell."""

    inside: np.ndarray
    counts: np.ndarray
    least: np.ndarray


class CountBox(NamedTuple):
    """A pattern by its number, and the smallest and the largest count of people it has in the tables that fit."""

    pattern: int
    least: int
    most: int


class CountBoxes:
    """Searches the tables that fit; ``programs`` counts the searches, ``undecided`` patterns left when they ran out.

    >>> two_by_two = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])  # rows and columns
    >>> known = KnownCounts(two_by_two, np.array([1, 9, 1, 9]), np.zeros(4, dtype=np.int64))
    >>> [tuple(box) for box in CountBoxes(known).small(two_by_two, 2)]
    [(0, 1, 1), (2, 1, 1)]
    """

    def __init__(
        self,
        known: KnownCounts,
        solver: str = "highs",
        programs: int = MOST_PROGRAMS,
        names: Callable[[int], str] | None = None,
    ):
        self.names = names  # of patterns, for those who listen
        self._allowed, self.programs, self.undecided = programs, 0, 0
        limits = np.where(known.inside > 0, known.counts[:, None], UNLIMITED)
        most = np.maximum(limits.min(axis=0, initial=UNLIMITED), known.least)
        self._program = Program(solver)
        self._program.unknowns(len(most), known.least, most)
        for cells, count in zip(known.inside, known.counts, strict=True):
            places = np.flatnonzero(cells)
            self._program.add(places, np.ones(len(places)), count, count)
        self._seen = self._solve(np.zeros(len(most)))
        self._used = self._possible(most)
        self._basis = _basis(known.inside[:, self._used].astype(np.float64))

    def small(self, patterns: np.ndarray, k: int) -> list[CountBox]:
        """The patterns (patterns × cells) with 1 to k − 1 people in every table that fits."""
        patterns = np.asarray(patterns, dtype=np.int64)
        rests = self._outside_basis(patterns)
        counts, found = patterns @ self._seen, []
        left = _is_small(counts, k)
        order = np.argsort(patterns.sum(axis=1), kind="stable")  # what is known of few cells decides about more
        for pattern in order:
            if not left[pattern]:
                continue
            if np.abs(rests[pattern]).max(initial=0.0) < TINY:  # a weighted sum of what is known
                found.append(CountBox(int(pattern), int(counts[pattern]), int(counts[pattern])))
                self._tell(pattern, [int(counts[pattern])] * 2, k, solved=False)
                continue
            if self.programs >= self._allowed:
                self.undecided += 1
                continue
            ends = self._ends(patterns, pattern, k, left)
            self._tell(pattern, ends, k)
            if ends is not None:
                found.append(CountBox(int(pattern), *ends))
                if ends[0] == ends[1]:
                    direction = rests[pattern] / np.linalg.norm(rests[pattern])
                    rests -= np.outer(rests @ direction, direction)
        return sorted(found)

    def _tell(self, pattern: int, ends: list[int] | None, k: int, solved: bool = True) -> None:
        """Note what was found about a pattern."""
        if not listening():
            return
        name = "a pattern" if self.names is None else one_line(self.names(int(pattern)))
        how = "two programs give their smallest and largest number" if solved else "a sum of published counts gives it"
        if ends is None:
            said = f"some table that fits has nobody or at least {k} of them, so nothing is certain"
        else:
            said = f"{ends[0]} in every table" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} in every table"
            said = f"{how}: {said}, which is fewer than {k}"
        scores = pd.DataFrame({"people": ends or []}, pd.Index(["least", "most"] if ends else [], name="end"))
        seen = pd.DataFrame({"people": self._seen})
        note(f"How many are {name}"[:LONGEST], f"Of the people with {name}: {said}.", seen, scores, list(scores.index))

    def _ends(self, patterns: np.ndarray, pattern: int, k: int, left: np.ndarray) -> list[int] | None:
        """The smallest and the largest count of a pattern; None where one of them is not small."""
        ends: list[int] = []
        for sign in (1, -1):
            table = self._solve(sign * patterns[pattern])
            ends.append(int(patterns[pattern] @ table))
            left &= _is_small(patterns @ table, k)
            if not 0 < ends[-1] < k:
                return None
        return ends

    def _possible(self, most: np.ndarray) -> np.ndarray:
        """The cells that somebody is in, in some table that fits: ask for people in all that are empty so far."""
        possible = (self._seen > 0) | (most == UNLIMITED)
        empty = np.flatnonzero(~possible & (most > 0))
        while len(empty) and self.programs < self._allowed:
            goal = np.zeros(len(most))
            goal[empty] = -1
            table = self._solve(goal)
            if not table[empty].any():
                return possible
            possible |= table > 0
            empty = empty[table[empty] == 0]
        possible[empty] = True  # not decided
        return possible

    def _solve(self, goal: np.ndarray) -> np.ndarray:
        self.programs += 1
        table = self._program.least(goal)
        if table is None:
            raise ValueError("no table fits the published counts; check them, or use exclusive=False")
        return table

    def _outside_basis(self, patterns: np.ndarray) -> np.ndarray:
        """What is left of each pattern without the directions that published counts span."""
        wanted = patterns[:, self._used].astype(np.float64)
        return wanted - (wanted @ self._basis.T) @ self._basis


def _is_small(counts: np.ndarray, k: int) -> np.ndarray:
    return (counts > 0) & (counts < k)


def _basis(inside: np.ndarray) -> np.ndarray:
    """Orthonormal rows that span the published counts."""
    if not inside.size:
        return np.zeros((0, inside.shape[1]))
    sizes, directions = np.linalg.eigh(inside.T @ inside)  # far quicker than singular values, and as good here
    return directions[:, sizes > 1e-9 * max(sizes[-1], 1.0)].T
