"""Granules as boxes of dots, zone by zone: what lies inside a class, what it cuts, what lies outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from anonnb import roughsets
from anonnb.core.wording import counted
from anonnb.plots.parts.graphs import Look, draw_box
from anonnb.plots.parts.texts import SMALL, lines_within, shown, text_size
from anonnb.plots.style import BLUE, GREY, INK, ORANGE, WIDEST
from anonnb.roughsets.approximations import ready
from anonnb.tables.release import Release

MOST_NAMED, MOST_DOTS = 24, 64
_DOT, _PAD, _GAP = 0.14, 0.1, 0.16  # inches: a row, inside a granule, between granules
_ZONES = (
    ("lower approximation: surely", Look(BLUE, width=2.0, filled=True)),
    ("boundary: possibly", Look(ORANGE, "--", 2.0, filled=True)),
    ("outside", Look(GREY, ":", 1.2)),
)


@dataclass
class Granule:
    """One box: its place in inches, its rows (True: in the class), their names and the values they share."""

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
        """A flag per dot, members first; a granule that the class cuts has dots of either kind."""
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
            for name, mine, px, py in zip(self.names, self.member, x, y, strict=True):
                back = {"boxstyle": "round,pad=0.15", "facecolor": INK if mine else "white", "edgecolor": INK}
                colour = "white" if mine else INK
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
            for mine, face in ((True, INK), (False, "white")):
                ax.scatter(x[inside == mine], y[inside == mine], s=22, c=face, edgecolors=INK, linewidths=0.8, zorder=5)
        if self.label:
            ax.text(self.x, self.y + high + 0.04, self.label, va="top", fontsize=SMALL, color=INK, linespacing=1.1)


class Granules:
    """All boxes with their places, zone by zone, line by line."""

    def __init__(self, release: Release, rough: roughsets.Approximation, attributes: Sequence[str] | None, most: int):
        groups, count = roughsets.indiscernibility(release, attributes)
        _, names = ready(release, attributes)
        member = np.isin(np.arange(len(release)), rough.concept)
        zone = np.full(count, 2)
        zone[groups[rough.boundary]] = 1
        zone[groups[rough.lower]] = 0
        sizes = np.bincount(groups, minlength=count)
        order = np.lexsort((-sizes, zone))
        drawn = np.sort(np.argsort(-sizes, kind="stable")[:most])
        self.rows_per_dot = max(-(-int(sizes.max(initial=1)) // MOST_DOTS), 1)
        self.boxes: list[Granule] = []
        self.headings: list[tuple[float, str]] = []
        named, few = len(drawn) <= MOST_NAMED, len(release) <= 12
        columns = [release.columns[name].texts() for name in names] if named else []
        top = 0.0
        for number, (words, look) in enumerate(_ZONES):
            mine = [g for g in order if zone[g] == number and g in set(drawn.tolist())]
            rows = int(sizes[zone == number].sum())
            if not mine:
                continue
            self.headings.append((top, self._heading(words, rows, int((zone == number).sum()), len(mine))))
            parts = []
            for group in mine:
                own = np.flatnonzero(groups == group)
                label = shown(", ".join(str(column[own[0]]) for column in columns)) if named else ""
                parts.append(
                    Granule(look, member[own], _row_names(release, own) if few else (), lines_within(label, 1.5))
                )
            top = self._flow(parts, top + 0.22) + 0.12
        self.height = top

    def _heading(self, words: str, rows: int, all_of_them: int, drawn: int) -> str:
        some = (
            f"{drawn:,} of {all_of_them:,} granules drawn, the largest"
            if drawn < all_of_them
            else counted(all_of_them, "granule")
        )
        dots = f"; a dot is up to {self.rows_per_dot:,} rows" if self.rows_per_dot > 1 else ""
        return f"{words} ({rows:,} rows in {some}{dots})"

    def _flow(self, parts: list[Granule], top: float) -> float:
        """Put boxes side by side, on a new line where one has no room; the height where they end."""
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
    return [shown(name, 12) for name in names]
