"""Marking a folder of submissions, each in a process of its own, with limits, behind walls, and into a journal.

Each submission is examined by an examiner (see examiner.py). Nothing that happens in one of them stops the others:
what cannot be marked gets a line that says why. Examiners have a home, a cache and temporary files that no student's
process sees.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from anonnb.coursework.assignment import Assignment, BadAssignment
from anonnb.coursework.examiner import CACHE
from anonnb.coursework.isolation import KINDS, closed_to_others
from anonnb.coursework.journal import MOST_DEATHS, Journal
from anonnb.coursework.limits import Limits, end_children, environment
from anonnb.coursework.marks import Mark, code_by_task, fill, no_points, note_shared_ids, readable_name
from anonnb.coursework.submissions import (
    LARGEST_NOTEBOOK,
    Submission,
    check_folder,
    files_beside,
    find_submissions,
    merge,
    strange_notebooks,
)

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

GRACE_SECONDS = 60  # for starting, for the checks themselves, and for tidying up
LEFT_SECONDS = 60  # older folders that nobody holds were left by a marking that was killed
_PREFIX = "anonnb-marking-"


class Stopped(Exception):
    """The marking was stopped while an examiner was at work; its result counts for nothing."""


@dataclass(frozen=True)
class Conditions:
    """How the students' processes run: limits, a command to wrap them in, a kind of isolation, what it hides."""

    limits: Limits
    wrap: tuple[str, ...] = ()
    isolation: str = "none"
    hidden: tuple[str, ...] = ()

    def job(self, **more: Any) -> dict[str, Any]:
        """What an examiner is asked; see :func:`anonnb.coursework.examiner.examine`."""
        return {**asdict(self), "given": [], "handed_in": []} | more


def mark_folder(
    folder: str | os.PathLike,
    assignments: Sequence[Assignment],
    *,
    limits: Limits | None = None,
    jobs: int = 1,
    due: datetime | None = None,
    times: Mapping[tuple[str, str], datetime] | None = None,
    wrap: Sequence[str] = (),
    isolation: str | None = None,
    journal: Journal | None = None,
    ids: Mapping[str, str] | None = None,
    progress: Callable[[Iterable[Mark]], Iterable[Mark]] = iter,
) -> list[Mark]:
    """Mark every student's notebooks; the marks are the same whatever ``jobs`` is.

    Parameters
    ----------
    folder:
        A folder for each student, with a folder or a notebook for each assignment in it.
    assignments:
        The assignments, read from their sources.
    limits:
        Time and memory for one submission.
    jobs:
        How many submissions are marked at a time.
    due:
        Later submissions are late.
    times:
        When who handed in what (:func:`anonnb.coursework.submissions.read_times`); else the time of the file counts.
    wrap:
        The words of a command around every student's process.
    isolation:
        The kind of isolation; the best that can be had by default.
    journal:
        What it knows is not marked again.
    ids:
        Who has which id where numbers vary (:func:`anonnb.coursework.submissions.read_ids`); for others the id in
        their notebook counts.
    progress:
        Called with the marks as they come, as one calls tqdm.

    Returns
    -------
    list of Mark
        By student and assignment.

    Examples
    --------
    >>> import tempfile
    >>> from anonnb.coursework import assignments, mark_folder
    >>> mark_folder(tempfile.mkdtemp(), assignments(names=["01"]))  # nobody has handed in anything
    []
    """
    check_folder(folder)
    limits, by_name, journal = limits or Limits(), {one.name: one for one in assignments}, journal or Journal()
    isolation = isolation or find_isolation(limits, wrap)[0]
    hidden = {Path(folder).resolve(), *(one.folder.resolve().parent for one in assignments if one.folder)}
    conditions = Conditions(limits, tuple(wrap), isolation, tuple(sorted(map(os.fspath, hidden))))
    found = find_submissions(folder, by_name)
    found = [replace(one, id=_own_id(one, by_name[one.assignment], ids)) for one in found]
    keys = {submission: _key(submission, by_name[submission.assignment], conditions) for submission in found}
    with closed_to_others(), Examiners() as examiners:

        def marked(submission: Submission) -> Mark:
            assignment = by_name[submission.assignment]
            mark = _known(journal, keys[submission], submission, assignment)
            if mark is None:
                mark = _journaled(journal, keys[submission], mark_one, submission, assignment, conditions, examiners)
            _set_late(mark, submission, due, times)
            return Mark.from_plain(mark.plain())

        # Whatever ran when an earlier marking was killed comes last and alone.
        suspects = [submission for submission in found if journal.deaths[keys[submission]] > 0]
        others = [submission for submission in found if journal.deaths[keys[submission]] <= 0]
        with ThreadPoolExecutor(max(1, jobs)) as pool:
            try:
                marks = list(progress(itertools.chain(pool.map(marked, others), map(marked, suspects))))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                examiners.stop()
                raise
    note_shared_ids(marks)
    return sorted([*marks, *_unknown(folder, by_name)], key=lambda mark: (mark.student, mark.assignment))


def _own_id(submission: Submission, assignment: Assignment, ids: Mapping[str, str] | None) -> str | None:
    return (ids or {}).get(readable_name(submission.student)) if assignment.varies else None


def _unknown(folder: str | os.PathLike, names: Iterable[str]) -> list[Mark]:
    marks = []
    for student, path in strange_notebooks(folder, names):
        name, reason = readable_name(path.name), "this is no assignment" if student else "not in a student's folder"
        marks.append(Mark(readable_name(student), readable_name(path.stem), "unknown", reason=f"{name}: {reason}"))
    return marks


def find_isolation(limits: Limits, wrap: Sequence[str] = ()) -> tuple[str, str]:
    """The best kind of isolation that a process on trial gets, and why there is none better.

    Parameters
    ----------
    limits:
        The limits of a submission.
    wrap:
        The words of a command around every student's process, such as that of a sandbox.

    Returns
    -------
    tuple of str
        The kind, and why those before it could not be had.

    Raises
    ------
    ValueError
        Where no process starts at all, be it for the limits or for the command around it.

    Examples
    --------
    >>> from anonnb.coursework import Limits, find_isolation
    >>> kind, why_no_better = find_isolation(Limits())
    >>> kind in KINDS
    True
    """
    refused = []
    step = {"role": "answer", "id": "trial", "code": "pass"}
    with closed_to_others(), Examiners() as examiners:
        for kind in KINDS:
            job = Conditions(limits, tuple(wrap), kind).job(steps=[step])
            result = examiners.examine(job, limits.seconds + GRACE_SECONDS)
            why = result.get("failed") or result["stopped"]
            if not why:
                return kind, "; ".join(refused)
            refused.append(f"{kind}: {why}")
    command = f"the command {' '.join(wrap)!r}" if wrap else "these limits"
    raise ValueError(f"a student's process does not start under {command}, so nobody was marked: {why}")


def _key(submission: Submission, assignment: Assignment, conditions: Conditions) -> str:
    """A hash of all that decides a mark: what was handed in, the assignment, the conditions."""
    digest = hashlib.sha256(assignment.digest)
    digest.update(json.dumps([submission.student, submission.assignment, submission.id, asdict(conditions)]).encode())
    with contextlib.suppress(OSError):
        for path in [submission.path, *files_beside(submission.path)] if submission.path else []:
            size = path.stat().st_size
            content = path.read_bytes() if size <= LARGEST_NOTEBOOK else b""  # larger ones are not read at all
            digest.update(f"{size} ".encode() + os.fsencode(path.name) + b"\0" + content)
    return digest.hexdigest()


def _known(journal: Journal, key: str, submission: Submission, assignment: Assignment) -> Mark | None:
    """The mark that the journal knows, if any; what was killed too often is not tried again."""
    if key in journal.finished or journal.deaths[key] < MOST_DEATHS:
        return journal.finished.get(key)
    what = f"the marking was killed {journal.deaths[key]} times while this notebook ran"
    remedy = f"look at it by hand, or delete {journal.path.name} and try again"
    name = readable_name(submission.student)
    return Mark(name, submission.assignment, "failed", no_points(assignment), f"{what}; {remedy}")


def _journaled(journal: Journal, key: str, make: Callable[..., Mark], *arguments: Any) -> Mark:
    """Make a mark between two lines of the journal; what failed is tried again by the next marking."""
    journal.begin(key)
    try:
        mark = make(*arguments)
    except BaseException:
        journal.release(key)
        raise
    if mark.status == "failed":
        journal.release(key)
    else:
        journal.finish(key, mark)
    return mark


def mark_one(submission: Submission, assignment: Assignment, conditions: Conditions, examiners: Examiners) -> Mark:
    """Mark one notebook; whatever is wrong with it is in the mark."""
    mark = Mark(readable_name(submission.student), submission.assignment, "missing", no_points(assignment))
    mark.title = assignment.title
    if submission.path is None:
        mark.reason = "not handed in"
        return mark
    mark.notes += [submission.note] if submission.note else []
    try:
        _examine(mark, submission, assignment, conditions, examiners)
    except Stopped:
        raise
    except BadAssignment as error:
        mark.status, mark.reason = "unreadable", str(error)
    except OSError as error:  # its own text holds the path on the teacher's machine
        mark.status, mark.reason = "unreadable", f"{submission.path.name}: {error.strerror}"
    except Exception as error:  # whatever a strange notebook does to us, it does to one line only
        mark.status, mark.reason = "failed", f"{submission.path.name}: {type(error).__name__}: {error}"
    return mark


def _examine(
    mark: Mark, submission: Submission, assignment: Assignment, conditions: Conditions, examiners: Examiners
) -> None:
    path = submission.path
    merged = merge(assignment, path, submission.id)
    mark.id = merged.id
    mark.notes += merged.notes
    mark.protection = conditions.isolation
    mark.code = code_by_task(assignment, merged.steps)
    job = conditions.job(
        steps=merged.steps,
        given=[os.fspath(file.resolve()) for file in assignment.files],
        handed_in=[os.fspath(file.resolve()) for file in files_beside(path)],
    )
    fill(mark, examiners.examine(job, conditions.limits.seconds + GRACE_SECONDS), merged.texts)


def _set_late(
    mark: Mark,
    submission: Submission,
    due: datetime | None,
    times: Mapping[tuple[str, str], datetime] | None,
) -> None:
    """By the teacher's list of times, else by the time of the file; nothing inside a submission counts."""
    if due is None or submission.path is None:
        return
    listed = times or {}
    when = listed.get((mark.student, mark.assignment)) or listed.get((mark.student, ""))
    if when is None and times is not None:
        mark.notes = [*mark.notes, "the list of times lacks this student; the time of the notebook's file counts"]
    with contextlib.suppress(OSError, ValueError, OverflowError):  # gone meanwhile, or beyond the calendar
        when = when or datetime.fromtimestamp(submission.path.stat().st_mtime, UTC)
    mark.late = when is not None and when > due


# ---- the examiners' processes ----------------------------------------------------------------------------------------


class Examiners:
    """The examiners of one marking: a folder for their files and their cache, and an end to all of them."""

    def __enter__(self) -> Examiners:
        _remove_leftovers()
        self.folder = Path(tempfile.mkdtemp(prefix=_PREFIX)).resolve()
        self._hold = _held(self.folder)
        self._running: set[subprocess.Popen] = set()
        self._lock = threading.Lock()
        self._stopped = False
        return self

    def __exit__(self, *_: object) -> None:
        remove_folder(self.folder)
        if self._hold:
            os.close(self._hold)

    def stop(self) -> None:
        """End all that run; their callers get a Stopped, and nobody can start another."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                end_children(process.pid)
                process.kill()

    def examine(self, job: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The outcome from an examiner's process; ``failed`` instead when it has none."""
        home = Path(tempfile.mkdtemp(dir=self.folder))
        # Behind walls no student sees the cache, so that all examiners may share what one of them compiled.
        cache = home if job["isolation"] == "none" else self.folder
        try:
            return self._ask(job, seconds, environment(os.fspath(home)) | {CACHE: os.fspath(cache / "numba")})
        finally:
            remove_folder(home)

    def _ask(self, job: Mapping[str, Any], seconds: float, variables: dict[str, str]) -> dict[str, Any]:
        process = self._start(variables)
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
            self._end(process)

    def _start(self, variables: dict[str, str]) -> subprocess.Popen:
        with self._lock:
            if self._stopped:
                raise Stopped
            process = subprocess.Popen(
                [sys.executable, "-I", "-m", "anonnb.coursework.examiner"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=variables,
                start_new_session=True,  # Ctrl-C is for the marker, who ends the others
            )
            self._running.add(process)
        return process

    def _end(self, process: subprocess.Popen) -> None:
        with self._lock:
            self._running.discard(process)
            if process.poll() is None:
                end_children(process.pid)
                process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        if self._stopped:
            raise Stopped


def _held(folder: Path) -> int | None:
    """A handle that keeps the folder for as long as this process lives, or None when another one has it."""
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
            handle = _held(folder)
            if handle is not None:
                remove_folder(folder)
                os.close(handle)


def remove_folder(folder: Path) -> None:
    """Remove a folder in which a student could do anything; what resists stays, and nothing is lost by it."""
    try:
        _unlock(folder)
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:  # folders in folders in folders
        if shutil.which("rm"):
            subprocess.run(["rm", "-rf", "--", os.fspath(folder)], stderr=subprocess.DEVNULL, check=False)


def _unlock(folder: Path) -> None:
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path):
                with contextlib.suppress(OSError):
                    os.chmod(path, 0o700)
