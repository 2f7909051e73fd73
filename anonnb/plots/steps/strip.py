"""Several steps of a run on one figure, for print: from left to right, and on as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from anonnb.plots.parts.texts import POINTS, fitted, text_size
from anonnb.plots.steps.drawing import SLACK, SizedDrawing
from anonnb.plots.steps.step import MARGIN, drawn, heading, place
from anonnb.plots.style import WIDEST, panels
from anonnb.steps.step import Step, Steps

NARROWEST = 2.1  # inches of a frame
_GAP = 0.22


@dataclass(frozen=True)
class StripFrame:
    """One step of the strip: its drawing and the texts above it."""

    drawing: SizedDrawing
    head: str
    sentence: str

    @property
    def height(self) -> float:
        above = sum(text_size(words, points)[1] + MARGIN for words, points in self._texts())
        return above + self.drawing.height

    def _texts(self) -> list[tuple[str, float]]:
        return [(words, points) for words, points in ((self.head, POINTS), (self.sentence, POINTS - 1)) if words]


def filmstrip(
    steps: Sequence[Step],
    frames: int = 4,
    *,
    x: str | None = None,
    y: str | None = None,
    sentences: bool = True,
) -> Axes:
    """Several steps of a run, evenly chosen with the first and the last, side by side where they fit.

    What is marked in a frame has changed since the step before it in the run, shown or not.

    Parameters
    ----------
    steps:
        What ``method.steps(table)`` gives, or any list of steps.
    frames:
        How many steps are shown.
    x, y:
        The attributes over which groups are drawn.
    sentences:
        Whether the sentence of each step is shown below its title.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes of the first frame; ``ax.figure.axes`` has all of them.

    Raises
    ------
    ValueError
        If ``frames`` is below 1, or there are no steps.

    Examples
    --------
    >>> import pandas as pd
    >>> import matplotlib.pyplot as plt
    >>> run = [Step(f"Step {n}", "One more.", pd.DataFrame({"n": [n]}), number=n) for n in range(1, 8)]
    >>> ax = filmstrip(run, 3)
    >>> [text.get_text() for text in ax.figure.texts][::2]
    ['1 of 7: Step 1', '4 of 7: Step 4', '7 of 7: Step 7']
    >>> plt.close("all")
    """
    if frames < 1:
        raise ValueError(f"frames must be at least 1, not {frames}")
    if not len(steps):
        raise ValueError("there are no steps to show; give what method.steps(table) returns")
    places = chosen_places(len(steps), frames)
    columns, strip = _arranged(steps, places, x, y, sentences)
    lines = [strip[start : start + columns] for start in range(0, len(strip), columns)]
    heights = [max(frame.height for frame in line) for line in lines]
    room = (WIDEST - 2 * MARGIN - _GAP * (columns - 1)) / columns
    high = sum(heights) + _GAP * (len(lines) - 1) + 2 * MARGIN
    made = panels(len(lines), columns, size=(WIDEST, high))
    made[0].figure.set_layout_engine("none")
    for ax in made[len(strip) :]:
        ax.remove()
    for number, (frame, ax) in enumerate(zip(strip, made, strict=False)):
        line, column = divmod(number, columns)
        top = MARGIN + sum(heights[:line]) + _GAP * line
        place(frame.drawing, ax, MARGIN + column * (room + _GAP), top, frame.head, frame.sentence)
    return made[0]


def chosen_places(count: int, frames: int) -> list[int]:
    """Which of ``count`` steps are shown: evenly, with the first and the last; a single one is the last.

    >>> chosen_places(10, 4), chosen_places(2, 4), chosen_places(5, 1)
    ([0, 3, 6, 9], [0, 1], [4])
    """
    if frames == 1:
        return [count - 1]
    number = min(frames, count)
    return [place * (count - 1) // max(number - 1, 1) for place in range(number)]


def _arranged(
    steps: Sequence[Step], places: list[int], x: str | None, y: str | None, sentences: bool
) -> tuple[int, list[StripFrame]]:
    """As many frames side by side as fit; each is as wide as it may be then."""
    total = steps.total if isinstance(steps, Steps) else len(steps)
    for columns in range(len(places), 0, -1):
        room = (WIDEST - 2 * MARGIN - _GAP * (columns - 1)) / columns
        balanced = -(-len(places) // -(-len(places) // columns)) == columns  # four frames: two lines of two
        if columns > 1 and (room < NARROWEST or not balanced):
            continue
        strip = []
        for number in places:
            shown, before = steps[number], steps[number - 1] if number else None
            head = heading(f"{shown.number} of {total:,}: {shown.title}", room)
            sentence = fitted(shown.sentence, room / SLACK, POINTS - 1, most=400) if sentences else ""
            strip.append(StripFrame(drawn(shown, before, room, x=x, y=y), head, sentence))
            if strip[-1].drawing.width > room + 0.01:
                break
        if columns == 1 or all(frame.drawing.width <= room + 0.01 for frame in strip):
            return columns, strip
    raise AssertionError("one column always fits")
