"""The cells of a release over two of its attributes: classes as boxes or centres with the rows, patterns as frames."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis, XAxis
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle

from anonnb.core.arrays import first_places
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import (
    BLUE,
    FAINT,
    GREEN,
    GREY,
    INK,
    ORANGE,
    Style,
    axes,
    below,
    beside,
    finding,
    line_look,
    tint,
)
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release

MAX_SIZES = 12  # boxes whose number of rows is written into them, or rows whose names are
MAX_COMPARED = 2_000  # boxes among which overlaps are counted
MAX_POINTS = 4_000  # beyond it every n-th row is drawn
MAX_LABELS = 20  # categories beyond which the letters get small
MARGIN = 0.42  # of a category's or a whole number's room on either side


def boxes(
    release: Release,
    x: str | None = None,
    y: str | None = None,
    *,
    color: str | None = None,
    sizes: bool | None = None,
    most: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw each class of a release as a box over two quasi-identifiers, and rows as points.

    Categories are drawn at their position in the domain, and their points are spread a little, always in the same way.
    Boxes that differ only in other attributes lie on top of each other. The title says how many boxes overlap.

    Parameters
    ----------
    release:
        A release that is linked to its original rows.
    x, y:
        The quasi-identifiers; the first two by default.
    sizes:
        Whether to write the number of rows into each box; by default when there are few.
    most:
        The most boxes to draw; of more, every n-th is drawn, and the axis says so.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import Mondrian
    >>> boxes(Mondrian(k=10).anonymize(load("survey"))).get_title()
    '4 boxes of 10 to 26 rows; 0 overlap another'
    """
    x, y = _two_names(release, x, y)
    ax = axes(ax)
    _draw_points(release, x, y, color, ax)
    drawn, note = np.arange(release.n_groups), ""
    if most is not None and len(drawn) > most:
        drawn = np.linspace(0, len(drawn) - 1, most).astype(int)
        note = f" ({most:,} of {release.n_groups:,} boxes drawn)"
    first = first_places(release.groups, release.n_groups)[drawn]
    left, right = _ends(release, x, first)
    low, high = _ends(release, y, first)
    # corners × boxes × (x, y); a patch for each box would take most of the time
    corners = np.array([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1)
    ax.add_collection(PolyCollection(list(corners), facecolor=BLUE, alpha=0.08))
    ax.add_collection(PolyCollection(list(corners), facecolor="none", edgecolor=BLUE, linewidth=1.2))
    if release.n_groups <= MAX_SIZES if sizes is None else sizes:
        for corner_x, corner_y, size in zip(right, high, release.group_sizes[drawn], strict=True):
            _write(ax, f"{size}", corner_x, corner_y)
    _label(ax.xaxis, release.table.attributes[x], note)
    _label(ax.yaxis, release.table.attributes[y])
    ax.autoscale_view()
    if color is not None:
        beside(ax, title=clip(color), markerscale=1.5)
    return finding(ax, _summary(release, x, y, left, right, low, high))


def _summary(release: Release, x: str, y: str, *ends: np.ndarray) -> str:
    """Say how many boxes there are, how many overlap another, and why they may."""
    left, right, low, high = ends
    summary = f"{release.n_groups:,} boxes of {release.group_sizes.min():,} to {release.group_sizes.max():,} rows"
    if len(left) > MAX_COMPARED:
        return summary
    meet = (left[:, None] < right) & (left < right[:, None]) & (low[:, None] < high) & (low < high[:, None])
    overlapping = int((meet.sum(axis=1) > 1).sum())
    others = [name for name in release.quasi if name not in (x, y)]
    why = ", which may differ in other columns" if others else ""
    return f"{summary}; {overlapping:,} overlap another{why if overlapping else ''}"


def centres(release: Release, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw each row as a point, with a line to the single value published for its group.

    Larger dots are the published values. A few rows are labeled with their names.

    Parameters
    ----------
    release:
        A release that publishes single values, such as microaggregation.
    x, y:
        Two numeric quasi-identifiers; the first two by default.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import Microaggregation
    >>> iris = load("iris").with_roles(quasi=["petal_length", "petal_width"])
    >>> centres(Microaggregation(k=10).anonymize(iris)).get_xlabel()
    'petal_length'
    """
    x, y = _two_names(release, x, y)
    ax = axes(ax)
    ends = []
    for name in (x, y):
        original, column = release.table.attributes[name], release.columns[name]
        shown_at = _positions(column.attribute)[column.sets.lo[column.index]]
        ends.append((_positions(original)[release.table.codes(name)[release.rows]], shown_at))
    (x_true, x_shown), (y_true, y_shown) = ends
    lines = np.array([[x_true, y_true], [x_shown, y_shown]]).transpose(2, 0, 1)
    ax.add_collection(LineCollection(list(lines), colors=GREY, linewidths=0.8, alpha=0.5))
    ax.scatter(x_true, y_true, s=9, color=BLUE, linewidths=0, label="original row")
    ax.scatter(x_shown, y_shown, s=30, color=ORANGE, marker="D", linewidths=0, zorder=3, label="published center")
    if len(release.table) <= MAX_SIZES:
        for row, at_x, at_y in zip(release.owners[1], x_true, y_true, strict=True):
            _write(ax, clip(release.table.index[row]), at_x, at_y)
    _label(ax.xaxis, release.table.attributes[x])
    _label(ax.yaxis, release.table.attributes[y])
    finding(ax, f"{len(release):,} rows become {release.n_groups:,} centers")
    return below(ax)


def _two_names(release: Release, x: str | None, y: str | None) -> tuple[str, str]:
    if release.rows is None:
        raise ValueError("boxes needs a release that is linked to its original rows")
    given = [name for name in (x, y) if name is not None]
    for name in given:
        if name not in release.quasi:
            raise KeyError(f"{name!r} is no quasi-identifier of the release; choose from {', '.join(release.quasi)}")
    free = [name for name in release.quasi if name not in given]
    if len(given) + len(free) < 2:
        raise ValueError("boxes needs a release with at least two quasi-identifiers")
    x = free.pop(0) if x is None else x
    return x, free[0] if y is None else y


def _positions(attribute: Attribute) -> np.ndarray:
    """Return the position of each code on an axis; a missing number is a tenth of the range past the largest."""
    positions = attribute.numbers.copy()
    if attribute.missing:
        known = positions[:-1]
        positions[-1] = known.max() + max(np.ptp(known) / 10, 1) if len(known) else 0.0
    return positions


def _margin(attribute: Attribute) -> float:
    """Return the margin around a value: that of a whole number or a rank, or a hundredth of the range."""
    positions = _positions(attribute)
    whole = bool((positions == np.round(positions)).all()) and len(positions) < 200
    return MARGIN if whole else float(np.ptp(positions)) / 100


def _ends(release: Release, name: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of the boxes of some published rows along one attribute."""
    column = release.columns[name].take(rows)
    position, margin = _positions(column.attribute), _margin(release.table.attributes[name])
    low, high = position[column.sets.lo[column.index]], position[column.sets.hi[column.index]]
    return low - margin, high + margin


def _draw_points(release: Release, x: str, y: str, color: str | None, ax: Axes) -> None:
    rng = np.random.default_rng(0)
    chosen = np.arange(0, len(release), -(-len(release) // MAX_POINTS))
    assert release.rows is not None  # _two_names has checked it
    rows = release.rows[chosen]
    spots = []
    for name in (x, y):
        attribute = release.table.attributes[name]
        spread = _margin(attribute) * 0.8
        spots.append(_positions(attribute)[release.table.codes(name)[rows]] + rng.uniform(-spread, spread, len(rows)))
    if color is None:
        ax.scatter(spots[0], spots[1], s=9, color=FAINT, alpha=0.6, linewidths=0)
        return
    attribute, codes = release.table.attributes[color], release.table.codes(color)[rows]
    for code, label in enumerate(attribute.labels):
        members, look = codes == code, line_look(code + 1)  # the first colour is that of the boxes
        style: Style = {"color": look["color"], "marker": look["marker"], "s": 16, "alpha": 0.85, "linewidths": 0}
        ax.scatter(spots[0][members], spots[1][members], label=clip(label), **style)


def _write(ax: Axes, text: str, x: float, y: float) -> None:
    """Write a text inside the upper right corner of a box."""
    back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    offset: Style = {"xytext": (-4, -4), "textcoords": "offset points", "ha": "right", "va": "top"}
    ax.annotate(text, (x, y), weight="bold", bbox=back, **offset)


def _label(axis: Axis, attribute: Attribute, note: str = "") -> None:
    """Label an axis and its categories, every n-th of many; long labels are slanted."""
    axis.set_label_text(clip(attribute.name) + note)
    if attribute.kind == "numeric":
        return
    step = -(-attribute.size // MAX_LABELS)
    labels = [clip(label, 40) for label in attribute.labels[::step]]
    axis.set_ticks(np.arange(0, attribute.size, step), labels)
    if isinstance(axis, XAxis) and sum(map(len, labels)) > 50:
        for tick in axis.get_ticklabels():
            tick.set(rotation=40, ha="right", rotation_mode="anchor")


# ---- pattern tables --------------------------------------------------------------------------------------------------


def pattern_boxes(
    release: Release,
    x: str | None = None,
    y: str | None = None,
    *,
    rows: bool = True,
    most: int = 40,
    ax: Axes | None = None,
) -> Axes:
    """Draw each published row as boxes over the values of every attribute; dots are its original values.

    A set with gaps becomes several boxes.

    Parameters
    ----------
    x, y:
        The attributes that come first; the decision comes last.
    most:
        The most rows to draw; the title says so.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import PatternTable
    >>> pattern_boxes(PatternTable(k=2).anonymize(load("decision6"))).get_title()
    '12 of 24 cells show several values'
    """
    first = [name for name in (x, y) if name is not None]
    names = [*first, *(name for name in release.columns if name not in {*first, release.decision})]
    names += [release.decision] if release.decision and release.decision not in names else []
    count = min(len(release), most)
    strips = _strips(release, names)
    ax = axes(ax, size=(7.0, 1.5 + 0.2 * count))
    for number, (name, (start, width)) in enumerate(strips.items()):
        _draw_strip(ax, release, name, start, width, count, number, rows)
    ax.set_yticks(range(count), [_row_name(release, row) for row in range(count)], fontsize=SMALL)
    ax.set(xlim=(-0.02, 1.0), ylim=(count - 0.4, -0.6), ylabel="published rows")
    ax.grid(axis="x", visible=False)
    _value_ticks(ax, release, strips)
    several = [column for name in names if (column := release.columns[name]) is not None]
    imprecise = sum(int((column.sizes[:count] > 1).sum()) for column in several)
    summary = f"{imprecise:,} of {count * len(names):,} cells show several values"
    return finding(
        ax, summary + (f" (the first {count} of {len(release):,} published rows)" if count < len(release) else "")
    )


def _strips(release: Release, names: list[str]) -> dict[str, tuple[float, float]]:
    """Return where each attribute begins and how wide a value is; more values get more width, up to a limit."""
    sizes = np.array([min(release.columns[name].attribute.size, 10) + 1.0 for name in names])
    starts = np.concatenate([[0.0], np.cumsum(sizes)[:-1]]) / sizes.sum()
    widths = sizes / sizes.sum() * 0.94
    return {
        name: (float(start), float(width) / release.columns[name].attribute.size)
        for name, start, width in zip(names, starts, widths, strict=True)
    }


def _draw_strip(
    ax: Axes, release: Release, name: str, start: float, width: float, count: int, number: int, rows: bool
) -> None:
    column = release.columns[name]
    colour = ORANGE if name == release.decision else (BLUE, GREEN)[number % 2]
    for row in range(count):
        for low, high in _runs(column.sets.mask(column.index[row])):
            corner = (start + low * width + 0.08 * width, row - 0.36)
            size = ((high - low + 0.84) * width, 0.72)
            ax.add_patch(Rectangle(corner, *size, facecolor=tint(colour, 0.4), edgecolor=colour, linewidth=1.2))
    if rows and release.rows is not None and name in release.table.attributes:
        codes = release.table.codes(name)[release.rows[:count]]
        ax.scatter(start + (codes + 0.5) * width, np.arange(count), s=14, color=INK, zorder=3)


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """Return the intervals of consecutive codes of a set, as first and last code."""
    codes = np.flatnonzero(mask)
    breaks = np.flatnonzero(np.diff(codes) > 1)
    edges = [0, *(breaks + 1), len(codes)]
    return [(int(codes[a]), int(codes[b - 1])) for a, b in itertools.pairwise(edges) if b > a]


def _row_name(release: Release, row: int) -> str:
    if release.rows is None:
        return str(row + 1)
    return clip(release.table.index[release.rows[row]], 12)


def _value_ticks(ax: Axes, release: Release, strips: Mapping[str, tuple[float, float]]) -> None:
    """Write the values below each strip, of a long domain only the first and the last, and the names above."""
    ticks, labels = [], []
    for name, (start, width) in strips.items():
        attribute = release.columns[name].attribute
        codes = range(attribute.size) if attribute.size <= 10 else (0, attribute.size - 1)
        ticks += [start + (code + 0.5) * width for code in codes]
        labels += [clip(attribute.labels[code], 30) for code in codes]
    short = max(map(len, labels), default=0) <= 2
    ax.set_xticks(ticks, labels, rotation=0 if short else 90, fontsize=SMALL)
    top = ax.secondary_xaxis("top")
    middles = [start + width * release.columns[name].attribute.size / 2 for name, (start, width) in strips.items()]
    names = [
        fitted(name, 6.0 * width * release.columns[name].attribute.size, bold=True)
        for name, (_, width) in strips.items()
    ]
    top.set_xticks(middles, names, fontsize=SMALL, fontweight="bold")
    top.tick_params(length=0)
    top.spines[:].set_visible(False)
