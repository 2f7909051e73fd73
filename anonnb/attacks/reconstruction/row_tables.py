"""Tables that fit published statistics, as a value per person and attribute: clauses and sums for CP-SAT.

People stand in the order of their numbers, so that a median is the number of whoever comes in the middle of those that
a filter lets through. Far fewer unknowns than a count per kind of people where numbers have many values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from anonnb.attacks.reconstruction.programs import load_cp_sat, solve_cp_sat
from anonnb.attacks.reconstruction.statistics import Filter, Statistic, Statistics

Cell = tuple[int, ...]
Variable = Any  # of CP-SAT: a whole number, or a flag
MOST_PEOPLE = 200


class RowTables:
    """The tables that fit, as counters of cells."""

    def __init__(self, statistics: Statistics):
        if statistics.people > MOST_PEOPLE:
            raise ValueError(
                f"CP-SAT searches for at most {MOST_PEOPLE} people, and the statistics are about "
                f"{statistics.people:,}; use solver='highs', or statistics about fewer people"
            )
        load_cp_sat()
        self._statistics = statistics

    def table(self, lacking: Counter[Cell] | None = None, seed: int | None = None) -> Counter[Cell] | None:
        """Return a table that fits, or None: one with fewer rows of a cell of ``lacking``; with a seed a random one."""
        rows = _Rows(self._statistics)
        if seed is not None:
            draw = Random(seed)
            rows.model.minimize(sum(draw.randrange(-9, 10) * place for row in rows.places for place in row))
        if lacking is not None:
            rows.demand_fewer(lacking)
        solved = solve_cp_sat(rows.model)
        return None if solved is None else Counter(tuple(map(solved.value, row)) for row in rows.places)


class _Rows:
    """The model: ``places`` holds each person's value in each attribute, as its place among the known values."""

    def __init__(self, statistics: Statistics):
        self._cp, self._statistics = load_cp_sat(), statistics
        self.model = self._cp.CpModel()
        sizes = [len(known) for known in statistics.values.values()]
        self.places = [[self.model.new_int_var(0, size - 1, "") for size in sizes] for _ in range(statistics.people)]
        self._tests: dict[tuple[int, int, tuple[int, ...]], Variable] = {}
        for where in statistics.never:
            self.model.add(sum(self._inside(where)) == 0)
        if statistics.number is not None:
            self._order(statistics.number)
        for each in statistics.published:
            self._demand(each)

    def demand_fewer(self, cells: Counter[Cell]) -> None:
        """Of at least one cell there are fewer rows than these."""
        switches = []
        for cell, count in cells.items():
            where = dict(zip(self._statistics.values, self._statistics.named(cell), strict=True))
            switches.append(self.model.new_bool_var(""))
            self.model.add(sum(self._inside(where)) < count).only_enforce_if(switches[-1])
        self.model.add_bool_or(switches)

    def _order(self, name: str) -> None:
        """Give everybody a number, in ascending order."""
        known = [int(value) for value in self._statistics.values[name]]
        column = list(self._statistics.values).index(name)
        self._ends = min(known), max(known)
        self._numbers = []
        for row in self.places:
            self._numbers.append(self.model.new_int_var(*self._ends, ""))
            self.model.add_element(row[column], known, self._numbers[-1])
        for one, next_one in zip(self._numbers, self._numbers[1:], strict=False):
            self.model.add(one <= next_one)

    def _demand(self, each: Statistic) -> None:
        inside = self._inside(each.where)
        low, high = each.limits
        self.model.add_linear_constraint(sum(inside), low, high)
        if each.mean is not None:
            self.model.add_linear_constraint(sum(map(self._counted, inside, self._numbers)), *each.sums)
        if each.median is not None:
            middle = self._ranked(inside, (low + 1) // 2) + self._ranked(inside, low // 2 + 1)
            self.model.add(middle == int(2 * each.median))

    def _counted(self, flag: Variable, number: Variable) -> Variable:
        """The number of a person who is inside, 0 for others."""
        counted = self.model.new_int_var(min(self._ends[0], 0), max(self._ends[1], 0), "")
        self.model.add(counted == number).only_enforce_if(flag)
        self.model.add(counted == 0).only_enforce_if(~flag)
        return counted

    def _ranked(self, inside: list[Variable], rank: int) -> Variable:
        """The number of the person at this rank among those inside."""
        found, chosen = self.model.new_int_var(*self._ends, ""), []
        for place, (flag, number) in enumerate(zip(inside, self._numbers, strict=True)):
            here = self.model.new_bool_var("")
            self.model.add_implication(here, flag)
            self.model.add(sum(inside[: place + 1]) == rank).only_enforce_if(here)
            self.model.add(found == number).only_enforce_if(here)
            chosen.append(here)
        self.model.add_exactly_one(chosen)
        return found

    def _inside(self, where: Filter) -> list[Variable]:
        """For everybody a flag: whether the filter lets them through."""
        tests = [
            (column, tuple(self._statistics.places(name, where[name])))
            for column, name in enumerate(self._statistics.values)
            if name in where
        ]
        return [self._all([self._test(person, *test) for test in tests]) for person in range(len(self.places))]

    def _all(self, flags: Sequence[Variable]) -> Variable:
        if len(flags) == 1:
            return flags[0]
        every = self.model.new_bool_var("")
        self.model.add_bool_and(flags).only_enforce_if(every)
        self.model.add_bool_or([*(~flag for flag in flags), every])
        return every

    def _test(self, person: int, column: int, wanted: tuple[int, ...]) -> Variable:
        """A flag: whether somebody's value is one of these."""
        key = person, column, wanted
        if key not in self._tests:
            flag, value = self.model.new_bool_var(""), self.places[person][column]
            inside = self._cp.Domain.from_values(wanted)
            self.model.add_linear_expression_in_domain(value, inside).only_enforce_if(flag)
            self.model.add_linear_expression_in_domain(value, inside.complement()).only_enforce_if(~flag)
            self._tests[key] = flag
        return self._tests[key]
