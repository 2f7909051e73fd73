"""Plots of the papers' experiments: our figures beside theirs, and how useful and how safe their tables are.

A point is one figure or one anonymized table, and a bar counts the figures of one table. Verdicts such as exact or
close come from :mod:`anonnb.experiments.verdicts`.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.parts.texts import SMALL, shown
from anonnb.plots.style import BLUE, GREY, RED, SKY, axes, below, beside, dot_look, fill_look, finding

VERDICT_COLOURS = (BLUE, SKY, GREY, RED)  # from what agrees to what does not


def usefulness_protection(
    frame: pd.DataFrame,
    *,
    usefulness: str = "accuracy",
    success: str = "success",
    label: str = "method",
    ax: Axes | None = None,
) -> Axes:
    """One point per anonymized table: how useful it is (up) against how often attacks fail (right).

    The best corner is the upper right. Tables with the same label share a colour and a marker.

    Parameters
    ----------
    frame:
        A row per anonymized table.
    usefulness, success, label:
        The columns with the usefulness, the success of the attack, and the name.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["A", "B"], "accuracy": [0.8, 0.6], "success": [0.3, 0.1]})
    >>> usefulness_protection(frame).get_ylabel()
    'rows classified rightly (%)'
    """
    ax = axes(ax, size=(5.4, 4.0))
    for place, (name, part) in enumerate(frame.groupby(label, sort=False)):
        ax.scatter(
            100 * (1 - part[success]), 100 * part[usefulness], label=shown(name), s=46, alpha=0.85, **dot_look(place)
        )
    ax.set(xlabel="attacks that fail (%)", ylabel="rows classified rightly (%)", xlim=(-3, 103), ylim=(-3, 103))
    return beside(ax)


def beside_paper(
    frame: pd.DataFrame, *, label: str = "dataset", within: float | None = None, ax: Axes | None = None
) -> Axes:
    """Our values (up) against the paper's (right): on the diagonal both agree.

    Parameters
    ----------
    frame:
        A frame with the columns ``ours`` and ``paper``.
    label:
        The column with the names of the points.
    within:
        Draw a band of this half-width around the diagonal.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> beside_paper(pd.DataFrame({"dataset": ["zoo"], "ours": [0.4], "paper": [0.5]}), within=0.05).get_xlabel()
    'in the paper'
    """
    ax = axes(ax, size=(4.6, 4.2))
    top = max(float(frame[["ours", "paper"]].max().max()) * 1.05, 0.05)
    ends = np.array([0.0, top])
    if within is not None:
        ax.fill_between(ends, ends - within, ends + within, color=GREY, alpha=0.18, linewidth=0, label=f"± {within:g}")
    ax.plot(ends, ends, color=GREY, linewidth=1)
    for place, (name, part) in enumerate(frame.groupby(label, sort=False)):
        ax.scatter(part["paper"], part["ours"], label=shown(name), s=26, alpha=0.75, **dot_look(place))
    ax.set(xlabel="in the paper", ylabel="ours", xlim=(-0.04 * top, top), ylim=(-0.04 * top, top), aspect="equal")
    apart = (frame["ours"] - frame["paper"]).abs()
    if within is not None:
        finding(ax, f"{int((apart <= within).sum()):,} of {len(frame):,} values lie within {within:g} of the paper's")
    return beside(ax)


def verdict_bars(counts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How many figures of each paper, or of each of its tables, get which verdict.

    Parameters
    ----------
    counts:
        Numbers of figures; a row per table or paper, a column per verdict.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> counts = pd.DataFrame({"equal": [3], "close": [1], "open": [0], "different": [1]}, index=["Table 2"])
    >>> [label.get_text() for label in verdict_bars(counts).get_yticklabels()]
    ['Table 2 (5)']
    """
    shares = 100 * counts.div(counts.sum(axis=1).clip(lower=1), axis=0)
    ax = axes(ax, size=(7.0, 1.1 + 0.42 * len(counts)))
    places, start = np.arange(len(counts)), np.zeros(len(counts))
    for number, name in enumerate(counts.columns):
        look = fill_look(number) | ({"facecolor": VERDICT_COLOURS[number]} if number < len(VERDICT_COLOURS) else {})
        ax.barh(places, shares[name], left=start, label=shown(name), **look)
        for place, (share, many) in enumerate(zip(shares[name], counts[name], strict=True)):
            if share >= 5:  # room for a number
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
                ax.text(
                    start[place] + share / 2, place, f"{many:,}", ha="center", va="center", fontsize=SMALL, bbox=box
                )
        start += shares[name].to_numpy()
    ax.set_yticks(places, [f"{shown(name)} ({total:,})" for name, total in counts.sum(axis=1).items()])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="figures (%)", xlim=(0, 100))
    first, total = int(counts.iloc[:, :2].sum().sum()), int(counts.sum().sum())
    names = " or ".join(str(name) for name in counts.columns[:2])
    finding(ax, f"{first:,} of {total:,} figures are {shown(names)}")
    return below(ax)
