"""How sentences name single rows: by their names in the table."""

from __future__ import annotations

from collections.abc import Iterable

from anonnb.tables.table import Table


def row_name(table: Table, row: int) -> str:
    """Name a row as sentences do.

    >>> import pandas as pd
    >>> table = Table(pd.DataFrame({"age": [20, 30]}, index=["o1", "o2"]))
    >>> row_name(table, 1), rows_name(table, {1, 0})
    ('row o2', 'rows o1, o2')
    """
    return f"row {table.index[row]}"


def rows_name(table: Table, rows: Iterable[int]) -> str:
    """Name several rows, in the order of the table."""
    return f"rows {', '.join(str(table.index[row]) for row in sorted(rows))}"
