"""What ``anonymize --project`` writes beside a release: the manifest and the officer's page."""

from pathlib import Path
from typing import Any

import click

from anonnb.cli.common import number

MOST_ROWS = 50_000  # beyond which attacks are left to `anonnb attack`


def write_documents(release: Any, verdict: Any, out: str, file: str, project: Any, further: dict[str, Any]) -> None:
    """Write both, and say where they are."""
    from anonnb import __version__, privacy, utility
    from anonnb.files.writing import atomic_write
    from anonnb.projects.manifest import beside, manifest, write_manifest
    from anonnb.projects.officer import officer_page

    path, table = Path(out), release.table
    reports = [privacy.report(release), utility.report(table, release)]
    lines = [line for report in reports for line in report.itertuples()]
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
        line = f"{result.success:.1%} of {result.attempts:,} attempts succeed"
        further = [
            f"{word} {getattr(result, word):.1%}" for word in ("baseline", "control", "excess") if _has(result, word)
        ]
        lines.append((name, line + "".join(f"; {part}" for part in further)))
    return lines, ""


def _has(result: Any, word: str) -> bool:
    found = getattr(result, word, None)
    return isinstance(found, float) and found == found
