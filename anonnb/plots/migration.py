"""Plots of tuple migration: measures against k, budgets and what was spent of them, sweeps over the thresholds."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.style import BLUE, GREY, PALETTE, axes, shown

_MARKERS = "osv^DPX*"


def measure_by_k(frame: pd.DataFrame, label: str, ax: Axes | None = None, *, ideal: float | None = None) -> Axes:
    """One line per method against k, from a frame with the columns method, k and value; ``ideal`` is dotted."""
    ax = axes(ax)
    for place, (name, part) in enumerate(frame.groupby("method", sort=False)):
        color, marker = PALETTE[place % len(PALETTE)], _MARKERS[place % len(_MARKERS)]
        ax.plot(part["k"], part["value"], color=color, marker=marker, markersize=5, label=shown(name))
    if ideal is not None:
        ax.axhline(ideal, color="black", linewidth=1, linestyle=":")
    ax.set(xlabel="k", ylabel=shown(label))
    ax.set_xticks(sorted(frame["k"].unique()))
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def budgets(frame: pd.DataFrame, ax: Axes | None = None, *, most: int = 12) -> Axes:
    """The rules with the smallest budgets and how much of each was spent, from ``release.info["budgets"]``."""
    chosen = frame.sort_values("eq8", kind="stable").head(most).iloc[::-1]
    ax = axes(ax, size=(8.0, 0.36 * len(chosen) + 1.2))
    names = [f"{rule.antecedents} → {rule.consequents}".replace("=", " = ") for rule in chosen.itertuples()]
    places = np.arange(len(chosen))
    ax.barh(places, chosen["eq8"], color="#DDDDDD", label="budget (Eq. 8)")
    ax.barh(places, chosen["spent"], height=0.4, color=BLUE, label="harmed rows")
    ax.set_yticks(places, map(shown, names), fontsize="x-small")
    ax.set(xlabel="rows")
    ax.legend(frameon=False, fontsize="small", loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return ax


def threshold_map(sweep: pd.DataFrame, value: str, label: str, ax: Axes | None = None) -> Axes:
    """A value over min_support and min_confidence as a coloured grid with the numbers written in."""
    ax = axes(ax)
    grid = sweep.pivot_table(index="min_confidence", columns="min_support", values=value)
    image = ax.imshow(grid, cmap="Blues", aspect="auto", origin="lower")
    middle = (np.nanmin(grid.to_numpy()) + np.nanmax(grid.to_numpy())) / 2
    for row, line in enumerate(grid.to_numpy()):
        for column, number in enumerate(line):
            color = "white" if number > middle else "black"
            ax.text(column, row, f"{number:,.4g}", ha="center", va="center", color=color, fontsize="small")
    ax.set_xticks(range(grid.shape[1]), [f"{each:g}" for each in grid.columns])
    ax.set_yticks(range(grid.shape[0]), [f"{each:g}" for each in grid.index])
    ax.set(xlabel="minimal support", ylabel="minimal confidence", title=shown(label))
    ax.spines[:].set_visible(False)
    image.set_clim(0 if middle > 0 else None, None)
    return ax


def size_change(before: np.ndarray, after: np.ndarray, k: int, ax: Axes | None = None) -> Axes:
    """Rows by the size of their class, before and after; the dashed line is k."""
    ax = axes(ax)
    largest = max(int(np.max(before)), int(np.max(after)), k)
    below, above = np.geomspace(1, k, 12), np.geomspace(k, largest + 1, 12)
    edges = np.unique(np.round(np.concatenate([below, above])).astype(int)) - 0.5  # k starts a bar of its own
    for sizes, color, name in ((before, GREY, "before"), (after, BLUE, "after")):
        ax.hist(sizes, bins=edges, weights=sizes, histtype="stepfilled", alpha=0.55, color=color, label=name)
    ax.axvline(k - 0.5, color="black", linewidth=1, linestyle="--")
    # on the left, for the highest bar stands right of the line
    place = {"xycoords": ("data", "axes fraction"), "xytext": (-4, -12), "textcoords": "offset points"}
    ax.annotate(f"k = {k}", (k - 0.5, 1), ha="right", **place)
    ax.set(xscale="log", xlabel="rows in the class (log scale)", ylabel="rows")
    ticks = [size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if size <= largest]
    ax.set_xticks(ticks, [f"{size:,}" for size in ticks])
    ax.minorticks_off()
    ax.legend(frameon=False, loc="upper left")
    return ax
