"""What the rows have in common that can take known values, for many cases: rows are joined with cases, not compared.

That works where the published sets of the known columns do not overlap, suppressed cells aside; each row is then looked
at once, and not once for each case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from anonnb.core.arrays import group_order, popcount
from anonnb.tables.matching import DistinctRows
from anonnb.tables.matching.selections import Join, joins

ALL = ~np.uint64(0)


class JoinedRows:
    """The rows that each case selects.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.tables.release import Release
    >>> rows = DistinctRows(Release.of(anonnb.load("decision6")), ["domicile", "occupation"])
    >>> found = JoinedRows.of(rows, {"domicile": np.array([0, 1, 2])})
    >>> found.count().tolist(), found.meet("occupation")[0].tolist()
    ([2, 2, 1], [0, 0, 1])
    """

    def __init__(self, published: DistinctRows, families: Sequence[Join]):
        self._published, self._families = published, [_Family(join) for join in families]

    @classmethod
    def of(cls, published: DistinctRows, known: Mapping[str, np.ndarray]) -> JoinedRows | None:
        """From codes of the release's table, a code per case and column (-1: no row); None where sets overlap."""
        table, columns = published.release.table, [published.column(name) for name in known]
        codes = [
            np.append(table.attributes[name].recode_to(column.attribute), -1)[own]
            for (name, own), column in zip(known.items(), columns, strict=True)
        ]
        found = joins(codes, columns)
        return None if found is None else cls(published, found)

    def count(self) -> np.ndarray:
        """How many rows each case selects."""
        return np.sum([family.per_case(family.sizes, 0) for family in self._families], axis=0)

    def meet(self, target: str) -> tuple[np.ndarray, np.ndarray]:
        """How many values of the target all rows of a case share, and the first of them (0 where there is none)."""
        column = self._published.column(target)
        if (column.sets.mask_row[column.index] < 0).all():
            return self._meet_runs(column.sets.lo[column.index], column.sets.hi[column.index])
        return self._meet_sets(*self._published.words(target))

    def _meet_runs(self, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Runs of codes: the largest lower and the smallest upper end."""
        low = np.max([family.reduced(np.maximum, lo, -1) for family in self._families], axis=0)
        high = np.min([family.reduced(np.minimum, hi, np.iinfo(np.int32).max) for family in self._families], axis=0)
        left = np.where(low >= 0, np.maximum(high.astype(np.int64) - low + 1, 0), 0)
        return left, np.where(left > 0, low, 0)

    def _meet_sets(self, number: np.ndarray, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Any sets, as words: the bits that all of them have."""
        common = [family.reduced(np.bitwise_and, sets[number], ALL) for family in self._families]
        flags = np.bitwise_and.reduce(common) * (self.count() > 0)[:, None].astype(np.uint64)
        bits = np.unpackbits(flags.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        return popcount(flags), bits.argmax(axis=1)


class _Family:
    """Rows that are joined with cases by a number."""

    def __init__(self, join: Join):
        self.sizes = np.bincount(join.row)
        order, starts = group_order(join.row, len(self.sizes))
        self._rows, self._starts = join.rows[order], starts[:-1]
        self._case = np.minimum(join.person, len(self.sizes))  # the last stands for cases that select none of the rows

    def per_case(self, found: np.ndarray, none: int | np.uint64) -> np.ndarray:
        """For each case what was found for its rows, or ``none``."""
        rest = np.full((1, *found.shape[1:]), none, dtype=found.dtype)
        return np.concatenate([found, rest])[self._case]

    def reduced(self, function: np.ufunc, values: np.ndarray, none: int | np.uint64) -> np.ndarray:
        """For each case all values of its rows, reduced to one."""
        if not len(self._rows):
            return self.per_case(values[:0], none)
        return self.per_case(function.reduceat(values[self._rows], self._starts, axis=0), none)
