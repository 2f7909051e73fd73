"""Pictures of mined results: trees with their counts, itemsets with what follows from them, and the three routes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch

from anonnb.plots.style import GREY, PALETTE, RED, axes, shown
from anonnb.rules.association.channels import Channel, Supports, channels, undominated
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.trees.growing import Node, Tree
from anonnb.trees.published_trees import MinedTree

MOST_LEAVES, MOST_ITEMSETS = 24, 40
_LETTER, _LINE = 0.074, 0.52  # inches that a letter and a line of boxes take


# ---- trees -----------------------------------------------------------------------------------------------------------


def tree(data: Tree | MinedTree, ax: Axes | None = None, *, k: int | None = None) -> Axes:
    """A tree from left to right: each box has its condition and its counts, its colour is the predicted class.

    Hidden counts are dashed. With ``k``, boxes with fewer than k people have a red frame.
    """
    drawn = data.tree if isinstance(data, MinedTree) else data
    if len(drawn.leaves) > MOST_LEAVES:
        raise ValueError(
            f"a tree of {len(drawn.leaves)} leaves is too large to read; grow it with max_leaves={MOST_LEAVES}"
        )
    texts = {node.number: _box_text(drawn, node) for node in drawn.nodes}
    widths = [
        max(_LETTER * max(map(len, texts[node.number])) + 0.25 for node in drawn.nodes if node.depth == depth)
        for depth in range(1 + max(node.depth for node in drawn.nodes))
    ]
    left = [sum(widths[:depth]) + 0.45 * depth for depth in range(len(widths))]
    heights = _heights(drawn)
    ax = axes(ax, size=(left[-1] + widths[-1] + 0.2, _LINE * len(drawn.leaves) + 0.5))
    for node in drawn.nodes:
        for child in node.children:
            start, end = left[node.depth] + widths[node.depth], left[child.depth]
            ys = [heights[node.number]] * 2 + [heights[child.number]] * 2
            ax.plot([start, end - 0.22, end - 0.22, end], ys, color=GREY, linewidth=0.9, zorder=1)
        _draw_box(ax, drawn, node, texts[node.number], (left[node.depth], heights[node.number]), widths[node.depth], k)
    ax.set_xlim(-0.1, left[-1] + widths[-1] + 0.1)
    ax.set_ylim(-_LINE * 0.6, _LINE * (len(drawn.leaves) - 0.4))
    ax.axis("off")
    _tree_legend(ax, drawn, k)
    return ax


def _heights(drawn: Tree) -> dict[int, float]:
    """Leaves one below the other; an inner node stands in the middle of its children."""
    found = {leaf.number: _LINE * place for place, leaf in enumerate(reversed(drawn.leaves))}
    for node in reversed(drawn.nodes):
        if node.children:
            found[node.number] = sum(found[child.number] for child in node.children) / len(node.children)
    return found


def _box_text(drawn: Tree, node: Node) -> tuple[str, str]:
    # the text of a tree's line without its indentation: condition and counts
    counts = drawn._summary(node).replace("(", "· ").replace(")", "")
    return shown(node.condition or "all rows", 38), shown(counts)


def _draw_box(
    ax: Axes, drawn: Tree, node: Node, text: Sequence[str], place: tuple[float, float], width: float, k: int | None
) -> None:
    hidden = node.number in getattr(drawn, "hidden", ())
    small = k is not None and not hidden and 0 < len(node.rows) < k
    color = "white"
    if not drawn.is_regression and not hidden:
        color = PALETTE[drawn.target.labels.index(str(drawn.value(node))) % len(PALETTE)]
    look = {"linestyle": "--" if hidden else "-", "linewidth": 2 if small else 0.9}
    for face, edge, order in (("white", "none", 2), ((*to_rgb(color), 0.22), RED if small else GREY, 3)):
        box = FancyBboxPatch(
            (place[0], place[1] - 0.19), width, 0.38, boxstyle="round,pad=0,rounding_size=0.06", **look
        )
        box.set(facecolor=face, edgecolor=edge, zorder=order)  # white below the tint hides the lines behind
        ax.add_patch(box)
    middle = place[0] + width / 2
    ax.text(middle, place[1] + 0.075, text[0], ha="center", va="center", fontsize=8.5, weight="bold", zorder=4)
    ax.text(middle, place[1] - 0.085, text[1], ha="center", va="center", fontsize=8, zorder=4)


def _tree_legend(ax: Axes, drawn: Tree, k: int | None) -> None:
    handles = []
    if not drawn.is_regression:
        used = {str(drawn.value(node)) for node in drawn.nodes}
        handles = [
            Line2D(
                [],
                [],
                linestyle="",
                marker="s",
                markersize=9,
                color=(*to_rgb(PALETTE[place % 8]), 0.35),
                label=shown(label),
            )
            for place, label in enumerate(f"predicts {label}" for label in drawn.target.labels)
            if drawn.target.labels[place] in used
        ]
    if k is not None and any(0 < len(n.rows) < k and n.number not in getattr(drawn, "hidden", ()) for n in drawn.nodes):
        handles.append(Line2D([], [], color=RED, linewidth=2, label=f"fewer than {k} people"))
    if getattr(drawn, "hidden", ()):
        handles.append(Line2D([], [], color=GREY, linestyle="--", label="count not published"))
    if handles:
        ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(0, 0), ncols=4, frameon=False, fontsize=8.5)


# ---- itemsets --------------------------------------------------------------------------------------------------------


def itemset_lattice(
    data: MinedItemsets | Supports | Mapping,
    ax: Axes | None = None,
    *,
    k: int | None = None,
    before: Mapping | None = None,
) -> Axes:
    """Itemsets by size, the empty one below, with their counts; red arrows from I to J are channels below ``k``.

    ``before``: counts before sanitization; where they differ, both are shown.
    """
    counts = data.counts() if isinstance(data, MinedItemsets) else data
    if isinstance(counts, Supports):
        counts = {counts.set_of(bits): count for bits, count in counts.counts.items()}
    counts = {frozenset(part): count for part, count in counts.items()}
    if len(counts) > MOST_ITEMSETS:
        raise ValueError(f"{len(counts)} itemsets are too many to read; draw {MOST_ITEMSETS} or fewer")
    names = {
        part: shown(", ".join(getattr(item, "value", str(item)) for item in sorted(part)) or "{ }") for part in counts
    }
    levels = [[part for part in counts if len(part) == size] for size in range(1 + max(map(len, counts)))]
    step = max(max(len(name) for name in names.values()) * 0.085, 0.9) + 0.35
    places = {}
    for height, level in enumerate(levels):
        for number, part in enumerate(sorted(level, key=lambda part: sorted(part))):
            places[part] = ((number - (len(level) - 1) / 2) * step, height * 1.15)
    wide = step * max(map(len, levels))
    ax = axes(ax, size=(max(wide + 0.6, 5.0), 1.15 * len(levels) + 0.5))
    for small in counts:
        for large in counts:
            if small < large and len(large) == len(small) + 1:
                ax.plot(*zip(places[small], places[large], strict=True), color=GREY, alpha=0.5, linewidth=0.7, zorder=1)
    found = undominated(channels(Supports(counts), k)) if k is not None else []
    for part, (x, y) in places.items():
        _draw_itemset(ax, names[part], _count_text(part, counts, before or counts), (x, y), found, part)
    for channel in found:
        _draw_channel(ax, channel, places)
    ax.set_xlim(-wide / 2 - 0.2, wide / 2 + 0.2)
    ax.set_ylim(-0.45, (len(levels) - 1) * 1.15 + 0.45)
    ax.axis("off")
    return ax


def _count_text(part: frozenset, counts: Mapping, before: Mapping) -> str:
    old = before.get(part, counts[part])
    return str(counts[part]) if old == counts[part] else f"{old} → {counts[part]}"


def _draw_itemset(
    ax: Axes, name: str, count: str, place: tuple[float, float], found: list[Channel], part: frozenset
) -> None:
    ends = any(part in (channel.having, channel.whole) for channel in found)
    ax.text(
        *place,
        f"{name}\n{count}",
        ha="center",
        va="center",
        fontsize=9,
        zorder=3,
        weight="bold" if "→" in count else "normal",
        bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": RED if ends else GREY, "linewidth": 0.9},
    )


def _draw_channel(ax: Axes, channel: Channel, places: Mapping) -> None:
    start, end = places[channel.having], places[channel.whole]
    if start == end:
        ax.annotate(
            f"only {channel.count}", start, (0, -22), textcoords="offset points", ha="center", color=RED, fontsize=8.5
        )
        return
    ax.annotate(
        "",
        end,
        start,
        zorder=2,
        arrowprops={
            "arrowstyle": "->",
            "color": RED,
            "linewidth": 1.6,
            "connectionstyle": "arc3,rad=0.25",
            "shrinkA": 16,
            "shrinkB": 16,
        },
    )
    # the middle of the curve lies a quarter of its rise beside the straight line
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 + 0.125 * dy, (start[1] + end[1]) / 2 - 0.125 * dx)
    box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    ax.text(
        *middle, str(channel.count), color=RED, weight="bold", fontsize=10, ha="center", va="center", bbox=box, zorder=4
    )


# ---- the three routes ------------------------------------------------------------------------------------------------


def routes(frame: pd.DataFrame, ax: Axes | None = None, *, value: str = "accuracy") -> Axes:
    """A value of the comparison of routes (accuracy, say) against k, a line per route; k on a logarithmic scale."""
    ax = axes(ax, size=(7.2, 3.8))
    means = frame.groupby(["route", "k"], sort=False)[value].mean().reset_index()
    for number, (route, part) in enumerate(means.groupby("route", sort=False)):
        style = "--" if number == 0 else "-"
        ax.plot(
            part["k"],
            part[value],
            marker="osD^vP"[number % 6],
            linestyle=style,
            color=PALETTE[number % 8],
            label=shown(route),
        )
    ax.set_xscale("log")
    ax.set_xticks(sorted(means["k"].unique()), [str(k) for k in sorted(means["k"].unique())])
    ax.minorticks_off()
    ax.set_xlabel("k")
    ax.set_ylabel({"accuracy": "accuracy on held-out rows"}.get(value, shown(value)))
    ax.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax
