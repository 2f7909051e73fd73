"""Plots of a comparison: loss against risk with the Pareto front, methods × attacks as a heat map, curves over k."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes

from anonnb.arena.draws import spread
from anonnb.arena.standings import headlines, pareto, summary
from anonnb.core.wording import percent
from anonnb.plots.parts.labels import name_lines, name_points
from anonnb.plots.parts.texts import SMALL, clip
from anonnb.plots.style import (
    BLUE,
    FAINT,
    GREY,
    ORANGE,
    PALETTE,
    Style,
    axes,
    below,
    figure_of,
    finding,
    ink_on,
    line_look,
)

STEPS = 10  # colours of the heat map: few enough to tell apart, and to survive when a picture is packed


def loss_against_risk(
    frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack", *, ax: Axes | None = None
) -> Axes:
    """Draw each method as a point: left loses less, down risks less; the Pareto front is joined and named.

    The risk of an attack is its headline, such as the excess of an attack on a secret, with its 95 % interval as a bar.

    Parameters
    ----------
    frame:
        A comparison as :func:`anonnb.arena.compare` makes it.

    Examples
    --------
    >>> lines = [("A", "NCP", 0.1), ("A", "LinkageAttack", 0.3), ("B", "NCP", 0.4), ("B", "LinkageAttack", 0.1)]
    >>> frame = pd.DataFrame(lines, columns=["method", "name", "value"])
    >>> frame = frame.assign(k=5, seed=0, reason="", kind=["utility", "attack"] * 2)
    >>> loss_against_risk(frame).get_xlabel()
    'detail lost, NCP (%)'
    """
    points = pareto(frame, loss, risk).sort_values([loss, risk], ignore_index=True)
    ax = axes(ax, size=(7.0, 4.4))
    front = points[points["front"]]
    behind = points[~points["front"]]
    if "low" in points:
        ax.vlines(100 * points[loss], 100 * points["low"], 100 * points["high"], color=GREY, linewidth=1.4)
    ax.plot(100 * front[loss], 100 * front[risk], color=ORANGE, linewidth=1, zorder=1)
    if len(behind):
        ax.scatter(100 * behind[loss], 100 * behind[risk], color=FAINT, marker="s", s=22, label="beaten", zorder=2)
    ax.scatter(100 * front[loss], 100 * front[risk], color=BLUE, s=36, label="not beaten (Pareto front)", zorder=3)
    ax.margins(0.12)
    ax.set(xlabel=clip(f"detail lost, {loss} (%)"), ylabel=clip(f"{_figure_of(frame, risk)} (%)"))
    finding(ax, _who_is_beaten(points, loss))
    below(ax)
    _name_points(ax, points, loss, risk)
    return ax


def _figure_of(frame: pd.DataFrame, name: str) -> str:
    """Return what is shown of a measure or an attack: ``NCP``, or ``HomogeneityAttack: excess``."""
    lines = headlines(frame[frame["name"] == name])
    return f"{name}: {lines['figure'].iat[0]}" if len(lines) else name


def _who_is_beaten(points: pd.DataFrame, loss: str) -> str:
    """Say which methods are beaten, and whether their risk intervals are apart from those that beat them."""
    behind, rest = points[~points["front"]], int(points["front"].sum())
    if behind.empty:
        return f"None of the {len(points):,} is beaten in both figures"
    few = len(behind) <= 2
    who = " and ".join(behind["method"]) if few else f"{len(behind):,} of {len(points):,}"
    summary = f"{who} {'is' if len(behind) == 1 else 'are'} beaten"
    if "low" in points and points["low"].notna().any():
        better = (points[loss].to_numpy() <= behind[[loss]].to_numpy()) & (
            points["high"].to_numpy() < behind[["low"]].to_numpy()
        )
        sure = int(better.any(axis=1).sum())
        detail = "beyond chance" if sure == len(behind) else f"{sure:,} of them beyond chance"
        summary += f", {detail}" if sure else ", but not beyond chance"
    return f"{summary}; none of the other {rest:,} is" if rest > 1 else summary


def _name_points(ax: Axes, points: pd.DataFrame, loss: str, risk: str) -> None:
    """Label the points, those of the front first; points at the same position share a label."""
    labels_at = _labels(ax, points, loss, risk)
    texts = [
        ", ".join(labels[:3]) + (f" and {len(labels) - 3} more" if len(labels) > 3 else "") for *_, labels in labels_at
    ]
    named = [(x, y, word) for (x, y, _, _), word in zip(labels_at, texts, strict=True)]
    name_points(ax, named, 100 * points[[loss, risk]].to_numpy(dtype=float), [front for _, _, front, _ in labels_at])


def _labels(ax: Axes, points: pd.DataFrame, loss: str, risk: str) -> list[tuple[float, float, bool, list[str]]]:
    """Return position, front membership and method names of each label, those of the front first."""
    several = points["k"].dropna().nunique() > 1
    wide, high = (abs(a - b) for a, b in (ax.get_xlim(), ax.get_ylim()))
    placed: list[tuple[float, float, bool, list[str]]] = []
    for line in points.sort_values("front", ascending=False, kind="stable").to_dict("records"):
        x, y = 100 * line[loss], 100 * line[risk]
        label = line["method"] + (f" ({int(line['k'])})" if several and pd.notna(line["k"]) else "")
        same = next((s for s in placed if abs(s[0] - x) < 0.02 * wide and abs(s[1] - y) < 0.02 * high), None)
        if same is not None:
            same[3].append(label)
        else:
            placed.append((x, y, bool(line["front"]), [label]))
    return placed


def attack_heat_map(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw what every attack achieves on every method's release; a cell is blank if the pair does not apply.

    Each column says which figure it shows: the headline of the attack's kind, with the half-width of its 95 % interval
    if there is room, and below, in brackets, the figure to compare it with. An excess whose interval lies above 0 is
    bold.

    Parameters
    ----------
    frame:
        A comparison as :func:`anonnb.arena.compare` makes it.

    Examples
    --------
    >>> lines = [("A", "LinkageAttack", 0.3), ("B", "LinkageAttack", 0.1)]
    >>> frame = pd.DataFrame(lines, columns=["method", "name", "value"]).assign(k=5, seed=0, kind="attack", reason="")
    >>> [label.get_text() for label in attack_heat_map(frame).get_yticklabels()]
    ['A', 'B']
    """
    lines = headlines(frame)
    wide = summary(lines).dropna(axis=1, how="all")
    low, high, second = (summary(lines, attacks=name).reindex_like(wide) for name in ("low", "high", "second"))
    figures = {line["name"]: (line["figure"], line["second figure"]) for _, line in lines.iterrows()}
    several = len({k for _, k, _ in wide.index if pd.notna(k)}) > 1
    names = [f"{method}" + (f", k = {int(k)}" if several and pd.notna(k) else "") for method, k, _ in wide.index]
    ax = axes(ax, size=(2.2 + 1.1 * wide.shape[1], 1.4 + 0.36 * len(wide)))
    values = 100 * wide.to_numpy()
    highest = np.nanmax(values, initial=1.0)  # colours are scaled to what is shown; negative values count as 0
    image = ax.imshow(values, cmap=colormaps["cividis"].resampled(STEPS), vmin=0.0, vmax=highest, aspect="auto")
    cell_width = 0.6 * figure_of(ax).get_figwidth() / max(wide.shape[1], 1)  # inches that a cell has for its figures
    shown = [figures[next(one for one in figures if f"{name}, ".startswith(f"{one}, "))] for name in wide.columns]
    roomy = cell_width > 0.36  # so that the second figure has room, too
    labels = [
        clip(name.removesuffix("Attack")) + (f"\n{figure} ({second})" if roomy else f": {figure}")
        for name, (figure, second) in zip(wide.columns, shown, strict=True)
    ]
    size = None if roomy else SMALL
    ax.set_xticks(range(wide.shape[1]), labels, rotation=40, ha="right", rotation_mode="anchor", fontsize=size)
    ax.set_yticks(range(len(wide)), [clip(name, 40) for name in names], fontsize=SMALL)
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            reach, other = 50 * (high - low).iat[row, column], 100 * second.iat[row, column]
            text = f"{value:z.0f}" + (f" ± {reach:.0f}" if np.isfinite(reach) and cell_width > 0.62 else "")
            text += f"\n({other:.0f})" if np.isfinite(other) and roomy else ""
            weight = "bold" if shown[column][0] == "excess" and low.iat[row, column] > 0 else "normal"
            style: Style = {"color": ink_on(image.to_rgba(value)[:3]), "fontsize": 8, "fontweight": weight}
            # the layout need not measure what lies inside the Axes
            ax.text(column, row, text, ha="center", va="center", linespacing=1.0, **style).set_in_layout(False)
    ax.spines[:].set_visible(False)
    ax.grid(False)
    ax.figure.colorbar(image, ax=ax, label="%", shrink=0.8)
    if np.isfinite(values).any():
        finding(ax, _most_learnt(lines))
    return ax


def _most_learnt(lines: pd.DataFrame) -> str:
    """Count the excesses above 0 beyond chance and name the one with the highest lower end, ignoring the original.

    If there are none, say how far the intervals reach. Without an excess, name the largest figure.
    """
    made = lines[lines["method"] != "original"] if (lines["method"] != "original").any() else lines

    def cell(line: pd.Series) -> str:
        return f"{line['name'].removesuffix('Attack')} on {line['method']}, {percent(line['headline'], 0)}"

    known = made[(made["figure"] == "excess") & made["low"].notna()]
    if known.empty:
        line = made.loc[made["headline"].astype(float).idxmax()]
        return f"The largest figure: {cell(line)} {line['figure']}"
    sure = known[known["low"] > 0]
    if sure.empty:
        reach = 100 * min(known["high"].max(), 1.0)
        return f"No excess of {len(known):,} is above 0 beyond chance, yet the intervals reach up to {reach:.0f} %"
    line = sure.loc[sure["low"].idxmax()]
    verb = "is" if len(sure) == 1 else "are"
    ends = f"{100 * line['low']:.0f} to {100 * line['high']:.0f}"
    return f"{len(sure):,} of {len(known):,} excesses {verb} above 0 beyond chance, most clearly {cell(line)} ({ends})"


def curves_over_k(frame: pd.DataFrame, name: str, *, ax: Axes | None = None) -> Axes:
    """Draw one figure against k, a line per method.

    Parameters
    ----------
    frame:
        A comparison as :func:`anonnb.arena.compare` makes it.

    Examples
    --------
    >>> lines = [("A", 2, 0.1), ("A", 5, 0.3), ("B", 2, 0.2), ("B", 5, 0.4)]
    >>> frame = pd.DataFrame(lines, columns=["method", "k", "value"])
    >>> frame = frame.assign(seed=0, kind="utility", name="NCP", reason="")
    >>> len(curves_over_k(frame, "NCP").lines)
    2
    """
    lines = frame[(frame["name"] == name) & frame["k"].notna()]
    column = "value" if headlines(lines).empty else "headline"
    lines = lines if column == "value" else headlines(lines)
    ax = axes(ax, size=(6.8, 3.8))
    for index, (method, part) in enumerate(lines.groupby("method", sort=False)):
        spread = part.groupby("k")[column].agg(["mean", "min", "max"])
        style = line_look(index)
        if (spread["max"] > spread["min"]).any():  # several seeds: from the least to the most
            ax.fill_between(spread.index, spread["min"], spread["max"], color=style["color"], alpha=0.15, linewidth=0)
        ax.plot(spread.index, spread["mean"], label=clip(method), **style)
    ax.set(xlabel="k", ylabel=clip(_figure_of(frame, name)))
    ks = sorted(lines["k"].unique())
    if len(ks) <= 8:
        ax.set_xticks(ks, [f"{k:g}" for k in ks])
    return name_lines(ax, inches=1.6)


def draws(frame: pd.DataFrame, figure: str = "excess", *, ax: Axes | None = None) -> Axes:
    """Draw a figure of every draw as a small dot and their mean with its 95 % interval, a line per method.

    Parameters
    ----------
    frame:
        The draws, as :func:`anonnb.arena.over_draws` makes them.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["A", "A", "B", "B"], "draw": [1, 2, 1, 2], "excess": [0.1, 0.2, 0.3, 0.4]})
    >>> [text.get_text() for text in draws(frame).get_yticklabels()]
    ['A', 'B']
    """
    lines = spread(frame, figure)
    ax = axes(ax, size=(6.8, 0.9 + 0.42 * len(lines)))
    for position, (name, line) in enumerate(lines.iterrows()):
        values = 100 * frame.loc[frame["method"] == name, figure]
        shift = np.linspace(-0.16, 0.16, max(len(values), 1))[: len(values)]  # equal draws stay visible
        ax.plot(values, position + shift, "o", color=FAINT, markersize=3, label="a draw" if not position else None)
        reach = [[100 * (line["mean"] - line["low"])], [100 * (line["high"] - line["mean"])]]
        label = "mean, 95 % interval" if not position else None
        ax.errorbar([100 * line["mean"]], [position], xerr=reach, fmt="D", color=BLUE, capsize=3, label=label)
    ax.axvline(0, color=GREY, linewidth=1)
    ax.set_yticks(range(len(lines)), [clip(name, 40) for name in lines.index])
    ax.set(xlabel=f"{figure} (%), {lines['draws'].max()} draws", ylim=(len(lines) - 0.5, -0.5))
    return below(ax)


def rivals(points: pd.DataFrame, *, loss: str = "loss", ax: Axes | None = None) -> Axes:
    """Draw methods with 95 % intervals of risk and loss, each family in its own colour and marker.

    Methods that no other beats are named.

    Parameters
    ----------
    points:
        A frame as :func:`anonnb.experiments.rivals.risk_and_loss` makes it.

    Examples
    --------
    >>> ends = dict.fromkeys(["risk", "risk low", "risk high", "loss", "loss low", "loss high"], 0.1)
    >>> points = pd.DataFrame([{"method": "OKA", "family": "clustering", "front": True} | ends])
    >>> rivals(points, loss="error").get_xlabel()
    'error (%)'
    """
    ax = axes(ax, size=(7.0, 4.6))
    for index, (family, part) in enumerate(points.groupby("family", sort=True)):
        style: Style = line_look(index) | {"linestyle": "none"}
        spread: Style = {
            "xerr": [100 * (part["loss"] - part["loss low"]), 100 * (part["loss high"] - part["loss"])],
            "yerr": [100 * (part["risk"] - part["risk low"]), 100 * (part["risk high"] - part["risk"])],
        }
        spread = {axis: np.nan_to_num(np.array(sides)).clip(min=0) for axis, sides in spread.items()}
        face: Style = {} if index < len(PALETTE) else {"markerfacecolor": "white"}
        ax.errorbar(
            100 * part["loss"], 100 * part["risk"], **spread, **style, **face, elinewidth=0.8, label=clip(family)
        )
    ax.set(xlabel=clip(f"{loss} (%)"), ylabel="largest excess of an attack on a secret (%)")
    ax.margins(0.1)
    named = points[points["front"]].sort_values("loss")
    beaten_by_none = f": {', '.join(named['method'])}" if 0 < len(named) <= 4 else ""
    verb = "is" if len(named) == 1 else "are"
    finding(ax, f"{len(named):,} of {len(points):,} {verb} beaten by no other{beaten_by_none} (bars: 95 % intervals)")
    below(ax)
    names = [(100 * line.loss, 100 * line.risk, line.method) for line in named.itertuples()]
    ends = points[["loss low", "loss high", "loss", "risk low", "risk high", "risk"]].to_numpy(dtype=float).T
    left, right, loss_at, bottom, top, risk_at = ends
    along = np.linspace(0, 1, 9)[:, None]  # a name covers neither a point nor its bars
    across = np.broadcast_arrays(left + along * (right - left), risk_at)
    upright = np.broadcast_arrays(loss_at, bottom + along * (top - bottom))
    dots = np.concatenate([np.stack(bars, axis=-1).reshape(-1, 2) for bars in (across, upright)])
    dots = np.concatenate([dots, points[["loss", "risk"]].to_numpy(dtype=float)])
    name_points(ax, names, 100 * dots[~np.isnan(dots).any(axis=1)], [True] * len(names))
    return ax


RUNS = {"before": (GREY, "o", -0.2), "same attacks now": (BLUE, "|", 0.2), "all attacks now": (ORANGE, "D", 0.2)}
GAINED = {
    "excess": "largest excess on a secret (%)",
    "linked": "people linked to their own row (%)",
    "TPR − FPR": "members − outsiders found (%)",
}


def gains(runs: Mapping[str, pd.DataFrame], figure: str = "excess", *, ax: Axes | None = None) -> Axes:
    """Draw each method's largest gain before and now with 95 % intervals, the largest of today first.

    Parameters
    ----------
    runs:
        By ``before``, ``same attacks now`` and ``all attacks now``: the lines of one table that
        :func:`anonnb.experiments.rivals.largest_gains` makes. The first two may be missing.
    figure:
        Which gain: ``excess``, ``linked`` or ``TPR − FPR``.

    Examples
    --------
    >>> lines = pd.DataFrame({"method": ["OKA"], "figure": "excess", "gain": 0.4, "low": 0.3, "high": 0.5})
    >>> earlier = lines.assign(gain=0.1, low=0.0, high=0.2)
    >>> " ".join(gains({"before": earlier, "all attacks now": lines}).get_title().split())
    'The gain rises beyond chance on 1 of 1 and falls on 0'
    """
    found = {run: lines[lines["figure"] == figure].set_index("method") for run, lines in runs.items()}
    now = found["all attacks now"].sort_values("gain", ascending=False, kind="stable")
    found = {run: 100 * lines[["gain", "low", "high"]].reindex(now.index) for run, lines in found.items()}
    ax, positions = axes(ax, size=(7.0, 1.4 + 0.22 * len(now))), np.arange(len(now))
    for run, lines in found.items():
        color, marker, shift = RUNS[run]
        if marker != "|":
            ax.hlines(positions + shift, lines["low"], lines["high"], color=color, linewidth=1.2)
        size = 130 if marker == "|" else 16
        ax.scatter(lines["gain"], positions + shift, color=color, marker=marker, s=size, label=run)
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set_yticks(positions, [clip(name, 24) for name in now.index], fontsize=SMALL)
    ax.grid(axis="y", visible=False)
    ax.set(xlabel=GAINED[figure], ylim=(len(now) - 0.4, -0.6))
    if "before" in found:
        old, new = found["before"], found["all attacks now"]
        ax.plot([old["gain"], new["gain"]], [positions - 0.2, positions + 0.2], color=FAINT, linewidth=0.8, zorder=1)
        rise, fall = (new["low"] > old["high"]).sum(), (new["high"] < old["low"]).sum()
        finding(ax, f"The gain rises beyond chance on {rise:,} of {len(now):,} and falls on {fall:,}")
    else:
        finding(ax, f"{(now['low'] > 0).sum():,} of {len(now):,} gains are above 0 beyond chance")
    return below(ax)
