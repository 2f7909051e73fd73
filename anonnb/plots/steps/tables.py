"""Rows of text as a picture of a table; cells that changed are bold on a tinted ground, and the last line says so."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from anonnb.plots.parts.layers import shared
from anonnb.plots.parts.texts import SMALL, fitted, shown, text_size
from anonnb.plots.steps.cells import ComparedCells
from anonnb.plots.steps.drawing import SLACK, SizedDrawing
from anonnb.plots.style import FAINT, GREY, INK, ORANGE, PALE, tint

MOST_ROWS, MOST_COLUMNS = 22, 7
WIDEST_CELL = 6.0  # inches
_PAD, _LEAD = 0.06, 0.05  # inches beside and above a text
_WORD, _LEAST_ROOM = 1.7, 5.2  # inches: of a word that is not broken, and of a table that need not be narrower
_NEW, _ABOUT = "+", "▸"


def table_drawing(cells: ComparedCells, width: float) -> SizedDrawing:
    """A table of the given width: at most 22 rows and 7 columns, those that changed among them.

    It is wider where its words need that; then a strip puts fewer of them side by side.
    """
    rows = _chosen(cells.changed.any(axis=1) | cells.new | _about(cells), MOST_ROWS)
    order = _order(cells)
    count = min(len(order), MOST_COLUMNS)
    while True:
        columns = np.sort(order[:count])
        heads, lines = _contents(cells, rows, columns)
        least = [max(map(_longest_word, column)) for column in zip(heads, *lines, strict=True)]
        if count <= 2 or sum(least) <= max(width, _LEAST_ROOM):
            break
        count -= 1
    bold = _bold(cells, rows, columns, len(heads) > len(columns))
    room = _column_widths(heads, lines, least, width)
    heads = [_in_cell(head, wide, True) for head, wide in zip(heads, room, strict=True)]
    lines = [
        [_in_cell(text, wide, bool(mark)) for text, wide, mark in zip(line, room, marks, strict=True)]
        for line, marks in zip(lines, bold, strict=True)
    ]
    sections = None if cells.rows.sections is None else cells.rows.sections[rows]
    below = [fitted(sentence, max(width, sum(room)) / SLACK, most=300) for sentence in _below(cells, rows, columns)]
    return _MeasuredTable(heads, lines, bold, room, sections, below).drawing()


def _in_cell(text: str, wide: float, bold: bool) -> str:
    return fitted(text, (wide - 2 * _PAD) / SLACK + 1e-6, bold=bold)


def _contents(cells: ComparedCells, rows: np.ndarray, columns: np.ndarray) -> tuple[list[str], list[list[str]]]:
    """The heads and the lines of some rows and columns, before them the names of the rows where they have any."""
    heads = _headings(cells, columns)
    lines = [[cells.texts[row, column] for column in columns] for row in rows]
    names = _names(cells, rows)
    if names is None:
        return heads, lines
    return ["", *heads], [[name, *line] for name, line in zip(names, lines, strict=True)]


def _about(cells: ComparedCells) -> np.ndarray:
    return np.zeros(len(cells.texts), dtype=bool) if cells.rows.marked is None else cells.rows.marked


def _chosen(urgent: np.ndarray, most: int) -> np.ndarray:
    """Which rows are shown: what changed and what the step is about first, then from the top; in their order."""
    return np.sort(np.argsort(~urgent, kind="stable")[:most])


def _order(cells: ComparedCells) -> np.ndarray:
    """The columns in the order in which they must be seen: the groups, what changed, the others."""
    urgent = cells.changed.any(axis=0)
    urgent[: 1 if cells.rows.groups is not None else 0] = True
    return np.argsort(~urgent, kind="stable")


def _longest_word(text: str) -> float:
    """The inches that a column needs so that it does not break this text within a word, up to a limit."""
    longest = max((SLACK * text_size(word, bold=True)[0] for word in shown(text).split()), default=0.0)
    return min(longest, _WORD) + 2 * _PAD


def _headings(cells: ComparedCells, columns: np.ndarray) -> list[str]:
    return [str(cells.rows.frame.columns[column]).strip() for column in columns]


def _names(cells: ComparedCells, rows: np.ndarray) -> list[str] | None:
    """The names of the rows, with marks; None where rows have none and need none."""
    about = _about(cells)
    marks = [(_NEW if cells.new[row] else "") + (_ABOUT if about[row] else "") for row in rows]
    if not cells.rows.named:
        return marks if any(marks) else None
    names = [cells.rows.keys[row][0] for row in rows]
    return [f"{mark} {_name(name)}".strip() for mark, name in zip(marks, names, strict=True)]


def _name(label: object) -> str:
    return ", ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def _bold(cells: ComparedCells, rows: np.ndarray, columns: np.ndarray, names: bool) -> np.ndarray:
    marks = cells.changed[np.ix_(rows, columns)] | cells.new[rows, None]
    return np.column_stack([cells.new[rows], marks]) if names else marks


def _below(cells: ComparedCells, rows: np.ndarray, columns: np.ndarray) -> list[str]:
    """What the marks mean, what is not shown, and what the state says about itself."""
    said = []
    if cells.any_changed:
        said.append("Bold on orange: changed since the step before" + (f"; {_NEW}: new." if cells.new.any() else "."))
    if cells.rows.marked is not None and cells.rows.marked.any():
        said.append(f"{_ABOUT}: what the step is about.")
    if cells.gone:
        said.append(f"{cells.gone:,} row{'s are' if cells.gone > 1 else ' is'} gone since the step before.")
    whole = cells.texts.shape
    if not whole[0] and not cells.rows.note:
        said.append("No row.")
    if len(rows) < whole[0] or len(columns) < whole[1]:
        said.append(f"{len(rows)} of {whole[0]:,} rows, {len(columns)} of {whole[1]} columns.")
    return [words for words in (" ".join(said), cells.rows.note) if words]


def _column_widths(heads: list[str], lines: list[list[str]], least: list[float], width: float) -> list[float]:
    """The width that each column needs, or a fair share if there is too little room, but never less than a word."""
    wanted = [
        max(SLACK * text_size(fitted(text, WIDEST_CELL), bold=True)[0] for text in column) + 2 * _PAD
        for column in zip(heads, *lines, strict=True)
    ]
    further = shared([want - word for want, word in zip(wanted, least, strict=True)], max(width - sum(least), 0.0))
    return [word + more for word, more in zip(least, further, strict=True)]


class _MeasuredTable:
    """The measured table: texts that fit, and the place of every line."""

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

    def drawing(self) -> SizedDrawing:
        wide = max([float(self.left[-1]), *(SLACK * text_size(text)[0] for text in self.below)])
        return SizedDrawing(max(wide, 1.0), float(self.top[-1]) + self.under + 2 * _LEAD, self.draw)

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
            height = "center" if "\n" in text else "center_baseline"  # words of a line stand on one line
            ax.text(x, y, text, ha="left", va=height, zorder=3, **look)


def _high(texts: list[str]) -> float:
    return max(text_size(text)[1] for text in texts) + 2 * _LEAD if texts else 0.0
