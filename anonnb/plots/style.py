"""The look that all plots share: a colour-blind safe palette, Axes made on demand, tidy spines."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Okabe and Ito's palette: distinguishable with every common kind of colour blindness
BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#CC79A7",
    "#56B4E9",
    "#F0E442",
    "#7F7F7F",
)
PALETTE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, YELLOW, GREY)
MOST_LETTERS = 100  # of a text from data; a longer one leaves no room for the picture

_KEPT = "\u200c\u200d"  # they shape the letters beside them, in Persian say
_WORD_JOINER = "\u2060"  # invisible


_DETACHED = ContextVar("detached", default=False)


@contextmanager
def detached() -> Iterator[None]:
    """Inside, new Axes belong to a figure that pyplot does not know: safe in a thread, and no cell shows it."""
    token = _DETACHED.set(True)
    try:
        yield
    finally:
        _DETACHED.reset(token)


def shown(text: object, most: int = MOST_LETTERS) -> str:
    """A text from data (a value, a name) for matplotlib to draw letter by letter: no formula, one line, not too long.

    Dollar signs begin no formula, line breaks and invisible letters are spelt out, and a legend takes a name that
    begins with an underscore like any other. Everything in a picture that comes from data goes through here.

    >>> print(shown("US$ 5 to US$ 9"), shown("two\\nlines"), shown("a very long text", 10))
    US\\$ 5 to US\\$ 9 two\\nlines a very lo…
    """
    words = str(text)
    words = words if len(words) <= most else words[: most - 1] + "…"
    if not words.isprintable():
        words = "".join(letter if _can_be_drawn(letter) else _spelt_out(letter) for letter in words)
    if words.startswith("_"):  # a legend leaves such labels out
        words = _WORD_JOINER + words
    return words.replace("$", r"\$")  # matplotlib draws \$ as a dollar sign


def _can_be_drawn(letter: str) -> bool:
    return letter.isprintable() or letter in _KEPT or unicodedata.category(letter) == "Zs"


def _spelt_out(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def axes(ax: Axes | None = None, *, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """The given Axes, or new ones of the given size in inches."""
    if ax is None and _DETACHED.get():
        ax = Figure(figsize=size, layout="constrained").subplots()
    elif ax is None:
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
