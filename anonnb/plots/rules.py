"""Plots of rule sets: how much of each class is told, the support of the rules, and which rule covers which row."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from anonnb.plots.style import BLUE, GREY, ORANGE, PALETTE, SKY, axes, shown
from anonnb.rules.induction.rule_set import RuleSet
from anonnb.tables.hierarchy import text
from anonnb.tables.table import Table


def rule_coverage(rules: RuleSet, table: Table, ax: Axes | None = None) -> Axes:
    """For every class the share of its rows whose class the rules tell, of those they tell in part, and of the rest.

    A class is told when the conclusions of all matching rules have it alone in common.
    """
    ax = axes(ax)
    left = rules.left_classes(table).sum(axis=1)
    truth = table[table.decision].to_numpy()
    shares = np.array(
        [
            [np.mean(part[truth == value]) for part in (left == 1, left > 1, left == 0)]
            for value in rules.classes
            if (truth == value).any()
        ]
    )
    names = [text(value) for value in rules.classes if (truth == value).any()]
    places, bottom = np.arange(len(names)), np.zeros(len(names))
    labels = ("told: one class left", "in part: several left", "not told: no rule, or none left")
    for share, label, colour in zip(shares.T, labels, (BLUE, SKY, "#DDDDDD"), strict=True):
        ax.bar(places, share, bottom=bottom, color=colour, label=label)
        bottom += share
    ax.set_xticks(places, map(shown, names))
    ax.set(ylabel="share of the class's rows", xlabel=shown(table.decision), ylim=(0, 1))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, frameon=False, fontsize="small")
    return ax


def support_histogram(rules: RuleSet, k: int | None = None, ax: Axes | None = None) -> Axes:
    """How many rules have how much support; rules left of the k line are not k-anonymous."""
    ax = axes(ax)
    supports = np.array([rule.support for rule in rules])
    top = max(int(supports.max(initial=1)), k or 1)
    edges = np.unique(np.round(np.geomspace(1, top + 1, 25)).astype(int)) - 0.5
    imprecise = np.array([rule.is_imprecise for rule in rules], dtype=bool)
    parts, names = [supports[~imprecise], supports[imprecise]], ["precise rules", "imprecise rules"]
    ax.hist(parts, bins=edges, stacked=True, color=[ORANGE, BLUE], label=names)
    if k is not None:
        ax.axvline(k - 0.5, color="black", linestyle="--", label=f"k = {k}")
    ax.set_xscale("log")
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000) if tick <= top]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.minorticks_off()
    ax.set(xlabel="support of a rule (rows)", ylabel="rules")
    ax.legend(frameon=False)
    return ax


def rule_row_matrix(rules: RuleSet, table: Table, ax: Axes | None = None, *, most: int = 60) -> Axes:
    """Which rule (lines) covers which row (columns), coloured by the row's class; rows are sorted by class.

    Shows the first ``most`` rules.
    """
    drawn = rules[:most]
    ax = axes(ax, size=(8, min(1 + 0.22 * max(len(drawn), 4), 9)))
    truth = table.codes(table.decision)
    order = np.argsort(truth, kind="stable")
    present = np.unique(truth)
    cells = np.where(drawn.matches(table)[order].T, np.searchsorted(present, truth[order]) + 1, 0)
    colours = [PALETTE[number % len(PALETTE)] for number in range(len(present))]
    ax.imshow(cells, aspect="auto", interpolation="nearest", cmap=ListedColormap(["#F2F2F2", *colours]), vmin=0,
              vmax=len(present))  # fmt: skip
    for edge in np.flatnonzero(np.diff(truth[order])):
        ax.axvline(edge + 0.5, color=GREY, linewidth=0.8)
    if len(table) <= 12:
        ax.set_xticks(range(len(table)), [shown(table.index[row]) for row in order])
    names = [shown(rule.conclusion_text) for rule in drawn] if len(drawn) <= 40 else []
    ax.set_yticks(range(len(names)), names, fontsize="small")
    ax.set(xlabel="rows, sorted by class", ylabel="" if names else "rules")
    labels = table.attributes[table.decision].labels
    handles = [Patch(color=colour, label=shown(labels[code])) for colour, code in zip(colours, present, strict=True)]
    ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, title=shown(table.decision))
    return ax


def votes(scores: np.ndarray, classes: tuple, ax: Axes | None = None, *, title: str = "") -> Axes:
    """The scores that LERS gives the classes for one row."""
    ax = axes(ax, size=(5, 2.2))
    best = scores.max(initial=0)
    leads = np.isclose(scores, best) & (best > 0)
    places = np.arange(len(classes))
    ax.barh(places, scores, color=[BLUE if lead else GREY for lead in leads])
    ax.set_yticks(places, [shown(text(value)) for value in classes])
    ax.invert_yaxis()
    ax.set(xlabel="score: Σ strength × specificity", title=shown(title))
    return ax


def accuracy_by_k(frame, ax: Axes | None = None) -> Axes:
    """Lines of accuracy over k; ``frame`` has the columns k, accuracy and rules (a line each)."""
    ax = axes(ax)
    for place, (name, part) in enumerate(frame.groupby("rules", sort=False)):
        colour = PALETTE[place % len(PALETTE)]
        ax.plot(part["k"], part["accuracy"], marker="o", color=colour, label=shown(name))
    ax.set_xticks(sorted(frame["k"].unique()))
    ax.set(xlabel="k", ylabel="accuracy in cross-validation", ylim=(0, 1.02))
    ax.legend(frameon=False)
    return ax
