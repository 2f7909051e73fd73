"""Plots of tuple migration: measures against k, budgets and what was spent of them, sweeps over the thresholds."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.parts.distributions import cumulative
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.texts import SMALL, fitted, shown
from anonnb.plots.style import GREY, INK, PALE, axes, below, fill_look, finding, ink_on, line_look


def measure_by_k(frame: pd.DataFrame, label: str, ax: Axes | None = None, *, ideal: float | None = None) -> Axes:
    """One line per method against k.

    Parameters
    ----------
    frame:
        A frame with the columns method, k and value.
    label:
        The name of the value.
    ax:
        Where to draw; new Axes by default.
    ideal:
        A value to mark with a dotted line.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": "A", "k": [2, 5], "value": [0.1, 0.2]})
    >>> measure_by_k(frame, "NCP").get_ylabel()
    'NCP'
    """
    ax = axes(ax, size=(6.8, 3.6))
    for place, (name, part) in enumerate(frame.groupby("method", sort=False)):
        ax.plot(part["k"], part["value"], label=shown(name), **line_look(place))
    if ideal is not None:
        ax.axhline(ideal, color=INK, linewidth=1, linestyle=":")
    ax.set(xlabel="k", ylabel=shown(label))
    ax.set_xticks(sorted(frame["k"].unique()))
    return name_lines(ax, inches=1.6)


def budgets(frame: pd.DataFrame, ax: Axes | None = None, *, most: int = 12) -> Axes:
    """The rules with the smallest budgets, and how much of each was spent.

    Rules over the same set of items, which differ only in what follows from what, share a row: the one with the
    smallest budget is drawn.

    Parameters
    ----------
    frame:
        ``release.info["budgets"]`` of a migration.
    ax:
        Where to draw; new Axes by default.
    most:
        The most rules to draw.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> frame = pd.DataFrame({"antecedents": ["a=1"], "consequents": ["b=2"], "eq8": [3], "spent": [1]})
    >>> budgets(frame).get_title()
    'None of 1 rules used up its budget'
    """
    ordered = frame.sort_values("eq8", kind="stable")
    items = [_items(rule) for rule in ordered.itertuples()]
    chosen = ordered[~pd.Series(items, index=ordered.index).duplicated()].head(most).iloc[::-1]
    names = [fitted(f"{_listed(rule.antecedents)} → {_listed(rule.consequents)}", 3.3) for rule in chosen.itertuples()]
    ax = axes(ax, size=(7.0, 1.2 + 0.17 * sum(name.count("\n") + 1.5 for name in names)))
    places = np.arange(len(chosen))
    ax.barh(places, chosen["eq8"], label="budget (Eq. 8)", **fill_look(3) | {"facecolor": PALE, "edgecolor": GREY})
    ax.barh(places, chosen["spent"], height=0.4, label="harmed rows", **fill_look(0))
    ax.set_yticks(places, names, fontsize=SMALL)
    ax.set(xlabel="rows")
    ax.grid(axis="y", visible=False)
    spent, over = ((frame["spent"] >= frame["eq8"]).sum(), (frame["spent"] > frame["eq8"]).sum())
    many = f"Of {len(frame):,} rules {spent:,} used up their budget, and {over:,} exceeded it"
    finding(ax, many if spent else f"None of {len(frame):,} rules used up its budget")
    return below(ax)


def _items(rule) -> frozenset[str]:
    """The items of a rule, on either side; each is one word with an equals sign."""
    return frozenset(f"{rule.antecedents} {rule.consequents}".replace(",", " ").split())


def _listed(items: str) -> str:
    """Items with commas between them instead of spaces."""
    return re.sub(r" (?=\S+ = )", ", ", items.replace("=", " = "))


def threshold_map(sweep: pd.DataFrame, value: str, label: str, ax: Axes | None = None) -> Axes:
    """A value over min_support and min_confidence, as a shaded grid of numbers.

    Parameters
    ----------
    sweep:
        A frame with the columns min_support, min_confidence and the value.
    value, label:
        The column with the value, and its name in the plot.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> sweep = pd.DataFrame({"min_support": [0.1, 0.5], "min_confidence": 0.5, "lost": [10, 2]})
    >>> threshold_map(sweep, "lost", "rules lost").get_xlabel()
    'minimal support'
    """
    grid = sweep.pivot_table(index="min_confidence", columns="min_support", values=value)
    ax = axes(ax, size=(min(7.0, 1.2 + 0.8 * grid.shape[1]), 1.2 + 0.45 * grid.shape[0]))
    values = grid.to_numpy()
    image = ax.imshow(values, cmap="Blues", aspect="auto", origin="lower")
    image.set_clim(0 if np.nanmax(values) > 0 else None, None)
    for (row, column), number in np.ndenumerate(values):
        if np.isfinite(number):
            colour = ink_on(image.to_rgba(number)[:3])
            ax.text(column, row, f"{number:,.4g}", ha="center", va="center", color=colour, fontsize=SMALL)
    ax.set_xticks(range(grid.shape[1]), [f"{each:g}" for each in grid.columns])
    ax.set_yticks(range(grid.shape[0]), [f"{each:g}" for each in grid.index])
    ax.set(xlabel="minimal support", ylabel="minimal confidence", title=shown(label))
    ax.spines[:].set_visible(False)
    ax.grid(False)
    return ax


def size_change(before: np.ndarray, after: np.ndarray, k: int, ax: Axes | None = None) -> Axes:
    """The share of rows in classes of at most x rows, before and after.

    Parameters
    ----------
    before, after:
        The sizes of the classes.
    k:
        Drawn as a dashed line.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> size_change(np.array([1, 1, 8]), np.array([5, 5]), 5).get_title()
    'Rows in classes of fewer than 5: 2 before, 0 after'
    """
    ax = axes(ax, size=(6.8, 3.4))
    before, after = np.asarray(before), np.asarray(after)
    ax.set(xlabel="rows in the class (log scale)", ylabel="rows in classes of\nat most that size (%)")
    small = [int(sizes[sizes < k].sum()) for sizes in (before, after)]
    cumulative(ax, {"before": (before, before), "after": (after, after)}, k=k)
    return finding(ax, f"Rows in classes of fewer than {k}: {small[0]:,} before, {small[1]:,} after")
