"""Plots of rough sets: granules with the approximations of a class, classes as bars, quality as attributes are added.

A granule holds the rows that the attributes cannot tell apart. Those that lie inside the class are its lower
approximation; with those that it cuts, the boundary, they are the upper one (Pawlak 1982).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from anonnb import roughsets
from anonnb.plots.parts.granules import Granules
from anonnb.plots.parts.texts import SMALL, fitted, shown
from anonnb.plots.style import (
    BLUE,
    FAINT,
    GREY,
    INK,
    ORANGE,
    WIDEST,
    axes,
    bare,
    below,
    fill_look,
    finding,
    line_look,
    tint,
)
from anonnb.roughsets.dominance import Criteria, bounds_of
from anonnb.roughsets.variable_precision import shares
from anonnb.tables.hierarchy import text
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Table

MOST_GRANULES = 80


def granules(
    data: Table | Release,
    concept: object,
    attributes: Sequence[str] | None = None,
    *,
    most: int = MOST_GRANULES,
    ax: Axes | None = None,
) -> Axes:
    """The granules of a table and what they say about a class: inside it, on its boundary, outside it.

    A dot is a row, filled if the row belongs to the class. Solid frames form the lower approximation; with the dashed
    ones, the boundary, they form the upper. In large granules a dot stands for several rows.

    Parameters
    ----------
    data:
        A table or a release.
    concept:
        A class, or a list of classes.
    attributes:
        The condition attributes to use; all of them by default.
    most:
        The most granules to draw, the largest first; the picture says so.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> import anonnb
    >>> ax = granules(anonnb.load("decision6"), "high", ["occupation", "domicile"])
    >>> ax.get_title()
    'evaluation = high: 2 rows surely, 2 more possibly, accuracy 0.50'
    """
    release = as_release(data)
    classes = concept if isinstance(concept, list) else [concept]
    rough = roughsets.approximate(release, classes, attributes)
    picture = Granules(release, rough, attributes, most)
    ax = bare(axes(ax, size=(WIDEST, picture.height + 0.45)))
    for part in picture.boxes:
        part.draw(ax, picture.rows_per_dot)
    for y, words in picture.headings:
        ax.text(0, y, words, va="top", fontsize=SMALL, color=FAINT, weight="bold")
    ax.set(xlim=(-0.03, WIDEST - 0.2), ylim=(picture.height, -0.03), aspect="equal")
    sure, maybe = len(rough.lower), len(rough.boundary)
    named = " or ".join(text(value) for value in classes)
    words = f"{sure:,} rows surely, {maybe:,} more possibly, accuracy {rough.accuracy:.2f}"
    return finding(ax, f"{release.decision} = {named}: {words}")


def approximations(
    data: Table | Release, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, relation: str = "equal"
) -> Axes:
    """For every class, how many rows surely belong to it and how many only possibly do.

    Parameters
    ----------
    data:
        A table or a release.
    attributes:
        The condition attributes to use; all of them by default.
    ax:
        Where to draw; new Axes by default.
    relation:
        When rows are related, as in :func:`anonnb.roughsets.approximate`.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> from anonnb import load
    >>> [label.get_text() for label in approximations(load("decision6"), ["occupation"]).get_yticklabels()]
    ['high', 'low', 'medium']
    """
    release = as_release(data)
    classes = list(release.columns[release.decision].attribute.domain)
    ax = axes(ax, size=(6.4, 1.3 + 0.36 * len(classes)))
    rough = [roughsets.approximate(release, [value], attributes, relation=relation) for value in classes]
    places = np.arange(len(classes))
    sure = np.array([len(found.lower) for found in rough])
    maybe = np.array([len(found.boundary) for found in rough])
    ax.barh(places, sure, label="lower approximation: surely", **fill_look(0))
    ax.barh(places, maybe, left=sure, label="boundary: possibly", **fill_look(1))
    for place, (first, second) in enumerate(zip(sure, maybe, strict=True)):
        ax.text(first + second, place, f" {first} + {second}", va="center", fontsize=SMALL, color=INK)
    ax.set_yticks(places, [shown(text(value)) for value in classes])
    ax.invert_yaxis()
    ax.set(xlabel="rows", ylabel=shown(release.decision), xlim=(0, 1.12 * max((sure + maybe).max(initial=1), 1)))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y", visible=False)
    finding(ax, f"{sure.sum():,} of {len(release):,} rows can be classified for sure")
    return below(ax)


def quality_steps(table: Table, attributes: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Quality of approximation as attributes are added one after the other.

    Parameters
    ----------
    table:
        A table with a decision.
    attributes:
        The attributes in order; all condition attributes by default.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> from anonnb import load
    >>> quality_steps(load("decision6")).get_title()
    'The first 2 of 3 attributes reach γ = 1.00'
    """
    names = list(table.conditions if attributes is None else attributes)
    ax = axes(ax, size=(6.4, 0.9 + 0.26 * len(names)))
    steps = pd.Series({name: roughsets.quality(table, names[: place + 1]) for place, name in enumerate(names)})
    ax.plot(steps, range(len(steps)), marker="o", color=BLUE)
    whole = roughsets.quality(table)
    ax.axvline(whole, color=INK, linestyle="--", linewidth=1)
    for place, value in enumerate(steps):
        side = {"ha": "right", "xytext": (-7, 0)} if value > 0.5 else {"ha": "left", "xytext": (7, 0)}
        back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        look = {"textcoords": "offset points", "va": "center", "fontsize": SMALL, "color": INK, "bbox": back}
        ax.annotate(f"{value:.2f}", (value, place), **look, **side)
    ax.set_yticks(range(len(steps)), [shown(("+ " if place else "") + name) for place, name in enumerate(names)])
    ax.invert_yaxis()
    ax.set(xlabel="quality of approximation γ (dashed: all attributes)", xlim=(-0.03, 1.05))
    enough = next((place + 1 for place, value in enumerate(steps) if value >= whole - 1e-12), len(steps))
    return finding(ax, f"The first {enough} of {len(names)} attributes reach γ = {steps.iloc[enough - 1]:.2f}")


def granule_shares(
    table: Table, concept: object, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, beta: float = 0.8
) -> Axes:
    """A block per granule: its width is the number of rows, its height the share of them in a concept; β sets its zone.

    Parameters
    ----------
    table:
        A table with a decision.
    concept:
        A class, or a list of classes.
    attributes:
        The condition attributes to use; all of them by default.
    ax:
        Where to draw; new Axes by default.
    beta:
        The required share.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> from anonnb import load
    >>> granule_shares(load("decision6"), "high", ["occupation", "domicile"]).get_xlabel()
    'rows, in 5 granules'
    """
    ax = axes(ax, size=(6.8, 3.8))
    share, _ = shares(table, concept, attributes)
    groups, count = roughsets.indiscernibility(table, attributes)
    frame = pd.DataFrame({"share": share, "granule": groups}).groupby("granule")["share"].agg(["first", "size"])
    frame = frame.sort_values("first", ascending=False, kind="stable")
    left = np.append(0, frame["size"].cumsum().to_numpy()[:-1])
    regions = np.where(frame["first"] >= beta - 1e-9, 0, np.where(frame["first"] > 1 - beta + 1e-9, 1, 2))
    looks = (fill_look(0), fill_look(1), fill_look(2) | {"facecolor": GREY})
    for place, (look, name) in enumerate(zip(looks, ("lower approximation", "boundary", "outside"), strict=True)):
        kept, rows = frame[regions == place], int(frame["size"][regions == place].sum())
        label, width = f"{name}: {rows:,} rows", 0.5 if count <= 40 else 0.1
        ax.bar(
            left[regions == place],
            kept["first"],
            kept["size"],
            align="edge",
            label=label,
            **look | {"linewidth": width},
        )
    for height, words in ((beta, f"β = {beta:g}"), (1 - beta, f"1 − β = {1 - beta:g}")):
        if 0 < height < 1:
            ax.axhline(height, color=INK, linewidth=0.8, linestyle="--")
            ax.text(len(table), height, f" {words}", va="center", fontsize=SMALL, color=INK)
    ax.set(xlabel=f"rows, in {count} granules", ylim=(0, 1.02), xlim=(0, len(table)))
    ax.set_ylabel(fitted(f"share with {shown(table.decision, 30)} {text(concept)}", 3.0, 10))
    return below(ax)


def dominance_regions(
    table: Table, value: object, x: str, y: str, ax: Axes | None = None, *, cost: Sequence[str] = ()
) -> Axes:
    """Where, over two criteria, a row is surely in a class or better, where surely not, and where the table disagrees.

    Rows are drawn at their values, those of the class or better as triangles; a number says how many share a place.

    Parameters
    ----------
    table:
        A table with an ordered decision.
    value:
        The class.
    x, y:
        Two criteria.
    ax:
        Where to draw; new Axes by default.
    cost:
        The criteria of which less is better.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> from anonnb import load
    >>> dominance_regions(load("car"), "good", "safety", "buying", cost=["buying"]).get_xlabel()
    'safety'
    """
    ax = axes(ax, size=(6.4, 4.6))
    criteria = Criteria.of(table, [x, y], [name for name in cost if name in (x, y)])
    bounds, code = bounds_of(criteria), criteria.decision.code(value)
    sizes = [len(attribute.domain) for attribute in criteria.attributes]
    points = np.stack(np.meshgrid(*map(np.arange, sizes), indexing="ij"), axis=-1).reshape(-1, 2)
    scaled = points * criteria.signs
    surely = (scaled[:, None] >= criteria.low[bounds.low >= code]).all(axis=2).any(axis=1)
    never = (scaled[:, None] <= criteria.low[bounds.high < code]).all(axis=2).any(axis=1)
    for flags, ground in ((surely, _SURELY), (never, _NEVER)):
        ax.bar(points[flags, 0], 1.0, 1.0, points[flags, 1] - 0.5, **ground)
    _draw_marks(ax, np.abs(criteria.low), criteria.worst >= code)
    for axis, attribute, size in zip((ax.xaxis, ax.yaxis), criteria.attributes, sizes, strict=True):
        step = max(-(-size // 10), 1)
        axis.set_ticks(np.arange(size)[::step], [shown(name, 20) for name in attribute.labels[:size:step]])
    if sum(map(len, (shown(name, 20) for name in criteria.attributes[0].labels))) > 60:
        ax.tick_params(axis="x", rotation=40)
    label = shown(text(value), 30)
    ax.set(xlabel=shown(x, 40), ylabel=shown(y, 40), xlim=(-0.5, sizes[0] - 0.5), ylim=(-0.5, sizes[1] - 0.5))
    marks = [("^", BLUE, f"at least {label}"), ("o", ORANGE, f"worse than {label}")]
    handles = [ax.scatter([], [], marker=marker, color=color, label=words) for marker, color, words in marks]
    handles += [Patch(label=words, **ground) for ground, words in ((_SURELY, "surely"), (_NEVER, "surely not"))]
    return below(ax, handles=handles)


_SURELY = {"facecolor": tint(BLUE), "edgecolor": tint(BLUE, 0.5), "linewidth": 0}
_NEVER = {"facecolor": tint(ORANGE), "hatch": "///", "edgecolor": tint(ORANGE, 0.5), "linewidth": 0}


def _draw_marks(ax: Axes, codes: np.ndarray, good: np.ndarray) -> None:
    """A mark at the two values of every row, with a number where several share a place."""
    for flags, marker, shift in ((good, "^", 0.14), (~good, "o", -0.14)):
        places, many = np.unique(codes[flags], axis=0, return_counts=True)
        colour = BLUE if shift > 0 else ORANGE
        ax.scatter(places[:, 0] + shift, places[:, 1], marker=marker, s=42, color=colour, zorder=3)
        for place, number in zip(places, many, strict=True):
            if number > 1:
                note = {"textcoords": "offset points", "ha": "center", "fontsize": 8, "color": INK}
                ax.annotate(f"{number:,}", (place[0] + shift, place[1]), (0, 6), **note)


def kept_quality(
    frame: pd.DataFrame, ax: Axes | None = None, *, value: str = "γ", original: float | None = None
) -> Axes:
    """For every method a row with a dot per k, the largest value at the top.

    Parameters
    ----------
    frame:
        A frame with the columns method, k and the value.
    ax:
        Where to draw; new Axes by default.
    value:
        The column with the value.
    original:
        The value of the table itself, drawn as a line across.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["A", "B"], "k": 2, "γ": [0.5, 0.7]})
    >>> [label.get_text() for label in kept_quality(frame).get_yticklabels()]
    ['A', 'B']
    """
    table = frame.pivot_table(index="method", columns="k", values=value, sort=True)
    table = table.loc[table.mean(axis=1).sort_values(kind="stable").index]
    ax = axes(ax, size=(6.4, 1.6 + 0.28 * len(table)))
    places = np.arange(len(table))
    ax.hlines(places, table.min(axis=1), table.max(axis=1), color=GREY, linewidth=1, zorder=1)
    for place, (k, figures) in enumerate(table.items()):
        look = line_look(place)
        ax.scatter(figures, places, s=40, color=look["color"], marker=look["marker"], label=f"k = {k:g}", zorder=2)
    if original is not None:
        ax.axvline(original, color=INK, linestyle="--", linewidth=1, label="the table itself")
    ax.set_yticks(places, [shown(name, 40) for name in table.index], fontsize=SMALL)
    ax.set(xlabel=shown(value, 60), ylim=(-0.6, len(table) - 0.4))
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    return below(ax)


def cut_grid(table: Table, x: str, y: str, cuts: Mapping[str, Sequence], ax: Axes | None = None) -> Axes:
    """The rows of a table over two numeric columns, marked by class, with the cuts of both columns as lines.

    Rows without a value in one of the columns are left out.

    Parameters
    ----------
    table:
        A table with a decision.
    x, y:
        Two numeric columns.
    cuts:
        What :func:`anonnb.roughsets.cut_points` gives.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> from anonnb import load
    >>> cuts = {"petal_length": [2.45], "petal_width": [0.8, 1.75]}
    >>> cut_grid(load("iris"), "petal_length", "petal_width", cuts).get_xlabel()
    'petal_length'
    """
    ax = axes(ax, size=(6.4, 4.4))
    attribute, codes = table.attributes[table.decision], table.codes(table.decision)
    places = [table.attributes[name].numbers[table.codes(name)] for name in (x, y)]
    for number in range(attribute.size):
        look = line_look(number)
        mine = codes == number
        style = {"color": look["color"], "marker": look["marker"], "s": 26, "alpha": 0.75}
        ax.scatter(places[0][mine], places[1][mine], label=shown(attribute.labels[number], 30), **style)
    for point in cuts.get(x, ()):
        ax.axvline(point, color=INK, linestyle="--", linewidth=1.2)
    for point in cuts.get(y, ()):
        ax.axhline(point, color=INK, linestyle="--", linewidth=1.2)
    ax.plot([], [], color=INK, linestyle="--", linewidth=1.2, label="cut")
    ax.set(xlabel=shown(x, 40), ylabel=shown(y, 40))
    return below(ax)


def fuzzy_degrees(table: Table, concept: object, name: str, ax: Axes | None = None, **options: Any) -> Axes:
    """The degree to which the values of one numeric column belong to a class, surely (lower) and possibly (upper).

    Parameters
    ----------
    table:
        A table with a decision.
    concept:
        A class, or a list of classes.
    name:
        The numeric column.
    ax:
        Where to draw; new Axes by default.
    options:
        Those of :func:`anonnb.roughsets.fuzzy.approximate`.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

    Examples
    --------
    >>> from anonnb import load
    >>> fuzzy_degrees(load("iris"), "Iris-setosa", "petal_length").get_xlabel()
    'petal_length'
    """
    ax = axes(ax)
    found = roughsets.fuzzy.approximate(table, concept, [name], **options)
    numbers = table.attributes[name].numbers[table.codes(name)]
    places, first = np.unique(numbers[~np.isnan(numbers)], return_index=True)
    rows = np.flatnonzero(~np.isnan(numbers))[first]
    for place, (words, degrees) in enumerate({"upper: possibly": found.upper, "lower: surely": found.lower}.items()):
        ax.plot(places, degrees[rows], label=words, **line_look(1 - place) | {"markersize": 4})
    ax.fill_between(places, found.lower[rows], found.upper[rows], color=tint(GREY), label="boundary")
    label = " or ".join(map(text, concept)) if isinstance(concept, list | tuple) else text(concept)
    ax.set(xlabel=shown(name, 40), ylabel=f"degree of {shown(label, 30)}", ylim=(-0.04, 1.04))
    return below(ax)
