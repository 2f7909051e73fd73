"""Notebooks run in place, to be committed with their outputs.

The file must be the same bytes when nothing has changed: no timestamps, no widget state, no versions, stable cell ids.
It must also stay small: cells with controls keep only their first frame (a report keeps more), pictures have a palette,
and if that is not enough, the largest lose half of their resolution.
"""

import base64
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from anonnb.core.atomic_files import atomic_write
from anonnb.reports.execution import execute
from anonnb.reports.plan import find_notebook, notebook_files
from anonnb.widgets.claims import refuted
from anonnb.widgets.frames.pictures import COLOURS, packed

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
# What a cell may keep: everything else in its metadata is a trace of a tool or of a moment.
KEPT_CELL_METADATA = ("tags", "jupyter", "slideshow", "nbgrader")
SETTINGS = "settings"  # of a notebook's metadata: a list of parameters with which it is tested besides its defaults
MAX_BYTES = 400_000  # of a notebook's file
FEW_COLOURS = 24  # enough for a chart with its letters


def refresh(paths: Iterable[str | os.PathLike] | None = None, timeout: float = 600) -> list[Path]:
    """Run notebooks in place, clean them, and return the files that changed.

    An error in a cell is raised (nbclient's CellExecutionError), and so is a claim that does not hold; that file stays
    as it was.

    >>> refresh([])
    []
    """
    files = notebook_files() if paths is None else [find_notebook(path) for path in paths]
    changed = []
    for path in files:
        try:
            changed += [path] if _refresh_one(path, timeout) else []
        except Exception as error:
            error.add_note(f"This happened in the notebook {path}.")
            raise
    return changed


def _refresh_one(path: Path, timeout: float) -> bool:
    import nbformat

    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    execute(notebook, path.parent, seconds=timeout)
    if failed := refuted(notebook):
        raise ValueError(f"at its defaults, a claim must hold. {failed[0]}")
    after = nbformat.writes(within_limit(clean(notebook))) + "\n"
    if after == before:
        return False
    with atomic_write(path, newline="\n") as file:
        file.write(after)
    return True


def clean(notebook: Any) -> Any:
    """Take out of an executed notebook what differs from run to run."""
    import nbformat

    settings = {SETTINGS: notebook.metadata[SETTINGS]} if SETTINGS in notebook.metadata else {}
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}} | settings)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: set[str] = set()
    for number, cell in enumerate(notebook.cells):
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k in KEPT_CELL_METADATA})
        if not cell.get("id") or cell.id in seen:
            cell["id"] = hashlib.sha256(f"{number}:{cell.source}".encode()).hexdigest()[:8]
        seen.add(cell.id)
    return notebook


def within_limit(notebook: Any, limit: int = MAX_BYTES) -> Any:
    """Make the largest pictures plainer until the notebook's file is small enough; those of a few bytes stay sharp."""
    import nbformat

    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if isinstance(output.get("data", {}).get("image/png"), str)
    ]
    for colours in (COLOURS, FEW_COLOURS):  # first the resolution is halved, then the colours are reduced
        for output in sorted(pictures, key=lambda output: -len(output.data["image/png"])):
            if len(nbformat.writes(notebook).encode()) < limit:
                return notebook
            width = output.metadata.get("image/png", {}).get("width")
            small = packed(base64.b64decode(output.data["image/png"]), width, colours)
            output.data["image/png"] = base64.b64encode(small).decode()
    return notebook
