"""How long work reports its progress: loops say what they iterate over, and a watcher decides what to show.

A watcher is anything that takes an iterable as ``tqdm`` does. Loops deep inside an algorithm find it here, so that no
function in between has to pass it on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

Progress = Callable[..., Iterable]


def no_progress(iterable: Iterable = (), **_: object) -> Iterable:
    """Stand in for ``tqdm`` when nobody watches."""
    return iterable


_WATCHER: ContextVar[Progress] = ContextVar("watcher", default=no_progress)


@contextmanager
def watched_by(progress: Progress) -> Iterator[None]:
    """Have the loops of this thread report to ``progress``, while inside.

    >>> def show(iterable, desc="", **_):
    ...     print(desc)
    ...     return iterable
    >>> with watched_by(show):
    ...     sum(ticks([1, 2], "numbers"))
    numbers
    3
    """
    token = _WATCHER.set(progress)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def watcher() -> Progress:
    """Return whoever watches the loops of this thread, for work that wants to be given its ``progress``."""
    return _WATCHER.get()


def ticks(items: Iterable, what: str) -> Iterable:
    """Yield the same items, counted by the watcher; ``what`` names them."""
    return watcher()(items, desc=what)


def steps(what: str) -> Iterator[int]:
    """Count a loop without an iterable: ``counted = steps("nodes")`` before it, ``next(counted)`` in every round.

    >>> counted = steps("rounds")
    >>> next(counted), next(counted)
    (0, 1)
    """
    return iter(ticks(count(), what))


class Clock:
    """Tells when a time limit in seconds has passed; None never does."""

    def __init__(self, limit: float | None = None):
        self._end = None if limit is None else time.monotonic() + limit

    def is_up(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end
