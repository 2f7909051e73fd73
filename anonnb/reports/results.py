"""The outcome of a run, kept as JSON beside its output."""

import json
import os
import platform
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from anonnb.files.writing import atomic_write


@dataclass
class Result:
    """The outcome of one run; kept as JSON beside its output.

    Parameters
    ----------
    name, notebook, title, parameters:
        The run: its name, notebook, title and parameters.
    fingerprint:
        A hash of all that the result depends on.
    status, seconds:
        ``"ok"``, ``"failed"`` or ``"timeout"``, and how long it took.
    cell, error:
        The cell that failed, and its message.
    records:
        What the notebook recorded.
    thumbnail:
        A small picture, in base64.
    versions:
        The versions that the report names.
    reused:
        Whether the run had finished before.
    question, minutes:
        What the notebook asks, and how long reading it takes.
    pages:
        The pages to which links to other notebooks lead.

    Examples
    --------
    >>> Result("13_mondrian", "13_mondrian.ipynb", "Mondrian", {"K": 5}, fingerprint="").ok
    True
    """

    name: str
    notebook: str
    title: str
    parameters: dict[str, Any]
    fingerprint: str
    status: str = "ok"
    seconds: float = 0.0
    cell: int | None = None
    error: str = ""
    records: dict[str, Any] = field(default_factory=dict)
    thumbnail: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    reused: bool = False
    question: str = ""
    minutes: int = 0
    # The pages that links to other notebooks lead to.
    pages: dict[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status == "ok"


def result_file(out: str | os.PathLike, name: str) -> Path:
    return Path(out, "runs", f"{name}.json")


def write_result(out: str | os.PathLike, result: Result) -> None:
    with atomic_write(result_file(out, result.name)) as file:
        json.dump(asdict(result), file, indent=1)


def read_result(out: str | os.PathLike, name: str) -> Result | None:
    """The result kept for a name, or None if there is none (or it is from another version of this program)."""
    try:
        return Result(**json.loads(result_file(out, name).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def versions() -> dict[str, str]:
    """The versions that a report must name to be repeatable."""
    return {"Python": platform.python_version()} | {name: version(name) for name in ("anonnb", "numpy", "pandas")}
