"""The student's process: run cells and tell the values of names.

It reads requests as lines of JSON and answers each with one line. Whatever a cell does here (patch modules, print,
exit, forge these lines) only changes the answers that the examiner gets; points are given elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

from anonnb.coursework.checks.calling import called, failure
from anonnb.coursework.isolation import die_with_parent, isolate
from anonnb.coursework.plain import NotPlain, dumps

ERROR_LENGTH = 400


def main() -> None:
    """Serve until the examiner closes the line."""
    die_with_parent()
    requests, replies = _private_channel()
    beginning = json.loads(requests.readline())
    begun, seconds = _begin(**beginning), beginning["limits"]["cell_seconds"]
    _reply(replies, begun)
    if begun["error"] is None:
        shell = _shell()
        for line in requests:
            request = json.loads(line)
            number, action = request.pop("number"), _ACTIONS[request.pop("do")]
            _reply(replies, _in_time(seconds, action, shell, **request) | {"number": number})
    os._exit(0)  # threads that a cell left behind do not keep the process


def _reply(replies: Any, reply: dict) -> None:
    replies.write(json.dumps(reply) + "\n")
    replies.flush()


def _begin(limits: dict, isolation: str, hidden: list[str], number: int) -> dict:
    """Build the walls, then set the limits, before any cell."""
    try:
        isolate(isolation, os.getcwd(), hidden)
    except OSError as error:
        return {"error": error.strerror or str(error), "number": number}
    from anonnb.coursework.limits import Limits, limit_this_process

    limit_this_process(Limits(**limits))
    return {"error": None, "number": number}


class OutOfTime(BaseException):
    """One cell or one call takes too long; the others still count."""


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise OutOfTime when this takes longer, and again every second if somebody catches it (POSIX)."""

    def ring(*_: Any) -> None:
        raise OutOfTime(f"this took longer than {seconds:g} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _in_time(seconds: float, action: Callable[..., dict], shell: Any, **request: Any) -> dict:
    try:
        with alarm(seconds):
            return action(shell, **request)
    except OutOfTime as error:
        return {"error": f"OutOfTime: {error}"}


def _private_channel() -> tuple[Any, Any]:
    """Move the channel to other file numbers; cells find nothing to read, and print to nowhere."""
    requests, replies = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    return requests, replies


def _shell() -> Any:
    """IPython without a terminal: cells may hold magics, as in a notebook."""
    from IPython.core.history import HistoryManager
    from IPython.core.interactiveshell import InteractiveShell

    class Shell(InteractiveShell):
        """``%matplotlib inline`` and its like need no window."""

        def enable_gui(self, gui: str | None = None) -> None:
            return None

    HistoryManager.enabled = False  # type: ignore[assignment]
    return Shell.instance()


def _run(shell: Any, code: str) -> dict:
    try:
        result = shell.run_cell(code, store_history=False)
        error = result.error_before_exec or result.error_in_exec
    except BaseException as raised:  # IPython itself stumbles over some cells
        error = raised
    return {"error": _text(error) if error else None}


def _get(shell: Any, name: str) -> dict:
    if name not in shell.user_ns:
        return {"error": "this name is not defined"}
    value = shell.user_ns[name]
    if callable(value):
        return {"error": None, "function": True}
    try:
        return {"error": None, "value": dumps(value)}
    except NotPlain as error:
        return {"error": str(error)}
    except OutOfTime:
        raise
    except BaseException as error:  # a cell's own code runs here: let nothing of it end the conversation
        return {"error": _text(error)}


def _call(shell: Any, name: str, arguments: str, forbidden: list[str]) -> dict:
    try:
        return {"error": None, "value": called(shell.user_ns[name], arguments, forbidden)}
    except NotPlain as error:
        return {"error": str(error)}
    except OutOfTime:
        raise
    except BaseException as error:  # its text may hold the arguments, which come from hidden tests
        return {"error": failure(error)}


def _text(error: BaseException) -> str:
    text = type(error).__name__
    with contextlib.suppress(BaseException):  # the message is the student's code, too
        text = f"{text}: {error}"
    return text.strip(": ")[:ERROR_LENGTH]


_ACTIONS: dict[str, Callable[..., dict]] = {"run": _run, "get": _get, "call": _call}
