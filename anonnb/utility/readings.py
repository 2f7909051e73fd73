"""How an analyst reads published cells: each value set as numbers and as shares of a few bins, one row at a time.

A cell with several values is read in one of two ways. ``"midpoint"``: as the value in the middle of the set, which for
an interval is halfway between its ends. ``"uniform"``: as all its values, each with the same share. Withheld rows are
absent; a column that shows nothing but ``*`` counts as not published.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

READINGS = ("uniform", "midpoint")
BINS = 10  # of a column in tables of counts; the rarest values share the last


class Scale:
    """Fixed by the original column for every reading: the unit of its numbers, its bins and its ranges."""

    def __init__(self, attribute: Attribute, counts: np.ndarray, bins: int = BINS):
        self.attribute, self.counts = attribute, counts
        known = np.append(counts[: len(attribute.domain)], [])
        self.is_number = attribute.kind == "numeric"
        self.centre = self.spread = 0.0
        if self.is_number and known.sum():
            numbers = attribute.numbers[: len(known)]
            self.centre = float(np.average(numbers, weights=known))
            self.spread = float(np.sqrt(np.average((numbers - self.centre) ** 2, weights=known)))
        if self.is_number:
            shares = np.cumsum(known) / max(known.sum(), 1)
            ends = np.searchsorted(shares, np.arange(1, bins) / bins)
            self.edges = np.unique(attribute.numbers[np.minimum(ends, len(known) - 1)]) if len(known) else np.zeros(0)
            self.n_bins = len(self.edges) + 2  # the last one is for missing values
        else:
            self.common = np.argsort(-counts, kind="stable")[: bins - 1]
            self.n_bins = len(self.common) + 1

    def bins(self, attribute: Attribute) -> np.ndarray:
        """Return the bin of each code of a column, which may hold values that the original column does not."""
        if self.is_number:
            return self.bins_of_numbers(self.numbers_of(attribute))
        position = np.full(self.attribute.size + 1, self.n_bins - 1)
        position[self.common] = np.arange(len(self.common))
        return position[attribute.recode_to(self.attribute)]

    def numbers_of(self, attribute: Attribute) -> np.ndarray:
        """Return the numbers of another column, comparable with those of this one; NaN if it holds none."""
        if attribute.kind != "numeric":
            return np.full(attribute.size, np.nan)
        return attribute.numbers_from(self.attribute)

    def bins_of_numbers(self, numbers: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(numbers), self.n_bins - 1, np.searchsorted(self.edges, numbers))

    def in_units(self, numbers: np.ndarray) -> np.ndarray:
        """Return numbers in standard deviations of the original column from its mean."""
        return (numbers - self.centre) / (self.spread or 1.0)


class ReadColumn:
    """Published column in one reading. ``index`` numbers the sets; everything else is per set."""

    def __init__(self, column: Column, scale: Scale, cells: str):
        self.column, self.scale, self.cells = column, scale, cells
        self.index, self.sets = column.index, column.sets
        used = np.bincount(self.index, minlength=len(self.sets)) > 0
        size = column.attribute.size
        self.is_published = bool((used & ((self.sets.sizes < size) | (size == 1))).any())

    @cached_property
    def middles(self) -> np.ndarray:
        """The code in the middle of each set."""
        sets = self.sets
        middle = sets.lo + (sets.sizes - 1) // 2
        for number in np.flatnonzero(sets.mask_row >= 0):
            middle[number] = np.flatnonzero(sets.masks[sets.mask_row[number]])[(sets.sizes[number] - 1) // 2]
        return middle

    @cached_property
    def numbers(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and variance of the numbers that each set stands for, in the scale's units; NaN where none is known."""
        values = self.scale.in_units(self.column.attribute.numbers)
        if self.cells == "midpoint":
            first, last = self._known_ends
            return (values[first] + values[last]) / 2, np.zeros(len(self.sets))
        known = ~np.isnan(values)
        count = self.sets.totals(known.astype(float))
        filled = np.where(known, values, 0.0)
        with np.errstate(invalid="ignore"):
            mean = self.sets.totals(filled) / count
            return mean, np.maximum(self.sets.totals(filled**2) / count - mean**2, 0.0)

    @property
    def _known_ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Return first and last code of each set, without the missing value if there is another."""
        absent = (self.sets.hi == self.column.attribute.missing_code) & (self.sets.sizes > 1)
        last = self.sets.hi.copy()
        for number in np.flatnonzero(absent).tolist():
            last[number] = np.flatnonzero(self.sets.mask(number))[-2]
        return self.sets.lo, last

    def shares(self, bins: np.ndarray, n_bins: int) -> np.ndarray:
        """Return the share of each set that lies in each bin; ``bins`` is per code of the column (sets × bins)."""
        if self.cells == "midpoint":
            return np.eye(n_bins)[self._middle_bins(bins)]
        return (
            np.column_stack([self.sets.totals((bins == bin_number) * 1.0) for bin_number in range(n_bins)])
            / (self.sets.sizes[:, None])
        )

    def _middle_bins(self, bins: np.ndarray) -> np.ndarray:
        if not self.scale.is_number:
            return bins[self.middles]
        first, last = self._known_ends
        numbers = self.column.attribute.numbers
        return self.scale.bins_of_numbers((numbers[first] + numbers[last]) / 2)

    def inside(self, low: int, high: int) -> np.ndarray:
        """Return the share of each set between two codes of the original column, ends included."""
        codes, wanted = self.column.attribute, self.scale.attribute
        if self.scale.is_number and high < len(wanted.domain):  # a missing value has a code, but no number
            ends = wanted.numbers[low], wanted.numbers[high]
            if self.cells == "midpoint":
                first, last = self._known_ends
                middle = (codes.numbers[first] + codes.numbers[last]) / 2
                return ((middle >= ends[0]) & (middle <= ends[1])) * 1.0
            flags = (codes.numbers >= ends[0]) & (codes.numbers <= ends[1])
        else:
            code = codes.recode_to(wanted)
            flags = (code >= low) & (code <= high)
        if self.cells == "midpoint":
            return flags[self.middles] * 1.0
        return self.sets.totals(flags * 1.0) / self.sets.sizes


def scales(table: Table, release: Release) -> dict[str, Scale]:
    """Return the scale of each column that a release publishes by its role."""
    roles = {*release.quasi, *release.sensitive, release.decision}
    return {name: Scale(table.attributes[name], table.counts(name)) for name in release.columns if name in roles}


# ---- sums of products ------------------------------------------------------------------------------------------------
# One pass over the rows of a release: all sums of products that means, tables, regressions and classifiers need.
#
# Each row becomes a line of numbers (a one, the numbers of its numeric cells, the shares of its cells in bins); sums of
# products of these lines (a Gram matrix) hold every mean, variance, correlation, table of two columns and regression.


ROWS_AT_ONCE = 65_536


@dataclass(frozen=True, eq=False)
class Gram:
    """Sums of products over the published rows, and the position of each column in them.

    ``number``, ``known`` and ``square`` give the places of a numeric column's value (0 where it is missing), of a flag
    that it is known, and of its square; ``bins`` gives the places of a column's bins. Place 0 counts the rows.
    """

    sums: np.ndarray
    number: dict[str, int]
    known: dict[str, int]
    square: dict[str, int]
    bins: dict[str, slice]
    read: dict[str, ReadColumn]

    @classmethod
    def of(cls, release: Release, scales: dict[str, Scale], cells: str) -> Gram:
        read = {name: ReadColumn(release.columns[name], scale, cells) for name, scale in scales.items()}
        parts: list[tuple[str, np.ndarray]] = []
        number, known, square, bins, position = {}, {}, {}, {}, 1
        for name, column in read.items():
            if scales[name].is_number:
                mean, variance = column.numbers
                there = ~np.isnan(mean)
                mean = np.where(there, mean, 0.0)
                number[name], known[name], square[name] = position, position + 1, position + 2
                parts.append((name, np.column_stack([mean, there, mean**2 + np.where(there, variance, 0.0)])))
                position += 3
            width = scales[name].n_bins
            bins[name] = slice(position, position + width)
            parts.append((name, column.shares(scales[name].bins(column.column.attribute), width)))
            position += width
        sums = np.zeros((position, position))
        for start in range(0, len(release), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            block, end = np.empty((min(len(release) - start, ROWS_AT_ONCE), position)), 1
            block[:, 0] = 1.0
            for name, part in parts:
                block[:, end : end + part.shape[1]] = part[read[name].index[rows]]
                end += part.shape[1]
            sums += block.T @ block
        return cls(sums, number, known, square, bins, read)

    def without(self, part: Gram) -> Gram:
        """Return the sums over the rows that are not in a part."""
        left = np.maximum(self.sums - part.sums, 0.0)  # used for counts, which rounding must not take below 0
        return replace(self, sums=left)

    @property
    def rows(self) -> float:
        return float(self.sums[0, 0])

    def is_published(self, *names: str) -> bool:
        """Tell whether there are rows, and these columns show something."""
        return self.rows > 0 and all(self.read[name].is_published for name in names)

    def moments(self, name: str) -> tuple[float, float]:
        """Return mean and variance of a numeric column, in units of the original."""
        count = self.sums[self.known[name], 0]
        if not count:
            return 0.0, 0.0
        mean = self.sums[self.number[name], 0] / count
        return float(mean), max(float(self.sums[self.square[name], 0] / count - mean**2), 0.0)

    def correlation(self, one: str, other: str) -> float:
        """Return Pearson's correlation over the rows that have both numbers; 0 if one of them does not vary."""
        sums, n = self.sums, self.sums[self.known[one], self.known[other]]
        if n < 2:
            return 0.0
        means = [sums[self.number[a], self.known[b]] / n for a, b in ((one, other), (other, one))]
        spreads = [
            sums[self.square[a], self.known[b]] / n - m**2
            for (a, b), m in zip(((one, other), (other, one)), means, strict=True)
        ]
        if min(spreads) <= 1e-12:
            return 0.0
        shared = sums[self.number[one], self.number[other]] / n - means[0] * means[1]
        return float(np.clip(shared / np.sqrt(spreads[0] * spreads[1]), -1.0, 1.0))

    def table(self, one: str, other: str) -> np.ndarray:
        """Return the share of rows in each pair of bins."""
        return self.sums[self.bins[one], self.bins[other]] / max(self.rows, 1.0)
