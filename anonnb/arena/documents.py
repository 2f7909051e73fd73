"""What is written beside a release: the manifest and the officer's page, with what the quick attacks still learn.

The command line and the explorer write both in the same way; ``anonnb.projects`` says what they contain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from anonnb import __version__, attacks, privacy, utility
from anonnb.arena.entrants import default_attacks
from anonnb.core.errors import Infeasible
from anonnb.core.wording import number
from anonnb.files.gate import GateVerdict
from anonnb.files.writing import atomic_write
from anonnb.projects.manifest import beside, manifest, write_manifest
from anonnb.projects.officer import officer_page
from anonnb.tables.matching import shared_matchings
from anonnb.tables.release import Release

MOST_ROWS = 50_000  # beyond this, attacks and measures of utility take minutes: other commands run them


def write_documents(
    release: Release,
    verdict: GateVerdict,
    out: Path,
    data: Path,
    project: Path | None,
    *,
    also: Sequence[str] = (),
    unknown_outside: Sequence[str] = (),
    withheld: Mapping[str, str] | None = None,
) -> tuple[Path, Path]:
    """Write both beside ``out``, the published file, and return their paths.

    ``data`` is the file that the table came from; where no such file exists, only its name is recorded. ``withheld``
    are columns that the file has and the table does not, and what became of them.
    """
    lines = list(privacy.report(release).itertuples())
    if len(release.table) <= MOST_ROWS:
        lines += utility.report(release.table, release).itertuples()
    measures = {str(line.measure): line.value for line in lines}
    facts = manifest(release, verdict, out, data, project, __version__, measures)
    found, untried = _attacked(release)
    page = officer_page(
        release,
        verdict,
        facts,
        measures=[(str(line.measure), number(line.value), str(line.meaning)) for line in lines],
        attacks=found,
        untried=untried,
        also=also,
        unknown_outside=unknown_outside,
        withheld=withheld,
    )
    paths = beside(out, ".manifest.json"), beside(out, ".html")
    write_manifest(paths[0], facts)
    with atomic_write(paths[1]) as opened:
        opened.write(page)
    return paths


def _attacked(release: Release) -> tuple[list[tuple[str, str]], str]:
    """The quick attacks and the outcome of each; or why none was tried."""
    if len(release.table) > MOST_ROWS:
        return [], f"With {len(release.table):,} rows attacks take their time; `anonnb attack` runs them."
    lines = []
    with shared_matchings():
        for name in default_attacks():
            try:
                told = attacks.get(name)().run(release, release.table).told
            except (ValueError, TypeError, KeyError, Infeasible) as error:
                told = f"not tried: {error}"
            lines.append((name, told))
    return lines, ""
