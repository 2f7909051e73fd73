"""What is written beside a release: the manifest, for programs, and the officer's page, for whoever is responsible.

The page is for a decision (:mod:`anonnb.publishing.officer_page`) and shows what the quick attacks learn. Neither
contains a row of the original or of the release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from anonnb import privacy, utility
from anonnb.core.atomic_files import atomic_write
from anonnb.core.wording import number
from anonnb.publishing.attacking import AttackBudget, attack_release
from anonnb.publishing.manifest import beside, manifest, write_manifest
from anonnb.publishing.officer_page import Outcomes, officer_page
from anonnb.publishing.project import read_project
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
    outcomes: Outcomes | None = None,
) -> tuple[Path, Path]:
    """Write the manifest and the officer's page beside ``out``, the published file, and return their paths.

    ``data`` is the file that the table came from; if there is no such file, only its name is recorded. ``withheld`` are
    columns that the file has and the table does not, and what became of them; ``history`` is that of ``manifest``,
    ``outcomes`` is what the attacks found; without it, they run.
    """
    outcomes = attack_release(release, AttackBudget()) if outcomes is None else outcomes
    lines = list(privacy.report(release).itertuples())
    if len(release.table) <= MAX_ROWS:
        lines += utility.report(release.table, release).itertuples()
    measures = {str(line.measure): line.value for line in lines}
    facts = manifest(release, report, out, data, project, measures, history)
    tried = list(dict.fromkeys(name for name, _ in outcomes.results))
    facts["attacks"] = {"tried": tried, "notes": list(outcomes.unfinished)}
    page = officer_page(
        release,
        report,
        facts,
        measures=[(str(line.measure), number(line.value), str(line.meaning)) for line in lines],
        attacks=outcomes,
        also=also,
        unknown_outside=unknown_outside,
        withheld=withheld,
        project=None if project is None else read_project(project),
    )
    paths = beside(out, ".manifest.json"), beside(out, ".html")
    write_manifest(paths[0], facts)
    with atomic_write(paths[1]) as opened:
        opened.write(page)
    return paths
