"""Exercises that check themselves: the expected answer is computed by the package, never written down.

>>> check(None, lambda: 4, hint="count the rows")
Not answered yet. Hint: count the rows
>>> check(4, lambda: 4)
Right.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

_ORDERED = (list, tuple, np.ndarray, pd.Series, pd.Index)


def check(answer: Any, solution: Callable[[], Any], *, hint: str = "") -> None:
    """Compare an answer with what ``solution()`` computes and print the verdict; None means not answered yet."""
    tip = f" Hint: {hint}" if hint else ""
    if answer is None:
        print(f"Not answered yet.{tip}")
    elif not difference(answer, solution()):
        print("Right.")
    else:
        print(f"Not yet.{tip}")


def difference(answer: Any, expected: Any) -> str:
    """Where an answer first differs from the expected one, in words that do not give it away; empty if it does not.

    Lists, tuples, arrays and series may stand for each other, and for sets; two series must have the same index. Floats
    agree to three significant digits (elements of sets must be equal), and missing values agree with each other.

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
        return f"it must be a DataFrame, not a {type(answer).__name__}"
    if list(answer.columns) != list(expected.columns):
        return f"its columns must be {', '.join(map(str, expected.columns))}"
    if len(answer) != len(expected) or list(answer.index) != list(expected.index):
        return f"its rows are not the expected {len(expected)} rows"
    for name in expected.columns:
        for row, (mine, right) in enumerate(zip(answer[name], expected[name], strict=True)):
            if not _same_scalar(mine, right):
                return f"row {expected.index[row]!r}, column {name!r}: {_short(mine)} is not right"
    return ""


def _of_series(answer: Any, expected: pd.Series) -> str:
    if not isinstance(answer, pd.Series):
        return _of_lists(answer, expected, "series")
    if wrong := _of_lists(answer.index, expected.index):
        return f"its index: {wrong}"
    for label, mine, right in zip(expected.index, answer, expected, strict=True):
        if wrong := difference(mine, right):
            return f"at {_short(label)}: {wrong}"
    return ""


def _of_sets(answer: Any, expected: set | frozenset) -> str:
    if not isinstance(answer, (set, frozenset, *_ORDERED)) or getattr(answer, "ndim", 1) == 0:
        return f"it must be a set, not a {type(answer).__name__}"
    try:
        mine = set(answer.tolist() if hasattr(answer, "tolist") else answer)
    except TypeError:
        return "its elements must be plain values or tuples; lists cannot be in a set"
    extra, missing = mine - set(expected), set(expected) - mine
    if extra:
        return f"{_short(sorted(extra, key=repr)[0])} does not belong to it"
    return f"{len(missing)} of its {len(expected)} elements are missing" if missing else ""


def _of_dicts(answer: Any, expected: dict) -> str:
    if not isinstance(answer, dict):
        return f"it must be a dict, not a {type(answer).__name__}"
    wrong = _of_sets(set(answer), set(expected))
    if wrong:
        return f"its keys: {wrong}"
    for key, value in expected.items():
        wrong = difference(answer[key], value)
        if wrong:
            return f"at {_short(key)}: {wrong}"
    return ""


def _of_lists(answer: Any, expected: Any, wanted: str = "list") -> str:
    if not isinstance(answer, _ORDERED) or getattr(answer, "ndim", 1) == 0:
        return f"it must be a {wanted}, not a {type(answer).__name__}"
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
    # people round: three significant digits are enough
    return isinstance(answer, int | float | np.number) and math.isclose(answer, expected, rel_tol=5e-3, abs_tol=5e-4)


def _short(value: Any) -> str:
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= 60 else text[:57] + "..."
