"""Many notebooks at once: each in its own process, failures collected, finished work kept.

A run is finished if its result is ok, its fingerprint (notebook, parameters, package, data) is still the same, and its
files are still those that it wrote.
"""

import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from anonnb.core.shipped import PACKAGE, digest_of, shipped
from anonnb.reports.execution import KERNEL_START_SECONDS, without_exercises
from anonnb.reports.plan import Entry, PlanError
from anonnb.reports.results import (
    Result,
    is_complete,
    notebook_file,
    read_result,
    result_file,
    versions,
    write_result,
)
from anonnb.reports.runs import Run, make_runs
from anonnb.reports.summary import write_summary
from anonnb.reports.worker import ERROR_LINES, Job, stop_tree, write_page

# A worker that is still there this long after its time is over no longer answers.
GRACE_SECONDS = 60


class BatchRunningError(RuntimeError):
    """Another batch is writing to the same folder."""


@dataclass(frozen=True)
class Batch:
    """What :func:`run` returns.

    Parameters
    ----------
    runs, results:
        The runs, and one result for each of them, in the order of the plan.

    Examples
    --------
    >>> Batch(Path("reports/latest"), [], []).ok
    True
    """

    out: Path
    runs: list[Run]
    results: list[Result]

    @property
    def failed(self) -> list[Result]:
        return [result for result in self.results if not result.ok]

    @property
    def ok(self) -> bool:
        return not self.failed


def run(
    notebooks: Iterable[str | os.PathLike | Mapping[str, Any] | Entry] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    only: Iterable[str] = (),
    out: str | os.PathLike = "reports/latest",
    jobs: int | None = None,
    timeout: float = 600,
    resume: bool = True,
    progress: bool = True,
    command: str = "",
    offered: Mapping[str, Any] | None = None,
    exercises: bool = True,
    started: Callable[[int], None] | None = None,
) -> Batch:
    """Run notebooks to HTML reports with an index; a failing notebook does not stop the others.

    Parameters
    ----------
    notebooks:
        Names (``"13"`` is enough for 13_mondrian), paths, or runs as in a plan (see :func:`read_plan`); None means all
        of them.
    only:
        Keep only runs whose name starts with one of these.
    resume:
        Do not repeat runs that finished before and whose notebook, parameters and package have not changed.
    command:
        The command for the same batch, which the index shows.
    offered:
        Parameters that no notebook needs to know.
    exercises:
        Whether the section of that name is kept.
    started:
        Called with the number of runs before the first of them starts.

    Examples
    --------
    >>> run(timeout=0)
    Traceback (most recent call last):
    anonnb.reports.plan.PlanError: timeout is 0, but it must be a finite, positive number of seconds
    """
    if not 0 < timeout < math.inf:
        raise PlanError(f"timeout is {timeout!r}, but it must be a finite, positive number of seconds")
    runs = make_runs(notebooks, parameters, only, offered)
    workers = min(_cores() if jobs is None else jobs, len(runs))
    if workers < 1:
        raise PlanError(f"jobs is {jobs!r}, but at least one notebook must run at a time")
    out = Path(out).resolve()
    (out / "runs").mkdir(parents=True, exist_ok=True)
    package = _package_fingerprint()
    with _only_batch_in(out):
        planned = [_job(item, runs, out, timeout, package, exercises) for item in runs]
        if started is not None:
            started(len(planned))
        before = {job.name: _finished_before(job) for job in planned} if resume else {}
        results = {name: result for name, result in before.items() if result is not None}
        todo = [job for job in planned if job.name not in results]
        bar = _bar(len(planned), len(planned) - len(todo), progress)
        # Closing at once, whatever happens here, stops the workers.
        with bar as advance, closing(_run_all(todo, workers)) as coming:
            for result in coming:
                results[result.name] = result
                advance(result)
        batch = Batch(out, runs, [results[job.name] for job in planned])
        write_summary(batch.out, batch.runs, batch.results, command)
    return batch


def _cores() -> int:
    import joblib

    return joblib.cpu_count()


def _job(item: Run, runs: Iterable[Run], out: Path, timeout: float, package: str, exercises: bool = True) -> Job:
    import nbformat

    from anonnb.reports.catalogue import minutes_of, plain_text, question_of, title_of

    notebook = nbformat.read(item.notebook, as_version=4)
    notebook = notebook if exercises else without_exercises(notebook)
    cells = [(cell.cell_type, cell.source, cell.metadata.get("tags", [])) for cell in notebook.cells]
    files = _files_in(item.parameters, item.notebook.parent)
    parts = json.dumps([cells, item.parameters, files, package], sort_keys=True)
    return Job(
        notebook=os.fspath(item.notebook),
        name=item.name,
        title=title_of(notebook) or item.notebook.stem,
        parameters=item.parameters,
        out=os.fspath(out),
        timeout=timeout,
        fingerprint=hashlib.sha256(parts.encode()).hexdigest(),
        question=plain_text(question_of(notebook)),
        minutes=minutes_of(notebook),
        exercises=exercises,
        pages=_linked_pages(item, runs, "\n".join(text for kind, text, _ in cells if kind == "markdown")),
    )


def _linked_pages(item: Run, runs: Iterable[Run], text: str) -> dict[str, str]:
    """Return the page of each notebook that the text names: its report or, for a sweep, the comparison."""
    pages: dict[str, str] = {}
    for run in runs:
        if run.notebook.parent == item.notebook.parent and run.notebook.name in text:
            pages.setdefault(run.notebook.name, run.sweep or run.name)
    return pages


def _files_in(value: Any, folder: Path) -> list[str]:
    """Hash every file that a parameter names, since a user's table may change under the same name.

    ``folder`` is the notebook's, where it runs: relative paths count from there.
    """
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return [digest for item in value for digest in _files_in(item, folder)]
    # os.path.isfile, unlike Path.is_file, takes any text, however long.
    if not isinstance(value, str) or not os.path.isfile(folder / value):
        return []
    with open(folder / value, "rb") as file:
        return [hashlib.file_digest(file, "sha256").hexdigest()]


def _package_fingerprint() -> str:
    """Hash what results depend on apart from the notebook: the package, the data, stored full runs, versions."""
    sources = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".csv", ".html", ".css")]
    data, results = shipped("data"), shipped("reports/results")
    digests = [digest_of(sources, PACKAGE), digest_of(data.rglob("*"), data), digest_of(results.glob("*.csv"), results)]
    return hashlib.sha256(json.dumps([versions(), *digests]).encode()).hexdigest()


def _finished_before(job: Job) -> Result | None:
    result = read_result(job.out, job.name)
    if result is None or result.fingerprint != job.fingerprint or not is_complete(job.out, result):
        return None
    if result.pages != job.pages:
        result = _with_new_links(job, result)
    return replace(result, reused=True)


def _with_new_links(job: Job, result: Result) -> Result:
    """Make the page of a finished run again: other notebooks are in the batch now, so other links hold."""
    import nbformat

    result = replace(result, pages=job.pages)
    write_page(job, result, nbformat.read(notebook_file(job.out, job.name), as_version=4))
    write_result(job.out, result)  # after an interruption before this, the page is not the one that was recorded
    return result


def _run_all(todo: list[Job], workers: int) -> Generator[Result]:
    """Yield results as they come; threads only wait for processes, which are stopped on an interrupt."""
    running: set[subprocess.Popen] = set()
    pool = ThreadPoolExecutor(max_workers=max(1, workers))
    try:
        pending = {pool.submit(_run_one, job, running) for job in todo}
        while pending:
            # A finite wait lets Ctrl-C through on every platform.
            done, pending = wait(pending, timeout=1, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list(running):
            stop_tree(process.pid)
        pool.shutdown(wait=True)


def _run_one(job: Job, running: set[subprocess.Popen]) -> Result:
    """Start a worker and wait for it; whatever happens to the worker, there is a result."""
    result_file(job.out, job.name).unlink(missing_ok=True)
    start = time.monotonic()
    complaint, code = _work(job, running)
    result = read_result(job.out, job.name)
    if result is None:
        last = "\n".join(complaint.splitlines()[-ERROR_LINES:]) or f"The worker ended with code {code}."
        result = job.result(status="failed", error=last, seconds=round(time.monotonic() - start, 2))
        write_result(job.out, result)
    return result


def _work(job: Job, running: set[subprocess.Popen]) -> tuple[str, int]:
    """Give a worker its job and keep its input open; return its error output and its exit code."""
    # A file, not a pipe: a kernel that outlives its worker would keep a pipe open, and us waiting.
    with tempfile.TemporaryFile() as complaint:
        process = subprocess.Popen(
            [sys.executable, "-m", "anonnb.reports.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaint,
            # Ctrl-C is for the batch, which then stops its workers itself.
            start_new_session=sys.platform != "win32",
        )
        assert process.stdin is not None  # it is a pipe
        running.add(process)
        try:
            with suppress(BrokenPipeError):
                process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
                process.stdin.flush()
            process.wait(job.timeout + KERNEL_START_SECONDS + GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            stop_tree(process.pid)
            process.wait()
        finally:
            running.discard(process)
            process.stdin.close()
        complaint.seek(0)
        return complaint.read().decode(errors="replace"), process.returncode


@contextmanager
def _bar(total: int, done: int, show: bool) -> Iterator[Callable[[Result], None]]:
    """Show a bar on a terminal, or a line for each notebook if the output goes to a file."""
    from tqdm.auto import tqdm

    with tqdm(total=total, initial=done, desc="notebooks", unit="nb", disable=None if show else True) as bar:

        def advance(result: Result) -> None:
            nonlocal done
            done += 1
            bar.set_postfix_str(f"{result.name}: {result.status}")
            bar.update(1)
            if show and bar.disable:
                print(f"{done} of {total}: {result.name}: {result.status}, {result.seconds:.1f} s", file=sys.stderr)

        yield advance


@contextmanager
def _only_batch_in(out: Path) -> Iterator[None]:
    """Hold a lock of the operating system on ``.lock``, which ends with its process and names it."""
    from filelock import FileLock, Timeout

    path = out / ".lock"
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        holder = _process_in(path)
        raise BatchRunningError(
            f"another batch{holder} is writing to {out}; wait for it, or choose another folder"
        ) from None
    try:
        with suppress(OSError):  # the number is only for the message
            path.write_text(f"{os.getpid()}\n")
        yield
    finally:
        # Before the lock is released: a process that then locks a deleted file notices, and tries again.
        with suppress(OSError):
            path.unlink()
        lock.release()


def _process_in(lock: Path) -> str:
    """Return `` (process 123)``, or nothing if the file does not name a living process."""
    import psutil

    try:
        number = int(lock.read_text())
    except (OSError, ValueError):
        return ""
    return f" (process {number})" if psutil.pid_exists(number) else ""
