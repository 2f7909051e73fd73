"""Minimal sample uniques and SUDA scores (Elliot, Manning and Ford 2002, Int. J. of Uncertainty, Fuzziness and
Knowledge-Based Systems 10(5)): which small combinations of columns single a row out, and how badly.
Reading: with M the largest size looked at and ATT columns, a minimal unique of size m scores ∏ (ATT − i) over
i = m, …, min(M, ATT − 1), as sdcMicro documents it; where M reaches ATT − 1 that is (ATT − m)!.

A combination that is unique stays unique with more columns, and nobody else shares its values. So rows that a smaller
combination singles out are left out of all larger ones that contain it: neither their own flag nor anybody else's
depends on them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.progress import ticks

SHARED = -1  # the owner of cells that several people have alike in all columns
Combination = tuple[int, ...]


def suda_weight(size: int, columns: int, largest: int) -> float:
    """Return what a minimal unique of ``size`` columns adds to its row's score.

    Worked example: of four columns with combinations of up to three, one column scores 3 · 2 · 1, two score 2 · 1,
    three 1.

    >>> [suda_weight(size, columns=4, largest=3) for size in (1, 2, 3)]
    [6.0, 2.0, 1.0]
    """
    return float(math.prod(columns - rank for rank in range(size, min(largest, columns - 1) + 1)))


def minimal_uniques(
    codes: Sequence[np.ndarray], sizes: Sequence[int], owners: np.ndarray, largest: int = 3
) -> Iterator[tuple[Combination, np.ndarray]]:
    """Yield each combination of up to ``largest`` columns, smaller ones first, with the rows that only it singles out.

    Rows that a part of the combination singles out are not repeated. ``sizes`` are exclusive upper bounds of the codes.
    ``owners`` gives the person of each row; a row is singled out when all rows with its codes have the same owner. Rows
    with the owner ``SHARED`` never are.

    >>> columns = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0])]
    >>> [(combination, rows.tolist()) for combination, rows in minimal_uniques(columns, [2, 2], np.arange(4))]
    [((0,), []), ((1,), [1]), ((0, 1), [0])]
    """
    count = len(owners)
    unique: dict[Combination, np.ndarray] = {(): np.packbits(np.zeros(count, dtype=bool))}
    nobody = np.zeros(0, dtype=np.int64)
    for size in range(1, min(largest, len(codes)) + 1):
        smaller, unique = unique, {}  # bits of the rows that each combination of the last size singles out
        for combination in ticks(list(combinations(range(len(codes)), size)), f"combinations of {size}"):
            known = smaller[combination[1:]]
            for part in combinations(combination, size - 1):
                known = known | smaller[part]
            open_rows = np.flatnonzero(np.unpackbits(known, count=count) == 0)
            rows = nobody
            if (owners[open_rows] != SHARED).any():
                rows = open_rows[_alone(codes, sizes, owners, combination, open_rows)]
            if size < largest:
                flags = np.zeros(count, dtype=bool)
                flags[rows] = True
                unique[combination] = known | np.packbits(flags)
            yield combination, rows


def _alone(
    codes: Sequence[np.ndarray], sizes: Sequence[int], owners: np.ndarray, combination: Combination, rows: np.ndarray
) -> np.ndarray:
    """Tell which rows share their codes with nobody; without sorting if the codes leave few cells."""
    everybody = len(rows) == len(owners)
    whose = owners if everybody else owners[rows]
    key, cells = np.zeros(len(rows), dtype=np.int64), 1
    for cell in combination:
        if cells * int(sizes[cell]) >= 2**62:
            key, distinct = pd.factorize(key)
            cells = len(distinct)
        key = key * int(sizes[cell]) + (codes[cell] if everybody else codes[cell][rows])
        cells *= int(sizes[cell])
    if cells > 16 * len(rows) + 1024:
        key, distinct = pd.factorize(key)
        cells = len(distinct)
    last = np.empty(cells, dtype=whose.dtype)
    last[key] = whose  # one of those who have the cell
    shared = np.zeros(cells, dtype=bool)
    shared[key[(last[key] != whose) | (whose == SHARED)]] = True
    return ~shared[key]


@dataclass(frozen=True, eq=False)
class SampleUniques:
    """Minimal uniques of some rows, summed up: per row, per column and per combination.

    ``score`` and ``count`` (the number of minimal uniques) are per row; ``smallest`` is the place of the first of a
    row's smallest combinations among ``combinations``, -1 where none singles it out. ``with_column`` says which rows
    each column helps to single out, ``contribution`` is the sum of the scores of its minimal uniques. ``people`` counts
    the owners singled out by each combination.
    """

    combinations: tuple[Combination, ...]
    people: np.ndarray
    score: np.ndarray
    count: np.ndarray
    smallest: np.ndarray
    with_column: np.ndarray
    contribution: np.ndarray

    @classmethod
    def of(
        cls, codes: Sequence[np.ndarray], sizes: Sequence[int], owners: np.ndarray, largest: int = 3
    ) -> SampleUniques:
        """Sum up the minimal uniques of the codes of each column; see :func:`minimal_uniques`.

        Worked example: rows (2, 0, 0), (1, 3, 6), (1, 0, 0). The first is alone by column 0, the second by columns 1
        and by 2, the third by 0 with 1 and by 0 with 2. One column of three scores 2, two score 1: 2, 4 and 2.

        >>> columns = [np.array([2, 1, 1]), np.array([0, 3, 0]), np.array([0, 6, 0])]
        >>> found = SampleUniques.of(columns, [3, 4, 7], np.arange(3))
        >>> found.score.tolist(), found.contribution.tolist()
        ([2.0, 4.0, 2.0], [4.0, 3.0, 3.0])
        """
        rows, width = len(owners), len(codes)
        score, count = np.zeros(rows), np.zeros(rows, dtype=np.int64)
        smallest = np.full(rows, -1, dtype=np.int64)
        with_column, contribution = np.zeros((width, rows), dtype=bool), np.zeros(width)
        names: list[tuple[int, ...]] = []
        people: list[int] = []
        for combination, singled in minimal_uniques(codes, sizes, owners, largest):
            weight = suda_weight(len(combination), width, largest)
            score[singled] += weight
            count[singled] += 1
            smallest[singled[smallest[singled] < 0]] = len(names)
            for column in combination:
                with_column[column, singled] = True
                contribution[column] += weight * len(singled)
            names.append(combination)
            people.append(distinct_count(owners[singled]))
        return cls(tuple(names), np.array(people, dtype=int), score, count, smallest, with_column, contribution)


def distinct_count(numbers: np.ndarray) -> int:
    """Count the different numbers."""
    return len(pd.unique(numbers))
