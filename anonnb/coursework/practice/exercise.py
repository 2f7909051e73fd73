"""Exercises by name: the text of notebooks/exercises, with what answers/ computes for it.

A module of ``answers`` has a function per exercise, which gets the numbers of a variant and returns an ``Answer``. What
is expected is computed by the package; it is written down nowhere. Numbers vary with a student's name.
"""

from __future__ import annotations

import hashlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

from anonnb.core.wording import join_names
from anonnb.coursework.checks.comparing import difference
from anonnb.coursework.practice import answers
from anonnb.coursework.practice.texts import ExerciseFileError, ExerciseText, Hint, computed, filled, notebooks, texts

Value = TypeVar("Value")
Judge = Callable[[Any], str]

_MADE: dict[str, Callable[..., Answer]] = {}


class Numbers:
    """Draws that depend on a student's name: the first option for nobody in particular, others for each student.

    >>> Numbers("13.1").one_of([5, 6, 7])
    5
    >>> Numbers("13.1", "ada").one_of([5, 6, 7]) in (5, 6, 7)
    True
    """

    def __init__(self, name: str, student: str = ""):
        self._name, self._student, self._drawn = name, student, 0

    def one_of(self, options: Sequence[Value]) -> Value:
        """The first option, or for a student one that depends on their name, the exercise and the place of the draw."""
        number = self.integer()
        return options[number % len(options)] if self._student else options[0]

    def integer(self) -> int:
        """A number of 64 bits that depends on the same."""
        self._drawn += 1
        digest = hashlib.sha256(
            f"{self._student}\n{self._name}\n{self._drawn}".encode(errors="backslashreplace")
        ).digest()
        return int.from_bytes(digest[:8], "big")


class Answer:
    """What is computed for one variant of an exercise.

    Parameters
    ----------
    expected:
        The right answer, or a function that computes it when it is needed. A set where order does not matter.
    judge:
        Instead of ``expected``: looks at an answer and says in a sentence what is wrong with it, or nothing.
    cases:
        Instead of both, for a function to be written: makes the arguments of calls, whose results must be those of
        ``model``, by default the function in the worked solution. ``read`` gives results the form that is compared.
    numbers:
        What the text mentions; functions are called when it is shown.
    """

    def __init__(
        self,
        expected: Any = None,
        *,
        judge: Judge | None = None,
        cases: Callable[[], Iterable[tuple]] | None = None,
        model: Callable[..., Any] | None = None,
        read: Callable[[Any], Any] = lambda result: result,
        **numbers: Any,
    ):
        if [expected is None, judge is None, cases is None].count(False) != 1:
            raise ValueError("an answer needs one of expected, judge= and cases=")
        self._expected, self.judge, self.numbers = expected, judge, numbers
        self.cases, self.model, self.read = cases, model, read

    @cached_property
    def expected(self) -> Any:
        """The right answer."""
        return self._expected() if callable(self._expected) else self._expected


class Exercise:
    """One exercise with the numbers of one student.

    >>> find("13.1").question[:27]
    'Nine people are 18, 19, 19,'
    """

    def __init__(self, text: ExerciseText, answer: Answer, variant: dict[str, Any]):
        self.name, self.answer, self._text = text.name, answer, text
        self.numbers = variant | {"answer": lambda: answer.expected} | answer.numbers

    def is_mistake(self, answer: Any, formula: str) -> bool:
        """Whether an answer is the value of a formula."""
        return not difference(answer, computed(formula, self.numbers, self.name))

    def _filled(self, text: str) -> str:
        return filled(text, self.numbers, self.name)

    @property
    def question(self) -> str:
        """What is asked, in Markdown."""
        return self._filled(self._text.question)

    @property
    def hints(self) -> list[Hint]:
        """Hints in their order; those that answer a known mistake name it."""
        return [Hint(self._filled(hint.text), hint.mistake) for hint in self._text.hints]

    @property
    def solution(self) -> str:
        """The worked solution in Markdown."""
        return self._filled(self._text.solution)

    @property
    def when_right(self) -> str:
        """What a right answer was compared with."""
        return self._filled(self._text.when_right)

    @property
    def function(self) -> str:
        """The name of the function that is to be written; empty for other exercises."""
        match = re.search(r"^```python\ndef (\w+)", self._text.solution, re.MULTILINE)
        return match[1] if match else ""

    def model(self) -> Callable[..., Any]:
        """The function with which one that a reader wrote is compared: the package's, or the worked one."""
        if self.answer.model is not None:
            return self.answer.model
        import numpy as np
        import pandas as pd

        code = self._text.solution.partition("```python\n")[2].partition("```")[0]
        names: dict[str, Any] = {"np": np, "pd": pd}
        exec(code, names)
        return names[self.function]


def exercise(name: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Decorator: the function computes the answer of the exercise of this name, such as "13.2"."""

    def add(make: Callable[..., Answer]) -> Callable[..., Answer]:
        if name in _MADE:
            raise ValueError(f"there are two answers to exercise {name}")
        _MADE[name] = make
        return make

    return add


def judged(name: str, form: str = "") -> Callable[[Judge], Judge]:
    """Decorator: the function judges the answers to the exercise of this name; see :class:`Answer`.

    ``form`` says what an answer looks like; it is told where the judge cannot read one.
    """

    def add(judge: Judge) -> Judge:
        def told(answer: Any) -> str:
            try:
                return judge(answer)
            except (TypeError, ValueError):
                if not form:
                    raise
                return f"the answer is {form}"

        exercise(name)(lambda: Answer(judge=told))
        return judge

    return add


def inputs(
    name: str, *, model: Callable[..., Any] | None = None, read: Callable[[Any], Any] = lambda result: result
) -> Callable[[Callable[[], Iterable[tuple]]], Callable[[], Iterable[tuple]]]:
    """Decorator: the function makes the arguments on which a reader's function is compared; see :class:`Answer`."""

    def add(cases: Callable[[], Iterable[tuple]]) -> Callable[[], Iterable[tuple]]:
        exercise(name)(lambda: Answer(cases=cases, model=model, read=read))
        return cases

    return add


def find(name: str, student: str = "") -> Exercise:
    """The exercise of a name, with a student's numbers."""
    notebook = str(name).partition(".")[0]
    if notebook not in notebooks():
        raise KeyError(
            f"there is no notebook {notebook!r} with exercises; there are {join_names(notebooks(), most=60)}"
        )
    if name not in texts(notebook):
        raise KeyError(f"there is no exercise {name!r}; notebook {notebook} has {join_names(names(notebook), most=20)}")
    text = texts(notebook)[name]
    variant = Numbers(name, student).one_of(text.variants)
    if text.answer:
        return Exercise(text, Answer(computed(text.answer, variant, name)), variant)
    for module in pkgutil.iter_modules(answers.__path__, f"{answers.__name__}."):
        first, _, last = module.name.rpartition(".nb")[2].partition("_")
        if first <= notebook <= last:
            import_module(module.name)
    if name not in _MADE:
        raise ExerciseFileError(f"exercise {name} has a text, but no function in practice/answers computes its answer")
    return Exercise(text, _MADE[name](**variant), variant)


def names(notebook: str | None = None) -> list[str]:
    """The names of all exercises in their order, or of those of one notebook."""
    return [name for number in notebooks() if notebook in (None, number) for name in texts(number)]
