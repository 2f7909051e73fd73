"""One notebook in one process: ``python -m anonnb.reports.worker`` reads a job from its first line of input.

papermill changes the working folder of the whole process, and a notebook may take its process down: so each gets its
own. The input stays open as a life line: when it closes, the batch has died, and so does the worker with its kernel.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from anonnb.core.lazy import leave_out_slow_grammar
from anonnb.files.temporary import temporary_folder
from anonnb.files.writing import atomic_write
from anonnb.reports.results import Result, versions, write_result

KERNEL_START_SECONDS = 120
ERROR_LINES = 12


@dataclass(frozen=True)
class Job:
    """What a worker is told."""

    notebook: str
    name: str
    title: str
    parameters: dict[str, Any]
    out: str
    timeout: float
    fingerprint: str
    question: str = ""
    minutes: int = 0
    pages: dict[str, str] = field(default_factory=dict)

    def result(self, **outcome: Any) -> Result:
        """What became of this job."""
        shared = {one.name for one in fields(Job)} & {one.name for one in fields(Result)}
        return Result(**{name: getattr(self, name) for name in shared}, versions=versions(), **outcome)


@contextmanager
def kernel_config() -> Iterator[Any]:
    """Kernels talk through files where the platform can: no open port, no warning about plain text.

    The files get a folder of their own: by default they would lie, under the same names, in the folder of the notebook.
    """
    from traitlets.config import Config

    if sys.platform == "win32":
        yield Config()
        return
    with temporary_folder("kernel") as folder:
        settings = {"transport": "ipc", "ip": os.path.join(folder, "kernel")}
        yield Config({"KernelManager": settings, "AsyncKernelManager": settings})


class _Watch:
    """Knows which cell is running, and how much of the time for the whole notebook is left."""

    def __init__(self, seconds: float):
        self.deadline = time.monotonic() + seconds
        self.cell: int | None = None
        self._shift = 0

    def on_cell_start(self, cell: Any, cell_index: int) -> None:
        # papermill's own cell shifts the rest by one; people count the cells of the notebook they wrote.
        if "injected-parameters" in cell.metadata.get("tags", []):
            self._shift = 1
        self.cell = cell_index + 1 - self._shift

    def left(self, cell: Any) -> int:
        return max(1, round(self.deadline - time.monotonic()))


def execute(job: Job) -> Result:
    """Run the notebook, write its report and its result; a failure is a result, too."""
    result = job.result()
    watch = _Watch(job.timeout)
    start = time.monotonic()
    scratch = Path(job.out, "runs", f".{job.name}.part.ipynb")
    try:
        _papermill(job, scratch, watch)
    except Exception as error:
        result.status, result.error = _explain(error, job.timeout)
        result.cell = watch.cell
    result.seconds = round(time.monotonic() - start, 2)
    if scratch.exists():
        _finish(job, result, scratch)
    write_result(job.out, result)
    return result


def _papermill(job: Job, scratch: Path, watch: _Watch) -> None:
    import papermill

    with kernel_config() as config:
        papermill.execute_notebook(
            job.notebook,
            os.fspath(scratch),
            parameters=job.parameters,
            kernel_name="python3",
            language="python",
            cwd=os.fspath(Path(job.notebook).parent),
            progress_bar=False,
            start_timeout=KERNEL_START_SECONDS,
            timeout_func=watch.left,
            on_cell_start=watch.on_cell_start,
            config=config,
        )


def _explain(error: Exception, seconds: float) -> tuple[str, str]:
    """The status and the last lines that a reader needs."""
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from nbconvert.filters import strip_ansi
    from papermill.exceptions import PapermillExecutionError

    if isinstance(error, CellTimeoutError):
        return "timeout", f"The notebook was stopped after {seconds:g} seconds."
    if isinstance(error, DeadKernelError):
        return "failed", "The kernel died: out of memory, or a crash in compiled code."
    if isinstance(error, PapermillExecutionError):
        lines = strip_ansi("\n".join(error.traceback)).strip("-\n").splitlines() or [f"{error.ename}: {error.evalue}"]
    else:
        lines = f"{type(error).__name__}: {error}".splitlines()
    return "failed", "\n".join(lines[-ERROR_LINES:])


def _finish(job: Job, result: Result, scratch: Path) -> None:
    """Move the executed notebook to its place and write the report beside it."""
    import nbformat

    from anonnb.reports import html, records

    notebook = nbformat.read(scratch, as_version=4)
    result.records = records.collect(notebook)
    result.thumbnail = html.thumbnail(notebook)
    try:
        write_page(job, result, notebook)
    except html.NotSelfContained as error:
        result.status, result.error = "failed", str(error)
    os.replace(scratch, Path(job.out, "runs", f"{job.name}.ipynb"))


def write_page(job: Job, result: Result, notebook: Any) -> None:
    """Write the report of an executed notebook."""
    from anonnb.reports import html

    page = html.report_page(notebook, result, folder=Path(job.notebook).parent)
    with atomic_write(Path(job.out, f"{job.name}.html")) as file:
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
    job = Job(**json.loads(sys.stdin.readline()))
    threading.Thread(target=_die_with_the_batch, daemon=True).start()
    execute(job)
    sys.stdout.flush()
    # Do not wait for the thread that reads the input.
    os._exit(0)


if __name__ == "__main__":
    main()
