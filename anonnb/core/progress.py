"""How long work reports its progress: loops say what they iterate over, and a watcher decides what to show.

A watcher is anything that takes an iterable as ``tqdm`` does. Loops deep inside an algorithm find it here, so that no
function in between has to pass it on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import count

Progress = Callable[..., Iterable]


def no_progress(iterable: Iterable = (), **_: object) -> Iterable:
    """Stands in for ``tqdm`` when nobody watches."""
    return iterable


_WATCHER: ContextVar[Progress] = ContextVar("watcher", default=no_progress)


@contextmanager
def watched_by(progress: Progress) -> Iterator[None]:
    """Inside, the loops of this thread report to ``progress``.

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
    """Whoever watches the loops of this thread, for work that wants to be given its ``progress``."""
    return _WATCHER.get()


def ticks(items: Iterable, what: str) -> Iterable:
    """The same items, counted by the watcher; ``what`` names them."""
    return watcher()(items, desc=what)


def steps(what: str) -> Iterator[int]:
    """For a loop without an iterable: ``counted = steps("nodes")`` before it, ``next(counted)`` in every round.

    >>> counted = steps("rounds")
    >>> next(counted), next(counted)
    (0, 1)
    """
    return iter(ticks(count(), what))
