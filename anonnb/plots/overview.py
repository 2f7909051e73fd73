"""Plots of tables and releases as a whole: class sizes, audits, sensitive values per class, hierarchies, trade-offs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from anonnb.core.arrays import first_places, group_table
from anonnb.core.wording import percent
from anonnb.plots.parts.graphs import draw_graph, titled
from anonnb.plots.parts.labels import cumulative, name_lines, plain_log
from anonnb.plots.parts.layers import DrawnEdge, DrawnNode
from anonnb.plots.parts.texts import SMALL, clip, fitted
from anonnb.plots.style import BLUE, axes, below, fill_look, finding, ink_on, line_look, panels
from anonnb.privacy.audit_result import Audit
from anonnb.tables.attribute import shorten
from anonnb.tables.release import Release, as_release
from anonnb.tables.table import Attribute, Table


def class_sizes(data: Mapping[str, Table | Release], *, k: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the share of rows in classes of at most x rows, a line per table or release.

    Where a line crosses the dashed one, it shows the share of rows in classes of fewer than k rows.

    >>> from anonnb import load
    >>> class_sizes({"original": load("survey")}, k=5).get_title()
    'Rows in classes of fewer than 5: 6 % (original)'
    """
    ax = axes(ax, size=(6.8, 3.4))
    releases = {name: as_release(item) for name, item in data.items()}
    sizes = {name: _smallest_classes(release) for name, release in releases.items()}
    who = "people" if any(release.people is not None for release in releases.values()) else "rows"
    ax.set(xlabel=f"{who} in the class (log scale)", ylabel=f"{who} in classes of\nat most that size (%)")
    minimum = k if k is not None and k > 1 else 2
    what = f"in classes of fewer than {minimum}" if minimum > 2 else "alone in their class"
    parts = [f"{_percent((size < minimum).sum(), len(size))} ({name})" for name, size in sizes.items()]
    cumulative(ax, {name: (size, np.ones(len(size))) for name, size in sizes.items()}, k=k)
    return finding(ax, f"{who.capitalize()} {what}: {', '.join(parts)}") if len(parts) <= 3 else ax


def _percent(part: int, whole: int) -> str:
    """Format a share in whole percent; only all of it is 100 % and only nothing is 0 %.

    >>> _percent(997, 1000), _percent(1, 1000), _percent(0, 5), _percent(2, 5)
    ('over 99 %', 'under 1 %', '0 %', '40 %')
    """
    share = 100 * part / max(whole, 1)
    if 0 < share < 0.5 or 99.5 <= share < 100:
        return "under 1 %" if share < 50 else "over 99 %"
    return f"{share:.0f} %"


def _smallest_classes(release: Release) -> np.ndarray:
    """Return the size of each person's smallest class, or of each row's class if rows are not linked to people."""
    sizes, people = release.group_people[release.groups], release.people
    if people is None:
        return sizes
    order = np.lexsort((sizes, people))
    return sizes[order][np.flatnonzero(np.diff(people[order], prepend=-1))]


def sensitive_shares(release: Release, column: str | None = None, *, most: int = 12, ax: Axes | None = None) -> Axes:
    """Draw the shares of a sensitive column's values in each class, the whole table first.

    A class with a single value discloses it; a class far from the first bar discloses more than the table does. Classes
    are named by their values, or by their numbers if the values take too much room.

    Parameters
    ----------
    most:
        The most classes to draw; of more, some are drawn from the most uniform to the most mixed, and the axis says so.

    Examples
    --------
    >>> from anonnb import load
    >>> from anonnb.methods import Mondrian
    >>> sensitive_shares(Mondrian(k=5).anonymize(load("survey"))).get_title()
    'Hypertension = Y: 84% of one class, 48% of the table'
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
        style = fill_look(code)
        ax.barh(np.arange(len(rows)), shares[:, code], left=left, label=clip(attribute.labels[code]), **style)
        left += shares[:, code]
    ax.set_yticks(np.arange(len(rows)), labels, fontsize=SMALL)
    ax.invert_yaxis()
    note = f"; {len(order)} of {release.n_groups:,} classes, uniform to mixed" if len(order) < release.n_groups else ""
    ax.set(xlabel=clip(f"share of {column} (%){note}"), xlim=(0, 100))
    ax.grid(axis="y", visible=False)
    _title_with_purest(ax, release, counts, attribute)
    return below(ax)


def _chosen_classes(counts: np.ndarray, limit: int) -> np.ndarray:
    """Choose all classes, the largest first, or evenly spaced ones from the purest to the most mixed."""
    sizes = counts.sum(axis=1)
    if len(counts) <= limit:
        return np.argsort(-sizes, kind="stable")
    purity = counts.max(axis=1) / sizes
    order = np.lexsort((-sizes, -purity))
    return order[np.linspace(0, len(order) - 1, limit).astype(int)]


def _title_with_purest(ax: Axes, release: Release, counts: np.ndarray, attribute: Attribute) -> None:
    shares = counts / counts.sum(axis=1, keepdims=True)
    group, code = np.unravel_index(shares.argmax(), shares.shape)
    base = counts[:, code].sum() / counts.sum()
    summary = f"{clip(attribute.name)} = {clip(attribute.labels[code], 30)}: {shares[group, code]:.0%} of one class, "
    finding(ax, summary + f"{base:.0%} of the table")


def _group_names(release: Release, groups: np.ndarray) -> list[str]:
    first = first_places(release.groups, release.n_groups)[groups]
    texts = [release.columns[name].texts()[first] for name in release.quasi]
    names = [", ".join(map(str, parts)) for parts in zip(*texts, strict=True)]
    return names if max(map(len, names), default=0) <= 70 else [f"class {group}" for group in groups]


def hierarchy(attribute: Attribute, *, most: int = 24, ax: Axes | None = None) -> Axes:
    """Draw a hierarchy as a tree that grows to the right, with the values at the left.

    >>> from anonnb import load
    >>> hierarchy(load("survey").attributes["Marital_status"]).get_title()
    'Marital_status: 3 → 2 → 1 values from level to level'
    """
    levels = attribute.levels
    drawn = np.arange(min(attribute.size, most))
    nodes, edges = [], {}
    for level in range(levels.height + 1):
        numbers = dict.fromkeys(levels.maps[level][drawn].tolist())
        nodes += [DrawnNode((level, number), clip(levels.labels[level][number]), "", level) for number in numbers]
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
    """Draw a frame as bars: a group for each row, a colour for each column.

    >>> ax = bars(pd.DataFrame({"before": [3, 4]}, index=["a", "b"]), "rows")
    >>> [int(bar.get_width()) for bar in ax.patches]
    [3, 4]
    """
    ax = axes(ax, size=(6.8, 1.3 + len(frame) * (0.16 + 0.15 * frame.shape[1])))
    high = 0.8 / frame.shape[1]
    for number, name in enumerate(frame.columns):
        positions = np.arange(len(frame)) + (number - (frame.shape[1] - 1) / 2) * high
        ax.barh(positions, frame[name], high, label=clip(name), **fill_look(number))
    ax.set_yticks(np.arange(len(frame)), [fitted(name, 2.4) for name in frame.index])
    ax.invert_yaxis()
    ax.set(xlabel=clip(label), ylabel=clip(frame.index.name or ""))
    ax.grid(axis="y", visible=False)
    return below(ax) if frame.shape[1] > 1 else ax


def rankings(frame: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the rank that each measure (row) gives to each release (column); 1 is the best.

    Columns are in the order of the first row, so a row whose colours do not run from left to right orders the releases
    differently.

    >>> ranks = pd.DataFrame({"A": [2, 1], "B": [1, 2]}, index=["loss", "risk"])
    >>> [label.get_text() for label in rankings(ranks).get_xticklabels()]
    ['B', 'A']
    """
    frame = frame[frame.columns[np.argsort(frame.iloc[0].to_numpy(), kind="stable")]]
    ax = axes(ax, size=(2.2 + 0.62 * frame.shape[1], 1.3 + 0.27 * len(frame)))
    image = ax.imshow(frame.to_numpy(dtype=float), cmap="cividis_r", vmin=1, aspect="auto")
    for (row, column), rank in np.ndenumerate(frame.to_numpy()):
        ink = ink_on(image.to_rgba(np.array(float(rank)))[:3])
        ax.text(column, row, f"{rank:g}", ha="center", va="center", color=ink, fontsize=SMALL)
    ax.set_xticks(range(frame.shape[1]), map(clip, frame.columns), rotation=40, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(frame)), [clip(name, 40) for name in frame.index], fontsize=SMALL)
    ax.spines[:].set_visible(False)
    ax.grid(False)
    best = frame.columns[0]
    others = int((frame[best] > frame.min(axis=1)).sum())
    return finding(ax, f"{others} of {len(frame)} measures do not call {clip(best, 30)} the best (1: best)")


def lines(frame: pd.DataFrame, label: str, *, ax: Axes | None = None) -> Axes:
    """Draw a frame over its index, a line per column, labelled at its end.

    Parameters
    ----------
    frame:
        The numbers; index values that are not numbers are equally spaced.

    Examples
    --------
    >>> lines(pd.DataFrame({"A": [0.1, 0.3]}, index=[2, 5]), "loss").get_ylabel()
    'loss'
    """
    ax = axes(ax, size=(6.4, 3.4))
    numbers = pd.api.types.is_numeric_dtype(frame.index)
    positions = frame.index if numbers else np.arange(len(frame))
    for number, name in enumerate(frame.columns):
        ax.plot(positions, frame[name], label=clip(name), **line_look(number))
    if not numbers:
        ax.set_xticks(positions, map(clip, frame.index))
    ax.set(xlabel=clip(frame.index.name or ""), ylabel=clip(label))
    return name_lines(ax)


def trade_off(
    frame: pd.DataFrame, *, x: str = "k", loss: str = "ncp", risk: str = "risk", ax: Axes | None = None
) -> Axes:
    """Draw two curves over a parameter: what the data lose, and what people risk.

    >>> " ".join(trade_off(pd.DataFrame({"k": [2, 5], "ncp": [0.1, 0.3], "risk": [0.5, 0.2]})).get_title().split())
    'From k = 2 to 5 the risk goes from 50 % to 20 %, the loss from 10 % to 30 %'
    """
    ax = axes(ax, size=(6.4, 3.4))
    ax.plot(frame[x], 100 * frame[loss], label="information lost", **line_look(0))
    ax.plot(frame[x], 100 * frame[risk], label="average risk of a person", **line_look(1))
    ax.set(xlabel=clip(x), ylabel="information lost, risk (%)", ylim=(0, None))
    first, last = frame.iloc[0], frame.iloc[-1]
    risks, losses = (f"from {percent(first[name], 0)} to {percent(last[name], 0)}" for name in (risk, loss))
    summary = f"From {x} = {first[x]:g} to {last[x]:g} the risk goes {risks}, the loss {losses}"
    return finding(name_lines(ax), summary)


def audit(result: Audit, *, most: int = 8) -> Axes:
    """Draw what singles people out, in three panels: class sizes, columns, and combinations of columns.

    Three panels in one figure.

    Parameters
    ----------
    most:
        The number of columns and of combinations drawn, those that single out most people.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes of the first panel, whose ``figure`` has the others.

    Examples
    --------
    >>> from anonnb import load, privacy
    >>> len(audit(privacy.audit(load("survey"))).figure.axes)
    3
    """
    columns = result.columns.sort_values("helps", ascending=False, kind="stable").head(most)
    combinations = result.combinations.head(most)
    heights = [1.5, 0.3 + 0.26 * len(columns), 0.3 + 0.26 * max(len(combinations), 1)]
    parts = panels(3, 1, size=(7.0, sum(heights) + 2.6), height_ratios=heights)
    _draw_class_sizes(result, parts[0])
    _draw_columns(result, columns, parts[1])
    _draw_combinations(result, combinations, parts[2])
    for panel in parts[1:]:
        panel.set(xlabel=f"share of all {result.unit} (%)", xlim=(0, None if result.singled_out else 1))
        panel.grid(axis="y", visible=False)
        panel.invert_yaxis()
    below(parts[1])
    return parts[0]


def _draw_class_sizes(result: Audit, ax: Axes) -> None:
    sizes = result.smallest_classes["size"].to_numpy()
    share = 100 * result.smallest_classes["people"].cumsum().to_numpy() / result.people
    which = "their smallest" if result.unit == "people" else "the"  # a row is in one class
    ax.step([*sizes, 2 * sizes[-1]], [*share, 100], where="post", color=BLUE)
    ax.plot(sizes[:1], share[:1], "o", color=BLUE)
    ax.set(
        xscale="log",
        xlabel=f"{result.unit} in {which} class, at most (log scale)",
        ylabel=f"{result.unit} (%)",
        ylim=(0, 105),
    )
    plain_log(ax, 2 * sizes[-1])
    finding(ax, f"{result.alone / result.people:.1%} of {result.people:,} {result.unit} read like no other")


def _draw_columns(result: Audit, columns: pd.DataFrame, ax: Axes) -> None:
    positions = np.arange(len(columns))
    ax.barh(positions, 100 * columns["helps"] / result.people, label="with other columns", **fill_look(0))
    ax.barh(positions, 100 * columns["alone"] / result.people, label="alone", **fill_look(1))
    ax.set_yticks(positions, [fitted(name, 2.4) for name in columns["column"]])
    summary = f"{shorten(columns['column'].iloc[0], 30)} helps to single out {columns['helps'].iloc[0]:,} {result.unit}"
    finding(ax, summary if columns["helps"].iloc[0] else f"no column singles out any {result.unit}")


def _draw_combinations(result: Audit, combinations: pd.DataFrame, ax: Axes) -> None:
    positions = np.arange(len(combinations))
    ax.barh(positions, 100 * combinations["share"], **fill_look(0))
    ax.set_yticks(positions, [fitted(" × ".join(map(str, names)), 2.4) for names in combinations["columns"]])
    summary = f"no combination of up to {result.largest} columns singles out any {result.unit}"
    if len(combinations):
        first = shorten(" × ".join(map(str, combinations["columns"].iloc[0])), 40)
        summary = f"{first} singles out {int(combinations['people'].iloc[0]):,} {result.unit}"
    finding(ax, summary)
