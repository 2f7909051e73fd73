"""Pictures of cuts and of costs: the hierarchy with its cut, the steps of TopDown and BottomUp, ratios to the optimum.

A cut is drawn on the hierarchy's tree, the root at the left; what lies below the cut is grey, or left out when there
is too much of it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullFormatter, StrMethodFormatter

from anonnb.methods.cuts.nodes import Nodes
from anonnb.plots.style import BLUE, GREY, ORANGE, PALETTE, axes, shown
from anonnb.tables.attribute import shorten
from anonnb.tables.release import Release

_WHITE = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}


def hierarchy_cut(release: Release, name: str, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """The hierarchy of a column as a tree, the labels that the release shows marked, each with its number of rows.

    What lies below the cut is grey; of a column with many values, the lowest levels are left out until at most
    ``most`` nodes stand at the right.
    """
    tree = Nodes(release.table.attributes[name], release.table.codes(name))
    cut = _cut_of(release, tree, name)
    place = _places(_drawn(tree, cut, most), tree)
    height = tree.level.max()
    across = height - min(int(tree.level[node]) for node in place)
    ax = axes(ax, size=(2.4 * (across + 1), 0.9 + 0.3 * (max(place.values()) + 1)))
    rows = pd.Series(cut[tree.codes]).value_counts()
    for node, y in place.items():
        x, parent = height - tree.level[node], tree.parent[node]
        below = not (cut == node).any() and tree.level[node] < tree.level[cut[(tree.ladder == node).any(axis=0)]].min()
        if parent >= 0:
            ax.plot([x - 0.32, x - 0.02], [place[parent], y], color=GREY, linewidth=0.8, zorder=0)
        style = {"color": GREY if below else "black", "bbox": _WHITE}
        text = shown(tree.labels[node], 26)
        if node in rows.index:
            text += f" ({rows[node]:,})"
            style |= {"color": "white", "bbox": {"boxstyle": "round,pad=0.25", "facecolor": BLUE, "edgecolor": BLUE}}
        ax.text(x, y, text, va="center", fontsize=8, **style)
    levels = [f"level {height - x}" for x in range(across + 1)]
    ax.set(xticks=range(across + 1), xticklabels=levels, yticks=[], title=shown(f"{name}: the cut, with rows"))
    ax.set(xlim=(-0.1, across + 0.9), ylim=(max(place.values()) + 0.7, -0.7))
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _drawn(tree: Nodes, cut: np.ndarray, most: int) -> np.ndarray:
    """The ladder with -1 for nodes that are left out: as many low levels as there must be, none above the cut."""
    codes, levels = np.arange(len(cut)), np.arange(len(tree.ladder))[:, None]
    for lowest in levels[:, 0]:
        start = np.minimum(lowest, tree.level[cut])
        if len(np.unique(tree.ladder[start, codes])) <= most:
            break
    return np.where(levels >= start, tree.ladder, -1)


def _cut_of(release: Release, tree: Nodes, name: str) -> np.ndarray:
    """The node that stands for every code; raises when the column was not recoded along its hierarchy."""
    column = release.columns[name]
    texts, codes = column.texts(), release.table.codes(name)[release.rows]
    seen: dict[int, str] = {}
    for code, text in zip(codes.tolist(), texts.tolist(), strict=True):
        if seen.setdefault(code, text) != text:
            raise ValueError(f"column {name!r} shows one value in different ways; only global cuts can be drawn")
    cut = tree.ladder[0].copy()
    for code, text in seen.items():
        ways = [node for node in tree.ladder[:, code] if tree.labels[node] == text]
        if not ways:
            raise ValueError(f"column {name!r} shows {text!r}, which is no label of its hierarchy")
        cut[tree.ladder[tree.level[ways[0]]] == ways[0]] = ways[0]
    return cut


def _places(drawn: np.ndarray, tree: Nodes) -> dict[int, float]:
    """A height for every drawn node: the lowest ones in a row, the others in the middle of what they cover."""
    place: dict[int, float] = {}
    slot: dict[int, float] = {}
    for code in range(drawn.shape[1]):
        lowest = int(next(node for node in drawn[:, code] if node >= 0))
        slot.setdefault(code, place.setdefault(lowest, float(len(place))))
    for level in drawn:
        for node in np.unique(level[level >= 0]).tolist():
            place.setdefault(node, float(np.mean(list({slot[code] for code in np.flatnonzero(level == node)}))))
    return place


def cut_trace(release: Release, *, ax: Axes | None = None) -> Axes:
    """The steps of TopDown or BottomUp from top to bottom: what was moved, and the smallest class after it."""
    trace = release.info["trace"]
    k = release.method.k
    ax = axes(ax, size=(8.0, 1.1 + 0.3 * len(trace)))
    names = release.quasi
    colours = {name: PALETTE[place % len(PALETTE)] for place, name in enumerate(names)}
    for step in trace.itertuples():
        colour = colours.get(step.attribute, GREY)
        ax.plot([1, step.degree], [step.step, step.step], color=colour, linewidth=5, solid_capstyle="butt")
        ax.text(step.degree * 1.06, step.step, f"{step.degree:,}", va="center", fontsize=8)
    ax.axvline(k, color="black", linewidth=1, linestyle="--")
    ax.text(k, -0.75, f"k = {k}", fontsize=8, ha="center", va="bottom")
    labels = ["start"] + [
        shown(f"{step.step}. {step.attribute}: {shorten(step.before, 34)} → {shorten(step.after, 34)}", 84)
        for step in trace.iloc[1:].itertuples()
    ]
    ax.set(xscale="log", xlim=(1, trace["degree"].max() * 1.6), ylim=(len(trace) - 0.5, -0.7))
    ax.set_yticks(trace["step"], labels, fontsize=8)
    ax.set_xlabel("rows in the smallest class (log scale)")
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    return ax


def forest(release: Release, *, ax: Axes | None = None) -> Axes:
    """The edges that Forest drew between the rows of a small table; rows of one colour became one group."""
    table, target, parts = release.table, release.info["points_to"], release.info["parts"]
    ax = axes(ax, size=(7.2, 4.8))
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(table)) / len(table)
    x, y = np.cos(angle), np.sin(angle)
    codes = table.code_matrix()
    for row in np.flatnonzero(target >= 0):
        to = target[row]
        ends = {"xy": (x[to], y[to]), "xytext": (x[row], y[row])}
        arrow = {"arrowstyle": "-|>", "shrinkA": 9, "shrinkB": 9, "color": GREY}
        ax.annotate("", **ends, arrowprops=arrow)
        cost = f"{int((codes[row] != codes[to]).sum())}"
        ax.text((x[row] + x[to]) / 2, (y[row] + y[to]) / 2, cost, fontsize=9, ha="center", bbox=_WHITE)
    ax.scatter(x, y, s=220, color=[PALETTE[part % len(PALETTE)] for part in parts], zorder=2)
    for row, values in enumerate(table.frame[table.quasi].itertuples(index=False)):
        ax.text(x[row], y[row], str(row), color="white", ha="center", va="center", fontsize=9)
        side = "left" if x[row] > 0.05 else "right" if x[row] < -0.05 else "center"
        ax.text(1.12 * x[row], 1.16 * y[row], shown(", ".join(map(str, values))), ha=side, va="center", fontsize=9)
    ax.set(xlim=(-2.1, 2.1), ylim=(-1.3, 1.35), aspect="equal", title="Edges with the number of cells that differ")
    ax.set_axis_off()
    return ax


def cost_ratios(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Cost divided by the optimum, a dot per table, beside the bound that was proved for the method.

    ``frame`` has the columns ``method``, ``ratio`` and ``bound``; larger dots stand for more tables.
    """
    methods = list(dict.fromkeys(frame["method"]))
    ax = axes(ax, size=(1.5 + 1.5 * len(methods), 4.0))
    for x, method in enumerate(methods):
        own = frame[frame["method"] == method]
        counts = own["ratio"].round(2).value_counts()
        ax.scatter(np.full(len(counts), x), counts.index, s=8 + 160 * counts / len(own), color=BLUE, alpha=0.55)
        ax.plot([x - 0.25, x + 0.25], [own["ratio"].mean()] * 2, color="black", linewidth=1.5)
        ax.plot([x - 0.3, x + 0.3], [own["bound"].iloc[0]] * 2, color=ORANGE, linewidth=2.5)
        ax.text(x + 0.33, own["bound"].iloc[0], f"bound {own['bound'].iloc[0]:.3g}", va="center", fontsize=8)
        ax.text(x + 0.28, own["ratio"].mean(), f"mean {own['ratio'].mean():.2f}", va="center", fontsize=8)
    ticks = [tick for tick in (1, 1.5, 2, 3, 5, 10, 20, 50) if tick <= frame["bound"].max() * 1.3]
    ax.set(yscale="log", ylim=(0.93, frame["bound"].max() * 1.25), xlim=(-0.5, len(methods) - 0.1))
    ax.set_xticks(range(len(methods)), map(shown, methods))
    ax.yaxis.set_major_locator(FixedLocator(ticks))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylabel("cost ÷ optimum (log scale)")
    return ax
