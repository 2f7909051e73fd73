"""The attributes of a quasi-identifier as axes of a space; the widths of regions are compared exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table

EXACT = 2**53  # doubles hold all whole numbers up to here
COARSE = 2**24  # fractions with two denominators below this, and their weights, differ by more than doubles round
MAX_DECIMALS = 15  # of a number that a double holds


class Axis:
    """One attribute as a partition uses it: how many codes it has and how wide a run of them is.

    A width is a fraction of whole numbers, ``numerators`` over ``denominator``, weight included: one division, so that
    equal widths are equal doubles. The denominators of coarse axes are so small that unequal widths differ as doubles.
    """

    def __init__(self, attribute: Attribute):
        self.attribute = attribute
        self.size = attribute.size
        self.is_nominal = attribute.kind == "nominal"
        self.weight = attribute.weight
        self.positions = attribute.positions * self.weight  # a missing value is far away, so that it is soon split off
        units, whole = (np.arange(self.size), max(self.size - 1, 1)) if self.is_nominal else _units(attribute)
        factor = Fraction(str(float(self.weight)))
        is_exact = max(2 * whole * factor.numerator, whole * factor.denominator) < EXACT
        self.is_coarse = is_exact and whole * factor.denominator * max(self.weight, 1) < COARSE
        if is_exact:
            self.numerators, self.denominator = units * float(factor.numerator), whole * factor.denominator
        else:
            shares = units / whole if self.is_nominal else attribute.positions
            self.numerators, self.denominator = shares * self.weight, 1

    def widths(self, values: Values) -> np.ndarray:
        """Return each region's width as a share of the whole: distinct values if nominal, the range otherwise."""
        if self.is_nominal:
            return self.numerators[values.last - values.first] / self.denominator
        first, last = values.code[values.first], values.code[values.last]
        return (self.numerators[last] - self.numerators[first]) / self.denominator

    def fraction(self, values: Values, region: int) -> Fraction:
        """Return the width of one region in exact arithmetic, numbers being what their texts say."""
        weight, first, last = Fraction(str(float(self.weight))), values.first[region], values.last[region]
        if self.is_nominal:
            return int(last - first) * weight / max(self.size - 1, 1)
        if not len(self.attribute.domain):  # all values are missing
            return Fraction(0)
        begin, end = self._position(0), self._position(len(self.attribute.domain) - 1)
        whole = (end - begin) or Fraction(1)
        low, high = (
            begin + 2 * whole if code == self.attribute.missing_code else self._position(code)
            for code in (int(values.code[first]), int(values.code[last]))
        )
        return (high - low) / whole * weight

    def _position(self, code: int) -> Fraction:
        if self.attribute.kind != "numeric":
            return Fraction(code)
        domain = self.attribute.domain
        if isinstance(domain, pd.DatetimeIndex | pd.TimedeltaIndex):
            return Fraction(int(domain.asi8[code]))
        value = domain[code]
        return Fraction(int(value)) if pd.api.types.is_integer_dtype(domain.dtype) else Fraction(str(float(value)))


def _units(attribute: Attribute) -> tuple[np.ndarray, int]:
    """Return the distance of every code from the first in a common unit, as whole numbers, and that of the last value.

    If doubles cannot hold these numbers, the distance of the last value is too large, too.
    """
    domain = attribute.domain
    known: np.ndarray | None
    if attribute.kind != "numeric":
        known = np.arange(len(domain))
    elif isinstance(domain, pd.DatetimeIndex | pd.TimedeltaIndex):
        known = domain.asi8
    elif pd.api.types.is_integer_dtype(domain.dtype):
        known = domain.to_numpy()
    else:
        known = _without_decimals(domain.to_numpy(dtype=float))
    if known is None or (len(known) and int(known[-1]) - int(known[0]) >= EXACT):
        return np.empty(0), EXACT
    distances = (known - known[:1]).astype(np.int64)
    distances //= max(int(np.gcd.reduce(distances)), 1)
    whole = max(int(distances.max(initial=0)), 1)
    return np.append(distances, [2 * whole] * attribute.missing), whole


def _without_decimals(numbers: np.ndarray) -> np.ndarray | None:
    """Multiply numbers by the power of ten that makes their texts whole numbers; None if doubles cannot hold them."""
    sample = numbers[:: max(len(numbers) // 100, 1)]
    for power in (10.0**decimals for decimals in range(MAX_DECIMALS + 1)):
        for part in (sample, numbers):
            whole = np.rint(part * power)
            if np.abs(whole).max(initial=0) >= EXACT:
                return None
            if (whole / power != part).any():
                break
        else:
            return whole.astype(np.int64)
    return None


class Space:
    """The quasi-identifier of a table: an axis per attribute and the codes of all rows."""

    def __init__(self, table: Table):
        self.table = table
        self.axes = [Axis(table.attributes[name]) for name in table.quasi]
        self.codes = np.stack([table.codes(name) for name in table.quasi])


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of one attribute in every open region, sorted by region and value.

    ``first`` and ``last`` are the indices of each region's smallest and largest value; ``left`` counts the rows of the
    region with this value or a smaller one, which is the left side of a cut just after it.
    """

    owner: np.ndarray
    code: np.ndarray
    count: np.ndarray
    first: np.ndarray
    last: np.ndarray
    left: np.ndarray

    @classmethod
    def of(cls, code: np.ndarray, count: np.ndarray, first: np.ndarray) -> Values:
        """Make them from the codes that occur, the rows that have each, and where each region begins; none is empty."""
        last = np.append(first[1:], len(code)) - 1
        each = last - first + 1
        total = np.cumsum(count)
        left = total - np.repeat(total[first] - count[first], each)
        return cls(np.repeat(np.arange(len(first)), each), code, count, first, last, left)

    @classmethod
    def of_keys(cls, keys: np.ndarray, count: np.ndarray, size: int, regions: int) -> Values:
        """Make them from sorted keys: region times ``size`` plus code."""
        first = np.searchsorted(keys, np.arange(regions) * size)
        return cls.of(keys % size, count, first)

    def indices(self, region: np.ndarray, code: np.ndarray) -> np.ndarray:
        """Return the index of each pair of a region and a code; all of them must occur."""
        size = int(self.code.max(initial=0)) + 1
        return np.searchsorted(self.owner * size + self.code, region * size + code)
