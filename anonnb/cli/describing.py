"""One class described for a terminal: what it is, what it promises, its parameters and its guarantee card.

The markup of docstrings is removed.
"""

import re
import shutil
import textwrap

from anonnb.core.card import Card

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
    """All that a terminal shows of a method, an attack or a model, wrapped to its width."""
    width = min(width or shutil.get_terminal_size().columns, WIDEST)
    lines = [textwrap.fill(f"{cls.__name__}: {first_line(cls)}", width)]
    parts = {
        "promise, with the default parameters": [_wrapped(said, width) for said in promise_of(cls)],
        "parameters, their defaults and what they may be": parameter_lines(cls, width),
    }
    card = getattr(cls, "card", Card())
    parts |= {name: [_wrapped(said, width)] for name, said in card.parts().items()}
    for heading, said in parts.items():
        lines += ["", heading, *said] if said else []
    return "\n".join(lines)


def promise_of(cls: type) -> list[str]:
    """What a method guarantees with its default parameters, and what not; empty if it promises nothing."""
    if not hasattr(cls, "promised"):
        return []
    try:
        promise = cls().promise
    except (TypeError, ValueError):  # a parameter must be given
        return []
    return [promise.guarantee, promise.limits]


def parameter_lines(cls: type, width: int = WIDEST) -> list[str]:
    """A line for each parameter: its default, and what it may be."""
    defaults = cls.defaults()
    lines = [(key, defaults[key] or "must be given", allowed.words) for key, allowed in cls.constraints().items()]
    widths = [max((len(line[place]) for line in lines), default=0) for place in (0, 1)]
    hanging = {"width": width, "subsequent_indent": " " * min(sum(widths) + 6, width // 2), "break_on_hyphens": False}
    return [
        textwrap.fill(f"  {key:<{widths[0]}}  {default:<{widths[1]}}  {words}".rstrip(), **hanging)
        for key, default, words in lines
    ]


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")
