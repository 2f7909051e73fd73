"""One notebook in one process: ``python -m anonnb.reports.worker`` reads a job from its first line of input.

A notebook may crash the process that runs it, so each gets its own. The input stays open: when it closes, the batch has
died, and the worker ends with its kernel.
"""

import json
import os
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from anonnb.core.atomic_files import atomic_write
from anonnb.core.lazy import leave_out_slow_grammar
from anonnb.reports.execution import INJECTED, execute, parametrized, without_exercises
from anonnb.reports.plan import known_parameters
from anonnb.reports.results import Result, notebook_file, page_file, versions, write_result
from anonnb.widgets.claims import count_claims, refuted

ERROR_LINES = 12


@dataclass(frozen=True)
class Job:
    """What a worker has to do."""

    notebook: str
    name: str
    title: str
    parameters: dict[str, Any]
    out: str
    timeout: float
    fingerprint: str
    question: str = ""
    minutes: int = 0
    exercises: bool = True
    pages: dict[str, str] = field(default_factory=dict)

    def result(self, **outcome: Any) -> Result:
        """Return the result of this job."""
        shared = {one.name for one in fields(Job)} & {one.name for one in fields(Result)}
        return Result(**{name: getattr(self, name) for name in shared}, versions=versions(), **outcome)


class _Watch:
    """Knows which cell is running."""

    def __init__(self) -> None:
        self.cell: int | None = None
        self._shift = 0

    def __call__(self, cell: Any, cell_index: int) -> None:
        # The cell with the parameters shifts the rest by one; people count the cells of the notebook they wrote.
        if INJECTED in cell.metadata.get("tags", []):
            self._shift = 1
        self.cell = cell_index + 1 - self._shift


def work(job: Job) -> Result:
    """Run the notebook, write its report and its result; a failure is also a result."""
    import nbformat

    result = job.result()
    watch = _Watch()
    start = time.monotonic()
    notebook = parametrized(nbformat.read(job.notebook, as_version=4), job.parameters)
    notebook = notebook if job.exercises else without_exercises(notebook)
    try:
        execute(notebook, Path(job.notebook).parent, seconds=job.timeout, on_cell_start=watch, frames=True)
    except Exception as error:
        result.status, result.error = _explain(error, job.timeout)
        result.cell = watch.cell
    result.seconds = round(time.monotonic() - start, 2)
    result.claims, result.refuted = count_claims(notebook), refuted(notebook)
    if result.ok and result.refuted and _at_defaults(job):
        result.status, result.error = "failed", f"At its defaults, a claim must hold. {result.refuted[0]}"
    _finish(job, result, notebook)
    write_result(job.out, result)
    return result


def _at_defaults(job: Job) -> bool:
    """Return whether no parameter differs from what the notebook itself sets; whether widgets show does not matter."""
    known = known_parameters(Path(job.notebook))
    return all(value == known[name].default for name, value in job.parameters.items() if name != "INTERACTIVE")


def _explain(error: Exception, seconds: float) -> tuple[str, str]:
    """Return the status and the last lines that a reader needs."""
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from nbconvert.filters import strip_ansi

    if isinstance(error, CellTimeoutError):
        return "timeout", f"The notebook was stopped after {seconds:g} seconds."
    if isinstance(error, DeadKernelError):
        return "failed", "The kernel died: out of memory, or a crash in compiled code."
    if isinstance(error, CellExecutionError):
        lines = strip_ansi(error.traceback).strip("-\n").splitlines() or [f"{error.ename}: {error.evalue}"]
    else:
        lines = f"{type(error).__name__}: {error}".splitlines()
    return "failed", "\n".join(lines[-ERROR_LINES:])


def _finish(job: Job, result: Result, notebook: Any) -> None:
    """Write the report, and the executed notebook that it was made from."""
    import nbformat

    from anonnb.reports import html, records

    result.records = records.collect(notebook)
    result.thumbnail = html.thumbnail(notebook)
    try:
        write_page(job, result, notebook)
    except html.NotSelfContainedError as error:
        result.status, result.error = "failed", str(error)
    with atomic_write(notebook_file(job.out, job.name)) as file:
        file.write(nbformat.writes(notebook) + "\n")


def write_page(job: Job, result: Result, notebook: Any) -> None:
    """Write the report of an executed notebook."""
    from anonnb.reports import html

    page = html.report_page(notebook, result, folder=Path(job.notebook).parent)
    with atomic_write(page_file(job.out, job.name)) as file:
        file.write(page)


def stop_tree(pid: int) -> None:
    """Kill a process and all that it has started: a kernel lives in a session of its own."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for child in [*process.children(recursive=True), process]:
            with suppress(psutil.NoSuchProcess):
                child.kill()


def _die_with_the_batch() -> None:
    with suppress(OSError, ValueError):
        sys.stdin.read()
    stop_tree(os.getpid())


def main() -> None:
    leave_out_slow_grammar()
    sys.modules.setdefault("pyarrow.fs", None)  # type: ignore[arg-type]  # papermill loads all of pyarrow, in case a notebook lies in Hadoop
    job = Job(**json.loads(sys.stdin.readline()))
    threading.Thread(target=_die_with_the_batch, daemon=True).start()
    work(job)
    sys.stdout.flush()
    # Do not wait for the thread that reads the input.
    os._exit(0)


if __name__ == "__main__":
    main()
