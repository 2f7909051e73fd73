"""Tables that teachers fill in and platforms export: CSV with any usual delimiter and encoding, columns by name.

What students wrote goes into cells as text that no spreadsheet computes; what a spreadsheet makes of numbers (decimal
commas) is understood when it comes back.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from anonnb.coursework.marks import readable
from anonnb.files.reading import read_rows
from anonnb.files.writing import atomic_write

LONGEST_CELL = 30_000  # characters; spreadsheets cut at 32,767


@dataclass(frozen=True)
class SheetRow:
    """A row of a table: ``cells`` by the lower-case names of their columns, and ``where`` it stands."""

    cells: dict[str, str]
    where: str

    def first(self, *names: str) -> str:
        """The first of these columns that is there and filled; empty if none is."""
        return next((self.cells[name] for name in names if self.cells.get(name)), "")

    def __getitem__(self, name: str) -> str:
        return self.cells.get(name, "")


def read_sheet(path: str | os.PathLike, needed: Sequence[str] = ()) -> list[SheetRow]:
    """The rows of a CSV file; a ValueError names a column that is ``needed`` and missing.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "list.csv")
    >>> _ = path.write_text("ID;Name\\ns1;'=Ann\\n")
    >>> read_sheet(path, ["id"])[0].cells
    {'id': 's1', 'name': '=Ann'}
    """
    path = Path(path)
    rows = read_rows(path)
    header = [name.strip().casefold() for name in rows[0]] if rows else []
    lacking = [name for name in needed if name not in header]
    if lacking:
        raise ValueError(f"{path.name} has no column {lacking[0]!r}; it needs {', '.join(needed)}")
    return [
        SheetRow(dict(zip(header, map(_without_quote, row), strict=False)), f"row {number}")
        for number, row in enumerate(rows[1:], 2)
        if any(cell.strip() for cell in row)
    ]


def _without_quote(cell: str) -> str:
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in tuple("=+-@") else cell


def number_in(text: str) -> float | None:
    """A number as people and spreadsheets write it, or None.

    >>> number_in("7,5"), number_in(" 8 "), number_in("nan"), number_in("")
    (7.5, 8.0, None, None)
    """
    try:
        value = float(text.strip().replace(",", ".").replace("−", "-"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def shown_number(value: float | None) -> str:
    """Points as text: no more digits than they need, two decimals at most.

    >>> shown_number(7.0), shown_number(2 / 3), shown_number(None)
    ('7', '0.67', '')
    """
    return "" if value is None else f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def text_cell(text: str, *, lines: bool = False) -> str:
    """A text for a spreadsheet: readable, no formula, on one line unless ``lines`` may stay."""
    text = readable(text)
    text = text.replace("\r\n", "\n").replace("\r", "\n") if lines else " ".join(text.split())
    if len(text) > LONGEST_CELL:
        text = text[:LONGEST_CELL] + " … (the rest is in the notebook)"
    return f"'{text}" if text[:1] in tuple("=+-@\t") else text


def write_sheet(path: str | os.PathLike, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Path:
    """Write a CSV file, whole or not at all; cells are as :func:`text_cell` makes them, line breaks kept."""
    path = Path(path)
    with atomic_write(path, newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([[text_cell(cell, lines=True) for cell in row] for row in rows])
    return path
