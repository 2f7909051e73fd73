"""One step of an algorithm, and a whole run of steps.

A step has a title, a sentence, the state of the work, the candidates with their scores, and which of them was chosen.
The state may be anything that :func:`anonnb.plots.step` can draw: a release, a frame, groups of rows, a graph.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd


@dataclass(frozen=True, eq=False)
class Step:
    """What an algorithm did at one point, and why.

    Parameters
    ----------
    title:
        A few words: "Cut age at 38".
    sentence:
        What happens and why, in one sentence that ends with a full stop.
    state:
        The work after this step: an independent copy, which later steps do not change.
    candidates:
        What could have been done, a row each, with the scores that decide; its index names the candidates.
    chosen:
        The labels in that index that were chosen; empty where nothing was.
    number:
        The place of this step among all steps of the run, from 1; sampled runs leave some out.
    left_out:
        How many further candidates there were: ``note`` keeps the chosen ones and the first others.

    Examples
    --------
    >>> scores = pd.DataFrame({"saves": [1, 3]}, index=["a", "b"])
    >>> Step("Take b", "b saves more than a.", candidates=scores, chosen=["b"])
    Step(1, 'Take b')
    """

    title: str
    sentence: str
    state: Any = None
    candidates: pd.DataFrame | None = None
    chosen: Sequence[Hashable] = ()
    number: int = 1
    left_out: int = 0

    def __post_init__(self):
        object.__setattr__(self, "chosen", tuple(self.chosen))
        known = () if self.candidates is None else self.candidates.index
        unknown = [label for label in self.chosen if label not in known]
        if unknown:
            raise ValueError(f"step {self.title!r} chose {unknown[0]!r}, which is none of its candidates")

    def __repr__(self) -> str:
        return f"Step({self.number}, {self.title!r})"


class Steps(Sequence[Step]):
    """The steps of one run in order; the state of the last one is the result.

    Parameters
    ----------
    total:
        How many steps the run took. If that is more than there are here, the run was sampled evenly, with the first and
        the last step among them.

    Examples
    --------
    >>> run = Steps([Step("One", "It begins.", "begun"), Step("Two", "It ends.", "done", number=2)])
    >>> len(run), run.result, run.sampled
    (2, 'done', False)
    >>> run.frame[["step", "title"]].values.tolist()
    [[1, 'One'], [2, 'Two']]
    """

    def __init__(self, steps: Iterable[Step], total: int | None = None):
        self._steps = tuple(steps)
        if not self._steps:
            raise ValueError("there are no steps; a run has at least its result")
        self.total = len(self._steps) if total is None else total

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, place):
        return self._steps[place]

    def __iter__(self) -> Iterator[Step]:
        return iter(self._steps)

    @property
    def result(self) -> Any:
        """The result of the run."""
        return self._steps[-1].state

    @property
    def sampled(self) -> bool:
        """Whether steps were left out."""
        return self.total > len(self)

    @property
    def frame(self) -> pd.DataFrame:
        """A row per step: its number, title, sentence, and what was chosen from how many candidates."""
        lines = [
            (
                step.number,
                step.title,
                step.sentence,
                0 if step.candidates is None else len(step.candidates) + step.left_out,
                ", ".join(map(str, step.chosen)),
            )
            for step in self
        ]
        return pd.DataFrame(lines, columns=["step", "title", "sentence", "candidates", "chosen"])

    def __repr__(self) -> str:
        of = f" of {self.total:,}, sampled evenly" if self.sampled else ""
        return f"Steps({len(self):,}{of})"

    def _repr_html_(self) -> str:
        return self.frame.to_html(index=False, escape=True, border=0)
