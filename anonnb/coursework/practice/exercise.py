"""Exercises by name: what is asked, what is expected, hints, a worked solution; numbers vary with a student's name.

A module of the bank has a function per exercise, which gets ``Numbers`` and returns an ``Exercise``. What is expected
is computed when it is needed, by the package or by the test of a function; it is written down nowhere.
"""

from __future__ import annotations

import hashlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from anonnb.core.wording import listed
from anonnb.coursework.practice import bank

Value = TypeVar("Value")

_MADE: dict[str, Callable[[Numbers], Exercise]] = {}


class Numbers:
    """The numbers of an exercise: the usual ones for nobody in particular, others for each student.

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


@dataclass(frozen=True)
class Exercise:
    """One exercise, with its numbers.

    Parameters
    ----------
    question:
        What is asked, in Markdown.
    hints:
        Shown after a wrong answer, the next one after the next wrong answer; none gives the answer away.
    worked:
        The worked solution in Markdown, or a function that makes it. For a function to be written it holds a Python
        block that defines it.
    expected:
        Computes the right answer.
    judge:
        Instead of ``expected``: looks at an answer (a function, a release) and says in a sentence what is wrong with
        it, or nothing.
    confirmed:
        Says, after a right answer, what it was compared with.
    starter:
        For a function to be written: what the reader begins with, as it stands in the notebook.
    """

    question: str
    hints: Sequence[str]
    worked: str | Callable[[], str]
    expected: Callable[[], Any] | None = None
    judge: Callable[[Any], str] | None = None
    confirmed: str = ""
    starter: str = ""

    def __post_init__(self):
        if (self.expected is None) == (self.judge is None):
            raise ValueError("an exercise needs either expected= or judge=")

    @property
    def solution(self) -> str:
        """The worked solution in Markdown."""
        return self.worked() if callable(self.worked) else self.worked


def exercise(name: str) -> Callable[[Callable[[Numbers], Exercise]], Callable[[Numbers], Exercise]]:
    """Decorator: the function makes the exercise of this name, such as "13.2"."""

    def add(make: Callable[[Numbers], Exercise]) -> Callable[[Numbers], Exercise]:
        if name in _MADE:
            raise ValueError(f"there are two exercises {name}")
        _MADE[name] = make
        return make

    return add


def find(name: str, student: str = "") -> Exercise:
    """The exercise of a name, with a student's numbers."""
    notebook = str(name).partition(".")[0]
    modules = _modules()
    if notebook not in modules:
        raise KeyError(f"there is no notebook {notebook!r} with exercises; there are {listed(modules, most=60)}")
    import_module(modules[notebook])
    if name not in _MADE:
        raise KeyError(f"there is no exercise {name!r}; notebook {notebook} has {listed(names(notebook), most=20)}")
    return _MADE[name](Numbers(name, student))


def names(notebook: str | None = None) -> list[str]:
    """The names of all exercises in their order, or of those of one notebook."""
    for number, module in _modules().items():
        if notebook in (None, number):
            import_module(module)
    found = [name for name in _MADE if notebook in (None, name.partition(".")[0])]
    return sorted(found, key=lambda name: tuple(map(int, name.split("."))))


@cache
def _modules() -> dict[str, str]:
    """The module of the bank for each notebook number: nb13 for "13"."""
    found = pkgutil.walk_packages(bank.__path__, f"{bank.__name__}.")
    modules = [each.name for each in found if not each.ispkg]
    return {name.rpartition(".")[2].removeprefix("nb"): name for name in sorted(modules)}
