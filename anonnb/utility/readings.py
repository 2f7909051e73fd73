"""How an analyst reads published cells: each value set as numbers and as shares of a few bins, one row at a time.

A cell with several values is read in one of two ways. ``"midpoint"``: as the value in the middle of the set, which for
an interval is halfway between its ends. ``"uniform"``: as all its values, each with the same share. Withheld rows are
absent; a column that shows nothing but ``*`` counts as not published.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

READINGS = ("uniform", "midpoint")
BINS = 10  # of a column in tables of counts; the rarest values share the last


class Scale:
    """What the original column fixes for every reading: the unit of its numbers, its bins and its ranges."""

    def __init__(self, attribute: Attribute, counts: np.ndarray):
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
            ends = np.searchsorted(shares, np.arange(1, BINS) / BINS)
            self.edges = np.unique(attribute.numbers[np.minimum(ends, len(known) - 1)]) if len(known) else np.zeros(0)
            self.n_bins = len(self.edges) + 2  # the last one is for missing values
        else:
            self.common = np.argsort(-counts, kind="stable")[: BINS - 1]
            self.n_bins = len(self.common) + 1

    def bins(self, own: Attribute) -> np.ndarray:
        """The bin of each code of a column, which may hold values that the original column does not."""
        if self.is_number:
            return self.bins_of_numbers(own.numbers)
        place = np.full(self.attribute.size + 1, self.n_bins - 1)
        place[self.common] = np.arange(len(self.common))
        return place[own.recode_to(self.attribute)]

    def bins_of_numbers(self, numbers: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(numbers), self.n_bins - 1, np.searchsorted(self.edges, numbers))

    def in_units(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers in standard deviations of the original column from its mean."""
        return (numbers - self.centre) / (self.spread or 1.0)


class ReadColumn:
    """A published column in one reading. ``index`` numbers the sets; everything else is per set."""

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
        """First and last code of each set, without the missing value where there is another."""
        absent = (self.sets.hi == self.column.attribute.missing_code) & (self.sets.sizes > 1)
        last = self.sets.hi.copy()
        for number in np.flatnonzero(absent):
            last[number] = np.flatnonzero(self.sets.mask(number))[-2]
        return self.sets.lo, last

    def shares(self, bins: np.ndarray, n_bins: int) -> np.ndarray:
        """The share of each set that lies in each bin; ``bins`` is per code of the column (sets × bins)."""
        if self.cells == "midpoint":
            return np.eye(n_bins)[self._middle_bins(bins)]
        return (
            np.column_stack([self.sets.totals((bins == place) * 1.0) for place in range(n_bins)])
            / (self.sets.sizes[:, None])
        )

    def _middle_bins(self, bins: np.ndarray) -> np.ndarray:
        if not self.scale.is_number:
            return bins[self.middles]
        first, last = self._known_ends
        numbers = self.column.attribute.numbers
        return self.scale.bins_of_numbers((numbers[first] + numbers[last]) / 2)

    def inside(self, low: int, high: int) -> np.ndarray:
        """The share of each set between two codes of the original column, ends included."""
        own, wanted = self.column.attribute, self.scale.attribute
        if self.scale.is_number and high < len(wanted.domain):  # a missing value has a code, but no number
            ends = wanted.numbers[low], wanted.numbers[high]
            if self.cells == "midpoint":
                first, last = self._known_ends
                middle = (own.numbers[first] + own.numbers[last]) / 2
                return ((middle >= ends[0]) & (middle <= ends[1])) * 1.0
            flags = (own.numbers >= ends[0]) & (own.numbers <= ends[1])
        else:
            code = own.recode_to(wanted)
            flags = (code >= low) & (code <= high)
        if self.cells == "midpoint":
            return flags[self.middles] * 1.0
        return self.sets.totals(flags * 1.0) / self.sets.sizes


def scales(table: Table, release: Release) -> dict[str, Scale]:
    """The scale of each column that a release publishes by its role."""
    roles = {*release.quasi, *release.sensitive, release.decision}
    return {name: Scale(table.attributes[name], table.counts(name)) for name in release.columns if name in roles}
