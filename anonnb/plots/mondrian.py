"""The classes of a release over two of its attributes: as boxes with the rows as points inside, or as their centres."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection, PolyCollection

from anonnb.core.arrays import first_places
from anonnb.plots.style import BLUE, GREY, PALETTE, axes, shown
from anonnb.tables.attribute import Attribute
from anonnb.tables.release import Release

MOST_SIZES = 12  # boxes whose number of rows is written into them
MOST_POINTS = 4_000  # beyond it every so many-th row is drawn
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
    """Each class of a release as a box over two quasi-identifiers (the first two by default), rows as points.

    Categories stand at their place in the domain and their points are spread a little, always in the same way.
    ``color`` names a column whose values colour the points. ``sizes`` writes the number of rows into each box (by
    default when there are few). Boxes that differ only in other attributes lie upon each other; where there are more
    than ``most``, every so many-th is drawn, and the title says so.
    """
    x, y = _two_names(release, x, y)
    ax = axes(ax)
    _draw_points(release, x, y, color, ax)
    drawn = np.arange(release.n_groups)
    if most is not None and len(drawn) > most:
        drawn = np.linspace(0, len(drawn) - 1, most).astype(int)
        ax.set_title(f"{most:,} of {release.n_groups:,} boxes", loc="right", fontsize="medium")
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
    _label(ax.xaxis, release.table.attributes[x])
    _label(ax.yaxis, release.table.attributes[y])
    ax.autoscale_view()
    return ax


def centres(release: Release, x: str | None = None, y: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Where single values were published: each row as a point, with a line to the value that stands for its group.

    ``x`` and ``y`` are two numeric quasi-identifiers (the first two by default); larger dots are the published values.
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
    ax.add_collection(LineCollection(lines, colors=BLUE, linewidths=0.8, alpha=0.5))
    ax.scatter(x_true, y_true, s=9, color=GREY, linewidths=0, label="original row")
    ax.scatter(x_shown, y_shown, s=30, color=BLUE, marker="D", linewidths=0, label="published centre")
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    _label(ax.xaxis, release.table.attributes[x])
    _label(ax.yaxis, release.table.attributes[y])
    return ax


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
    """Where each code stands on an axis; a missing number stands a tenth beyond the largest."""
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
        ax.scatter(*spots, s=9, color=GREY, alpha=0.6, linewidths=0)
        return
    attribute, codes = release.table.attributes[color], release.table.codes(color)[rows]
    for code, label in enumerate(attribute.labels):
        mine, shade = codes == code, PALETTE[(code + 1) % len(PALETTE)]  # the first colour is that of the boxes
        ax.scatter(spots[0][mine], spots[1][mine], s=9, color=shade, alpha=0.8, linewidths=0, label=shown(label))
    ax.legend(title=shown(color), markerscale=2, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def _write(ax: Axes, words: str, x: float, y: float) -> None:
    """Words inside the upper right corner of a box."""
    back = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    place = {"xytext": (-4, -4), "textcoords": "offset points", "ha": "right", "va": "top"}
    ax.annotate(words, (x, y), weight="bold", bbox=back, **place)


def _label(axis: Axis, attribute: Attribute) -> None:
    axis.set_label_text(shown(attribute.name))
    if attribute.kind == "numeric":
        return
    labels = [shown(label) for label in attribute.labels]
    axis.set_ticks(np.arange(len(labels)), labels)
    if len(labels) > MOST_LABELS:
        axis.set_tick_params(labelsize=7)
    if axis.axis_name == "x" and sum(map(len, labels)) > 50:
        for tick in axis.get_ticklabels():
            tick.set(rotation=40, ha="right", rotation_mode="anchor")
