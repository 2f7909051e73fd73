"""Plots of tree-preserving sanitization: where values of a number move, and quality and privacy against leaves."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from anonnb.plots.style import BLUE, GREY, ORANGE, PALETTE, RED, axes, shown
from anonnb.tables.release import Release

_MARKERS = "osv^DPX*"


def moved_values(release: Release, name: str, ax: Axes | None = None) -> Axes:
    """A line from each original number (bottom) to the published one (top); dashed: the split points of the trees.

    No line crosses another, and the rows of a node stay on their side of its split point. Thick lines carry more rows.
    """
    attribute = release.table.attributes.get(name)
    if attribute is None or name not in release.quasi or not (attribute.kind == "numeric" and attribute.is_number):
        raise ValueError(f"{name!r} is no numeric quasi-identifier of the release; moved_values needs one")
    column = release.columns[name]
    before = attribute.numbers[release.table.codes(name)[release.rows]]
    after = column.attribute.numbers[column.sets.lo[column.index]]
    known = ~np.isnan(before) & ~np.isnan(after)
    pairs, counts = np.unique(np.column_stack([before, after])[known], axis=0, return_counts=True)
    ax = axes(ax, size=(8.0, 2.8))
    for (low, high), rows in zip(pairs, counts, strict=True):
        ax.plot([low, high], [0, 1], color=BLUE, linewidth=0.5 + 3.5 * np.sqrt(rows / counts.max()), alpha=0.45)
    ax.plot(pairs[:, 0], np.zeros(len(pairs)), "o", color=GREY, markersize=4, clip_on=False)
    ax.plot(pairs[:, 1], np.ones(len(pairs)), "o", color=BLUE, markersize=6, clip_on=False)
    splits = [node.split for tree in release.info.get("trees", []) for node in tree.expansions]
    cuts = sorted({split.cut for split in splits if split.attribute.name == name and np.isfinite(split.cut)})
    for cut in cuts:
        ax.axvline(cut, color=RED, linestyle="--", linewidth=1.2)
        place = {"xycoords": ("data", "axes fraction"), "xytext": (0, 3), "textcoords": "offset points"}
        ax.annotate(f"{cut:g}", (cut, 1), color=RED, ha="center", fontsize="small", **place)
    ax.set(xlabel=shown(name), ylim=(-0.08, 1.08))
    ax.set_yticks([0, 1], ["original", "published"])
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax


def against_leaves(
    frame: pd.DataFrame, value: str, label: str, ax: Axes | None = None, *, log: bool = False, legend: bool = True
) -> Axes:
    """One line per method against the number of leaves, from a frame with the columns method, leaves and ``value``."""
    ax = axes(ax)
    parts = list(frame.groupby("method", sort=False))
    for place, (name, part) in enumerate(parts):
        # the first line is a wide pale band, so that one that lies upon it is seen with it
        band = place == 0 and len(parts) > 1
        style = {"linewidth": 9, "alpha": 0.35, "markersize": 1} if band else {"linewidth": 1.8, "markersize": 5}
        color, marker = PALETTE[place % len(PALETTE)], _MARKERS[place % len(_MARKERS)]
        ax.plot(part["leaves"], part[value], color=color, marker=marker, label=shown(name), **style)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="leaves", ylabel=shown(label))
    if log:
        ax.set_yscale("log")
    if legend:
        ax.legend(frameon=False, fontsize="small")
    return ax


def linear_time(frame: pd.DataFrame, x: str, ax: Axes | None = None) -> Axes:
    """Seconds against rows or attributes, with the least-squares line."""
    ax = axes(ax)
    ax.plot(frame[x], frame["seconds"], "o", color=BLUE, label="measured")
    slope, start = np.polyfit(frame[x], frame["seconds"], 1)
    ends = np.array([frame[x].min(), frame[x].max()])
    ax.plot(ends, start + slope * ends, color=ORANGE, label="line")
    ax.set(xlabel=shown(x), ylabel="seconds", ylim=(0, None))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.legend(frameon=False, loc="upper left")
    return ax
