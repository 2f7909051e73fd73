"""One class described for a terminal: what it is, what it promises, its parameters and its guarantee card.

Docstrings carry markup for programmers; a terminal shows none of it.
"""

import re
import shutil
import textwrap
from dataclasses import MISSING, Field, fields

WIDEST = 100
_MARKUP = [
    (r":\w+:`~[\w.]*?(\w+)`", r"\1"),  # a role whose text is the last part of a name
    (r":\w+:`([^`]*)`", r"\1"),
    (r"``([^`]*)``", r"\1"),
    (r"`([^`]*)`", r"\1"),
]


def plain(text: str) -> str:
    """A text of a docstring without markup.

    >>> plain("``k`` as in :class:`Mondrian` and :func:`~anonnb.trees.grow`")
    'k as in Mondrian and grow'
    """
    for markup, kept in _MARKUP:
        text = re.sub(markup, kept, text)
    return text


def first_line(cls: type) -> str:
    """What a class is: the first line of its docstring."""
    return plain((cls.__doc__ or "").strip().partition("\n")[0])


def description(cls: type, width: int | None = None) -> str:
    """All that a terminal shows of a method or an attack, wrapped to its width."""
    width = min(width or shutil.get_terminal_size().columns, WIDEST)
    lines = [textwrap.fill(f"{cls.__name__}: {first_line(cls)}", width)]
    parts = {
        "promise, with the default parameters": [_wrapped(said, width) for said in promise_of(cls)],
        "parameters and their defaults": parameter_lines(cls),
    }
    parts |= {name: [_wrapped(said, width)] for name, said in cls.card.parts().items()}
    for heading, said in parts.items():
        lines += ["", heading, *said] if said else []
    return "\n".join(lines)


def promise_of(cls: type) -> list[str]:
    """What a method guarantees with its default parameters, and what not; nothing where it promises nothing."""
    if not hasattr(cls, "promised"):
        return []
    try:
        promise = cls().promise
    except (TypeError, ValueError):  # a parameter must be given
        return []
    return [promise.guarantee, promise.limits]


def parameter_lines(cls: type) -> list[str]:
    """A line for each parameter, with its default."""
    given = [field for field in fields(cls) if field.init]
    width = max((len(field.name) for field in given), default=0)
    return [f"  {field.name:<{width}}  {_default(field)}" for field in given]


def _default(field: Field) -> str:
    if field.default_factory is not MISSING:
        return repr(field.default_factory())
    return "must be given" if field.default is MISSING else repr(field.default)


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")
