"""The journal of a marking: a line as each submission begins and ends, so that a stopped marking continues.

A line is on the disk before the next one is begun. A submission is known by a hash of all that decides its mark; one
that ran when the marking was killed more than once is suspected of it, and left for the end.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from anonnb.coursework.marks import Mark

MOST_DEATHS = 3


class Journal:
    """Marks by hash in ``finished``; how often a marking died while a submission ran, in ``deaths``.

    Parameters
    ----------
    path:
        The file; without one, nothing is kept.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "progress.jsonl")
    >>> journal = Journal(path)
    >>> journal.begin("a1"); journal.finish("a1", Mark("ann", "01", "marked")); journal.begin("b2"); journal.close()
    >>> again = Journal(path)
    >>> again.finished["a1"].student, again.deaths["b2"]
    ('ann', 1)
    """

    def __init__(self, path: str | os.PathLike | None = None):
        self.path = Path(path) if path else None
        self.finished: dict[str, Mark] = {}
        self.deaths: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._waiting = b""
        self._file = None
        if self.path:
            self._file = open(self.path, "ab+", buffering=0)  # noqa: SIM115 (closed by close)
            for line in self._lines():
                self._take(line)

    def _lines(self) -> Iterator[dict]:
        self._file.seek(0)
        text = self._file.read()
        self._waiting = b"" if text.endswith(b"\n") or not text else b"\n"  # a line that was cut off stays alone
        for line in text.splitlines():
            with contextlib.suppress(ValueError):
                found = json.loads(line)
                if isinstance(found, dict):
                    yield found

    def _take(self, line: dict) -> None:
        with contextlib.suppress(KeyError, TypeError):  # a line of another version
            self.deaths[line["key"]] += {"begun": 1, "released": -1, "finished": -1}[line["what"]]
            if line["what"] == "finished":
                self.finished[line["key"]] = Mark.from_plain(line["mark"])

    def begin(self, key: str) -> None:
        """Note that a submission runs now.

        Parameters
        ----------
        key:
            The hash of all that decides its mark.
        """
        self._append(what="begun", key=key)

    def release(self, key: str) -> None:
        """Note that a submission was not finished, and nobody is to blame.

        Parameters
        ----------
        key:
            The hash of all that decides its mark.

        Examples
        --------
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp(), "progress.jsonl")
        >>> journal = Journal(path)
        >>> journal.begin("a1"); journal.release("a1"); journal.close()
        >>> Journal(path).deaths["a1"]
        0
        """
        self._append(what="released", key=key)

    def finish(self, key: str, mark: Mark) -> None:
        """Note the mark of a submission.

        Parameters
        ----------
        key:
            The hash of all that decides its mark.
        mark:
            What became of it.
        """
        self._append(what="finished", key=key, mark=mark.plain())

    def _append(self, **line: object) -> None:
        if not self._file:
            return
        with self._lock:
            self._waiting += json.dumps(line).encode() + b"\n"
            with contextlib.suppress(OSError):  # a full disk: what was not written goes with the next line
                while self._waiting:
                    self._waiting = self._waiting[self._file.write(self._waiting) :]
                os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, and leave none behind in which nothing stands."""
        if self._file:
            empty = os.fstat(self._file.fileno()).st_size == 0
            self._file.close()
            self._file = None
            if empty:
                self.path.unlink(missing_ok=True)
