"""Tables that fit published statistics, as a count for every kind of people: an integer program for HiGHS.

Counts and sums are linear in the counts of the cells. So is a median of an odd number of people: half of them are at
most, and half at least so old. Of an even number the two in the middle have a given sum: one switch per possible pair.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from anonnb.attacks.reconstruction.programs import Program
from anonnb.attacks.reconstruction.statistics import Statistic, Statistics

Cell = tuple[int, ...]


class CellTables:
    """The tables that fit, as counters of cells."""

    def __init__(self, statistics: Statistics, solver: str = "highs"):
        self._statistics, self._people = statistics, statistics.people
        self._cells = list(map(tuple, statistics.cells.tolist()))
        self._numbers = np.zeros(0) if statistics.number is None else statistics.numbers()
        self._program = Program(solver)
        self._program.unknowns(len(self._cells), 0, self._people)
        for each in statistics.published:
            self._demand(each, statistics.inside(each.where))

    def table(self, lacking: Counter[Cell] | None = None, seed: int | None = None) -> Counter[Cell] | None:
        """Return a table that fits, or None: one with fewer rows of a cell of ``lacking``; with a seed a random one."""
        program = self._program
        goal = () if seed is None else np.random.default_rng(seed).integers(0, 100, len(self._cells))
        if lacking is not None:
            program, place = program.extended(), {cell: number for number, cell in enumerate(self._cells)}
            switches = program.unknowns(len(lacking), 0, 1)
            for switch, (cell, count) in zip(switches, lacking.items(), strict=True):
                program.add([place[cell], switch], [1, self._people - count + 1], None, self._people)
            program.add(switches, np.ones(len(switches)), 1, None)
        found = program.least(goal)
        if found is None:
            return None
        return Counter({cell: int(count) for cell, count in zip(self._cells, found, strict=False) if count})

    def _demand(self, each: Statistic, inside: np.ndarray) -> None:
        places = np.flatnonzero(inside)
        self._program.add(places, np.ones(len(places)), *each.limits)
        if each.mean is not None:
            self._program.add(places, self._numbers[places], *each.sums)
        if each.median is not None:
            self._demand_median(each.median, each.limits[0], inside)

    def _demand_median(self, median: float, count: int, inside: np.ndarray) -> None:
        numbers = self._numbers
        half = count // 2
        if count % 2:
            for part in (numbers <= median, numbers >= median):
                self._at_least(inside & part, half + 1)
            return
        known = set(numbers[inside].tolist())
        pairs = [(low, int(2 * median) - low) for low in sorted(known) if low <= median]
        pairs = [(low, high) for low, high in pairs if high in known]
        switches = self._program.unknowns(len(pairs), 0, 1)
        for (low, high), switch in zip(pairs, switches, strict=True):
            self._at_least(inside & (numbers <= low), half, switch)
            self._at_least(inside & (numbers >= low), half + 1, switch)
            self._at_least(inside & (numbers <= high), half + 1, switch)
            self._at_least(inside & (numbers >= high), half, switch)
        self._program.add(switches, np.ones(len(switches)), 1, 1)

    def _at_least(self, inside: np.ndarray, count: int, switch: int | None = None) -> None:
        """So many people in some cells; with a switch, only when it is on."""
        places, weights = np.flatnonzero(inside), np.ones(int(inside.sum()))
        if switch is None:
            self._program.add(places, weights, count, None)
        else:
            self._program.add(np.append(places, switch), np.append(weights, -count), 0, None)
