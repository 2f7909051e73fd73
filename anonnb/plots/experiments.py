"""Plots of the papers' experiments: our figures beside theirs, and how useful and how safe their tables are.

A point is one figure or one anonymized table, and a bar counts the figures of one table. Verdicts such as exact or
close come from :mod:`anonnb.experiments.ledger`.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from anonnb.plots.parts.labels import cumulative, name_lines
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import (
    BLUE,
    GREEN,
    GREY,
    INK,
    ORANGE,
    PALE,
    RED,
    SKY,
    Style,
    axes,
    below,
    beside,
    dot_look,
    fill_look,
    finding,
    ink_on,
    line_look,
    readable,
)
from anonnb.tables.release import Release

VERDICT_COLOURS = (BLUE, SKY, GREEN, GREY, PALE, RED)  # from what agrees to what does not


def usefulness_protection(
    frame: pd.DataFrame,
    *,
    usefulness: str = "accuracy",
    success: str = "success",
    label: str = "method",
    ax: Axes | None = None,
) -> Axes:
    """Draw each anonymized table as a point: how useful it is (up) against how often attacks fail (right).

    The best corner is the upper right. Tables with the same label share a colour and a marker.

    >>> frame = pd.DataFrame({"method": ["A", "B"], "accuracy": [0.8, 0.6], "success": [0.3, 0.1]})
    >>> usefulness_protection(frame).get_ylabel()
    'rows classified rightly (%)'
    """
    ax = axes(ax, size=(5.4, 4.0))
    for index, (name, part) in enumerate(frame.groupby(label, sort=False)):
        ax.scatter(
            100 * (1 - part[success]),
            100 * part[usefulness],
            label=clip(name),
            s=46,
            alpha=0.85,
            **dot_look(index),
        )
    ax.set(xlabel="attacks that fail (%)", ylabel="rows classified rightly (%)", xlim=(-3, 103), ylim=(-3, 103))
    return beside(ax)


def beside_paper(
    frame: pd.DataFrame, *, label: str = "dataset", within: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw our values (up) against the paper's (right); points on the diagonal agree.

    Parameters
    ----------
    frame:
        A frame with the columns ``ours`` and ``paper``.
    within:
        Draw a band of this half-width around the diagonal.

    Examples
    --------
    >>> beside_paper(pd.DataFrame({"dataset": ["zoo"], "ours": [0.4], "paper": [0.5]}), within=0.05).get_xlabel()
    'in the paper'
    """
    ax = axes(ax, size=(4.6, 4.2))
    top = max(float(frame[["ours", "paper"]].max().max()) * 1.05, 0.05)
    ends = np.array([0.0, top])
    if within is not None:
        ax.fill_between(ends, ends - within, ends + within, color=GREY, alpha=0.18, linewidth=0, label=f"± {within:g}")
    ax.plot(ends, ends, color=GREY, linewidth=1)
    for index, (name, part) in enumerate(frame.groupby(label, sort=False)):
        ax.scatter(part["paper"], part["ours"], label=clip(name), s=26, alpha=0.75, **dot_look(index))
    ax.set(xlabel="in the paper", ylabel="ours", xlim=(-0.04 * top, top), ylim=(-0.04 * top, top), aspect="equal")
    apart = (frame["ours"] - frame["paper"]).abs()
    if within is not None:
        finding(ax, f"{int((apart <= within).sum()):,} of {len(frame):,} values lie within {within:g} of the paper's")
    return beside(ax)


def verdict_bars(counts: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw how many figures of each paper, or of each of its tables, get which verdict.

    Parameters
    ----------
    counts:
        Numbers of figures; a row per table or paper, a column per verdict.

    Examples
    --------
    >>> counts = pd.DataFrame({"equal": [3], "close": [1], "open": [0], "different": [1]}, index=["Table 2"])
    >>> [label.get_text() for label in verdict_bars(counts).get_yticklabels()]
    ['Table 2 (5)']
    """
    counts = counts[counts.sum(axis=1) > 0]
    shares = 100 * counts.div(counts.sum(axis=1), axis=0)
    ax = axes(ax, size=(7.0, 1.1 + 0.42 * len(counts)))
    positions, start = np.arange(len(counts)), np.zeros(len(counts))
    for number, name in enumerate(counts.columns):
        style: Style = fill_look(number) | (
            {"facecolor": VERDICT_COLOURS[number]} if number < len(VERDICT_COLOURS) else {}
        )
        ax.barh(positions, shares[name], left=start, label=clip(name), **style)
        for index, (share, many) in enumerate(zip(shares[name], counts[name], strict=True)):
            if share >= 5:  # room for a number
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
                ax.text(
                    start[index] + share / 2, index, f"{many:,}", ha="center", va="center", fontsize=SMALL, bbox=box
                )
        start += shares[name].to_numpy()
    ax.set_yticks(positions, [f"{clip(name)} ({total:,})" for name, total in counts.sum(axis=1).items()])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set(xlabel="lines (%)", xlim=(0, 100))
    checked = counts.loc[["checked"]] if "checked" in counts.index else counts
    kind = "checked lines" if "checked" in counts.index else "lines"
    finding(ax, f"{int(checked.iloc[:, :3].sum().sum()):,} of {int(checked.sum().sum()):,} {kind} agree")
    return below(ax)


# ---- tuple migration -------------------------------------------------------------------------------------------------


def measure_by_k(frame: pd.DataFrame, label: str, ax: Axes | None = None, *, ideal: float | None = None) -> Axes:
    """Draw a measure against k, a line per method.

    Parameters
    ----------
    frame:
        A frame with the columns method, k and value.
    ideal:
        A value to mark with a dotted line.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": "A", "k": [2, 5], "value": [0.1, 0.2]})
    >>> measure_by_k(frame, "NCP").get_ylabel()
    'NCP'
    """
    ax = axes(ax, size=(6.8, 3.6))
    for index, (name, part) in enumerate(frame.groupby("method", sort=False)):
        ax.plot(part["k"], part["value"], label=clip(name), **line_look(index))
    if ideal is not None:
        ax.axhline(ideal, color=INK, linewidth=1, linestyle=":")
    ax.set(xlabel="k", ylabel=clip(label))
    ax.set_xticks(sorted(frame["k"].unique()))
    return name_lines(ax, inches=1.6)


def budgets(frame: pd.DataFrame, ax: Axes | None = None, *, most: int = 12) -> Axes:
    """Draw the rules with the smallest budgets, and how much of each was spent.

    Rules over the same set of items, which differ only in what follows from what, share a row: the one with the
    smallest budget is drawn.

    Parameters
    ----------
    frame:
        ``release.info["budgets"]`` of a migration.

    Examples
    --------
    >>> frame = pd.DataFrame({"antecedents": ["a=1"], "consequents": ["b=2"], "eq8": [3], "spent": [1]})
    >>> budgets(frame).get_title()
    'None of 1 rules used up its budget'
    """
    ordered = frame.sort_values("eq8", kind="stable")
    items = [_items(rule) for rule in ordered.itertuples()]
    chosen = ordered[~pd.Series(items, index=ordered.index).duplicated()].head(most).iloc[::-1]
    names = [fitted(f"{_listed(rule.antecedents)} → {_listed(rule.consequents)}", 3.3) for rule in chosen.itertuples()]
    ax = axes(ax, size=(7.0, 1.2 + 0.17 * sum(name.count("\n") + 1.5 for name in names)))
    positions = np.arange(len(chosen))
    ax.barh(positions, chosen["eq8"], label="budget (Eq. 8)", **fill_look(3) | {"facecolor": PALE, "edgecolor": GREY})
    ax.barh(positions, chosen["spent"], height=0.4, label="harmed rows", **fill_look(0))
    ax.set_yticks(positions, names, fontsize=SMALL)
    ax.set(xlabel="rows")
    ax.grid(axis="y", visible=False)
    spent, over = ((frame["spent"] >= frame["eq8"]).sum(), (frame["spent"] > frame["eq8"]).sum())
    many = f"Of {len(frame):,} rules {spent:,} used up their budget, and {over:,} exceeded it"
    finding(ax, many if spent else f"None of {len(frame):,} rules used up its budget")
    return below(ax)


def _items(rule: Any) -> frozenset[str]:
    """Split the items on either side of a rule; each is one word with an equals sign."""
    return frozenset(f"{rule.antecedents} {rule.consequents}".replace(",", " ").split())


def _listed(items: str) -> str:
    """Join items with commas instead of spaces."""
    return re.sub(r" (?=\S+ = )", ", ", items.replace("=", " = "))


def threshold_map(sweep: pd.DataFrame, value: str, label: str, ax: Axes | None = None) -> Axes:
    """Draw a value over min_support and min_confidence as a shaded grid of numbers.

    Parameters
    ----------
    sweep:
        A frame with the columns min_support, min_confidence and the value.

    Examples
    --------
    >>> sweep = pd.DataFrame({"min_support": [0.1, 0.5], "min_confidence": 0.5, "lost": [10, 2]})
    >>> threshold_map(sweep, "lost", "rules lost").get_xlabel()
    'minimal support'
    """
    grid = sweep.pivot_table(index="min_confidence", columns="min_support", values=value)
    ax = axes(ax, size=(min(7.0, 1.2 + 0.8 * grid.shape[1]), 1.2 + 0.45 * grid.shape[0]))
    values = grid.to_numpy()
    image = ax.imshow(values, cmap="Blues", aspect="auto", origin="lower")
    image.set_clim(0 if np.nanmax(values) > 0 else None, None)
    for (row, column), number in np.ndenumerate(values):
        if np.isfinite(number):
            colour = ink_on(image.to_rgba(number)[:3])
            ax.text(column, row, f"{number:,.4g}", ha="center", va="center", color=colour, fontsize=SMALL)
    ax.set_xticks(range(grid.shape[1]), [f"{each:g}" for each in grid.columns])
    ax.set_yticks(range(grid.shape[0]), [f"{each:g}" for each in grid.index])
    ax.set(xlabel="minimal support", ylabel="minimal confidence", title=clip(label))
    ax.spines[:].set_visible(False)
    ax.grid(False)
    return ax


def size_change(before: np.ndarray, after: np.ndarray, k: int, ax: Axes | None = None) -> Axes:
    """Draw the share of rows in classes of at most x rows, before and after.

    >>> size_change(np.array([1, 1, 8]), np.array([5, 5]), 5).get_title()
    'Rows in classes of fewer than 5: 2 before, 0 after'
    """
    ax = axes(ax, size=(6.8, 3.4))
    before, after = np.asarray(before), np.asarray(after)
    ax.set(xlabel="rows in the class (log scale)", ylabel="rows in classes of\nat most that size (%)")
    small = [int(sizes[sizes < k].sum()) for sizes in (before, after)]
    cumulative(ax, {"before": (before, before), "after": (after, after)}, k=k)
    return finding(ax, f"Rows in classes of fewer than {k}: {small[0]:,} before, {small[1]:,} after")


# ---- tree-preserving sanitization ------------------------------------------------------------------------------------


def moved_values(release: Release, name: str, ax: Axes | None = None) -> Axes:
    """Draw a line from each original number (bottom) to the published one (top); split points are dashed.

    No line crosses another, and the rows of a node stay on their side of its split point. Thick lines carry more rows.

    >>> from anonnb import load
    >>> from anonnb.methods import TreePreserving
    >>> iris = load("iris").with_roles(quasi=["petal_length"])
    >>> moved_values(TreePreserving(k=1, max_leaves=3).anonymize(iris), "petal_length").get_xlabel()
    'petal_length'
    """
    attribute = release.table.attributes.get(name)
    if attribute is None or name not in release.quasi or not (attribute.kind == "numeric" and attribute.is_number):
        raise ValueError(f"{name!r} is no numeric quasi-identifier of the release; moved_values needs one")
    column = release.columns[name]
    before = attribute.numbers[release.table.codes(name)[release.rows]]
    after = column.attribute.numbers[column.sets.lo[column.index]]
    known = ~np.isnan(before) & ~np.isnan(after)
    pairs, counts = np.unique(np.column_stack([before, after])[known], axis=0, return_counts=True)
    ax = axes(ax, size=(7.0, 2.6))
    for (low, high), rows in zip(pairs, counts, strict=True):
        ax.plot([low, high], [0, 1], color=BLUE, linewidth=0.5 + 3.5 * np.sqrt(rows / counts.max()), alpha=0.45)
    ax.plot(pairs[:, 0], np.zeros(len(pairs)), "o", color=GREY, markersize=4, clip_on=False)
    ax.plot(pairs[:, 1], np.ones(len(pairs)), "o", color=BLUE, markersize=6, clip_on=False)
    splits = [node.split for tree in release.info.get("trees", []) for node in tree.expansions]
    cuts = sorted({split.cut for split in splits if split.attribute.name == name and np.isfinite(split.cut)})
    back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
    for cut in cuts:
        ax.axvline(cut, color=RED, linestyle="--", linewidth=1.2)
        offset: Style = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "bbox": back}
        ax.annotate(f"{cut:g}", (cut, 0.5), color=readable(RED), fontsize=SMALL, **offset)
    ax.set(xlabel=clip(name), ylim=(-0.08, 1.08))
    ax.set_yticks([0, 1], ["original", "published"])
    ax.grid(axis="y", visible=False)
    ax.spines["left"].set_visible(False)
    summary = f"{len(np.unique(pairs[:, 0])):,} values become {len(np.unique(pairs[:, 1])):,}"
    dashed = "the split point" if len(cuts) == 1 else f"one of {len(cuts)} split points"
    finding(ax, summary + (f"; none crosses {dashed} (dashed)" if cuts else ""))
    return ax


def against_leaves(
    frame: pd.DataFrame, value: str, label: str, ax: Axes | None = None, *, log: bool = False, legend: bool = True
) -> Axes:
    """Draw a value against the number of leaves, a line per method.

    Parameters
    ----------
    frame:
        A frame with the columns method, leaves and the value.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": "A", "leaves": [2, 4], "accuracy": [0.7, 0.8]})
    >>> against_leaves(frame, "accuracy", "accuracy").get_ylabel()
    'accuracy'
    """
    ax = axes(ax, size=(6.4, 3.4))
    parts = list(frame.groupby("method", sort=False))
    for index, (name, part) in enumerate(parts):
        # the first line is a wide pale band, so that both can be seen if another lies on it
        band = index == 0 and len(parts) > 1
        style: Style = {"linewidth": 9, "alpha": 0.35, "marker": "", "linestyle": "-"} if band else {"linewidth": 1.8}
        ax.plot(part["leaves"], part[value], label=clip(name), **line_look(index) | style)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="leaves", ylabel=clip(label))
    if log:
        ax.set_yscale("log")
    return name_lines(ax, inches=1.3) if legend else ax


def linear_time(frame: pd.DataFrame, x: str, ax: Axes | None = None) -> Axes:
    """Draw seconds against rows or attributes, with the least-squares line.

    Parameters
    ----------
    frame:
        A frame with the columns seconds and ``x``.

    Examples
    --------
    >>> linear_time(pd.DataFrame({"rows": [1, 2, 3], "seconds": [2.0, 4.0, 6.0]}), "rows").get_xlabel()
    'rows'
    """
    ax = axes(ax)
    ax.plot(frame[x], frame["seconds"], "o", color=BLUE, label="measured", linestyle="none")
    slope, start = np.polyfit(frame[x], frame["seconds"], 1)
    ends = np.array([frame[x].min(), frame[x].max()])
    ax.plot(ends, start + slope * ends, color=ORANGE, label="least-squares line")
    ax.set(xlabel=clip(x), ylabel="seconds", ylim=(0, None))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    far = np.abs(frame["seconds"] - start - slope * frame[x]).max() / max(frame["seconds"].max(), 1e-12)
    finding(ax, f"The points lie within {far:.0%} of the longest time from a straight line")
    return below(ax)
