"""Cells: what the rows of a column are counted by, from its declared domain and not from its rows.

A cell is a value, an interval between two declared edges, or the missing value. Reading chosen: a domain is declared by
``Table(domains=…)``, by an order, or by a hierarchy that lists values; pandas' categories are not, as they mostly come
from the data.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.tables.attribute import Attribute
from anonnb.tables.labels import is_missing_word, text
from anonnb.tables.value_sets import ValueSets


@dataclass(frozen=True, eq=False)
class CountedCells:
    """The cells of a column as value sets, and the cell of each code that the column has."""

    sets: ValueSets
    of_code: np.ndarray

    def __len__(self) -> int:
        return len(self.sets)


def cells_of(attribute: Attribute, *, from_data: bool = False) -> CountedCells:
    """Return the cells of a column; raise ValueError if no domain is declared and ``from_data`` is False.

    >>> from anonnb.tables.table import Table
    >>> table = Table(pd.DataFrame({"age": [20, 44]}), domains={"age": [0, 18, 65, 120]})
    >>> cells = cells_of(table.attributes["age"])
    >>> cells.sets.labels, cells.of_code.tolist()
    (['[0,18)', '[18,65)', '[65,120]'], [1, 1])
    """
    declared, listed = attribute.declared, None if attribute.hierarchy is None else attribute.hierarchy.values
    if declared is None and listed is not None:
        return _of_hierarchy(attribute, listed)
    if declared is None:
        if not from_data:
            raise _undeclared(attribute)
        return CountedCells(ValueSets.singletons(attribute), np.arange(attribute.size))
    if attribute.missing and not declared.missing:
        raise ValueError(
            f"column {attribute.name!r} has missing values, which its declared domain does not list; add None to it"
        )
    if declared.edges:
        return _intervals(attribute, declared.edges, declared.missing)
    return _values(attribute, declared.values, declared.missing)


def _undeclared(attribute: Attribute) -> ValueError:
    numeric = attribute.kind == "numeric"
    call = f"Table(…, domains={{{attribute.name!r}: [{'0, 10, 20, …' if numeric else '…'}]}})"
    declare = remedies.option("values", f"{attribute.name}={'0,10,20' if numeric else 'A,B,C'}", words=call)
    return ValueError(
        Message(
            f"column {attribute.name!r} has no declared domain, and its own values would disclose who is in the table",
            advice("; declare it: ", declare, remedies.hierarchy(attribute.name), remedies.parameter("domain", "data")),
        )
    )


def _values(attribute: Attribute, values: Sequence, missing: bool) -> CountedCells:
    domain = pd.Index(list(values))
    if attribute.kind == "numeric":
        domain = domain.sort_values()
    wide = replace(attribute, domain=domain, missing=missing, hierarchy=None, categories=None, limit=None, counts=None)
    return CountedCells(ValueSets.singletons(wide), attribute.recode_to(wide))


def _of_hierarchy(attribute: Attribute, listed: Sequence[str]) -> CountedCells:
    """Return the leaves as cells; a missing value counts if the hierarchy has a word for it, such as ``?``."""
    values_by_text = {text(value): value for value in attribute.domain}
    convert = pd.to_numeric if pd.api.types.is_numeric_dtype(attribute.domain.dtype) else str
    values = [values_by_text[word] if word in values_by_text else convert(word) for word in listed]
    absent = next((index for index, word in enumerate(listed) if is_missing_word(word)), None)
    if attribute.missing and absent is None:
        raise ValueError(
            f"column {attribute.name!r} has missing values, for which its hierarchy has no line; add one for ?"
        )
    cells = _values(attribute, values, missing=False)
    if attribute.missing:
        cells.of_code[attribute.missing_code] = absent
    return cells


def _intervals(attribute: Attribute, edges: Sequence[float], missing: bool) -> CountedCells:
    """Half-open intervals, the last one closed; its ends become values of the attribute, so that no set is empty."""
    whole = pd.api.types.is_integer_dtype(attribute.domain.dtype) and all(edge == int(edge) for edge in edges)
    lows = [int(edge) for edge in edges[:-1]] if whole else [float(edge) for edge in edges[:-1]]
    highs = [int(edge) - 1 if whole else float(np.nextafter(edge, -np.inf)) for edge in edges[1:]]
    highs[-1] = int(edges[-1]) if whole else float(edges[-1])
    wide, _ = attribute.extended([*lows, *highs])
    wide = replace(wide, missing=missing, hierarchy=None, limit=None, counts=None)
    labels = [f"[{text(low)},{text(high)})" for low, high in itertools.pairwise(edges)]
    labels[-1] = f"[{text(edges[-2])},{text(edges[-1])}]"
    labels = [text(low) if low == high else label for low, high, label in zip(lows, highs, labels, strict=True)]
    lo, hi = wide.domain.get_indexer(lows), wide.domain.get_indexer(highs)
    interval = (
        np.searchsorted(np.asarray(edges, dtype=float), attribute.numbers[: len(attribute.domain)], side="right") - 1
    )
    interval = np.append(np.minimum(interval, len(labels) - 1), [len(labels)] * attribute.missing)
    if missing:
        lo, hi, labels = np.append(lo, wide.missing_code), np.append(hi, wide.missing_code), [*labels, wide.labels[-1]]
    return CountedCells(ValueSets(wide, lo, hi, labels=labels), interval.astype(np.int64))
