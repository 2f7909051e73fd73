"""What is written beside a release: the manifest, for programs, and the officer's page, for whoever is responsible.

The officer reads no code: the page says what was done, what is promised, what is not, and what the quick attacks
still learn. Neither contains a row of the original or of the release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anonnb import privacy, utility
from anonnb.attacks.findings import secret_text
from anonnb.attacks.result import SecretResult
from anonnb.core.atomic_files import atomic_write
from anonnb.core.templates import templates
from anonnb.core.wording import join_names, number
from anonnb.publishing.attacking import Attempts, Budget, attack_release
from anonnb.publishing.manifest import beside, manifest, write_manifest
from anonnb.publishing.verification import VerificationReport
from anonnb.tables.release import Release

MAX_ROWS = 50_000  # beyond this, measures of utility take minutes


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
    history: Mapping[str, Any] | None = None,
    attempts: Attempts | None = None,
) -> tuple[Path, Path]:
    """Write the manifest and the officer's page beside ``out``, the published file, and return their paths.

    ``data`` is the file that the table came from; if there is no such file, only its name is recorded. ``withheld`` are
    columns that the file has and the table does not, and what became of them; ``history`` is that of ``manifest``,
    ``attempts`` is what the attacks found; None has them run.
    """
    attempts = attack_release(release, Budget()) if attempts is None else attempts
    lines = list(privacy.report(release).itertuples())
    if len(release.table) <= MAX_ROWS:
        lines += utility.report(release.table, release).itertuples()
    measures = {str(line.measure): line.value for line in lines}
    facts = manifest(release, report, out, data, project, measures, history)
    facts["attacks"] = {
        "tried": list(dict.fromkeys(name for name, _ in attempts.results)),
        "notes": attempts.unfinished,
    }
    page = officer_page(
        release,
        report,
        facts,
        measures=[(str(line.measure), number(line.value), str(line.meaning)) for line in lines],
        attacks=_outcomes(release, attempts),
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


def _outcomes(release: Release, attempts: Attempts) -> Outcomes:
    """Sort what the attacks found; the column with the most sure people comes first."""
    others = [(name, one.summary) for name, one in attempts.results if not isinstance(one, SecretResult)]
    guessed = [(one, name) for name, one in attempts.results if isinstance(one, SecretResult)]
    guessed.sort(key=lambda pair: -pair[0].sure)
    order = list(dict.fromkeys(one.secret for one, _ in guessed))
    guessed.sort(key=lambda pair: order.index(pair[0].secret))
    lines: dict[bool, list] = {True: [], False: []}
    for one, name in guessed:
        lines[one.secret in release.table.sensitive].append((one.secret, name, secret_text(one)))
    return Outcomes(lines[True], lines[False], others, " ".join(attempts.unfinished))


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
