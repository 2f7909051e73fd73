"""How an algorithm reports its steps: it calls ``note``, and no function in between has to pass anything on.

The steps are what the algorithm does, since the same code does both; while nobody listens, a note costs one look at a
variable. A run of very many steps keeps an even sample of them: the states of the others are never made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import pandas as pd

from anonnb.steps.step import Step, Steps

MOST = 60  # steps that are kept; nobody plays more
MOST_CANDIDATES = 12  # of a step; nobody reads more

_RECORDER: ContextVar[Recorder | None] = ContextVar("recorder", default=None)


class Recorder:
    """Keeps an even sample of the steps reported to it: all, every second, every fourth … as their number grows."""

    def __init__(self, most: int):
        if most < 2:
            raise ValueError(f"most must be at least 2, the first step and the last, not {most}")
        self.most, self.told, self._stride = most, 0, 1
        self._kept: list[Step] = []

    def take(self, make: Callable[[int], Step]) -> None:
        """Count a step, and make and keep it if it is one of the sample."""
        wanted = self.told % self._stride == 0
        self.told += 1
        if wanted:
            self._kept.append(make(self.told))
            if len(self._kept) >= 2 * self.most:
                self._kept, self._stride = self._kept[::2], 2 * self._stride

    def steps(self, last: Step) -> Steps:
        """Return the sample, thinned evenly to ``most`` steps, and the last step."""
        available = self.most - 1
        kept = self._kept
        if len(kept) > available:
            kept = [kept[index * (len(kept) - 1) // max(available - 1, 1)] for index in range(available)]
        return Steps([*kept, last], total=self.told + 1)


def listening() -> bool:
    """Return whether steps are being recorded: ask before computing what only ``note`` needs.

    >>> listening(), of(listening).result
    (False, True)
    """
    return _RECORDER.get() is not None


def note(
    title: str | Callable[[], str],
    sentence: str | Callable[[], str],
    state: Any = None,
    candidates: pd.DataFrame | Callable[[], pd.DataFrame] | None = None,
    chosen: Sequence[Hashable] | Callable[[], Sequence[Hashable]] = (),
) -> None:
    """Record a step, if steps are being recorded.

    Every argument may be a function; it is called at once, but only if the step is kept. A state that the algorithm
    changes later must be a copy. Of many candidates, the chosen and the first others are kept.

    >>> note("Begin", "Nobody listens, so nothing happens.")
    >>> [step.title for step in of(note, "Begin", "The work begins.")]
    ['Begin', 'The result']
    """
    recorder = _RECORDER.get()
    if recorder is not None:
        recorder.take(
            lambda number: _step(
                _made(title), _made(sentence), _made(state), _made(candidates), tuple(_made(chosen)), number
            )
        )


def _step(
    title: str, sentence: str, state: Any, candidates: pd.DataFrame | None, chosen: tuple[Hashable, ...], number: int
) -> Step:
    title, sentence = (" ".join(text.split()) for text in (title, sentence))  # names from data may break lines
    if candidates is None or len(candidates) <= MOST_CANDIDATES:
        return Step(title, sentence, state, candidates, chosen, number)
    taken = candidates.index.isin(chosen)
    available = max(MOST_CANDIDATES - taken.sum(), 0)
    stays = (taken & (taken.cumsum() <= MOST_CANDIDATES)) | (~taken & ((~taken).cumsum() <= available))
    shown = candidates[stays]
    left_out = len(candidates) - len(shown)
    return Step(title, sentence, state, shown, [each for each in chosen if each in shown.index], number, left_out)


def _made(part: Any) -> Any:
    return part() if callable(part) else part


@contextmanager
def silent() -> Iterator[None]:
    """Record nothing inside: for work within a step whose own steps are of no interest.

    >>> def quiet():
    ...     with silent():
    ...         return listening()
    >>> of(quiet).result
    False
    """
    token = _RECORDER.set(None)
    try:
        yield
    finally:
        _RECORDER.reset(token)


def of(
    function: Callable[..., Any],
    *arguments: Any,
    most: int = MOST,
    last: Callable[[Any], tuple[str, str]] | None = None,
    **options: Any,
) -> Steps:
    """Run a function and collect the steps that it records; the state of the last step is what it returns.

    Parameters
    ----------
    most:
        The most steps to keep; of more, an even sample is kept.
    last:
        A function from the result to the title and the sentence of the last step.

    Examples
    --------
    >>> def halve(n):
    ...     while n > 1:
    ...         note(f"Halve {n}", f"{n} is more than 1.", n)
    ...         n //= 2
    ...     return n
    >>> [step.title for step in of(halve, 8)], of(halve, 8).result
    (['Halve 8', 'Halve 4', 'Halve 2', 'The result'], 1)
    >>> of(halve, 2**100, most=10)
    Steps(10 of 101, sampled evenly)
    """
    recorder = Recorder(most)
    token = _RECORDER.set(recorder)
    try:
        result = function(*arguments, **options)
    finally:
        _RECORDER.reset(token)
    title, sentence = ("The result", "Nothing is left to do.") if last is None else last(result)
    return recorder.steps(Step(title, sentence, result, number=recorder.told + 1))
