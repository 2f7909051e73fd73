"""The labels that a hierarchy gives to a value on levels 1 to the top; None when it does not cover the value.

These are small classes rather than closures, so that tables with hierarchies can be sent to worker processes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.files.reading import MISSING as MISSING_WORDS

HIDDEN_CELL = "*"  # what a release shows for a cell that it suppresses
HIERARCHY_ROOT = "*"  # the label above all values, where a hierarchy has no other
MASK_CHARACTER = "*"  # what stands for each masked character of a code
HIDDEN_LABELS = frozenset({HIDDEN_CELL, HIERARCHY_ROOT, "*"})  # read as a hidden cell; other tools write a star
MISSING = "missing"
_WHOLE = (int, np.integer)


def text(value: Any) -> str:
    """Return a value as people write it: no trailing ``.0``, no time of day at midnight.

    >>> text(15.0), text("a"), text(0.1), text(pd.Timestamp("2020-01-31"))
    ('15', 'a', '0.1', '2020-01-31')
    """
    if type(value) is str:  # nearly all of them are: the other questions take longer
        return value
    if isinstance(value, float | np.floating):
        number = float(value)
        return str(int(number)) if abs(number) < 1e15 and number == int(number) else repr(number)
    if isinstance(value, pd.Timestamp) and value == value.normalize():
        return value.strftime("%Y-%m-%d")
    return str(value)


def is_missing_word(word: str) -> bool:
    """Return whether a text stands for a missing value in a file: nothing, ``NA``, ``?`` and the like.

    >>> is_missing_word(""), is_missing_word("Missing"), is_missing_word("Missouri")
    (True, True, False)
    """
    return word in MISSING_WORDS or word.casefold() == MISSING


def texts(domain: pd.Index) -> list[str]:
    """Return the values of a column as people write them; if any has a time of day, all show theirs.

    >>> texts(pd.DatetimeIndex(["2017-01-01", "2017-01-01 06:30"])), texts(pd.DatetimeIndex(["2017-01-01"]))
    (['2017-01-01 00:00', '2017-01-01 06:30'], ['2017-01-01'])
    """
    if not has_times(domain):
        return [text(value) for value in domain]
    if domain.tz is not None:
        return [str(value) for value in domain]
    if (domain != domain.floor("s")).any():
        return [str(value) if value != value.normalize() else f"{value:%Y-%m-%d %H:%M:%S}" for value in domain]
    return domain.strftime("%Y-%m-%d %H:%M" + ":%S" * bool((domain != domain.floor("min")).any())).tolist()


def has_times(domain: pd.Index) -> bool:
    """Return whether these are dates, some with a time of day."""
    return pd.api.types.is_datetime64_any_dtype(domain.dtype) and bool((domain != domain.normalize()).any())


OR = " or "  # between the names of a list
# a name that holds a separator is quoted where several names are listed
TRICKY = re.compile(r"""(^|\s)or(\s|$)|[|;"{}]|^\s|\s$|^$""")


def quoted(name: str) -> str:
    """Return a name in double quotes, its own doubled, as in CSV.

    >>> print(quoted('say "a or b"!'))
    "say ""a or b""!"
    """
    return '"' + name.replace('"', '""') + '"'


def join_names(names: Iterable[str], quote_all: bool = False) -> str:
    """Return several names as a cell shows them.

    >>> join_names(["male", "female", "this or that"])
    'male or female or "this or that"'
    """
    return OR.join(quoted(name) if quote_all or TRICKY.search(name) else name for name in names)


@dataclass(frozen=True)
class Listed:
    """The labels listed for a value."""

    labels: Mapping[str, Sequence[str]]

    def __call__(self, value: object) -> Sequence[str] | None:
        return self.labels.get(text(value))


@dataclass(frozen=True)
class Intervals:
    """The intervals in which a number lies."""

    widths: Sequence[float]
    start: float
    top: bool

    def __getstate__(self) -> dict:
        """Return only the fields, so that equal hierarchies pickle (and hash on disk) alike, whatever is cached."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __call__(self, value: object) -> list[str] | None:
        step = self._step(value)
        if step is None:
            return None
        if step not in self._labels:
            self._labels[step] = [f"[{text(low)},{text(high)})" for low, high in self._spans(step)]
        return self._labels[step] + [HIERARCHY_ROOT] * self.top

    @cached_property
    def _labels(self) -> dict[int, list[str]]:
        """The labels of each finest interval that was asked for: many values lie in one."""
        return {}

    def spans(self, value: Any) -> list[tuple[float, float]] | None:
        """Return the ends of the interval on each level."""
        step = self._step(value)
        return None if step is None else self._spans(step)

    def _spans(self, step: int) -> list[tuple[float, float]]:
        digits = max(0, 10 - math.floor(math.log10(self.widths[0])))
        spans = []
        for width in self.widths:
            number = step // round(width / self.widths[0])  # whole numbers of the finest steps: surely nested
            low, high = (_clean(self.start + edge * width, digits) for edge in (number, number + 1))
            spans.append((low, high))
        return spans

    def _step(self, value: Any) -> int | None:
        """Return the number of the finest interval that a value lies in; None if it is no number."""
        try:
            position = (float(value) - self.start) / self.widths[0]
        except (TypeError, ValueError):
            return None
        if not math.isfinite(position):
            return None
        if all(isinstance(number, _WHOLE) for number in (value, self.start, self.widths[0])):
            return (int(value) - int(self.start)) // int(self.widths[0])
        nearest = round(position)
        # 0.3 / 0.1 is a little less than 3, yet 0.3 begins an interval: allow for rounding of value and start
        noise = 4 * np.finfo(float).eps * max(abs(float(value)), abs(float(self.start))) / self.widths[0]
        return nearest if abs(position - nearest) <= noise else math.floor(position)


def _clean(number: float, digits: int) -> float:
    """Return a number without rounding noise: 0.30000000000000004 is 0.3."""
    rounded = round(float(number), digits)
    return float(f"{rounded:.15g}") if abs(rounded) < 1e15 else rounded


@dataclass(frozen=True)
class Capped:
    """A number between two limits, or its interval; a number beyond a limit shows only the limit."""

    bottom: float | None
    top: float | None
    inner: Intervals | None

    def __call__(self, value: object) -> list[str] | None:
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return None
        if not math.isfinite(number):
            return None
        levels = len(self.inner.widths) if self.inner else 1
        if self.top is not None and number >= self.top:
            return [f">={text(self.top)}"] * levels + [HIERARCHY_ROOT]
        if self.bottom is not None and number <= self.bottom:
            return [f"<={text(self.bottom)}"] * levels + [HIERARCHY_ROOT]
        if self.inner is None:
            return [text(value), HIERARCHY_ROOT]
        return [self._within(*span) for span in self.inner.spans(value) or ()] + [HIERARCHY_ROOT]

    def _within(self, low: float, high: float) -> str:
        """Label the part of an interval between the limits, which have labels of their own."""
        high = high if self.top is None else min(high, self.top)
        if self.bottom is not None and low <= self.bottom:
            return f"({text(self.bottom)},{text(high)})"
        return f"[{text(low)},{text(high)})"


@dataclass(frozen=True)
class Rare:
    """The value itself if enough rows have it, otherwise one label for all rare values; ``*`` on top."""

    rows: Mapping[str, int]
    limits: Sequence[int]

    def __call__(self, value: object) -> list[str]:
        word = text(value)
        count = self.rows.get(word, 0)
        return [word if count >= limit else f"rare (<{limit} rows)" for limit in self.limits] + [HIERARCHY_ROOT]


@dataclass(frozen=True)
class Mask:
    """The text of a value with more and more characters hidden from the right."""

    length: int
    hidden: Sequence[int]
    char: str

    def __call__(self, value: object) -> list[str] | None:
        word = text(value)
        if isinstance(value, int | float | np.number):
            word = word.zfill(self.length)
        if len(word) > self.length:
            return None
        return [
            word[: self.length - count] + self.char * count if count < self.length else self.char
            for count in self.hidden
        ]


@dataclass(frozen=True)
class Dates:
    """The period of a date, one step per level, and ``*`` on top; texts must be ISO dates such as 2020-03-17."""

    steps: Sequence[str]

    def __call__(self, value: object) -> list[str] | None:
        if isinstance(value, int | float | np.number):  # pandas would take 2020 for nanoseconds
            return None
        if isinstance(value, str) and not ISO_DATE.match(value):  # pandas would guess at 04/03/2020, "May" and "now"
            return None
        try:
            date = pd.Timestamp(value)
        except (TypeError, ValueError):
            return None
        if date is pd.NaT:
            return None
        return [_PERIODS[step](date) for step in self.steps] + [HIERARCHY_ROOT]


ISO_DATE = re.compile(r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$")
_PERIODS = {
    "hour": lambda date: f"{date:%Y-%m-%d %H}h",
    # numbers instead of %Y-%m-%d, which takes five times as long
    "day": lambda date: f"{date.year}-{date.month:02}-{date.day:02}",
    "month": lambda date: f"{date.year}-{date.month:02}",
    "quarter": lambda date: f"{date.year}-Q{date.quarter}",
    "year": lambda date: f"{date.year}",
    "decade": lambda date: f"{date.year // 10}0s",
}
DATE_STEPS = tuple(_PERIODS)


def telling_steps(dates: pd.DatetimeIndex) -> list[str]:
    """Return the steps that merge some of these dates, each more than the one before, but never all of them."""
    steps, labels = [], len(dates)
    for step in DATE_STEPS:
        count = len({_PERIODS[step](date) for date in dates})
        if step != "quarter" and 1 < count < labels:
            steps.append(step)
            labels = count
    return steps


@dataclass(frozen=True)
class Everything:
    """One label for all."""

    def __call__(self, value: object) -> list[str]:
        return [HIERARCHY_ROOT]
