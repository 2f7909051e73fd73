"""Plots of Chase and its protection: the inference graph of one object, and sweeps over the confidence threshold."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch

from anonnb.methods.chase_protection.chase_protection import ObjectSearch
from anonnb.plots.style import BLUE, GREEN, GREY, ORANGE, RED, axes, shown
from anonnb.rules.incomplete.knowledge import Knowledge
from anonnb.tables.incomplete_cells import weight_text
from anonnb.tables.incomplete_table import IncompleteTable


def inference_graph(found: ObjectSearch, ax: Axes | None = None, *, show_hidden: bool = True) -> Axes:
    """Values of one object (left), rules (middle) and the values they derive (right), from ``search_object``.

    Boxes on the left with a dashed red frame get hidden, with all rules that need them; the number beside a derived
    value is its weight in the closure of everything visible (``show_hidden=True``) or of what is kept (False).
    """
    graph = _Graph(found, show_hidden)
    rows = max(len(graph.left), len(graph.rules), len(graph.right))
    ax = axes(ax, size=(9.0, 0.52 * rows + 0.9))
    heights = {kind: np.linspace(1, 0, len(part) + 2)[1:-1] for kind, part in graph.columns().items()}
    for item, y in zip(graph.left, heights["left"], strict=True):
        _box(
            ax,
            0.2,
            y,
            graph.visible_text(item),
            RED if graph.is_hidden(item) else BLUE,
            dashed=graph.is_hidden(item),
            side="right",
        )
        graph.at["left", item] = y
    for item, y in zip(graph.right, heights["right"], strict=True):
        _box(ax, 1.8, y, graph.derived_text(item), graph.color(item), side="left")
        graph.at["right", item] = y
    for rule, y in zip(graph.rules, heights["rules"], strict=True):
        _rule(ax, graph, rule, y)
    for x, title in ((0.1, "visible values"), (1, "rules"), (1.9, "derived values")):
        ax.text(x, 1.04, title, ha="center", va="bottom", fontsize="medium", color="black", fontweight="bold")
    ax.text(1, -0.03, "dashed red: gets hidden     orange: the secret", ha="center", va="top", fontsize="small")
    ax.set(xlim=(-0.1, 2.1), ylim=(-0.08, 1.1))
    ax.axis("off")
    return ax


class _Graph:
    """Which items and rules are drawn, and where."""

    def __init__(self, found: ObjectSearch, show_hidden: bool):
        self.found, self.show_hidden = found, show_hidden
        know = self.knowledge = found.knowledge
        self.weights = found.weights
        hidden = np.isin(know.owner, [know.names.index(name) for name in found.hidden])
        self.closure = know.closure(self.weights[None, :] * (show_hidden | ~hidden), found.threshold)[0]
        order = sorted(range(len(know.items)), key=lambda item: (know.owner[item], know.items[item][1]))
        self.left = [item for item in order if self.weights[item] > 0]
        self.rules = [rule for rule in range(len(know)) if self._applies(know, rule)]
        concluded = {int(know.concludes[rule]) for rule in self.rules}
        self.right = [item for item in order if item in concluded]
        self.at: dict[tuple[str, int], float] = {}

    def _applies(self, know: Knowledge, rule: int) -> bool:
        return bool((self.closure[know.premises[rule]] > 0).all())

    def columns(self) -> dict[str, list[int]]:
        return {"left": self.left, "rules": self.rules, "right": self.right}

    def is_hidden(self, item: int) -> bool:
        return self.knowledge.items[item][0] in self.found.hidden

    def is_secret(self, item: int) -> bool:
        return self.knowledge.items[item][0] in self.found.secret

    def color(self, item: int) -> str:
        return ORANGE if self.is_secret(item) else GREEN

    def label(self, item: int) -> str:
        return self.found.labels[item]

    def visible_text(self, item: int) -> str:
        weight = self.weights[item]
        return self.label(item) + (f"  {weight_text(weight)}" if weight < 1 else "")

    def derived_text(self, item: int) -> str:
        return f"{self.label(item)}  {weight_text(self.closure[item])}"


def _rule(ax: Axes, graph: _Graph, rule: int, y: float) -> None:
    """A rule in the middle with lines from its premise and an arrow to its conclusion."""
    know = graph.knowledge
    end = int(know.concludes[rule])
    color = ORANGE if graph.is_secret(end) else GREY
    sure = know.confidence[rule]
    premise = " · ".join(graph.label(int(item)) for item in know.premises[rule])
    _box(
        ax,
        1.0,
        y,
        f"{premise} → {graph.label(end)}" + (f"  ({weight_text(sure)})" if sure < 1 else ""),
        color,
        thin=True,
    )
    for item in know.premises[rule]:
        start = graph.at.get(("left", int(item)))
        if start is not None:
            style = ":" if graph.is_hidden(int(item)) else "-"
            line_color = RED if graph.is_hidden(int(item)) else BLUE
            ax.plot([0.2, 1.0], [start, y], color=line_color, linewidth=0.9, alpha=0.55, linestyle=style, zorder=1)
    arrow = FancyArrowPatch(
        (1.0, y),
        (1.765, graph.at["right", end]),
        arrowstyle="-|>",
        mutation_scale=9,
        color=color,
        linewidth=1,
        zorder=1,
    )
    ax.add_patch(arrow)


def _box(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    color: str,
    *,
    dashed: bool = False,
    thin: bool = False,
    side: str = "center",
) -> None:
    frame = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": color}
    frame |= {"linestyle": "--" if dashed else "-", "linewidth": 0.9 if thin else 1.8}
    ax.text(x, y, shown(text), ha=side, va="center", fontsize="medium" if not thin else "small", bbox=frame, zorder=3)


def incompleteness(system: IncompleteTable, ax: Axes | None = None) -> Axes:
    """Per attribute the shares of exact, partly known and unknown cells."""
    shares = system.incompleteness()[["exact", "partly", "unknown"]].iloc[::-1] * 100
    ax = axes(ax, size=(7.0, 0.36 * len(shares) + 1.2))
    before = np.zeros(len(shares))
    for name, color in zip(shares.columns, (BLUE, ORANGE, "#DDDDDD"), strict=True):
        ax.barh(np.arange(len(shares)), shares[name], left=before, color=color, label=name)
        before = before + shares[name].to_numpy()
    ax.set_yticks(np.arange(len(shares)), map(shown, shares.index))
    ax.set(xlabel="cells (%)", xlim=(0, 100))
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax


def hidden_by_confidence(draws: pd.DataFrame, paper: float | None = None, ax: Axes | None = None) -> Axes:
    """The share of hidden cells against the confidence threshold, a dot per draw; ``paper`` is a dotted line."""
    ax = axes(ax)
    means = draws.groupby("min_confidence")["hidden_share"].mean()
    ax.plot(draws["min_confidence"], 100 * draws["hidden_share"], "o", color=BLUE, alpha=0.45, markersize=4)
    ax.plot(means.index, 100 * means, color=BLUE, label="ours: mean of the draws")
    if paper is not None:
        ax.axhline(100 * paper, color="black", linestyle=":", linewidth=1, label=f"paper: {paper:.2%}")
    ax.invert_xaxis()
    ax.set(xlabel="confidence threshold of the rules (falling)", ylabel="hidden cells (%)", ylim=(0, None))
    ax.legend(frameon=False, loc="upper left")
    return ax


def before_after(draws: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Incomes that Chase fills in, right and wrong, before and after protection, per confidence threshold."""
    ax = axes(ax)
    means = draws.groupby("min_confidence").mean().sort_index(ascending=False)
    places = np.arange(len(means))
    wrong = means["revealed_before"] - means["right_before"]
    ax.bar(places - 0.2, means["right_before"], width=0.36, color=ORANGE, label="before: right")
    ax.bar(places - 0.2, wrong, width=0.36, bottom=means["right_before"], color="#F6DDA8", label="before: wrong")
    ax.bar(places + 0.2, means["revealed_after"], width=0.36, color=GREEN, label="after")
    for place, value in zip(places, means["revealed_after"], strict=True):
        ax.text(place + 0.2, value + 8, f"{value:,.0f}", ha="center", fontsize="small", color=GREEN)
    ax.set_xticks(places, [f"{value:g}" for value in means.index])
    ax.set(xlabel="confidence threshold of the rules (falling)", ylabel="incomes filled in, of 1,000")
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax
