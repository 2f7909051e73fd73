"""Time limits: searches that may take too long stop and report how far they got."""

from __future__ import annotations

import time


class Clock:
    """Tells when a time limit in seconds has passed; None never does."""

    def __init__(self, limit: float | None = None):
        self._end = None if limit is None else time.monotonic() + limit

    def is_up(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end
