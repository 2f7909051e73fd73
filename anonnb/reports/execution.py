"""The one place where notebooks run: for reports, and in place for committing.

nbclient runs the cells, and papermill writes parameters into a cell of their own. A kernel works in a given folder,
knows that the run is unattended, and has a limit of seconds for all of its cells together.
"""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from anonnb.core.atomic_files import temporary_folder

KERNEL_START_SECONDS = 120
PICTURES = "anonnb.widgets.frames.kernel"  # an extension of IPython: figures are small, sharp and described
INJECTED = "injected-parameters"  # how papermill tags its cell


def parametrized(notebook: Any, parameters: Mapping[str, Any]) -> Any:
    """Copy a notebook and set new values in a cell after the one tagged ``parameters``."""
    from nbformat import from_dict
    from papermill.parameterize import parameterize_notebook

    # What papermill expects: tags everywhere, and a place where it notes the values.
    prepared = from_dict(notebook)
    prepared.metadata["papermill"] = from_dict({})
    for cell in prepared.cells:
        cell.metadata.setdefault("tags", [])
    changed = parameterize_notebook(prepared, dict(parameters), kernel_name="python3", language="python")
    del changed.metadata["papermill"]
    return changed


def without_exercises(notebook: Any) -> Any:
    """Copy a notebook without the section *Exercises*, which makes no sense in the report of a user's own table.

    >>> from nbformat.v4 import new_markdown_cell, new_notebook
    >>> cells = [new_markdown_cell(text) for text in ("## Exercises", "**Think.**", "## Further reading")]
    >>> [cell.source for cell in without_exercises(new_notebook(cells=cells)).cells]
    ['## Further reading']
    """
    from nbformat import from_dict

    kept, inside = [], False
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.match(r"##? ", cell.source):
            inside = cell.source.splitlines()[0].removeprefix("##").strip() == "Exercises"
        if not inside or "navigation" in cell.metadata.get("tags", []):
            kept.append(cell)
    shortened = from_dict(notebook)
    shortened.cells = kept
    return shortened


def execute(
    notebook: Any,
    folder: str | os.PathLike,
    *,
    seconds: float,
    on_cell_start: Callable[..., None] | None = None,
    frames: bool = False,
) -> None:
    """Run the cells of a notebook in ``folder``; outputs go into the notebook itself, up to the first error.

    With ``frames``, cells with controls keep a grid of what they can show, for a report; otherwise only their start.

    Raises nbclient's CellExecutionError, CellTimeoutError (after ``seconds`` for all cells together; what the kernel
    takes to start is not counted) and DeadKernelError.
    """
    from nbclient import NotebookClient

    for cell in notebook.cells:
        if cell.cell_type == "code":  # an earlier run's outputs must not pass for this one's
            cell.outputs, cell.execution_count = [], None
    environment = {key: value for key, value in os.environ.items() if key != "MPLBACKEND"}
    with _kernel_config() as config:
        client = NotebookClient(
            notebook,
            timeout_func=seconds_left(seconds),
            startup_timeout=KERNEL_START_SECONDS,
            kernel_name="python3",
            on_cell_start=on_cell_start,
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
            resources={"metadata": {"path": os.fspath(folder)}},
            extra_arguments=[f"--IPKernelApp.extra_extensions={PICTURES}"],
            config=config,
        )
        # MPLBACKEND must not be set: the kernel chooses its own, and PICTURES draws with it
        batch = {"ANONNB_BATCH": "1", "ANONNB_FRAMES": "1" if frames else "0", "PYTHONHASHSEED": "0"}
        client.execute(env=environment | batch)


def seconds_left(seconds: float, clock: Callable[[], float] = time.monotonic) -> Callable[[Any], int]:
    """Return a function that says before each cell how many seconds are left, counted from the first; at least 1.

    >>> times = iter([100, 104, 120])
    >>> left = seconds_left(10, clock=lambda: next(times))
    >>> left("first cell"), left("second"), left("third")
    (10, 6, 1)
    """
    deadline: float | None = None

    def left(cell: Any) -> int:
        nonlocal deadline
        now = clock()
        if deadline is None:
            deadline = now + seconds
        return max(1, round(deadline - now))

    return left


@contextmanager
def _kernel_config() -> Iterator[Any]:
    """Let kernels talk through files if the platform can: no open port, no warning about plain text.

    The files get a folder of their own: by default they would lie, under the same names, in the folder of the notebook.
    """
    from traitlets.config import Config

    if sys.platform == "win32":
        yield Config()
        return
    with temporary_folder("kernel") as folder:
        files = {"ip": os.fspath(folder / "kernel"), "connection_file": os.fspath(folder / "kernel.json")}
        settings = {"transport": "ipc"} | files
        yield Config({"KernelManager": settings, "AsyncKernelManager": settings})
