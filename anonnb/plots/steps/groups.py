"""Rows in groups as points and boxes over two attributes; groups that are new since the step before stand out.

A group has a colour and a mark of its own if there are few; many groups are boxes that look alike. If there is only one
attribute, the groups are drawn below each other. The table alone decides which attributes are drawn, so that the axes
stay the same throughout a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from anonnb.plots.parts.texts import SMALL, clip, fitted, text_size
from anonnb.plots.steps.cells import group_contents
from anonnb.plots.steps.drawing import SizedDrawing
from anonnb.plots.style import GREY, INK, MARKERS, ORANGE, PALETTE, Style, axes, tint
from anonnb.steps.states import RowGroups
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MAX_POINTS = 3_000  # beyond it every n-th row is drawn
MAX_STYLES = 8  # groups that have a colour and a mark each
MAX_RINGS = 30  # marked rows that have a ring each; more of them are dark dots
MAX_TICKS = 12  # categories that are named on an axis
MAX_NAMES = 12  # rows that are labeled with their names
SHORT = 0.15  # inches of a name of one letter
NARROWEST = 3.0  # inches of a chart
_SPREAD = 0.32  # of a category's room on either side


@dataclass(frozen=True)
class Boxes:
    """For each row its group (-1: none), for each group its box over two attributes, and what is new."""

    state: RowGroups
    names: tuple[str, ...]
    lows: np.ndarray  # attributes × groups
    highs: np.ndarray
    new: np.ndarray


def groups_drawing(
    state: RowGroups | Release, previous: object, width: float, x: str | None, y: str | None
) -> SizedDrawing:
    """Return a chart of points and boxes of the given width."""
    boxes = _boxes(state, previous, _two(as_groups(state).table, x, y))
    wide = max(width, NARROWEST)
    return SizedDrawing(wide, max(0.62 * wide, 2.4), lambda ax: _draw(ax, boxes, wide), chart=True)


def as_groups(state: RowGroups | Release) -> RowGroups:
    """Return the classes of a release as groups of original rows; unpublished rows are in none."""
    if isinstance(state, RowGroups):
        return state
    groups = np.full(len(state.table), -1, dtype=np.int64)
    published, original = state.owners
    groups[original] = state.groups[published]
    return RowGroups(state.table, groups)


def linked(release: Release) -> bool:
    """Tell whether each published row is known to be one original row."""
    try:
        return len(release.owners[0]) == len(release)
    except ValueError:
        return False


def _two(table: Table, x: str | None, y: str | None) -> tuple[str, ...]:
    """Return one or two attributes: the given ones, or those with the most even values, numbers first."""
    for name in (x, y):
        if name is not None and name not in table.quasi:
            raise KeyError(f"{name!r} is no quasi-identifier; choose from {', '.join(map(str, table.quasi))}")
    order = sorted(table.quasi, key=lambda name: (table.attributes[name].kind != "numeric", -_evenness(table, name)))
    free = [name for name in order if name not in (x, y)]
    first = x if x is not None else free.pop(0)
    return (first, y) if y is not None else (first, *free[:1])


def _evenness(table: Table, name: str) -> float:
    """Return the entropy of an attribute: its number of values, with rare ones counting less."""
    shares = table.counts(name) / max(len(table), 1)
    shares = shares[shares > 0]
    return float(-(shares * np.log(shares)).sum())


def _boxes(state: RowGroups | Release, previous: object, names: tuple[str, ...]) -> Boxes:
    before = _comparable(previous, len(as_groups(state).groups))
    now = as_groups(state) if before is None or isinstance(state, RowGroups) else _like(as_groups(state), before)
    largest = int(now.groups.max(initial=-1)) + 1
    lows, highs = np.full((len(names), largest), np.inf), np.full((len(names), largest), -np.inf)
    inside = np.flatnonzero(now.groups >= 0)
    for index, name in enumerate(names):
        attribute = now.table.attributes[name]
        low, high = _ends(state, name, attribute, inside)
        np.minimum.at(lows[index], now.groups[inside], low)
        np.maximum.at(highs[index], now.groups[inside], high)
    if before is None:
        return Boxes(now, names, lows, highs, np.zeros(largest, dtype=bool))
    kept = np.isin(group_contents(now.groups), group_contents(before.groups)) | (now.groups < 0)
    new = np.zeros(largest, dtype=bool)
    new[now.groups[~kept]] = True
    return Boxes(now, names, lows, highs, new)


def _comparable(previous: object, rows: int) -> RowGroups | None:
    """Return the groups of the step before, if it had groups of as many rows."""
    if not isinstance(previous, RowGroups) and not (isinstance(previous, Release) and linked(previous)):
        return None
    before = as_groups(previous)
    return before if len(before.groups) == rows else None


def _like(now: RowGroups, before: RowGroups) -> RowGroups:
    """Number the classes of a release like the same groups before, so that they keep their styles."""
    old = dict(zip(group_contents(before.groups).tolist(), before.groups.tolist(), strict=True))
    numbers, first = np.unique(now.groups, return_index=True)
    same = [old.get(content, -1) for content in group_contents(now.groups)[first].tolist()]
    used = set(same)
    free = (number for number in count() if number not in used)
    new = [
        -1 if number < 0 else next(free) if known < 0 else known for number, known in zip(numbers, same, strict=True)
    ]
    return RowGroups(now.table, np.array(new)[np.searchsorted(numbers, now.groups)], now.marked)


def _ends(
    state: RowGroups | Release, name: str, attribute: Attribute, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of each row's published interval along an attribute; for unfinished groups, its own value."""
    if isinstance(state, RowGroups):
        values = _positions(attribute)[state.table.codes(name)[rows]]
        return values, values
    column, where = state.columns[name], np.full(len(state.table), -1, dtype=np.int64)
    published, original = state.owners
    where[original] = published
    positions, sets = _positions(column.attribute), column.index[where[rows]]
    return positions[column.sets.lo[sets]], positions[column.sets.hi[sets]]


def _positions(attribute: Attribute) -> np.ndarray:
    """Return the position of each code on an axis; a missing number is past the largest."""
    positions = np.array(attribute.numbers if attribute.kind == "numeric" else np.arange(attribute.size), dtype=float)
    known = positions[np.isfinite(positions)]
    positions[~np.isfinite(positions)] = known.max() + max(np.ptp(known) / 10, 1) if len(known) else 0.0
    return positions


def _margin(attribute: Attribute) -> float:
    """Return the margin around a value: that of a category or a whole number, or a hundredth of the range."""
    positions = _positions(attribute)
    whole = attribute.kind != "numeric" or ((positions == np.round(positions)).all() and np.ptp(positions) < 200)
    return _SPREAD if whole else float(np.ptp(positions)) / 100


# ---- drawing ---------------------------------------------------------------------------------------------------------


def _draw(ax: Axes, boxes: Boxes, width: float) -> None:
    axes(ax)
    attributes = [boxes.state.table.attributes[name] for name in boxes.names]
    _draw_boxes(ax, boxes, attributes)
    _draw_points(ax, boxes, attributes)
    _draw_names(ax, boxes, attributes, width)
    _label(ax.xaxis, attributes[0])
    if len(attributes) > 1:
        _label(ax.yaxis, attributes[1])
    else:
        ax.set_ylabel("group")
        ax.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.margins(0.07, 0.12)  # so that marks at the edge are whole, also where the diagram is low
    ax.autoscale_view()
    _fix_limits(ax, boxes, attributes)
    handles = _key(boxes) or [Patch(alpha=0, label=" ")]  # its line is kept, so that frames have the same axes
    for handle in handles:
        handle.set_label(
            fitted(handle.get_label(), max(width / 2 - 0.6, 0.9))
        )  # names on the other axis take their room
    index: Style = {"loc": "lower left", "bbox_to_anchor": (0, 1.0), "ncols": 2, "borderaxespad": 0.3}
    ax.legend(handles=handles, frameon=False, fontsize=SMALL, handletextpad=0.4, columnspacing=1.2, **index)


def _fix_limits(ax: Axes, boxes: Boxes, attributes: list[Attribute]) -> None:
    """Let the axes of two attributes depend on the table, and only on a box that is wider than the data."""
    if len(attributes) < 2:
        return
    for index, attribute in enumerate(attributes):
        values = _positions(attribute)[boxes.state.table.codes(attribute.name)]
        drawn = np.isfinite(boxes.lows[index])
        low = min(values.min(initial=np.inf), boxes.lows[index][drawn].min(initial=np.inf))
        high = max(values.max(initial=-np.inf), boxes.highs[index][drawn].max(initial=-np.inf))
        if low <= high:
            pad = 1.3 * _margin(attribute) + 0.05 * (high - low)
            limits = low - pad, high + pad * (1 + index)
            ax.set(**{"ylim" if index else "xlim": limits})  # names stand above the points


def _across(boxes: Boxes, rows: np.ndarray, attributes: list[Attribute]) -> list[np.ndarray]:
    """Return the positions of rows; with one attribute, at the height of their group.

    If some coincide, all are spread a little, always in the same way.
    """
    rng = np.random.default_rng(0)
    spots, reach = [], 0.8 * _stand_upon_each_other(boxes.state.table, attributes)
    for attribute in attributes:
        spread = _margin(attribute) * rng.uniform(-reach, reach, len(boxes.state.groups))
        spots.append((_positions(attribute)[boxes.state.table.codes(attribute.name)] + spread)[rows])
    return spots if len(spots) > 1 else [*spots, boxes.state.groups[rows].astype(float)]


def _stand_upon_each_other(table: Table, attributes: list[Attribute]) -> bool:
    spots = np.column_stack([table.codes(attribute.name) for attribute in attributes])
    return len(np.unique(spots, axis=0)) < len(spots)


def _draw_points(ax: Axes, boxes: Boxes, attributes: list[Attribute]) -> None:
    state = boxes.state
    rows = np.arange(0, len(state.groups), max(-(-len(state.groups) // MAX_POINTS), 1))
    groups = state.groups[rows]
    few = boxes.lows.shape[1] <= MAX_STYLES
    size = float(np.clip(2400 / max(len(rows), 1), 7, 42))
    for number in np.unique(groups):
        members = groups == number if few or number < 0 else groups >= 0
        xs, ys = _across(boxes, rows[members], attributes)
        ax.scatter(xs, ys, s=size, zorder=3, **_point_style(int(number), few))
        if not few and number >= 0:
            break
    if len(state.marked):
        xs, ys = _across(boxes, state.marked[:MAX_POINTS], attributes)
        ring: Style = {"s": 2.6 * size + 30, "facecolors": "none", "edgecolors": INK, "linewidths": 1.3}
        dot: Style = {"s": size, "color": INK, "marker": "o", "linewidths": 0}
        ax.scatter(xs, ys, zorder=4, **(ring if len(state.marked) <= MAX_RINGS else dot))


def _draw_names(ax: Axes, boxes: Boxes, attributes: list[Attribute], width: float) -> None:
    """Label a few rows with their names, if these are texts and no two labels meet."""
    names = list(boxes.state.table.index)
    if len(names) > MAX_NAMES or len(attributes) < 2 or not all(isinstance(name, str) for name in names):
        return
    labels = [clip(name, 12) for name in names]
    xs, ys = _across(boxes, np.arange(len(names)), attributes)
    wide = np.array([text_size(label)[0] for label in labels])
    room = (wide[:, None] + wide + 0.1) / 2 / (0.7 * width) * (np.ptp(xs) or 1)
    meet = (np.abs(xs[:, None] - xs) < room) & (np.abs(ys[:, None] - ys) < 0.15 * (np.ptp(ys) or 1))
    if meet.sum() == len(names):
        for label, x, y in zip(labels, xs, ys, strict=True):
            place: Style = {"xytext": (0, 6), "textcoords": "offset points", "ha": "center", "va": "bottom"}
            if wide.max() < SHORT:  # beside the point, out of the way of the next point above
                place |= {"xytext": (7, 0), "ha": "left"}
            name = ax.annotate(label, (x, y), fontsize=SMALL, zorder=5, **place)
            name.set_path_effects([withStroke(linewidth=2.5, foreground="white")])  # readable upon a frame


def _point_style(number: int, few: bool) -> Style:
    if number < 0:
        return {"marker": "x", "color": GREY, "linewidths": 1.0}
    style = {"color": PALETTE[number % len(PALETTE)], "marker": MARKERS[number % len(MARKERS)]} if few else {}
    return {"color": GREY, "marker": "o", "linewidths": 0, "alpha": 0.9 if few else 0.6} | style


def _draw_boxes(ax: Axes, boxes: Boxes, attributes: list[Attribute]) -> None:
    drawn = np.flatnonzero(np.isfinite(boxes.lows[0]))
    if not len(drawn):
        return
    margins = [_margin(attribute) for attribute in attributes]
    left, right = boxes.lows[0, drawn] - margins[0], boxes.highs[0, drawn] + margins[0]
    if len(attributes) > 1:
        low, high = boxes.lows[1, drawn] - margins[1], boxes.highs[1, drawn] + margins[1]
    else:
        low, high = drawn - 0.3, drawn + 0.3
    corners = np.array([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1)
    few = boxes.lows.shape[1] <= MAX_STYLES
    for new in (False, True):
        members = np.flatnonzero(boxes.new[drawn] == new)
        edges = [PALETTE[number % len(PALETTE)] for number in drawn[members]] if few else ORANGE if new else GREY
        style: Style = {"linewidth": 2.4 if new else 1.0, "edgecolor": edges, "zorder": 2 if new else 1}
        ax.add_collection(PolyCollection(list(corners[members]), facecolor="none", **style))
        if new:
            fill: Style = {"facecolor": tint(ORANGE, 0.18), "edgecolor": "none", "zorder": 0.5}
            ax.add_collection(PolyCollection(list(corners[members]), **fill))


def _key(boxes: Boxes) -> list[Artist]:
    handles: list[Artist] = []
    if boxes.new.any():
        style: Style = {"facecolor": tint(ORANGE, 0.18), "edgecolor": INK, "linewidth": 2.4}
        handles.append(Patch(**style, label="new in this step"))
    if (boxes.state.groups < 0).any():
        handles.append(Line2D([], [], linestyle="", marker="x", color=GREY, label="row in no group"))
    if len(boxes.state.marked):
        many = len(boxes.state.marked) > MAX_RINGS
        style = {"markersize": 5, "color": INK} if many else {"markersize": 9, "markerfacecolor": "none"}
        ring: Style = {"linestyle": "", "marker": "o", "markeredgecolor": INK} | style
        handles.append(Line2D([], [], **ring, label="rows in question"))
    return handles


def _label(axis: Axis, attribute: Attribute) -> None:
    axis.set_label_text(clip(attribute.name, 40))
    if attribute.kind == "numeric":
        whole = not (attribute.numbers[~np.isnan(attribute.numbers)] % 1).any()
        axis.set_major_locator(MaxNLocator(5 if isinstance(axis, XAxis) else 6, integer=whole))
        return
    codes = np.arange(0, attribute.size, max(-(-attribute.size // MAX_TICKS), 1))
    labels = [clip(attribute.labels[code], 24) for code in codes]
    axis.set_ticks(codes, labels, fontsize=SMALL)
    if isinstance(axis, XAxis) and sum(map(len, labels)) > 40:
        for tick in axis.get_ticklabels():
            tick.set(rotation=40, ha="right", rotation_mode="anchor")
