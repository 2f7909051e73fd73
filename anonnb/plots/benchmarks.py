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
from anonnb.plots.parts.texts import clip, fitted
from anonnb.plots.style import BLUE, GREEN, GREY, INK, ORANGE, PALE, RED, axes, below, fill_look, finding, line_look

_COLORS = {"ours": BLUE, "peer": ORANGE, "equal": GREY}


def peer_ratios(comparisons: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """A bar per peer: its seconds ÷ ours, on a log scale, with both qualities; hatched where the peer was stopped.

    >>> both = {"ratio": 8.0, "at_least": False, "faster": "ours", "our quality": 0.1, "peer quality": 0.2}
    >>> frame = pd.DataFrame([{"subject": "Mondrian", "peer": "other", "quality": "NCP", "data": "adult"} | both])
    >>> peer_ratios(frame).get_title()
    'We are faster in 1 of 1 comparisons'
    """
    known = comparisons[comparisons["ratio"].notna()].iloc[::-1].reset_index(drop=True)
    names = [fitted(f"{line['subject']}, {line['data']}: {line['peer']}", 2.6) for _, line in known.iterrows()]
    notes = [fitted(_beside(line), 2.7) for _, line in known.iterrows()]
    lines = [max(name.count("\n"), note.count("\n")) + 1 for name, note in zip(names, notes, strict=True)]
    ends = np.cumsum([0.1 + 0.15 * count for count in lines])
    positions = ends - np.diff(ends, prepend=0) / 2
    ax = axes(ax, size=(7.0, 1.2 + ends[-1]))
    for position, note, (_, line) in zip(positions, notes, known.iterrows(), strict=True):
        hatch = "////" if line["at_least"] else None
        color = _COLORS[line["faster"]]
        ax.barh(position, line["ratio"] - 1, left=1, color=color, hatch=hatch, edgecolor="white", height=0.16)
        right = max(line["ratio"], 1.0)
        beside = {"fontsize": 8, "linespacing": 1.0, "va": "center"}
        ax.annotate(note, (right, position), xytext=(4, 0), textcoords="offset points", **beside)  # type: ignore[arg-type]
    ax.axvline(1, color=INK, linewidth=0.8)
    ax.set_xscale("log")
    low, high = min(known["ratio"].min(), 0.5), max(known["ratio"].max(), 2.0)
    ax.set_xlim(low / 1.5, high * (high / low) ** 1.7)  # room for the words beside the longest bar
    ax.set_ylim(-0.05, ends[-1] + 0.05)
    ax.set_yticks(positions, names, fontsize=8)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("peer's seconds ÷ ours (log scale;\nhatched: stopped, a lower bound)")
    return finding(ax, f"We are faster in {int((known['faster'] == 'ours').sum())} of {len(known)} comparisons")


def peer_overview(comparisons: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """All ratios to peers at a glance: a row for each kind of job, a mark for each comparison.

    >>> both = {"ratio": 8.0, "at_least": False, "faster": "ours", "our quality": 0.1, "peer quality": 0.2}
    >>> frame = pd.DataFrame([{"subject": "Mondrian", "peer": "other", "quality": "NCP", "data": "adult"} | both])
    >>> [label.get_text() for label in peer_overview(frame.assign(kind="methods")).get_yticklabels()]
    ['methods (1)']
    """
    known = comparisons[comparisons["ratio"].notna()]
    kinds = list(dict.fromkeys(known["kind"]))
    ax = axes(ax, size=(7.0, 1.5 + 0.32 * len(kinds)))
    looks = {
        "ours": ("o", BLUE, "we are faster"),
        "equal": ("s", GREY, "about equal"),
        "peer": ("X", ORANGE, "the peer is faster"),
    }
    for faster, (marker, color, label) in looks.items():
        part = known[known["faster"] == faster]
        if len(part):
            positions = part["kind"].map(kinds.index)
            ax.scatter(part["ratio"], positions, marker=marker, color=color, s=34, alpha=0.75, label=label, zorder=2)
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
    """Seconds or memory against rows, both on log scales; the names give the exponent of the time.

    >>> lines = [("scaling", "Mondrian", "adult", rows, rows / 100, 100.0, False) for rows in (10, 100)]
    >>> names = ["section", "subject", "data", "rows", "seconds", "peak_mb", "at_least"]
    >>> scaling_curves(pd.DataFrame(lines, columns=names)).get_xlabel()
    'rows (log scale)'
    """
    ax = axes(ax, size=(6.8, 4.0))
    exponents = growth(frame).set_index(["subject", "data"])["exponent"]
    measured = frame[(frame["section"] == "scaling") & frame[value].notna() & ~frame["at_least"].astype(bool)]
    for index, ((subject, data), part) in enumerate(measured.groupby(["subject", "data"], sort=False)):
        label = f"{subject}: rows^{exponents[(subject, data)]:.2f}" if value == "seconds" else subject
        ax.plot(part["rows"], part[value], label=clip(label), **line_look(index))
    ylabel = {"peak_mb": "peak memory in MB", "seconds": "seconds (log scale)"}.get(value, clip(value))
    ax.set(xscale="log", yscale="log", xlabel="rows (log scale)", ylabel=ylabel)
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.yaxis.set_minor_formatter(NullFormatter())
    return name_lines(ax, inches=2.4)


def promised_exponents(exponents: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """The exponents of a run, a row for each kind; those that exceed their promise are crosses with a name.

    >>> line = {"kind": "method", "name": "Mondrian", "exponent": 1.1, "verdict": "kept"}
    >>> promised_exponents(pd.DataFrame([line])).get_title()
    '1 of 1 exponents keep their promises; the largest is 1.10 (Mondrian)'
    """
    part = exponents[exponents["exponent"].notna()].reset_index(drop=True)
    judged = part[part["verdict"].isin(["kept", "exceeded"])]
    kinds = list(dict.fromkeys(part["kind"]))
    ax = axes(ax, size=(7.0, 1.6 + 0.42 * len(kinds)))
    looks = {"kept": ("o", BLUE), "exceeded": ("X", RED), "no promise": ("s", GREY)}
    for verdict, (marker, color) in looks.items():
        shown_part = part[part["verdict"] == verdict]
        if len(shown_part):
            order = shown_part.groupby("kind")["exponent"].rank(method="first")
            positions = shown_part["kind"].map(kinds.index) + 0.11 * ((order % 5) - 2)
            ax.scatter(shown_part["exponent"], positions, marker=marker, color=color, s=22, alpha=0.8, label=verdict)
    ax.axvline(1, color=INK, linewidth=0.8)
    many = part["kind"].value_counts()
    ax.set_yticks(range(len(kinds)), [fitted(f"{kind} ({many[kind]})", 2.2) for kind in kinds])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="exponent of the rows (1: linear, 2: quadratic)", ylim=(len(kinds) - 0.5, -0.5))
    largest = part.loc[part["exponent"].idxmax()]
    kept = int((judged["verdict"] == "kept").sum())
    text = f"the largest is {largest['exponent']:.2f} ({largest['name']})"
    finding(ax, f"{kept} of {len(judged)} exponents keep their promises; {text}")
    return below(ax)


def bandwidth_shares(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """How much of the memory's speed the plain passes over a table reach, in percent on a log scale.

    >>> line = {"section": "bandwidth", "subject": "group", "quality": 20.0}
    >>> bandwidth_shares(pd.DataFrame([line])).get_title()
    'group comes nearest to the speed of the memory: 20 %'
    """
    part = frame[(frame["section"] == "bandwidth") & frame["quality"].notna() & (frame["subject"] != "copy")]
    part = part.sort_values("quality", kind="stable")
    ax = axes(ax, size=(6.6, 1.2 + 0.3 * len(part)))
    positions = np.arange(len(part))
    ax.scatter(part["quality"], positions, color=BLUE, s=40, zorder=2)
    ax.hlines(positions, part["quality"], 100, color=PALE, zorder=1)
    ax.axvline(100, color=INK, linewidth=0.8)
    ax.set_yticks(positions, [fitted(subject, 2.6) for subject in part["subject"]])
    ax.grid(axis="y", visible=False)
    ax.set(xscale="log", xlabel="% of the speed of a copy (log scale)", ylim=(-0.7, len(part) - 0.3))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    nearest = part.iloc[-1]
    return finding(ax, f"{nearest['subject']} comes nearest to the speed of the memory: {nearest['quality']:.2g} %")


def peak_memory(growth: pd.DataFrame, ax: Axes | None = None, *, most: int = 10) -> Axes:
    """The largest peaks of memory, each at the largest size of a series.

    >>> peak_memory(pd.DataFrame([{"subject": "Mondrian", "rows": 10, "peak MB": 300.0}])).get_title()
    'No job takes more than 300 MB'
    """
    part = growth.sort_values("peak MB", kind="stable").tail(most)
    ax = axes(ax, size=(6.3, 1.3 + 0.28 * len(part)))
    positions = np.arange(len(part))
    ax.barh(positions, part["peak MB"], color=BLUE)
    names = [clip(f"{subject}, {rows:,} rows") for subject, rows in zip(part["subject"], part["rows"], strict=True)]
    ax.set_yticks(positions, names)
    ax.grid(axis="y", visible=False)
    note = f"; the largest {len(part)} of {len(growth)}" if len(part) < len(growth) else ""
    ax.set(xlabel=f"peak memory of the process in MB{note}", ylim=(-0.7, len(part) - 0.3))
    return finding(ax, f"No job takes more than {np.ceil(part['peak MB'].max()):,.0f} MB")


_HOMES = ("anonnb", "pandas", "numpy", "Python")


def profile_homes(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Where the time of every profiled job goes: into our own functions, pandas, numpy, Python, or smaller functions.

    It names no function, so it stays true when functions move.

    >>> frame = pd.DataFrame([{"section": "profile", "subject": "Mondrian", "who": "anonnb.f", "quality": 0.1}])
    >>> [label.get_text() for label in profile_homes(frame).get_yticklabels()]
    ['Mondrian']
    """
    part = frame[(frame["section"] == "profile") & frame["quality"].notna()]
    home = part["who"].str.extract(r"\b(anonnb|pandas|numpy)\b")[0].fillna("Python")
    wide = part.assign(home=home).groupby(["subject", "home"])["quality"].sum().unstack(fill_value=0.0)
    wide = wide.reindex(columns=list(_HOMES), fill_value=0.0).sort_values(["anonnb", "pandas"], kind="stable")
    largest = wide.idxmax(axis=1)
    wide["functions that take less"] = (1 - wide.sum(axis=1)).clip(lower=0)
    ax = axes(ax, size=(7.0, 1.5 + 0.28 * len(wide)))
    positions, left = np.arange(len(wide)), np.zeros(len(wide))
    for number, (name, shares) in enumerate(wide.items()):
        style = fill_look(number) if name in _HOMES else {"color": PALE}
        ax.barh(positions, 100 * shares, left=left, label=name, **style)
        left += 100 * shares
    ax.set_yticks(positions, [fitted(subject, 3.0) for subject in wide.index])
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="time without the functions that are called (%)", xlim=(0, 100), ylim=(-0.7, len(wide) - 0.3))
    count = int((largest == "anonnb").sum())
    finding(ax, f"Among the largest functions, ours lead in {count} of {len(wide)} jobs")
    return below(ax)


def limit_shares(limits: pd.DataFrame, ax: Axes | None = None, *, most: int = 5) -> Axes:
    """What was measured as a share of what was allowed; a dot left of the line keeps the limit.

    Limits of time, of memory and of results are separate. Of nothing measured or nothing allowed there is no share.

    >>> line = {"subject": "Mondrian", "data": "adult", "demanded": "at most 4 s", "share": 0.5, "holds": True}
    >>> limit_shares(pd.DataFrame([line])).get_xlabel()
    'measured ÷ allowed (log scale)'
    """
    is_share = limits["share"].between(0, np.inf, inclusive="neither")
    upper = limits[limits["demanded"].str.startswith("at most") & is_share]
    names, lines = _nearest(upper, most)
    heights = np.array([1 + 0.8 * name.count("\n") for name in names])  # a name may take two lines
    every, top = np.cumsum(heights) - heights / 2 - 0.5, heights.sum()
    ax = axes(ax, size=(7.0, 1.5 + 0.27 * top))
    positions = every[[line is not None for line in lines]]
    drawn = upper.loc[[line for line in lines if line is not None]]
    share, holds = drawn["share"].to_numpy(), drawn["holds"].to_numpy()
    ax.hlines(positions, share.clip(max=1), share.clip(min=1), color=PALE, zorder=1)
    for kept, marker, label, color in ((True, "o", "holds", GREEN), (False, "X", "missed", RED)):
        chosen = holds == kept
        if chosen.any():
            ax.scatter(share[chosen], positions[chosen], color=color, marker=marker, s=44, label=label, zorder=2)
    ax.axvline(1, color=INK, linewidth=0.8)
    ax.set_yticks(every, names)
    for line, name in zip(lines, ax.get_yticklabels(), strict=True):
        name.set_fontweight("bold" if line is None else "normal")
    ax.grid(axis="y", visible=False)
    note = f"\n{len(drawn)} of {len(upper)}, the nearest to their limits" if len(drawn) < len(upper) else ""
    ax.set(xscale="log", xlabel=f"measured ÷ allowed (log scale){note}", ylim=(-0.7, top - 0.3))
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    used = f"at most {100 * upper['share'].max():.0f} % of a limit is used"
    finding(ax, f"{int(upper['holds'].sum())} of {len(upper)} upper limits hold; {used}")
    return below(ax)


def _nearest(upper: pd.DataFrame, count: int) -> tuple[list[str], list]:
    """The names of the lines from the bottom to the top, and the label of each in ``upper``; None for a heading."""
    unit = upper["demanded"].str.extract(r"at most [\d.e+]+ (\w+)")[0].map({"s": "Time", "MB": "Memory"})
    names, lines = [], []
    for group in ("What comes out", "Memory", "Time"):
        part = upper[unit.fillna("What comes out") == group].nlargest(count, "share").iloc[::-1]
        labels = part["subject"].astype(str) + ", " + part["data"].astype(str)
        names += [
            fitted(f"{word}: {limit.replace('at most', '≤')}", 3.9, 9)
            for word, limit in zip(labels, part["demanded"], strict=True)
        ]
        names += [group] * (len(part) > 0)
        lines += [*part.index] + [None] * (len(part) > 0)
    return names, lines
