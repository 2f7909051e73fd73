"""From a file, a DataFrame or the name of a shipped table to a Table with roles."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import pandas as pd

from anonnb.files.reading import read_table_file
from anonnb.projects.roles import warn_of_identifiers
from anonnb.tables import datasets
from anonnb.tables.labels import text as as_text
from anonnb.tables.roles import check_known
from anonnb.tables.table import Table

READING = ("sep", "encoding", "decimal", "dayfirst")  # how a file is written


def open_table(
    data: str | os.PathLike | pd.DataFrame | Table,
    *,
    quasi: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    identifier: Sequence[str] | str = (),
    person: str | None = None,
    **options,
) -> Table:
    """A table from a shipped name (``"survey"``), a CSV or Parquet file, or a DataFrame.

    Parameters
    ----------
    data:
        The name, the file, the frame, or a table.
    quasi, sensitive, identifier, person:
        Columns by role, as for :class:`anonnb.Table`. They replace those of a shipped table; a file needs at least
        ``quasi``.
    options:
        Further options of :class:`anonnb.Table` and, for a file, of ``read_table_file``; an order may be written as
        texts, whatever the column holds.

    Returns
    -------
    Table
        The table.

    Raises
    ------
    ValueError
        If a file or a frame comes without quasi-identifiers.

    Examples
    --------
    >>> open_table("survey", quasi=["Sex"]).quasi
    ['Sex']
    """
    roles = {"quasi": quasi, "sensitive": sensitive, "identifier": identifier}
    given = {role: names for role, names in roles.items() if len(names)}
    given |= {} if person is None else {"person": person}
    if isinstance(data, str) and data in datasets.names():
        data = datasets.load(data)
    reading = {key: options.pop(key) for key in READING if key in options}
    if isinstance(data, Table):
        table = _described_anew(data, given, options)
    else:
        frame = data if isinstance(data, pd.DataFrame) else read_table_file(data, **reading)
        options |= {"orders": _orders_meant(options["orders"], frame)} if "orders" in options else {}
        if not len(quasi):
            columns = ", ".join(map(str, frame.columns))
            raise ValueError(f"quasi is empty: name the columns that others may know; the columns are {columns}")
        table = Table(frame, **given, **options)
    warn_of_identifiers(table)
    return table


def _described_anew(table: Table, roles: dict, options: dict) -> Table:
    """A table with other roles, and with what the options say of its columns."""
    decision = {"decision": options.pop("decision")} if "decision" in options else {}
    weights, limits = options.pop("weights", {}), options.pop("limits", {})
    if options.get("missing", "value") != "value":
        raise ValueError("missing is for files and frames; a table has its rows already")
    orders = {"orders": _orders_meant(options["orders"], table.frame)} if "orders" in options else {}
    described = {name: value for name, value in options.items() if name != "missing"} | orders
    table = table.with_roles(**roles, **decision) if roles or decision else table
    table = table.recoded(**described) if described else table
    return table.with_weights(**weights).with_limits(**limits) if weights or limits else table


def values_meant(words: Sequence, column: pd.Series) -> list:
    """The values of a column that are written like these words; other words stay as they are.

    >>> values_meant(["2", "1", "none"], pd.Series([1, 2]))
    [2, 1, 'none']
    """
    values = {as_text(value): value for value in column.dropna().unique().tolist()}
    return [values.get(word, word) if isinstance(word, str) else word for word in words]


def _orders_meant(orders: Mapping[str, Sequence], frame: pd.DataFrame) -> dict[str, list]:
    check_known(orders, frame.columns, "orders")
    return {name: values_meant(words, frame[name]) for name, words in orders.items()}
