"""Plots of Chase and its protection: the inference graph of one object, and sweeps over the confidence threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.methods.chase_protection.chase_protection import ObjectSearch
from anonnb.plots.parts.graphs import Look, draw_graph
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.layers import DrawnEdge, DrawnNode
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALE,
    RED,
    Style,
    axes,
    below,
    fill_look,
    finding,
    readable,
    tint,
)
from anonnb.tables.incomplete_table import IncompleteTable
from anonnb.tables.weighted_column import EPSILON, weight_text

MAX_WHOLE = 5  # attributes without a gap that have a bar of their own


def inference_graph(search: ObjectSearch, ax: Axes | None = None, *, show_hidden: bool = True) -> Axes:
    """Draw the values of one object (left), the rules and the values they derive, in the order of inference.

    Values with a dashed frame and a cross are hidden, with all rules that need them.

    Parameters
    ----------
    show_hidden:
        Whether the number beside a derived value is its weight in the closure of everything visible (True) or of what
        is kept (False).

    Examples
    --------
    >>> from anonnb.methods.chase_protection.chase_protection import search_object
    >>> from anonnb.rules import implies
    >>> from anonnb.tables.incomplete_table import IncompleteTable
    >>> system = IncompleteTable.from_frame(pd.DataFrame({"job": ["judge"], "pay": ["high"]}))
    >>> search = search_object(system, [implies({"job": "judge"}, {"pay": "high"})], "pay")
    >>> any("judge" in text.get_text() for text in inference_graph(search).texts)
    True
    """
    graph = _Graph(search, show_hidden)
    nodes, edges = graph.nodes(), graph.edges()
    headings = ["visible values"] + ["rules", "derived values"] * (max(node.layer or 0 for node in nodes) // 2)
    return draw_graph(nodes, edges, _LOOKS, headings=headings, ax=ax)


_LOOKS = {
    "visible": Look(BLUE, label="visible"),
    "lost": Look(RED, "--", 1.6, "gets hidden, and what rests on it", "×"),
    "rule": Look(GREY),
    "derived": Look(GREEN, label="derived", filled=True),
    "secret": Look(ORANGE, width=2.4, label="the secret, and what derives it", mark="!", filled=True),
    "from visible": Look(BLUE),
    "to derived": Look(GREY),
    "to secret": Look(ORANGE, width=2.0),
}


class _Graph:
    """Items and rules to draw, by layer: what is visible, the rules, what they derive, and so on."""

    def __init__(self, search: ObjectSearch, show_hidden: bool):
        self.search, self.show_hidden = search, show_hidden
        know = self.knowledge = search.knowledge
        self.weights = search.weights
        hidden = np.isin(know.owner, [know.names.index(name) for name in search.hidden])
        self.closure = know.closure(self.weights[None, :] * (show_hidden | ~hidden), search.threshold)[0]
        order = sorted(range(len(know.items)), key=lambda item: (know.owner[item], know.items[item][1]))
        self.visible = [item for item in order if self.weights[item] > 0]
        self.rules = [rule for rule in range(len(know)) if (self.closure[know.premises[rule]] > 0).all()]
        concluded = {int(know.concludes[rule]) for rule in self.rules}
        self.derived = [item for item in order if item in concluded]
        self._stage = self._stages()

    def _stages(self) -> dict[int, int]:
        """Return the first round of inference in which each item is known; visible items are known from the start."""
        stage = dict.fromkeys(self.visible, 0)
        for _ in self.rules:
            for rule in self.rules:
                premises = [int(item) for item in self.knowledge.premises[rule]]
                if all(item in stage for item in premises):
                    reached = 1 + max((stage[item] for item in premises), default=0)
                    end = int(self.knowledge.concludes[rule])
                    stage[end] = min(stage.get(end, reached), reached)
        return stage

    def _round(self, rule: int) -> int:
        return max((self._stage.get(int(item), 0) for item in self.knowledge.premises[rule]), default=0)

    def nodes(self) -> list[DrawnNode]:
        know = self.knowledge
        made = [
            DrawnNode(("value", item), self._weighted(item, self.weights[item]), self._status(item), 0)
            for item in self.visible
        ]
        for rule in self.rules:
            status = "lost" if self._is_lost(rule) else "secret" if self._is_secret(know.concludes[rule]) else "rule"
            made.append(DrawnNode(("rule", rule), self._rule_text(rule), status, 2 * self._round(rule) + 1))
        for item in self.derived:
            first = min(self._round(rule) for rule in self.rules if know.concludes[rule] == item)
            status = "secret" if self._is_secret(item) else "derived"
            text = clip(f"{self.search.labels[item]}  {weight_text(self.closure[item])}")
            made.append(DrawnNode(("derived", item), text, status, 2 * first + 2))
        return made

    def edges(self) -> list[DrawnEdge]:
        made = []
        for rule in self.rules:
            for item in map(int, self.knowledge.premises[rule]):
                source = "value" if self.weights[item] > 0 else "derived"
                made.append(
                    DrawnEdge((source, item), ("rule", rule), "", "lost" if self._is_hidden(item) else "from visible")
                )
            end = int(self.knowledge.concludes[rule])
            made.append(
                DrawnEdge(("rule", rule), ("derived", end), "", "to secret" if self._is_secret(end) else "to derived")
            )
        return made

    def _is_hidden(self, item: int) -> bool:
        return self.knowledge.items[item][0] in self.search.hidden

    def _is_secret(self, item: int) -> bool:
        return self.knowledge.items[int(item)][0] in self.search.secret

    def _is_lost(self, rule: int) -> bool:
        return any(self._is_hidden(int(item)) for item in self.knowledge.premises[rule])

    def _status(self, item: int) -> str:
        return "lost" if self._is_hidden(item) else "visible"

    def _weighted(self, item: int, weight: float) -> str:
        return clip(self.search.labels[item] + (f"  {weight_text(weight)}" if weight < 1 else ""))

    def _rule_text(self, rule: int) -> str:
        know, sure = self.knowledge, self.knowledge.confidence[rule]
        premise = " · ".join(self.search.labels[int(item)] for item in know.premises[rule])
        text = f"{premise} → {self.search.labels[int(know.concludes[rule])]}"
        return clip(text + (f"  ({weight_text(sure)})" if sure < 1 else ""))


def incompleteness(system: IncompleteTable, ax: Axes | None = None) -> Axes:
    """Draw the shares of exact, partly known and unknown cells per attribute, without kinds that do not occur.

    If more than five attributes are known exactly, one bar stands for all of them.

    >>> from anonnb.tables.incomplete_table import IncompleteTable
    >>> system = IncompleteTable.from_frame(pd.DataFrame({"a": ["a1 2/3 | a2 1/3", "a2"], "b": ["b1", None]}))
    >>> [label.get_text() for label in incompleteness(system).get_yticklabels()]
    ['b', 'a']
    """
    shares = system.incompleteness()[["exact", "partly", "unknown"]].iloc[::-1] * 100
    average, whole = shares["exact"].mean(), shares["exact"] == 100
    if whole.sum() > MAX_WHOLE:
        shares = pd.concat([shares[whole].iloc[:1].set_axis([f"the other {whole.sum()}"]), shares[~whole]])
    ax = axes(ax, size=(6.4, 0.32 * len(shares) + 1.2))
    before = np.zeros(len(shares))
    styles = {
        "exact": fill_look(0),
        "partly": fill_look(1),
        "unknown": fill_look(3) | {"facecolor": PALE, "edgecolor": GREY},
    }
    names = {"exact": "exact", "partly": "partly known", "unknown": "unknown"}
    for name in shares.columns:
        label = names[name] if shares[name].any() else None
        ax.barh(np.arange(len(shares)), shares[name], left=before, label=label, **styles[name])
        before = before + shares[name].to_numpy()
    ax.set_yticks(np.arange(len(shares)), map(clip, shares.index))
    ax.set(xlabel="cells (%)", xlim=(0, 100))
    ax.grid(axis="y", visible=False)
    finding(ax, f"{average:.0f} % of all cells are known exactly")
    return below(ax)


def weighted_cells(system: IncompleteTable, ax: Axes | None = None) -> Axes:
    """Draw every cell of a small incomplete table as a bar divided among its possible values; unknown is hatched.

    Exact cells are dark, and a value's part of a cell is as wide as its weight.

    >>> from anonnb.tables.incomplete_table import IncompleteTable
    >>> system = IncompleteTable.from_frame(pd.DataFrame({"a": ["a1 2/3 | a2 1/3", "a2"], "b": ["b1", None]}))
    >>> " ".join(weighted_cells(system).get_title().split())
    'Cells: 2 exact, 1 partly known, 1 unknown'
    """
    names = system.names
    ax = axes(ax, size=(min(6.8, 1.0 + 0.95 * len(names)), 0.36 * len(system) + 1.1))
    kinds = system.incompleteness()[["exact", "partly", "unknown"]].mean() if len(system) else None
    for index, name in enumerate(names):
        column = system.column(name)
        labels, weights = column.attribute.labels, column.set_weights()[column.column.index]
        for row in range(len(system)):
            _draw_cell(ax, index, row, labels, weights[row])
    ax.set_xticks(np.arange(len(names)) + 0.5, map(clip, names))
    ax.set_yticks(np.arange(len(system)) + 0.5, map(clip, system.index))
    ax.set(xlim=(0, len(names)), ylim=(len(system), 0))
    ax.xaxis.tick_top()
    ax.grid(False)
    ax.spines[:].set_visible(False)
    if kinds is None:
        return ax
    many = (kinds * len(system) * len(names)).round().astype(int)
    return finding(ax, f"Cells: {many['exact']} exact, {many['partly']} partly known, {many['unknown']} unknown")


def _draw_cell(ax: Axes, index: int, row: int, labels: Sequence[str], weights: np.ndarray) -> None:
    """Draw one cell with a part for each possible value, in the order of the domain."""
    box: Style = {"bottom": row + 0.08, "height": 0.84, "align": "edge", "linewidth": 1.2}
    width, left = 0.94, index + 0.03
    if not weights.any():
        ax.bar(left, width=width, **box | fill_look(3) | {"facecolor": "white", "edgecolor": PALE})
        return
    for code in np.flatnonzero(weights).tolist():
        part = float(weights[code]) * width
        colour = tint(BLUE, 0.55) if weights[code] > 1 - EPSILON else tint(ORANGE, 0.25 + 0.4 * weights[code])
        ax.bar(left, width=part, **box, facecolor=colour, edgecolor="white")
        text = fitted(labels[code], part * 0.85, most=12)
        ax.text(left + part / 2, row + 0.5, text, ha="center", va="center", fontsize=SMALL, color=INK)
        left += part


def hidden_by_confidence(draws: pd.DataFrame, paper: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw the share of hidden cells against the confidence threshold, a dot per draw.

    The band reaches from the smallest to the largest draw.

    Parameters
    ----------
    draws:
        A row per draw, with the columns min_confidence and hidden_share.
    paper:
        The paper's value, drawn as a dotted line.

    Examples
    --------
    >>> draws = pd.DataFrame({"min_confidence": [0.9, 0.8], "hidden_share": [0.1, 0.3]})
    >>> hidden_by_confidence(draws).get_xlabel()
    'confidence threshold of the rules (falling)'
    """
    ax = axes(ax)
    spread = 100 * draws.groupby("min_confidence")["hidden_share"].agg(["mean", "min", "max"])
    ax.fill_between(spread.index, spread["min"], spread["max"], color=BLUE, alpha=0.18, linewidth=0)
    ax.plot(draws["min_confidence"], 100 * draws["hidden_share"], "o", color=BLUE, alpha=0.45, markersize=4)
    one = len(draws) == len(spread)
    ax.plot(spread.index, spread["mean"], color=BLUE, label="ours" if one else "ours: mean of the draws")
    if paper is not None:
        ax.axhline(100 * paper, color=INK, linestyle=":", linewidth=1.5)
        position: Style = {"xycoords": ("axes fraction", "data"), "xytext": (0, 3), "textcoords": "offset points"}
        ax.annotate(
            f"paper: {100 * paper:.2f} %", (0.99, 100 * paper), ha="right", fontsize=SMALL, color=INK, **position
        )
    ax.invert_xaxis()
    ax.set(xlabel="confidence threshold of the rules (falling)", ylabel="hidden cells (%)", ylim=(0, None))
    first, last = spread["mean"].iloc[-1], spread["mean"].iloc[0]
    summary = f"As the threshold falls from {spread.index[-1]:g} to {spread.index[0]:g}, hidden cells go from "
    return finding(name_lines(ax), summary + f"{first:.0f} to {last:.0f} %")


def incomes_filled_in(draws: pd.DataFrame, ax: Axes | None = None, *, guess: float | None = None) -> Axes:
    """Draw the incomes that Chase fills in, right and wrong, before and after protection, per threshold.

    Parameters
    ----------
    draws:
        A row per draw, with the columns min_confidence, revealed_before, right_before and revealed_after.
    guess:
        How many a guess of the commonest income gets right, drawn as a line across.

    Examples
    --------
    >>> columns = ["min_confidence", "hidden_share", "revealed_before", "right_before", "revealed_after"]
    >>> draws = pd.DataFrame([(0.9, 0.1, 500, 400, 0), (0.8, 0.3, 900, 600, 0)], columns=columns)
    >>> incomes_filled_in(draws).get_ylabel()
    'incomes filled in, of 1,000'
    """
    ax = axes(ax)
    means = draws.groupby("min_confidence").mean().sort_index(ascending=False)
    positions = np.arange(len(means))
    wrong = means["revealed_before"] - means["right_before"]
    ax.bar(positions - 0.2, means["right_before"], width=0.36, label="before: right", **fill_look(1) | {"hatch": ""})
    ax.bar(
        positions - 0.2,
        wrong,
        width=0.36,
        bottom=means["right_before"],
        label="before: wrong",
        **fill_look(1) | {"facecolor": tint(ORANGE, 0.45), "edgecolor": ORANGE},
    )
    ax.bar(positions + 0.2, means["revealed_after"], width=0.36, label="after", **fill_look(2))
    for position, value in zip(positions, means["revealed_after"], strict=True):
        note: Style = {"xytext": (0, 3), "textcoords": "offset points", "ha": "center", "fontsize": SMALL}
        ax.annotate(f"{value:,.0f}", (position + 0.2, value), color=readable(GREEN), **note)
    ax.set_xticks(positions, [f"{value:g}" for value in means.index])
    ax.set(xlabel="confidence threshold of the rules (falling)", ylabel="incomes filled in, of 1,000")
    ax.grid(axis="x", visible=False)
    highest, left = means["revealed_before"].max(), means["revealed_after"].max()
    after = f"up to {left:,.0f}" if left else "none"
    if guess is not None:
        ax.axhline(guess, color=INK, linestyle=":", linewidth=1, label="a guess for all: right")
    finding(ax, f"Chase fills in up to {highest:,.0f} incomes on average, after protection {after}")
    return below(ax)
