"""What is written beside a release: the manifest, for programs, and the officer's page, for whoever is responsible.

The manifest follows from the release alone, without times or names of machines, so that the same input gives the same
bytes. The officer reads no code: the page says what was done, what is promised, what is not, and what the quick attacks
still learn. Neither contains a row of the original or of the release.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from anonnb import __version__, attacks, privacy, utility
from anonnb.arena.entrants import default_attacks
from anonnb.attacks.findings import by_secret, secret_text
from anonnb.attacks.result import SecretResult
from anonnb.core.atomic_files import atomic_write
from anonnb.core.errors import is_deliberate
from anonnb.core.templates import templates
from anonnb.core.wording import join_names, number
from anonnb.files.opening import bytes_of
from anonnb.publishing.two_files import secrets_path
from anonnb.publishing.verification import VerificationReport
from anonnb.tables.matching import shared_matchings
from anonnb.tables.release import Release

FORMAT = 1
MAX_ROWS = 50_000  # beyond this, attacks and measures of utility take minutes: other commands run them


def write_documents(
    release: Release,
    report: VerificationReport,
    out: Path,
    data: Path,
    project: Path | None,
    *,
    also: Sequence[str] = (),
    unknown_outside: Sequence[str] = (),
    withheld: Mapping[str, str] | None = None,
) -> tuple[Path, Path]:
    """Write the manifest and the officer's page beside ``out``, the published file, and return their paths.

    ``data`` is the file that the table came from; if there is no such file, only its name is recorded. ``withheld`` are
    columns that the file has and the table does not, and what became of them.
    """
    lines = list(privacy.report(release).itertuples())
    if len(release.table) <= MAX_ROWS:
        lines += utility.report(release.table, release).itertuples()
    measures = {str(line.measure): line.value for line in lines}
    facts = manifest(release, report, out, data, project, __version__, measures)
    page = officer_page(
        release,
        report,
        facts,
        measures=[(str(line.measure), number(line.value), str(line.meaning)) for line in lines],
        attacks=_attack(release),
        also=also,
        unknown_outside=unknown_outside,
        withheld=withheld,
    )
    paths = beside(out, ".manifest.json"), beside(out, ".html")
    write_manifest(paths[0], facts)
    with atomic_write(paths[1]) as opened:
        opened.write(page)
    return paths


@dataclass(frozen=True)
class Outcomes:
    """What the quick attacks found: a column, an attack and a text; of attacks on no column, the last two."""

    secrets: Sequence[tuple[str, str, str]] = ()
    columns: Sequence[tuple[str, str, str]] = ()
    others: Sequence[tuple[str, str]] = ()
    untried: str = ""


def _attack(release: Release) -> Outcomes:
    """Run the quick attacks, or say why none was tried; the column with the most sure people comes first."""
    if len(release.table) > MAX_ROWS:
        return Outcomes(untried=f"With {len(release.table):,} rows attacks take long; `anonnb attack` runs them.")
    guessed, others = [], []
    with shared_matchings():
        for name in default_attacks():
            try:
                result = attacks.get(name)().run(release, release.table)
            except (ValueError, TypeError, KeyError) as error:
                reason = str(error) if is_deliberate(error) else f"a defect of anonnb ({type(error).__name__}: {error})"
                others.append((name, f"not tried: {reason}"))
                continue
            for one in by_secret(result):
                if isinstance(one, SecretResult):
                    guessed.append((one, name))
                else:
                    others.append((name, one.summary))
    guessed.sort(key=lambda pair: -pair[0].sure)
    order = list(dict.fromkeys(one.secret for one, _ in guessed))
    guessed.sort(key=lambda pair: order.index(pair[0].secret))
    lines: dict[bool, list] = {True: [], False: []}
    for one, name in guessed:
        lines[one.secret in release.table.sensitive].append((one.secret, name, secret_text(one)))
    return Outcomes(lines[True], lines[False], others)


# ---- manifest -----------------------------------------------------------------------------------------------------


def beside(out: Path, ending: str) -> Path:
    """Return the name of a file that belongs to a release.

    >>> beside(Path("first.csv"), ".manifest.json").name
    'first.manifest.json'
    """
    return out.with_name(out.stem + ending)


def sha256(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(bytes_of(path)).hexdigest()


def changed_cells(release: Release) -> int:
    """Count the published cells that show something other than their row's own value."""
    if release.rows is None:
        return 0
    changed = 0
    for name in release.columns:
        column, codes = release.columns[name], release.table.codes(name)[release.rows]
        holds_value = column.holds(release.table.attributes[name].recode_to(column.attribute)[codes])
        changed += int(np.count_nonzero((column.sizes > 1) | ~holds_value))
    return changed


def manifest(
    release: Release,
    report: VerificationReport,
    out: Path,
    data: Path,
    project: Path | None,
    version: str,
    measures: Mapping[str, float],
) -> dict[str, Any]:
    """Return all that is needed later to know what was published, and whether a file is still the same."""
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
        "recounted": {name: _plain(value) for name, value in report.figures.items()},
        "checks": [{"what": one.what, "passed": one.passed, "sentence": str(one.sentence)} for one in report.findings],
    }


def write_manifest(path: Path, content: Mapping[str, Any]) -> None:
    """Write a manifest as JSON; equal contents give equal bytes."""
    with atomic_write(path, newline="") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
        file.write("\n")


def differs_from_manifest(file: Path) -> str | None:
    """Return a sentence if the manifest beside a release describes other bytes; None if it fits or there is none."""
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


# ---- officer's page -----------------------------------------------------------------------------------------------


def officer_page(
    release: Release,
    report: VerificationReport,
    facts: Mapping[str, Any],
    *,
    measures: Sequence[tuple[str, str, str]],
    attacks: Outcomes,
    also: Sequence[str] = (),
    unknown_outside: Sequence[str] = (),
    withheld: Mapping[str, str] | None = None,
) -> str:
    """Return the officer's page; ``facts`` is the manifest, ``measures`` are lines of its last table.

    ``withheld`` are columns that the release's table no longer has, and what was done with them.
    """
    promise = release.promise
    return (
        templates(Path(__file__))
        .get_template("officer.html")
        .render(
            out=facts["output"]["name"],
            facts=facts,
            columns=list({**(withheld or {}), **dict(_roles(release, also, unknown_outside))}.items()),
            guarantee=promise.guaranteed(release.table) if promise is not None else "Nothing is guaranteed.",
            limits=promise.limits if promise is not None else "Whoever reads it may learn anything that the rows say.",
            passed=list(map(str, report.passed)),
            unchecked=list(map(str, report.unchecked)),
            attacks=attacks,
            unknown_outside=join_names(unknown_outside, most=20) if unknown_outside else "",
            measures=measures,
        )
    )


def _roles(release: Release, also: Sequence[str], unknown_outside: Sequence[str]) -> list[tuple[str, str]]:
    """List the columns of the original, and what was done with each."""
    table = release.table
    treatment = dict.fromkeys(table.columns, "not published: it has no role")
    treatment |= dict.fromkeys(also, "published as it is, counted as known to others")
    treatment |= dict.fromkeys(unknown_outside, "published as it is, declared to be known to nobody outside")
    treatment |= dict.fromkeys(table.identifiers, "identifier: not published")
    if table.decision is not None:
        treatment[table.decision] = "decision: published"
    treatment |= dict.fromkeys(
        table.sensitive, "sensitive: published" if release.sensitive else "sensitive: not published"
    )
    treatment |= dict.fromkeys(table.quasi, "quasi-identifier: published in the form that is promised")
    return [(str(name), role) for name, role in treatment.items()]
