"""Texts of a file as numbers and dates: only where every value of a column is one, and none would lose a digit.

Codes with leading zeros (ZIP 01234) stay text: a number would lose the zero.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import pandas as pd

NUMBERS = {
    ".": re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII),
    ",": re.compile(r"[+-]?(?:(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?", re.ASCII),
}
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_LEADING_ZERO = re.compile(r"[+-]?0\d")
_TIME = r"(?:[ T](?P<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?P<offset>Z|[+-]\d{2}:?\d{2})?)?"
_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
DATE = re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d{{2}})-(?P<day>\d{{2}}){_TIME}", re.ASCII)
DAY_FIRST = re.compile(rf"{_DAY}(?P<mark>[./-]){_MONTH}(?P=mark){_YEAR}{_TIME}", re.ASCII)


def convert(
    column: pd.Series, missing: tuple[str, ...], decimal: str, dayfirst: bool, stays: bool = False
) -> pd.Series:
    """Return numbers or dates if every value is one and none would lose a digit; otherwise text."""
    text = column.str.strip()
    text = text.mask(text.isin(missing))
    if stays:
        return text
    values = text.dropna().unique().tolist()
    for pattern, day_is_first in date_forms(dayfirst):
        if all_match(pattern, values):
            moments = dates(text, day_is_first)
            return moments if moments.notna().sum() == text.notna().sum() else text  # 2021-02-30 is no date
    if not all_match(NUMBERS[decimal], values) or are_codes(values, decimal):
        return text
    plain = dict(zip(values, _plain(values, decimal), strict=True))
    whole = all_match(_WHOLE, plain.values())
    text = text.map(plain) if decimal == "," else text
    return text.astype("Int64" if text.isna().any() else "int64") if whole else text.astype("float64")


def all_match(pattern: re.Pattern, values: Collection[str]) -> bool:
    """Return whether there are values and all match; the first that does not ends the search."""
    return bool(values) and all(map(pattern.fullmatch, values))


def date_forms(dayfirst: bool) -> list[tuple[re.Pattern, bool]]:
    return [(DATE, False), (DAY_FIRST, True)] if dayfirst else [(DATE, False)]


def dates(text: pd.Series, day_is_first: bool) -> pd.Series:
    """Return dates, with a time of day if one is written; missing if the calendar or the clock has no such moment.

    Times of one offset from Greenwich stay as they are written; of several offsets, they become times of Greenwich.

    >>> dates(pd.Series(["01.02.2017 6:00", "3.2.2017"]), day_is_first=True).tolist()
    [Timestamp('2017-02-01 06:00:00'), Timestamp('2017-02-03 00:00:00')]
    """
    pattern = DAY_FIRST if day_is_first else DATE
    codes, values = pd.factorize(text)
    matches = [pattern.fullmatch(value) for value in values]
    offsets = {match["offset"] or "" for match in matches if match}
    written = pd.Series([_iso(match, len(offsets) > 1) if match else "" for match in matches], dtype="str")
    moments = pd.to_datetime(written, format="ISO8601", errors="coerce", utc=len(offsets) > 1).dt.tz_localize(None)
    return pd.Series(moments.array.take(codes, allow_fill=True), index=text.index, name=text.name)


def _iso(match: re.Match, with_offset: bool) -> str:
    parts = match.groupdict()
    day = f"{parts['year']}-{parts['month']:>02}-{parts['day']:>02}"
    time = parts["time"]
    if time is None:
        return day + "T00:00+00:00" * with_offset
    hours, rest = time.split(":", 1)
    return f"{day}T{hours:>02}:{rest}" + (parts["offset"] or "+00:00") * with_offset


def _plain(values: list[str], decimal: str) -> list[str]:
    return [value.replace(".", "").replace(",", ".") for value in values] if decimal == "," else values


def are_codes(values: list[str], decimal: str) -> bool:
    """Return whether digits are no amounts: 01234, or an identifier of twenty digits, too long for a float."""
    plain = _plain(values, decimal)
    return any(map(_LEADING_ZERO.match, plain)) or (all_match(_WHOLE, plain) and max(map(len, plain)) > 15)
