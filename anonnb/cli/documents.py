"""What ``anonymize --project`` writes beside a release: the manifest and the officer's page."""

from pathlib import Path
from typing import Any

import click

from anonnb.cli.common import number

MOST_ROWS = 50_000  # beyond which attacks and measures of utility take minutes: they are left to other commands


def write_documents(release: Any, verdict: Any, out: str, file: str, project: Any, further: dict[str, Any]) -> None:
    """Write both, and say where they are."""
    from anonnb import __version__, privacy, utility
    from anonnb.files.writing import atomic_write
    from anonnb.projects.manifest import beside, manifest, write_manifest
    from anonnb.projects.officer import officer_page

    path, table = Path(out), release.table
    lines = list(privacy.report(release).itertuples())
    if len(table) <= MOST_ROWS:
        lines += utility.report(table, release).itertuples()
    facts = manifest(
        release,
        verdict,
        path,
        Path(file),
        project.path,
        __version__,
        {str(line.measure): line.value for line in lines},
    )
    write_manifest(beside(path, ".manifest.json"), facts)
    attacks, untried = _attacked(release, table)
    page = officer_page(
        release,
        verdict,
        facts,
        measures=[(str(line.measure), number(line.value), str(line.meaning)) for line in lines],
        attacks=attacks,
        untried=untried,
        **further,
    )
    with atomic_write(beside(path, ".html")) as opened:
        opened.write(page)
    click.echo(
        f"{beside(path, '.manifest.json')} and {beside(path, '.html')} say what was published and what is promised"
    )


def _attacked(release: Any, table: Any) -> tuple[list[tuple[str, str]], str]:
    """The quick attacks and what came of each; why, where none was tried."""
    from anonnb import Infeasible, arena, attacks

    if len(table) > MOST_ROWS:
        return [], f"With {len(table):,} rows attacks take their time; `anonnb attack` runs them."
    lines = []
    for name in arena.default_attacks():
        try:
            result = attacks.get(name)().run(release, table)
        except (ValueError, TypeError, KeyError, Infeasible) as error:
            lines.append((name, f"not tried: {error}"))
            continue
        lines.append((name, result.told))
    return lines, ""
