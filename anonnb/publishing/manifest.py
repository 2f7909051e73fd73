"""The manifest: what was published when, from what and by what, for programs and for whoever checks the files later.

It contains no row of the original or of the release and no name of a machine; on the same day, the same input gives the
same bytes. ``SOURCE_DATE_EPOCH`` sets another day.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from anonnb import __version__
from anonnb.core.atomic_files import atomic_write
from anonnb.files.opening import bytes_of
from anonnb.publishing.two_files import secrets_path
from anonnb.publishing.verification import VerificationReport
from anonnb.tables.release import Release

FORMAT = 2


def beside(out: Path, ending: str) -> Path:
    """Return the name of a file that belongs to a release.

    >>> beside(Path("first.csv"), ".manifest.json").name
    'first.manifest.json'
    """
    return out.with_name(out.stem + ending)


def sha256(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(bytes_of(path)).hexdigest()


def changed_cells(release: Release) -> dict[str, int]:
    """Count the published cells that are coarser than their row's own value, which they hold, and those that are false.

    >>> import anonnb
    >>> changed_cells(anonnb.Release.of(anonnb.load("survey")))
    {'coarser': 0, 'false': 0}
    """
    counts = {"coarser": 0, "false": 0}
    for name in release.columns if release.rows is not None else ():
        column, codes = release.columns[name], release.table.codes(name)[release.rows]
        holds_value = column.holds(release.table.attributes[name].recode_to(column.attribute)[codes])
        counts["coarser"] += int(np.count_nonzero((column.sizes > 1) & holds_value))
        counts["false"] += int(np.count_nonzero(~holds_value))
    return counts


def manifest(
    release: Release,
    report: VerificationReport,
    out: Path,
    data: Path,
    project: Path | None,
    measures: Mapping[str, float],
    history: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return all that is needed later to know what was published, and whether a file is still the same.

    ``history`` says who reviewed the project (``reviewed``), which sheet of an Excel file was read (``sheet``), whether
    the release repeats an earlier one (``repeated``), which releases came before it (``earlier``), and what all of them
    disclose (``together``).
    """
    return {
        "format": FORMAT,
        "date": today().isoformat(),
        "versions": versions(),
        "input": {"name": data.name, "sha256": sha256(data) if data.is_file() else None, "rows": len(release.table)},
        "output": {"name": out.name, "sha256": sha256(out), "rows": len(release)},
        **_second_file(release, out),
        "project": None if project is None else {"name": project.name, "sha256": sha256(project)},
        "method": str(release.method),
        "seed": getattr(release.method, "seed", None),
        "levels": _plain(release.info.get("node") or release.info.get("levels")),
        "people": people(release),
        "reviewed": None,
        "repeated": None,
        "earlier": [],
        "together": [],
        "sheet": None,
        **(history or {}),
        "classes": release.n_groups,
        "suppressed_rows": release.n_suppressed,
        "changed_cells": changed_cells(release),
        "measures": {name: _plain(value) for name, value in measures.items()},
        "recounted": {name: _plain(value) for name, value in report.figures.items()},
        "checks": [{"what": one.what, "passed": one.passed, "sentence": str(one.sentence)} for one in report.findings],
    }


def people(release: Release) -> dict[str, Any]:
    """Say whom the figures count: rows, or households or people if a column says whose row it is."""
    table = release.table
    return {
        "counted": table.counted if table.people_repeat else "rows",
        "column": None if table.counted_by is None else str(table.counted_by),
        **{role: str(name) for role in ("household", "weight") if (name := getattr(table, role)) is not None},
        "input": table.n_people,
        "output": None if release.rows is None else len(np.unique(table.people[release.owners[1]])),
    }


def versions() -> dict[str, str]:
    """Return the versions of what a release depends on.

    >>> list(versions())
    ['anonnb', 'python', 'numpy', 'pandas', 'numba']
    """
    others = {name: version(name) for name in ("numpy", "pandas", "numba")}
    return {"anonnb": __version__, "python": platform.python_version(), **others}


def today() -> date:
    """Return the date of a release, in universal time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)).date()


def write_manifest(path: Path, content: Mapping[str, Any]) -> None:
    """Write a manifest as JSON; equal contents give equal bytes."""
    with atomic_write(path, newline="") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
        file.write("\n")


def read_manifest(file: Path) -> dict[str, Any] | None:
    """Return the manifest beside a release, None if there is none; raise ValueError if it cannot be read."""
    path = beside(file, ".manifest.json")
    if not path.is_file():
        return None
    try:
        content = json.loads(bytes_of(path))
        if {"sha256", "name"} <= set(content["output"]) and {"sha256", "name"} <= set(content["input"]):
            return content
    except (ValueError, KeyError, TypeError):
        pass
    raise ValueError(f"{path.name} is no manifest; remove it, or publish the table again")


def differences(file: Path, content: Mapping[str, Any], data: Path, project: Path | None) -> list[str]:
    """Say which of release, input and project, as they are now, differ from what the manifest beside them describes."""
    described = [("the release", file, content["output"]["sha256"])]
    if "secrets" in content:
        described.append(("the second file", secrets_path(file), content["secrets"]["sha256"]))
    described.append(("the input", data, content["input"]["sha256"]))
    if project is not None and content.get("project"):
        described.append(("the project", project, content["project"]["sha256"]))
    sentences = []
    for what, path, digest in described:
        manifest_name = beside(file, ".manifest.json").name
        if digest is not None and not path.is_file():
            sentences.append(f"{path.name}, {what} that {manifest_name} describes, is not there")
        elif digest is not None and digest != sha256(path):
            sentences.append(f"{path.name} is not {what} that {manifest_name} describes: it was changed or replaced")
    return sentences


def _second_file(release: Release, out: Path) -> dict[str, Any]:
    """Return the entry for secrets that are published in a second file."""
    if release.secrets is None:
        return {}
    second = secrets_path(out)
    return {"secrets": {"name": second.name, "sha256": sha256(second), "groups": release.secrets.n_groups}}


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    if isinstance(value, np.integer | np.bool_):
        return value.item()
    if isinstance(value, float | np.floating):
        return round(float(value), 10) if math.isfinite(value) else str(float(value))
    return value if value is None or isinstance(value, str | int | bool) else str(value)
