"""What is odd about a column of texts: perhaps it was meant as numbers or dates, and one value stands in the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import filterfalse, islice

import pandas as pd

from anonnb.core import remedies
from anonnb.core.errors import Advice, Message, advice
from anonnb.files.converting import DAY_FIRST, NUMBERS, all_match, are_codes, date_forms, dates

_WITH_POINT = "with a decimal point, as in 1.82"
_LIKE_A_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}(?: \d{1,2}:\d{2}.*)?")
_WITH_COMMA = re.compile(r"[+-]?\d[\d.]*(?:,\d+)*")
_OFFSET = r":\d{2}(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})\s*$"
_BLURRED = re.compile(r"[\[({]|.*\*")


def doubt(text: pd.Series, decimal: str, dayfirst: bool, place_of: Callable[[str], str]) -> str | None:
    """Return a warning about a column of text that was perhaps meant as numbers or dates, with the remedy."""
    values = text.dropna().unique().tolist()
    near, other = _nearly(values, decimal, dayfirst), _nearly(values, ",", True)
    if other and (near is None or len(other[1]) < len(near[1])):
        return _other_reading(text.name, values, other[0])
    if near is None:
        return _no_reading(text.name, values, decimal)
    kind, misfits = near
    if any(map(_BLURRED.match, misfits)):  # an anonymized column is no mistake
        return None
    total = int(text.notna().sum())
    right = total - int(text.isin(misfits).sum())
    return (
        f"{right:,} of {total:,} values of {text.name!r} are {kind}s; {misfits[0]!r} {place_of(misfits[0])}"
        f"is not, so the column is text without an order: correct it or leave it empty to keep the column a {kind}"
    )


def _nearly(values: list[str], decimal: str, dayfirst: bool) -> tuple[str, list[str]] | None:
    """Return what at least nine in ten different values are, date or number, and those that are not."""
    for pattern, day_is_first in date_forms(dayfirst):
        if values and _misfits(pattern, values) is not None:
            no_day = dates(pd.Series(values, dtype="str"), day_is_first).isna()
            if 10 * no_day.sum() <= len(values):
                return "date", [value for value, wrong in zip(values, no_day, strict=True) if wrong]
    misfits = _misfits(NUMBERS[decimal], values)
    if not values or misfits is None:
        return None
    wrong = set(misfits)
    return None if are_codes([value for value in values if value not in wrong], decimal) else ("number", misfits)


def _misfits(pattern: re.Pattern, values: list[str]) -> list[str] | None:
    """Return the values of another kind, in their order; None once they are more than a tenth."""
    allowed = len(values) // 10
    misfits = list(islice(filterfalse(pattern.fullmatch, values), allowed + 1))
    return misfits if len(misfits) <= allowed else None


def _other_reading(name: str, values: list[str], kind: str) -> str | None:
    """Warn of a column that an option would read; 192.168.100.100 has points, too, but is no number."""
    option: tuple[str, object]
    if kind == "date":
        what = f"dates ({next(filter(DAY_FIRST.fullmatch, values))})"
        option, write = ("dayfirst", True), "write them as 2020-01-31"
    else:
        example = next((value for value in values if "," in value and NUMBERS[","].fullmatch(value)), None)
        if example is None:
            return None
        what, option, write = f"numbers with a comma ({example})", ("decimal", ","), f"write them {_WITH_POINT}"
    reading = remedies.option(*option, words=f"read_table_file(…, {option[0]}={option[1]!r})")
    return Message(
        f"column {name!r} holds {what}, which stay text without an order",
        advice("; ", reading, tail=f" reads them, or {write}", otherwise=f"; {write}"),
    )


def _no_reading(name: str, values: list[str], decimal: str) -> str | None:
    """Warn of numbers and dates that no option can read with certainty: 1,234,567 or 31.01.20."""
    rest: tuple[Advice, ...] = ()
    if all_match(_LIKE_A_DATE, values):
        what, write = f"dates ({values[0]})", "as 2020-01-31"
    elif any("," in value for value in values) and all_match(_WITH_COMMA, values):
        example = next(value for value in values if "," in value)
        what, write = f"numbers with a comma ({example})", _WITH_POINT
    elif decimal == "," and all_match(NUMBERS["."], values) and not are_codes(values, "."):
        example = next(value for value in values if "." in value)
        what, write = f"numbers with a point ({example})", "with a comma"
        rest = (advice(", or leave out ", remedies.option("decimal", ",")),)
    else:
        return None
    return Message(f"column {name!r} holds {what}, which stay text without an order; write them {write}", *rest)


def thousands(cells: pd.Series, column: pd.Series) -> str | None:
    """Warn of 52.123 read as thousands, which is certain only if the column also holds a comma."""
    if not pd.api.types.is_numeric_dtype(column) or cells.str.contains(",", regex=False).any():
        return None
    grouped = cells.str.contains(".", regex=False)
    if not grouped.any():
        return None
    row = grouped.idxmax()
    because = advice(" because of ", remedies.option("decimal", ","), otherwise=" because of the decimal comma")
    return Message(f"column {column.name!r} holds {cells[row].strip()}, read as {column[row]}", because)


def offsets(cells: pd.Series, column: pd.Series) -> str | None:
    """Say what became of offsets from Greenwich, which a column of times does not keep."""
    if not pd.api.types.is_datetime64_any_dtype(column.dtype):
        return None
    found = cells.str.extract(_OFFSET, expand=False).dropna()
    distinct = found.unique().tolist()
    if not distinct:
        return None
    if len(distinct) == 1 and len(found) == column.notna().sum():
        return f"column {column.name!r} holds times with the offset {distinct[0]}, read as they are, without it"
    return f"column {column.name!r} holds times with several offsets ({', '.join(distinct[:3])}), read as times of UTC"
