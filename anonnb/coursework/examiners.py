"""Start an examiner's process for each submission, with a home, a cache and temporary files that no student sees.

Nothing that happens in one submission stops the others: what goes wrong is in the result. All examiners of a marking
share what one of them compiled, so a process that marks keeps one ``Examiners`` for as long as it lives.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from anonnb.coursework.examiner import CACHE
from anonnb.coursework.isolation import KINDS, closed_to_others
from anonnb.coursework.limits import Limits, end_children, environment, python_module

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

GRACE_SECONDS = 60  # for starting and for tidying up
LEFT_SECONDS = 60  # older folders that nobody holds were left by a marking that was killed
_PREFIX = "anonnb-marking-"


@dataclass(frozen=True)
class Conditions:
    """How the students' processes run: their limits, the kind of isolation, and the folders that it hides."""

    limits: Limits
    isolation: str
    hidden: tuple[str, ...] = ()

    def job(self, steps: Iterable[Mapping[str, Any]], **files: list[str]) -> dict[str, Any]:
        """Return what an examiner is asked; see :func:`anonnb.coursework.examiner.examine`."""
        return {**asdict(self), "steps": list(steps), "given": [], "handed_in": []} | files


@cache
def examiners() -> Examiners:
    """Return the examiners of this process; their folder vanishes when it ends."""
    started = Examiners()
    atexit.register(started.close)
    return started


@cache
def find_isolation(limits: Limits) -> tuple[str, str]:
    """Let processes on trial find the best kind of isolation; return it, and why there is none better.

    Raises
    ------
    ValueError
        If no process starts at all.

    Examples
    --------
    >>> from anonnb.coursework import Limits, find_isolation
    >>> kind, why_no_better = find_isolation(Limits())
    >>> kind in KINDS
    True
    """
    refused: list[str] = []
    for kind in KINDS:
        result = examiners().examine(Conditions(limits, kind).job([{"role": "answer", "id": "", "code": "pass"}]))
        why = result.get("failed") or result["stopped"]
        if not why:
            return kind, "; ".join(refused)
        refused.append(f"{kind}: {why}")
    raise ValueError(f"no student's process starts under these limits, so nobody was marked: {why}")


class Examiners:
    """A folder for the examiners' files and their cache, and an end to each process."""

    def __init__(self) -> None:
        _remove_leftovers()
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        self._hold = _hold(self.folder)

    def close(self) -> None:
        """Remove the folder."""
        remove_folder(self.folder)
        if self._hold:
            os.close(self._hold)

    def examine(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outcome from an examiner's process, or ``failed`` with a reason if it has none."""
        home = Path(tempfile.mkdtemp(dir=self.folder))
        # Behind walls no student sees the cache, so that all examiners may share what one of them compiled.
        numba = (home if job["isolation"] == "none" else self.folder) / "numba"
        seconds = 3 * job["limits"]["seconds"] + GRACE_SECONDS  # the student's, the checks', those of a second look
        try:
            with closed_to_others():
                return _ask(job, seconds, environment(os.fspath(home)) | {CACHE: os.fspath(numba)})
        finally:
            remove_folder(home)


def _ask(job: Mapping[str, Any], seconds: float, variables: dict[str, str]) -> dict[str, Any]:
    process = subprocess.Popen(
        python_module("anonnb.coursework.examiner"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=variables,
        start_new_session=True,  # Ctrl-C is for the marker, who ends the others
    )
    try:
        out, errors = process.communicate(json.dumps(job).encode(), timeout=seconds)
        # only an examiner that came to its own end is believed: a student could kill it and write in its place
        return json.loads(out if process.returncode == 0 else b"")
    except subprocess.TimeoutExpired:
        return {"failed": f"the examiner did not finish in {seconds:g} s"}
    except ValueError:
        last = (errors.decode(errors="replace").strip().splitlines() or [f"exit code {process.returncode}"])[-1]
        return {"failed": f"the examiner failed: {last[:300]}"}
    finally:
        if process.poll() is None:
            end_children(process.pid)
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()


def _hold(folder: Path) -> int | None:
    """Return a handle that keeps the folder for as long as this process lives, or None if another one has it."""
    if fcntl is None:
        return None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle


def _remove_leftovers() -> None:
    """Remove the folders of markings that were killed; a very young one may not be held yet."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or time.time() - folder.stat().st_mtime < LEFT_SECONDS:
                continue
            handle = _hold(folder)
            if handle is not None:
                remove_folder(folder)
                os.close(handle)


def remove_folder(folder: Path) -> None:
    """Remove a folder in which a student could do anything; what resists stays, and nothing is lost by it."""
    try:
        for parent, names, _ in os.walk(folder):
            for path in (os.path.join(parent, name) for name in names):
                if not os.path.islink(path):
                    with contextlib.suppress(OSError):
                        os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:  # folders in folders in folders
        if shutil.which("rm"):
            subprocess.run(["rm", "-rf", "--", os.fspath(folder)], stderr=subprocess.DEVNULL, check=False)
