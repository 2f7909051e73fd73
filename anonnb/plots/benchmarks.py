"""Plots of benchmarks: ratios to peers, growth with rows, where the time goes, and how much of a limit is used.

Each takes a frame as :mod:`anonnb.experiments.benchmarks` gives it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from anonnb.experiments.benchmarks import growth
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALE,
    RED,
    SMALL,
    axes,
    below,
    finding,
    fitted,
    line_look,
    shown,
)

_COLORS = {"ours": BLUE, "peer": ORANGE, "equal": GREY}


def peer_ratios(comparisons: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A bar per peer: its seconds ÷ ours, on a log scale, with both qualities; hatched where the peer was stopped."""
    known = comparisons[comparisons["ratio"].notna()].iloc[::-1].reset_index(drop=True)
    names = [fitted(f"{line['subject']}, {line['data']}: {line['peer']}", 2.6) for _, line in known.iterrows()]
    notes = [fitted(_beside(line), 2.7) for _, line in known.iterrows()]
    lines = [max(name.count("\n"), note.count("\n")) + 1 for name, note in zip(names, notes, strict=True)]
    ends = np.cumsum([0.1 + 0.15 * count for count in lines])
    places = ends - np.diff(ends, prepend=0) / 2
    ax = axes(ax, size=(7.0, 1.2 + ends[-1]))
    for place, note, (_, line) in zip(places, notes, known.iterrows(), strict=True):
        hatch = "////" if line["at_least"] else None
        color = _COLORS[line["faster"]]
        ax.barh(place, line["ratio"] - 1, left=1, color=color, hatch=hatch, edgecolor="white", height=0.16)
        right = max(line["ratio"], 1.0)
        where = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
        ax.annotate(note, (right, place), fontsize=8, linespacing=1.0, **where)
    ax.axvline(1, color=INK, linewidth=0.8)
    ax.set_xscale("log")
    low, high = min(known["ratio"].min(), 0.5), max(known["ratio"].max(), 2.0)
    ax.set_xlim(low / 1.5, high * (high / low) ** 1.7)  # room for the words beside the longest bar
    ax.set_ylim(-0.05, ends[-1] + 0.05)
    ax.set_yticks(places, names, fontsize=8)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("peer's seconds ÷ ours (log scale;\nhatched: stopped, a lower bound)")
    return finding(ax, f"We are faster in {int((known['faster'] == 'ours').sum())} of {len(known)} comparisons")


def peer_overview(comparisons: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """All ratios to peers at a glance: a line for each ``kind`` of job, a mark for each comparison.

    ``comparisons`` has a column ``kind`` beside those of ``benchmarks.comparisons``.
    """
    known = comparisons[comparisons["ratio"].notna()]
    kinds = list(dict.fromkeys(known["kind"]))
    ax = axes(ax, size=(7.0, 1.5 + 0.32 * len(kinds)))
    looks = {
        "ours": ("o", BLUE, "we are faster"),
        "equal": ("s", GREY, "equal"),
        "peer": ("X", ORANGE, "the peer is faster"),
    }
    for faster, (marker, color, label) in looks.items():
        part = known[known["faster"] == faster]
        if len(part):
            places = part["kind"].map(kinds.index)
            ax.scatter(part["ratio"], places, marker=marker, color=color, s=34, alpha=0.75, label=label, zorder=2)
    ax.axvline(1, color=INK, linewidth=0.8)
    many = known["kind"].value_counts()
    ax.set_yticks(range(len(kinds)), [fitted(f"{kind} ({many[kind]})", 2.2) for kind in kinds])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xscale="log", xlabel="peer's seconds ÷ ours (log scale)", ylim=(len(kinds) - 0.5, -0.5))
    ax.xaxis.set_minor_formatter(NullFormatter())
    finding(ax, f"We are faster in {int((known['faster'] == 'ours').sum())} of {len(known)} comparisons")
    return below(ax)


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
    """Seconds (or ``peak_mb``) against rows, both on log scales; the names tell the exponent of the time."""
    ax = axes(ax, size=(6.8, 4.0))
    found = growth(frame).set_index(["subject", "data"])["exponent"]
    measured = frame[(frame["section"] == "scaling") & frame[value].notna() & ~frame["at_least"].astype(bool)]
    for place, ((subject, data), part) in enumerate(measured.groupby(["subject", "data"], sort=False)):
        label = f"{subject}: rows^{found[(subject, data)]:.2f}" if value == "seconds" else subject
        ax.plot(part["rows"], part[value], label=shown(label), **line_look(place))
    ylabel = {"peak_mb": "peak memory in MB", "seconds": "seconds (log scale)"}.get(value, shown(value))
    ax.set(xscale="log", yscale="log", xlabel="rows (log scale)", ylabel=ylabel)
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    return name_lines(ax, inches=2.4)


def growth_slopes(slopes: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The exponents of ``benchmarks.slopes``: of the first step to a larger table, and of the last one."""
    part = slopes.sort_values("last", kind="stable").reset_index(drop=True)
    ax = axes(ax, size=(7.0, 1.5 + 0.22 * len(part)))
    places = np.arange(len(part))
    ax.hlines(places, part["first"], part["last"], color=GREY, linewidth=1.2, zorder=1)
    ax.scatter(part["first"], places, marker="o", s=26, facecolor="white", edgecolor=BLUE, label="first step", zorder=2)
    ax.scatter(part["last"], places, marker="o", s=30, color=BLUE, label="last step", zorder=3)
    ax.axvline(1, color=INK, linewidth=0.8)
    names = [fitted(f"{line.subject}, {line.data}", 3.2, SMALL) for line in part.itertuples()]
    ax.set_yticks(places, names, fontsize=SMALL)
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="exponent of the rows (1: linear, 2: quadratic)", ylim=(-0.7, len(part) - 0.3))
    finding(ax, f"In the last step {int((part['last'] < 1).sum())} of {len(part)} jobs grow less than linearly")
    return below(ax)


def peak_memory(growth: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Peak memory at the largest size of each series of ``anonnb.experiments.benchmarks.growth``."""
    part = growth.sort_values("peak MB", kind="stable")
    ax = axes(ax, size=(7.0, 1.1 + 0.24 * len(part)))
    places = np.arange(len(part))
    ax.barh(places, part["peak MB"], color=BLUE)
    names = [shown(f"{subject}, {rows:,} rows") for subject, rows in zip(part["subject"], part["rows"], strict=True)]
    ax.set_yticks(places, names, fontsize=SMALL)
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="peak memory of the process in MB", ylim=(-0.7, len(part) - 0.3))
    return finding(ax, f"No job takes more than {part['peak MB'].max():,.0f} MB")


def profile_bars(frame: pd.DataFrame, subject: str, ax: Axes | None = None) -> Axes:
    """Own time of the functions that take most of a job, as a share of the whole; ours in blue, others in grey."""
    part = frame[(frame["section"] == "profile") & (frame["subject"] == subject) & frame["quality"].notna()]
    if part.empty:
        known = frame.loc[frame["section"] == "profile", "subject"].unique()
        raise ValueError(f"there is no profile of {subject!r}; there are {', '.join(known)}")
    part = part.iloc[::-1]
    ax = axes(ax, size=(7.0, 1.0 + 0.26 * len(part)))
    ours = part["who"].str.startswith("anonnb")
    places = np.arange(len(part))
    bars = ax.barh(places, 100 * part["quality"], color=np.where(ours, BLUE, GREY))
    for bar, own in zip(bars, ours, strict=True):
        bar.set_hatch("" if own else "///")
    ax.set_yticks(places, map(shown, part["who"].str.removeprefix("anonnb.")), fontsize=SMALL)
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="time without the functions they call (%; hatched: other packages)")
    return finding(ax, f"{subject}: no function takes more than {100 * part['quality'].max():.0f} % of the time")


def limit_shares(limits: pd.DataFrame, ax: Axes | None = None, *, most: int = 30) -> Axes:
    """What was measured as a share of what was allowed; a dot left of the line keeps the limit.

    Of more than ``most`` limits those that are used most are drawn, and the axis says so.
    """
    upper = limits[limits["demanded"].str.startswith("at most") & limits["share"].gt(0)]
    total, kept = len(upper), int(upper["holds"].sum())
    nearest = upper["share"].nlargest(most).index
    upper = upper[upper.index.isin(nearest)].iloc[::-1].reset_index(drop=True)
    ax = axes(ax, size=(7.0, 1.3 + 0.24 * len(upper)))
    places = np.arange(len(upper))
    colors = np.where(upper["holds"], GREEN, RED)
    ax.hlines(places, upper["share"].clip(upper=1), upper["share"].clip(lower=1), color=PALE, zorder=1)
    for holds, marker, label in ((True, "o", "holds"), (False, "X", "missed")):
        chosen = upper["holds"].to_numpy() == holds
        if chosen.any():
            ax.scatter(upper["share"][chosen], places[chosen], c=colors[chosen], marker=marker, label=label, zorder=2)
    ax.axvline(1, color=INK, linewidth=0.8)
    demands = upper["demanded"].str.replace("at most", "≤")
    words = upper["subject"].astype(str) + ", " + upper["data"].astype(str) + ": " + demands
    names = [fitted(name, 3.4, 8) for name in words]
    ax.set_yticks(places, names, fontsize=8)
    ax.grid(axis="y", visible=False)
    note = f"\nthe {len(upper)} of {total} that are nearest to their limit" if len(upper) < total else ""
    ax.set(xscale="log", xlabel=f"measured ÷ demanded (log scale){note}", ylim=(-0.7, len(upper) - 0.3))
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    finding(ax, f"{kept} of {total} upper limits hold")
    return below(ax)
