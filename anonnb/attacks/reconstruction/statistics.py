"""Published statistics about people whose rows are not: counts, means and medians over filters (Garfinkel et al. 2018).

Besides them an attacker knows which values there are, and combinations that cannot be (nobody under 18 is married).
Reading: a mean is rounded, so every sum that rounds to it fits; a suppressed count lies within limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.wording import short_repr
from anonnb.tables.table import Table

MOST_CELLS = 20_000  # kinds of people
Filter = Mapping[str, Any]  # an attribute and its value, several values, or a range of numbers


@dataclass(frozen=True)
class Statistic:
    """What was published about the people of a filter: how many they are, the median and the mean of their numbers.

    ``where`` names attributes with a value, several values, or a range of numbers; without it, it is everybody.
    ``count`` is a number or, where it was suppressed, a pair of limits. ``digits`` are those of the rounded mean.

    >>> Statistic({"sex": "female"}, 4, median=30, mean=33.5)
    sex=female: 4 people, median 30, mean 33.5
    >>> Statistic({"age": range(64, 116)}, (0, 2))
    age=64 to 115: 0 to 2 people
    """

    where: Filter = field(default_factory=dict)
    count: int | tuple[int, int] = 0
    median: float | None = field(default=None, kw_only=True)
    mean: float | None = field(default=None, kw_only=True)
    digits: int = field(default=1, kw_only=True)

    def __post_init__(self):
        low, high = self.limits
        if not 0 <= low <= high:
            raise ValueError(
                f"{self.people}: a count of {self.count} cannot be; give a number, or limits such as (0, 2)"
            )
        if not low == high and not self.median is self.mean is None:
            raise ValueError(f"{self.people}: a median or a mean needs the exact count, not {self.count}")
        if self.median is not None and not float(2 * self.median).is_integer():
            raise ValueError(f"{self.people}: {self.median} is no median of whole numbers; give it unrounded")
        if high == 0 and not self.median is self.mean is None:
            raise ValueError(f"{self.people}: nobody has a median or a mean; leave them out")

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest number of people."""
        return (self.count, self.count) if not isinstance(self.count, tuple) else self.count

    @property
    def sums(self) -> tuple[int, int]:
        """The smallest and the largest whole sum whose mean rounds to the published one."""
        half, slack, mean = 0.5 * 10.0**-self.digits, 1e-9, self.mean or 0.0
        count = self.limits[0]
        return ceil((mean - half) * count - slack), floor((mean + half) * count + slack)

    @property
    def people(self) -> str:
        """The filter in words."""
        return " and ".join(f"{name}={_words(value)}" for name, value in self.where.items()) or "everybody"

    def __repr__(self) -> str:
        low, high = self.limits
        words = [f"{low if low == high else f'{low} to {high}'} people"]
        words += [f"{name} {value:g}" for name in ("median", "mean") if (value := getattr(self, name)) is not None]
        return f"{self.people}: {', '.join(words)}"


@dataclass(frozen=True, eq=False)
class Statistics:
    """Everything published about some people, and what anybody knows about the values.

    Parameters
    ----------
    values:
        The possible values of each attribute, whole numbers for the one that means and medians are about.
    published:
        The statistics; one without a filter says how many people there are.
    number:
        The attribute that means and medians are about.
    never:
        Filters that nobody fits.

    Raises
    ------
    KeyError
        If a filter names an attribute without values.
    ValueError
        If a filter names an unknown value, if a mean or median lacks its attribute, if its numbers are not whole, or if
        there would be more than 20,000 kinds of people.

    Examples
    --------
    >>> published = [Statistic(count=2, median=30, mean=30), Statistic({"age": 29}, 1)]
    >>> two = Statistics({"age": range(0, 100)}, published, "age")
    >>> two.people, two.fits([(29,), (31,)]), two.fits([(30,), (30,)])
    (2, True, False)
    >>> two.places("age", range(28, 30)), two.named([29]), int(two.inside({"age": 29}).sum())
    ([28, 29], (29,), 1)
    """

    values: Mapping[str, Sequence]
    published: Sequence[Statistic]
    number: str | None = None
    never: Sequence[Filter] = ()

    def __post_init__(self):
        object.__setattr__(self, "published", tuple(self.published))
        for where in [*(each.where for each in self.published), *self.never]:
            for name, value in where.items():
                if name not in self.values:
                    raise KeyError(f"there is no attribute {name!r}; known are {', '.join(map(str, self.values))}")
                if not self._flags(name, value).any():
                    raise ValueError(f"{name!r} has no value {_words(value)}; add it to its values")
        if self.number is None and any(not each.median is each.mean is None for each in self.published):
            raise ValueError("a mean or a median is published, but of what? Name the attribute: number=…")
        if self.number is not None and not all(float(value).is_integer() for value in self.values[self.number]):
            raise ValueError(f"the numbers of {self.number!r} must be whole; give them in a smaller unit")
        kinds = np.prod([float(len(known)) for known in self.values.values()])
        if kinds > MOST_CELLS:
            raise ValueError(
                f"the values make {kinds:,.0f} kinds of people, and at most {MOST_CELLS:,} are searched; "
                "leave attributes out, or name fewer values"
            )

    @classmethod
    def of(
        cls,
        table: Table,
        filters: Iterable[Filter],
        number: str | None = None,
        *,
        values: Mapping[str, Sequence] | None = None,
        fewest: int = 3,
        digits: int = 1,
        never: Sequence[Filter] = (),
    ) -> Statistics:
        """Publish statistics of a table: a line per filter, suppressed where too few people fit.

        Parameters
        ----------
        table:
            The table they are computed from.
        filters:
            Whom each is about; an empty filter is everybody.
        number:
            The attribute that means and medians are about; None: only counts are published.
        values:
            The values that an attacker knows to be possible, by attribute. By default those that occur, and of the
            number everything between them.
        fewest:
            Statistics about fewer people are suppressed: only that there are fewer is published.
        digits:
            Digits of the rounded means.
        never:
            Filters that nobody fits, as everybody knows.

        Returns
        -------
        Statistics
            What would be published, as an attacker reads it.

        Examples
        --------
        >>> people = Table(pd.DataFrame({"age": [20, 30, 40, 50], "sex": ["f", "f", "f", "m"]}))
        >>> Statistics.of(people, [{}, {"sex": "f"}, {"sex": "m"}], "age").published
        (everybody: 4 people, median 35, mean 35, sex=f: 3 people, median 30, mean 30, sex=m: 0 to 2 people)
        """
        frame = table.frame
        known: dict[str, Sequence] = {}
        for name in frame.columns:
            column = frame[name]
            known[name] = range(int(column.min()), int(column.max()) + 1) if name == number else sorted(column.unique())
        known |= values or {}
        empty, published = cls(known, [], number, never), []
        rows = empty._rows(frame.itertuples(index=False, name=None))
        for where in filters:
            inside = empty._inside(where, rows)
            count = int(inside.sum())
            if count < fewest and where:
                published.append(Statistic(where, (0, fewest - 1)))
                continue
            numbers = frame[number][inside] if number is not None and count else None
            told = {} if numbers is None else {"median": float(numbers.median()), "mean": round(numbers.mean(), digits)}
            published.append(Statistic(where, count, digits=digits, **told))
        return cls(known, published, number, never)

    @property
    def people(self) -> int:
        """How many people there are."""
        for each in self.published:
            if not each.where and each.limits[0] == each.limits[1]:
                return each.limits[0]
        raise ValueError("nobody says how many people there are; publish it: Statistic(count=…)")

    @cached_property
    def cells(self) -> np.ndarray:
        """Every kind of people that there may be: cells × attributes, as places among the values."""
        every = np.array(list(product(*(range(len(known)) for known in self.values.values()))), dtype=np.int64)
        every = every.reshape(-1, len(self.values))
        for where in self.never:
            every = every[~self._inside(where, every)]
        return every

    def inside(self, where: Filter) -> np.ndarray:
        """Find the cells that a filter lets through.

        Parameters
        ----------
        where:
            Attributes with a value, several values, or a range of numbers.
        """
        return self._inside(where, self.cells)

    def places(self, name: str, value: object) -> list[int]:
        """Find the places, among the values of an attribute, of those that a filter names.

        Parameters
        ----------
        name:
            An attribute.
        value:
            A value, several values, or a range of numbers.
        """
        return np.flatnonzero(self._flags(name, value)).tolist()

    def numbers(self) -> np.ndarray:
        """The number that each cell has."""
        return self._numbers(self.cells)

    def named(self, cell: Sequence[int]) -> tuple:
        """Give the values of a cell.

        Parameters
        ----------
        cell:
            A place among the values of each attribute.
        """
        return tuple(known[place] for known, place in zip(self.values.values(), cell, strict=True))

    def fits(self, rows: Iterable[tuple]) -> bool:
        """Say whether a table fits everything published: counted anew, without a solver.

        Parameters
        ----------
        rows:
            The rows of the table, each with a value per attribute.
        """
        places = self._rows(rows)
        if any(self._inside(where, places).any() for where in self.never):
            return False
        return all(self._holds(each, places) for each in self.published)

    def frame(self) -> pd.DataFrame:
        """What is published, a line per statistic."""
        ends = [each.limits for each in self.published]
        counts = [str(low) if low == high else f"{low} to {high}" for low, high in ends]
        named = {
            name: pd.array([getattr(each, name) for each in self.published], dtype="Float64")
            for name in ("median", "mean")
        }
        return pd.DataFrame({"people": [each.people for each in self.published], "count": counts} | named)

    def _holds(self, each: Statistic, places: np.ndarray) -> bool:
        inside = self._inside(each.where, places)
        if not each.limits[0] <= inside.sum() <= each.limits[1]:
            return False
        if each.median is each.mean is None:
            return True
        numbers = self._numbers(places[inside])
        if each.median is not None and float(np.median(numbers)) != each.median:
            return False
        return each.mean is None or each.sums[0] <= numbers.sum() <= each.sums[1]

    def _rows(self, rows: Iterable[tuple]) -> np.ndarray:
        known = [{value: place for place, value in enumerate(each)} for each in self.values.values()]
        found = [[places[value] for places, value in zip(known, row, strict=True)] for row in rows]
        return np.array(found, dtype=np.int64).reshape(-1, len(known))

    def _inside(self, where: Filter, places: np.ndarray) -> np.ndarray:
        flags = np.ones(len(places), dtype=bool)
        for column, name in enumerate(self.values):
            if name in where:
                flags &= self._flags(name, where[name])[places[:, column]]
        return flags

    def _flags(self, name: str, value: object) -> np.ndarray:
        wanted = set(value) if isinstance(value, range | list | tuple | set | frozenset) else {value}
        return np.array([each in wanted for each in self.values[name]])

    def _numbers(self, places: np.ndarray) -> np.ndarray:
        names = list(self.values)
        column = names.index(self.number or names[0])
        known = np.array([int(value) for value in self.values[names[column]]], dtype=np.int64)
        return known[places[:, column]]


def _words(value: object) -> str:
    if isinstance(value, range) and value.step == 1 and len(value):
        return f"{value[0]} to {value[-1]}"
    if isinstance(value, list | tuple | set | frozenset | range):
        return " or ".join(sorted(map(str, value)))
    return value if isinstance(value, str) else short_repr(value)
