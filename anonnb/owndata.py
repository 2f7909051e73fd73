"""Your own table: from a file, or the name of a shipped one, to a Table with roles, with a word about odd choices."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence

import numpy as np
import pandas as pd

from anonnb import datasets
from anonnb.csvfiles import read_table_file
from anonnb.table import Table

# a quasi-identifier with more distinct values than this share of the rows blurs into one class, or nothing
_SHARE = 0.95
_FEWEST_ROWS = 20


class IdentifierWarning(UserWarning):
    """A column that looks like an identifier was chosen as a quasi-identifier."""


def open_table(
    data: str | os.PathLike | pd.DataFrame | Table,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    identifier: Sequence[str] | str = (),
    **options,
) -> Table:
    """A table from a shipped name (``"survey"``), a CSV or Parquet file, or a DataFrame; roles as in Table.

    Roles that are given replace those of a shipped table; a file needs at least ``quasi``. Further options go to Table.

    >>> open_table("survey", quasi=["Sex"]).quasi
    ['Sex']
    """
    roles = {"quasi": quasi, "sensitive": sensitive, "identifier": identifier}
    given = {role: names for role, names in roles.items() if len(names)}
    if isinstance(data, str) and data in datasets.names():
        data = datasets.load(data)
    if isinstance(data, Table):
        table = data.with_roles(**given)
    else:
        frame = data if isinstance(data, pd.DataFrame) else read_table_file(data)
        if not len(quasi):
            columns = ", ".join(map(str, frame.columns))
            raise ValueError(f"quasi is empty: name the columns that others may know; the columns are {columns}")
        table = Table(frame, **given, **options)
    warn_of_identifiers(table)
    return table


def warn_of_identifiers(table: Table) -> None:
    """One warning for each quasi-identifier that nearly tells every row apart by itself.

    Measurements are exempt: a weight in grams differs for everybody and still blurs well.
    """
    for name in table.quasi:
        attribute = table.attributes[name]
        distinct = int(np.count_nonzero(np.bincount(table.codes(name), minlength=attribute.size)))
        measured = attribute.kind == "numeric" and not pd.api.types.is_integer_dtype(attribute.domain.dtype)
        if len(table) >= _FEWEST_ROWS and distinct > _SHARE * len(table) and not measured:
            warnings.warn(
                f"column {name!r} has {distinct:,} different values in {len(table):,} rows: it looks like an "
                "identifier; make it one (then it is not published), or leave it out",
                IdentifierWarning,
                stacklevel=3,
            )
