"""``audit``: what singles people out in a table as it is; text, an offline page, a picture.

Names of columns and counts are shown; values of single rows only with ``--rows``.
"""

from __future__ import annotations

from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anonnb.cli.common import TableCommand, announce, bad_input, check_out, look_next, note, print_table, writing
from anonnb.cli.progress import shown_progress
from anonnb.cli.table_options import read_table, table_options
from anonnb.core.wording import number, percent, pluralize

if TYPE_CHECKING:
    import pandas as pd

    from anonnb.privacy.audit_result import Audit
    from anonnb.reports.page import Drawing
    from anonnb.tables.table import Table


@click.command(cls=TableCommand)
@table_options
@click.option("--json", "as_json", is_flag=True, help="Print the measures as JSON.")
@click.option("--fraction", type=float, help="Or the fraction of the population that the table is, above 0 to 1.")
@click.option("--largest", type=int, default=3, show_default=True, help="The most columns of a combination.")
@click.option("--worst", type=int, default=10, show_default=True, help="How many of the worst rows to list.")
@click.option("--rows", is_flag=True, help="Show the values that single these rows out.")
@click.option("--html", "page", type=click.Path(dir_okay=False), help="Write a page that opens offline.")
@click.option("--picture", type=click.Path(dir_okay=False), help="Draw it: a .png, .svg or .pdf file.")
@click.option("--force", is_flag=True, help="Overwrite these files.")
def audit(
    file: str,
    as_json: bool,
    fraction: float | None,
    largest: int,
    worst: int,
    rows: bool,
    page: str | None,
    picture: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Count who stands out in FILE as it is, and what singles them out.

    FILE is a table or a project file.
    """
    from anonnb import privacy

    if page:
        check_out(Path(page), force, (".html",), inputs=[file], option="--html")
    if picture:
        check_out(Path(picture), force, (".png", ".svg", ".pdf"), inputs=[file], option="--picture")
    table = read_table(file, **options)
    announce(f"auditing {file} ({pluralize(len(table), 'row')}): who stands out by {', '.join(table.quasi)}")
    with bad_input(), shown_progress("auditing") as progress:
        frame = privacy.report(table)
        audited = privacy.audit(table, fraction=fraction, largest=largest, worst=worst, progress=progress)
    if as_json:
        click.echo(frame.to_json(orient="records", indent=1, force_ascii=False))
    else:
        _print_audit(file, table, frame, audited, rows)
    _write(audited, Path(file).name, rows, page, picture, force)
    look_next("`anonnb compare` with the same options tries methods on this table")


def _print_audit(file: str, table: Table, frame: pd.DataFrame, audited: Audit, rows: bool) -> None:
    """Print a verdict, the tables of the audit, and the measures."""
    people = f" of {audited.people:,} {audited.unit}" if audited.unit != "rows" else ""
    click.echo(f"{file}: {pluralize(len(table), 'row')}{people}")
    alone = f"{audited.alone:,} of {audited.people:,} {audited.unit} ({percent(audited.alone / audited.people)})"
    click.echo(f"{alone} are alone with {', '.join(table.quasi)}: no other has the same values.")
    exposed = [
        f"{line.column} of {line.exposed:,} ({percent(line.exposed / audited.people)})"
        for line in audited.secrets.itertuples()
    ]
    if exposed:
        click.echo(f"Exposed, because all who have the same values share it, too: {', '.join(exposed)}.")
    for section in audited.sections(values=rows):
        if section.title != "Re-identification":  # these are among the measures
            click.echo(f"\n{section.text}")
    click.echo("  (row 0 is the first below the header)\n\nMeasures")
    lines = [(str(row.measure), _value(str(row.measure), row.value), str(row.meaning)) for row in frame.itertuples()]
    print_table(lines, left=(0, 2))


def _value(measure: str, value: float) -> str:
    """Write a measure with its unit: shares and risks in percent."""
    if value == inf:
        return "infinite"
    return percent(value) if "risk" in measure or measure.startswith(("unique rows", "α")) else number(value)


def _write(audited: Audit, name: str, rows: bool, page: str | None, picture: str | None, force: bool) -> None:
    """Write the page and the picture, whole or not at all."""
    from anonnb.core.atomic_files import atomic_write

    if not page and not picture:
        return
    from anonnb import plots
    from anonnb.plots.style import detached
    from anonnb.reports.page import drawing

    with detached():
        figure: Any = plots.audit(audited).figure  # a whole figure, not a part of one
    if picture:
        kind = Path(picture).suffix.lower().removeprefix(".")
        with writing(picture), atomic_write(picture, "wb", overwrite=force) as target:
            figure.savefig(target, format=kind, dpi=200)
        note(f"drawn: {picture}")
    if page:
        caption = f"Class sizes, columns and combinations of columns that single out {audited.unit}."
        text = _page(audited, name, rows, drawing(figure, caption))
        with writing(page), atomic_write(page, overwrite=force) as target:
            target.write(text)
        note(f"written: {page}")


def _page(audited: Audit, name: str, rows: bool, picture: Drawing) -> str:
    from anonnb.reports.page import render

    parts = [
        {
            "title": section.title,
            "sentence": section.sentence,
            "columns": list(section.frame.columns),
            "rows": section.frame.astype(object).values.tolist(),
        }
        for section in audited.sections(values=rows)
    ]
    return render(
        "audit.html",
        title=f"Audit of {name}",
        headline=audited.headline,
        picture=picture,
        sections=parts,
    )
