"""Plots of benchmarks: ratios to peers, growth with rows, where the time goes, and how much of a limit is used.

Each takes a frame as :mod:`anonnb.experiments.benchmarks` gives it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.experiments.benchmarks import growth
from anonnb.plots.style import BLUE, GREEN, GREY, ORANGE, PALETTE, RED, axes, shown

_COLORS = {"ours": BLUE, "peer": ORANGE, "equal": GREY}
_MARKERS = "osv^DPX*"


def peer_ratios(comparisons: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A bar per peer: its seconds ÷ ours, on a log scale, with both qualities; hatched where the peer was stopped."""
    known = comparisons[comparisons["ratio"].notna()].iloc[::-1].reset_index(drop=True)
    ax = axes(ax, size=(9.5, 1.0 + 0.27 * len(known)))
    for place, line in known.iterrows():
        hatch = "////" if line["at_least"] else None
        color = _COLORS[line["faster"]]
        ax.barh(place, line["ratio"] - 1, left=1, color=color, hatch=hatch, edgecolor="white", height=0.72)
        right = max(line["ratio"], 1.0)
        ax.annotate(
            shown(_beside(line)), (right, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=7.5
        )
    ax.axvline(1, color="black", linewidth=0.8)
    ax.set_xscale("log")
    low, high = min(known["ratio"].min(), 0.5), max(known["ratio"].max(), 2.0)
    ax.set_xlim(low / 1.5, high * (high / low) ** 0.45)  # room for the words beside the longest bar
    ax.set_ylim(-0.7, len(known) - 0.3)
    names = [shown(f"{line['subject']}, {line['data']}: {line['peer']}") for _, line in known.iterrows()]
    ax.set_yticks(range(len(known)), names, fontsize=7.5)
    ax.set_xlabel(
        "seconds of the peer ÷ seconds of anonnb (log scale; hatched: stopped, a lower bound)", fontsize="small"
    )
    return ax


def _beside(line: pd.Series) -> str:
    ratio = f"{'≥ ' if line['at_least'] else ''}{_short(line['ratio'])}×"
    if pd.isna(line["quality"]) or pd.isna(line["our quality"]) or pd.isna(line["peer quality"]):
        return ratio
    return f"{ratio}   {line['quality']} ours {_short(line['our quality'])}, peer's {_short(line['peer quality'])}"


def _short(value: float) -> str:
    """Two or three digits that matter: 12,300 and 0.0495.

    >>> _short(12345.6), _short(3.14159), _short(0.04951)
    ('12,346', '3.14', '0.0495')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def scaling_curves(frame: pd.DataFrame, value: str = "seconds", ax: Axes | None = None) -> Axes:
    """Seconds (or ``peak_mb``) against rows, both on log scales; the legend tells the exponent of the time."""
    ax = axes(ax)
    found = growth(frame).set_index(["subject", "data"])["exponent"]
    measured = frame[(frame["section"] == "scaling") & frame[value].notna() & ~frame["at_least"].astype(bool)]
    for place, ((subject, data), part) in enumerate(measured.groupby(["subject", "data"], sort=False)):
        label = f"{subject}: rows^{found[(subject, data)]:.2f}" if value == "seconds" else subject
        style = {"color": PALETTE[place % len(PALETTE)], "marker": _MARKERS[place % len(_MARKERS)]}
        ax.plot(part["rows"], part[value], label=shown(label), **style)
    ax.set(xscale="log", yscale="log", xlabel="rows", ylabel={"peak_mb": "peak memory in MB"}.get(value, shown(value)))
    low, high = ax.get_ylim()
    ax.set_ylim(low, high * (high / low) ** 0.35)  # the legend stands above the lines
    ax.legend(frameon=False, fontsize="x-small", loc="upper left")
    return ax


def peak_memory(growth: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Peak memory at the largest size of each series of ``anonnb.experiments.benchmarks.growth``."""
    part = growth.sort_values("peak MB", kind="stable")
    ax = axes(ax, size=(8.0, 1.0 + 0.24 * len(part)))
    places = np.arange(len(part))
    ax.barh(places, part["peak MB"], color=BLUE)
    names = [shown(f"{subject}, {rows:,} rows") for subject, rows in zip(part["subject"], part["rows"], strict=True)]
    ax.set_yticks(places, names, fontsize=7.5)
    ax.set(xlabel="peak memory of the process in MB", ylim=(-0.7, len(part) - 0.3))
    return ax


def profile_bars(frame: pd.DataFrame, subject: str, ax: Axes | None = None) -> Axes:
    """Own time of the functions that take most of a job, as a share of the whole; ours in blue, others in grey."""
    part = frame[(frame["section"] == "profile") & (frame["subject"] == subject) & frame["quality"].notna()]
    if part.empty:
        known = frame.loc[frame["section"] == "profile", "subject"].unique()
        raise ValueError(f"there is no profile of {subject!r}; there are {', '.join(known)}")
    part = part.iloc[::-1]
    ax = axes(ax, size=(8.0, 2.8))
    ours = part["who"].str.startswith("anonnb")
    places = np.arange(len(part))
    ax.barh(places, 100 * part["quality"], color=np.where(ours, BLUE, GREY))
    ax.set_yticks(places, map(shown, part["who"].str.removeprefix("anonnb.")), fontsize="small")
    ax.set(xlabel="% of the time, without the functions they call", title=shown(subject))
    return ax


def limit_shares(limits: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """What was measured as a share of what was allowed; a dot left of the line keeps the limit."""
    upper = (
        limits[limits["demanded"].str.startswith("at most") & limits["share"].gt(0)].iloc[::-1].reset_index(drop=True)
    )
    ax = axes(ax, size=(8.5, 1.0 + 0.24 * len(upper)))
    places = np.arange(len(upper))
    colors = np.where(upper["holds"], GREEN, RED)
    ax.hlines(places, upper["share"].clip(upper=1), upper["share"].clip(lower=1), color="lightgrey", zorder=1)
    for holds, marker, label in ((True, "o", "holds"), (False, "X", "missed")):
        chosen = upper["holds"].to_numpy() == holds
        if chosen.any():
            ax.scatter(upper["share"][chosen], places[chosen], c=colors[chosen], marker=marker, label=label, zorder=2)
    ax.axvline(1, color="black", linewidth=0.8)
    names = [
        shown(f"{line['subject']}, {line['data']}: {line['demanded'].replace('at most', '≤')}")
        for _, line in upper.iterrows()
    ]
    ax.set_yticks(places, names, fontsize=7.5)
    ax.set(xscale="log", xlabel="measured ÷ demanded (log scale)", ylim=(-0.7, len(upper) - 0.3))
    ax.legend(frameon=False, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return ax
