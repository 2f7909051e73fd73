"""Names beside what they name: at the ends of lines instead of a legend, and beside points where there is room.

Names are measured on the laid-out figure, then moved apart; a thin line leads from a name that had to move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation
from matplotlib.ticker import FuncFormatter, NullFormatter
from matplotlib.transforms import Bbox

from anonnb.plots.parts.layers import in_order
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import INK, Style, beside, figure_of, lay_out, line_look, readable

WIDEST_NAME = 1.9  # inches that names at the right may take
# Possible places of a point's name: the distance in points of print, and the corner.
PLACES = [
    *(((5, 4), "left", "bottom"), ((-5, 4), "right", "bottom"), ((5, -4), "left", "top"), ((-5, -4), "right", "top")),
    *(((0, 7), "center", "bottom"), ((0, -7), "center", "top"), ((8, 14), "left", "bottom"), ((8, -14), "left", "top")),
    *(((-8, 14), "right", "bottom"), ((-8, -14), "right", "top"), ((10, 26), "left", "bottom")),
    *(((10, -26), "left", "top"), ((-10, 26), "right", "bottom"), ((-10, -26), "right", "top")),
]
NEAR = 6  # the first of them, which need no line from the name to its point
MARK = 3.5  # points of print from the middle of a mark to its edge


def name_lines(ax: Axes, *, inches: float = WIDEST_NAME) -> Axes:
    """Label each line at its right end, in its own colour; fall back to a legend if the labels do not fit."""
    lines = [
        line
        for line in ax.lines
        if line.get_visible() and not str(line.get_label()).startswith("_") and np.size(line.get_xdata())
    ]
    if not lines:
        return ax
    names = [fitted(line.get_label(), inches) for line in lines]
    figure = figure_of(ax)
    lay_out(figure)
    height = ax.get_window_extent().height
    needed = [(name.count("\n") + 1) * SMALL * 1.25 / 72 * figure.dpi / height for name in names]
    if sum(needed) > 1.0:
        return beside(ax)
    ends = [_last_point(line) for line in lines]
    wanted = [float(ax.transAxes.inverted().transform(ax.transData.transform(end))[1]) for end in ends]
    order = np.argsort(np.clip(wanted, 0, 1), kind="stable")
    spots = in_order([np.clip(wanted[n], 0, 1) for n in order], [needed[n] for n in order], 1.0)
    for number, spot in zip(order, spots, strict=True):
        colour = lines[number].get_color()
        leader = {"arrowstyle": "-", "color": colour, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 2, "relpos": (0, 0.5)}
        where: Style = {"xycoords": "data", "textcoords": "axes fraction", "va": "center", "ha": "left"}
        style: Style = {"fontsize": SMALL, "color": readable(colour), "annotation_clip": False, "linespacing": 1.1}
        ax.annotate(names[number], ends[number], (1.03, spot), arrowprops=leader, **where, **style)
    return ax


def _last_point(line: Line2D) -> tuple[float, float]:
    assert line.axes is not None
    x, y = (np.asarray(part, dtype=float) for part in line.get_data())
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    last = known[np.argmax(x[known])] if not line.axes.xaxis_inverted() else known[np.argmin(x[known])]
    if np.ptp(x[known]) == 0:
        last = known[-1]
    return float(x[last]), float(y[last])


def name_points(ax: Axes, points: Sequence[tuple[float, float, str]], dots: np.ndarray, must: Iterable[bool]) -> None:
    """Label points where a label covers no point and no other label; required labels come first.

    A name without room is left out, unless it is required: then it moves away, with a line to its point.
    """
    lay_out(figure_of(ax))  # names are measured where the layout has put the axes
    pixels = ax.transData.transform(np.asarray(dots, dtype=float))
    taken: list[Bbox] = []
    for (x, y, text), needed in sorted(zip(points, must, strict=True), key=lambda pair: not pair[1]):
        name = ax.annotate(clip(text), (x, y), xytext=(0, 0), textcoords="offset points", fontsize=SMALL, zorder=4)
        name.set_path_effects([withStroke(linewidth=2.5, foreground="white")])  # readable where it meets a line
        if _placed(name, ax, pixels, taken) or (needed and _far_away(name, ax, pixels, taken)):
            taken.append(name.get_window_extent())
        else:
            name.remove()


def _placed(name: Annotation, ax: Axes, dots: np.ndarray, taken: list[Bbox]) -> bool:
    for index, (shift, side, height) in enumerate(PLACES):
        name.set(position=shift, horizontalalignment=side, verticalalignment=height)
        if _is_free(name, ax, dots, taken):
            if index >= NEAR:
                _lead(name, ax)
            return True
    return False


def _far_away(name: Annotation, ax: Axes, dots: np.ndarray, taken: list[Bbox]) -> bool:
    """Search for a free spot in growing circles around the point, and draw a line to it."""
    for reach in range(36, 200, 12):
        for angle in np.linspace(0, 2 * np.pi, 16, endpoint=False):
            shift = (reach * np.cos(angle), reach * np.sin(angle))
            name.set(position=shift, horizontalalignment="center", verticalalignment="center")
            if _is_free(name, ax, dots, taken):
                _lead(name, ax)
                return True
    return False


def _lead(name: Annotation, ax: Axes) -> None:
    """Draw a thin line from a point to the nearest corner of its label."""
    box, point = name.get_window_extent(), ax.transData.transform(name.xy)
    nearest = np.clip(point, box.p0, box.p1)
    (x, y), (to_x, to_y) = ax.transData.inverted().transform([point, nearest])
    ax.plot([x, to_x], [y, to_y], color="0.6", linewidth=0.7, zorder=1.5, scalex=False, scaley=False)


def _is_free(name: Annotation, ax: Axes, dots: np.ndarray, taken: list[Bbox]) -> bool:
    inside, box = ax.get_window_extent(), name.get_window_extent()
    within = inside.x0 <= box.x0 and box.x1 <= inside.x1 and inside.y0 <= box.y0 and box.y1 <= inside.y1
    marks = box.padded(MARK * ax.figure.dpi / 72)
    return within and not box.count_overlaps(taken) and not marks.count_contains(dots)


# ---- cumulative lines ------------------------------------------------------------------------------------------------


_TICKS = [digit * 10**power for power in range(8) for digit in (1, 2, 5)]


def cumulative(ax: Axes, sizes: Mapping[str, tuple[np.ndarray, np.ndarray]], *, k: int | None = None) -> Axes:
    """Draw a rising line per name: the share (%) of the weights whose size is at most x; ``k`` is a dashed line.

    >>> from matplotlib.figure import Figure
    >>> ax = cumulative(Figure().subplots(), {"a": (np.array([1, 1, 8]), np.array([1, 1, 8]))})
    >>> ax.lines[0].get_ydata().tolist()
    [0.0, 20.0, 100.0, 100.0]
    """
    top = max([1, *(int(size.max(initial=1)) for size, _ in sizes.values()), k or 1])
    for index, (name, (size, weight)) in enumerate(sizes.items()):
        distinct, inverse = np.unique(size, return_inverse=True)
        reached = 100 * np.cumsum(np.bincount(inverse, weights=weight)) / max(weight.sum(), 1e-12)
        # line styles tell the lines apart; marks at every step would hide them
        style = {key: value for key, value in line_look(index).items() if key in ("color", "linestyle")}
        x = [distinct[0], *distinct, 1.3 * top] if len(distinct) else [1, 1.3 * top]
        y = [0.0, *reached, reached[-1]] if len(distinct) else [0.0, 0.0]
        ax.plot(x, y, drawstyle="steps-post", linewidth=2, label=clip(name), **style)
    ax.set(xscale="log", ylim=(-3, 108), xlim=(0.9, 1.35 * top))
    plain_log(ax, top)
    if k is not None and k > 1:
        k_line(ax, k)
    return name_lines(ax)


def plain_log(ax: Axes, top: float) -> None:
    """Write plain numbers below a logarithmic axis, as many as fit."""
    ticks = [tick for tick in _TICKS if tick <= 1.3 * top]
    if len(ticks) > 9:
        ticks = [tick for tick in ticks if str(tick)[0] == "1"]
    ax.set_xticks(ticks)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.minorticks_off()


def k_line(ax: Axes, k: float) -> None:
    """Draw a dashed line just left of k, labelled at its foot: what lies left of it is too small."""
    ax.axvline(k - 0.5 if k > 1 else k, color=INK, linewidth=1.2, linestyle="--")
    position: Style = {
        "xycoords": ("data", "axes fraction"),
        "xytext": (4, 4),
        "textcoords": "offset points",
        "va": "bottom",
    }
    back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    ax.annotate(f"k = {k}", (k - 0.5, 0.0), fontsize=SMALL, color=INK, bbox=back, **position)
