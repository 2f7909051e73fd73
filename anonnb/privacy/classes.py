"""The equivalence classes of a release and the sensitive values in them, computed once for all measures.

Rows whose quasi-identifiers read alike form a class. Suppressed rows are not published, so they are in no class
(``Release.from_frame`` treats rows with nothing but ``*`` as suppressed). A sensitive cell that holds several values
counts as a value of its own.

``people`` counts the people of each class, ``sizes`` its rows; they differ where the table names a person column and
somebody has several rows. A missing sensitive value counts as a value, unless ``missing="ignore"`` is given.
"""

from __future__ import annotations

import math
from functools import cached_property, partial
from itertools import combinations

import numpy as np
import pandas as pd

from anonnb.core.arrays import first_places, group_ids, group_order
from anonnb.core.errors import Message
from anonnb.core.parameters.constraints import Choice
from anonnb.privacy.base import MISSING_SECRET, attach_hierarchy, sensitive_columns
from anonnb.privacy.counts import Counts, Reference
from anonnb.privacy.population import Boxes
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

MISSING = Choice(["value", "any"])


class Classes:
    """Classes of the published rows of a release (or of a table)."""

    def __init__(self, data: Table | Release):
        self.release = as_release(data)
        self.groups, self.n_groups = self.release.groups, self.release.n_groups
        self.sizes = self.release.group_sizes
        self._counts: dict[tuple, list[tuple[Counts, Reference]]] = {}

    @classmethod
    def of(cls, data: Table | Release | Classes) -> Classes:
        return data if isinstance(data, Classes) else cls(data)

    def __len__(self) -> int:
        return len(self.groups)

    def sensitive(self, column: str | tuple[str, ...] | None) -> list[str]:
        return sensitive_columns(self.release.sensitive, list(self.release.columns), column)

    @cached_property
    def people(self) -> np.ndarray:
        """People in each class."""
        return self.release.group_people

    def counts(self, name: str, missing: str = "value") -> tuple[Counts, Reference]:
        """Return the values of a sensitive column per class, and in the whole table."""
        return self.comparisons(name, missing)[0]

    def comparisons(self, name: str, missing: str = "value", in_hierarchy: bool = False) -> list:
        """Return the values of a sensitive column per class, beside those of the table and of all published rows.

        Models compare with both, because a reader of the file knows only the published rows; where both have the same
        distribution, there is one pair. If the table names survey weights, the same follow by weight. Value sets are
        compared with the published rows. ``in_hierarchy`` includes the labels of the column's hierarchy.
        """
        key = name, MISSING_SECRET.validate("missing", missing), in_hierarchy
        if key not in self._counts:
            maps = self._maps(name) if in_hierarchy else None
            if self._is_grouped(name):
                whole = Reference.of_table(self.release.table, name, missing, maps)
                counts = Counts.of_grouped(whole, self.release.secrets, self.groups, self.n_groups)
                return self._counts.setdefault(key, [(counts, whole)])
            codes, size, alike, absent, original = self._codes(name)
            ignored = absent if missing == "ignore" else None
            whose = self.release.people
            references = [original(missing, maps)] if original else []
            if whose is None:
                published = Reference.of_rows(np.bincount(codes, minlength=size), alike, ignored, maps)
            else:
                published = Reference.of_people(codes, size, alike, whose, ignored, maps)
            if not references or not (self.release.table.of_a_whole or _same(references[0], published)):
                references.append(published)
            pairs = [
                (Counts.among(whole, whole.place[codes], self.groups, self.n_groups, whose), whole)
                for whole in references
            ]
            self._counts[key] = pairs + self._weighted(name, codes, whose, pairs, original is not None)
        return self._counts[key]

    def _weighted(self, name: str, codes: np.ndarray, whose: np.ndarray | None, pairs: list, of_table: bool) -> list:
        """Return the same comparisons by survey weights, if any; with ``of_table``, the first is of the table."""
        table = self.release.table
        if table.weight is None or (self.release.rows is None and table.weight not in self.release.columns):
            return []
        weights, heavy = self.release.row_weights, []
        for number, (counts, whole) in enumerate(pairs):
            positions = whole.place[codes]
            rows: tuple = (positions, weights, whose)
            if of_table and number == 0:
                people = table.people if table.people_repeat else None
                rows = (whole.place[table.codes(name)], table.row_weights, people)
            among = counts.weighted(positions, whole.size, self.groups, weights, whose)
            heavy.append((among, whole.weighted(*rows)))
        return heavy

    def _is_grouped(self, name: str) -> bool:
        """Tell whether a column is published per group of people, in a table of its own."""
        return self.release.secrets is not None and self.release.secrets.column == name

    def row_counts(self, name: str) -> Counts:
        """Count the values of a column per class by rows, missing ones included: for utility, not for privacy."""
        codes, size, alike, *_ = self._codes(name)
        return Counts.of(alike[codes].astype(np.int64), size, self.groups, self.n_groups)

    def _codes(self, name: str) -> tuple:
        """Return a code per published row, the number of codes, the first that reads like each, and the missing one.

        The last is the distribution of the original table, where the release shows single values of it.
        """
        column, table = self.release.columns[name], self.release.table
        attribute = column.attribute
        if attribute is table.attributes.get(name) and (column.sizes == 1).all():
            absent = attribute.blank_code
            codes = column.sets.lo[column.index]
            return codes, attribute.size, attribute.as_written, absent, partial(Reference.of_table, table, name)
        codes, size, absent = _ordered_codes(column)
        return codes, size, np.arange(size), absent, None

    def _maps(self, name: str) -> np.ndarray:
        """Return the labels of each level of a column of single values."""
        column = self.release.columns[name]
        if column.attribute.hierarchy is None:
            raise ValueError(
                Message(f"the hierarchical distance needs a hierarchy of column {name!r}", attach_hierarchy(name))
            )
        if (column.sizes > 1).any() and not self._is_grouped(name):
            raise ValueError(
                f"column {name!r} holds cells with several values, which have no place in its hierarchy; "
                "use distance='equal'"
            )
        return column.attribute.levels.maps

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
        """Return which quasi-identifiers are published as missing (classes × quasi-identifiers)."""
        flags = []
        for sets, numbers in self.boxes.values():
            code = sets.attribute.missing_code
            flags.append(((sets.lo == code) & (sets.hi == code))[numbers])
        return np.column_stack(flags) if flags else np.zeros((self.n_groups, 0), dtype=bool)

    def matching(self, missing: str = "value") -> np.ndarray:
        """Return for each class the number of people whom its quasi-identifier fits.

        ``missing="value"``: a missing value is a value of its own, so these are the people of the class.
        ``missing="any"``: a missing value, on either side, matches anything. Where people have several rows, these are
        again the people of the class, since nobody may count twice.
        """
        MISSING.validate("missing", missing)
        if missing == "value" or not self.has_missing or self.release.table.people_repeat:
            return self.people
        return self._matching_anything

    @cached_property
    def _matching_anything(self) -> np.ndarray:
        """Match families of classes with the same columns missing, on the columns that both families have.

        Within a family, classes differ in a column that they have, so a class matches only itself.
        """
        columns = [(numbers, len(sets)) for sets, numbers in self.boxes.values()]
        family, n_families = group_ids(list(self._missing.T), [2] * len(columns))
        order, starts = group_order(family, n_families)
        members = sorted(np.split(order, starts[1:-1]), key=len)
        total = self.sizes.copy()
        for few, many in combinations(members, 2):
            known = np.flatnonzero(~(self._missing[few[0]] | self._missing[many[0]]))
            keys = _keys([columns[index] for index in known], np.concatenate([few, many]))
            index, distinct = pd.factorize(keys[: len(few)])
            matches = pd.Index(distinct).get_indexer(keys[len(few) :])  # the smaller family makes the hash table
            hits = np.flatnonzero(matches >= 0)
            matches, many = matches[hits], many[hits]
            total[many] += np.bincount(index, weights=self.sizes[few]).astype(np.int64)[matches]
            rows = np.bincount(matches, weights=self.sizes[many], minlength=len(distinct)).astype(np.int64)
            total[few] += rows[index]
        return total


def _keys(columns: list[tuple[np.ndarray, int]], classes: np.ndarray) -> np.ndarray:
    """Return one number per class for its cells in several columns; equal cells have equal numbers."""
    if math.prod(size for _, size in columns) >= 2**62:
        return group_ids([numbers[classes] for numbers, _ in columns])[0]
    key = np.zeros(len(classes), dtype=np.int64)
    for numbers, size in columns:
        key = key * size + numbers[classes]
    return key


def _same(one: Reference, other: Reference) -> bool:
    return np.array_equal(one.place, other.place) and np.array_equal(one.share, other.share)


def _ordered_codes(column: Column) -> tuple[np.ndarray, int, int | None]:
    """Return a code per row for the set it holds, the number of codes, and the code of the set {missing}.

    Sets are ordered by their ends, so that single values keep their order.
    """
    sets = column.sets
    blank = column.attribute.blank_code
    missing = -1 if blank is None else blank
    absent = np.flatnonzero((sets.lo == missing) & (sets.hi == missing))
    order = np.lexsort((sets.mask_row, sets.hi, sets.lo))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[column.index], len(order), int(rank[absent[0]]) if len(absent) else None
