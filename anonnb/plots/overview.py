"""Plots of tables and releases as a whole: class sizes, audits, sensitive values per class, hierarchies, trade-offs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter

from anonnb.core.arrays import first_places, group_table
from anonnb.plots.style import BLUE, GREY, ORANGE, PALETTE, SKY, axes, shown
from anonnb.privacy.audit_result import Audit
from anonnb.tables.attribute import shorten
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Attribute, Table

_EDGES = np.array([1, 2, 3, 5, 10, 20, 50, 100, 1000, np.inf])


def class_sizes(data: Mapping[str, Table | Release], *, k: int | None = None, ax: Axes | None = None) -> Axes:
    """How many rows live in classes of each size, for one or several tables or releases.

    Rows left of the dashed line share their quasi-identifier with fewer than k - 1 others.
    """
    ax = axes(ax, size=(7.2, 3.6))
    edges = _EDGES if k is None else np.unique(np.append(_EDGES, k))
    width = 0.8 / len(data)
    for place, (name, item) in enumerate(data.items()):
        sizes = as_release(item).group_sizes
        bins = np.digitize(sizes, edges) - 1
        share = np.bincount(bins, weights=sizes, minlength=len(edges) - 1) / max(sizes.sum(), 1)
        x = np.arange(len(edges) - 1) + (place - (len(data) - 1) / 2) * width
        ax.bar(x, 100 * share, width, label=shown(name), color=PALETTE[place % len(PALETTE)])
    ax.set_xticks(np.arange(len(edges) - 1), [_bin_name(a, b) for a, b in itertools.pairwise(edges)])
    if k is not None and k > 1:
        ax.axvline(int(np.flatnonzero(edges == k)[0]) - 0.5, color=GREY, linestyle="--", label=f"k = {k}")
    ax.set(xlabel="rows in the class", ylabel="share of all rows (%)")
    ax.legend(frameon=False)
    return ax


def _bin_name(low: float, high: float) -> str:
    if not np.isfinite(high):
        return f"{int(low)}+"
    return f"{int(low)}" if high == low + 1 else f"{int(low)}–{int(high) - 1}"


def sensitive_shares(release: Release, column: str | None = None, *, most: int = 12, ax: Axes | None = None) -> Axes:
    """The shares of a sensitive column's values in each class, the whole table first.

    A class of one colour gives its value away; a class far from the first bar tells more than the table does.
    """
    column = column or release.sensitive[0]
    attribute = release.columns[column].attribute
    codes = release.columns[column].sets.lo[release.columns[column].index]
    counts = group_table(codes, attribute.size, release.groups, release.n_groups)
    names = _group_names(release)
    order = np.argsort(-release.group_sizes, kind="stable")[: most - 1]
    rows = np.vstack([counts.sum(axis=0, keepdims=True), counts[order]])
    labels = [f"whole table ({int(rows[0].sum()):,})"] + [
        shown(f"{names[g]} ({int(counts[g].sum()):,})") for g in order
    ]
    ax = axes(ax, size=(7.6, 0.9 + 0.32 * len(rows)))
    shares, left = 100 * rows / rows.sum(axis=1, keepdims=True), np.zeros(len(rows))
    for code in range(attribute.size):
        colour = PALETTE[code % len(PALETTE)]
        ax.barh(np.arange(len(rows)), shares[:, code], left=left, color=colour, label=shown(attribute.labels[code]))
        left += shares[:, code]
    ax.set_yticks(np.arange(len(rows)), labels)
    ax.invert_yaxis()
    ax.set(xlabel=shown(f"share of {column} (%)"), xlim=(0, 100))
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return ax


def _group_names(release: Release) -> list[str]:
    first = first_places(release.groups, release.n_groups)
    texts = [release.columns[name].texts()[first] for name in release.quasi]
    return [shorten(", ".join(map(str, parts)), 44) for parts in zip(*texts, strict=True)]


def hierarchy(attribute: Attribute, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """A hierarchy as a tree that grows to the right, values at the left; at most ``most`` values are drawn."""
    levels = attribute.levels
    drawn = np.arange(min(attribute.size, most))
    ax = axes(ax, size=(2.4 * (levels.height + 1), 0.8 + 0.24 * len(drawn)))
    place = drawn.astype(float)
    for level in range(levels.height + 1):
        numbers = levels.maps[level][drawn]
        centres = {int(n): float(drawn[numbers == n].mean()) for n in np.unique(numbers)}
        for y, n in {(float(y), int(n)) for y, n in zip(place, numbers, strict=True)} if level else ():
            ax.plot([level - 0.35, level], [y, centres[n]], color=GREY, linewidth=1, zorder=0)
        for n, y in centres.items():
            box = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
            ax.text(level, y, shown(levels.labels[level][n], 30), ha="left", va="center", fontsize=8, bbox=box)
        place = np.array([centres[int(n)] for n in numbers])
    ax.set(xticks=range(levels.height + 1), xticklabels=[f"level {level}" for level in range(levels.height + 1)])
    ax.set(yticks=[], xlim=(-0.1, levels.height + 0.7), ylim=(len(drawn) - 0.3, -0.7), title=shown(attribute.name))
    ax.xaxis.set_ticks_position("none")
    ax.spines[["bottom", "left"]].set_visible(False)
    if attribute.size > most:
        ax.set_xlabel(f"the first {most} of {attribute.size} values")
    return ax


def trade_off(
    frame: pd.DataFrame, *, x: str = "k", loss: str = "ncp", risk: str = "risk", ax: Axes | None = None
) -> Axes:
    """Two curves over a parameter: what the data lose, and what people risk."""
    ax = axes(ax)
    ax.plot(frame[x], 100 * frame[loss], marker="o", color=BLUE, label="information lost")
    ax.plot(frame[x], 100 * frame[risk], marker="s", color=ORANGE, label="average risk of a person")
    ax.set(xlabel=shown(x), ylabel="%", ylim=(0, None))
    ax.legend(frameon=False)
    return ax


def audit(found: Audit, *, most: int = 8) -> Axes:
    """What singles people out: class sizes, then columns, then combinations of columns.

    Three panels in a figure of their own; returns the Axes of the first, whose ``figure`` has the others. ``most`` is
    the number of columns and of combinations drawn, those that single out most people.
    """
    columns = found.columns.sort_values("helps", ascending=False, kind="stable").head(most)
    combinations = found.combinations.head(most)
    heights = [2.0, 0.8 + 0.26 * len(columns), 0.8 + 0.26 * max(len(combinations), 1)]
    figure = axes(size=(7.0, sum(heights) + 0.6)).figure
    figure.clear()
    panels = [axes(panel) for panel in figure.subplots(3, 1, height_ratios=heights)]
    _draw_class_sizes(found, panels[0])
    _draw_columns(found, columns, panels[1])
    _draw_combinations(found, combinations, panels[2])
    for panel in panels[1:]:
        panel.set(xlabel=f"share of all {found.unit} (%)", xlim=(0, None if found.singled_out else 1))
        panel.invert_yaxis()
    return panels[0]


def _draw_class_sizes(found: Audit, ax: Axes) -> None:
    sizes = found.class_sizes["size"].to_numpy()
    share = 100 * found.class_sizes["people"].cumsum().to_numpy() / found.class_sizes["people"].sum()
    ax.step([*sizes, 2 * sizes[-1]], [*share, 100], where="post", color=BLUE)
    ax.plot(sizes[:1], share[:1], "o", color=BLUE)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.set(xlabel=f"{found.unit} in the class, at most", ylabel=f"share of {found.unit} (%)", ylim=(0, 105))
    ax.set_title(f"{found.alone / found.people:.1%} of {found.people:,} {found.unit} read like no other", loc="left")


def _draw_columns(found: Audit, columns: pd.DataFrame, ax: Axes) -> None:
    place = np.arange(len(columns))
    ax.barh(place, 100 * columns["helps"] / found.people, color=SKY, label="with other columns")
    ax.barh(place, 100 * columns["alone"] / found.people, color=ORANGE, label="alone")
    ax.set_yticks(place, [shown(name, 40) for name in columns["column"]])
    first = shorten(columns["column"].iloc[0], 30)
    ax.set_title(shown(f"{first} helps to single out {columns['helps'].iloc[0]:,} {found.unit}"), loc="left")
    if columns["helps"].iloc[0] == 0:
        ax.set_title(f"no column singles out any {found.unit}", loc="left")
    ax.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.98), ncols=2)  # above the bars, never on them


def _draw_combinations(found: Audit, combinations: pd.DataFrame, ax: Axes) -> None:
    place = np.arange(len(combinations))
    ax.barh(place, 100 * combinations["share"], color=BLUE)
    ax.set_yticks(place, [shown(" × ".join(map(str, names)), 60) for names in combinations["columns"]])
    what = f"no combination of up to {found.largest} columns singles out any {found.unit}"
    if len(combinations):
        what = f"the first combination singles out {int(combinations['people'].iloc[0]):,} {found.unit}"
    ax.set_title(what, loc="left")
