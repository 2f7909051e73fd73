"""A table and its release side by side, cell by cell, with what changed marked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from anonnb.plots.parts.layers import shared
from anonnb.plots.parts.texts import SMALL, clip, lines_within, text_size
from anonnb.plots.style import FAINT, GREY, INK, ORANGE, PALE, WIDEST, Style, axes, bare, finding, tint
from anonnb.tables.release import Release
from anonnb.tables.table import Table

MAX_ROWS = 12
_PAD, _BETWEEN, _NARROWEST = 0.12, 0.35, 0.55  # inches
_GONE = "suppressed"


def before_after(
    table: Table,
    release: Release,
    *,
    columns: Sequence[str] | None = None,
    rows: int = MAX_ROWS,
    ax: Axes | None = None,
) -> Axes:
    """Draw a table (left) beside its release (right): changed cells are tinted, framed and bold.

    The picture says which share of rows and columns it shows, and its title counts the changed cells of the whole
    table.

    Parameters
    ----------
    columns:
        The columns to show; by default all that fit, those that changed first.
    rows:
        The most rows to show; of more, some are drawn at even distances.

    Examples
    --------
    >>> import anonnb
    >>> from anonnb.methods import Mondrian
    >>> table = anonnb.load("decision6")
    >>> release = Mondrian(k=2).anonymize(table.with_roles(quasi=["sex", "domicile"]))
    >>> before_after(table, release).get_title()
    'Mondrian changed 6 of 12 quasi-identifying cells'
    """
    picture = _Pair(table, release, columns, rows)
    ax = bare(axes(ax, size=(WIDEST, picture.height + 0.75)))
    picture.draw(ax)
    ax.set(xlim=(-0.02, WIDEST - 0.15), ylim=(picture.height + 0.02, -0.3), aspect="equal")
    return finding(ax, picture.title)


class _Pair:
    """Texts of both tables, which of them differ, and how wide each column is."""

    def __init__(self, table: Table, release: Release, columns: Sequence[str] | None, rows: int):
        if release.rows is None:
            raise ValueError("before_after needs a release that is linked to its original rows")
        if len(table) != len(release.table):
            raise ValueError(f"the release was made of {len(release.table):,} rows, the table has {len(table):,}")
        unknown = [name for name in columns or () if name not in release.columns]
        if unknown:
            raise KeyError(f"{unknown[0]!r} is no column of the release; choose from {', '.join(release.columns)}")
        original = Release.of(table)
        self.position = np.full(len(table), -1)  # of each original row among the published ones
        self.position[release.rows] = np.arange(len(release))
        self.names = list(columns or [name for name in release.columns if name in original.columns])
        self.before = {name: original.columns[name].texts() for name in self.names}
        self.after = {name: self._published(release, name) for name in self.names}
        self.title = self._summary(release, original)
        self.drawn = np.arange(len(table))
        if len(table) > rows:
            self.drawn = np.unique(np.linspace(0, len(table) - 1, rows).astype(int))
        self.index = [clip(name, 12) for name in table.index[self.drawn]]
        self._fit(bool(columns))
        few = f"{len(self.drawn)} of {len(table):,} rows" if len(self.drawn) < len(table) else f"{len(table):,} rows"
        some = f"{len(self.names)} of {self.available} columns" if len(self.names) < self.available else "all columns"
        self.note = f"{few}, {some} shown"

    def _published(self, release: Release, name: str) -> np.ndarray:
        texts = release.columns[name].texts()
        return (
            np.where(self.position >= 0, texts[self.position], _GONE)
            if len(texts)
            else np.full(len(self.position), _GONE)
        )

    def _summary(self, release: Release, original: Release) -> str:
        quasi = [name for name in release.quasi if name in original.columns]
        there = self.position >= 0
        changed = sum(
            int((original.columns[name].texts() != self._published(release, name))[there].sum()) for name in quasi
        )
        gone = int((~there).sum())
        who = type(release.method).__name__ if release.method is not None else "The release"
        summary = f"{who} changed {changed:,} of {len(quasi) * int(there.sum()):,} quasi-identifying cells"
        return summary + (f" and left out {gone:,} rows" if gone else "")

    def _fit(self, chosen: bool) -> None:
        """Set the widths of the columns; if not all of them fit, leave out those that changed least."""
        self.available = len(self.names)
        changes = {name: int((self.before[name] != self.after[name]).sum()) for name in self.names}
        self.side = max(text_size(name)[0] for name in self.index) + _PAD
        available_width = (WIDEST - 0.2 - _BETWEEN) / 2 - self.side
        wanted = {name: self._wanted(name) for name in self.names}
        while not chosen and len(self.names) > 1:
            given = shared([wanted[name] for name in self.names], available_width)
            longest = [self._longest_word(name) for name in self.names]
            if all(width >= word for width, word in zip(given, longest, strict=True)):
                break
            self.names.remove(min(reversed(self.names), key=lambda name: changes[name]))
        self.widths = dict(zip(self.names, shared([wanted[name] for name in self.names], available_width), strict=True))
        self.cells = {
            (side, name): [self._cell(texts[name][row], name) for row in self.drawn]
            for side, texts in enumerate((self.before, self.after))
            for name in self.names
        }
        self.heads = {name: self._cell(name, name) for name in self.names}
        lines = [
            max(self.cells[side, name][n].count("\n") + 1 for side in (0, 1) for name in self.names)
            for n in range(len(self.drawn))
        ]
        self.heights = [0.075 + 0.145 * count for count in lines]
        self.head = 0.1 + 0.145 * max(text.count("\n") + 1 for text in self.heads.values())
        self.height = self.head + sum(self.heights) + 0.25

    def _cell(self, text: object, name: str) -> str:
        return lines_within(clip(text, 60), max(self.widths[name], _NARROWEST) - _PAD, bold=True)

    def _texts(self, name: str) -> list[str]:
        both = {str(texts[name][row]) for texts in (self.before, self.after) for row in self.drawn}
        return [clip(text, 60) for text in (name, *both)]

    def _wanted(self, name: str) -> float:
        return max(text_size(text, bold=True)[0] for text in self._texts(name)) + _PAD

    def _longest_word(self, name: str) -> float:
        return max(text_size(word, bold=True)[0] for text in self._texts(name) for word in text.split() or [""]) + _PAD

    def draw(self, ax: Axes) -> None:
        for side, title in enumerate(("before", "after")):
            left = side * (self.side + sum(self.widths.values()) + _BETWEEN)
            ax.text(left + self.side, -0.06, title, fontsize=SMALL, color=FAINT, weight="bold", va="bottom")
            x = left + self.side
            for name in self.names:
                ax.text(
                    x + _PAD / 2,
                    self.head - 0.06,
                    self.heads[name],
                    fontsize=SMALL,
                    weight="bold",
                    va="bottom",
                    linespacing=1.1,
                )
                self._column(ax, side, name, x)
                x += self.widths[name]
            y = self.head
            for number, high in enumerate(self.heights):
                ax.text(left, y + high / 2, self.index[number], fontsize=SMALL, color=FAINT, va="center")
                ax.plot([left, x], [y, y], color=GREY if not number else PALE, linewidth=0.8, zorder=0.5)
                y += high
        ax.text(
            0, self.height, f"{self.note}; changed cells are framed and bold", fontsize=SMALL, color=FAINT, va="bottom"
        )

    def _column(self, ax: Axes, side: int, name: str, x: float) -> None:
        y = self.head
        for number, (row, high) in enumerate(zip(self.drawn, self.heights, strict=True)):
            changed = side == 1 and self.before[name][row] != self.after[name][row]
            if changed:
                frame: Style = {"facecolor": tint(ORANGE), "edgecolor": ORANGE, "linewidth": 0.8}
                ax.add_patch(Rectangle((x + 0.01, y + 0.01), self.widths[name] - 0.02, high - 0.02, **frame))
            style: Style = {"fontsize": SMALL, "color": INK, "va": "center", "linespacing": 1.1}
            weight = "bold" if changed else "normal"
            ax.text(x + _PAD / 2, y + high / 2, self.cells[side, name][number], weight=weight, **style)
            y += high
