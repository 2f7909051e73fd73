"""Plots of rough sets: granules with the approximations of a class, classes as bars, quality as attributes are added.

A granule holds the rows that the attributes cannot tell apart. Those that lie inside the class are its lower
approximation; with those that it cuts, the boundary, they are the upper one (Pawlak 1982).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from anonnb import roughsets
from anonnb.core.wording import pluralize
from anonnb.plots.parts.graphs import Look, draw_box
from anonnb.plots.parts.texts import SMALL, clip, fitted, lines_within, text_size
from anonnb.plots.style import (
    BLUE,
    FAINT,
    GREY,
    INK,
    ORANGE,
    WIDEST,
    Style,
    axes,
    bare,
    below,
    dot_look,
    fill_look,
    finding,
)
from anonnb.roughsets.approximations import Approximation, indiscernibility, ready
from anonnb.roughsets.variable_precision import shares
from anonnb.tables.labels import text
from anonnb.tables.release import Release, as_release
from anonnb.tables.roles import required_decision
from anonnb.tables.table import Table

MAX_GRANULES = 80


def granules(
    data: Table | Release,
    concept: object,
    attributes: Sequence[str] | None = None,
    *,
    most: int = MAX_GRANULES,
    ax: Axes | None = None,
) -> Axes:
    """Draw the granules of a table and where they lie: inside a class, on its boundary, or outside it.

    A dot is a row, filled if the row belongs to the class. Solid frames form the lower approximation; with the dashed
    ones, the boundary, they form the upper. In large granules a dot stands for several rows.

    Parameters
    ----------
    most:
        The most granules to draw, the largest first; the picture says so.

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
    for y, summary in picture.headings:
        ax.text(0, y, summary, va="top", fontsize=SMALL, color=FAINT, weight="bold")
    ax.set(xlim=(-0.03, WIDEST - 0.2), ylim=(picture.height, -0.03), aspect="equal")
    sure, maybe = len(rough.lower), len(rough.boundary)
    named = " or ".join(text(value) for value in classes)
    summary = f"{sure:,} rows surely, {maybe:,} more possibly, accuracy {rough.accuracy:.2f}"
    return finding(ax, f"{release.decision} = {named}: {summary}")


def approximations(
    data: Table | Release, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, relation: str = "equal"
) -> Axes:
    """Draw for every class how many rows surely belong to it and how many only possibly do.

    Parameters
    ----------
    relation:
        When rows are related, as in :func:`anonnb.roughsets.approximate`.

    Examples
    --------
    >>> from anonnb import load
    >>> [label.get_text() for label in approximations(load("decision6"), ["occupation"]).get_yticklabels()]
    ['high', 'low', 'medium']
    """
    release = as_release(data)
    classes = list(release.columns[required_decision(release)].attribute.domain)
    ax = axes(ax, size=(6.4, 1.3 + 0.36 * len(classes)))
    rough = [roughsets.approximate(release, [value], attributes, relation=relation) for value in classes]
    positions = np.arange(len(classes))
    sure = np.array([len(approximation.lower) for approximation in rough])
    maybe = np.array([len(approximation.boundary) for approximation in rough])
    ax.barh(positions, sure, label="lower approximation: surely", **fill_look(0))
    ax.barh(positions, maybe, left=sure, label="boundary: possibly", **fill_look(1))
    for index, (first, second) in enumerate(zip(sure, maybe, strict=True)):
        ax.text(first + second, index, f" {first} + {second}", va="center", fontsize=SMALL, color=INK)
    ax.set_yticks(positions, [clip(text(value)) for value in classes])
    ax.invert_yaxis()
    ax.set(xlabel="rows", ylabel=clip(release.decision), xlim=(0, 1.12 * max((sure + maybe).max(initial=1), 1)))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y", visible=False)
    finding(ax, f"{sure.sum():,} of {len(release):,} rows can be classified for sure")
    return below(ax)


def quality_steps(table: Table, attributes: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """Draw the quality of approximation as attributes are added one by one.

    Parameters
    ----------
    attributes:
        The attributes in order; all condition attributes by default.

    Examples
    --------
    >>> from anonnb import load
    >>> quality_steps(load("decision6")).get_title()
    'The first 2 of 3 attributes reach γ = 1.00'
    """
    names = list(table.conditions if attributes is None else attributes)
    ax = axes(ax, size=(6.4, 0.9 + 0.26 * len(names)))
    steps = pd.Series({name: roughsets.quality(table, names[: index + 1]) for index, name in enumerate(names)})
    ax.plot(steps, range(len(steps)), marker="o", color=BLUE)
    whole = roughsets.quality(table)
    ax.axvline(whole, color=INK, linestyle="--", linewidth=1)
    for index, value in enumerate(steps):
        side: Style = {"ha": "right", "xytext": (-7, 0)} if value > 0.5 else {"ha": "left", "xytext": (7, 0)}
        back = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}
        style: Style = {"textcoords": "offset points", "va": "center", "fontsize": SMALL, "color": INK, "bbox": back}
        ax.annotate(f"{value:.2f}", (value, index), **style, **side)
    ax.set_yticks(range(len(steps)), [clip(("+ " if index else "") + name) for index, name in enumerate(names)])
    ax.invert_yaxis()
    ax.set(xlabel="quality of approximation γ (dashed: all attributes)", xlim=(-0.03, 1.05))
    enough = next((index + 1 for index, value in enumerate(steps) if value >= whole - 1e-12), len(steps))
    return finding(ax, f"The first {enough} of {len(names)} attributes reach γ = {steps.iloc[enough - 1]:.2f}")


def granule_shares(
    table: Table, concept: object, attributes: Sequence[str] | None = None, ax: Axes | None = None, *, beta: float = 0.8
) -> Axes:
    """Draw a block per granule: its width is its rows, its height their share in a concept; β sets its zone.

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
    styles = (fill_look(0), fill_look(1), fill_look(2) | {"facecolor": GREY})
    for index, (style, name) in enumerate(zip(styles, ("lower approximation", "boundary", "outside"), strict=True)):
        kept, rows = frame[regions == index], int(frame["size"][regions == index].sum())
        label, width = f"{name}: {rows:,} rows", 0.5 if count <= 40 else 0.1
        ax.bar(
            left[regions == index],
            kept["first"],
            kept["size"],
            align="edge",
            label=label,
            **style | {"linewidth": width},
        )
    for height, text_beside in ((beta, f"β = {beta:g}"), (1 - beta, f"1 − β = {1 - beta:g}")):
        if 0 < height < 1:
            ax.axhline(height, color=INK, linewidth=0.8, linestyle="--")
            ax.text(len(table), height, f" {text_beside}", va="center", fontsize=SMALL, color=INK)
    ax.set(xlabel=f"rows, in {count} granules", ylim=(0, 1.02), xlim=(0, len(table)))
    ax.set_ylabel(fitted(f"share with {clip(table.decision, 30)} {text(concept)}", 3.0, 10))
    return below(ax)


def kept_quality(
    frame: pd.DataFrame, ax: Axes | None = None, *, value: str = "γ", original: float | None = None
) -> Axes:
    """Draw a row per method with a dot per k, the largest value at the top.

    Parameters
    ----------
    frame:
        A frame with the columns method, k and the value.
    original:
        The value of the table itself, drawn as a line across.

    Examples
    --------
    >>> frame = pd.DataFrame({"method": ["A", "B"], "k": 2, "γ": [0.5, 0.7]})
    >>> [label.get_text() for label in kept_quality(frame).get_yticklabels()]
    ['A', 'B']
    """
    table = frame.pivot_table(index="method", columns="k", values=value, sort=True)
    table = table.loc[table.mean(axis=1).sort_values(kind="stable").index]
    ax = axes(ax, size=(6.4, 1.6 + 0.28 * len(table)))
    positions = np.arange(len(table))
    ax.hlines(positions, table.min(axis=1), table.max(axis=1), color=GREY, linewidth=1, zorder=1)
    for index, (k, figures) in enumerate(table.items()):
        ax.scatter(figures, positions, s=40, label=f"k = {k:g}", zorder=2, **dot_look(index))
    if original is not None:
        ax.axvline(original, color=INK, linestyle="--", linewidth=1, label="the table itself")
    ax.set_yticks(positions, [clip(name, 40) for name in table.index], fontsize=SMALL)
    ax.set(xlabel=clip(value, 60), ylim=(-0.6, len(table) - 0.4))
    ax.set_xlim(left=min(0.0, ax.get_xlim()[0]))
    return below(ax)


# ---- boxes of dots ---------------------------------------------------------------------------------------------------


MAX_NAMED, MAX_DOTS = 24, 64
_DOT, _PAD, _GAP = 0.14, 0.1, 0.16  # inches: a row, inside a granule, between granules
_ZONES = (
    ("lower approximation: surely", Look(BLUE, width=2.0, filled=True)),
    ("boundary: possibly", Look(ORANGE, "--", 2.0, filled=True)),
    ("outside", Look(GREY, ":", 1.2)),
)


@dataclass
class Granule:
    """One box: its position in inches, its rows (True: in the class), their names and the values they share."""

    look: Look
    member: np.ndarray
    names: Sequence[str]
    label: str
    x: float = 0.0
    y: float = 0.0

    def size(self, rows_per_dot: int) -> tuple[float, float]:
        """Width and height with the label below."""
        wide, high = self._box(rows_per_dot)
        label = text_size(self.label) if self.label else (0.0, 0.0)
        return max(wide, label[0]), high + label[1] + (0.05 if self.label else 0.0)

    def _box(self, rows_per_dot: int) -> tuple[float, float]:
        across, down = self._grid(rows_per_dot)
        pitch = self._pitch()
        return across * pitch + _PAD, down * (0.19 if self.names else pitch) + _PAD

    def _pitch(self) -> float:
        return max((text_size(name)[0] + 0.1 for name in self.names), default=_DOT)

    def _dots(self, rows_per_dot: int) -> np.ndarray:
        """Return a flag per dot, members first; a granule that the class cuts has dots of either kind."""
        count, mixed = -(-len(self.member) // rows_per_dot), self.member.any() and not self.member.all()
        count = max(count, 2) if mixed else count
        inside = round(count * float(self.member.mean()))
        inside = min(max(inside, 1), count - 1) if mixed else inside
        return np.arange(count) < inside

    def _grid(self, rows_per_dot: int) -> tuple[int, int]:
        dots = len(self.member) if self.names else len(self._dots(rows_per_dot))
        across = int(np.ceil(np.sqrt(dots * (1 if self.names else 1.6))))
        return across, -(-dots // across)

    def draw(self, ax: Axes, rows_per_dot: int) -> None:
        wide, high = self._box(rows_per_dot)
        across, _ = self._grid(rows_per_dot)
        draw_box(ax, (self.x + wide / 2, self.y + high / 2), (wide, high), "", self.look)
        pitch, tall = self._pitch(), 0.19 if self.names else _DOT
        inside = self.member if self.names else self._dots(rows_per_dot)
        dots = np.arange(len(inside))
        x = self.x + _PAD / 2 + (dots % across + 0.5) * pitch
        y = self.y + _PAD / 2 + (dots // across + 0.5) * tall
        if self.names:
            for name, inside_class, px, py in zip(self.names, self.member, x, y, strict=True):
                back = {"boxstyle": "round,pad=0.15", "facecolor": INK if inside_class else "white", "edgecolor": INK}
                colour = "white" if inside_class else INK
                ax.text(
                    px,
                    py,
                    name,
                    ha="center",
                    va="center",
                    fontsize=8,
                    color=colour,
                    bbox=back | {"linewidth": 0.7},
                    zorder=5,
                )
        else:
            for inside_class, face in ((True, INK), (False, "white")):
                ax.scatter(
                    x[inside == inside_class],
                    y[inside == inside_class],
                    s=22,
                    c=face,
                    edgecolors=INK,
                    linewidths=0.8,
                    zorder=5,
                )
        if self.label:
            ax.text(self.x, self.y + high + 0.04, self.label, va="top", fontsize=SMALL, color=INK, linespacing=1.1)


class Granules:
    """All boxes with their positions, zone by zone, line by line."""

    def __init__(self, release: Release, rough: Approximation, attributes: Sequence[str] | None, limit: int):
        groups, count = indiscernibility(release, attributes)
        _, names = ready(release, attributes)
        member = np.isin(np.arange(len(release)), rough.concept)
        zone = np.full(count, 2)
        zone[groups[rough.boundary]] = 1
        zone[groups[rough.lower]] = 0
        sizes = np.bincount(groups, minlength=count)
        order = np.lexsort((-sizes, zone))
        drawn = np.sort(np.argsort(-sizes, kind="stable")[:limit])
        self.rows_per_dot = max(-(-int(sizes.max(initial=1)) // MAX_DOTS), 1)
        self.boxes: list[Granule] = []
        self.headings: list[tuple[float, str]] = []
        named, few = len(drawn) <= MAX_NAMED, len(release) <= 12
        columns = [release.columns[name].texts() for name in names] if named else []
        top = 0.0
        for number, (title, look) in enumerate(_ZONES):
            drawn_groups = [g for g in order if zone[g] == number and g in set(drawn.tolist())]
            rows = int(sizes[zone == number].sum())
            if not drawn_groups:
                continue
            self.headings.append((top, self._heading(title, rows, int((zone == number).sum()), len(drawn_groups))))
            parts = []
            for group in drawn_groups:
                group_rows = np.flatnonzero(groups == group)
                label = clip(", ".join(str(column[group_rows[0]]) for column in columns)) if named else ""
                parts.append(
                    Granule(
                        look,
                        member[group_rows],
                        _row_names(release, group_rows) if few else (),
                        lines_within(label, 1.5),
                    )
                )
            top = self._flow(parts, top + 0.22) + 0.12
        self.height = top

    def _heading(self, title: str, rows: int, all_of_them: int, drawn: int) -> str:
        some = (
            f"{drawn:,} of {all_of_them:,} granules drawn, the largest"
            if drawn < all_of_them
            else pluralize(all_of_them, "granule")
        )
        dots = f"; a dot is up to {self.rows_per_dot:,} rows" if self.rows_per_dot > 1 else ""
        return f"{title} ({rows:,} rows in {some}{dots})"

    def _flow(self, parts: list[Granule], top: float) -> float:
        """Put boxes side by side, wrap to a new line if necessary, and return the height where they end."""
        x, high = 0.0, 0.0
        for part in parts:
            wide, tall = part.size(self.rows_per_dot)
            if x and x + wide > WIDEST - 0.3:
                x, top, high = 0.0, top + high + _GAP, 0.0
            part.x, part.y = x, top
            x, high = x + wide + _GAP, max(high, tall)
            self.boxes.append(part)
        return top + high


def _row_names(release: Release, rows: np.ndarray) -> list[str]:
    names = release.table.index[release.rows[rows]] if release.rows is not None else rows
    return [clip(name, 12) for name in names]
