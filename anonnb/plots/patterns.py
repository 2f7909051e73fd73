"""Plots of pattern tables and other releases as boxes over two attributes."""

from __future__ import annotations

import itertools

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from anonnb.plots.style import GREY, PALETTE, axes, shown
from anonnb.tables.release import Release
from anonnb.tables.table import Attribute


def pattern_boxes(
    release: Release, x: str, y: str, *, rows: bool = True, most: int = 80, ax: Axes | None = None
) -> Axes:
    """Each published row as a box over two attributes, coloured by its decision; the original rows as dots.

    A set with gaps becomes several boxes. Where many boxes would hide each other, only the first ``most`` are drawn.
    """
    ax = axes(ax, size=(6.6, 4.4))
    horizontal, vertical = (release.columns[name] for name in (x, y))
    decisions = release.columns[release.decision] if release.decision else None
    texts = decisions.texts() if decisions is not None else np.full(len(release), "")
    colours = {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(dict.fromkeys(texts))}
    drawn = range(min(len(release), most))
    for place in drawn:
        shrink = 0.42 - 0.25 * place / max(len(drawn), 1)  # nested frames: boxes of equal size stay visible
        for left, right in _runs(horizontal.sets.mask(horizontal.index[place])):
            for low, high in _runs(vertical.sets.mask(vertical.index[place])):
                corner, width, height = (
                    (left - shrink, low - shrink),
                    right - left + 2 * shrink,
                    high - low + 2 * shrink,
                )
                colour = colours[texts[place]]
                ax.add_patch(Rectangle(corner, width, height, facecolor="none", edgecolor=colour, linewidth=1.6))
    if rows:
        _dots(ax, release, x, y)
    for name, colour in colours.items():
        if name:
            ax.plot([], [], color=colour, linewidth=3, label=shown(f"{release.decision} = {name}"))
    _ticks(ax, "x", horizontal.attribute)
    _ticks(ax, "y", vertical.attribute)
    ax.set(xlabel=shown(x), ylabel=shown(y))
    if len(release) > most:
        ax.set_title(f"the first {most} of {len(release)} published rows", fontsize=9)
    if any(colours):
        ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """The runs of neighbouring codes of a set, as first and last code."""
    codes = np.flatnonzero(mask)
    breaks = np.flatnonzero(np.diff(codes) > 1)
    edges = [0, *(breaks + 1), len(codes)]
    return [(int(codes[a]), int(codes[b - 1])) for a, b in itertools.pairwise(edges)]


def _dots(ax: Axes, release: Release, x: str, y: str) -> None:
    """The original rows, those with the same two values beside each other."""
    table = release.table
    places = np.stack([table.codes(x), table.codes(y)], axis=1)
    cells, counts = np.unique(places, axis=0, return_counts=True)
    ax.scatter(cells[:, 0], cells[:, 1], s=12 + 5 * np.minimum(counts, 20), color=GREY, zorder=3, label="rows")


def _ticks(ax: Axes, side: str, attribute: Attribute) -> None:
    step = max(-(-attribute.size // 12), 1)
    codes = np.arange(0, attribute.size, step)
    labels = [shown(attribute.labels[code]) for code in codes]
    getattr(ax, f"set_{side}ticks")(codes, labels)
    getattr(ax, f"set_{side}lim")(-0.6, attribute.size - 0.4)
