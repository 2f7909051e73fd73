"""Plots of rough sets: granules with the approximations of a class, classes as bars, quality as attributes are added.

A granule holds the rows that the attributes cannot tell apart. Those that lie inside the class are its lower
approximation; with those that it cuts, the boundary, they are the upper one (Pawlak 1982).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from anonnb import roughsets
from anonnb.plots.parts.texts import SMALL, fitted, shown
from anonnb.plots.roughsets.granule_boxes import Granules
from anonnb.plots.style import BLUE, FAINT, GREY, INK, WIDEST, axes, bare, below, dot_look, fill_look, finding
from anonnb.roughsets.variable_precision import shares
from anonnb.tables.labels import text
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
        ax.scatter(figures, places, s=40, label=f"k = {k:g}", zorder=2, **dot_look(place))
    if original is not None:
        ax.axvline(original, color=INK, linestyle="--", linewidth=1, label="the table itself")
    ax.set_yticks(places, [shown(name, 40) for name in table.index], fontsize=SMALL)
    ax.set(xlabel=shown(value, 60), ylim=(-0.6, len(table) - 0.4))
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    return below(ax)
