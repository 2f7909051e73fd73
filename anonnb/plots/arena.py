"""Plots of a comparison: loss against risk with the Pareto front, methods × attacks as a heat map, curves over k."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from anonnb.arena.standings import pareto, summary, worth
from anonnb.plots.style import BLUE, GREY, ORANGE, PALETTE, axes, shown

# Where the name of a point may stand: how far from it in points of print, and with which corner.
PLACES = [
    *(((5, 4), "left", "bottom"), ((-5, 4), "right", "bottom"), ((5, -4), "left", "top"), ((-5, -4), "right", "top")),
    *(((0, 7), "center", "bottom"), ((0, -7), "center", "top"), ((8, 14), "left", "bottom"), ((8, -14), "left", "top")),
]


def loss_against_risk(
    frame: pd.DataFrame, loss: str = "NCP", risk: str = "LinkageAttack", *, ax: Axes | None = None
) -> Axes:
    """Each method as a point, left is more useful and down is safer; the Pareto front is named and joined.

    The risk of an attack is its excess over the control, or without one its advantage over the baseline, with its 95 %
    interval as a bar.
    """
    points = pareto(frame, loss, risk).sort_values([loss, risk], ignore_index=True)
    ax = axes(ax, size=(8.0, 4.6))
    front = points[points["front"]]
    behind = points[~points["front"]]
    attacked = (frame.loc[frame["name"] == risk, "kind"] == "attack").any()
    if attacked and "low" in points:
        ax.vlines(100 * points[loss], 100 * points["low"], 100 * points["high"], color=GREY, linewidth=1, alpha=0.5)
    ax.plot(100 * front[loss], 100 * front[risk], color=ORANGE, linewidth=1, zorder=1)
    ax.scatter(100 * behind[loss], 100 * behind[risk], color=GREY, s=28, label="others", zorder=2)
    ax.scatter(100 * front[loss], 100 * front[risk], color=BLUE, s=36, label="Pareto front", zorder=3)
    ax.margins(0.08)
    label = f"{worth(frame)} of {risk} (%)" if attacked else f"{risk} (%)"
    ax.set(xlabel=shown(f"detail lost, {loss} (%)"), ylabel=shown(label))
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    _name_points(ax, points, loss, risk)
    return ax


def _name_points(ax: Axes, points: pd.DataFrame, loss: str, risk: str) -> None:
    """Names beside the points, those of the front first: each where it lies upon no point and no other name.

    Points in one place share a name. Behind the front those without room stay nameless.
    """
    ax.figure.draw_without_rendering()  # names are measured where the layout has put the axes
    dots = ax.transData.transform(100 * points[[loss, risk]].to_numpy(dtype=float))
    taken: list[Bbox] = []
    for x, y, front, labels in _labels(ax, points, loss, risk):
        words = ", ".join(labels[:3]) + (f" and {len(labels) - 3} more" if len(labels) > 3 else "")
        name = ax.annotate(shown(words), (x, y), xytext=(0, 0), textcoords="offset points", fontsize=8, zorder=4)
        name.set_path_effects([withStroke(linewidth=2.5, foreground="white")])  # readable where it meets a line
        if _place(name, ax, dots, taken) or front:
            taken.append(name.get_window_extent())
        else:
            name.remove()


def _place(name: Annotation, ax: Axes, dots: np.ndarray, taken: list[Bbox]) -> bool:
    """Move a name to the first place where it is free, or to the very first one and say that it is not."""
    inside = ax.get_window_extent()
    for shift, side, height in [*PLACES, PLACES[0]]:
        name.set(position=shift, horizontalalignment=side, verticalalignment=height)
        box = name.get_window_extent()
        within = inside.x0 <= box.x0 and box.x1 <= inside.x1 and inside.y0 <= box.y0 and box.y1 <= inside.y1
        if within and not box.count_overlaps(taken) and not box.count_contains(dots):
            return True
    return False


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
    ax = axes(ax, size=(2.2 + 1.2 * wide.shape[1], 1.0 + 0.42 * len(wide)))
    values = 100 * wide.to_numpy()
    most = np.nanmax(values, initial=1.0)  # colours are scaled to what is shown; less than nothing is nothing
    image = ax.imshow(values, cmap="cividis", vmin=0.0, vmax=most, aspect="auto")
    names_below = [shown(name.removesuffix("Attack")) for name in wide.columns]
    ax.set_xticks(range(wide.shape[1]), names_below, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(wide)), map(shown, names))
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value):
            reach = 50 * (ends[1][row, column] - ends[0][row, column])
            words = f"{value:.0f}" + (f" ± {reach:.0f}" if np.isfinite(reach) else "")
            words += f"\n({100 * success[row, column]:.0f})" if figure != "value" else ""
            colour = "black" if value > most / 2 else "white"
            ax.text(column, row, words, ha="center", va="center", color=colour, fontsize=7)
    ax.spines[:].set_visible(False)
    ax.figure.colorbar(image, ax=ax, label=_scale(figure), shrink=0.8)
    return ax


def _ends(attacks: pd.DataFrame, name: str, wide: pd.DataFrame) -> np.ndarray:
    """An end of the intervals, in the shape of the figures; nan where none was computed."""
    if name not in attacks:
        return np.full(wide.shape, np.nan)
    return summary(attacks, attacks=name).reindex_like(wide).to_numpy()


def _scale(figure: str) -> str:
    return "success, %" if figure == "value" else f"{figure} (success in brackets), %"


def curves_over_k(frame: pd.DataFrame, name: str, *, ax: Axes | None = None) -> Axes:
    """One figure against k, a line per method."""
    lines = frame[(frame["name"] == name) & frame["k"].notna()]
    attacked = (lines["kind"] == "attack").any()
    column = worth(frame) if attacked else "value"
    ax = axes(ax, size=(6.8, 4.2))
    for place, (method, part) in enumerate(lines.groupby("method", sort=False)):
        mean = part.groupby("k")[column].mean()
        style = ("-", "--", ":")[place // len(PALETTE) % 3]
        ax.plot(mean.index, mean, marker="o", color=PALETTE[place % len(PALETTE)], linestyle=style, label=shown(method))
    ax.set(xlabel="k", ylabel=shown(f"{column} of {name}" if attacked else name))
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def rivals(points: pd.DataFrame, *, loss: str = "loss", ax: Axes | None = None) -> Axes:
    """Methods of one table with the 95 % intervals of risk and loss, a colour and a mark for each family.

    ``points`` comes from :func:`anonnb.experiments.rivals.risk_and_loss`; methods that none beats are named. ``loss``
    is what the horizontal axis is called.
    """
    ax = axes(ax, size=(7.0, 4.2))
    for place, (family, part) in enumerate(points.groupby("family", sort=True)):
        look = {"color": PALETTE[place % len(PALETTE)], "marker": "osD^vP*X"[place % 8], "linestyle": "none"}
        spread = {
            "xerr": [100 * (part["loss"] - part["loss low"]), 100 * (part["loss high"] - part["loss"])],
            "yerr": [100 * (part["risk"] - part["risk low"]), 100 * (part["risk high"] - part["risk"])],
        }
        spread = {axis: np.nan_to_num(np.array(sides)).clip(min=0) for axis, sides in spread.items()}
        face = {} if place < len(PALETTE) else {"markerfacecolor": "white"}
        ax.errorbar(
            100 * part["loss"], 100 * part["risk"], **spread, **look, **face, elinewidth=0.8, label=shown(family)
        )
    named = points[points["front"]].sort_values("loss")
    for line in named.itertuples():
        note = {"xytext": (5, 5), "textcoords": "offset points", "fontsize": 8, "zorder": 4}
        text = ax.annotate(shown(line.method), (100 * line.loss, 100 * line.risk), **note)
        text.set_path_effects([withStroke(linewidth=2.5, foreground="white")])
    ax.set(xlabel=shown(f"{loss} (%)"), ylabel="largest excess of an attack (%)")
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return ax
