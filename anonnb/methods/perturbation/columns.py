"""Which columns a perturbation changes, and how changed numbers become a released column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.parameters.compound import Names, Optional
from anonnb.methods.typical_values import decimals_for
from anonnb.tables.attribute import Attribute
from anonnb.tables.table import Table
from anonnb.tables.value_sets import Column

COLUMNS = Optional(Names(some=True))  # quasi-identifiers to change; None: all that can be


def chosen(table: Table, named: Sequence[str] | None, *, numbers: bool = False) -> list[str]:
    """The quasi-identifiers to change: those named, or all (with ``numbers``, all that are numeric).

    Raises one sentence where a named column is no quasi-identifier or no number, or where there is nothing to change.
    """
    for name in named or ():
        if name not in table.quasi:
            known = ", ".join(map(str, table.quasi)) or "none"
            raise KeyError(f"columns: {name!r} is no quasi-identifier of the table; they are {known}")
        if numbers and not table.attributes[name].is_number:
            kind = table.attributes[name].kind
            raise ValueError(f"columns: {name!r} holds no numbers, its kind is {kind}; leave it out")
    fitting = [name for name in table.quasi if not numbers or table.attributes[name].is_number]
    if not fitting:
        what = "numeric quasi-identifier" if numbers else "quasi-identifier"
        name_them = advice("; name its columns: ", remedies.role("quasi"))
        raise ValueError(Message(f"the table has no {what} to change", name_them))
    return list(named) if named else fitting


def number_column(attribute: Attribute, numbers: np.ndarray, decimals: int | None = None) -> Column:
    """A released column of single numbers, rounded; NaN is a missing value.

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


def _decimals(attribute: Attribute) -> int:
    return 0 if pd.api.types.is_integer_dtype(attribute.domain.dtype) else decimals_for(attribute)
