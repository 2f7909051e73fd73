"""Plots of tree-preserving sanitization: where values of a number move, and quality and privacy against leaves."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.texts import SMALL, shown
from anonnb.plots.style import BLUE, GREY, ORANGE, RED, axes, below, finding, line_look, readable
from anonnb.tables.release import Release


def moved_values(release: Release, name: str, ax: Axes | None = None) -> Axes:
    """A line from each original number (bottom) to the published one (top); dashed: the split points of the trees.

    No line crosses another, and the rows of a node stay on their side of its split point. Thick lines carry more rows.

    Parameters
    ----------
    release:
        A release of ``TreePreserving``.
    name:
        A numeric quasi-identifier.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Raises
    ------
    ValueError
        If the column is not a numeric quasi-identifier.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import TreePreserving
    >>> iris = load("iris").with_roles(quasi=["petal_length"])
    >>> moved_values(TreePreserving(k=1, max_leaves=3).anonymize(iris), "petal_length").get_xlabel()
    'petal_length'
    """
    attribute = release.table.attributes.get(name)
    if attribute is None or name not in release.quasi or not (attribute.kind == "numeric" and attribute.is_number):
        raise ValueError(f"{name!r} is no numeric quasi-identifier of the release; moved_values needs one")
    column = release.columns[name]
    before = attribute.numbers[release.table.codes(name)[release.rows]]
    after = column.attribute.numbers[column.sets.lo[column.index]]
    known = ~np.isnan(before) & ~np.isnan(after)
    pairs, counts = np.unique(np.column_stack([before, after])[known], axis=0, return_counts=True)
    ax = axes(ax, size=(7.0, 2.6))
    for (low, high), rows in zip(pairs, counts, strict=True):
        ax.plot([low, high], [0, 1], color=BLUE, linewidth=0.5 + 3.5 * np.sqrt(rows / counts.max()), alpha=0.45)
    ax.plot(pairs[:, 0], np.zeros(len(pairs)), "o", color=GREY, markersize=4, clip_on=False)
    ax.plot(pairs[:, 1], np.ones(len(pairs)), "o", color=BLUE, markersize=6, clip_on=False)
    splits = [node.split for tree in release.info.get("trees", []) for node in tree.expansions]
    cuts = sorted({split.cut for split in splits if split.attribute.name == name and np.isfinite(split.cut)})
    back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    for cut in cuts:
        ax.axvline(cut, color=RED, linestyle="--", linewidth=1.2)
        place = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "bbox": back}
        ax.annotate(f"{cut:g}", (cut, 0.5), color=readable(RED), fontsize=SMALL, **place)
    ax.set(xlabel=shown(name), ylim=(-0.08, 1.08))
    ax.set_yticks([0, 1], ["original", "published"])
    ax.grid(axis="y", visible=False)
    ax.spines["left"].set_visible(False)
    words = f"{len(np.unique(pairs[:, 0])):,} values become {len(np.unique(pairs[:, 1])):,}"
    dashed = "the split point" if len(cuts) == 1 else f"one of {len(cuts)} split points"
    finding(ax, words + (f"; none crosses {dashed} (dashed)" if cuts else ""))
    return ax


def against_leaves(
    frame: pd.DataFrame, value: str, label: str, ax: Axes | None = None, *, log: bool = False, legend: bool = True
) -> Axes:
    """One line per method against the number of leaves.

    Parameters
    ----------
    frame:
        A frame with the columns method, leaves and the value.
    value, label:
        The column with the value, and its name in the plot.
    ax:
        Where to draw; new Axes by default.
    log:
        Whether the vertical axis is logarithmic.
    legend:
        Whether lines are named.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": "A", "leaves": [2, 4], "accuracy": [0.7, 0.8]})
    >>> against_leaves(frame, "accuracy", "accuracy").get_ylabel()
    'accuracy'
    """
    ax = axes(ax, size=(6.4, 3.4))
    parts = list(frame.groupby("method", sort=False))
    for place, (name, part) in enumerate(parts):
        # the first line is a wide pale band, so that both can be seen if another lies on it
        band = place == 0 and len(parts) > 1
        style = {"linewidth": 9, "alpha": 0.35, "marker": "", "linestyle": "-"} if band else {"linewidth": 1.8}
        ax.plot(part["leaves"], part[value], label=shown(name), **line_look(place) | style)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="leaves", ylabel=shown(label))
    if log:
        ax.set_yscale("log")
    return name_lines(ax, inches=1.3) if legend else ax


def linear_time(frame: pd.DataFrame, x: str, ax: Axes | None = None) -> Axes:
    """Seconds against rows or attributes, with the least-squares line.

    Parameters
    ----------
    frame:
        A frame with the columns seconds and ``x``.
    x:
        The column with the number of rows or attributes.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> linear_time(pd.DataFrame({"rows": [1, 2, 3], "seconds": [2.0, 4.0, 6.0]}), "rows").get_xlabel()
    'rows'
    """
    ax = axes(ax)
    ax.plot(frame[x], frame["seconds"], "o", color=BLUE, label="measured", linestyle="none")
    slope, start = np.polyfit(frame[x], frame["seconds"], 1)
    ends = np.array([frame[x].min(), frame[x].max()])
    ax.plot(ends, start + slope * ends, color=ORANGE, label="least-squares line")
    ax.set(xlabel=shown(x), ylabel="seconds", ylim=(0, None))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    far = np.abs(frame["seconds"] - start - slope * frame[x]).max() / max(frame["seconds"].max(), 1e-12)
    finding(ax, f"The points lie within {far:.0%} of the longest time from a straight line")
    return below(ax)
