"""The student's process: ``python -I -m anonnb.coursework.student`` runs cells and tells the values of names.

It reads requests as lines of JSON and answers each with one line. Whatever a cell does here (patch modules, print,
exit, forge these lines) only changes the answers that the examiner gets; points are given elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import Any

from anonnb.coursework.checks.calling import called, failure
from anonnb.coursework.isolation import die_with_parent, isolate
from anonnb.coursework.plain import NotPlain, dumps

ERROR_LENGTH = 400


def main() -> None:
    """Serve until the examiner closes the line."""
    die_with_parent()
    requests, replies = _private_channel()
    begun = _begin(**json.loads(requests.readline()))
    _reply(replies, begun)
    if begun["error"] is None:
        shell = _shell()
        for line in requests:
            request = json.loads(line)
            _reply(replies, _ACTIONS[request.pop("do")](shell, **request))
    os._exit(0)  # threads that a cell left behind do not keep the process


def _reply(replies: Any, reply: dict) -> None:
    replies.write(json.dumps(reply) + "\n")
    replies.flush()


def _begin(seconds: float, megabytes: int, isolation: str, hidden: list[str]) -> dict:
    """Before any cell: the walls, then the limits."""
    try:
        isolate(isolation, os.getcwd(), hidden)
    except OSError as error:
        return {"error": error.strerror or str(error)}
    from anonnb.coursework.limits import Limits, limit_this_process

    limit_this_process(Limits(seconds, megabytes))
    return {"error": None}


def _private_channel() -> tuple[Any, Any]:
    """The first two files become the channel under other numbers; cells find nothing to read, and print to nowhere."""
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

    HistoryManager.enabled = False
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
    except BaseException as error:  # a cell's own code runs here: let nothing of it end the conversation
        return {"error": _text(error)}


def _call(shell: Any, name: str, arguments: str, forbidden: list[str]) -> dict:
    try:
        return {"error": None, "value": called(shell.user_ns[name], arguments, forbidden)}
    except NotPlain as error:
        return {"error": str(error)}
    except BaseException as error:  # its text may hold the arguments, which come from hidden tests
        return {"error": failure(error)}


def _text(error: BaseException) -> str:
    text = type(error).__name__
    with contextlib.suppress(BaseException):  # the message is the student's code, too
        text = f"{text}: {error}"
    return text.strip(": ")[:ERROR_LENGTH]


_ACTIONS = {"run": _run, "get": _get, "call": _call}

if __name__ == "__main__":
    main()
