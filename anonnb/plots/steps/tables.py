"""Rows of text as a picture of a table; cells that changed are bold on a tinted ground, and the last line says so."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from anonnb.plots.parts.layers import shared
from anonnb.plots.steps.cells import Cells
from anonnb.plots.steps.drawing import Drawing
from anonnb.plots.style import FAINT, GREY, INK, ORANGE, PALE, SMALL, fitted, text_size, tint

MOST_ROWS, MOST_COLUMNS = 16, 7
NARROWEST, WIDEST_CELL = 0.45, 6.0  # inches
_PAD, _LEAD = 0.06, 0.05  # inches beside and above a text
_SLACK = 1.03  # letters on a screen are a little wider than measured
_NEW, _ABOUT = "+", "▸"


def table_drawing(cells: Cells, width: float) -> Drawing:
    """A table for so many inches: at most 16 rows and 7 columns, those that changed among them."""
    rows, columns = _chosen(cells)
    heads = [fitted(name, WIDEST_CELL) for name in _headings(cells, columns)]
    lines = [[cells.texts[row, column] for column in columns] for row in rows]
    names = _names(cells, rows)
    if names is not None:
        heads, lines = ["", *heads], [[name, *line] for name, line in zip(names, lines, strict=True)]
    bold = _bold(cells, rows, columns, names is not None)
    room = _column_widths(heads, lines, width)
    heads = [fitted(head, wide - 2 * _PAD, bold=True) for head, wide in zip(heads, room, strict=True)]
    lines = [
        [fitted(text, wide - 2 * _PAD, bold=mark) for text, wide, mark in zip(line, room, marks, strict=True)]
        for line, marks in zip(lines, bold, strict=True)
    ]
    sections = None if cells.rows.sections is None else cells.rows.sections[rows]
    below = [fitted(sentence, width / _SLACK, most=300) for sentence in _below(cells, rows, columns)]
    return _Picture(heads, lines, bold, room, sections, below).drawing()


def _chosen(cells: Cells) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns that are shown: what changed and what the step is about first, then from the top."""
    about = np.zeros(len(cells.texts), dtype=bool) if cells.rows.marked is None else cells.rows.marked
    urgent = cells.changed.any(axis=1) | cells.new | about
    # a step that touches very many rows is shown by the first of them
    rows = np.sort(np.argsort(~urgent, kind="stable")[:MOST_ROWS])
    first = np.zeros(cells.texts.shape[1], dtype=bool)
    first[: 1 if cells.rows.groups is not None else 0] = True
    columns = np.sort(np.argsort(~(cells.changed.any(axis=0) | first), kind="stable")[:MOST_COLUMNS])
    return rows, columns


def _headings(cells: Cells, columns: np.ndarray) -> list[str]:
    return [str(cells.rows.frame.columns[column]).strip() for column in columns]


def _names(cells: Cells, rows: np.ndarray) -> list[str] | None:
    """The names of the rows, with marks; None where rows have none and need none."""
    about = cells.rows.marked
    marks = [(_NEW if cells.new[row] else "") + (_ABOUT if about is not None and about[row] else "") for row in rows]
    if not cells.rows.named:
        return marks if any(marks) else None
    names = [cells.rows.keys[row][0] for row in rows]
    return [f"{mark} {_name(name)}".strip() for mark, name in zip(marks, names, strict=True)]


def _name(label: object) -> str:
    return ", ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _bold(cells: Cells, rows: np.ndarray, columns: np.ndarray, names: bool) -> np.ndarray:
    marks = cells.changed[np.ix_(rows, columns)] | cells.new[rows, None]
    return np.column_stack([cells.new[rows], marks]) if names else marks


def _below(cells: Cells, rows: np.ndarray, columns: np.ndarray) -> list[str]:
    """What the marks mean, what is not shown, and what the state says about itself."""
    said = []
    if cells.any_changed:
        said.append("Bold on orange: changed since the step before" + (f"; {_NEW}: new." if cells.new.any() else "."))
    if cells.rows.marked is not None and cells.rows.marked.any():
        said.append(f"{_ABOUT}: what the step is about.")
    if cells.gone:
        said.append(f"{cells.gone:,} row{'s are' if cells.gone > 1 else ' is'} gone since the step before.")
    whole = cells.texts.shape
    if len(rows) < whole[0] or len(columns) < whole[1]:
        said.append(f"{len(rows)} of {whole[0]:,} rows, {len(columns)} of {whole[1]} columns.")
    return [words for words in (" ".join(said), cells.rows.note) if words]


def _column_widths(heads: list[str], lines: list[list[str]], width: float) -> list[float]:
    """What each column wants, or a fair share where that is more than there is."""
    wanted = [
        max([_SLACK * text_size(fitted(text, WIDEST_CELL), bold=True)[0] for text in column]) + 2 * _PAD
        for column in ([head, *(line[place] for line in lines)] for place, head in enumerate(heads))
    ]
    return [max(wide, min(want, NARROWEST)) for wide, want in zip(shared(wanted, width), wanted, strict=True)]


class _Picture:
    """The measured table: texts that fit, and where every line stands."""

    def __init__(self, heads, lines, bold, room, sections, below):
        self.heads, self.lines, self.bold, self.room, self.sections, self.below = (
            heads,
            lines,
            bold,
            room,
            sections,
            below,
        )
        self.left = np.cumsum([0.0, *room])
        has_heads = any(heads)
        self.heights = [_high(heads) if has_heads else 0.0, *(_high(line) for line in lines)]
        self.top = np.cumsum([0.0, *self.heights])
        self.under = sum(_high([text]) for text in below)

    def drawing(self) -> Drawing:
        wide = max([float(self.left[-1]), *(_SLACK * text_size(text)[0] for text in self.below)])
        return Drawing(max(wide, 1.0), float(self.top[-1]) + self.under + 2 * _LEAD, self.draw)

    def draw(self, ax: Axes) -> None:
        edge = float(self.left[-1])
        for place, text in enumerate(self.heads):
            self._write(ax, text, place, 0, bold=True, colour=FAINT)
        for number, line in enumerate(self.lines):
            for place, text in enumerate(line):
                if self.bold[number][place]:
                    self._mark(ax, number + 1, place)
                self._write(ax, text, place, number + 1, bold=bool(self.bold[number][place]))
            self._rule(ax, number, edge)
        y = float(self.top[-1]) + _LEAD
        for text in self.below:
            ax.text(0, y + _LEAD, text, ha="left", va="top", fontsize=SMALL, color=FAINT, linespacing=1.2)
            y += _high([text])

    def _rule(self, ax: Axes, number: int, edge: float) -> None:
        """The line above a row: strong below the heads and between groups."""
        group = self.sections is not None and number and self.sections[number] != self.sections[number - 1]
        strong = not number or group
        ax.plot([0, edge], [self.top[number + 1]] * 2, color=GREY if strong else PALE, linewidth=1.2 if strong else 0.7)

    def _mark(self, ax: Axes, number: int, place: int) -> None:
        corner, wide = (self.left[place], self.top[number]), self.room[place]
        look = {"facecolor": tint(ORANGE), "edgecolor": ORANGE, "linewidth": 0.8}
        ax.add_patch(Rectangle(corner, wide, self.heights[number], zorder=2, **look))

    def _write(self, ax: Axes, text: str, place: int, line: int, *, bold: bool, colour: str = INK) -> None:
        if text:
            x, y = self.left[place] + _PAD, (self.top[line] + self.top[line + 1]) / 2
            look = {"fontsize": SMALL, "weight": "bold" if bold else "normal", "color": colour, "linespacing": 1.2}
            ax.text(x, y, text, ha="left", va="center", zorder=3, **look)


def _high(texts: list[str]) -> float:
    return max(text_size(text)[1] for text in texts) + 2 * _LEAD if texts else 0.0
