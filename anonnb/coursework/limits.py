"""Limits on a student's process: memory, time, file size; and an end to everything that it started.

A watchdog looks at the whole tree of processes and ends it when it takes too much memory or time, or when there are too
many of them. Resident memory counts, because libraries reserve far more addresses than they use. Where the system has
resource limits (POSIX), an allocation that is far too large is a MemoryError in the student's cell. Linux also hands us
orphans, so that no process outlives its submission.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import psutil

from anonnb.coursework.isolation import adopt_orphans, close_to_others, die_with_parent

MEGABYTE = 1_000_000
LARGEST_FILE = 100 * MEGABYTE
_LOOK_EVERY = 0.25  # seconds; looking through all processes takes some time
MOST_PROCESSES = 200
RESERVED = 4000  # megabytes that a process may ask for and not use
EXAMINER_NEEDS = 800  # megabytes: pandas, compiled code, the tables of an assignment
# What a process needs to start on some system or other; nothing in them tells about the marker.
_KEPT = ("PATH", "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "WINDIR", "NUMBER_OF_PROCESSORS")


@dataclass(frozen=True)
class Limits:
    """What one submission may take.

    Parameters
    ----------
    seconds:
        The time of all its cells in total; the checks have as much.
    cell_seconds:
        The time of one cell or one check; what takes longer fails, and the next one runs.
    megabytes:
        The resident memory of its process and of everything that it starts.

    Examples
    --------
    >>> Limits(seconds=60).megabytes
    2000
    >>> Limits(seconds=0)
    Traceback (most recent call last):
    ...
    ValueError: seconds must be above 0, not 0
    """

    seconds: float = 180
    cell_seconds: float = 60
    megabytes: int = 2000

    def __post_init__(self) -> None:
        for name in ("seconds", "cell_seconds", "megabytes"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)!r}")


def python_module(module: str) -> list[str]:
    """Return a command that runs a module of this very package, whatever else is on the user's path."""
    import anonnb

    home = os.path.dirname(os.path.dirname(os.path.abspath(anonnb.__file__)))
    code = f"import sys; sys.path.insert(0, {home!r}); from {module} import main; main()"
    return [sys.executable, "-I", "-c", code]


def environment(folder: str, source: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return a small environment: nothing of the user's, one thread, a home that vanishes with the submission."""
    kept = {name: source[name] for name in _KEPT if name in source}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    home = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), folder)
    return kept | threads | home | {"MPLBACKEND": "Agg", "ANONNB_BATCH": "1", "LANG": "C.UTF-8"}


def limit_this_process(limits: Limits) -> None:
    """Set the system's own limits, where it has them; called in the student's process before any of its cells."""
    if sys.platform == "win32":
        return
    import resource

    if sys.platform == "linux":
        _limit(resource.RLIMIT_DATA, (limits.megabytes + RESERVED) * MEGABYTE)
    _limit(resource.RLIMIT_CPU, int(2 * limits.seconds) + 10)
    _limit(resource.RLIMIT_FSIZE, LARGEST_FILE)
    _limit(resource.RLIMIT_CORE, 0)


def limit_own_memory(limits: Limits) -> None:
    """Limit the examiner's own memory, because it reads what a student hands in; called in the examiner.

    It gets as much as the student, and at least what it needs itself. Shared libraries do not count (RLIMIT_DATA).
    """
    if sys.platform == "linux":
        import resource

        limit = max(limits.megabytes, EXAMINER_NEEDS) * MEGABYTE
        with contextlib.suppress(ValueError, OSError):  # soft, because a student's process may have more
            resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def _limit(what: int, value: int) -> None:
    import resource

    with contextlib.suppress(ValueError, OSError):  # some systems know a limit but refuse it
        resource.setrlimit(what, (value, value))


def keep_apart() -> None:
    """Adopt orphans, end with the parent, and let no process of the same user read or trace this one (Linux)."""
    adopt_orphans()
    die_with_parent()
    close_to_others()


def end_children(pid: int | None = None) -> None:
    """End every process below an examiner (by default this process), also those that tried to slip away."""
    for _ in range(100):
        children = _children(pid)
        if not children:
            return
        for act in (psutil.Process.suspend, psutil.Process.kill):  # what stands still has no more children
            for child in children:
                with contextlib.suppress(psutil.Error):
                    act(child)
        psutil.wait_procs(children, timeout=5)


class Watchdog(threading.Thread):
    """End all children when they take too long or too much memory; ``reason`` then says which.

    Only the time during which an answer is awaited counts (``with watch.awaiting():``).
    """

    def __init__(self, limits: Limits):
        super().__init__(daemon=True)
        self.limits = limits
        self.reason = ""
        self._left = limits.seconds
        self._since: float | None = None
        self._over = threading.Event()

    @contextlib.contextmanager
    def awaiting(self) -> Iterator[None]:
        """Count the time that this takes."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._left -= time.monotonic() - self._since
            self._since = None

    def _out_of_time(self) -> bool:
        since = self._since
        return since is not None and time.monotonic() - since > self._left

    def run(self) -> None:
        while not self.reason and not self._over.wait(_LOOK_EVERY):
            if self._out_of_time():
                self.reason = f"the time limit of {self.limits.seconds:g} s was reached"
            children = _children()
            if len(children) > MOST_PROCESSES:
                self.reason = f"the limit of {MOST_PROCESSES} processes was reached"
            elif _memory(children) > self.limits.megabytes * MEGABYTE:
                self.reason = f"the memory limit of {self.limits.megabytes} MB was reached"
        if self.reason:
            end_children()

    def stop(self) -> None:
        self._over.set()
        self.join()


def _children(pid: int | None = None) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def _memory(processes: list[psutil.Process]) -> int:
    total = 0
    for child in processes:
        with contextlib.suppress(psutil.Error):
            total += child.memory_info().rss
    return total
