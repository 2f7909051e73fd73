"""Rows in groups as points and boxes over two attributes; groups that are new since the step before stand out.

A group has a colour and a mark of its own if there are few; many groups are boxes that look alike. If there is only one
attribute, the groups are drawn below each other. The table alone decides which attributes are drawn, so that the axes
stay the same throughout a run.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from anonnb.plots.parts.texts import SMALL, fitted, shown
from anonnb.plots.steps.cells import group_contents
from anonnb.plots.steps.drawing import SizedDrawing
from anonnb.plots.style import GREY, INK, MARKERS, ORANGE, PALETTE, axes, tint
from anonnb.steps.states import RowGroups
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MOST_POINTS = 3_000  # beyond it every n-th row is drawn
MOST_LOOKS = 8  # groups that have a colour and a mark each
MOST_RINGS = 30  # marked rows that have a ring each; more of them are dark dots
MOST_TICKS = 12  # categories that are named on an axis
NARROWEST = 3.0  # inches of a chart
_SPREAD = 0.32  # of a category's room on either side


@dataclass(frozen=True)
class Boxes:
    """What is drawn: for each row its group (-1: none), for each group its box over two attributes, and what is new."""

    state: RowGroups
    names: tuple[str, ...]
    lows: np.ndarray  # attributes × groups
    highs: np.ndarray
    new: np.ndarray


def groups_drawing(
    state: RowGroups | Release, previous: object, width: float, x: str | None, y: str | None
) -> SizedDrawing:
    """Points and boxes in a chart of the given width."""
    boxes = _boxes(state, previous, _two(as_groups(state).table, x, y))
    wide = max(width, NARROWEST)
    return SizedDrawing(wide, max(0.62 * wide, 2.4), lambda ax: _draw(ax, boxes, wide), chart=True)


def as_groups(state: RowGroups | Release) -> RowGroups:
    """The classes of a release as groups of original rows; rows that are not published are in none."""
    if isinstance(state, RowGroups):
        return state
    groups = np.full(len(state.table), -1, dtype=np.int64)
    published, original = state.owners
    groups[original] = state.groups[published]
    return RowGroups(state.table, groups)


def linked(release: Release) -> bool:
    """Whether each published row is known to be one original row."""
    try:
        return len(release.owners[0]) == len(release)
    except ValueError:
        return False


def _two(table: Table, x: str | None, y: str | None) -> tuple[str, ...]:
    """One or two attributes: the given ones, or those with the most even values, numbers first."""
    for name in (x, y):
        if name is not None and name not in table.quasi:
            raise KeyError(f"{name!r} is no quasi-identifier; choose from {', '.join(map(str, table.quasi))}")
    order = sorted(table.quasi, key=lambda name: (table.attributes[name].kind != "numeric", -_evenness(table, name)))
    free = [name for name in order if name not in (x, y)]
    first = x if x is not None else free.pop(0)
    return (first, y) if y is not None else (first, *free[:1])


def _evenness(table: Table, name: str) -> float:
    """How many values an attribute has, those that are rare counting less: its entropy."""
    shares = table.counts(name) / max(len(table), 1)
    shares = shares[shares > 0]
    return float(-(shares * np.log(shares)).sum())


def _boxes(state: RowGroups | Release, previous: object, names: tuple[str, ...]) -> Boxes:
    before = _comparable(previous, len(as_groups(state).groups))
    now = as_groups(state) if before is None or isinstance(state, RowGroups) else _like(as_groups(state), before)
    largest = int(now.groups.max(initial=-1)) + 1
    lows, highs = np.full((len(names), largest), np.inf), np.full((len(names), largest), -np.inf)
    inside = np.flatnonzero(now.groups >= 0)
    for place, name in enumerate(names):
        attribute = now.table.attributes[name]
        low, high = _ends(state, name, attribute, inside)
        np.minimum.at(lows[place], now.groups[inside], low)
        np.maximum.at(highs[place], now.groups[inside], high)
    if before is None:
        return Boxes(now, names, lows, highs, np.zeros(largest, dtype=bool))
    kept = np.isin(group_contents(now.groups), group_contents(before.groups)) | (now.groups < 0)
    new = np.zeros(largest, dtype=bool)
    new[now.groups[~kept]] = True
    return Boxes(now, names, lows, highs, new)


def _comparable(previous: object, rows: int) -> RowGroups | None:
    """The groups of the step before, if it had groups of as many rows."""
    if not isinstance(previous, RowGroups) and not (isinstance(previous, Release) and linked(previous)):
        return None
    before = as_groups(previous)
    return before if len(before.groups) == rows else None


def _like(now: RowGroups, before: RowGroups) -> RowGroups:
    """The classes of a release numbered like the same groups before, so that they keep their looks."""
    old = dict(zip(group_contents(before.groups).tolist(), before.groups.tolist(), strict=True))
    numbers, first = np.unique(now.groups, return_index=True)
    same = [old.get(content, -1) for content in group_contents(now.groups)[first].tolist()]
    taken = set(same)
    free = (number for number in count() if number not in taken)
    new = [
        -1 if number < 0 else next(free) if known < 0 else known for number, known in zip(numbers, same, strict=True)
    ]
    return RowGroups(now.table, np.array(new)[np.searchsorted(numbers, now.groups)], now.marked)


def _ends(
    state: RowGroups | Release, name: str, attribute: Attribute, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of each row's published interval along an attribute; for unfinished groups, its own value."""
    if isinstance(state, RowGroups):
        own = _places(attribute)[state.table.codes(name)[rows]]
        return own, own
    column, where = state.columns[name], np.full(len(state.table), -1, dtype=np.int64)
    published, original = state.owners
    where[original] = published
    places, sets = _places(column.attribute), column.index[where[rows]]
    return places[column.sets.lo[sets]], places[column.sets.hi[sets]]


def _places(attribute: Attribute) -> np.ndarray:
    """The place of each code on an axis; a missing number is beyond the largest."""
    places = np.array(attribute.numbers if attribute.kind == "numeric" else np.arange(attribute.size), dtype=float)
    known = places[np.isfinite(places)]
    places[~np.isfinite(places)] = known.max() + max(np.ptp(known) / 10, 1) if len(known) else 0.0
    return places


def _room(attribute: Attribute) -> float:
    """Room around a value: that of a category or a whole number, or a hundredth of the range."""
    places = _places(attribute)
    whole = attribute.kind != "numeric" or ((places == np.round(places)).all() and np.ptp(places) < 200)
    return _SPREAD if whole else float(np.ptp(places)) / 100


# ---- drawing ---------------------------------------------------------------------------------------------------------


def _draw(ax: Axes, boxes: Boxes, width: float) -> None:
    axes(ax)
    attributes = [boxes.state.table.attributes[name] for name in boxes.names]
    _draw_boxes(ax, boxes, attributes)
    _draw_points(ax, boxes, attributes)
    _label(ax.xaxis, attributes[0])
    if len(attributes) > 1:
        _label(ax.yaxis, attributes[1])
    else:
        ax.set_ylabel("group")
        ax.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.margins(0.07, 0.12)  # so that marks at the edge are whole, also where the diagram is low
    ax.autoscale_view()
    handles = _key(boxes)
    for handle in handles:
        handle.set_label(fitted(handle.get_label(), max(width - 2.2, 0.9)))  # names on the other axis take their room
    if handles:
        columns = 2 if width > 6 else 1
        place = {"loc": "lower left", "bbox_to_anchor": (0, 1.0), "ncols": columns, "borderaxespad": 0.3}
        ax.legend(handles=handles, frameon=False, fontsize=SMALL, handletextpad=0.4, columnspacing=1.2, **place)


def _across(boxes: Boxes, rows: np.ndarray, attributes: list[Attribute]) -> list[np.ndarray]:
    """The places of rows; with one attribute, at the height of their group.

    If some coincide, all are spread a little, always in the same way.
    """
    rng = np.random.default_rng(0)
    spots, reach = [], 0.8 * _stand_upon_each_other(boxes.state.table, attributes)
    for attribute in attributes:
        spread = _room(attribute) * rng.uniform(-reach, reach, len(boxes.state.groups))
        spots.append((_places(attribute)[boxes.state.table.codes(attribute.name)] + spread)[rows])
    return spots if len(spots) > 1 else [*spots, boxes.state.groups[rows].astype(float)]


def _stand_upon_each_other(table: Table, attributes: list[Attribute]) -> bool:
    spots = np.column_stack([table.codes(attribute.name) for attribute in attributes])
    return len(np.unique(spots, axis=0)) < len(spots)


def _draw_points(ax: Axes, boxes: Boxes, attributes: list[Attribute]) -> None:
    state = boxes.state
    rows = np.arange(0, len(state.groups), max(-(-len(state.groups) // MOST_POINTS), 1))
    groups = state.groups[rows]
    few = boxes.lows.shape[1] <= MOST_LOOKS
    size = float(np.clip(2400 / max(len(rows), 1), 7, 42))
    for number in np.unique(groups):
        mine = groups == number if few or number < 0 else groups >= 0
        xs, ys = _across(boxes, rows[mine], attributes)
        ax.scatter(xs, ys, s=size, zorder=3, **_point_look(int(number), few))
        if not few and number >= 0:
            break
    if len(state.marked):
        xs, ys = _across(boxes, state.marked[:MOST_POINTS], attributes)
        ring = {"s": 2.6 * size + 30, "facecolors": "none", "edgecolors": INK, "linewidths": 1.3}
        dot = {"s": size, "color": INK, "marker": "o", "linewidths": 0}
        ax.scatter(xs, ys, zorder=4, **(ring if len(state.marked) <= MOST_RINGS else dot))


def _point_look(number: int, few: bool) -> dict:
    if number < 0:
        return {"marker": "x", "color": GREY, "linewidths": 1.0}
    look = {"color": PALETTE[number % len(PALETTE)], "marker": MARKERS[number % len(MARKERS)]} if few else {}
    return {"color": GREY, "marker": "o", "linewidths": 0, "alpha": 0.9 if few else 0.6} | look


def _draw_boxes(ax: Axes, boxes: Boxes, attributes: list[Attribute]) -> None:
    drawn = np.flatnonzero(np.isfinite(boxes.lows[0]))
    if not len(drawn):
        return
    rooms = [_room(attribute) for attribute in attributes]
    left, right = boxes.lows[0, drawn] - rooms[0], boxes.highs[0, drawn] + rooms[0]
    if len(attributes) > 1:
        low, high = boxes.lows[1, drawn] - rooms[1], boxes.highs[1, drawn] + rooms[1]
    else:
        low, high = drawn - 0.3, drawn + 0.3
    corners = np.array([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1)
    few = boxes.lows.shape[1] <= MOST_LOOKS
    for new in (False, True):
        mine = np.flatnonzero(boxes.new[drawn] == new)
        edges = [PALETTE[number % len(PALETTE)] for number in drawn[mine]] if few else ORANGE if new else GREY
        look = {"linewidth": 2.4 if new else 1.0, "edgecolor": edges, "zorder": 2 if new else 1}
        ax.add_collection(PolyCollection(corners[mine], facecolor="none", **look))
        if new:
            ax.add_collection(PolyCollection(corners[mine], facecolor=tint(ORANGE, 0.18), edgecolor="none", zorder=0.5))


def _key(boxes: Boxes) -> list:
    handles = []
    if boxes.new.any():
        look = {"facecolor": tint(ORANGE, 0.18), "edgecolor": INK, "linewidth": 2.4}
        handles.append(Patch(**look, label="changed since the step before"))
    if (boxes.state.groups < 0).any():
        handles.append(Line2D([], [], linestyle="", marker="x", color=GREY, label="row in no group"))
    if len(boxes.state.marked):
        many = len(boxes.state.marked) > MOST_RINGS
        look = {"markersize": 5, "color": INK} if many else {"markersize": 9, "markerfacecolor": "none"}
        ring = {"linestyle": "", "marker": "o", "markeredgecolor": INK} | look
        handles.append(Line2D([], [], **ring, label="what the step is about"))
    return handles


def _label(axis: Axis, attribute: Attribute) -> None:
    axis.set_label_text(shown(attribute.name, 40))
    if attribute.kind == "numeric":
        whole = not (attribute.numbers[~np.isnan(attribute.numbers)] % 1).any()
        axis.set_major_locator(MaxNLocator(5 if axis.axis_name == "x" else 6, integer=whole))
        return
    codes = np.arange(0, attribute.size, max(-(-attribute.size // MOST_TICKS), 1))
    labels = [shown(attribute.labels[code], 24) for code in codes]
    axis.set_ticks(codes, labels, fontsize=SMALL)
    if axis.axis_name == "x" and sum(map(len, labels)) > 40:
        for tick in axis.get_ticklabels():
            tick.set(rotation=40, ha="right", rotation_mode="anchor")
