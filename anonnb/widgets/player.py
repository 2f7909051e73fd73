"""The state of a player, which needs no browser: the steps of a run, which of them is shown, and its picture and words.

A frame is drawn when it is first viewed and then kept. For a report all are drawn, or an even sample of them if that
would cost too much, and each marks what changed since the one shown before.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd

from anonnb import plots
from anonnb.core.templates import templates
from anonnb.core.wording import pluralize
from anonnb.plots.steps.alt_text import alt_text
from anonnb.plots.steps.cells import text_of
from anonnb.plots.steps.step import evenly_chosen
from anonnb.plots.style import WIDEST, detached
from anonnb.steps.step import Step, Steps
from anonnb.widgets.frames.describing import described
from anonnb.widgets.frames.frame import Frame, composed
from anonnb.widgets.frames.grids import Budget

MAX_CANDIDATES = 20
MIN_STORED = 12  # frames of a report, however slow
PACE = 2  # a player may take this many times the seconds of another moving cell: it shows a whole run
NARROW = 5.4  # inches of a picture that has candidates beside it
MOVES = ("first", "back", "forward", "last")


class Player:
    """Steps of a run and the one shown now; ``options`` are those of :func:`anonnb.plots.step`.

    >>> run = [Step(f"Halve {n}", "It is more than 1.", n, number=place) for place, n in enumerate((8, 4, 2), 1)]
    >>> player = Player(run)
    >>> player.go("last"); player.heading
    'Step 3 of 3: Halve 2'
    >>> player.go("forward"); player.position
    2
    """

    def __init__(self, steps: Iterable[Step], **options: Any):
        self.steps = steps if isinstance(steps, Steps) else Steps(_checked(steps))
        self.options = options
        self.position = 0
        self._width = NARROW if any(step.candidates is not None for step in self.steps) else WIDEST
        self._frames: dict[int, Frame] = {}

    def __len__(self) -> int:
        return len(self.steps)

    def go(self, to: str | int) -> None:
        """Show another step: "first", "back", "forward", "last", or a position from 0; stay within the run."""
        if isinstance(to, str):
            if to not in MOVES:
                raise ValueError(f"a player cannot go {to!r}; choose from {', '.join(MOVES)}, or a number")
            last = len(self) - 1
            to = {"first": 0, "back": self.position - 1, "forward": self.position + 1, "last": last}[to]
        self.position = max(0, min(to, len(self) - 1))

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.steps[self.position]

    @property
    def heading(self) -> str:
        """The number of the step and its title."""
        return self._heading(self.position, len(self))

    @property
    def note(self) -> str:
        """One sentence if steps of the run are left out; otherwise nothing."""
        return _note(len(self), self.steps.total)

    @property
    def frame(self) -> Frame:
        """The step that is shown: its heading, its sentence, its picture and its candidates."""
        if self.position not in self._frames:
            self._frames[self.position] = self._drawn(self.position, self.position - 1, len(self))
        return self._frames[self.position]

    def description(self, index: int) -> str:
        """Describe a step in text alone: its heading, its sentence, and what its picture shows."""
        step, previous = self.steps[index], self.steps[index - 1] if index else None
        return f"{self._heading(index, len(self))}. {step.sentence} {alt_text(step, previous)}"

    def stored(self, budget: Budget) -> list[Frame]:
        """Return a frame for every step, or for an even sample within the budget; the titles say so."""
        indices = evenly_chosen(len(self), self._affordable(budget))
        return [self._drawn(index, last, len(indices)) for last, index in pairwise([-1, *indices])]

    def _affordable(self, budget: Budget) -> int:
        """Return how many frames the budget allows, judged by the first, drawn twice to load libraries before."""
        if len(self) <= MIN_STORED <= budget.frames:
            return MIN_STORED
        first = self._drawn(0, -1, len(self))
        begun = time.process_time()
        self._drawn(0, -1, len(self))
        seconds = max(time.process_time() - begun, 1e-3)
        limit = min(budget.size / first.size, PACE * budget.seconds / seconds)
        return max(2, min(budget.frames, max(MIN_STORED, int(limit))))

    def _heading(self, index: int, shown: int) -> str:
        step, total = self.steps[index], self.steps.total
        part = f" ({shown} shown)" if shown < total else ""
        return f"Step {step.number:,} of {total:,}{part}: {step.title}"

    def _drawn(self, index: int, before: int, shown: int) -> Frame:
        step, previous = self.steps[index], self.steps[before] if before >= 0 else None
        with detached():
            ax = plots.step(step, previous, title=False, width=self._width, **self.options)
        described(ax, caption=step.title, alt=alt_text(step, previous))
        table = None if step.candidates is None or not len(step.candidates) else candidates_html(step)
        return composed(ax, title=self._heading(index, shown), text=step.sentence, table=table)


def _checked(steps: Iterable[Step]) -> list[Step]:
    asked = "play needs the steps of a run, such as method.steps(table)"
    if not isinstance(steps, Iterable) or isinstance(steps, str | pd.DataFrame):
        raise TypeError(f"{asked}, not {type(steps).__name__}")
    steps = list(steps)
    strange = [type(step).__name__ for step in steps if not isinstance(step, Step)]
    if strange:
        raise TypeError(f"{asked}; among these is a {strange[0]}")
    return steps


def _note(shown: int, total: int) -> str:
    return f"{shown} of {pluralize(total, 'step')} are shown, chosen evenly." if shown < total else ""


def candidates_html(step: Step) -> str:
    """Return the candidates with their scores as a table that marks the chosen ones; all values are text.

    >>> "&lt;b&gt;" in candidates_html(Step("", "", None, pd.DataFrame({"saves": [3]}, index=["<b>"]), ["<b>"]))
    True
    """
    candidates = step.candidates
    assert candidates is not None
    chosen = [label in step.chosen for label in candidates.index]
    # the chosen ones must be seen
    order = sorted(range(len(chosen)), key=lambda row: not chosen[row])[:MAX_CANDIDATES]
    lines = [
        (chosen[row], text_of(candidates.index[row]), [text_of(cell) for cell in candidates.iloc[row]])
        for row in sorted(order)
    ]
    more = len(candidates) + step.left_out - len(lines)
    fragment: Any = templates(Path(__file__)).get_template("player.html").module
    name = "candidate" if candidates.index.name is None else str(candidates.index.name)
    return str(fragment.candidates(name, [str(column) for column in candidates.columns], lines, more))
