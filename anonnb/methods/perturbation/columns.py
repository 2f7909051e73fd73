"""Which columns a perturbation changes, and how changed numbers become a released column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.compound import Names, Optional
from anonnb.core.wording import pluralize
from anonnb.methods.typical_values import decimals_for
from anonnb.privacy.likelihoods import LogShare
from anonnb.steps.recording import listening, note
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

COLUMNS = Optional(Names(some=True))  # quasi-identifiers to change; None: all that can be


def chosen(table: Table, named: Sequence[str] | None, *, numbers: bool = False) -> list[str]:
    """Return the quasi-identifiers to change: those named, or all (with ``numbers``, all numeric ones).

    Raises an error where a named column is no quasi-identifier or not numeric, or where there is nothing to change.
    """
    for name in named or ():
        if name not in table.quasi:
            known = ", ".join(map(str, table.quasi)) or "none"
            raise KeyError(f"columns: {name!r} is no quasi-identifier of the table; they are {known}")
        if numbers and not _is_numeric(table.attributes[name]):
            kind = table.attributes[name].kind
            raise ValueError(f"columns: {name!r} holds no numbers, its kind is {kind}; leave it out")
    fitting = [name for name in table.quasi if not numbers or _is_numeric(table.attributes[name])]
    if not fitting:
        what = "numeric quasi-identifier" if numbers else "quasi-identifier"
        name_them = advice("; name its columns: ", remedies.role("quasi"))
        raise ValueError(Message(f"the table has no {what} to change", name_them))
    return list(named) if named else fitting


def _is_numeric(attribute: Attribute) -> bool:
    """Return whether arithmetic makes sense; codes that are declared nominal or ordinal only look like numbers."""
    return attribute.is_number and attribute.kind == "numeric"


def tell_columns(table: Table, names: Sequence[str]) -> None:
    """Record which of the quasi-identifiers are to be changed."""
    if not listening():
        return
    attributes = [table.attributes[name] for name in table.quasi]
    frame = pd.DataFrame(
        {"kind": [each.kind for each in attributes], "values": [len(each.domain) for each in attributes]},
        index=pd.Index(table.quasi, name="quasi-identifier"),
    )
    sentence = f"{len(names)} of the {pluralize(len(table.quasi), 'quasi-identifier')} will be changed."
    note("Columns to change", sentence, Release.of(table), frame, list(names))


def tell_column(table: Table, columns: Mapping[str, Column], name: str, how: str) -> None:
    """Record that a column was changed, how, and how many of its cells now read differently."""
    if not listening():
        return
    column, attribute = columns[name], table.attributes[name]
    before = np.array(attribute.labels, dtype=object)[table.codes(name)]
    changed = int((column.texts() != before).sum())
    note(
        f"Change {name}",
        f"{how}; {changed:,} of the {pluralize(len(table), 'cell')} now read differently.",
        Release(table, dict(columns), np.arange(len(table))),
    )


def number_column(attribute: Attribute, numbers: np.ndarray, decimals: int | None = None) -> Column:
    """Return a released column of single numbers, rounded; NaN is a missing value.

    Without ``decimals``, whole numbers stay whole, and others keep three digits more than the range needs.
    """
    known = ~np.isnan(numbers)
    rounded = np.round(numbers[known], _decimals(attribute) if decimals is None else decimals) + 0.0  # no -0.0
    if pd.api.types.is_integer_dtype(attribute.domain.dtype) and (rounded == np.round(rounded)).all():
        rounded = rounded.astype(np.int64)
    wider, _ = attribute.extended(pd.Series(rounded))
    codes = np.full(len(numbers), wider.missing_code if attribute.missing else -1, dtype=np.int64)
    codes[known] = wider.domain.get_indexer(rounded)
    return Column.original(wider, codes)


def published_numbers(release: Release, names: Sequence[str]) -> np.ndarray:
    """Return the numbers of columns that show single ones (rows × columns)."""
    columns = [release.columns[name] for name in names]
    return np.column_stack([column.attribute.numbers[column.sets.lo[column.index]] for column in columns])


def log_shares(release: Release, name: str, *, numbers: bool = False) -> LogShare:
    """Return what tells how common published values of a column are, given as codes or as numbers."""
    column = release.columns[name]
    codes = column.sets.lo[column.index]
    shown, counts = np.unique(column.attribute.numbers[codes] if numbers else codes, return_counts=True)
    return lambda published: np.log(counts[np.searchsorted(shown, published[:, 0])] / len(release))


def _decimals(attribute: Attribute) -> int:
    return 0 if pd.api.types.is_integer_dtype(attribute.domain.dtype) else decimals_for(attribute)
