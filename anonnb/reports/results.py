"""The outcome of a run, kept as JSON beside its output."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from anonnb.core.atomic_files import atomic_write


@dataclass
class Result:
    """The outcome of one run.

    Parameters
    ----------
    fingerprint:
        A hash of all that the result depends on.
    status, seconds:
        ``"ok"``, ``"failed"`` or ``"timeout"``, and how long it took.
    claims, refuted:
        How many claims the notebook makes, and those that do not hold with these parameters.
    files:
        Size and hash of the files that the run wrote, by name, so that damage shows.

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
    claims: int = 0
    refuted: list[str] = field(default_factory=list)
    thumbnail: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    reused: bool = False
    question: str = ""
    minutes: int = 0
    pages: dict[str, str] = field(default_factory=dict)
    files: dict[str, list[int | str]] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status == "ok"


def result_file(out: str | os.PathLike[str], name: str) -> Path:
    return Path(out, "runs", f"{name}.json")


def page_file(out: str | os.PathLike[str], name: str) -> Path:
    return Path(out, f"{name}.html")


def notebook_file(out: str | os.PathLike[str], name: str) -> Path:
    return Path(out, "runs", f"{name}.ipynb")


def write_result(out: str | os.PathLike[str], result: Result) -> None:
    """Write the result of a run with what identifies its files, which are complete by now."""
    result.files = _files(out, result.name)
    with atomic_write(result_file(out, result.name)) as file:
        json.dump(asdict(result), file, indent=1)


def read_result(out: str | os.PathLike[str], name: str) -> Result | None:
    """Return the result kept for a name; None if there is none, or if another version of this program wrote it."""
    try:
        return Result(**json.loads(result_file(out, name).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def is_complete(out: str | os.PathLike[str], result: Result) -> bool:
    """Return whether a run went well and its page and its notebook are still what it wrote."""
    return result.ok and len(result.files) == 2 and result.files == _files(out, result.name)


def _files(out: str | os.PathLike[str], name: str) -> dict[str, list[int | str]]:
    contents = {
        path.name: path.read_bytes() for path in (page_file(out, name), notebook_file(out, name)) if path.is_file()
    }
    return {file: [len(content), hashlib.sha256(content).hexdigest()] for file, content in contents.items()}


def versions() -> dict[str, str]:
    """Return the versions that a report must name to be repeatable."""
    return {"Python": platform.python_version()} | {name: version(name) for name in ("anonnb", "numpy", "pandas")}
