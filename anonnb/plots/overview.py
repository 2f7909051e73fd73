"""Plots of tables and releases as a whole: class sizes, audits, sensitive values per class, hierarchies, trade-offs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.core.arrays import first_places, group_table
from anonnb.plots.parts.distributions import cumulative, plain_log
from anonnb.plots.parts.graphs import draw_graph, titled
from anonnb.plots.parts.labels import name_lines
from anonnb.plots.parts.layers import DrawnEdge, DrawnNode
from anonnb.plots.style import BLUE, SMALL, axes, below, fill_look, finding, fitted, ink_on, line_look, panels, shown
from anonnb.privacy.audit_result import Audit
from anonnb.tables.attribute import shorten
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Attribute, Table


def class_sizes(data: Mapping[str, Table | Release], *, k: int | None = None, ax: Axes | None = None) -> Axes:
    """The share of rows in classes of at most so many rows, a line for each table or release.

    What a line has reached left of the dashed one lies in classes of fewer than k rows.
    """
    ax = axes(ax, size=(6.8, 3.4))
    sizes = {name: as_release(item).group_sizes for name, item in data.items()}
    ax.set(xlabel="rows in the class (log scale)", ylabel="rows in classes of\nat most that size (%)")
    least = k if k is not None and k > 1 else 2
    what = f"in classes of fewer than {least}" if least > 2 else "alone in their class"
    parts = [f"{100 * size[size < least].sum() / max(size.sum(), 1):.0f} % ({name})" for name, size in sizes.items()]
    cumulative(ax, {name: (size, size) for name, size in sizes.items()}, k=k)
    return finding(ax, f"Rows {what}: {', '.join(parts)}") if len(parts) <= 3 else ax


def sensitive_shares(release: Release, column: str | None = None, *, most: int = 12, ax: Axes | None = None) -> Axes:
    """The shares of a sensitive column's values in each class, the whole table first.

    Classes are named by their values, or by their numbers where some values would take too much room.
    A class of one pattern gives its value away; a class far from the first bar tells more than the table does. Of more
    than ``most`` classes some are drawn, from the most uniform to the most mixed one, and the axis says so.
    """
    column = column or release.sensitive[0]
    attribute = release.columns[column].attribute
    codes = release.columns[column].sets.lo[release.columns[column].index]
    counts = group_table(codes, attribute.size, release.groups, release.n_groups)
    order = _chosen_classes(counts, most - 1)
    rows = np.vstack([counts.sum(axis=0, keepdims=True), counts[order]])
    shares, left = 100 * rows / rows.sum(axis=1, keepdims=True), np.zeros(len(rows))
    names = ["whole table", *_group_names(release, order)]
    labels = [fitted(f"{name} ({int(row.sum()):,})", 2.9) for name, row in zip(names, rows, strict=True)]
    ax = axes(ax, size=(7.0, 1.0 + 0.2 * sum(label.count("\n") + 1.5 for label in labels)))
    for code in range(attribute.size):
        look = fill_look(code)
        ax.barh(np.arange(len(rows)), shares[:, code], left=left, label=shown(attribute.labels[code]), **look)
        left += shares[:, code]
    ax.set_yticks(np.arange(len(rows)), labels, fontsize=SMALL)
    ax.invert_yaxis()
    some = f"; {len(order)} of {release.n_groups:,} classes, uniform to mixed" if len(order) < release.n_groups else ""
    ax.set(xlabel=shown(f"share of {column} (%){some}"), xlim=(0, 100))
    ax.grid(axis="y", visible=False)
    _tell_purest(ax, release, counts, attribute)
    return below(ax)


def _chosen_classes(counts: np.ndarray, most: int) -> np.ndarray:
    """All classes, the largest first; or, of many, some at even distances from the purest to the most mixed."""
    sizes = counts.sum(axis=1)
    if len(counts) <= most:
        return np.argsort(-sizes, kind="stable")
    purity = counts.max(axis=1) / sizes
    order = np.lexsort((-sizes, -purity))
    return order[np.linspace(0, len(order) - 1, most).astype(int)]


def _tell_purest(ax: Axes, release: Release, counts: np.ndarray, attribute: Attribute) -> None:
    shares = counts / counts.sum(axis=1, keepdims=True)
    group, code = np.unravel_index(shares.argmax(), shares.shape)
    base = counts[:, code].sum() / counts.sum()
    words = f"{shown(attribute.name)} = {shown(attribute.labels[code], 30)}: {shares[group, code]:.0%} of one class, "
    finding(ax, words + f"{base:.0%} of the table")


def _group_names(release: Release, groups: np.ndarray) -> list[str]:
    first = first_places(release.groups, release.n_groups)[groups]
    texts = [release.columns[name].texts()[first] for name in release.quasi]
    names = [", ".join(map(str, parts)) for parts in zip(*texts, strict=True)]
    return names if max(map(len, names), default=0) <= 70 else [f"class {group}" for group in groups]


def hierarchy(attribute: Attribute, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """A hierarchy as a tree that grows to the right, values at the left; at most ``most`` values are drawn."""
    levels = attribute.levels
    drawn = np.arange(min(attribute.size, most))
    nodes, edges = [], {}
    for level in range(levels.height + 1):
        numbers = dict.fromkeys(levels.maps[level][drawn].tolist())
        nodes += [DrawnNode((level, number), shown(levels.labels[level][number]), "", level) for number in numbers]
    for code in drawn:
        for level in range(levels.height):
            ends = (level, int(levels.maps[level][code])), (level + 1, int(levels.maps[level + 1][code]))
            edges[ends] = DrawnEdge(*ends)
    headings = [f"level {level}" for level in range(levels.height + 1)]
    ax = draw_graph(nodes, list(edges.values()), {}, headings=headings, arrows=False, ax=ax)
    left_out = f" (the first {most} of {attribute.size:,} values)" if attribute.size > most else ""
    counts = " → ".join(f"{len(labels):,}" for labels in levels.labels)
    return titled(ax, f"{attribute.name}: {counts} values from level to level{left_out}")


def bars(frame: pd.DataFrame, label: str, *, ax: Axes | None = None) -> Axes:
    """Bars of a frame: a group for each line of it, a kind for each column; ``label`` names the axis, with its unit.

    >>> ax = bars(pd.DataFrame({"before": [3, 4]}, index=["a", "b"]), "rows")
    >>> [int(bar.get_width()) for bar in ax.patches]
    [3, 4]
    """
    ax = axes(ax, size=(6.8, 1.3 + len(frame) * (0.16 + 0.15 * frame.shape[1])))
    high = 0.8 / frame.shape[1]
    for number, name in enumerate(frame.columns):
        places = np.arange(len(frame)) + (number - (frame.shape[1] - 1) / 2) * high
        ax.barh(places, frame[name], high, label=shown(name), **fill_look(number))
    ax.set_yticks(np.arange(len(frame)), [fitted(name, 2.4) for name in frame.index])
    ax.invert_yaxis()
    ax.set(xlabel=shown(label), ylabel=shown(frame.index.name or ""))
    ax.grid(axis="y", visible=False)
    return below(ax) if frame.shape[1] > 1 else ax


def rankings(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Which place each measure gives to each release: a line per measure, a column per release, 1 is the best.

    ``frame`` holds the places. Columns stand in the order of the first line, so that a line whose colours do not
    run from left to right orders the releases otherwise.

    >>> places = pd.DataFrame({"A": [2, 1], "B": [1, 2]}, index=["loss", "risk"])
    >>> [label.get_text() for label in rankings(places).get_xticklabels()]
    ['B', 'A']
    """
    frame = frame[frame.columns[np.argsort(frame.iloc[0].to_numpy(), kind="stable")]]
    ax = axes(ax, size=(2.2 + 0.62 * frame.shape[1], 1.3 + 0.27 * len(frame)))
    image = ax.imshow(frame.to_numpy(dtype=float), cmap="cividis_r", vmin=1, aspect="auto")
    for (row, column), place in np.ndenumerate(frame.to_numpy()):
        ink = ink_on(image.to_rgba(float(place))[:3])
        ax.text(column, row, f"{place:g}", ha="center", va="center", color=ink, fontsize=SMALL)
    ax.set_xticks(range(frame.shape[1]), map(shown, frame.columns), rotation=40, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(frame)), [shown(name, 40) for name in frame.index], fontsize=SMALL)
    ax.spines[:].set_visible(False)
    ax.grid(False)
    best = frame.columns[0]
    others = int((frame[best] > frame.min(axis=1)).sum())
    return finding(ax, f"{others} of {len(frame)} measures do not call {shown(best, 30)} the best (1: best)")


def lines(frame: pd.DataFrame, label: str, *, ax: Axes | None = None) -> Axes:
    """Lines of a frame over its index, a line per column, named at its end; ``label`` names the axis and its unit.

    Values of the index that are no numbers stand at even distances.
    """
    ax = axes(ax, size=(6.4, 3.4))
    numbers = pd.api.types.is_numeric_dtype(frame.index)
    places = frame.index if numbers else np.arange(len(frame))
    for number, name in enumerate(frame.columns):
        ax.plot(places, frame[name], label=shown(name), **line_look(number))
    if not numbers:
        ax.set_xticks(places, map(shown, frame.index))
    ax.set(xlabel=shown(frame.index.name or ""), ylabel=shown(label))
    return name_lines(ax)


def trade_off(
    frame: pd.DataFrame, *, x: str = "k", loss: str = "ncp", risk: str = "risk", ax: Axes | None = None
) -> Axes:
    """Two curves over a parameter: what the data lose, and what people risk."""
    ax = axes(ax, size=(6.4, 3.4))
    ax.plot(frame[x], 100 * frame[loss], label="information lost", **line_look(0))
    ax.plot(frame[x], 100 * frame[risk], label="average risk of a person", **line_look(1))
    ax.set(xlabel=shown(x), ylabel="information lost, risk (%)", ylim=(0, None))
    first, last = frame.iloc[0], frame.iloc[-1]
    words = f"From {x} = {first[x]:g} to {last[x]:g} the risk goes from {first[risk]:.0%} to {last[risk]:.0%}, "
    return finding(name_lines(ax), words + f"the loss from {first[loss]:.0%} to {last[loss]:.0%}")


def audit(found: Audit, *, most: int = 8) -> Axes:
    """What singles people out: class sizes, then columns, then combinations of columns.

    Three panels in a figure of their own; returns the Axes of the first, whose ``figure`` has the others. ``most`` is
    the number of columns and of combinations drawn, those that single out most people.
    """
    columns = found.columns.sort_values("helps", ascending=False, kind="stable").head(most)
    combinations = found.combinations.head(most)
    heights = [1.5, 0.3 + 0.26 * len(columns), 0.3 + 0.26 * max(len(combinations), 1)]
    parts = panels(3, 1, size=(7.0, sum(heights) + 2.6), height_ratios=heights)
    _draw_class_sizes(found, parts[0])
    _draw_columns(found, columns, parts[1])
    _draw_combinations(found, combinations, parts[2])
    for panel in parts[1:]:
        panel.set(xlabel=f"share of all {found.unit} (%)", xlim=(0, None if found.singled_out else 1))
        panel.grid(axis="y", visible=False)
        panel.invert_yaxis()
    below(parts[1])
    return parts[0]


def _draw_class_sizes(found: Audit, ax: Axes) -> None:
    sizes = found.smallest_classes["size"].to_numpy()
    share = 100 * found.smallest_classes["people"].cumsum().to_numpy() / found.people
    which = "their smallest" if found.unit == "people" else "the"  # a row is in one class
    ax.step([*sizes, 2 * sizes[-1]], [*share, 100], where="post", color=BLUE)
    ax.plot(sizes[:1], share[:1], "o", color=BLUE)
    ax.set(
        xscale="log",
        xlabel=f"{found.unit} in {which} class, at most (log scale)",
        ylabel=f"{found.unit} (%)",
        ylim=(0, 105),
    )
    plain_log(ax, 2 * sizes[-1])
    finding(ax, f"{found.alone / found.people:.1%} of {found.people:,} {found.unit} read like no other")


def _draw_columns(found: Audit, columns: pd.DataFrame, ax: Axes) -> None:
    place = np.arange(len(columns))
    ax.barh(place, 100 * columns["helps"] / found.people, label="with other columns", **fill_look(0))
    ax.barh(place, 100 * columns["alone"] / found.people, label="alone", **fill_look(1))
    ax.set_yticks(place, [fitted(name, 2.4) for name in columns["column"]])
    words = f"{shorten(columns['column'].iloc[0], 30)} helps to single out {columns['helps'].iloc[0]:,} {found.unit}"
    finding(ax, words if columns["helps"].iloc[0] else f"no column singles out any {found.unit}")


def _draw_combinations(found: Audit, combinations: pd.DataFrame, ax: Axes) -> None:
    place = np.arange(len(combinations))
    ax.barh(place, 100 * combinations["share"], **fill_look(0))
    ax.set_yticks(place, [fitted(" × ".join(map(str, names)), 2.4) for names in combinations["columns"]])
    what = f"no combination of up to {found.largest} columns singles out any {found.unit}"
    if len(combinations):
        what = f"the first combination singles out {int(combinations['people'].iloc[0]):,} {found.unit}"
    finding(ax, what)
