"""The memory of a job that starts processes of its own, such as a cluster or the kernels of notebooks."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

EVERY = 0.2  # seconds between two samples


@contextmanager
def watched() -> Iterator[list[float]]:
    """The megabytes of this process and all that it started, at every moment of the block; shared pages count once."""
    import psutil

    seen, over = [0.0], threading.Event()

    def memory(process: psutil.Process) -> int:
        try:
            found = process.memory_full_info()
            return getattr(found, "pss", found.uss)
        except psutil.Error:  # it ended meanwhile
            return 0

    def sample() -> None:
        me = psutil.Process()
        while not over.wait(EVERY):
            seen.append(sum(memory(process) for process in (me, *me.children(recursive=True))) / 2**20)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
