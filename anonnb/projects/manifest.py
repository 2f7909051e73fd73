"""The manifest beside a release, for programs: what was published, by what method, with what hashes.

It follows from the release alone, without times or names of machines, so that the same input gives the same bytes. It
holds no row of the original and none of the release.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anonnb.files.gate import GateVerdict
from anonnb.files.opening import bytes_of
from anonnb.files.two_files import secrets_path
from anonnb.files.writing import atomic_write

FORMAT = 1


def beside(out: Path, ending: str) -> Path:
    """The name of a file that belongs to a release.

    >>> beside(Path("first.csv"), ".manifest.json").name
    'first.manifest.json'
    """
    return out.with_name(out.stem + ending)


def sha256(path: Path) -> str:
    """The hash of a file."""
    return hashlib.sha256(bytes_of(path)).hexdigest()


def changed_cells(release: Any) -> int:
    """How many published cells show something other than their row's own value."""
    if release.rows is None:
        return 0
    changed = 0
    for name in release.columns:
        column, codes = release.columns[name], release.table.codes(name)[release.rows]
        own = column.holds(release.table.attributes[name].recode_to(column.attribute)[codes])
        changed += int(np.count_nonzero((column.sizes > 1) | ~own))
    return changed


def manifest(
    release: Any,
    verdict: GateVerdict,
    out: Path,
    data: Path,
    project: Path | None,
    version: str,
    measures: Mapping[str, float],
) -> dict[str, Any]:
    """All that is needed later to know what was published, and whether a file is still the same."""
    return {
        "format": FORMAT,
        "anonnb": version,
        "input": {"name": data.name, "sha256": sha256(data) if data.is_file() else None, "rows": len(release.table)},
        "output": {"name": out.name, "sha256": sha256(out), "rows": len(release)},
        **_second_file(release, out),
        "project": None if project is None else {"name": project.name, "sha256": sha256(project)},
        "method": str(release.method),
        "seed": getattr(release.method, "seed", None),
        "levels": _plain(release.info.get("levels")),
        "classes": release.n_groups,
        "suppressed_rows": release.n_suppressed,
        "changed_cells": changed_cells(release),
        "measures": {name: _plain(value) for name, value in measures.items()},
        "recounted": {name: _plain(value) for name, value in verdict.figures.items()},
        "checks": [{"what": one.what, "passed": one.passed, "sentence": str(one.sentence)} for one in verdict.findings],
    }


def write_manifest(path: Path, content: Mapping[str, Any]) -> None:
    """Write it as JSON; equal contents give equal bytes."""
    with atomic_write(path, newline="") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
        file.write("\n")


def differs_from_manifest(file: Path) -> str | None:
    """A sentence if the manifest beside a release describes other bytes; None if it fits or there is none."""
    path = beside(file, ".manifest.json")
    if not path.is_file():
        return None
    try:
        content = json.loads(bytes_of(path))
        known = {file: content["output"]["sha256"]}
        if "secrets" in content:
            known[secrets_path(file)] = content["secrets"]["sha256"]
    except (ValueError, KeyError, TypeError):
        return f"{path.name} is no manifest; remove it, or publish the table again"
    for written, digest in known.items():
        if not written.is_file():
            return f"{written.name}, which {path.name} describes, is not there"
        if digest != sha256(written):
            return f"{written.name} is not the file that {path.name} describes: it was changed after it was published"
    return None


def _second_file(release: Any, out: Path) -> dict[str, Any]:
    """The entry for secrets that are published in a file of their own."""
    if release.secrets is None:
        return {}
    second = secrets_path(out)
    return {"secrets": {"name": second.name, "sha256": sha256(second), "groups": release.secrets.n_groups}}


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    if isinstance(value, np.integer | np.bool_):
        return value.item()
    if isinstance(value, float | np.floating):
        return round(float(value), 10) if math.isfinite(value) else str(float(value))
    return value if value is None or isinstance(value, str | int | bool) else str(value)
