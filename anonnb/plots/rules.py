"""Plots of rule sets: how much of each class is explained, who supports the rules, which rows they cover, boxes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch, Rectangle

from anonnb.plots.parts.labels import cumulative
from anonnb.plots.parts.texts import SMALL, clip, fitted, text_size
from anonnb.plots.style import BLUE, GREY, INK, PALE, PALETTE, Style, axes, below, figure_of, fill_look, finding, tint
from anonnb.rules.induction.mlem2_record import RuleSearch
from anonnb.rules.induction.rule import Rule
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.labels import text
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

FEW_POINTS = 12  # rows that are named


def rule_coverage(rules: RuleSet, table: Table, ax: Axes | None = None) -> Axes:
    """Draw the share of each class that rules explain exactly, the share they explain in part, and the rest.

    A row is explained exactly when the conclusions of all matching rules have one class in common.

    >>> from anonnb import load
    >>> from anonnb.rules import mlem2
    >>> [label.get_text() for label in rule_coverage(mlem2(load("decision6")), load("decision6")).get_yticklabels()]
    ['high (3 rows)', 'low (2 rows)', 'medium (1 rows)']
    """
    left = rules.left_classes(table).sum(axis=1)
    truth = table[table.decision].to_numpy()
    present = [value for value in rules.classes if (truth == value).any()]
    parts = (left == 1, left > 1, left == 0)
    shares = 100 * np.array([[np.mean(part[truth == value]) for part in parts] for value in present]).reshape(-1, 3)
    ax = axes(ax, size=(6.4, 1.4 + 0.34 * len(present)))
    positions, start = np.arange(len(present)), np.zeros(len(present))
    labels = ("exactly: one class left", "in part: several left", "not: no rule, or no class left")
    styles = (fill_look(0), fill_look(1), fill_look(3) | {"facecolor": PALE, "edgecolor": GREY})
    for share, label, style in zip(shares.T, labels, styles, strict=True):
        ax.barh(positions, share, left=start, label=label if share.any() else None, **style)
        start += share
    ax.set_yticks(positions, [f"{clip(text(value))} ({int((truth == value).sum()):,} rows)" for value in present])
    ax.invert_yaxis()
    ax.set(xlabel="rows of the class (%)", ylabel=clip(table.decision), xlim=(0, 100))
    ax.grid(axis="y", visible=False)
    finding(ax, f"{len(rules):,} rules explain {np.mean(left == 1):.0%} of {len(table):,} rows exactly")
    return below(ax)


def support_histogram(rules: RuleSet, k: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the share of rules supported by at most x rows; those left of the k line are not k-anonymous.

    Precise and imprecise rules have a line each if there are both.

    >>> from anonnb import load
    >>> from anonnb.rules import mlem2
    >>> support_histogram(mlem2(load("decision6")), k=2).get_title()
    '3 of 4 rules rest on fewer than 2 rows'
    """
    ax = axes(ax, size=(6.8, 3.4))
    supports = np.array([rule.support for rule in rules])
    imprecise = np.array([rule.is_imprecise for rule in rules], dtype=bool)
    kinds = {"precise": supports[~imprecise], "imprecise": supports[imprecise]}
    drawn = {
        f"{len(counts):,} {name} rules": (counts, np.ones(len(counts))) for name, counts in kinds.items() if len(counts)
    }
    ax.set(xlabel="support of a rule (rows, log scale)", ylabel="rules of at most\nthat support (%)")
    small = int((supports < (k or 2)).sum())
    what = f"fewer than {k} rows" if k is not None else "a single row"
    return finding(cumulative(ax, drawn, k=k), f"{small:,} of {len(supports):,} rules rest on {what}")


def rule_row_matrix(rules: RuleSet, table: Table, ax: Axes | None = None, *, most: int = 40) -> Axes:
    """Draw which rule covers which row, marked by the row's class; rows are sorted by class.

    Parameters
    ----------
    most:
        The most rules to draw, each with its whole text if there is room, otherwise with its number.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.rules import mlem2
    >>> len(rule_row_matrix(mlem2(load("decision6")), load("decision6")).get_yticklabels())
    4
    """
    drawn = rules[:most]
    decision = required_decision(table)
    truth = table.codes(decision)
    order, present = np.argsort(truth, kind="stable"), np.unique(truth)
    names = _rule_names(drawn)
    lines = max(
        (name.count("\n") + 1 for name in names), default=1
    )  # every rule gets the height that the longest takes
    ax = axes(ax, size=(7.0, 1.9 + (0.09 + 0.15 * lines) * len(names)))
    covers = drawn.matches(table)[order].T
    cells = np.where(covers, np.searchsorted(present, truth[order]) + 1, 0)
    colours = [PALETTE[number % len(PALETTE)] for number in range(len(present))]
    shades = ListedColormap(["#F2F2F2", *colours])
    ax.imshow(cells, aspect="auto", interpolation="nearest", cmap=shades, vmin=0, vmax=len(present))
    edges = [0, *(np.flatnonzero(np.diff(truth[order])) + 1), len(order)]
    for edge in edges[1:-1]:
        ax.axvline(edge - 0.5, color=INK, linewidth=0.8)
    ax.grid(False)
    labels = [clip(table.attributes[decision].labels[code]) for code in present]
    named = len(table) > 12 and _name_classes(ax, edges, labels)
    if len(table) <= 12:
        ax.set_xticks(range(len(table)), [clip(table.index[row]) for row in order])
    ax.set_yticks(range(len(names)), names, fontsize=SMALL)
    ax.set(xlabel=clip(f"{len(table):,} rows, sorted by {table.decision}"))
    times = covers.sum(axis=0)
    summary = (
        f"{int((times > 0).sum()):,} of {len(table):,} rows are covered, {int((times > 1).sum()):,} by several rules"
    )
    finding(ax, summary + (f" (the first {most} of {len(rules):,} rules)" if len(rules) > most else ""))
    handles = [
        Patch(color=colour, label=f"{clip(table.decision)} = {name}")
        for colour, name in zip(colours, labels, strict=True)
    ]
    return ax if named else below(ax, handles=handles)


def _rule_names(rules: RuleSet) -> list[str]:
    texts = [f"{rule.premise} → {rule.conclusion_text}" for rule in rules]
    if len(texts) <= 25 and max(map(len, texts), default=0) <= 150:
        return [fitted(text, 3.1, most=160) for text in texts]
    return [clip(f"rule {index + 1} → {rule.conclusion_text}") for index, rule in enumerate(rules)]


def _name_classes(ax: Axes, edges: list[int], names: list[str]) -> bool:
    """Write the classes below their rows, and return whether all of them fitted."""
    inches = 0.5 * figure_of(ax).get_figwidth()
    widths = np.diff(edges) / edges[-1] * inches
    if any(text_size(name, 10)[0] + 0.1 > width for name, width in zip(names, widths, strict=True)):
        return False
    ax.set_xticks([(start + end - 1) / 2 for start, end in itertools.pairwise(edges)], names)
    return True


def rule_boxes(rules: RuleSet, table: Table, x: str, y: str, ax: Axes | None = None) -> Axes:
    """Draw rows over two numeric attributes, marked by class, and every rule as a box in the colour of its class.

    A rule that concludes several classes is grey with a dashed edge.

    Parameters
    ----------
    rules, table:
        The rules, whose conditions must be about ``x`` and ``y``, and the table.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.rules import mlem2
    >>> iris, names = load("iris"), ["petal_length", "petal_width"]
    >>> rule_boxes(mlem2(iris, attributes=names), iris, *names).get_ylabel()
    'petal_width'
    """
    _check_boxes(rules, table, x, y)
    ax = axes(ax, size=(6.8, 4.2))
    numbers = {value: number for number, value in enumerate(rules.classes)}
    ends = {name: _range(table, name) for name in (x, y)}
    for rule in rules:
        left, right, low, high = _box(rule, ends, x, y)
        colour = GREY if rule.is_imprecise else PALETTE[numbers[rule.conclusion[0]] % len(PALETTE)]
        style: Style = {"linestyle": "--" if rule.is_imprecise else "-", "edgecolor": colour, "facecolor": tint(colour)}
        ax.add_patch(Rectangle((left, low), right - left, high - low, alpha=0.55, zorder=1, **style))
    truth = table[table.decision].to_numpy()
    for value, number in numbers.items():
        marker: Style = {"color": PALETTE[number % len(PALETTE)], "marker": "osD^vP*X"[number % 8], "markersize": 4}
        ax.plot(
            table[x][truth == value],
            table[y][truth == value],
            linestyle="none",
            label=clip(text(value)),
            **marker,
        )
    if len(table) <= FEW_POINTS:
        for label, across, up in zip(table.index, table[x], table[y], strict=True):
            ax.annotate(clip(label), (across, up), xytext=(5, 4), textcoords="offset points", fontsize=SMALL, zorder=5)
    ax.set(xlabel=clip(x), ylabel=clip(y), xlim=ends[x], ylim=ends[y])
    covered = int(rules.explains(table).sum()) if len(rules) else 0
    finding(ax, f"{len(rules):,} rules cover {covered:,} of {len(table):,} rows")
    return below(ax)


def rule_search(state: RuleSearch, ax: Axes | None = None) -> Axes:
    """Draw the rules of an unfinished search as boxes, with a ring around each row that the step is about."""
    x, y = state.plane
    ax = rule_boxes(state.rules, state.table, x, y, ax)
    ax.set_title("")
    if ax.patches:
        ax.patches[-1].set_linewidth(2.4)  # the rule that the step is about
    rows = state.table.take(state.marked)
    ax.scatter(rows[x], rows[y], s=110, facecolors="none", edgecolors=INK, linewidths=1.3, zorder=4)
    return ax


def _check_boxes(rules: RuleSet, table: Table, x: str, y: str) -> None:
    for name in (x, y):
        if table.attributes[name].kind != "numeric":
            raise ValueError(f"rules are drawn as boxes over numbers, and column {name!r} holds none; choose another")
    others = [part.attribute for rule in rules for part in rule.conditions if part.attribute not in (x, y)]
    if others:
        raise ValueError(
            f"a rule asks for {others[0]!r}, which is neither {x!r} nor {y!r}; induce rules from these two"
        )


def _range(table: Table, name: str) -> tuple[float, float]:
    """Return the ends of the axis: those of the values, with a margin."""
    numbers = np.asarray(table.attributes[name].numbers, dtype=float)
    low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    margin = (0.13 if len(table) <= FEW_POINTS else 0.06) * (high - low or 1.0)
    return low - margin, high + margin


def _box(rule: Rule, ends: dict[str, tuple[float, float]], x: str, y: str) -> tuple[float, float, float, float]:
    """Return the ends of a rule's box: left, right, low, high; without a bound, those of the axis."""
    bounds = dict(ends)
    for part in rule.conditions:
        low, high = bounds[part.attribute]
        lower: Any = low if part.lower is None else part.lower
        upper: Any = high if part.upper is None else part.upper
        bounds[part.attribute] = lower, upper
    return *bounds[x], *bounds[y]


def votes(scores: np.ndarray, classes: tuple, ax: Axes | None = None, *, title: str = "") -> Axes:
    """Draw the scores that LERS gives the classes for one row; the leading class is blue and bold.

    >>> [label.get_text() for label in votes(np.array([6.0, 1.0]), ("high", "low")).get_yticklabels()]
    ['high', 'low']
    """
    ax = axes(ax, size=(5.4, 0.9 + 0.28 * len(classes)))
    best = scores.max(initial=0)
    leads = np.isclose(scores, best) & (best > 0)
    positions = np.arange(len(classes))
    ax.barh(positions, scores, color=[BLUE if lead else GREY for lead in leads])
    ax.set_yticks(positions, [clip(text(value)) for value in classes])
    for tick, lead in zip(ax.get_yticklabels(), leads, strict=True):
        tick.set_fontweight("bold" if lead else "normal")
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="score: Σ strength × specificity", title=clip(title))
    return ax
