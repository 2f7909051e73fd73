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
from anonnb.plots.parts.texts import clip
from anonnb.plots.style import BLUE, GREY, INK, ORANGE, Style, axes, below, dot_look, line_look, tint
from anonnb.roughsets.dominance import Criteria, bounds_of
from anonnb.tables.labels import text
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

_SURELY: Style = {"facecolor": tint(BLUE), "edgecolor": tint(BLUE, 0.5), "linewidth": 0}
_NEVER: Style = {"facecolor": tint(ORANGE), "hatch": "///", "edgecolor": tint(ORANGE, 0.5), "linewidth": 0}


def dominance_regions(
    table: Table, value: object, x: str, y: str, ax: Axes | None = None, *, cost: Sequence[str] = ()
) -> Axes:
    """Draw where, over two criteria, a row is surely in a class or better, surely not, or undecided.

    Rows are drawn at their values, those of the class or better as triangles; a number says how many coincide.

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
        axis.set_ticks(np.arange(size)[::step], [clip(name, 20) for name in attribute.labels[:size:step]])
    if sum(map(len, (clip(name, 20) for name in criteria.attributes[0].labels))) > 60:
        ax.tick_params(axis="x", rotation=40)
    label = clip(text(value), 30)
    ax.set(xlabel=clip(x, 40), ylabel=clip(y, 40), xlim=(-0.5, sizes[0] - 0.5), ylim=(-0.5, sizes[1] - 0.5))
    marks = [("^", BLUE, f"at least {label}"), ("o", ORANGE, f"worse than {label}")]
    dots = [ax.scatter([], [], marker=marker, color=color, label=label) for marker, color, label in marks]
    patches = [Patch(label=label, **ground) for ground, label in ((_SURELY, "surely"), (_NEVER, "surely not"))]
    return below(ax, handles=[*dots, *patches])


def _draw_marks(ax: Axes, codes: np.ndarray, good: np.ndarray) -> None:
    """Mark the two values of every row, with a count where several rows coincide."""
    for flags, marker, shift in ((good, "^", 0.14), (~good, "o", -0.14)):
        points, many = np.unique(codes[flags], axis=0, return_counts=True)
        colour = BLUE if shift > 0 else ORANGE
        ax.scatter(points[:, 0] + shift, points[:, 1], marker=marker, s=42, color=colour, zorder=3)
        for point, number in zip(points, many, strict=True):
            if number > 1:
                note: Style = {"textcoords": "offset points", "ha": "center", "fontsize": 8, "color": INK}
                ax.annotate(f"{number:,}", (point[0] + shift, point[1]), (0, 6), **note)


def cut_grid(table: Table, x: str, y: str, cuts: Mapping[str, Sequence], ax: Axes | None = None) -> Axes:
    """Draw the rows of a table over two numeric columns, marked by class, with the cuts of both as lines.

    Rows without a value in one of the columns are left out.

    Parameters
    ----------
    cuts:
        What :func:`anonnb.roughsets.cut_points` gives.

    Examples
    --------
    >>> from anonnb import load
    >>> cuts = {"petal_length": [2.45], "petal_width": [0.8, 1.75]}
    >>> cut_grid(load("iris"), "petal_length", "petal_width", cuts).get_xlabel()
    'petal_length'
    """
    ax = axes(ax, size=(6.4, 4.4))
    decision = required_decision(table)
    attribute, codes = table.attributes[decision], table.codes(decision)
    numbers = [table.attributes[name].numbers[table.codes(name)] for name in (x, y)]
    for number in range(attribute.size):
        members = codes == number
        label = clip(attribute.labels[number], 30)
        ax.scatter(numbers[0][members], numbers[1][members], label=label, s=26, alpha=0.75, **dot_look(number))
    for point in cuts.get(x, ()):
        ax.axvline(point, color=INK, linestyle="--", linewidth=1.2)
    for point in cuts.get(y, ()):
        ax.axhline(point, color=INK, linestyle="--", linewidth=1.2)
    ax.plot([], [], color=INK, linestyle="--", linewidth=1.2, label="cut")
    ax.set(xlabel=clip(x, 40), ylabel=clip(y, 40))
    return below(ax)


def fuzzy_degrees(table: Table, concept: object, name: str, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw the degree to which values of a numeric column belong to a class, surely (lower) and possibly (upper).

    >>> from anonnb import load
    >>> fuzzy_degrees(load("iris"), "Iris-setosa", "petal_length").get_xlabel()
    'petal_length'
    """
    ax = axes(ax)
    approximation = roughsets.fuzzy.approximate(table, concept, [name], **options)
    numbers = table.attributes[name].numbers[table.codes(name)]
    values, first = np.unique(numbers[~np.isnan(numbers)], return_index=True)
    rows = np.flatnonzero(~np.isnan(numbers))[first]
    for index, (name_of_curve, degrees) in enumerate(
        {"upper: possibly": approximation.upper, "lower: surely": approximation.lower}.items()
    ):
        ax.plot(values, degrees[rows], label=name_of_curve, **line_look(1 - index) | {"markersize": 4})
    ax.fill_between(values, approximation.lower[rows], approximation.upper[rows], color=tint(GREY), label="boundary")
    label = " or ".join(map(text, concept)) if isinstance(concept, list | tuple) else text(concept)
    ax.set(xlabel=clip(name, 40), ylabel=f"degree of {clip(label, 30)}", ylim=(-0.04, 1.04))
    return below(ax)
