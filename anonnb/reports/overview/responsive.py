"""A figure drawn twice: for wide screens and paper, and narrow enough for a telephone without shrinking its letters."""

from collections.abc import Callable
from typing import Any

from anonnb.reports.page import Drawing, drawing

Inches = tuple[float, float]


def drawn(draw: Callable[[Any], Any], caption: str, wide: Inches, narrow: Inches) -> Drawing:
    """``draw`` is called with Axes of each size; the page shows the one that fits the screen."""
    from anonnb.plots.style import axes, detached

    figures = []
    for size in (wide, narrow):
        with detached():
            ax = axes(size=size)
        draw(ax)
        figures.append(ax.figure)
    return drawing(figures[0], caption, narrow=figures[1])
