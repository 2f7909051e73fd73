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
from anonnb.core.wording import counted
from anonnb.plots.steps.cells import text_of
from anonnb.plots.steps.strip import chosen_places
from anonnb.plots.steps.words import words
from anonnb.plots.style import WIDEST, detached
from anonnb.steps.step import Step, Steps
from anonnb.widgets.frames.describing import described
from anonnb.widgets.frames.frame import Frame, composed
from anonnb.widgets.frames.grids import Budget

MOST_CANDIDATES = 20
LEAST_STORED = 12  # frames of a report, however slow
PACE = 2  # a player may take this many times the seconds of another moving cell: it shows a whole run
NARROW = 5.4  # inches of a picture that has candidates beside it
MOVES = ("first", "back", "forward", "last")


class Player:
    """Steps and the one that is shown now; ``options`` are those of :func:`anonnb.plots.step`: the attributes x and y.

    >>> run = [Step(f"Halve {n}", "It is more than 1.", n, number=place) for place, n in enumerate((8, 4, 2), 1)]
    >>> player = Player(run)
    >>> player.go("last"); player.heading
    'Step 3 of 3: Halve 2'
    >>> player.go("forward"); player.place
    2
    """

    def __init__(self, steps: Iterable[Step], **options: Any):
        self.steps = steps if isinstance(steps, Steps) else Steps(_checked(steps))
        self.options = options
        self.place = 0
        self._width = NARROW if any(step.candidates is not None for step in self.steps) else WIDEST
        self._frames: dict[int, Frame] = {}

    def __len__(self) -> int:
        return len(self.steps)

    def go(self, to: str | int) -> None:
        """Show another step: "first", "back", "forward", "last", or a place from 0; it stays within the run."""
        if isinstance(to, str):
            if to not in MOVES:
                raise ValueError(f"a player cannot go {to!r}; choose from {', '.join(MOVES)}, or a number")
            last = len(self) - 1
            to = {"first": 0, "back": self.place - 1, "forward": self.place + 1, "last": last}[to]
        self.place = max(0, min(to, len(self) - 1))

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self.steps[self.place]

    @property
    def heading(self) -> str:
        """The number of the step and its title."""
        return self._heading(self.place, len(self))

    @property
    def said(self) -> str:
        """One sentence if steps of the run are left out; otherwise nothing."""
        return _said(len(self), self.steps.total)

    @property
    def frame(self) -> Frame:
        """The step that is shown: its heading, its sentence, its picture and its candidates."""
        if self.place not in self._frames:
            self._frames[self.place] = self._drawn(self.place, self.place - 1, len(self))
        return self._frames[self.place]

    def told(self, place: int) -> str:
        """A step in words alone: its heading, its sentence, and what its picture shows."""
        step, previous = self.steps[place], self.steps[place - 1] if place else None
        return f"{self._heading(place, len(self))}. {step.sentence} {words(step, previous)}"

    def stored(self, budget: Budget) -> list[Frame]:
        """A frame for every step, or for an even sample of them that keeps to the budget; the titles say so."""
        places = chosen_places(len(self), self._affordable(budget))
        return [self._drawn(place, last, len(places)) for last, place in pairwise([-1, *places])]

    def _affordable(self, budget: Budget) -> int:
        """How many frames the budget allows, judged by the first, drawn twice: the first time loads libraries."""
        if len(self) <= LEAST_STORED <= budget.frames:
            return LEAST_STORED
        first = self._drawn(0, -1, len(self))
        begun = time.process_time()
        self._drawn(0, -1, len(self))
        seconds = max(time.process_time() - begun, 1e-3)
        most = min(budget.size / first.size, PACE * budget.seconds / seconds)
        return max(2, min(budget.frames, max(LEAST_STORED, int(most))))

    def _heading(self, place: int, shown: int) -> str:
        step, total = self.steps[place], self.steps.total
        part = f" ({shown} shown)" if shown < total else ""
        return f"Step {step.number:,} of {total:,}{part}: {step.title}"

    def _drawn(self, place: int, before: int, shown: int) -> Frame:
        step, previous = self.steps[place], self.steps[before] if before >= 0 else None
        with detached():
            ax = plots.step(step, previous, title=False, width=self._width, **self.options)
        described(ax, caption=step.title, alt=words(step, previous))
        table = None if step.candidates is None or not len(step.candidates) else candidates_html(step)
        return composed(ax, title=self._heading(place, shown), text=step.sentence, table=table)


def _checked(steps: Iterable[Step]) -> list[Step]:
    asked = "play needs the steps of a run, such as method.steps(table)"
    if not isinstance(steps, Iterable) or isinstance(steps, str | pd.DataFrame):
        raise TypeError(f"{asked}, not {type(steps).__name__}")
    steps = list(steps)
    strange = [type(step).__name__ for step in steps if not isinstance(step, Step)]
    if strange:
        raise TypeError(f"{asked}; among these is a {strange[0]}")
    return steps


def _said(shown: int, total: int) -> str:
    return f"Of {counted(total, 'step')} {shown} are shown, chosen evenly." if shown < total else ""


def candidates_html(step: Step) -> str:
    """What could be chosen with its scores, as a table in which the chosen ones are marked; all values are text.

    >>> "&lt;b&gt;" in candidates_html(Step("", "", None, pd.DataFrame({"saves": [3]}, index=["<b>"]), ["<b>"]))
    True
    """
    candidates = step.candidates
    taken = [label in step.chosen for label in candidates.index]
    # the chosen ones must be seen
    order = sorted(range(len(taken)), key=lambda place: not taken[place])[:MOST_CANDIDATES]
    lines = [
        (taken[place], text_of(candidates.index[place]), [text_of(cell) for cell in candidates.iloc[place]])
        for place in sorted(order)
    ]
    more = len(candidates) + step.left_out - len(lines)
    fragment = templates(Path(__file__)).get_template("player.html").module
    name = "candidate" if candidates.index.name is None else str(candidates.index.name)
    return str(fragment.candidates(name, [str(column) for column in candidates.columns], lines, more))
