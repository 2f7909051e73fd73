"""Compare an answer with the expected one. Practice in notebooks and marking of coursework follow this one rule.

Idea: whatever a person would take for the same answer is the same. Order matters only where an ordered answer is
expected (a list, a tuple, an array); otherwise a set, list, tuple, series or array may stand for each other. Texts are
compared without regard to case, spaces and the kind of dash. A number in a text, or alone in a list, is read, with a
remark.
"""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable, Hashable, ItemsView, Iterable, KeysView, Mapping, ValuesView
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.wording import kind_of

ORDERED = (list, tuple, range, deque, np.ndarray, pd.Series, pd.Index, KeysView, ValuesView, ItemsView)
COLLECTIONS = (*ORDERED, set, frozenset)
_TUPLES = {2: "pair", 3: "triple"}
_NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+|/[1-9]\d*)?%?")  # 007 is a text
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


@dataclass(frozen=True)
class _Reading:
    """How generously an answer is read: the least number of significant digits, and what there was to remark."""

    digits: int
    remarks: list[str]


def difference(answer: Any, expected: Any, remarks: list[str] | None = None, *, digits: int = 2) -> str:
    """Say where an answer first differs from the expected one without giving it away; an empty text if it does not.

    A series may stand for a dict, and two series must have the same index. A number that is not whole may be rounded to
    two significant digits or more (``digits``), or be off by 0.5 % or 0.0005; missing values agree with each other. The
    columns of a frame may be in any order. What was read generously is added to ``remarks``.

    >>> difference(["o1", "o3"], {"o1", "o2"})
    "'o3' does not belong to it"
    >>> difference({"k": 2, "share": 0.333}, {"k": 2, "share": 1 / 3})
    ''
    >>> difference("0.75", 0.75, remarks := []), remarks
    ('', ["'0.75' is a text, and was read as a number"])
    """
    return _compare(answer, expected, _Reading(digits, [] if remarks is None else remarks))


def _compare(answer: Any, expected: Any, reading: _Reading) -> str:
    answer, expected = unwrapped(answer), unwrapped(expected)
    for kinds, compare in _RULES:
        if isinstance(expected, kinds):
            return compare(answer, expected, reading)
    return _of_scalars(answer, expected, reading)


def unwrapped(value: Any) -> Any:
    """The number or text in an array without dimensions, which numpy often gives; other values as they are."""
    return (
        value.item() if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and not value.ndim) else value
    )


def simplified(value: Any) -> Any:
    """A plain value as checks compute with it: unwrapped, and a series that is merely numbered is a list.

    >>> simplified({"a": np.array(0.4), "b": pd.Series([1, 2])})
    {'a': 0.4, 'b': [1, 2]}
    """
    if isinstance(value, dict):
        return {key: simplified(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(map(simplified, value))
    return value.tolist() if isinstance(value, pd.Series) and _is_numbered(value) else unwrapped(value)


def is_collection(answer: Any) -> bool:
    """Whether a value is a list, a set, a series or the like; texts, dicts and frames are not."""
    return isinstance(answer, COLLECTIONS) and getattr(answer, "ndim", 1) > 0


def read_number(value: Any) -> float | None:
    """Read a number, also one that is written as a text or stands alone in a list; None if there is none.

    >>> read_number("0.75"), read_number([239]), read_number("75 %"), read_number("many"), read_number(True)
    (0.75, 239, 0.75, None, None)
    """
    value = unwrapped(value)
    if is_collection(value) and len(value) == 1:
        return read_number(next(iter(value)))
    if isinstance(value, str):
        return _in_text(value)
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return None
    return value if isinstance(value, int) else float(value)


def _in_text(text: str) -> float | None:
    text = _plain_text(text)
    if not _NUMBER.fullmatch(text):
        return None
    number = Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    return int(number) if number.denominator == 1 else float(number)


def _plain_text(text: str) -> str:
    """A text without what does not matter: case, spaces around it and around signs, the kind of dash."""
    return re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(text.casefold().translate(_DASHES).split()))


def canonical(value: Any, kind: type | None = None) -> Hashable:
    """Give a value the form in which equal ones are equal; ``kind`` (tuple, frozenset) is that of a collection."""
    value = unwrapped(value)
    if isinstance(value, str):
        number = _in_text(value)
        return _plain_text(value) if number is None else number
    if isinstance(value, bool) or not is_collection(value):
        return ("truth", value) if isinstance(value, bool) else None if is_missing(value) else _hashable(value)
    kind = kind or (frozenset if isinstance(value, set | frozenset) else tuple)
    return kind(canonical(element) for element in value)


def _hashable(value: Any) -> Hashable:
    return value if isinstance(value, Hashable) else repr(value)


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN or another sign for a missing one."""
    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _keyed(answer: Iterable[Any], expected: Iterable[Any]) -> tuple[dict[Hashable, Any], dict[Hashable, Any]]:
    """The elements of both by canonical form; by themselves where two expected ones differ in case or type only."""
    expected = list(expected)
    kinds = {type(element) for element in expected}
    kind = next(iter(kinds)) if kinds <= {frozenset, tuple} and len(kinds) == 1 else None

    def form(element: Any) -> Hashable:
        return canonical(element, kind)

    if len({form(element) for element in expected}) < len(expected):
        return {_hashable(one): one for one in map(unwrapped, answer)}, {_hashable(one): one for one in expected}
    return {form(element): element for element in answer}, {form(element): element for element in expected}


def _of_frames(answer: Any, expected: pd.DataFrame, reading: _Reading) -> str:
    if not isinstance(answer, pd.DataFrame):
        return f"it must be a DataFrame, not {kind_of(answer)}"
    given, wanted = _keyed(answer.columns, expected.columns)
    if answer.columns.has_duplicates or given.keys() != wanted.keys():
        return f"its columns must be {', '.join(map(str, expected.columns))}"
    if canonical(answer.index) != canonical(expected.index):
        return "its rows are not the expected ones"
    for key, name in wanted.items():
        pairs = zip(expected.index, answer[given[key]], expected[name], strict=True)
        for label, value, right in pairs:
            if wrong := _compare(value, right, reading):
                return f"row {_short(label)}, column {name!r}: {wrong}"
    return ""


def _of_series(answer: Any, expected: pd.Series, reading: _Reading) -> str:
    if isinstance(answer, dict):
        return _of_dicts(answer, expected.to_dict(), reading)
    if not isinstance(answer, pd.Series) or _is_numbered(answer):
        return _of_lists(answer, expected, reading, "series")
    if wrong := _of_lists(answer.index, expected.index, reading):
        return f"its index: {wrong}"
    for label, value, right in zip(expected.index, answer, expected, strict=True):
        if wrong := _compare(value, right, reading):
            return f"at {_short(label)}: {wrong}"
    return ""


def _is_numbered(series: pd.Series) -> bool:
    """Whether the index only counts the rows."""
    return bool(series.index.equals(pd.RangeIndex(len(series))))


def _of_sets(answer: Any, expected: set | frozenset, reading: _Reading) -> str:
    if not is_collection(answer):
        if len(expected) == 1 and not _compare(answer, next(iter(expected)), reading):
            reading.remarks.append(f"{_short(answer)} alone was read as a list of one element")
            return ""
        return f"it must be a list or a set, not {kind_of(answer)}"
    given, wanted = _keyed(answer, expected)
    extra = {key: value for key, value in given.items() if key not in wanted}
    missing = {key: value for key, value in wanted.items() if key not in given}
    for key, value in list(extra.items()):  # rounded numbers, say
        fitting = next((other for other, right in missing.items() if not _compare(value, right, reading)), None)
        if fitting in missing:
            del extra[key], missing[fitting]
    if extra:
        return f"{_short(min(extra.values(), key=repr))} does not belong to it"
    return "something is missing" if missing else ""


def _of_dicts(answer: Any, expected: Mapping[Any, Any], reading: _Reading) -> str:
    if isinstance(answer, pd.Series):
        if answer.index.has_duplicates:
            return f"its index has {_short(answer.index[answer.index.duplicated()][0])} twice"
        answer = answer.to_dict()
    if is_collection(answer) and set(expected) == set(range(len(expected))):
        answer = dict(enumerate(answer))
    if not isinstance(answer, dict):
        return f"it must be a dict, not {kind_of(answer)}"
    given, wanted = _keyed(answer, expected)
    if wrong := _of_sets(set(given), set(wanted), reading):
        extra = [given[key] for key in given if key not in wanted]
        return f"its keys: {_short(min(extra, key=repr))} does not belong to it" if extra else f"its keys: {wrong}"
    for key, name in wanted.items():
        if wrong := _compare(answer[given[key]], expected[name], reading):
            return f"at {_short(name)}: {wrong}"
    return ""


def _of_lists(answer: Any, expected: Any, reading: _Reading, wanted: str = "list") -> str:
    if not isinstance(answer, ORDERED):
        if isinstance(answer, set | frozenset):
            return "it must be a list, for its order matters, and a set has none"
        if len(expected) == 1 and not _compare(answer, next(iter(expected)), reading):
            reading.remarks.append(f"{_short(answer)} alone was read as a list of one element")
            return ""
        wanted = _TUPLES.get(len(expected), wanted) if isinstance(expected, tuple) else wanted
        return f"it must be a {wanted}, not {kind_of(answer)}"
    if len(answer) != len(expected):
        return f"it has {len(answer)} elements, and that is not the right number"
    for index, (value, right) in enumerate(zip(answer, expected, strict=True)):
        if wrong := _compare(value, right, reading):
            return f"element {index}: {wrong}"
    return ""


def _of_scalars(answer: Any, expected: Any, reading: _Reading) -> str:
    if is_collection(answer) and len(answer) == 1:
        element = next(iter(answer))
        if not _of_scalars(unwrapped(element), expected, reading):
            reading.remarks.append(f"{_short(answer)} holds one element, and was read as that element")
            return ""
    if is_missing(answer) or is_missing(expected):
        return "" if is_missing(answer) and is_missing(expected) else f"{_short(answer)} is not right"
    if isinstance(expected, Real) and not isinstance(expected, bool) and not isinstance(answer, bool):
        return _of_numbers(answer, expected, reading)
    comparable = pd.api.types.is_scalar(answer) or isinstance(answer, type(expected))
    same = isinstance(answer, bool) == isinstance(expected, bool) and comparable
    same = same and (canonical(answer) == canonical(expected) or bool(answer == expected))
    return "" if same else f"{_short(answer)} is not right"


def _of_numbers(answer: Any, expected: Real, reading: _Reading) -> str:
    number = None if is_collection(answer) else read_number(answer)
    if number is None:
        return f"it must be a number, not {kind_of(answer)}"
    whole = not isinstance(expected, float)
    if not (number == expected if whole else _near(float(number), float(expected), reading.digits)):
        far = _rounded_too_far(float(number), float(expected))
        return f"{_short(answer)} is {'rounded too far' if far else 'not right'}"
    if isinstance(answer, str):
        reading.remarks.append(f"{answer!r} is a text, and was read as a number")
    return ""


def _near(answer: float, expected: float, digits: int) -> bool:
    """People round: what the expected number is to some significant digits, two or more, is right."""
    if math.isclose(answer, expected, rel_tol=0.5 * 10.0**-digits, abs_tol=0.05 * 10.0**-digits):
        return True
    rounded = (float(f"{expected:.{number}g}") for number in range(digits, 16))
    return any(math.isclose(answer, one, rel_tol=1e-6) for one in rounded)


def _rounded_too_far(answer: float, expected: float) -> bool:
    """Whether a number is the expected one, cut or rounded to one significant digit or to a whole number."""
    if not math.isfinite(expected) or expected == int(expected):
        return False
    return answer in (float(f"{expected:.1g}"), round(expected), math.trunc(expected * 10) / 10) and answer != 0


def is_form(mistake: str) -> bool:
    """Whether what :func:`difference` says is about the form of an answer: it then says what to do about it.

    >>> is_form(difference("many", 3)), is_form(difference(4, 3)), is_form(difference(0.3, 1 / 3))
    (True, False, True)
    """
    return mistake.startswith("it must be") or mistake.endswith("rounded too far")


def right_elements(answer: Any, expected: Any) -> tuple[int, int, int]:
    """How many elements of an answer are right, how many do not belong to it at all, and how many there should be.

    >>> right_elements({"k": 2, "risk": 0.9, "l": 3}, {"k": 2, "risk": 0.5})
    (1, 1, 2)
    """
    if isinstance(expected, set | frozenset):
        given, wanted = _keyed(answer if is_collection(answer) else (), expected)
        return len(given.keys() & wanted.keys()), len(given.keys() - wanted.keys()), len(expected)
    if isinstance(expected, dict | pd.Series):
        answers = dict(answer) if isinstance(answer, dict | pd.Series) else {}
        given, wanted = _keyed(answers, dict(expected))
        both = given.keys() & wanted.keys()
        right = sum(not difference(answers[given[key]], expected[wanted[key]]) for key in both)
        return right, len(given.keys() - wanted.keys()), len(expected)
    if not isinstance(answer, ORDERED) or not is_collection(answer):
        return 0, 0, len(expected)
    right = sum(not difference(value, wanted) for value, wanted in zip(answer, expected, strict=False))
    return right, max(0, len(answer) - len(expected)), len(expected)


def _short(value: Any) -> str:
    text = repr(unwrapped(value))
    return text if len(text) <= 60 else text[:57] + "..."


_RULES: list[tuple[type | tuple[type, ...], Callable[[Any, Any, _Reading], str]]] = [
    (pd.DataFrame, _of_frames),
    (pd.Series, _of_series),
    ((set, frozenset), _of_sets),
    (dict, _of_dicts),
    (ORDERED, _of_lists),
]
