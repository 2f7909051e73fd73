"""Reading the cells of a table anonymized elsewhere: values, intervals, sets, hierarchy labels, ``*``.

Each distinct text is read once. A value of the domain wins over every other reading, then ``*``, a hierarchy label, a
number or interval, a set; a number that the table does not have, such as a mean, widens the domain.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from anonnb.files.spreadsheets import formula_again, is_formula
from anonnb.tables.attribute import Attribute, shorten
from anonnb.tables.encoding import encode
from anonnb.tables.labels import HIDDEN_LABELS, ISO_DATE, MASK_CHARACTER, has_times, text
from anonnb.tables.value_sets import Column, ValueSets
from anonnb.tables.value_sets.spans import EN_DASH, Piece, read_joined, value_pieces

_NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|∞)"
# a comma needs brackets around it: 1,234 alone is a number of another country
_RANGE = re.compile(
    rf"^\s*([\[(\]])\s*({_NUMBER})\s*(?:,|;)\s*({_NUMBER})\s*([\])\[])\s*$"
    rf"|^\s*([\[(]?)\s*({_NUMBER})\s*(?:\.\.|-|–|—|:|\sto\s)\s*({_NUMBER})\s*([\])]?)\s*$"
)
# a decade, a year, a quarter, a month, a day, an hour (2020-01-31 06h) or a moment
_DATE = r"\d{4}(?:s|-Q[1-4]|-\d{2}(?:-\d{2}(?:[ T]\d{2}(?:h|:\d{2}(?::\d{2})?))?)?)?"
_PERIOD = re.compile(rf"^{_DATE}$")
_DATES = re.compile(
    rf"^\s*([\[(])\s*({_DATE})\s*(?:,|;)\s*({_DATE})\s*([\])])\s*$"
    rf"|^\s*([\[(]?)\s*({_DATE})\s*(?:\.\.|\s-\s|(?<=^\d{{4}})-(?=\d{{4}}\s*$)|/|–|—|\sto\s)\s*({_DATE})\s*([\])]?)\s*$"
)
_DATE_BOUND = re.compile(rf"^\s*(<=|>=|<|>|≤|≥)\s*({_DATE})\s*$")
_BOUND = re.compile(rf"^\s*(<=|>=|<|>|≤|≥)\s*({_NUMBER})\s*$")
_AND_MORE = re.compile(rf"^\s*({_NUMBER})\s*\+\s*$")
_PART = re.compile(r'\s*("(?:[^"]|"")*"|.*?)\s*(\||;|(?<!\S)or(?!\S)|$)', re.DOTALL)

Span = tuple[float, bool, float, bool]  # low end, whether it belongs, high end, whether it belongs


def parse_columns(frame: pd.DataFrame, like: Any) -> dict[str, Column]:
    """Read the columns of a frame that the table ``like`` has, except identifiers; no quasi-identifier may lack."""
    written = {formula_again(str(name)): name for name in frame.columns}  # a file knows only texts as names
    source = {name: name if name in frame.columns else written.get(str(name)) for name in like.columns}
    hidden = {*like.identifiers} - {like.weight, like.household}  # coarser weights and new numbers may be published
    names = [name for name in like.columns if source[name] is not None and name not in hidden]
    absent = [name for name in like.quasi if source[name] is None]
    if absent:
        raise KeyError(f"the anonymized table lacks the quasi-identifier column {absent[0]!r}")
    doubled = [name for name in names if isinstance(frame[source[name]], pd.DataFrame)]
    if doubled:
        raise ValueError(f"column {doubled[0]!r} occurs more than once in the anonymized table; rename one of them")

    def read(name: str) -> Column:
        series = frame[source[name]]
        if name == like.household:  # numbers of its own, none of the table's
            return Column.original(*encode(series.mask(series.astype(str) == "").rename(name)))
        return parse_column(series, like.attributes[name])

    return {name: read(name) for name in names}


def parse_column(series: pd.Series, attribute: Attribute) -> Column:
    """Return the column of value sets that a column of texts stands for; texts of the same set become one.

    Raises ValueError naming the column and the first cell that cannot be read.
    """
    index, cells = pd.factorize(series.astype(object))
    cells = list(cells)
    absent = index < 0
    if absent.any():
        index = np.where(absent, len(cells), index)
        cells.append(None)
    cells = _without_guards(cells, attribute)
    reader = _Reader(attribute, cells)
    numbers: list[int] = []
    sets: dict[tuple[int, int, bytes | None, bool], int] = {}
    labels: list[str] = []
    for cell in cells:
        lo, hi, mask = reader.read(cell)
        # a column of one value: the value and * are the same set, but * does not reveal it
        hides = _is_star(cell) and reader.attribute.size == 1
        number = sets.setdefault((lo, hi, None if mask is None else mask.tobytes(), hides), len(sets))
        numbers.append(number)
        if number == len(labels):
            labels.append(reader.label(cell))
    masks = [np.frombuffer(bits, dtype=bool) for _, _, bits, _ in sets if bits is not None]
    gaps = np.array([bits is not None for _, _, bits, _ in sets], dtype=bool)
    values = ValueSets(
        reader.attribute,
        np.array([lo for lo, *_ in sets], dtype=np.int32),
        np.array([hi for _, hi, *_ in sets], dtype=np.int32),
        np.concatenate([np.zeros(0, dtype=bool), *masks]).reshape(-1, reader.attribute.size),
        np.where(gaps, np.cumsum(gaps) - 1, -1).astype(np.int32),
        labels,
    )
    return Column(values, np.array(numbers, dtype=np.int32)[index])


def _is_star(cell: object) -> bool:
    return isinstance(cell, str) and cell.strip() in HIDDEN_LABELS


def _without_guards(cells: list[object], attribute: Attribute) -> list[object]:
    """Remove the apostrophes that ``publish(excel=True)`` put in front of formulas, from all cells of a column or none.

    They are removed if there is no formula without one, and a cell that cannot be read as it stands.
    """
    texts = [cell for cell in cells if isinstance(cell, str)]
    guarded = [word for word in texts if formula_again(word) != word]
    if not guarded or any(map(is_formula, texts)):
        return cells
    reader = _Reader(attribute, cells)
    if all(reader.reading(word, word) is not None for word in guarded):
        return cells
    return [formula_again(cell) if isinstance(cell, str) else cell for cell in cells]


class _Reader:
    """Reads cells as sets of an attribute's codes: the ends of an interval, and a mask when the set has gaps."""

    def __init__(self, attribute: Attribute, cells: Sequence[object]):
        if any(cell is None for cell in cells) and not attribute.missing:
            attribute = replace(attribute, missing=True)
        self.narrow = self.attribute = attribute
        self.numbers = np.array([])
        if attribute.is_number:
            self.numbers = attribute.domain.to_numpy(dtype=float)  # also where the kind is nominal
        self.recode = np.arange(attribute.size)
        if attribute.kind == "numeric" and attribute.is_number:
            self._widen(cells)

    def _widen(self, cells: Sequence[object]) -> None:
        """Add numbers that the table lacks to the domain, so that a mean or a gap between two values is a set."""
        fresh = []
        for cell in cells:
            if cell is None or text(cell) in self.narrow.code_of_label:
                continue
            for part in _parts(cell) if isinstance(cell, str) else [cell]:
                if text(part) in self.narrow.code_of_label or self._level(text(part)) is not None:
                    continue
                number, span = _number(part), _span(text(part))
                if number is not None:
                    fresh.append(number)
                elif span is not None and self._between(span) is None:
                    fresh += [inner for inner in [_inner(span)] if inner is not None]
        whole = all(number.is_integer() and abs(number) < 2**53 for number in fresh)
        if whole and self.narrow.domain.dtype.kind in "iu":
            fresh = list(map(int, fresh))  # 0 beside whole numbers is no 0.0
        self.attribute, self.recode = self.narrow.extended(fresh)
        hierarchy = self.narrow.hierarchy
        if self.attribute is not self.narrow and hierarchy is not None and hierarchy.values is None:
            self.attribute = replace(self.attribute, hierarchy=hierarchy)
        self.numbers = self.attribute.domain.to_numpy(dtype=float)

    def read(self, cell: object) -> tuple[int, int, np.ndarray | None]:
        size = self.attribute.size
        if cell is None:
            return size - 1, size - 1, None
        word = text(cell)
        result = self.reading(word, cell)
        if result is None:
            raise ValueError(
                f"column {self.attribute.name!r}: the cell {shorten(word)!r} is no value, interval, set, hierarchy "
                "label or '*' of that column; write 30-39, [30,40), >=50, a|b, 130** or 2020-01-01 to 2020-06-30, or "
                "attach the hierarchy it comes from"
            )
        if isinstance(result, tuple):
            return *result, None
        codes = np.flatnonzero(result)
        lo, hi = int(codes[0]), int(codes[-1])
        return lo, hi, None if hi - lo + 1 == len(codes) else result

    def reading(self, word: str, cell: object) -> tuple[int, int] | np.ndarray | None:
        """Return the values that a text stands for; None if it cannot be read."""
        result = self._one(word, cell)
        return self._several(word) if result is None else result

    def _one(self, word: str, cell: object) -> tuple[int, int] | np.ndarray | None:
        """Read a single value, ``*``, label or interval."""
        code = self._value(word, cell)
        if code is not None:
            return code, code
        if word.strip() in HIDDEN_LABELS:
            return 0, self.attribute.size - 1
        result: tuple[int, int] | np.ndarray | None = self._level(word)
        span = _span(word) if result is None and self.attribute.is_number else None
        if span is not None:
            result = self._between(span)
        readings: list[Callable[[str], tuple[int, int] | np.ndarray | None]]
        readings = [self._named_range, self._dates, self._masked]
        for reading in readings:
            result = reading(word) if result is None else result
        return result

    def _dates(self, word: str) -> np.ndarray | None:
        """Read a period, such as ``2020``, ``2020-03`` or ``2020s``, or two of them, as the dates between."""
        domain = self.attribute.domain
        span = _date_span(word) if pd.api.types.is_datetime64_any_dtype(domain.dtype) else None
        if span is None:
            return None
        low, high = (end if end is None or domain.tz is None else end.tz_localize(domain.tz) for end in span)
        inside = np.ones(len(domain), dtype=bool)
        inside &= True if low is None else np.asarray(domain >= low)
        inside &= True if high is None else np.asarray(domain < high)
        return np.append(inside, [False] * self.attribute.missing) if inside.any() else None

    def _masked(self, word: str) -> np.ndarray | None:
        """Read ``130**`` as the values that fit the characters shown, counted from the left as in masks."""
        if MASK_CHARACTER not in word or self.attribute.kind == "ordinal":
            return None
        word, hidden = word.strip(), re.escape(MASK_CHARACTER)
        prefix = word.rstrip(MASK_CHARACTER)
        pattern = re.compile(re.escape(prefix).replace(hidden, ".") + f".{{0,{len(word) - len(prefix)}}}", re.DOTALL)
        names = (text(value) for value in self.attribute.domain)
        fits = [bool(pattern.fullmatch(name.zfill(len(word)) if self.attribute.is_number else name)) for name in names]
        return np.append(fits, [False] * self.attribute.missing).astype(bool) if any(fits) else None

    def label(self, cell: object) -> str:
        """Return what people see: a value as the table writes it, anything else as the cell does."""
        if cell is None:
            return self.attribute.labels[-1]
        code = self._value(text(cell), cell)
        return text(cell) if code is None else self.attribute.labels[code]

    def _value(self, word: str, cell: object) -> int | None:
        """Return the code of a value, even one written in another way: 30.0 for 30, a date with its time of day."""
        if word in self.attribute.code_of_label:
            return self.attribute.code_of_label[word]
        if word == "" and self.attribute.missing:  # as files have it
            return self.attribute.missing_code
        domain = self.attribute.domain
        if self.attribute.is_number:
            number = _number(cell)
            return None if number is None else self._code_of_number.get(number)
        if pd.api.types.is_timedelta64_dtype(domain.dtype):
            return self._time(pd.Timedelta, cell)
        if not pd.api.types.is_datetime64_any_dtype(domain.dtype):
            return None
        if isinstance(cell, str) and not ISO_DATE.match(word):  # pandas would guess at 03.04.1995
            return None
        if isinstance(cell, str) and ":" not in word and has_times(domain):  # a whole day, not its first moment
            return None
        return self._time(pd.Timestamp, cell)

    def _time(self, kind: Callable[[Any], object], cell: object) -> int | None:
        """Return the code of a time, whichever way it is written."""
        try:
            position = self.attribute.domain.get_indexer([kind(cell)])[0]
        except (ValueError, TypeError):
            return None
        return int(position) if position >= 0 else None

    @cached_property
    def _code_of_number(self) -> dict[float, int]:
        """The first code of each number: a search among all of them would cost cells × values."""
        return dict(zip(self.numbers[::-1].tolist(), range(len(self.numbers) - 1, -1, -1), strict=True))

    def _level(self, word: str) -> np.ndarray | None:
        """Return the values below a label of the hierarchy, on the lowest level that has it."""
        if self.narrow.hierarchy is None:
            return None
        levels = self.narrow.levels
        for level in range(1, levels.height + 1):
            if word in levels.labels[level]:
                mask = np.zeros(self.attribute.size, dtype=bool)
                mask[self.recode] = levels.maps[level] == levels.labels[level].index(word)
                return mask
        return None

    def _between(self, span: Span) -> tuple[int, int] | np.ndarray | None:
        low, with_low, high, with_high = span
        if self.attribute.kind != "numeric":  # the domain is in another order than that of the numbers
            inside = (self.numbers >= low if with_low else self.numbers > low) & (
                self.numbers <= high if with_high else self.numbers < high
            )
            return np.append(inside, [False] * self.attribute.missing) if inside.any() else None
        lo = np.searchsorted(self.numbers, low, "left" if with_low else "right")
        hi = np.searchsorted(self.numbers, high, "right" if with_high else "left") - 1
        return (int(lo), int(hi)) if lo <= hi else None

    def _named_range(self, word: str) -> tuple[int, int] | None:
        """Read ``[low–high]`` or ``(0,39]`` as our own labels write them, for ordered values that are not numbers."""
        if self._pieces and (span := read_joined(word, self._pieces)):
            return span
        if self.attribute.kind == "nominal" or not (word.startswith("[") and word.endswith("]")):
            return None
        codes = self.attribute.code_of_label
        for dash in (EN_DASH, "-"):
            parts = word[1:-1].split(dash)
            for cut in range(1, len(parts)):
                lo, hi = (codes.get(dash.join(part).strip()) for part in (parts[:cut], parts[cut:]))
                if lo is not None and hi is not None and lo <= hi:
                    return lo, hi
        return None

    @cached_property
    def _pieces(self) -> list[Piece] | None:
        return value_pieces(self.attribute)

    def _several(self, word: str) -> np.ndarray | None:
        """Read ``a|b``, ``a or b``, ``a; b``, ``{a, b}`` as the union of values, labels and intervals."""
        parts = _parts(word)
        mask = np.zeros(self.attribute.size, dtype=bool)
        for part in parts:
            result = self._one(part, part) if len(parts) > 1 or part != word.strip() else None
            if result is None:
                return None
            if isinstance(result, tuple):
                mask[result[0] : result[1] + 1] = True
            else:
                mask |= result
        return mask if mask.any() else None


def _parts(word: str) -> list[str]:
    """Return the names in a list; one in double quotes may hold the separators.

    >>> _parts('a or "b or c"|d'), _parts("{a, b}"), _parts("alone")
    (['a', 'b or c', 'd'], ['a', 'b'], ['alone'])
    """
    inner = word.strip()
    if inner.startswith("{") and inner.endswith("}"):
        return [part.strip() for part in inner[1:-1].split(",")]
    parts = []
    for match in _PART.finditer(inner):
        part = match[1]
        if len(part) > 1 and part[0] == part[-1] == '"':
            part = part[1:-1].replace('""', '"')
        parts.append(part)
        if not match[2]:  # no separator follows: the last part
            break
    return parts


def _number(cell: object) -> float | None:
    try:
        number = float(cell)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _span(word: str) -> Span | None:
    one_sided = _BOUND.match(word)
    if one_sided:
        sign, end = one_sided[1], float(one_sided[2])
        closed = sign in ("<=", ">=", "≤", "≥")
        return (-math.inf, True, end, closed) if sign[0] in "<≤" else (end, closed, math.inf, True)
    upward = _AND_MORE.match(word)
    if upward:
        return (float(upward[1]), True, math.inf, True)
    both = _RANGE.match(word.replace("∞", "inf"))
    if both is None:
        return None
    left, low, high, right = both.groups()[:4] if both[2] is not None else both.groups()[4:]
    low, high = float(low), float(high)
    return (low, left not in ("(", "]"), high, right not in (")", "[")) if low <= high else None


def _inner(span: Span) -> float | None:
    """Return a number inside an interval; None if nothing lies in it."""
    low, with_low, high, with_high = span
    if low == high:
        return low if with_low and with_high else None
    if math.isinf(low):
        return high if with_high else high - 1
    if math.isinf(high):
        return low if with_low else low + 1
    return (low + high) / 2


def _date_span(word: str) -> tuple[pd.Timestamp | None, pd.Timestamp | None] | None:
    """Return the moments from which and before which dates are meant; None on a side without an end.

    >>> [str(end.date()) for end in _date_span("2020-02 to 2020-Q2")]
    ['2020-02-01', '2020-07-01']
    """
    one_sided = _DATE_BOUND.match(word)
    both = _DATES.match(word)
    try:
        if _PERIOD.match(word):
            return _period(word)
        if one_sided:
            (start, end), sign = _period(one_sided[2]), one_sided[1]
            return {"<": (None, start), ">": (end, None)}.get(
                sign, (None, end) if sign in ("<=", "≤") else (start, None)
            )
        if both is None:
            return None
        left, low, high, right = both.groups()[:4] if both[2] is not None else both.groups()[4:]
        return _period(low)[left == "("], _period(high)[right != ")"]
    except ValueError:  # a thirteenth month
        return None


def _period(word: str) -> tuple[pd.Timestamp, pd.Timestamp]:
    """Return the start of a decade, quarter, year, month, day, hour or moment, and the start of the next."""
    if word.endswith("h"):
        start = pd.Timestamp(f"{word[:-1]}:00")
        return start, start + pd.Timedelta(hours=1)
    if word.endswith("s"):
        return pd.Timestamp(int(word[:4]), 1, 1), pd.Timestamp(int(word[:4]) + 10, 1, 1)
    period = pd.Period(word)
    return period.start_time, (period + 1).start_time


def fully_hidden(quasi: Sequence[Column], rows: int) -> np.ndarray:
    """Flag rows whose whole quasi-identifier is suppressed; none if all are, as nothing else was published."""
    if not quasi:
        return np.zeros(rows, dtype=bool)
    hidden = np.ones(rows, dtype=bool)
    for column in quasi:
        sets = column.sets
        shown = np.array([label.strip() not in HIDDEN_LABELS for label in sets.labels], dtype=bool)
        # the only value of a column is its whole domain too, yet it is no suppressed cell
        whole = (sets.sizes == column.attribute.size) & ~(shown & (sets.sizes == 1))
        hidden &= whole[column.index]
    return hidden & ~hidden.all()
