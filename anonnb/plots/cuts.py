"""Pictures of cuts and of costs: the hierarchy with its cut, the steps of TopDown and BottomUp, ratios to the optimum.

A cut is drawn on the hierarchy's tree, the root at the left; what lies below the cut is grey, or left out when there
is too much of it.
"""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullFormatter, StrMethodFormatter

from anonnb.methods.cuts.cut_state import Nodes
from anonnb.plots.parts.graphs import Look, draw_graph, titled
from anonnb.plots.parts.layers import DrawnEdge, DrawnNode
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import BLUE, FAINT, GREY, INK, ORANGE, PALETTE, Style, axes, bare, finding, ink_on, line_look
from anonnb.tables.release import Release

_WHITE = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}


def hierarchy_cut(release: Release, name: str, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """Draw the hierarchy of a column as a tree, with the labels that the release shows and their row counts.

    What lies below the cut is grey; for a column with many values, the lowest levels are left out.

    Parameters
    ----------
    release:
        A release that recodes the column globally.
    most:
        The most nodes at the right.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import TopDown
    >>> hierarchy_cut(TopDown(k=4).anonymize(load("survey")), "Marital_status").get_title()
    'Marital_status: 3 labels stand for 3 values'
    """
    tree = Nodes(release.table.attributes[name], release.table.codes(name))
    cut = _cut_of(release, tree, name)
    drawn = _drawn(tree, cut, most)
    rows = pd.Series(cut[tree.codes]).value_counts()
    nodes: dict[int, DrawnNode] = {}
    edges: dict[tuple[int, int], DrawnEdge] = {}
    for code in range(drawn.shape[1]):
        way = [int(node) for node in drawn[:, code] if node >= 0]
        for node in way:
            text = clip(tree.labels[node]) + (f" ({rows[node]:,})" if node in rows.index else "")
            status = "shown" if node == cut[code] else "below" if tree.level[node] < tree.level[cut[code]] else "above"
            nodes[node] = DrawnNode(node, text, status, int(tree.level.max() - tree.level[node]))
        edges |= {(above, node): DrawnEdge(above, node) for node, above in itertools.pairwise(way)}
    headings = [f"level {level}" for level in sorted({int(tree.level[node]) for node in nodes}, reverse=True)]
    ordered = list(nodes.values())
    ax = draw_graph(ordered, list(edges.values()), _CUT_LOOKS, headings=headings, arrows=False, ax=ax)
    return titled(ax, f"{name}: {len(rows):,} labels stand for {int((np.bincount(tree.codes) > 0).sum()):,} values")


_CUT_LOOKS = {
    "shown": Look(BLUE, width=2.2, label="published, with its rows", filled=True),
    "above": Look(GREY, label="above the cut"),
    "below": Look(GREY, ":", label="below the cut: not published"),
}


def _drawn(tree: Nodes, cut: np.ndarray, limit: int) -> np.ndarray:
    """Return the ladder with -1 for omitted nodes: the lowest levels if there are too many, none above the cut."""
    codes, levels = np.arange(len(cut)), np.arange(len(tree.ladder))[:, None]
    for lowest in levels[:, 0]:
        start = np.minimum(lowest, tree.level[cut])
        if len(np.unique(tree.ladder[start, codes])) <= limit:
            break
    return np.where(levels >= start, tree.ladder, -1)


def _cut_of(release: Release, tree: Nodes, name: str) -> np.ndarray:
    """Return the node that stands for every code; raise if the column was not recoded along its hierarchy."""
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


def forest(release: Release, *, ax: Axes | None = None) -> Axes:
    """Draw the edges of Forest between the rows of a small table; colour and marker show the group of a row.

    >>> from anonnb import load
    >>> from anonnb.methods import Forest
    >>> forest(Forest(k=2).anonymize(load("decision6"))).get_title()
    '6 rows become 3 groups; an edge tells how many cells differ'
    """
    table, target, parts = release.table, release.info["points_to"], release.info["parts"]
    ax = bare(axes(ax, size=(7.0, 4.8)))
    angle = np.pi / 2 - 2 * np.pi * np.arange(len(table)) / len(table)
    x, y = np.cos(angle), np.sin(angle)
    codes = table.code_matrix()
    for row in np.flatnonzero(target >= 0).tolist():
        to = target[row]
        arrow = {"arrowstyle": "-|>", "shrinkA": 11, "shrinkB": 11, "color": FAINT}
        ax.annotate("", xy=(x[to], y[to]), xytext=(x[row], y[row]), arrowprops=arrow)
        cost = f"{int((codes[row] != codes[to]).sum())}"
        near = (0.7 * x[row] + 0.3 * x[to], 0.7 * y[row] + 0.3 * y[to])  # where edges to one row are still apart
        ax.text(*near, cost, fontsize=SMALL, ha="center", va="center", bbox=_WHITE)
    for part in np.unique(parts):
        style = line_look(int(part))
        ax.scatter(x[parts == part], y[parts == part], s=330, color=style["color"], marker=style["marker"], zorder=2)
    for row, values in enumerate(table.frame[table.quasi].itertuples(index=False)):
        ink = ink_on(PALETTE[int(parts[row]) % len(PALETTE)])
        ax.text(x[row], y[row], str(row), color=ink, ha="center", va="center", fontsize=SMALL)
        side = "left" if x[row] > 0.05 else "right" if x[row] < -0.05 else "center"
        height = "center" if abs(x[row]) > 0.05 else "bottom" if y[row] > 0 else "top"
        text = fitted(", ".join(map(str, values)), 1.8)
        ax.text(1.14 * x[row], 1.14 * y[row], text, ha=side, va=height, fontsize=SMALL)
    ax.set(xlim=(-2.2, 2.2), ylim=(-1.45, 1.45), aspect="equal")
    groups = len(np.unique(parts))
    return finding(ax, f"{len(table)} rows become {groups} groups; an edge tells how many cells differ")


def cost_ratios(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the cost divided by the optimum, a dot per table, next to the proven bound of the method.

    Parameters
    ----------
    frame:
        A frame with the columns ``method``, ``ratio`` and ``bound``; larger dots stand for more tables.

    Examples
    --------
    >>> cost_ratios(pd.DataFrame({"method": ["Forest"], "ratio": [1.5], "bound": [3.0]})).get_title()
    'No cost exceeds 1.50 times the optimum, and none its bound'
    """
    methods = list(dict.fromkeys(frame["method"]))
    ax = axes(ax, size=(6.8, 1.2 + 0.55 * len(methods)))
    note: Style = {"textcoords": "offset points", "fontsize": SMALL, "bbox": _WHITE}
    for y, method in enumerate(methods):
        tables = frame[frame["method"] == method]
        counts, mean, bound = tables["ratio"].round(2).value_counts(), tables["ratio"].mean(), tables["bound"].iloc[0]
        ax.scatter(counts.index, np.full(len(counts), y), s=8 + 160 * counts / len(tables), color=BLUE, alpha=0.55)
        ax.plot([mean] * 2, [y - 0.25, y + 0.25], color=INK, linewidth=1.5)
        ax.plot([bound] * 2, [y - 0.3, y + 0.3], color=ORANGE, linewidth=2.5, linestyle="--")
        ax.annotate(f"bound {bound:.3g}", (bound, y), (5, 0), va="center", ha="left", **note)
        ax.annotate(f"mean {mean:.2f}", (mean, y - 0.25), (0, 2), va="bottom", ha="center", **note)
    ticks = [tick for tick in (1, 1.5, 2, 3, 5, 10, 20, 50) if tick <= frame["bound"].max() * 1.3]
    ax.set(xscale="log", xlim=(0.93, frame["bound"].max() * 1.5), ylim=(len(methods) - 0.5, -0.7))
    ax.set_yticks(range(len(methods)), map(clip, methods))
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set_xlabel("cost ÷ optimum (log scale)")
    ax.grid(axis="y", visible=False)
    kept = bool((frame["ratio"] <= frame["bound"] + 1e-9).all())
    worst = frame["ratio"].max()
    return finding(ax, f"No cost exceeds {worst:.2f} times the optimum" + (", and none its bound" if kept else ""))
