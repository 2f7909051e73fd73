"""Texts that a spreadsheet would run: a cell that begins like a formula is calculated when somebody opens the file.

An apostrophe in front makes it plain text for spreadsheets; readers of ours take it away again.
"""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Message, advice
from anonnb.files.writing import atomic_write

# = + - @ also in the full width of East Asian scripts; tabs and line ends move what follows into a cell of its own
_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
APOSTROPHE = "'"


def is_formula(cell: object) -> bool:
    """Whether a spreadsheet would calculate a cell; a number is no formula.

    >>> [is_formula(cell) for cell in ("=cmd()", "+49 170", "-5", -5, "a=b", "'=cmd()")]
    [True, True, False, False, False, False]
    """
    return isinstance(cell, str) and bool(_FORMULA.match(cell)) and not _NUMBER.fullmatch(cell)


def formula_cells(frame: pd.DataFrame) -> int:
    """How many cells and column names of a table begin like a formula."""
    return sum(map(is_formula, frame.columns)) + sum(int(_flags(frame[name]).sum()) for name in frame.columns)


def as_plain_text(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with an apostrophe in front of every cell and column name that begins like a formula.

    >>> as_plain_text(pd.DataFrame({"a": ["=1+1", "b"]})).to_dict("list")
    {'a': ["'=1+1", 'b']}
    """
    return frame.apply(_guarded).rename(columns=plain_text)


def plain_text(word: object) -> object:
    """A cell or name as a spreadsheet takes it for text."""
    return f"{APOSTROPHE}{word}" if is_formula(word) else word


def formula_again(word: str) -> str:
    """A text without the apostrophe that stands before a formula; any other text as it is.

    >>> formula_again("'=cmd()"), formula_again("'s-Hertogenbosch")
    ('=cmd()', "'s-Hertogenbosch")
    """
    return word[1:] if word.startswith(APOSTROPHE) and is_formula(word[1:]) else word


def _guarded(column: pd.Series) -> pd.Series:
    return column.astype(object).map(plain_text) if _flags(column).any() else column


def _flags(column: pd.Series) -> pd.Series:
    """Which cells begin like a formula; each distinct text is looked at once."""
    if pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_datetime64_any_dtype(column.dtype):
        return pd.Series(False, index=column.index)
    return column.isin([cell for cell in column.unique() if is_formula(cell)])


def write_csv(
    frame: pd.DataFrame,
    path: Path,
    *,
    excel: bool = False,
    check: Callable[[Path], None] | None = None,
    **options: Any,
) -> Path:
    """Write a table as a whole .csv file and warn of the cells that begin like a formula; see ``Release.publish``.

    ``check`` looks at the file before it gets its name, see ``atomic_write``.
    """
    found = formula_cells(frame)
    cells = "1 cell begins" if found == 1 else f"{found:,} cells begin"
    if excel:
        frame = as_plain_text(frame)
    with atomic_write(path, "w", check=check, encoding="utf-8-sig" if excel else "utf-8", newline="") as file:
        frame.to_csv(file, index=False, lineterminator="\n", **options)
    if found and excel:
        warnings.warn(f"{path}: {cells} like a formula and got an apostrophe in front", stacklevel=3)
    elif found:
        remedy = advice("; ", remedies.option("excel", True), tail=" writes a file in which it does not")
        warnings.warn(Message(f"{path}: {cells} like a formula, which a spreadsheet would run", remedy), stacklevel=3)
    return path
