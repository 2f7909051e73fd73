"""Students' functions behind a wall of plain data: arguments and results are copies, here as at the marker's.

Idea: the same few lines call a function in the student's notebook and in the student's process when it is marked. While
it runs, a watch notes the modules whose code is used, so that a task can forbid some. That is a sign on a door and no
lock: somebody who takes the trouble gets around it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

from anonnb.coursework.checks.words import wrong
from anonnb.coursework.plain import NotPlain, dumps, loads

Call = Callable[[str, Sequence[str]], str]


def called(function: Callable[..., Any], arguments: str, forbidden: Sequence[str] = ()) -> str:
    """Call a function with packed arguments; its packed result, a NotPlain, or whatever it raises.

    >>> loads(called(lambda x: {x, 2}, dumps([[1], {}])))
    {1, 2}
    """
    positional, named = loads(arguments)
    if not forbidden:
        return dumps(function(*positional, **named))
    used: set[str] = set()

    def watch(frame: Any, event: str, _: Any) -> None:
        if event == "call":
            module = frame.f_globals.get("__name__") or ""
            used.update(name for name in forbidden if module == name or module.startswith(f"{name}."))

    before = sys.getprofile()
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        result = function(*positional, **named)
        watched = sys.getprofile() is watch
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    if used:
        raise NotPlain(f"it uses {min(used)}, which this task does not allow")
    if not watched:
        raise NotPlain("it changes Python's profiler, by which the modules that it uses are noticed")
    return dumps(result)


class AnswerFunction:
    """A student's function as checks call it.

    ``call`` takes packed arguments and the names of forbidden modules, and gives the packed result; a NotPlain from it
    has a reason that students may read.
    """

    def __init__(self, name: str, call: Call, forbidden: Sequence[str] = ()):
        self.__name__ = name
        self._call, self._forbidden = call, tuple(forbidden)

    def __call__(self, *positional: Any, **named: Any) -> Any:
        from anonnb.coursework.checks.comparing import simplified  # needs pandas; the student's process may do without

        try:
            return simplified(loads(self._call(dumps([positional, named]), self._forbidden)))
        except NotPlain as error:
            wrong(f"{self.__name__}(…): {error}")

    def without(self, *modules: str) -> AnswerFunction:
        """The same function, which must not use these modules, whatever way it takes to them."""
        return AnswerFunction(self.__name__, self._call, (*self._forbidden, *modules))


def own_function(name: str, function: Callable[..., Any]) -> AnswerFunction:
    """A function of this process, behind the wall; what it raises is told with its text, as it is one's own."""

    def call(arguments: str, forbidden: Sequence[str]) -> str:
        try:
            return called(function, arguments, forbidden)
        except NotPlain:
            raise
        except Exception as error:
            raise NotPlain(failure(error, f": {error}")) from error

    return AnswerFunction(name, call)


def failure(error: BaseException, text: str = "") -> str:
    """How a function failed, in words."""
    if isinstance(error, NotImplementedError):
        return "it is not written yet"
    return f"it raises {type(error).__name__}{text}".removesuffix(": ")
