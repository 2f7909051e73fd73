"""What a matplotlib figure shows, in words: a caption, and an alternative text.

Both are read off the artists: titles, axes with their ranges, series with their ends, bars with the largest and the
smallest. ``described`` lets an author say it better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, QuadMesh
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter

MAX_SERIES, MAX_LABELS, MAX_LETTERS = 6, 12, 900
_CAPTION, _ALT = "anonnb_caption", "anonnb_alt"


def described(ax: Axes | Figure, caption: str = "", alt: str = "") -> Axes | Figure:
    """Give a figure a caption or an alternative text; what is left empty is read off the figure.

    >>> import matplotlib.pyplot as plt
    >>> ax = described(plt.figure().subplots(), caption="Larger k, larger loss.")
    >>> caption_of(ax.figure)
    'Larger k, larger loss.'
    >>> plt.close(ax.figure)
    """
    figure = ax if isinstance(ax, Figure) else ax.figure
    for name, text in ((_CAPTION, caption), (_ALT, alt)):
        if text:
            setattr(figure, name, text)
    return ax


def caption_of(figure: Figure) -> str:
    """Return what the author gave, otherwise the titles of the figure and of its axes; may be empty."""
    given = getattr(figure, _CAPTION, "")
    if given:
        return given
    titles = [_plain(figure.get_suptitle()), *(_title(ax) for ax in figure.axes)]
    return "; ".join(dict.fromkeys(title for title in titles if title))


def alternative_of(figure: Figure) -> str:
    """Return a text in place of the picture: its titles, axes, series and extremes.

    >>> import matplotlib.pyplot as plt
    >>> ax = plt.figure().subplots()
    >>> _ = ax.bar(["a", "b"], [3, 5])
    >>> _ = ax.set(title="More b than a", xlabel="kind", ylabel="rows")
    >>> alternative_of(ax.figure)
    'More b than a. Bar chart; x axis: kind (a, b); y axis: rows, 0 to 5.25; highest: 5 at b; lowest: 3 at a.'
    >>> plt.close(ax.figure)
    """
    given = getattr(figure, _ALT, "")
    if given:
        return given
    panels = [ax for ax in figure.axes if not _is_colour_bar(ax)]
    parts = [_plain(figure.get_suptitle())] + [_panel(ax) for ax in panels]
    text = ". ".join(part for part in parts if part) or "Picture"
    text = text if text.endswith(".") else f"{text}."
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 1] + "…"


def _panel(ax: Axes) -> str:
    kind = "; ".join([_kind(ax), *_axes(ax), *_series(ax), *_bars(ax), *_texts(ax)])
    return ". ".join(part for part in (_title(ax), kind) if part)


def _kind(ax: Axes) -> str:
    if ax.images or any(isinstance(item, QuadMesh) for item in ax.collections):
        return "Heat map"
    if any(isinstance(item, BarContainer) for item in ax.containers):
        return "Bar chart"
    if any(np.size(line.get_xdata()) > 1 and line.get_linestyle() != "None" for line in ax.lines):
        return "Line chart"
    if ax.lines or any(isinstance(item, PathCollection) for item in ax.collections):
        return "Points"
    return "Areas" if ax.axison and (ax.patches or ax.collections) else "Diagram"


def _axes(ax: Axes) -> Iterator[str]:
    if not ax.axison:
        return
    for name, axis, (low, high), scale in (
        ("x", ax.xaxis, ax.get_xlim(), ax.get_xscale()),
        ("y", ax.yaxis, ax.get_ylim(), ax.get_yscale()),
    ):
        label, names = _plain(axis.get_label_text()), _categories(axis)
        if not label and not names and not axis.get_visible():
            continue
        text = f"{name} axis: {label}" if label else f"{name} axis"
        if names:
            yield f"{text} ({_listed(names)})"
        else:
            yield f"{text}, {_number(min(low, high))} to {_number(max(low, high))}" + (
                ", logarithmic" if scale == "log" else ""
            )


def _categories(axis: Any) -> list[str]:
    """Return the names on an axis that has names, not numbers."""
    units = getattr(axis.units, "_mapping", None)
    if units is not None:
        return [_plain(name) for name in units]
    if isinstance(axis.get_major_formatter(), FixedFormatter):
        return [_plain(name) for name in axis.get_major_formatter().seq if str(name).strip()]
    return []


def _series(ax: Axes) -> list[str]:
    """Describe named lines, with where they begin and end, and clouds of points."""
    lines = [line for line in ax.lines if _named(line) and np.size(line.get_xdata())]
    parts = []
    for line in lines[:MAX_SERIES]:
        xs, ys = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        ends = f"{_number(ys[0])} at {_number(xs[0])}"
        parts.append(
            f"{_plain(line.get_label())} from {ends} to {_number(ys[-1])} at {_number(xs[-1])}"
            if len(xs) > 1
            else f"{_plain(line.get_label())} {ends}"
        )
    clouds = [item for item in ax.collections if isinstance(item, PathCollection) and np.size(item.get_offsets())]
    parts += [
        f"{_plain(item.get_label()) if _named(item) else 'points'}: {len(np.ma.asarray(item.get_offsets()))}"
        for item in clouds[:MAX_SERIES]
    ]
    more = max(0, len(lines) - MAX_SERIES) + max(0, len(clouds) - MAX_SERIES)
    return [*parts, f"{more} more series"] if more else parts


def _bars(ax: Axes) -> list[str]:
    """Name the largest and the smallest of every set of bars."""
    parts = []
    for bars in [item for item in ax.containers if isinstance(item, BarContainer)][:MAX_SERIES]:
        flat = bars.orientation == "horizontal"
        names = _categories(ax.yaxis if flat else ax.xaxis)
        sizes = [bar.get_width() if flat else bar.get_height() for bar in bars]
        if not sizes:
            continue
        name = f"{_plain(bars.get_label())}: " if _named(bars) else ""
        extremes = [
            f"{word}: {_number(sizes[index])}{_at(bars[index], names if len(names) == len(sizes) else [], index, flat)}"
            for word, index in (("highest", sizes.index(max(sizes))), ("lowest", sizes.index(min(sizes))))
        ]
        parts.append(name + "; ".join(extremes if len(sizes) > 1 else extremes[:1]))
    return parts


def _at(bar: Any, names: list[str], index: int, flat: bool) -> str:
    if names:
        return f" at {names[index]}"
    middle = bar.get_y() + bar.get_height() / 2 if flat else bar.get_x() + bar.get_width() / 2
    return f" at {_number(middle)}"


def _texts(ax: Axes) -> list[str]:
    """Return what is written inside the axes; in a diagram that is what it says."""
    texts = [_plain(item.get_text()) for item in ax.texts if item.get_visible()]
    texts = list(dict.fromkeys(word for word in texts if word))
    return [f"labels: {_listed(texts)}"] if texts else []


def _is_colour_bar(ax: Axes) -> bool:
    return ax.get_label() == "<colorbar>"


def _named(artist: Any) -> bool:
    label = str(artist.get_label() or "")
    return bool(label) and not label.startswith("_")


def _title(ax: Axes) -> str:
    return " ".join(filter(None, (_plain(ax.get_title(loc)) for loc in ("left", "center", "right"))))


def _listed(texts: list[str]) -> str:
    more = len(texts) - MAX_LABELS
    return ", ".join(texts[:MAX_LABELS]) + (f" and {more} more" if more > 0 else "")


def _plain(text: object) -> str:
    """Return a text as matplotlib draws it: on one line, escaped dollars as dollars, without what only matplotlib
    needs.
    """
    return " ".join(str(text or "").replace(r"\$", "$").replace("\u2060", "").split())


def _number(value: Any) -> str:
    try:
        return f"{float(value):.3g}" if abs(float(value)) < 1000 else f"{float(value):,.0f}"
    except (TypeError, ValueError):  # a category, a date
        return _plain(value)
