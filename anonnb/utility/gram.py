"""One pass over the rows of a release: all sums of products that means, tables, regressions and classifiers need.

Each row becomes a line of numbers (a one, the numbers of its numeric cells, the shares of its cells in bins); the sums
of products of these lines (a Gram matrix) hold every mean, variance, correlation, table of two columns and regression.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from anonnb.tables.release import Release
from anonnb.utility.readings import ReadColumn, Scale

ROWS_AT_ONCE = 65_536


@dataclass(frozen=True, eq=False)
class Gram:
    """Sums of products over the published rows, and the place of each column in them.

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
        number, known, square, bins, place = {}, {}, {}, {}, 1
        for name, column in read.items():
            if scales[name].is_number:
                mean, variance = column.numbers
                there = ~np.isnan(mean)
                mean = np.where(there, mean, 0.0)
                number[name], known[name], square[name] = place, place + 1, place + 2
                parts.append((name, np.column_stack([mean, there, mean**2 + np.where(there, variance, 0.0)])))
                place += 3
            width = scales[name].n_bins
            bins[name] = slice(place, place + width)
            parts.append((name, column.shares(scales[name].bins(column.column.attribute), width)))
            place += width
        sums = np.zeros((place, place))
        for start in range(0, len(release), ROWS_AT_ONCE):
            rows = slice(start, start + ROWS_AT_ONCE)
            block, end = np.empty((min(len(release) - start, ROWS_AT_ONCE), place)), 1
            block[:, 0] = 1.0
            for name, part in parts:
                block[:, end : end + part.shape[1]] = part[read[name].index[rows]]
                end += part.shape[1]
            sums += block.T @ block
        return cls(sums, number, known, square, bins, read)

    def without(self, part: Gram) -> Gram:
        """The sums over the rows that are not in a part."""
        left = np.maximum(self.sums - part.sums, 0.0)  # used for counts, which rounding must not take below 0
        return replace(self, sums=left)

    @property
    def rows(self) -> float:
        return float(self.sums[0, 0])

    def is_published(self, *names: str) -> bool:
        """Whether there are rows, and these columns show something."""
        return self.rows > 0 and all(self.read[name].is_published for name in names)

    def moments(self, name: str) -> tuple[float, float]:
        """Mean and variance of a numeric column, in units of the original."""
        count = self.sums[self.known[name], 0]
        if not count:
            return 0.0, 0.0
        mean = self.sums[self.number[name], 0] / count
        return float(mean), max(float(self.sums[self.square[name], 0] / count - mean**2), 0.0)

    def correlation(self, one: str, other: str) -> float:
        """Pearson's correlation over the rows that have both numbers; 0 where one of them does not vary."""
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
        """The share of rows in each pair of bins."""
        return self.sums[self.bins[one], self.bins[other]] / max(self.rows, 1.0)
