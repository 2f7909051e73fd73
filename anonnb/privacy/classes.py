"""The equivalence classes of a release and the sensitive values in them, computed once for all measures.

Rows whose quasi-identifiers read alike are one class. Suppressed rows are not published, so they are in no class (in
somebody else's table ``Release.from_frame`` takes rows of nothing but ``*`` for suppressed). A sensitive cell that
holds several values counts as a value of its own.
"""

from __future__ import annotations

import math
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.arrays import first_places, group_ids, group_order
from anonnb.core.constraints import Choice
from anonnb.core.errors import Message
from anonnb.privacy.counts import Counts, Reference
from anonnb.privacy.models import attach_hierarchy, sensitive_columns
from anonnb.privacy.population import Boxes
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

MISSING = Choice(["value", "any"])


class Classes:
    """The classes of the published rows of a release (or of a table)."""

    def __init__(self, data: Table | Release):
        self.release = as_release(data)
        self.groups, self.n_groups = self.release.groups, self.release.n_groups
        self.sizes = self.release.group_sizes
        self._counts: dict[str, tuple[Counts, Reference]] = {}

    @classmethod
    def of(cls, data: Table | Release | Classes) -> Classes:
        return data if isinstance(data, Classes) else cls(data)

    def __len__(self) -> int:
        return len(self.groups)

    def sensitive(self, column: str | tuple[str, ...] | None) -> list[str]:
        return sensitive_columns(self.release.sensitive, list(self.release.columns), column)

    def counts(self, name: str) -> tuple[Counts, Reference]:
        """The values of a sensitive column per class, and in the whole table."""
        if name not in self._counts:
            codes, whole, alike = self._codes(name)
            reference = Reference.of(whole, alike)
            counts = Counts.of(reference.place[codes], reference.size, self.groups, self.n_groups)
            self._counts[name] = counts, reference
        return self._counts[name]

    def _codes(self, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A code per published row, how many of all rows have each code, and the first code that reads like each.

        Where the release shows single values, all rows are those of the original table, withheld ones included: that is
        what models compare with too. Sets of values are compared with the published rows.
        """
        column, table = self.release.columns[name], self.release.table
        if column.attribute is table.attributes.get(name) and (column.sizes == 1).all():
            return column.sets.lo[column.index], table.counts(name), column.attribute.as_written
        codes, size = _ordered_codes(column)
        return codes, np.bincount(codes, minlength=size), np.arange(size)

    def counts_in_hierarchy(self, name: str) -> tuple[Counts, Reference]:
        """The same for a column of single values, together with the labels of its hierarchy."""
        column = self.release.columns[name]
        if column.attribute.hierarchy is None:
            raise ValueError(
                Message(f"the hierarchical distance needs a hierarchy of column {name!r}", attach_hierarchy(name))
            )
        if (column.sizes > 1).any():
            raise ValueError(
                f"column {name!r} holds cells with several values, which have no place in its hierarchy; "
                "use distance='equal'"
            )
        codes, whole, alike = self._codes(name)
        reference = Reference.of(whole, alike, column.attribute.levels.maps)
        return Counts.of(reference.place[codes], reference.size, self.groups, self.n_groups), reference

    @cached_property
    def first(self) -> np.ndarray:
        """The first row of each class."""
        return first_places(self.groups, self.n_groups)

    @property
    def boxes(self) -> Boxes:
        """What each class publishes: a value set per quasi-identifier."""
        columns = self.release.columns
        return {name: (columns[name].sets, columns[name].index[self.first]) for name in self.release.quasi}

    # ---- missing values ---------------------------------------------------------------------------------------

    @cached_property
    def has_missing(self) -> bool:
        """Whether a quasi-identifier of some published row is missing."""
        return bool(self._missing.any())

    @cached_property
    def _missing(self) -> np.ndarray:
        """Classes × quasi-identifiers: which are published as missing."""
        flags = []
        for sets, numbers in self.boxes.values():
            code = sets.attribute.missing_code
            flags.append(((sets.lo == code) & (sets.hi == code))[numbers])
        return np.column_stack(flags) if flags else np.zeros((self.n_groups, 0), dtype=bool)

    def matching(self, missing: str = "value") -> np.ndarray:
        """For each class the rows that its quasi-identifier fits.

        ``missing="value"``: a missing value is a value of its own, so these are the rows of the class.
        ``missing="any"``: a missing value, on either side, matches anything.
        """
        MISSING.checked("missing", missing)
        return self.sizes if missing == "value" or not self.has_missing else self._matching_anything

    @cached_property
    def _matching_anything(self) -> np.ndarray:
        """Classes with the same columns missing are a family; two families are compared on what both know.

        Within a family classes differ in what they know, so a class matches itself alone.
        """
        columns = [(numbers, len(sets)) for sets, numbers in self.boxes.values()]
        family, n_families = group_ids(list(self._missing.T), [2] * len(columns))
        order, starts = group_order(family, n_families)
        members = sorted(np.split(order, starts[1:-1]), key=len)
        total = self.sizes.copy()
        for few, many in combinations(members, 2):
            known = np.flatnonzero(~(self._missing[few[0]] | self._missing[many[0]]))
            keys = _keys([columns[place] for place in known], np.concatenate([few, many]))
            place, distinct = pd.factorize(keys[: len(few)])
            found = pd.Index(distinct).get_indexer(keys[len(few) :])  # the smaller family makes the hash table
            hits = np.flatnonzero(found >= 0)
            found, many = found[hits], many[hits]
            total[many] += np.bincount(place, weights=self.sizes[few]).astype(np.int64)[found]
            rows = np.bincount(found, weights=self.sizes[many], minlength=len(distinct)).astype(np.int64)
            total[few] += rows[place]
        return total


def _keys(columns: list[tuple[np.ndarray, int]], classes: np.ndarray) -> np.ndarray:
    """One number per class for its cells in several columns; equal cells, equal numbers."""
    if math.prod(size for _, size in columns) >= 2**62:
        return group_ids([numbers[classes] for numbers, _ in columns])[0]
    key = np.zeros(len(classes), dtype=np.int64)
    for numbers, size in columns:
        key = key * size + numbers[classes]
    return key


def _ordered_codes(column: Column) -> tuple[np.ndarray, int]:
    """A code per row for the set it holds; sets are ordered by their ends, so that single values keep their order."""
    sets = column.sets
    order = np.lexsort((sets.mask_row, sets.hi, sets.lo))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[column.index], len(order)
