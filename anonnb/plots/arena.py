"""Plots of a comparison: loss against risk with the Pareto front, methods × attacks as a heat map, curves over k."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.arena.standings import pareto, summary, worth
from anonnb.plots.parts.labels import name_lines, name_points
from anonnb.plots.style import BLUE, FAINT, GREY, ORANGE, PALETTE, SMALL, axes, below, finding, ink_on, line_look, shown


def loss_against_risk(
    frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack", *, ax: Axes | None = None
) -> Axes:
    """Each method as a point, left is more useful and down is safer; the Pareto front is named and joined.

    The risk of an attack is its excess over the control, or without one its advantage over the baseline, with its 95 %
    interval as a bar.
    """
    points = pareto(frame, loss, risk).sort_values([loss, risk], ignore_index=True)
    ax = axes(ax, size=(7.0, 4.4))
    front = points[points["front"]]
    behind = points[~points["front"]]
    attacked = (frame.loc[frame["name"] == risk, "kind"] == "attack").any()
    if attacked and "low" in points:
        ax.vlines(100 * points[loss], 100 * points["low"], 100 * points["high"], color=GREY, linewidth=1, alpha=0.5)
    ax.plot(100 * front[loss], 100 * front[risk], color=ORANGE, linewidth=1, zorder=1)
    ax.scatter(100 * behind[loss], 100 * behind[risk], color=FAINT, marker="s", s=22, label="others", zorder=2)
    ax.scatter(100 * front[loss], 100 * front[risk], color=BLUE, s=36, label="Pareto front", zorder=3)
    ax.margins(0.12)
    label = f"{worth(frame)} of {risk} (%)" if attacked else f"{risk} (%)"
    ax.set(xlabel=shown(f"detail lost, {loss} (%)"), ylabel=shown(label))
    finding(ax, f"{len(front):,} of {len(points):,} are beaten by none in both; the others lose or risk more")
    below(ax)
    _name_points(ax, points, loss, risk)
    return ax


def _name_points(ax: Axes, points: pd.DataFrame, loss: str, risk: str) -> None:
    """Names beside the points, those of the front first; points in one place share a name."""
    found = _labels(ax, points, loss, risk)
    words = [
        ", ".join(labels[:3]) + (f" and {len(labels) - 3} more" if len(labels) > 3 else "") for *_, labels in found
    ]
    named = [(x, y, word) for (x, y, _, _), word in zip(found, words, strict=True)]
    name_points(ax, named, 100 * points[[loss, risk]].to_numpy(dtype=float), [front for _, _, front, _ in found])


def _labels(ax: Axes, points: pd.DataFrame, loss: str, risk: str) -> list[tuple[float, float, bool, list[str]]]:
    """Where a name belongs, whether that is on the front, and the methods there; those of the front first."""
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
    """What every attack on every method's release is worth; a blank cell: the pair does not apply.

    Large figures are the excess over the control, or without one the advantage over the baseline, with the reach of the
    95 % interval; the success stands below, in brackets. A frame that knows neither shows the success alone.
    """
    attacks, figure = frame[frame["kind"] == "attack"], worth(frame)
    wide = summary(attacks, attacks=figure)
    success = summary(attacks).reindex(index=wide.index, columns=wide.columns).to_numpy()
    ends = [_ends(attacks, f"{figure} {end}", wide) for end in ("low", "high")]
    several = len({k for _, k, _ in wide.index if pd.notna(k)}) > 1
    names = [f"{method}" + (f", k = {int(k)}" if several and pd.notna(k) else "") for method, k, _ in wide.index]
    ax = axes(ax, size=(2.2 + 1.1 * wide.shape[1], 1.4 + (0.36 if figure != "value" else 0.26) * len(wide)))
    values = 100 * wide.to_numpy()
    most = np.nanmax(values, initial=1.0)  # colours are scaled to what is shown; less than nothing is nothing
    image = ax.imshow(values, cmap="cividis", vmin=0.0, vmax=most, aspect="auto")
    names_below = [shown(name.removesuffix("Attack")) for name in wide.columns]
    ax.set_xticks(range(wide.shape[1]), names_below, rotation=40, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(wide)), [shown(name, 40) for name in names], fontsize=SMALL)
    room = 0.6 * ax.figure.get_figwidth() / max(wide.shape[1], 1)  # inches that a cell has for its figures
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            reach = 50 * (ends[1][row, column] - ends[0][row, column])
            words = f"{value:.0f}" + (f" ± {reach:.0f}" if np.isfinite(reach) and room > 0.62 else "")
            words += f"\n({100 * success[row, column]:.0f})" if figure != "value" and room > 0.36 else ""
            colour = ink_on(image.to_rgba(value)[:3])
            ax.text(column, row, words, ha="center", va="center", color=colour, fontsize=8, linespacing=1.0)
    ax.spines[:].set_visible(False)
    ax.grid(False)
    ax.figure.colorbar(image, ax=ax, label=_scale(figure), shrink=0.8)
    row, column = np.unravel_index(np.nanargmax(values), values.shape) if np.isfinite(values).any() else (0, 0)
    if np.isfinite(values).any():
        what = "success" if figure == "value" else figure
        words = f"{wide.columns[column].removesuffix('Attack')} on {names[row]}, {values[row, column]:.0f} %"
        finding(ax, f"The largest {what}: {words}")
    return ax


def _ends(attacks: pd.DataFrame, name: str, wide: pd.DataFrame) -> np.ndarray:
    """An end of the intervals, in the shape of the figures; nan where none was computed."""
    if name not in attacks:
        return np.full(wide.shape, np.nan)
    return summary(attacks, attacks=name).reindex_like(wide).to_numpy()


def _scale(figure: str) -> str:
    return "success, %" if figure == "value" else f"{figure} (success in brackets), %"


def linkage_and_k(reached: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How often linkage finds a person in each release, beside the limit that the release's own k sets.

    ``reached`` has a line per method with the columns ``k``, the size of the smallest class, and ``success``. Lines
    stand in the order of k.

    >>> ax = linkage_and_k(pd.DataFrame({"k": [5.0, 1.0], "success": [0.1, 0.3]}, index=["Mondrian", "original"]))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['original (1)', 'Mondrian (5)']
    """
    lines = reached.sort_values(["k", "success"], ascending=[True, False], kind="stable")
    ax = axes(ax, size=(6.8, 1.5 + 0.21 * len(lines)))
    places, limits = np.arange(len(lines)), 100 / lines["k"].clip(lower=1)
    ax.hlines(places, 100 * lines["success"], limits, color=FAINT, linewidth=0.8, zorder=1)
    ax.scatter(limits, places, marker="|", s=90, color=ORANGE, linewidth=2, label="1/k, k as reached", zorder=2)
    ax.scatter(100 * lines["success"], places, color=BLUE, s=26, label="found by linkage", zorder=3)
    ax.set_yticks(places, [shown(f"{name} ({k:.0f})", 40) for name, k in lines["k"].items()], fontsize=SMALL)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="people (%)", ylabel="method (k reached)", xlim=(0, 105))
    over = int((100 * lines["success"] > limits + 1e-9).sum())
    finding(
        ax, f"In {len(lines) - over:,} of {len(lines):,} releases linkage finds at most one person in the k reached"
    )
    return below(ax)


def curves_over_k(frame: pd.DataFrame, name: str, *, ax: Axes | None = None) -> Axes:
    """One figure against k, a line per method."""
    lines = frame[(frame["name"] == name) & frame["k"].notna()]
    attacked = (lines["kind"] == "attack").any()
    column = worth(frame) if attacked else "value"
    ax = axes(ax, size=(6.8, 3.8))
    for place, (method, part) in enumerate(lines.groupby("method", sort=False)):
        found = part.groupby("k")[column].agg(["mean", "min", "max"])
        look = line_look(place)
        if (found["max"] > found["min"]).any():  # several seeds: from the least to the most
            ax.fill_between(found.index, found["min"], found["max"], color=look["color"], alpha=0.15, linewidth=0)
        ax.plot(found.index, found["mean"], label=shown(method), **look)
    ax.set(xlabel="k", ylabel=shown(f"{column} of {name}" if attacked else name))
    return name_lines(ax, inches=1.6)


def rivals(points: pd.DataFrame, *, loss: str = "loss", ax: Axes | None = None) -> Axes:
    """Methods of one table with the 95 % intervals of risk and loss, a colour and a mark for each family.

    ``points`` comes from :func:`anonnb.experiments.rivals.risk_and_loss`; methods that none beats are named. ``loss``
    is what the horizontal axis is called.
    """
    ax = axes(ax, size=(7.0, 4.6))
    for place, (family, part) in enumerate(points.groupby("family", sort=True)):
        look = line_look(place) | {"linestyle": "none"}
        spread = {
            "xerr": [100 * (part["loss"] - part["loss low"]), 100 * (part["loss high"] - part["loss"])],
            "yerr": [100 * (part["risk"] - part["risk low"]), 100 * (part["risk high"] - part["risk"])],
        }
        spread = {axis: np.nan_to_num(np.array(sides)).clip(min=0) for axis, sides in spread.items()}
        face = {} if place < len(PALETTE) else {"markerfacecolor": "white"}
        ax.errorbar(
            100 * part["loss"], 100 * part["risk"], **spread, **look, **face, elinewidth=0.8, label=shown(family)
        )
    ax.set(xlabel=shown(f"{loss} (%)"), ylabel="largest excess of an attack (%)")
    ax.margins(0.1)
    finding(ax, f"{int(points['front'].sum()):,} of {len(points):,} releases are beaten by none (bars: 95 % intervals)")
    below(ax)
    named = points[points["front"]].sort_values("loss")
    names = [(100 * line.loss, 100 * line.risk, line.method) for line in named.itertuples()]
    name_points(ax, names, 100 * points[["loss", "risk"]].to_numpy(dtype=float), [True] * len(names))
    return ax
