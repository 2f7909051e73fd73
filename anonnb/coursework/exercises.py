"""Exercises that check themselves: the expected answer is computed by the package, never written down.

>>> check(None, lambda: 4, hint="count the rows")
Not answered yet. Hint: count the rows
>>> check(4, lambda: 4)
Right.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, ItemsView, KeysView, ValuesView
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from anonnb.core.wording import kind_of

_ORDERED = (list, tuple, range, deque, np.ndarray, pd.Series, pd.Index, KeysView, ValuesView, ItemsView)
COLLECTIONS = (*_ORDERED, set, frozenset)
_TUPLES = {2: "pair", 3: "triple"}
_ROUNDED_TO = range(2, 16)  # significant digits


def check(answer: Any, solution: Callable[[], Any], *, hint: str = "") -> None:
    """Compare an answer with what ``solution()`` computes and print the verdict.

    Parameters
    ----------
    answer:
        What the reader found; None means not answered yet.
    solution:
        Computes the right answer; called only where there is an answer to compare.
    hint:
        Printed beside anything but a right answer.

    Examples
    --------
    >>> check(0.333, lambda: 1 / 3, hint="divide")
    Right.
    >>> check(0.4, lambda: 1 / 3, hint="divide")
    Not yet. Hint: divide
    """
    tip = f" Hint: {hint}" if hint else ""
    if answer is None:
        print(f"Not answered yet.{tip}")
    elif not difference(answer, solution()):
        print("Right.")
    else:
        print(f"Not yet.{tip}")


def difference(answer: Any, expected: Any) -> str:
    """Where an answer first differs from the expected one, in words that do not give it away; empty if it does not.

    Collections may stand for each other, also within others, except that a set has no order where one is wanted; a
    series may stand for a dict, and two series must have the same index. A number that is no whole one may be rounded
    to two significant digits or more (elements of sets must be equal), or be off by 0.5 % or 0.0005; missing values
    agree with each other. The columns of a frame may be in any order.

    >>> difference(["o1", "o3"], {"o1", "o2"})
    "'o3' does not belong to it"
    >>> difference({"k": 2, "share": 0.333}, {"k": 2, "share": 1 / 3})
    ''
    """
    if isinstance(expected, pd.DataFrame):
        return _of_frames(answer, expected)
    if isinstance(expected, pd.Series):
        return _of_series(answer, expected)
    if isinstance(expected, set | frozenset):
        return _of_sets(answer, expected)
    if isinstance(expected, dict):
        return _of_dicts(answer, expected)
    if isinstance(expected, _ORDERED):
        return _of_lists(answer, expected)
    return "" if _same_scalar(answer, expected) else f"{_short(answer)} is not right"


def _of_frames(answer: Any, expected: pd.DataFrame) -> str:
    if not isinstance(answer, pd.DataFrame):
        return f"it must be a DataFrame, not {kind_of(answer)}"
    if answer.columns.has_duplicates or set(answer.columns) != set(expected.columns):
        return f"its columns must be {', '.join(map(str, expected.columns))}"
    if len(answer) != len(expected) or list(answer.index) != list(expected.index):
        return f"its rows are not the expected {len(expected)} rows"
    for name in expected.columns:
        for row, (mine, right) in enumerate(zip(answer[name], expected[name], strict=True)):
            if not _same_scalar(mine, right):
                return f"row {expected.index[row]!r}, column {name!r}: {_short(mine)} is not right"
    return ""


def _of_series(answer: Any, expected: pd.Series) -> str:
    if isinstance(answer, dict):
        return _of_dicts(answer, expected.to_dict())
    if not isinstance(answer, pd.Series):
        return _of_lists(answer, expected, "series")
    if wrong := _of_lists(answer.index, expected.index):
        return f"its index: {wrong}"
    for label, mine, right in zip(expected.index, answer, expected, strict=True):
        if wrong := difference(mine, right):
            return f"at {_short(label)}: {wrong}"
    return ""


def _of_sets(answer: Any, expected: set | frozenset) -> str:
    if not _is_collection(answer):
        return f"it must be a list or a set, not {kind_of(answer)}"
    try:
        mine = _elements(answer, expected)
    except TypeError:
        return "its elements must be plain values or tuples; lists cannot be in a set"
    extra, missing = mine - set(expected), set(expected) - mine
    if extra:
        return f"{_short(sorted(extra, key=repr)[0])} does not belong to it"
    return f"{len(missing)} of its {len(expected)} elements {_is(len(missing))} missing" if missing else ""


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _is_collection(answer: Any) -> bool:
    return isinstance(answer, COLLECTIONS) and getattr(answer, "ndim", 1) > 0


def _elements(answer: Any, expected: set | frozenset) -> set:
    """The elements of a collection; those that are collections themselves as the expected ones are."""
    kinds = {type(one) for one in expected}
    kind = next(iter(kinds)) if len(kinds) == 1 and kinds <= {frozenset, tuple} else None
    values = answer.tolist() if hasattr(answer, "tolist") else list(answer)
    return {kind(one) if kind and _is_collection(one) else one for one in values}


def _of_dicts(answer: Any, expected: dict) -> str:
    if isinstance(answer, pd.Series):
        twice = answer.index[answer.index.duplicated()]
        if len(twice):
            return f"its index has {_short(twice[0])} twice"
        answer = answer.to_dict()
    if not isinstance(answer, dict):
        return f"it must be a dict, not {kind_of(answer)}"
    wrong = _of_sets(set(answer), set(expected))
    if wrong:
        return f"its keys: {wrong}"
    for key, value in expected.items():
        wrong = difference(answer[key], value)
        if wrong:
            return f"at {_short(key)}: {wrong}"
    return ""


def right_elements(answer: Any, expected: Any) -> tuple[int, int, int]:
    """How many elements of an answer are right, how many do not belong to it at all, and how many there should be.

    >>> right_elements({"k": 2, "risk": 0.9, "l": 3}, {"k": 2, "risk": 0.5})
    (1, 1, 2)
    """
    if isinstance(expected, set | frozenset):
        return _right_in_set(answer, expected)
    if isinstance(expected, dict | pd.Series):
        return _right_in_dict(answer, dict(expected))
    if not isinstance(answer, _ORDERED) or getattr(answer, "ndim", 1) == 0:
        return 0, 0, len(expected)
    right = sum(not difference(mine, wanted) for mine, wanted in zip(answer, expected, strict=False))
    return right, max(0, len(answer) - len(expected)), len(expected)


def _right_in_set(answer: Any, expected: set | frozenset) -> tuple[int, int, int]:
    try:
        mine = _elements(answer, expected) if _is_collection(answer) else set()
    except TypeError:
        mine = set()
    return len(mine & expected), len(mine - expected), len(expected)


def _right_in_dict(answer: Any, expected: dict) -> tuple[int, int, int]:
    mine = dict(answer) if isinstance(answer, dict | pd.Series) else {}
    right = sum(key in mine and not difference(mine[key], value) for key, value in expected.items())
    return right, len(mine.keys() - expected.keys()), len(expected)


def _of_lists(answer: Any, expected: Any, wanted: str = "list") -> str:
    if not isinstance(answer, _ORDERED) or getattr(answer, "ndim", 1) == 0:
        wanted = _TUPLES.get(len(expected), wanted) if isinstance(expected, tuple) else wanted
        return f"it must be a {wanted}, not {kind_of(answer)}"
    if len(answer) != len(expected):
        return f"it has {len(answer)} elements, but {len(expected)} are wanted"
    for place, (mine, right) in enumerate(zip(answer, expected, strict=True)):
        wrong = difference(mine, right)
        if wrong:
            return f"element {place}: {wrong}"
    return ""


def _same_scalar(answer: Any, expected: Any) -> bool:
    missing = [pd.api.types.is_scalar(value) and pd.isna(value) for value in (answer, expected)]
    if any(missing):
        return all(missing)
    if isinstance(answer, bool | np.bool_) != isinstance(expected, bool | np.bool_):
        return False
    if not isinstance(expected, float | np.floating):
        comparable = pd.api.types.is_scalar(answer) or isinstance(answer, type(expected))
        return comparable and bool(answer == expected)
    return isinstance(answer, Real | Decimal | np.number) and _near(float(answer), float(expected))


def _near(answer: float, expected: float) -> bool:
    """People round: what the expected number is to some significant digits, two or more, is right."""
    if math.isclose(answer, expected, rel_tol=5e-3, abs_tol=5e-4):
        return True
    rounded = (float(f"{expected:.{digits}g}") for digits in _ROUNDED_TO)
    return any(math.isclose(answer, one, rel_tol=1e-6) for one in rounded)


def _short(value: Any) -> str:
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 else text[:57] + "..."
