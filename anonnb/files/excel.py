"""Tables in Excel files (.xlsx): the cells of one sheet as texts, which are then read like those of a CSV file.

A number is written as it is stored, a date as 2020-01-31; a cell with an error such as #DIV/0! is missing.
"""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
from pathlib import Path
from typing import Any

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.core.extras import needs
from anonnb.files.opening import MOST_BYTES, BadFile

_SIGNATURE, _OLD_SIGNATURE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


def is_excel(raw: bytes, path: Path) -> bool:
    """Return whether these are the bytes of an Excel file, by its name or by its content."""
    if raw.startswith(_OLD_SIGNATURE):
        raise BadFile(f"{path} is an Excel file of an old kind (.xls); save it as .xlsx or as CSV")
    if not raw.startswith(_SIGNATURE):
        if path.suffix.lower() == ".xlsx":
            raise BadFile(f"{path} is not a readable Excel file; save it again as .xlsx or as CSV")
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
                raise BadFile(f"{path} holds more than {MOST_BYTES:,} bytes; save the table as CSV")
            return "xl/workbook.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return path.suffix.lower() == ".xlsx"


def sheet_rows(raw: bytes, path: Path, decimal: str, sheet: str | None = None) -> tuple[str, list[list[str]]]:
    """Return the name of a sheet and its rows as texts, equally long, without empty ones; the first names the columns.

    If no sheet is named, the one with most filled cells is read: the first may be a legend.
    """
    needs("reading Excel files", "excel", "openpyxl")
    import openpyxl

    try:
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
        titles = [one.title for one in book.worksheets]
        if sheet is not None and sheet not in titles:
            raise BadFile(f"{path} has no sheet {sheet!r}; it has {', '.join(map(repr, titles))}")
        chosen = [one for one in book.worksheets if sheet is None or one.title == sheet]
        sheets = {one.title: _filled_rows(one, decimal) for one in chosen}
    except BadFile:
        raise
    except Exception as error:  # openpyxl raises whatever its parsers do
        reason = " ".join(str(error).split())[:100]
        raise BadFile(f"{path} is not a readable Excel file ({reason}); save it again as .xlsx or as CSV") from None
    title = max(sheets, key=lambda one: sum(bool(cell) for row in sheets[one] for cell in row))
    if len(sheets) > 1:
        other = advice("; name another with ", remedies.option("sheet", next(one for one in titles if one != title)))
        warnings.warn(
            Message(f"{path} has {len(titles)} sheets; {title!r}, which has most cells, is read", other), stacklevel=4
        )
    rows = sheets[title]
    if not rows:
        raise BadFile(f"{path}: the sheet {title!r} is empty")
    width = max(index + 1 for row in rows for index, cell in enumerate(row) if cell.strip())
    return title, [(row + [""] * width)[:width] for row in rows]


def _filled_rows(sheet: Any, decimal: str) -> list[list[str]]:
    texts = [[_text(cell.value, cell.data_type == "e", decimal) for cell in row] for row in sheet.iter_rows()]
    return [row for row in texts if any(cell.strip() for cell in row)]


def _text(value: object, is_error: bool, decimal: str) -> str:
    if value is None or is_error:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, float):
        return (str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)).replace(".", decimal)
    if isinstance(value, datetime.datetime):
        return value.isoformat(sep=" ") if value.time() != datetime.time() else value.date().isoformat()
    return value.isoformat() if isinstance(value, datetime.date) else str(value)
