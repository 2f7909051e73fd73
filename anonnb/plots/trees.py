"""Pictures of trees with their counts, and the three routes from a table to a published tree."""

from __future__ import annotations

import re

import pandas as pd
from matplotlib.axes import Axes

from anonnb.plots.parts.graphs import Look, draw_box, draw_key, key_size
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.layers import PAD
from anonnb.plots.parts.texts import POINTS, clip, fitted, text_size
from anonnb.plots.style import GREY, PALETTE, RED, WIDEST, Style, axes, bare, below, finding, line_look
from anonnb.trees.published_trees import MinedTree
from anonnb.trees.tree import Node, Tree

MAX_LEAVES = 24
MAX_CONDITION = 600  # letters; a condition lists values, and no list that a person could read is longer
_APART, _INDENT = 0.06, 0.34  # inches between boxes, and of an indented line
_TITLE = 0.34  # inches above the boxes


# ---- trees -----------------------------------------------------------------------------------------------------------


def tree(data: Tree | MinedTree, ax: Axes | None = None, *, k: int | None = None, title: str = "") -> Axes:
    """Draw a tree as an outline: each box has its condition and counts, in the colour of the predicted class.

    Every level is indented, so that conditions of any length fit. Hidden counts are dashed.

    Parameters
    ----------
    k:
        Give boxes with fewer than k people a thick red frame.
    title:
        The title, which needs room above the boxes: give it here, not to the Axes.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.trees import grow
    >>> tree(grow(load("survey"), max_leaves=3), title="Three leaves").get_title()
    'Three leaves'
    """
    drawn = data.tree if isinstance(data, MinedTree) else data
    if drawn is None:
        raise ValueError("this release has no tree to draw: all of it is hidden")
    if len(drawn.leaves) > MAX_LEAVES:
        raise ValueError(
            f"a tree of {len(drawn.leaves)} leaves is too large to read; grow it with max_leaves={MAX_LEAVES}"
        )
    made = _Picture(drawn, k)
    key = list(dict.fromkeys(look for look in made.looks.values() if look.label)) + made.marks()
    needed, below = key_size(key, WIDEST - 0.2)
    width = max(made.width, needed, min(text_size(clip(title), POINTS + 1, bold=True)[0], WIDEST - 0.2))
    ax = bare(axes(ax, size=(width + 0.15, made.height + below + 0.15 + _TITLE * bool(title))))
    for node in drawn.nodes:
        for child in node.children:
            ax.plot(*zip(*made.elbow(node, child), strict=True), color=GREY, linewidth=1.0, zorder=1)
        box = made.size[node.number]
        text = "\n".join(made.texts[node.number])
        draw_box(
            ax, made.middle(node), box, text, made.looks[node.number], bold=made.texts[node.number][0].count("\n") + 1
        )
    draw_key(ax, key, WIDEST - 0.2, made.height)
    ax.set(xlim=(-0.02, width + 0.02), ylim=(made.height + below + 0.02, -0.02), aspect="equal", title=clip(title))
    return ax


class _Picture:
    """Positions, in inches, and styles of the boxes of a tree."""

    def __init__(self, drawn: Tree, k: int | None):
        self.drawn, self.k = drawn, k
        self.hidden = set(getattr(drawn, "hidden", ()))
        self.looks = {node.number: self._look(node) for node in drawn.nodes}
        self.texts = {n.number: self._texts(n, WIDEST - 0.2 - _INDENT * n.depth) for n in drawn.nodes}
        self.size = {number: self._box(*texts) for number, texts in self.texts.items()}
        self.left = {n.number: _INDENT * n.depth for n in drawn.nodes}
        self.y, top = {}, 0.0
        for node in drawn.nodes:
            high = self.size[node.number][1]
            self.y[node.number] = top + high / 2
            top += high + _APART
        self.width = max(self.left[n.number] + self.size[n.number][0] for n in drawn.nodes)
        self.height = max(self.y[n.number] + self.size[n.number][1] / 2 for n in drawn.nodes)

    def _words(self, node: Node) -> tuple[str, str]:
        # the text of a tree's line without its indentation: condition and counts
        counts = self.drawn._summary(node).replace("(", "· ").replace(")", "")
        return node.condition or "all rows", re.sub(
            r"(?<![\w.])\d{4,}(?![\w.])", lambda match: f"{int(match[0]):,}", counts
        )

    def _texts(self, node: Node, width: float) -> tuple[str, str]:
        condition, counts = self._words(node)
        return fitted(condition, width - 2 * PAD, bold=True, most=MAX_CONDITION), fitted(
            counts, width - 2 * PAD, most=MAX_CONDITION
        )

    def _box(self, condition: str, counts: str) -> tuple[float, float]:
        (one, high), (two, low) = text_size(condition, bold=True), text_size(counts)
        return max(one, two) + 2 * PAD, high + low + 1.2 * PAD

    def middle(self, node: Node) -> tuple[float, float]:
        return self.left[node.number] + self.size[node.number][0] / 2, self.y[node.number]

    def elbow(self, node: Node, child: Node) -> list[tuple[float, float]]:
        """Return the line from a box to one of its children."""
        x, low = self.left[node.number] + 0.16, self.y[child.number]
        return [(x, self.y[node.number]), (x, low), (self.left[child.number], low)]

    def _is_small(self, node: Node) -> bool:
        return self.k is not None and node.number not in self.hidden and 0 < len(node.rows) < self.k

    def _look(self, node: Node) -> Look:
        hidden, small = node.number in self.hidden, self._is_small(node)
        colour, label = GREY, ""
        if not self.drawn.is_regression and not hidden:
            value = str(self.drawn.value(node))
            colour, label = (
                PALETTE[self.drawn.target.labels.index(value) % len(PALETTE)],
                clip(f"predicts {value}"),
            )
        # pale fills of more than two classes look alike: the frame has the full colour then
        many = bool(label) and len(self.drawn.target.labels) > 2
        frame, width = (RED, 2.2) if small else (colour, 1.6) if many else (GREY, 0.9)
        return Look(frame, "--" if hidden else "-", width, "" if small else label, "", label != "", colour)

    def marks(self) -> list[Look]:
        """Return what else the key must explain."""
        extra = []
        if any(map(self._is_small, self.drawn.nodes)):
            extra.append(Look(RED, width=2.2, label=f"fewer than {self.k} people"))
        if self.hidden:
            extra.append(Look(GREY, "--", 0.9, "count not published"))
        return extra


# ---- the three routes ------------------------------------------------------------------------------------------------


def routes(frame: pd.DataFrame, ax: Axes | None = None, *, value: str = "accuracy") -> Axes:
    """Draw what each route loses of a value against k, in points below the best of all; k on a log scale.

    Parameters
    ----------
    frame:
        A frame with the columns route, k and the value.

    Examples
    --------
    >>> frame = pd.DataFrame({"route": ["A", "B"], "k": 5, "accuracy": [0.8, 0.7]})
    >>> routes(frame).get_title()
    'The most is lost by B: 10.0 points at k = 5'
    """
    ax = axes(ax, size=(7.0, 3.6))
    means = frame.groupby(["route", "k"], sort=False)[value].mean().reset_index()
    best = means[value].max()
    for number, (route, part) in enumerate(means.groupby("route", sort=False)):
        ax.plot(part["k"], 100 * (best - part[value]), label=clip(route), **line_look(number))
    ax.set_xscale("log")
    ax.set_xticks(sorted(means["k"].unique()), [str(k) for k in sorted(means["k"].unique())])
    ax.minorticks_off()
    what = {"accuracy": "accuracy on held-out rows"}.get(value, clip(value))
    ax.set(xlabel="k (log scale)", ylabel=f"{what},\npoints below the best ({100 * best:.1f} %)", ylim=(0, None))
    worst = means.loc[means[value].idxmin()]
    lost = 100 * (best - worst[value])
    return finding(name_lines(ax), f"The most is lost by {worst['route']}: {lost:.1f} points at k = {worst['k']:g}")


def route_differences(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Draw how far each route is ahead of the unprotected tree, in points, with 95 % intervals and a mark per k.

    ``frame`` comes from ``experiments.three_routes.differences``. A filled mark has an interval that does not hold 0.

    Parameters
    ----------
    frame:
        A frame with the columns k, route, difference, low and high.

    Examples
    --------
    >>> frame = pd.DataFrame({"k": 5, "route": ["A"], "difference": -0.1, "low": -0.2, "high": -0.01})
    >>> " ".join(route_differences(frame).get_xlabel().split())
    'accuracy, points above the unprotected tree (filled: the 95 % interval does not hold 0)'
    """
    names, ks = list(dict.fromkeys(frame["route"])), sorted(frame["k"].unique())
    ax = axes(ax, size=(7.0, 1.5 + 0.17 * len(names) * (len(ks) + 1)))
    apart = (frame["low"] > 0) | (frame["high"] < 0)
    for number, k in enumerate(ks):
        part, sure = frame[frame["k"] == k], apart[frame["k"] == k]
        positions = part["route"].map(names.index) + (number - (len(ks) - 1) / 2) / (len(ks) + 1)
        style: Style = line_look(number) | {"linestyle": "none"}
        ax.hlines(positions, 100 * part["low"], 100 * part["high"], color=style["color"], linewidth=1.2)
        ax.plot(100 * part["difference"], positions, **style, markerfacecolor="white", label=f"k = {k:g}")
        ax.plot(100 * part["difference"][sure], positions[sure], **style)
    ax.axvline(0, color=GREY, linewidth=1)
    ax.set_yticks(range(len(names)), [fitted(name, 2.0) for name in names])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="accuracy, points above the unprotected tree\n(filled: the 95 % interval does not hold 0)")
    worse = int((frame["high"] < 0).sum())
    return below(finding(ax, f"{worse} of {len(frame)} differences to the unprotected tree lie below 0 beyond chance"))
