"""What a reader calls in a notebook: ask for an exercise, check an answer, see the worked solution.

A hint answers the error that was made: a known mistake has a hint of its own, an answer that is right in part gets the
last hint, and another wrong answer the first one that it has not got yet. Wrong answers are remembered while the kernel
lives; the same one gets the same hint.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

from IPython.display import Markdown

from anonnb.core.wording import kind_of
from anonnb.coursework.checks.answers import inputs
from anonnb.coursework.checks.comparing import COLLECTIONS, difference, is_form, right_elements
from anonnb.coursework.checks.words import Wrong
from anonnb.coursework.practice.exercise import Exercise, find

_SHOWN: dict[tuple[str, str], list[str]] = {}  # wrong answers to each exercise of each student
_READER = {"student": ""}


def vary(student: str = "") -> None:
    """Give the exercises that vary the numbers of a student, who is known by any text; without one, the usual numbers.

    >>> vary("ada lovelace")
    The exercises that vary have the numbers of 'ada lovelace' now; run their cells again.
    >>> vary()
    The exercises have their usual numbers.
    """
    _READER["student"] = str(student)
    if student:
        print(f"The exercises that vary have the numbers of {student!r} now; run their cells again.")
    else:
        print("The exercises have their usual numbers.")


def ask(name: str) -> Markdown:
    """Show the question of an exercise, such as ``"13.2"``: the second one of notebook 13.

    >>> ask("13.1").data[:18]
    '**Exercise 13.1.**'
    """
    return Markdown(f"**Exercise {name}.** {find(name, _READER['student']).question}")


def check(name: str, answer: Any = None) -> None:
    """Compare an answer with what is expected and print the verdict; None means not answered yet.

    >>> check("13.1")
    Not answered yet.
    """
    asked, remarks = find(name, _READER["student"]), list[str]()
    wrong = None if answer is None or answer is ... else fault(asked, answer, remarks)
    if wrong is None:
        print("Not answered yet.")
    elif not wrong:
        parts = ["Right.", asked.when_right, *(f"({remark}.)" for remark in dict.fromkeys(remarks))]
        print(" ".join(filter(None, parts)))
    else:
        print(f"Not yet: {wrong.removesuffix('.')}. {_hint(asked, answer, wrong)}".strip())


def solution(name: str) -> Markdown:
    """Show the worked solution of an exercise.

    >>> solution("13.2").data[:51]
    '**Solution of 13.2.** Regions have 100 people, then'
    """
    return Markdown(f"**Solution of {name}.** {find(name, _READER['student']).solution}")


def fault(asked: Exercise, answer: Any, remarks: list[str] | None = None) -> str | None:
    """Say what is wrong with an answer; None if a function is not written yet, an empty text if nothing is."""
    written = callable(answer) and not inspect.isclass(answer)
    if asked.function and not written:
        return f"the answer is the function {asked.function}, not {kind_of(answer)}"
    try:
        if asked.answer.judge is not None:
            return asked.answer.judge(answer)
        if asked.answer.cases is not None:
            return _differs(asked, answer)
    except NotImplementedError:
        return None
    except Wrong as error:
        return str(error)
    except Exception as error:  # the reader's function fails: say how, in one line
        if not written:
            raise
        return f"your function raises {type(error).__name__}: {error}".rstrip(": ").partition("\n")[0]
    return difference(answer, asked.answer.expected, remarks)


def _differs(asked: Exercise, function: Callable[..., Any]) -> str:
    """Say for which arguments a function gives something else than the model."""
    model = asked.model()
    assert asked.answer.cases is not None
    for case in asked.answer.cases():
        expected, given = (asked.answer.read(each(*copy.deepcopy(case))) for each in (model, function))
        wrong = difference(given, expected, digits=9)
        if wrong:
            return f"{asked.function} gives something else than ours for {inputs(case)}: {wrong}"
    return ""


def _hint(asked: Exercise, answer: Any, wrong: str) -> str:
    """The hint for an error; after three different wrong answers it says where the solution is."""
    if is_form(wrong):
        return ""  # the sentence says what to do
    earlier, text = _SHOWN.setdefault((asked.name, _READER["student"]), []), repr(answer)[:1000]
    if text not in earlier:
        earlier.append(text)
    hints = [hint.text for hint in asked.hints if not hint.mistake]
    known = [hint.text for hint in asked.hints if hint.mistake and asked.is_mistake(answer, hint.mistake)]
    expected = asked.answer.expected
    partly = isinstance(expected, (*COLLECTIONS, dict)) and right_elements(answer, expected)[0] > 0
    index = len(hints) - 1 if partly else min(earlier.index(text), len(hints) - 1)
    where = f' The worked solution: solution("{asked.name}").' if len(earlier) > max(2, len(hints)) else ""
    return f"Hint: {known[0] if known else hints[index]}{where}"
