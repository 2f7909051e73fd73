"""Rows of text as a picture of a table; cells that changed are bold on a tinted ground, and the last line says so."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from anonnb.plots.parts.layers import shared
from anonnb.plots.parts.texts import SMALL, clip, fitted, text_size
from anonnb.plots.steps.cells import ComparedCells
from anonnb.plots.steps.drawing import SLACK, SizedDrawing
from anonnb.plots.style import FAINT, GREY, INK, ORANGE, PALE, Style, tint

MAX_ROWS, MAX_COLUMNS = 22, 7
WIDEST_CELL = 6.0  # inches
_PAD, _LEAD = 0.06, 0.05  # inches beside and above a text
_WORD, _MIN_WIDTH = 1.7, 5.2  # inches: of a word that is not broken, and of a table that need not be narrower
_NEW, _ABOUT = "+", "▸"


def table_drawing(cells: ComparedCells, width: float) -> SizedDrawing:
    """Lay a table out in the given width: at most 22 rows and 7 columns, those that changed among them.

    It is wider where its words need that; then a strip puts fewer of them side by side.
    """
    rows = _chosen(cells.changed.any(axis=1) | cells.new | _about(cells), MAX_ROWS)
    urgent = np.array(cells.changed.any(axis=0))
    urgent[: 1 if cells.rows.groups is not None else 0] = True
    order = np.argsort(~urgent, kind="stable")
    count = min(len(order), MAX_COLUMNS)
    while True:
        columns = np.sort(order[:count])
        heads, lines = _contents(cells, rows, columns)
        longest_words = [max(map(_longest_word, column)) for column in zip(heads, *lines, strict=True)]
        if count <= 2 or sum(longest_words) <= max(width, _MIN_WIDTH):
            break
        count -= 1
    bold = _bold(cells, rows, columns, len(heads) > len(columns))
    widths = _column_widths(heads, lines, longest_words, width)
    heads = [_in_cell(head, wide, True) for head, wide in zip(heads, widths, strict=True)]
    lines = [
        [_in_cell(text, wide, bool(mark)) for text, wide, mark in zip(line, widths, marks, strict=True)]
        for line, marks in zip(lines, bold, strict=True)
    ]
    sections = None if cells.rows.sections is None else cells.rows.sections[rows]
    below = [fitted(sentence, max(width, sum(widths)) / SLACK, most=300) for sentence in _below(cells, rows, columns)]
    return _MeasuredTable(heads, lines, bold, widths, sections, below).drawing()


def _in_cell(text: str, wide: float, bold: bool) -> str:
    return fitted(text, (wide - 2 * _PAD) / SLACK + 1e-6, bold=bold)


def _contents(cells: ComparedCells, rows: np.ndarray, columns: np.ndarray) -> tuple[list[str], list[list[str]]]:
    """Return heads and lines of some rows and columns, preceded by the names of the rows if they have any."""
    heads = _headings(cells, columns)
    lines = [[cells.texts[row, column] for column in columns] for row in rows]
    names = _names(cells, rows)
    if names is None:
        return heads, lines
    return ["", *heads], [[name, *line] for name, line in zip(names, lines, strict=True)]


def _about(cells: ComparedCells) -> np.ndarray:
    return np.zeros(len(cells.texts), dtype=bool) if cells.rows.marked is None else cells.rows.marked


def _chosen(urgent: np.ndarray, limit: int) -> np.ndarray:
    """Choose the rows to show: what changed and what the step is about first, then from the top; in their order."""
    return np.sort(np.argsort(~urgent, kind="stable")[:limit])


def _longest_word(text: str) -> float:
    """Return the width that a column needs to break no word of this text, up to a limit."""
    longest = max((SLACK * text_size(word, bold=True)[0] for word in clip(text).split()), default=0.0)
    return min(longest, _WORD) + 2 * _PAD


def _headings(cells: ComparedCells, columns: np.ndarray) -> list[str]:
    return [str(cells.rows.frame.columns[column]).strip() for column in columns]


def _names(cells: ComparedCells, rows: np.ndarray) -> list[str] | None:
    """Return the names of the rows with marks, or None if rows have neither."""
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
    """Explain the marks, what is not shown, and what the state says about itself."""
    sentences = []
    if cells.any_changed:
        sentences.append(
            "Bold on orange: changed since the step before" + (f"; {_NEW}: new." if cells.new.any() else ".")
        )
    if cells.rows.marked is not None and cells.rows.marked.any():
        sentences.append(f"{_ABOUT}: what the step is about.")
    if cells.gone:
        sentences.append(f"{cells.gone:,} row{'s are' if cells.gone > 1 else ' is'} gone since the step before.")
    whole = cells.texts.shape
    if not whole[0] and not cells.rows.note:
        sentences.append("No row.")
    if len(rows) < whole[0] or len(columns) < whole[1]:
        sentences.append(f"{len(rows)} of {whole[0]:,} rows, {len(columns)} of {whole[1]} columns.")
    return [text for text in (" ".join(sentences), cells.rows.note) if text]


def _column_widths(heads: list[str], lines: list[list[str]], longest_words: list[float], width: float) -> list[float]:
    """Return the width that each column needs, or a fair share if space is short, but never less than a word."""
    wanted = [
        max(SLACK * text_size(fitted(text, WIDEST_CELL), bold=True)[0] for text in column) + 2 * _PAD
        for column in zip(heads, *lines, strict=True)
    ]
    further = shared(
        [want - word for want, word in zip(wanted, longest_words, strict=True)], max(width - sum(longest_words), 0.0)
    )
    return [word + more for word, more in zip(longest_words, further, strict=True)]


class _MeasuredTable:
    """Measured table: texts that fit, and the position of every line."""

    def __init__(
        self,
        heads: list[str],
        lines: list[list[str]],
        bold: np.ndarray,
        widths: list[float],
        sections: np.ndarray | None,
        below: list[str],
    ):
        self.heads, self.lines, self.bold, self.widths = heads, lines, bold, widths
        self.sections, self.below = sections, below
        self.left = np.cumsum([0.0, *widths])
        has_heads = any(heads)
        self.heights = [_high(heads) if has_heads else 0.0, *(_high(line) for line in lines)]
        self.top = np.cumsum([0.0, *self.heights])
        self.under = sum(_high([text]) for text in below)

    def drawing(self) -> SizedDrawing:
        wide = max([float(self.left[-1]), *(SLACK * text_size(text)[0] for text in self.below)])
        return SizedDrawing(max(wide, 1.0), float(self.top[-1]) + self.under + 2 * _LEAD, self.draw)

    def draw(self, ax: Axes) -> None:
        edge = float(self.left[-1])
        for column, text in enumerate(self.heads):
            self._write(ax, text, column, 0, bold=True, colour=FAINT)
        for number, line in enumerate(self.lines):
            for column, text in enumerate(line):
                if self.bold[number][column]:
                    self._mark(ax, number + 1, column)
                self._write(ax, text, column, number + 1, bold=bool(self.bold[number][column]))
            self._rule(ax, number, edge)
        y = float(self.top[-1]) + _LEAD
        for text in self.below:
            ax.text(0, y + _LEAD, text, ha="left", va="top", fontsize=SMALL, color=FAINT, linespacing=1.2)
            y += _high([text])

    def _rule(self, ax: Axes, number: int, edge: float) -> None:
        """Draw the line above a row: strong below the heads and between groups."""
        group = self.sections is not None and number and self.sections[number] != self.sections[number - 1]
        strong = not number or group
        ax.plot([0, edge], [self.top[number + 1]] * 2, color=GREY if strong else PALE, linewidth=1.2 if strong else 0.7)

    def _mark(self, ax: Axes, number: int, column: int) -> None:
        corner, wide = (self.left[column], self.top[number]), self.widths[column]
        style: Style = {"facecolor": tint(ORANGE), "edgecolor": ORANGE, "linewidth": 0.8}
        ax.add_patch(Rectangle(corner, wide, self.heights[number], zorder=2, **style))

    def _write(self, ax: Axes, text: str, column: int, line: int, *, bold: bool, colour: str = INK) -> None:
        if text:
            x, y = self.left[column] + _PAD, (self.top[line] + self.top[line + 1]) / 2
            style: Style = {
                "fontsize": SMALL,
                "weight": "bold" if bold else "normal",
                "color": colour,
                "linespacing": 1.2,
            }
            height = "center" if "\n" in text else "center_baseline"  # words of a line stand on one line
            ax.text(x, y, text, ha="left", va=height, zorder=3, **style)


def _high(texts: list[str]) -> float:
    return max(text_size(text)[1] for text in texts) + 2 * _LEAD if texts else 0.0
