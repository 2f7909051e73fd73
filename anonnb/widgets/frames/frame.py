"""One state of a moving cell: its words, pictures and tables; composed by hand, or captured from a function.

Text is plain and is escaped when the page is made. A table is a data frame, whose values pandas escapes, or the HTML by
which an object shows itself under a cell: the same HTML as there, no more and no less to be trusted.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from IPython.utils.capture import capture_output
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from anonnb.core.errors import in_python, said
from anonnb.plots.style import figure_of
from anonnb.widgets.frames.pictures import Picture, picture


@dataclass(frozen=True)
class Frame:
    """Content of a page for one choice: title and text, below them pictures beside tables (HTML)."""

    title: str = ""
    text: str = ""
    pictures: tuple[Picture, ...] = ()
    tables: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """About how many bytes it adds to a page."""
        return sum(len(part.png) * 4 // 3 + len(part.alt) for part in self.pictures) + sum(map(len, self.tables)) + 600


def composed(
    figure: Axes | Figure | None = None, *, title: str = "", text: str = "", table: pd.DataFrame | str | None = None
) -> Frame:
    """Make a frame from a figure or Axes (closed when it is drawn), plain texts, and a data frame or HTML.

    >>> frame = composed(title="Cut at 35", text="Both sides have 5 rows.", table=pd.DataFrame({"cut": ["<35>"]}))
    >>> frame.pictures, "&lt;35&gt;" in frame.tables[0]
    ((), True)
    """
    figures = () if figure is None else (figure_of(figure) if isinstance(figure, Axes) else figure,)
    pictures = tuple(picture(one, smallest=False) for one in figures)
    for one in figures:
        plt.close(one)
    if isinstance(table, pd.DataFrame):
        table = table.to_html(border=0, index=not isinstance(table.index, pd.RangeIndex))
    return Frame(title, text, pictures, () if table is None else (table,))


def captured(draw: Callable[[], Any], *, warnings: bool = True) -> Frame:
    """Run a function that draws and prints as in a cell, and keep what it shows; a returned table is shown too.

    What it writes to the error stream still goes there, unless ``warnings`` is false.

    >>> captured(lambda: print("k = 5")).text
    'k = 5'
    """
    with _holding_figures() as opened, capture_output(stderr=not warnings) as shown:
        result = draw()
    pictures: list[Picture] = []
    tables: list[str] = []
    texts: list[str] = [shown.stdout]
    drawn = [picture(figure, smallest=False) for figure in opened]
    for output in [*(output.data for output in shown.outputs or ()), *_of_value(result)]:
        for kind, kept in (("text/html", tables), ("text/markdown", texts), ("text/plain", texts)):
            if "image/png" not in output and output.get(kind):
                kept.append(output[kind])
                break
        pictures += _given(output)
    text = "\n".join(texts).strip("\n")
    first, _, _ = text.partition("\n")  # what a figure without a title shows is often printed
    named = [one if one.caption else replace(one, caption=first) for one in (*drawn, *pictures)]
    return Frame("", text, tuple(named), tuple(tables))


def captured_or_why(draw: Callable[[], Any]) -> Frame:
    """Capture without warnings; if the function fails, the frame says why in a sentence."""
    try:
        return captured(draw, warnings=False)
    except Exception as error:  # one impossible choice must not take the others away
        return Frame(text=f"Not possible with these values: {said(error, in_python) or type(error).__name__}")


@contextmanager
def _holding_figures() -> Iterator[list[Figure]]:
    """Keep the figures that are made inside, however they would be shown, and close them at the end."""
    held: list[Figure] = []
    before, show = set(plt.get_fignums()), plt.show
    plt.show = lambda *_, **__: None  # it would close them
    try:
        yield held
        held += [plt.figure(number) for number in plt.get_fignums() if number not in before]
    finally:
        plt.show = show
        for number in set(plt.get_fignums()) - before:
            plt.close(number)


def _of_value(value: Any) -> list[dict[str, Any]]:
    """Return what a cell would show for a returned value; figures and Axes have been shown by then."""
    page = value._repr_html_() if hasattr(value, "_repr_html_") else None
    return [{"text/html": page}] if page else []


def _given(data: dict[str, Any]) -> list[Picture]:
    """Return a picture that was displayed as such."""
    png = data.get("image/png")
    if isinstance(png, str):
        try:
            png = base64.b64decode(png)
        except (binascii.Error, ValueError):
            return []
    if not png or png[:8] != b"\x89PNG\r\n\x1a\n":
        return []
    width, height = (int.from_bytes(png[start : start + 4]) for start in (16, 20))  # the first chunk says so
    return [Picture(png, width, height, alt="Picture.")]
