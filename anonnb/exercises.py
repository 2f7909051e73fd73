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


def check(answer: Any, solution: Callable[[], Any], *, hint: str = "") -> None:
    """Compare an answer with what ``solution()`` computes and print the verdict; None means not answered yet."""
    tip = f" Hint: {hint}" if hint else ""
    if answer is None:
        print(f"Not answered yet.{tip}")
    elif _same(answer, solution()):
        print("Right.")
    else:
        print(f"Not yet.{tip}")


def _same(answer: Any, expected: Any) -> bool:
    if isinstance(expected, pd.DataFrame | pd.Series):
        return isinstance(answer, type(expected)) and answer.equals(expected)
    if isinstance(expected, set | frozenset):
        return isinstance(answer, set | frozenset | list | tuple | np.ndarray) and set(answer) == set(expected)
    if isinstance(expected, dict):
        return (
            isinstance(answer, dict)
            and answer.keys() == expected.keys()
            and all(_same(answer[key], value) for key, value in expected.items())
        )
    if isinstance(expected, np.ndarray | list | tuple):
        ordered = isinstance(answer, np.ndarray | list | tuple | pd.Series | pd.Index)
        ordered = ordered and getattr(answer, "ndim", 1) > 0
        return ordered and len(answer) == len(expected) and all(map(_same, answer, expected))
    if isinstance(answer, bool | np.bool_) != isinstance(expected, bool | np.bool_):
        return False
    if not isinstance(expected, float | np.floating):
        comparable = pd.api.types.is_scalar(answer) or isinstance(answer, type(expected))
        return comparable and bool(answer == expected)
    # people round: three significant digits are enough
    return isinstance(answer, int | float | np.number) and math.isclose(answer, expected, rel_tol=5e-3, abs_tol=5e-4)
