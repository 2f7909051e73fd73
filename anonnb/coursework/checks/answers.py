"""Checks of values and functions. What may be given is one rule, for every task and for the marker alike.

Idea: every check takes a copy of the answer as plain data (see plain.py), which is what the marker gets. What counts as
equal is said in comparing.py. A check that passes prints a line that says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd

from anonnb.core.wording import kind_of, pluralize
from anonnb.coursework.checks.calling import AnswerFunction, own_function
from anonnb.coursework.checks.comparing import (
    COLLECTIONS,
    canonical,
    difference,
    is_collection,
    read_number,
    right_elements,
    simplified,
)
from anonnb.coursework.checks.words import Credit, passed, wrong
from anonnb.coursework.plain import NotPlain, dumps, loads


def plain(name: str, answer: Any) -> Any:
    """The answer as the marker gets it: a copy as plain data, or a function that takes and gives such copies.

    Use it wherever a check computes with an answer itself, under another name: ``mine = plain("rows", rows)``.

    >>> plain("names", {"p1": 3, "p2": 4}.keys())
    ['p1', 'p2']
    """
    if isinstance(answer, AnswerFunction):
        return answer
    if callable(answer):
        return own_function(name, answer)
    try:
        return simplified(loads(dumps(answer)))
    except NotPlain as error:
        wrong(f"{name}: {error}")


def answered(**answers: Any) -> None:
    """Every answer is there: neither None nor ``...``.

    >>> answered(k=None)
    Traceback (most recent call last):
    anonnb.coursework.checks.words.Wrong: k is not answered yet.
    """
    for name, answer in answers.items():
        if answer is None or answer is Ellipsis:
            wrong(f"{name} is not answered yet")
        plain(name, answer)


def of_type(name: str, answer: Any, kind: type | tuple[type, ...], words: str) -> None:
    """The answer has the right form: ``of_type("k", k, int, "a whole number")``.

    A list, a tuple or a set means any collection, a dict also a Series, a float any number, and a whole number may be
    given as 3.0. A number may be written as a text.

    >>> of_type("k", 3, int, "a whole number")
    ✓ k is a whole number.
    """
    kinds, value = kind if isinstance(kind, tuple) else (kind,), plain(name, answer)
    if not any(_is_a(value, one) for one in kinds):
        wrong(f"{name} must be {words}, not {kind_of(value)}", discreet=f"{name} must be {words}")
    passed(f"{name} is {words}")


def _is_a(value: Any, kind: type) -> bool:
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    if kind in (int, float):
        number = read_number(value)
        return number is not None and (kind is float or float(number).is_integer())
    if kind in (list, tuple, set, frozenset):
        return is_collection(value)
    return isinstance(value, (dict, pd.Series) if kind is dict else kind)


def equal(name: str, answer: Any, expected: Any, hint: str = "", *, by: Sequence[str] = ()) -> None:
    """The answer is the expected one (see :mod:`anonnb.coursework.checks.comparing` for what counts as equal).

    ``by`` names the columns that tell the rows of a frame apart; the rows may then be in any order.

    >>> equal("k", 3, 2, hint="count the smallest class")
    Traceback (most recent call last):
    anonnb.coursework.checks.words.Wrong: k: 3 is not right. Hint: count the smallest class
    """
    remarks: list[str] = []
    mistake = difference(*_compared(name, answer, expected, by), remarks)
    if mistake:
        wrong(f"{name}: {mistake}", hint, discreet=f"{name} is not right")
    passed(f"{name} is right", *remarks)


def share(
    name: str, answer: Any, expected: Any, points: float, hint: str = "", *, by: Sequence[str] = ()
) -> Credit | None:
    """A part of the points for every element that is right: the last line of a check, among its hidden tests.

    ``expected`` is a set, a dict, a list or a series, or a frame whose rows the columns ``by`` tell apart. What does
    not belong there takes away as much as something right gives. Half points are the smallest ones.

    >>> share("linked", {"Ann": "flu", "Bob": "cold"}, {"Ann": "flu", "Bob": "flu", "Cem": "flu"}, points=6)
    2
    """
    value, expected = _compared(name, answer, expected, by)
    remarks: list[str] = []
    mistake = difference(value, expected, remarks)
    if not mistake:
        passed(f"{name} is right", *remarks)
        return None
    right, extra, of = right_elements(value, expected)
    part = max(0, right - extra) / max(of, 1)
    counts = f"(right: {right} of {of}{f', too many: {extra}' if extra else ''}).{f' Hint: {hint}' if hint else ''}"
    return Credit(math.floor(2 * points * part) / 2, f"{name}: {mistake} {counts}", f"{name} is not right {counts}")


def _compared(name: str, answer: Any, expected: Any, by: Sequence[str]) -> tuple[Any, Any]:
    """What to compare: the answer as plain data; frames with keys as dicts from key to line."""
    value = plain(name, answer)
    if not by:
        return value, expected
    if isinstance(value, pd.DataFrame) and not set(by) <= set(value.columns):
        value = value.reset_index()  # the keys may be the index
    if not isinstance(value, pd.DataFrame):
        wrong(f"{name} must be a DataFrame, not {kind_of(value)}", discreet=f"{name} must be a DataFrame")
    if value.columns.has_duplicates or set(value.columns) != set(expected.columns):
        columns = f"the columns of {name} must be {', '.join(map(str, expected.columns))}"
        wrong(columns)
    twice = value[value.duplicated(list(by))]
    if len(twice):
        wrong(f"{name}: {tuple(twice[list(by)].iloc[0])} occurs twice", discreet=f"{name} has a line twice")
    return _lines(value, by), _lines(expected, by)


def _lines(frame: pd.DataFrame, by: Sequence[str]) -> dict[tuple, dict]:
    rest = [column for column in frame.columns if column not in by]
    keys = zip(*(frame[column].tolist() for column in by), strict=True)
    return dict(zip(keys, frame[rest].to_dict("records"), strict=True))


def at_least(name: str, value: float, least: float, hint: str = "") -> None:
    """The number is not below ``least``."""
    number = _number(name, value)
    if not number >= least:
        needed = f"must be at least {least:.4g}"
        wrong(f"{name} is {number:.4g}, but {needed}", hint, discreet=f"{name} {needed}")
    passed(f"{name} is at least {least:.4g}")


def at_most(name: str, value: float, most: float, hint: str = "") -> None:
    """The number is not above ``most``."""
    number = _number(name, value)
    if not number <= most:
        allowed = f"must be at most {most:.4g}"
        wrong(f"{name} is {number:.4g}, but {allowed}", hint, discreet=f"{name} {allowed}")
    passed(f"{name} is at most {most:.4g}")


def _number(name: str, value: Any) -> float:
    number = read_number(plain(name, value))
    if number is None:
        wrong(f"{name} must be a number, not {kind_of(plain(name, value))}", discreet=f"{name} must be a number")
    return number


def among(name: str, answer: Any, known: Iterable) -> None:
    """Print what an answer (or the keys of a dict) holds that is not among ``known``; no points depend on it.

    >>> among("lower", {"p1", "p99"}, ["p1", "p2"])
    lower holds 'p99', which is not known here.
    """
    value, forms = plain(name, answer), {canonical(one) for one in known}
    if not isinstance(value, (*COLLECTIONS, dict)) or isinstance(value, pd.Series):  # a series may stand for either
        return
    for element in value:
        if canonical(element) not in forms:
            print(f"{name} holds {element!r}, which is not known here.")


def agrees(
    name: str,
    function: Callable,
    model: Callable,
    cases: Iterable[tuple],
    hint: str = "",
    *,
    without: str | Sequence[str] = (),
) -> None:
    """A student's function gives what the model function gives, for each case (a tuple of arguments).

    ``without`` names modules that it must not use. A failure names the input of the case.

    >>> agrees("double", lambda x: x + 2, lambda x: 2 * x, [(2,), (3,)])
    Traceback (most recent call last):
    anonnb.coursework.checks.words.Wrong: double is wrong for 3: 5 is not right.
    """
    answer, cases = _function(name, function, without), list(cases)
    for case in cases:
        mistake = difference(answer(*case), model(*case))
        if mistake:
            message = f"{name} is wrong for {inputs(case)}"
            wrong(f"{message}: {mistake}", hint, discreet=message)
    passed(f"{name} agrees with ours in {pluralize(len(cases), 'case')}")


def inputs(case: tuple) -> str:
    """The arguments of a case in a line; a frame by its size and columns."""
    return ", ".join(map(_input, case)) or "no input"


def _input(value: Any) -> str:
    if isinstance(value, pd.DataFrame):
        return f"a frame of {pluralize(len(value), 'row')} with {', '.join(map(str, value.columns))}"
    text = getattr(value, "__name__", "") or repr(value)
    return text if len(text) <= 200 else f"{text[:190]}…"


def gives(
    name: str, function: Callable, case: tuple, expected: Any, hint: str = "", *, without: str | Sequence[str] = ()
) -> None:
    """A student's function gives what is expected for one case; ``name`` says which.

    >>> gives("double of 3", lambda x: x + 2, (3,), 6)
    Traceback (most recent call last):
    anonnb.coursework.checks.words.Wrong: double of 3: 5 is not right.
    """
    equal(name, _function(getattr(function, "__name__", name), function, without)(*case), expected, hint)


def _function(name: str, function: Any, without: str | Sequence[str]) -> AnswerFunction:
    answer = plain(name, function)
    if not isinstance(answer, AnswerFunction):
        wrong(f"{name} must be a function, not {kind_of(answer)}")
    return answer.without(*((without,) if isinstance(without, str) else without))
