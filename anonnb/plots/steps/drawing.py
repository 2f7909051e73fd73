"""A drawing before it has Axes: how large it is in inches, and how it is drawn on Axes of that size.

Texts do not shrink with their boxes: so a diagram stands on Axes of exactly its size, wherever a page puts it. A chart
takes the room it gets, and its Axes shrink until its labels fit in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.axes import Axes

from anonnb.plots.parts.texts import SMALL, fitted, text_size
from anonnb.plots.style import FAINT, bare, detached, figure_of

SLACK = 1.03  # letters on a screen are a little wider than measured
_TURNS = 3  # labels change a little when Axes shrink


@dataclass(frozen=True)
class SizedDrawing:
    """Drawing for Axes of a known size in inches; a ``chart`` has labels around its Axes."""

    width: float
    height: float
    draw: Callable[[Axes], object]
    chart: bool = False

    def on(self, ax: Axes) -> None:
        """Draw on Axes whose scale is inches, y downwards (a diagram), or on those of a chart."""
        if not self.chart:
            bare(ax)
            ax.set(xlim=(0, self.width), ylim=(self.height, 0), aspect="equal", anchor="NW")
        self.draw(ax)

    def at(self, ax: Axes, left: float, top: float) -> None:
        """Draw with the upper left corner at this distance, in inches, from that of the figure."""
        wide, high = figure_of(ax).get_size_inches()
        box = (left / wide, 1 - (top + self.height) / high, self.width / wide, self.height / high)
        ax.set_position(box)
        self.on(ax)
        if self.chart:
            _shrink(ax, box)


def whole(draw: Callable[[Axes | None], Axes]) -> SizedDrawing:
    """Return the diagram of a function that sizes its own Axes; it is drawn once to learn its size."""
    with detached():
        ax = draw(None)
    width, height = figure_of(ax).get_size_inches()
    return SizedDrawing(float(width), float(height), draw)


def with_note(drawing: SizedDrawing, sentence: str) -> SizedDrawing:
    """Put a sentence below a diagram."""
    text = fitted(sentence, drawing.width / SLACK, most=300)
    high = text_size(text)[1] + 0.1

    def draw(ax: Axes) -> None:
        drawing.draw(ax)
        below, left = ax.get_ylim()[0], ax.get_xlim()[0]
        ax.text(left, below + 0.05, text, ha="left", va="top", fontsize=SMALL, color=FAINT, linespacing=1.2)
        ax.set_ylim(below + high, ax.get_ylim()[1])

    return SizedDrawing(drawing.width, drawing.height + high, draw)


def _shrink(ax: Axes, box: tuple[float, float, float, float]) -> None:
    """Let the Axes leave space for their labels inside a box, given in shares of the figure."""
    to_shares = figure_of(ax).transFigure.inverted()
    left, bottom, width, height = box
    for _ in range(_TURNS):  # asking for the box lays out these Axes alone: drawing would do so with all of the figure
        inside = ax.get_position()
        around = ax.get_tightbbox()
        assert around is not None  # only invisible Axes have none
        outside = around.transformed(to_shares)
        west, south = max(inside.x0 - outside.x0, 0), max(inside.y0 - outside.y0, 0)
        east, north = max(outside.x1 - inside.x1, 0), max(outside.y1 - inside.y1, 0)
        wide, high = max(width - west - east, width / 5), max(height - south - north, height / 5)
        ax.set_position((left + west, bottom + south, wide, high))
