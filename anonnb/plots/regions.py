"""The cells of a release over two of its attributes: classes as boxes or centres with the rows, patterns as frames."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.patches import Rectangle

from anonnb.core.arrays import first_places
from anonnb.plots.parts.texts import SMALL, fitted, shown
from anonnb.plots.style import BLUE, FAINT, GREEN, GREY, INK, ORANGE, axes, below, beside, finding, line_look, tint
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release

MOST_SIZES = 12  # boxes whose number of rows is written into them
MOST_COMPARED = 2_000  # boxes among which overlaps are counted
MOST_POINTS = 4_000  # beyond it every n-th row is drawn
MOST_LABELS = 20  # categories beyond which the letters get small
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
    """Each class of a release as a box over two quasi-identifiers, rows as points.

    Categories are drawn at their place in the domain, and their points are spread a little, always in the same way.
    Boxes that differ only in other attributes lie on top of each other. The title says how many boxes overlap.

    Parameters
    ----------
    release:
        A release that is linked to its original rows.
    x, y:
        The quasi-identifiers; the first two by default.
    color:
        A column whose values colour the points.
    sizes:
        Whether to write the number of rows into each box; by default when there are few.
    most:
        The most boxes to draw; of more, every n-th is drawn, and the axis says so.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

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
    ax.add_collection(PolyCollection(corners, facecolor=BLUE, alpha=0.08))
    ax.add_collection(PolyCollection(corners, facecolor="none", edgecolor=BLUE, linewidth=1.2))
    if release.n_groups <= MOST_SIZES if sizes is None else sizes:
        for corner_x, corner_y, size in zip(right, high, release.group_sizes[drawn], strict=True):
            _write(ax, f"{size}", corner_x, corner_y)
    _label(ax.xaxis, release.table.attributes[x], note)
    _label(ax.yaxis, release.table.attributes[y])
    ax.autoscale_view()
    if color is not None:
        beside(ax, title=shown(color), markerscale=1.5)
    return finding(ax, _told(release, x, y, left, right, low, high))


def _told(release: Release, x: str, y: str, *ends: np.ndarray) -> str:
    """How many boxes there are, how many overlap another, and why they may."""
    left, right, low, high = ends
    words = f"{release.n_groups:,} boxes of {release.group_sizes.min():,} to {release.group_sizes.max():,} rows"
    if len(left) > MOST_COMPARED:
        return words
    meet = (left[:, None] < right) & (left < right[:, None]) & (low[:, None] < high) & (low < high[:, None])
    overlapping = int((meet.sum(axis=1) > 1).sum())
    others = [name for name in release.quasi if name not in (x, y)]
    why = ", which may differ in other columns" if others else ""
    return f"{words}; {overlapping:,} overlap another{why if overlapping else ''}"


def centres(release: Release, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Each row as a point, with a line to the single value published for its group.

    Larger dots are the published values.

    Parameters
    ----------
    release:
        A release that publishes single values, such as microaggregation.
    x, y:
        Two numeric quasi-identifiers; the first two by default.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

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
        shown_at = _places(column.attribute)[column.sets.lo[column.index]]
        ends.append((_places(original)[release.table.codes(name)[release.rows]], shown_at))
    (x_true, x_shown), (y_true, y_shown) = ends
    lines = np.array([[x_true, y_true], [x_shown, y_shown]]).transpose(2, 0, 1)
    ax.add_collection(LineCollection(lines, colors=GREY, linewidths=0.8, alpha=0.5))
    ax.scatter(x_true, y_true, s=9, color=BLUE, linewidths=0, label="original row")
    ax.scatter(x_shown, y_shown, s=30, color=ORANGE, marker="D", linewidths=0, zorder=3, label="published centre")
    _label(ax.xaxis, release.table.attributes[x])
    _label(ax.yaxis, release.table.attributes[y])
    finding(ax, f"{len(release):,} rows become {release.n_groups:,} centres")
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


def _places(attribute: Attribute) -> np.ndarray:
    """The place of each code on an axis; a missing number is a tenth of the range beyond the largest."""
    places = attribute.numbers.copy()
    if attribute.missing:
        known = places[:-1]
        places[-1] = known.max() + max(np.ptp(known) / 10, 1) if len(known) else 0.0
    return places


def _room(attribute: Attribute) -> float:
    """Room around a value: that of a whole number or a rank, or a hundredth of the range."""
    places = _places(attribute)
    whole = bool((places == np.round(places)).all()) and len(places) < 200
    return MARGIN if whole else float(np.ptp(places)) / 100


def _ends(release: Release, name: str, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges of the boxes of some published rows along one attribute."""
    column = release.columns[name].take(places)
    position, room = _places(column.attribute), _room(release.table.attributes[name])
    low, high = position[column.sets.lo[column.index]], position[column.sets.hi[column.index]]
    return low - room, high + room


def _draw_points(release: Release, x: str, y: str, color: str | None, ax: Axes) -> None:
    rng = np.random.default_rng(0)
    chosen = np.arange(0, len(release), -(-len(release) // MOST_POINTS))
    rows = release.rows[chosen]
    spots = []
    for name in (x, y):
        attribute = release.table.attributes[name]
        spread = _room(attribute) * 0.8
        spots.append(_places(attribute)[release.table.codes(name)[rows]] + rng.uniform(-spread, spread, len(rows)))
    if color is None:
        ax.scatter(*spots, s=9, color=FAINT, alpha=0.6, linewidths=0)
        return
    attribute, codes = release.table.attributes[color], release.table.codes(color)[rows]
    for code, label in enumerate(attribute.labels):
        mine, look = codes == code, line_look(code + 1)  # the first colour is that of the boxes
        style = {"color": look["color"], "marker": look["marker"], "s": 16, "alpha": 0.85, "linewidths": 0}
        ax.scatter(spots[0][mine], spots[1][mine], label=shown(label), **style)


def _write(ax: Axes, words: str, x: float, y: float) -> None:
    """Words inside the upper right corner of a box."""
    back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    place = {"xytext": (-4, -4), "textcoords": "offset points", "ha": "right", "va": "top"}
    ax.annotate(words, (x, y), weight="bold", bbox=back, **place)


def _label(axis: Axis, attribute: Attribute, note: str = "") -> None:
    """The name of an axis and its categories, of many every n-th; slanted where they are long."""
    axis.set_label_text(shown(attribute.name) + note)
    if attribute.kind == "numeric":
        return
    step = -(-attribute.size // MOST_LABELS)
    labels = [shown(label, 40) for label in attribute.labels[::step]]
    axis.set_ticks(np.arange(0, attribute.size, step), labels)
    if axis.axis_name == "x" and sum(map(len, labels)) > 50:
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
    """Each published row as a row of boxes over the values of every attribute; dots: the values of its original row.

    A set with gaps becomes several boxes.

    Parameters
    ----------
    release:
        A release of a pattern table.
    x, y:
        The attributes that come first; the decision comes last.
    rows:
        Whether to draw the original values.
    most:
        The most rows to draw; the title says so.
    ax:
        Where to draw; new Axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The plot.

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
    ax.set_yticks(range(count), [_row_name(release, place) for place in range(count)], fontsize=SMALL)
    ax.set(xlim=(-0.02, 1.0), ylim=(count - 0.4, -0.6), ylabel="published rows")
    ax.grid(axis="x", visible=False)
    _value_ticks(ax, release, strips)
    several = [column for name in names if (column := release.columns[name]) is not None]
    imprecise = sum(int((column.sizes[:count] > 1).sum()) for column in several)
    words = f"{imprecise:,} of {count * len(names):,} cells show several values"
    return finding(
        ax, words + (f" (the first {count} of {len(release):,} published rows)" if count < len(release) else "")
    )


def _strips(release: Release, names: list[str]) -> dict[str, tuple[float, float]]:
    """Where each attribute begins and how wide a value is; attributes with more values get more room, up to a point."""
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
    for place in range(count):
        for low, high in _runs(column.sets.mask(column.index[place])):
            corner = (start + low * width + 0.08 * width, place - 0.36)
            size = ((high - low + 0.84) * width, 0.72)
            ax.add_patch(Rectangle(corner, *size, facecolor=tint(colour, 0.4), edgecolor=colour, linewidth=1.2))
    if rows and release.rows is not None and name in release.table.attributes:
        codes = release.table.codes(name)[release.rows[:count]]
        ax.scatter(start + (codes + 0.5) * width, np.arange(count), s=14, color=INK, zorder=3)


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """The intervals of consecutive codes of a set, as first and last code."""
    codes = np.flatnonzero(mask)
    breaks = np.flatnonzero(np.diff(codes) > 1)
    edges = [0, *(breaks + 1), len(codes)]
    return [(int(codes[a]), int(codes[b - 1])) for a, b in itertools.pairwise(edges) if b > a]


def _row_name(release: Release, place: int) -> str:
    if release.rows is None:
        return str(place + 1)
    return shown(release.table.index[release.rows[place]], 12)


def _value_ticks(ax: Axes, release: Release, strips: Mapping[str, tuple[float, float]]) -> None:
    """The values below each strip, standing upright; of a long domain the first and the last; the names above."""
    ticks, labels = [], []
    for name, (start, width) in strips.items():
        attribute = release.columns[name].attribute
        codes = range(attribute.size) if attribute.size <= 10 else (0, attribute.size - 1)
        ticks += [start + (code + 0.5) * width for code in codes]
        labels += [shown(attribute.labels[code], 30) for code in codes]
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
