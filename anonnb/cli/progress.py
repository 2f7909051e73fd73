"""What a command shows while it works: what is being done, how far it is and for how long.

Both classes stand in for tqdm if a function takes ``progress``. A thread writes, since long work may not call them
for a while.
"""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sized
from contextlib import suppress
from typing import Any, TypeVar

import click

Item = TypeVar("Item")


class ProgressLine:
    """On a terminal: one line, written again and again and removed at the end."""

    EVERY, AFTER = 0.2, 2.0  # seconds; quick work says nothing

    def __init__(self, what: str = "working") -> None:
        self._what = what
        self._loops: list[str] = []  # how far each loop is that is under way, the outermost first
        self._done, self._shown = threading.Event(), False
        self._thread = threading.Thread(target=self._report, daemon=True, name="progress")

    def __enter__(self) -> ProgressLine:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        if self._shown:
            self._remove()

    def __call__(
        self, iterable: Iterable[Item] = (), total: int | None = None, desc: str = "", **_: Any
    ) -> Iterator[Item]:
        total = total or (len(iterable) if isinstance(iterable, Sized) else None)
        depth, done = len(self._loops), 0
        far = f"{desc or 'done'} {{:,}}" + (f" of {total:,}" if total else "")
        try:
            self._loops[depth:] = [far.format(done)]
            for item in iterable:
                yield item
                done += 1
                self._loops[depth:] = [far.format(done)]
        finally:
            del self._loops[depth:]

    def _report(self) -> None:
        began, seconds = time.monotonic(), 0.0
        while not self._done.wait(self._pause(seconds)):
            seconds = time.monotonic() - began
            if seconds >= self.AFTER:
                self._shown = True
                far = ", ".join(self._loops)
                with suppress(OSError):  # nobody reads it any more
                    self._write(f"{self._what}{far and ': '}{far}, {seconds:.0f} s")

    def _pause(self, seconds: float) -> float:
        """Return how long to wait for the next line after so many seconds of work."""
        return self.EVERY

    def _write(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"\r{text[:width]:<{width}}\r", nl=False, err=True)

    def _remove(self) -> None:
        self._write("")


class ProgressLog(ProgressLine):
    """In a file or a pipe: a line of its own every few seconds, which stays; the longer the work, the fewer."""

    EVERY = AFTER = 5.0

    def _pause(self, seconds: float) -> float:
        return max(self.EVERY, seconds / 10)

    def _write(self, text: str) -> None:
        click.echo(text, err=True)

    def _remove(self) -> None:
        pass


def shown_progress(what: str) -> ProgressLine:
    """Return a progress line for a terminal, a progress log otherwise."""
    return ProgressLine(what) if sys.stderr.isatty() else ProgressLog(what)
