"""The one look of all plots, on seaborn's white grid: fonts, a colour-blind safe palette, marks, hatches, sizes.

Axes come from :func:`axes` (one) or :func:`panels` (several), at most seven inches wide. No colour means anything
alone: :func:`line_look` adds a mark and a line style to each colour, :func:`fill_look` a hatch. Texts from data go
through :mod:`anonnb.plots.parts.texts`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation

from anonnb.plots.parts.texts import POINTS, SMALL, fitted, lines_within, text_size

# seaborn's palette "colorblind", in an order that keeps the pale ones for last
BLUE, ORANGE, GREEN, RED, PURPLE, BROWN, SKY, GREY, YELLOW = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#ca9161",
    "#56b4e9",
    "#949494",
    "#ece133",
)
PALETTE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, BROWN, GREY)
INK, FAINT, PALE = "#262626", "#595959", "#e3e3e3"  # letters, letters that matter less, what is not the point
MARKERS = "osD^vPX*"
LINES = ("-", "--", "-.", ":")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "|||", "ooo", "---")
WIDEST = 7.0  # inches

Style = dict[str, Any]  # keyword arguments of an artist

_DETACHED = ContextVar("detached", default=False)
_LEGEND: Style = {"frameon": False, "fontsize": SMALL}
_STYLING = Lock()  # the settings of matplotlib belong to all threads
# What seaborn's style "whitegrid" sets. It stands here because importing seaborn takes more than a second, the first
# figure of every notebook; tests/plots/test_readable.py compares it with seaborn's own.
_WHITE_GRID = {
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "axes.edgecolor": ".8",
    "axes.labelcolor": ".15",
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.left": True,
    "axes.spines.bottom": True,
    "grid.linestyle": "-",
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    **{f"{axis}tick.direction": "out" for axis in "xy"},
    **{f"{axis}tick.color": ".15" for axis in "xy"},
    **{
        f"{axis}tick.{side}": False
        for axis, sides in (("x", "top bottom"), ("y", "left right"))
        for side in sides.split()
    },
}
_SIZES = (
    *("font.size", "axes.labelsize", "axes.titlesize", "xtick.labelsize", "ytick.labelsize"),
    *("legend.fontsize", "legend.title_fontsize"),
)


# ---- axes ------------------------------------------------------------------------------------------------------------


@contextmanager
def detached() -> Iterator[None]:
    """Make new Axes belong to a figure unknown to pyplot: safe in a thread, and not shown under a cell."""
    token = _DETACHED.set(True)
    try:
        yield
    finally:
        _DETACHED.reset(token)


@functools.cache
def theme() -> dict[Any, Any]:
    """Return the settings of matplotlib behind all plots: seaborn's white grid at 10 points, in matplotlib's font.

    >>> theme()["font.size"], theme()["axes.grid"]
    (10.0, True)
    """
    # every installation of matplotlib has DejaVu Sans, so that texts take the same room everywhere
    font = {"font.family": ["sans-serif"], "font.sans-serif": ["DejaVu Sans"], **dict.fromkeys(_SIZES, POINTS)}
    colours = {"axes.prop_cycle": mpl.rcsetup.cycler(color=PALETTE), "image.cmap": "cividis", "text.color": INK}
    return _WHITE_GRID | font | colours | {"axes.spines.top": False, "axes.spines.right": False, "grid.color": PALE}


def axes(ax: Axes | None = None, *, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """Return the given Axes, or new ones, in the common style.

    >>> with detached():
    ...     float(axes(size=(4, 3)).figure.get_figheight())
    3.0
    """
    if ax is None:
        return panels(size=size)[0]
    return _dressed(ax)


def panels(rows: int = 1, columns: int = 1, *, size: tuple[float, float], **options: Any) -> list[Axes]:
    """Return new Axes in a grid, row by row; the figure is at most seven inches wide.

    >>> with detached():
    ...     left, right = panels(1, 2, size=(9, 3), sharey=True)
    >>> float(left.figure.get_figwidth())
    7.0
    """
    size = (min(size[0], WIDEST), size[1])
    if not _DETACHED.get():
        plt.draw_if_interactive()  # loads a notebook's backend, whose own setting would end with the context below
    with _STYLING, mpl.rc_context(theme()):
        made = Figure if _DETACHED.get() else plt.figure
        figure = made(figsize=size, layout="constrained")
        interactive = mpl.is_interactive()
        drawn = figure.subplots(rows, columns, squeeze=False, subplot_kw={"axes_class": StyledAxes}, **options)
        dressed = [_dressed(ax) for ax in drawn.ravel()]
    # a kernel's first figure loads its backend, which switches this on; without it no cell would show a figure
    mpl.interactive(interactive)
    if "inline" in mpl.get_backend():
        # a notebook draws a figure when it shows it; matplotlib would draw it at the end of the cell too, unseen
        figure.canvas.draw_idle = _not_yet  # type: ignore[method-assign]  # of this canvas alone
    return dressed


def _not_yet(*_: Any, **__: Any) -> None:
    """Draw nothing for now."""


def _dressed(ax: Axes) -> Axes:
    """Give grid, colours and sizes to Axes made elsewhere; our own stay as they are."""
    settings = theme()
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(settings["axes.edgecolor"])
    ax.set_axisbelow(True)
    ax.grid(True, color=settings["grid.color"], linewidth=settings.get("grid.linewidth", 0.8))
    ax.tick_params(length=0, pad=5.5, labelsize=POINTS, labelcolor=INK)  # labels in a corner stay apart
    titles = (ax.title, ax._left_title, ax._right_title)  # type: ignore[attr-defined]  # known to its stubs as one
    for text in (*titles, ax.xaxis.label, ax.yaxis.label):
        text.set(fontsize=POINTS, color=INK, fontfamily="DejaVu Sans")
    return ax


def bare(ax: Axes) -> Axes:
    """Prepare Axes for a drawing without a scale: no grid, no ticks, no frame.

    >>> with detached():
    ...     bare(axes()).axison
    True
    """
    ax.grid(False)
    ax.set(xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    return ax


class StyledAxes(Axes):
    """Axes with one title, whatever ``loc`` says: centred, bold, wrapped to the width above the Axes."""

    def set_title(self, label: str, fontdict: dict | None = None, loc: Any = None, *args: Any, **options: Any) -> Text:
        style: Style = {"fontsize": POINTS, "fontweight": "bold", "color": INK}
        wrapped = lines_within(label, _width_above(self), POINTS, bold=True) if label else label
        return super().set_title(wrapped, fontdict, "center", **style | options)


def figure_of(ax: Axes) -> Figure:
    """Return the figure of the Axes; matplotlib's stubs allow for a part of one, too."""
    figure = ax.figure
    assert isinstance(figure, Figure)
    return figure


def lay_out(figure: Figure) -> None:
    """Let the layout of a figure place its Axes, which takes half as long as drawing without output."""
    engine, plots = figure.get_layout_engine(), _axes_of_plots(figure)
    if engine is None or any(ax.get_axes_locator() for ax in plots):  # they are placed when they are drawn
        figure.draw_without_rendering()
        return
    engine.execute(figure)
    for ax in plots:
        ax.apply_aspect()


def _axes_of_plots(figure: Figure) -> list[Axes]:
    return [ax for ax in figure.axes if ax.get_label() != "<colorbar>"]


def _width_above(ax: Axes) -> float:
    """Return the inches that a centred title may take: to the nearer edge of the figure, or of its panel."""
    figure = figure_of(ax)
    lay_out(figure)
    box = ax.get_window_extent()
    if len(_axes_of_plots(figure)) > 1:
        return box.width / figure.dpi
    middle = (box.x0 + box.x1) / 2
    return 1.94 * min(middle, figure.bbox.x1 - middle) / figure.dpi


def finding(ax: Axes, sentence: str) -> Axes:
    """Set the title of a plot: the finding, in one sentence; ``set_title`` replaces it."""
    style: Style = {"fontsize": POINTS, "fontweight": "bold", "color": INK}
    # not StyledAxes' own, which would lay the figure out once more to fit what fits already
    Axes.set_title(ax, fitted(sentence, _width_above(ax), POINTS, bold=True, most=200), **style)
    return ax


def beside(ax: Axes, **options: Any) -> Axes:
    """Put a legend at the right of the Axes, where it covers nothing.

    >>> with detached():
    ...     ax = axes()
    >>> _ = ax.plot([1, 2], label="a")
    >>> [text.get_text() for text in beside(ax).get_legend().get_texts()]
    ['a']
    """
    ax.legend(**_LEGEND | {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "borderaxespad": 0.3} | options)
    return ax


def below(ax: Axes, **options: Any) -> Axes:
    """Put a legend below the Axes and their labels, in as few lines as the width allows; call it last.

    >>> with detached():
    ...     ax = axes()
    >>> _ = ax.plot([1, 2], label="a")
    >>> below(ax) is ax
    True
    """
    handles = options.get("handles") or ax.get_legend_handles_labels()[0]
    widest = max((text_size(str(handle.get_label()))[0] for handle in handles), default=0.0)
    figure = figure_of(ax)
    lay_out(figure)  # tells where the Axes, their ticks and labels end
    box, several = ax.get_window_extent(), len(figure.axes) > 1
    available = (box.width if several else figure.bbox.x1 - box.x0) / figure.dpi
    columns = max(1, min(len(handles), int(available / (widest + 0.6))))
    ticks = ax.xaxis.get_tightbbox()
    used = (ax.get_window_extent().y0 - ticks.y0) / figure.dpi if ticks else 0.0
    lower = ax.transAxes + ScaledTranslation(0, -used - 0.06, figure.dpi_scale_trans)
    position: Style = {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": lower, "borderaxespad": 0.0}
    ax.legend(**_LEGEND | position | {"ncols": columns, "columnspacing": 1.4} | options)
    return ax


# ---- colours, marks, hatches -----------------------------------------------------------------------------------------


def line_look(number: int) -> dict[str, Any]:
    """Return colour, marker and line style of the n-th line, as options of ``Axes.plot``; 32 differ.

    >>> line_look(0)["marker"], line_look(1)["linestyle"], line_look(8) == line_look(0)
    ('o', '--', False)
    """
    turn = number // len(PALETTE)
    return {
        "color": PALETTE[number % len(PALETTE)],
        "marker": MARKERS[(number + 3 * turn) % len(MARKERS)],
        "linestyle": LINES[(number + turn) % len(LINES)],
        "markersize": 5,
    }


def dot_look(number: int) -> dict[str, Any]:
    """Return colour and marker of the n-th kind of points."""
    style = line_look(number)
    return {"color": style["color"], "marker": style["marker"]}


def fill_look(number: int) -> dict[str, Any]:
    """Return colour and hatch of the n-th kind of bars."""
    turn = number // len(PALETTE)
    return {
        "facecolor": PALETTE[number % len(PALETTE)],
        "hatch": HATCHES[(number + turn) % len(HATCHES)],
        "edgecolor": "white",
        "linewidth": 0.6,
    }


def contrast(one: Any, other: Any) -> float:
    """Return the contrast of two colours, from 1 to 21, as the Web Content Accessibility Guidelines define it.

    >>> round(contrast("black", "white"))
    21
    """
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return float((light + 0.05) / (dark + 0.05))


def _luminance(colour: Any) -> float:
    parts = np.array(to_rgb(colour))
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def ink_on(colour: Any) -> str:
    """Return black or white, whichever reads better on a colour."""
    return max(("black", "white"), key=lambda ink: contrast(ink, colour))


@functools.cache
def readable(colour: str) -> str:
    """Darken a colour until letters of it can be read on white.

    >>> contrast(readable(ORANGE), "white") >= 4.5
    True
    """
    parts = np.array(to_rgb(colour))
    while contrast(parts, "white") < 4.7:
        parts = parts * 0.95
    return to_hex(tuple(parts))


def tint(colour: Any, share: float = 0.25) -> str:
    """Mix a colour with white; letters in ink can be read on it."""
    return to_hex(tuple(share * np.array(to_rgb(colour)) + (1 - share)))
