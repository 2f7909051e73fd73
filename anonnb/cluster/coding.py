"""One code for one value in all partitions: the distinct values of all of them make the domains of the whole table.

Domains follow from the values alone, so that codes do not depend on how the rows were partitioned; only unordered
categories that partitions list in different orders are taken as they come. Along with the values their rows are
counted: that is the distribution which requirements and measures compare groups with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from anonnb.cluster.reading import Notes, Raw, family
from anonnb.tables.attribute import Attribute
from anonnb.tables.encoding import encode
from anonnb.tables.table import Table

Block = dict[str, np.ndarray]  # the codes of some rows, column by column


class Tally(NamedTuple):
    """The distinct known values of a column, the rows that have each, and the rows without a value."""

    values: pd.Series
    counts: np.ndarray
    missing: int


@dataclass(frozen=True, eq=False)
class Coding:
    """How the values of a column become codes of the whole table: ``places[i]`` is the code of ``values[i]``."""

    values: pd.Index
    places: np.ndarray

    def codes(self, values: pd.Series, codes: np.ndarray, size: int) -> np.ndarray:
        """Return the codes of a partition's rows; a missing value gets the last of the ``size`` codes."""
        new_codes = np.append(self.places[self.values.get_indexer(_plain(values))], size - 1)
        return new_codes[codes].astype(np.min_scalar_type(max(size - 1, 0)))


class Part(Table):
    """Some rows of a table on a cluster, in the memory of one worker: domains and counts are those of the whole."""

    of_a_whole: ClassVar[bool] = True
    whole: WholeTable

    def counts(self, name: str) -> np.ndarray:
        return self.whole.counts[name]


@dataclass(frozen=True, eq=False)
class WholeTable:
    """What is known of the whole table: attributes, rows with each code, roles."""

    rows: int
    attributes: dict[str, Attribute]
    counts: dict[str, np.ndarray]
    roles: Any

    def part(self, block: Mapping[str, np.ndarray]) -> Part:
        """Return some of the rows as a table."""
        codes = {name: codes.astype(np.int32) for name, codes in block.items()}
        part = Part._of(self.attributes, codes, self.roles, pd.RangeIndex(len(next(iter(codes.values())))))
        vars(part)["whole"] = self
        return part


def tallied(part: Raw) -> dict[str, Tally]:
    """Count the values of one partition."""
    tallies = {}
    for name, values in part.values.items():
        counts = np.bincount(part.codes[name], minlength=len(values) + 1)
        tallies[name] = Tally(values, counts[:-1], int(counts[-1]))
    return tallies


def merged(parts: Sequence[dict[str, Tally]]) -> dict[str, Tally]:
    """Add up the values of several partitions."""
    return {name: _merged([part[name] for part in parts]) for name in parts[0]}


def _merged(tallies: Sequence[Tally]) -> Tally:
    values = _together([tally.values for tally in tallies])
    codes, distinct = pd.factorize(values)
    counts = np.bincount(codes, np.concatenate([tally.counts for tally in tallies if len(tally.values)] or [codes]))
    values = pd.Series(distinct, dtype=values.dtype, name=values.name)
    return Tally(values, counts.astype(np.int64), sum(tally.missing for tally in tallies))


def _together(columns: Sequence[pd.Series]) -> pd.Series:
    """Concatenate the values of several partitions, in a dtype that all of them fit."""
    filled = [column for column in columns if len(column)] or [columns[0]]
    if len({column.dtype for column in filled}) > 1:
        categories = [column.dtype for column in filled if isinstance(column.dtype, pd.CategoricalDtype)]
        if any(dtype.ordered for dtype in categories):
            raise TypeError(
                f"column {filled[0].name!r} has different ordered categories in different partitions; "
                "give all the same, or declare its order with orders="
            )
        filled = [pd.Series(_plain(column), name=column.name) for column in filled]
    return pd.concat(filled, ignore_index=True)


def _plain(values: pd.Series) -> pd.Index:
    """Return values without categories, and texts of one dtype whatever held them."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = pd.Series(values.cat.categories.take(values.cat.codes), name=values.name)
    return pd.Index(values.astype("str") if family(values) == "texts" else values)


def check_same_families(notes: Sequence[Notes], labels: Sequence[str]) -> None:
    """Raise TypeError when a column holds numbers in one partition and texts in another, say."""
    for name in notes[0].families:
        first = None
        for label, note in zip(labels, notes, strict=True):
            kind = note.families[name]
            if kind is None:
                continue
            first = first or (kind, label)
            if kind != first[0]:
                raise TypeError(
                    f"column {name!r} holds {first[0]} in {first[1]} and {kind} in {label}; convert it to one type"
                )


def coded_whole(
    tallies: dict[str, Tally], rows: int, roles: Any, kinds: Mapping, orders: Mapping, hierarchies: Mapping
) -> tuple[WholeTable, dict[str, Coding]]:
    """Return the attributes of the whole table, and how values become codes."""
    attributes, counts, codings = {}, {}, {}
    for name, tally in tallies.items():
        values = tally.values
        if tally.missing and values.dtype.kind in "iu" and isinstance(values.dtype, np.dtype):
            values = values.astype(float)  # as in pandas, where such a column has no room for a missing value
        attribute, codes = encode(values, kinds.get(name), orders.get(name), hierarchies.get(name))
        if tally.missing:
            attribute = replace(attribute, missing=True)
        known = np.bincount(codes, tally.counts, minlength=len(attribute.domain))
        attributes[name] = attribute
        counts[name] = np.append(known, [tally.missing] * attribute.missing).astype(np.int64)
        codings[name] = Coding(_plain(tally.values), codes)
    return WholeTable(rows, attributes, counts, roles), codings


def coded(part: Raw, whole: WholeTable, codings: Mapping[str, Coding]) -> Block:
    """Return a partition in the codes of the whole table."""
    return {
        name: codings[name].codes(part.values[name], codes, whole.attributes[name].size)
        for name, codes in part.codes.items()
    }
