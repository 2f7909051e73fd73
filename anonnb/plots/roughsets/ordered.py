"""Plots of rough sets over columns whose values have an order: criteria, cuts of numbers, degrees instead of borders.

A row dominates another if it is at least as good by every criterion (Greco, Matarazzo and Słowiński 2001), cuts turn
numbers into intervals that keep all decisions (Nguyen and Skowron 1995), and in a fuzzy approximation a row belongs to
a class to a degree (Dubois and Prade 1990).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from anonnb import roughsets
from anonnb.plots.parts.texts import shown
from anonnb.plots.style import BLUE, GREY, INK, ORANGE, axes, below, dot_look, line_look, tint
from anonnb.roughsets.dominance import Criteria, bounds_of
from anonnb.tables.labels import text
from anonnb.tables.table import Table

_SURELY = {"facecolor": tint(BLUE), "edgecolor": tint(BLUE, 0.5), "linewidth": 0}
_NEVER = {"facecolor": tint(ORANGE), "hatch": "///", "edgecolor": tint(ORANGE, 0.5), "linewidth": 0}


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
        mine = codes == number
        label = shown(attribute.labels[number], 30)
        ax.scatter(places[0][mine], places[1][mine], label=label, s=26, alpha=0.75, **dot_look(number))
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
