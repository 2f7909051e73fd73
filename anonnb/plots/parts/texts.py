"""Texts from data as matplotlib can draw them, and the room that they take.

A value or a name may hold anything: dollar signs, line breaks, invisible letters, a thousand words. Such texts go
through :func:`shown`, or :func:`fitted` where they may take several lines.
Widths are measured in the one font of all plots, without drawing.
"""

from __future__ import annotations

import functools
import textwrap
import unicodedata

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

POINTS, SMALL = 10.0, 8.5  # size of letters, and of those that must be smaller
MAX_LETTERS = 100  # of a text from data; a longer one leaves no room for the picture

_KEPT = "\u200c\u200d"  # they shape the letters beside them, for example in Persian
_WORD_JOINER = "\u2060"  # invisible


def clip(text: object, most: int = MAX_LETTERS) -> str:
    """Prepare a text from data for matplotlib to draw literally: no formula, one line, not too long.

    Dollar signs begin no formula, line breaks and invisible letters are spelt out, and a legend shows a name that
    begins with an underscore like any other. Everything in a picture that comes from data goes through here.

    >>> print(clip("US$ 5 to US$ 9"), clip("two\\nlines"), clip("a very long text", 10))
    US\\$ 5 to US\\$ 9 two\\nlines a very lo…
    """
    line = str(text)
    line = line if len(line) <= most else line[: most - 1] + "…"
    if not line.isprintable():
        line = "".join(letter if _can_be_drawn(letter) else _spelt_out(letter) for letter in line)
    if line.startswith("_"):  # a legend leaves such labels out
        line = _WORD_JOINER + line
    return line.replace("$", r"\$")  # matplotlib draws \$ as a dollar sign


def _can_be_drawn(letter: str) -> bool:
    return letter.isprintable() or letter in _KEPT or unicodedata.category(letter) == "Zs"


def _spelt_out(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")


def _broken(text: str, letters: int) -> list[str]:
    # never between a backslash and its dollar sign: a dollar sign left alone might begin a formula
    whole = text.replace(r"\$", "\ufffc")
    lines = textwrap.wrap(whole, max(letters, 4), break_on_hyphens=False) or [""]
    return [line.replace("\ufffc", r"\$") for line in lines]


def fitted(text: object, inches: float, points: float = SMALL, *, bold: bool = False, most: int = MAX_LETTERS) -> str:
    """Wrap a text from data into lines of at most the given width.

    >>> fitted("one two", 9.0), fitted("one two", 0.4)
    ('one two', 'one\\ntwo')
    """
    return lines_within(clip(text, most), inches, points, bold=bold)


def lines_within(text: str, inches: float, points: float = SMALL, *, bold: bool = False) -> str:
    """Wrap a text that is ready to be drawn into lines of at most the given width; its line breaks stay."""
    return "\n".join(_within(line, inches, points, bold) for line in text.split("\n"))


def _within(line: str, inches: float, points: float, bold: bool) -> str:
    letters = len(line) + 1
    while letters > 4:
        wrapped = "\n".join(_broken(line, letters))
        if text_size(wrapped, points, bold=bold)[0] <= inches:
            return wrapped
        letters -= max(1, letters // 12)
    return "\n".join(_broken(line, 4))


def text_size(text: str, points: float = SMALL, *, bold: bool = False) -> tuple[float, float]:
    """Return width and height, in inches, of a text as it is drawn, over all its lines."""
    width = max(_width(line, points, bold) for line in text.split("\n"))
    return width, (text.count("\n") + 1) * points * 1.2 / 72


@functools.lru_cache(maxsize=4096)
def _width(line: str, points: float, bold: bool) -> float:
    font = FontProperties(family="DejaVu Sans", size=points, weight="bold" if bold else "normal")
    return TextToPath().get_text_width_height_descent(line.replace(r"\$", "$"), font, False)[0] / 72
