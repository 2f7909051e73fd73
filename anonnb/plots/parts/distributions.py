"""How sizes are distributed, without bins: the share of everything that is at most so large, on a logarithmic scale.

Bars over bins of unequal width mislead, and bins hide where k lies; a cumulative line does neither.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter

from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.texts import SMALL, shown
from anonnb.plots.style import INK, line_look

_TICKS = [digit * 10**power for power in range(8) for digit in (1, 2, 5)]


def cumulative(ax: Axes, sizes: Mapping[str, tuple[np.ndarray, np.ndarray]], *, k: int | None = None) -> Axes:
    """A rising line per name: the share (%) of the weights whose size is at most x; ``k`` is a dashed line.

    >>> from matplotlib.figure import Figure
    >>> ax = cumulative(Figure().subplots(), {"a": (np.array([1, 1, 8]), np.array([1, 1, 8]))})
    >>> ax.lines[0].get_ydata().tolist()
    [0.0, 20.0, 100.0, 100.0]
    """
    top = max([1, *(int(size.max(initial=1)) for size, _ in sizes.values()), k or 1])
    for place, (name, (size, weight)) in enumerate(sizes.items()):
        distinct, inverse = np.unique(size, return_inverse=True)
        reached = 100 * np.cumsum(np.bincount(inverse, weights=weight)) / max(weight.sum(), 1e-12)
        # line styles tell the lines apart; marks at every step would hide them
        look = {key: value for key, value in line_look(place).items() if key in ("color", "linestyle")}
        x = [distinct[0], *distinct, 1.3 * top] if len(distinct) else [1, 1.3 * top]
        y = [0.0, *reached, reached[-1]] if len(distinct) else [0.0, 0.0]
        ax.plot(x, y, drawstyle="steps-post", linewidth=2, label=shown(name), **look)
    ax.set(xscale="log", ylim=(-3, 108), xlim=(0.9, 1.35 * top))
    plain_log(ax, top)
    if k is not None and k > 1:
        k_line(ax, k)
    return name_lines(ax)


def plain_log(ax: Axes, top: float) -> None:
    """Plain numbers below a logarithmic axis, as many as fit."""
    ticks = [tick for tick in _TICKS if tick <= 1.3 * top]
    if len(ticks) > 9:
        ticks = [tick for tick in ticks if str(tick)[0] == "1"]
    ax.set_xticks(ticks)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.minorticks_off()


def k_line(ax: Axes, k: float) -> None:
    """A dashed line just left of k, with its name at its foot: what lies left of it is too small."""
    ax.axvline(k - 0.5 if k > 1 else k, color=INK, linewidth=1.2, linestyle="--")
    place = {"xycoords": ("data", "axes fraction"), "xytext": (4, 4), "textcoords": "offset points", "va": "bottom"}
    back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    ax.annotate(f"k = {k}", (k - 0.5, 0.0), fontsize=SMALL, color=INK, bbox=back, **place)
