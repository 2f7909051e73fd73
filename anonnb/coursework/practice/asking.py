"""What a reader calls in a notebook: ask for an exercise, check an answer, see the worked solution.

The first wrong answer gets a hint, the next a bigger one. Attempts are counted while the kernel lives.
"""

from __future__ import annotations

import inspect
from collections import Counter
from typing import Any

from IPython.display import Markdown

from anonnb.coursework.exercises import difference
from anonnb.coursework.practice.exercise import Exercise, find

_WRONG: Counter[tuple[str, str]] = Counter()
_READER = {"student": ""}


def vary(student: str = "") -> None:
    """Give all exercises the numbers of a student, who is known by any text; without one, the usual numbers.

    >>> vary("ada lovelace")
    The exercises have the numbers of 'ada lovelace' now; run their cells again.
    >>> vary()
    The exercises have their usual numbers.
    """
    _READER["student"] = str(student)
    if student:
        print(f"The exercises have the numbers of {student!r} now; run their cells again.")
    else:
        print("The exercises have their usual numbers.")


def ask(name: str) -> Markdown:
    """The question of an exercise, to be shown under a cell.

    Parameters
    ----------
    name:
        The number of the notebook and that of the exercise, such as ``"13.2"``.

    Returns
    -------
    Markdown
        The question.

    Examples
    --------
    >>> ask("13.1").data[:18]
    '**Exercise 13.1.**'
    """
    return Markdown(f"**Exercise {name}.** {find(name, _READER['student']).question}")


def check(name: str, answer: Any = None) -> None:
    """Compare an answer with what is expected and print the verdict.

    Parameters
    ----------
    name:
        The exercise, such as ``"13.2"``.
    answer:
        What the reader found, or the function that the reader wrote; None means not answered yet.

    Examples
    --------
    >>> check("13.1")
    Not answered yet.
    """
    asked = find(name, _READER["student"])
    if _unanswered(answer):
        print("Not answered yet.")
        return
    wrong = _fault(asked, answer)
    if wrong is None:
        print("Not answered yet.")
    elif not wrong:
        print(f"Right. {asked.confirmed}".rstrip())
    else:
        print(f"Not yet: {_sentence(wrong)} {_help(name, asked)}")


def solution(name: str) -> Markdown:
    """The worked solution of an exercise, to be shown under a cell."""
    return Markdown(f"**Solution of {name}.** {find(name, _READER['student']).solution}")


def _unanswered(answer: Any) -> bool:
    return answer is None or answer is ...


def _fault(asked: Exercise, answer: Any) -> str | None:
    """What is wrong with an answer, in words without a full stop; None where a function is not written yet."""
    if asked.judge is None:
        return difference(answer, asked.expected()).removesuffix(".")
    if inspect.isclass(answer) or not callable(answer):
        return asked.judge(answer).removesuffix(".")
    try:
        return asked.judge(answer).removesuffix(".")
    except NotImplementedError:
        return None
    except Exception as error:  # the reader's function fails: say how, in one line
        return f"your function raises {type(error).__name__}: {error}".rstrip(": ").partition("\n")[0]


def _help(name: str, asked: Exercise) -> str:
    """The hint for this attempt; the last ones say where the solution is."""
    key = name, _READER["student"]
    hint = asked.hints[min(_WRONG[key], len(asked.hints) - 1)]
    _WRONG[key] += 1
    tried_all = _WRONG[key] > len(asked.hints)
    return f"Hint: {_sentence(hint)}" + (f' The worked solution: solution("{name}").' if tried_all else "")


def _sentence(words: str) -> str:
    """Words with the full stop that they lack; a question has its own mark."""
    return words if words.endswith("?") else f"{words}."
