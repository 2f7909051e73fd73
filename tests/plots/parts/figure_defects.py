"""What makes a figure hard to read, found by drawing it: overlapping text, text off the canvas, small or pale letters.

The figure is drawn once with invisible letters, so that what lies behind each text is known pixel by pixel; contrast is
that of the Web Content Accessibility Guidelines 2.2 (success criterion 1.4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.transforms import Bbox, BboxBase

from anonnb.plots.style import contrast

MIN_POINTS, MIN_CONTRAST = 8.0, 4.5
SLACK = 1.5  # pixels: the box of a text has a little air around its letters
MAX_PALE = 0.2  # share of the pixels behind a text that may be too near to its colour: a line may pass behind it
_DRAWING = RLock()


def figure_defects(figure: Figure) -> list[str]:
    """List the defects of a figure, one sentence each; a figure whose texts can all be read has none.

    Looked for are texts that overlap or leave the canvas, letters below 8 points, a contrast below 4.5 : 1, texts cut
    with an ellipsis, and legends upon data.

    >>> figure = Figure(figsize=(3, 2))
    >>> _ = figure.text(0.2, 0.5, "one"), figure.text(0.22, 0.5, "two", fontsize=6)
    >>> for defect in figure_defects(figure):
    ...     print(defect)
    'one' and 'two' overlap
    'two' has letters of 6 points, less than 8
    """
    before = figure.canvas
    canvas = FigureCanvasAgg(figure)
    try:
        with _invisible_letters() as texts:
            canvas.draw()
        pixels = np.asarray(canvas.buffer_rgba())[:, :, :3] / 255
        drawn = [_Drawn(text, canvas) for text in texts]
        return [
            *_overlapping(drawn),
            *(defect for text in drawn for defect in text.defects(figure.bbox, pixels)),
            *(defect for ax in figure.axes for defect in _covered_by_legend(ax)),
        ]
    finally:
        figure.set_canvas(before)


@contextmanager
def _invisible_letters() -> Iterator[list[Text]]:
    """Let texts draw boxes and arrows but no letters; yield a list of every text that would be seen."""
    seen: list[Text] = []
    original = Text.draw

    def draw(self: Any, renderer: RendererBase) -> None:
        opacity = self.get_alpha()
        if self.get_visible() and self.get_text().strip() and opacity != 0:
            seen.append(self)
        self._alpha = 0.0  # set_alpha would request another drawing
        try:
            original(self, renderer)
        finally:
            self._alpha = opacity

    with _DRAWING:
        Text.draw = draw  # type: ignore[method-assign]  # for as long as the context lasts
        try:
            yield seen
        finally:
            Text.draw = original  # type: ignore[method-assign]


class _Drawn:
    """Text on the canvas: its quoted words, its upright box, and its corners, which differ if it is rotated."""

    def __init__(self, text: Text, canvas: FigureCanvasAgg):
        self.text, self.name = text, _quoted(text.get_text())
        renderer = canvas.get_renderer()
        self.box = Text.get_window_extent(text, renderer)
        turned = text.get_rotation()
        if turned % 90:
            with text._cm_set(rotation=0):  # type: ignore[attr-defined]  # matplotlib's own way to set for a while
                flat = Text.get_window_extent(text, renderer)
            size, angle = np.array([flat.width, flat.height]), np.deg2rad(turned)
        else:
            size, angle = np.array([self.box.width, self.box.height]), 0.0
        half = np.maximum(size / 2 - SLACK, 0.1)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        middle = [(self.box.x0 + self.box.x1) / 2, (self.box.y0 + self.box.y1) / 2]
        self.corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn + middle

    def defects(self, canvas: BboxBase, pixels: np.ndarray) -> Iterator[str]:
        low, high = self.corners.min(axis=0), self.corners.max(axis=0)
        if low[0] < canvas.x0 or low[1] < canvas.y0 or high[0] > canvas.x1 or high[1] > canvas.y1:
            yield f"{self.name} leaves the canvas"
        size = float(self.text.get_fontsize())
        if size < MIN_POINTS - 0.01:
            yield f"{self.name} has letters of {size:g} points, less than {MIN_POINTS:g}"
        if "…" in self.text.get_text():
            yield f"{self.name} is cut"
        reached = self._contrast(pixels, low, high)
        if reached < MIN_CONTRAST:
            yield f"{self.name} has a contrast of {reached:.1f} : 1, less than {MIN_CONTRAST:g}"

    def _contrast(self, pixels: np.ndarray, low: np.ndarray, high: np.ndarray) -> float:
        """Return the contrast that all but a few of the pixels behind the text reach."""
        *colour, opacity = to_rgba(self.text.get_color(), self.text.get_alpha())
        height = len(pixels)
        rows = slice(max(int(height - high[1]), 0), max(int(np.ceil(height - low[1])), 0))
        behind = pixels[rows, max(int(low[0]), 0) : max(int(np.ceil(high[0])), 0)].reshape(-1, 3)
        strokes = [effect for effect in self.text.get_path_effects() or () if isinstance(effect, withStroke)]
        if strokes:
            stroke: Any = strokes[-1]  # which does not say its colour in public
            behind = np.array([to_rgba(stroke._gc["foreground"])[:3]])
        if not len(behind):
            return float("inf")  # off the canvas, which is reported as such
        kinds, counts = np.unique((behind * 255).round().astype(int), axis=0, return_counts=True)
        contrasts = np.array(
            [contrast(opacity * np.array(colour) + (1 - opacity) * kind / 255, kind / 255) for kind in kinds]
        )
        order = np.argsort(contrasts)
        reached = np.cumsum(counts[order]) > MAX_PALE * counts.sum()
        return float(contrasts[order][np.argmax(reached)])


def _overlapping(texts: Sequence[_Drawn]) -> Iterator[str]:
    low = np.array([text.corners.min(axis=0) for text in texts]).reshape(-1, 2)
    high = np.array([text.corners.max(axis=0) for text in texts]).reshape(-1, 2)
    for number, text in enumerate(texts):
        near = (low[number + 1 :] < high[number]).all(axis=1) & (high[number + 1 :] > low[number]).all(axis=1)
        for other in (np.flatnonzero(near) + number + 1).tolist():
            if _meet(text.corners, texts[other].corners):
                yield f"{text.name} and {texts[other].name} overlap"


def _meet(one: np.ndarray, other: np.ndarray) -> bool:
    """Tell whether two rectangles meet: no side of either has all of the other beyond it."""
    for corners in (one, other):
        for side in (corners[1] - corners[0], corners[2] - corners[1]):
            first, second = one @ side, other @ side
            if first.max() <= second.min() or second.max() <= first.min():
                return False
    return True


def _covered_by_legend(ax: Axes) -> Iterator[str]:
    for legend in (child for child in ax.get_children() if isinstance(child, Legend) and child.get_visible()):
        box = legend.get_window_extent().shrunk(0.98, 0.98)
        if any(box.count_contains(part) for part in _data_points(ax)) or box.count_overlaps(_bars(ax)):
            yield f"the legend of {_quoted(' / '.join(text.get_text() for text in legend.get_texts()))} covers data"


def _data_points(ax: Axes) -> Iterator[np.ndarray]:
    """Yield the pixels that points and lines pass through, also between the points of a line."""
    for line in ax.lines:
        if line.get_visible() and line.get_transform().contains_branch(ax.transData):
            yield _along(line)
    for points in ax.collections:
        if isinstance(points, PathCollection) and points.get_visible():
            offsets: np.ndarray = np.ma.filled(np.ma.asarray(points.get_offsets(), dtype=float), np.nan)
            yield points.get_offset_transform().transform(offsets)


def _along(line: Line2D) -> np.ndarray:
    points = line.get_transform().transform(np.asarray(line.get_xydata(), dtype=float))
    if line.get_linestyle() in ("None", "none", " ", "") or len(points) < 2:
        return points
    steps = np.linspace(0, 1, 24)[:, None, None]
    return ((1 - steps) * points[:-1] + steps * points[1:]).reshape(-1, 2)


def _bars(ax: Axes) -> list[Bbox]:
    from matplotlib.patches import Rectangle

    patches = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_visible()]
    boxes = [patch.get_window_extent() for patch in patches]
    return [box for box in boxes if box.width > 1 and box.height > 1]


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 60 else f"{line[:40]} … {line[-15:]}")
