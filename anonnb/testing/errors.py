"""How errors must read: one sentence that names the parameter, the column or the table it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

REFUSALS = (ValueError, TypeError, KeyError)  # Infeasible is a ValueError
_TWO_SENTENCES = re.compile(r"[.!?]\s+[A-Z][a-z]+ ")


def message(error: BaseException) -> str:
    """What an error says; for a KeyError, without the quotes around its message."""
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)


def told(error: BaseException) -> str:
    """An error in a line: its class and the beginning of its message."""
    lines = message(error).splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:200]}"


def badly_said(error: BaseException, names: Iterable[object] = ()) -> str | None:
    """What is wrong with the message of an error, or None.

    ``names`` are what it may be about: parameters, columns. The table, its rows, and k will do as well.

    >>> badly_said(ValueError("k must be at least 1, not 0"), ["k"])
    >>> badly_said(ValueError("something went wrong"), ["k"])
    "names no parameter and no column: 'something went wrong'"
    >>> badly_said(IndexError("index 7 is out of bounds"))
    "is a bare IndexError: 'index 7 is out of bounds'"
    """
    text = message(error)
    if not isinstance(error, REFUSALS):
        return f"is a bare {type(error).__name__}: {text[:120]!r}"
    if not text.strip() or "\n" in text.strip():
        return f"is not one line: {text[:120]!r}"
    if _TWO_SENTENCES.search(_without_quoted(text)):
        return f"is more than a sentence: {text[:200]!r}"
    known = [str(name) for name in names] + ["table", "row", "release", "column", "group", "tree", "rule"]
    if not any(re.search(rf"(?<!\w){re.escape(name)}", text) for name in known if name):
        return f"names no parameter and no column: {text[:120]!r}"
    return None


def _without_quoted(text: str) -> str:
    """A message without the values that it quotes, which may hold anything."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|«[^»]*»", "", text)
