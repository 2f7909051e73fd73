"""Plots of rough sets: lower approximation and boundary of every class, quality as attributes are added, shares of
granules, regions of dominance, and what releases keep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from anonnb import roughsets
from anonnb.plots.style import BLUE, GREEN, GREY, ORANGE, axes, shown
from anonnb.roughsets.dominance import Criteria, bounds_of
from anonnb.roughsets.variable_precision import shares
from anonnb.tables.hierarchy import text
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table


def approximations(
    data: Table | Release, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, relation: str = "equal"
) -> Axes:
    """For every class how many rows surely belong to it and how many only possibly do."""
    ax = axes(ax)
    release = as_release(data)
    classes = list(release.columns[release.decision].attribute.domain)
    rough = [roughsets.approximate(release, [value], attributes, relation=relation) for value in classes]
    places = np.arange(len(classes))
    sure = np.array([len(found.lower) for found in rough])
    maybe = np.array([len(found.boundary) for found in rough])
    ax.barh(places, sure, color=BLUE, label="lower approximation: surely")
    ax.barh(places, maybe, left=sure, color=ORANGE, label="boundary: possibly")
    ax.set_yticks(places, [shown(text(value)) for value in classes])
    ax.invert_yaxis()
    ax.set(xlabel="rows", ylabel=shown(release.decision))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=2, fontsize="small")
    return ax


def quality_steps(table: Table, attributes: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Quality of approximation as one attribute after the other is added, in the given order."""
    ax = axes(ax)
    names = list(table.conditions if attributes is None else attributes)
    steps = pd.Series({name: roughsets.quality(table, names[: place + 1]) for place, name in enumerate(names)})
    ax.plot(range(len(steps)), steps, marker="o", color=BLUE)
    ax.axhline(roughsets.quality(table), color=GREY, linestyle="--", label="all attributes")
    ax.set_xticks(range(len(steps)), [shown(f"+ {name}") for name in names], rotation=45, ha="right")
    ax.set(ylabel="quality of approximation γ", ylim=(-0.03, 1.05))
    ax.legend(frameon=False, loc="lower right")
    return ax


def granule_shares(
    table: Table, concept: object, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, beta: float = 0.8
) -> Axes:
    """A block per granule: as wide as it has rows, as high as the share of them in a concept; β decides its colour."""
    ax = axes(ax)
    share, _ = shares(table, concept, attributes)
    groups, count = roughsets.indiscernibility(table, attributes)
    frame = pd.DataFrame({"share": share, "granule": groups}).groupby("granule")["share"].agg(["first", "size"])
    frame = frame.sort_values("first", ascending=False, kind="stable")
    left = np.append(0, frame["size"].cumsum().to_numpy()[:-1])
    regions = np.where(frame["first"] >= beta - 1e-9, 0, np.where(frame["first"] > 1 - beta + 1e-9, 1, 2))
    colors, names = (BLUE, ORANGE, GREY), ("lower approximation", "boundary", "outside")
    for place, (color, name) in enumerate(zip(colors, names, strict=True)):
        kept, rows = frame[regions == place], int(frame["size"][regions == place].sum())
        ax.bar(left[regions == place], kept["first"], kept["size"], align="edge", color=color, edgecolor="white",
               linewidth=0.4, label=f"{name}: {rows} rows")  # fmt: skip
    for height, words in ((beta, f"β = {beta:g}"), (1 - beta, f"1 − β = {1 - beta:g}")):
        if 0 < height < 1:
            ax.axhline(height, color="black", linewidth=0.8, linestyle="--")
            ax.text(len(table), height, f" {words}", va="center", fontsize="small")
    ax.set(xlabel=f"rows, in {count} granules", ylim=(0, 1.02), xlim=(0, len(table)))
    ax.set_ylabel(f"share with {shown(table.decision, 30)} = {shown(text(concept), 30)}")
    ax.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=3, fontsize="small")
    return ax


def dominance_regions(
    table: Table, value: object, x: str, y: str, ax: Axes | None = None, *, cost: Sequence[str] = ()
) -> Axes:
    """Two criteria: where a row would surely be in a class or better, where surely not, and where the table disagrees.

    Rows are drawn at their values, those of the class or better as triangles; a number says how many share a place.
    """
    ax = axes(ax, size=(6.4, 4.6))
    criteria = Criteria.of(table, [x, y], [name for name in cost if name in (x, y)])
    bounds, code = bounds_of(criteria), criteria.decision.code(value)
    sizes = [len(attribute.domain) for attribute in criteria.attributes]
    points = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), axis=-1).reshape(-1, 2)
    scaled = points * criteria.signs
    above = (scaled[:, None] >= criteria.low[bounds.low >= code]).all(axis=2).any(axis=1)
    below = (scaled[:, None] <= criteria.low[bounds.high < code]).all(axis=2).any(axis=1)
    for flags, color in ((above, BLUE), (below, ORANGE)):
        ax.bar(points[flags, 0], 1.0, 1.0, points[flags, 1] - 0.5, color=color, alpha=0.25, linewidth=0)
    own = np.abs(criteria.low)
    for good, marker, shift in ((criteria.worst >= code, "^", 0.14), (criteria.worst < code, "o", -0.14)):
        places, many = np.unique(own[good], axis=0, return_counts=True)
        ax.scatter(
            places[:, 0] + shift, places[:, 1], marker=marker, s=42, color=BLUE if shift > 0 else ORANGE, zorder=3
        )
        for place, number in zip(places, many, strict=True):
            if number > 1:
                ax.annotate(
                    f"{number:,}",
                    (place[0] + shift, place[1]),
                    (0, 7),
                    textcoords="offset points",
                    ha="center",
                    fontsize=8,
                )
    for axis, attribute, size in zip((ax.xaxis, ax.yaxis), criteria.attributes, sizes, strict=True):
        axis.set_major_locator(MaxNLocator(12, integer=True))
        axis.set_ticks(
            np.arange(size)[:: max(size // 12, 1)],
            [shown(n, 20) for n in attribute.labels[: size : max(size // 12, 1)]],
        )
    label = shown(text(value), 30)
    ax.set(xlabel=shown(x, 40), ylabel=shown(y, 40), xlim=(-0.5, sizes[0] - 0.5), ylim=(-0.5, sizes[1] - 0.5))
    marks = [("^", BLUE, f"at least {label}"), ("o", ORANGE, f"worse than {label}")]
    handles = [ax.scatter([], [], marker=marker, color=color, label=words) for marker, color, words in marks]
    handles += [Patch(color=c, alpha=0.25, label=words) for c, words in ((BLUE, "surely"), (ORANGE, "surely not"))]
    ax.legend(
        handles=handles, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, fontsize="small"
    )
    return ax


def kept_quality(
    frame: pd.DataFrame, ax: Axes | None = None, *, value: str = "γ", original: float | None = None
) -> Axes:
    """For every method of a frame (columns method, k and the value) a line with a dot per k; the best at the top.

    ``original`` is the value of the table itself, drawn as a line across.
    """
    table = frame.pivot_table(index="method", columns="k", values=value, sort=True)
    table = table.loc[table.mean(axis=1).sort_values(kind="stable").index]
    ax = axes(ax, size=(6.4, 1.6 + 0.32 * len(table)))
    places = np.arange(len(table))
    ax.hlines(places, table.min(axis=1), table.max(axis=1), color=GREY, linewidth=1, zorder=1)
    strengths = np.linspace(0.25, 1.0, table.shape[1])
    for strength, (k, figures) in zip(strengths, table.items(), strict=True):
        ax.scatter(figures, places, s=44, color=BLUE, alpha=strength, linewidth=0, label=f"k = {k:g}", zorder=2)
    if original is not None:
        ax.axvline(original, color=GREEN, linestyle="--", linewidth=1, label="the table itself")
    ax.set_yticks(places, [shown(name, 40) for name in table.index])
    ax.set(xlabel=shown(value, 60), ylim=(-0.6, len(table) - 0.4))
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize="small")
    return ax
