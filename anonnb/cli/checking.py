"""``init`` writes a project file for a table; ``check`` recounts what is promised of a published file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anonnb.cli.common import (
    DONE,
    FAILED,
    TableCommand,
    announce,
    bad_input,
    check_out,
    in_options,
    look_next,
    notes,
    stop,
    writing,
)
from anonnb.cli.progress import shown_progress
from anonnb.cli.requirements import Requirements
from anonnb.cli.table_options import (
    columns,
    delimiter,
    read_frame,
    read_table,
    reading_options,
    running_project,
    table_options,
)
from anonnb.core.wording import pluralize

if TYPE_CHECKING:
    from anonnb.core.card import Claim
    from anonnb.publishing.project import Project
    from anonnb.publishing.verification import Expectation, VerificationReport
    from anonnb.tables.table import Table


@click.command()
@click.argument("file")
@reading_options
@click.option("-o", "--out", type=click.Path(dir_okay=False), help="Default: the name of FILE, with .yaml.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
def init(file: str, out: str | None, force: bool, **reading: Any) -> None:
    """Draft a project file for FILE, which you correct.

    It says what each column seems to be, and why.
    """
    from anonnb.core.atomic_files import atomic_write
    from anonnb.publishing.project_text import draft_project

    target = Path(out) if out else Path(file).with_suffix(".yaml")
    check_out(target, force, (".yaml", ".yml"), inputs=[file])
    with bad_input(), notes(), shown_progress(f"reading {file}"):
        frame = read_frame(file, **{**reading, "sep": delimiter(reading["sep"])})
    announce(f"drafting {target} for {file} ({pluralize(len(frame), 'row')})")
    with bad_input(), notes(), shown_progress("looking at the columns"):
        text = draft_project(frame, Path(file), target.parent, reading)
    with writing(target), atomic_write(target, overwrite=force) as opened:
        opened.write(text)
    size = f"{pluralize(len(frame), 'row')}, {pluralize(len(frame.columns), 'column')}"
    click.echo(f"{target}: {size}; correct the roles, then:")
    click.echo(f"  anonnb audit {target}")
    click.echo(f"  anonnb anonymize {target} -o release.csv")
    look_next(f"open {target} in an editor: a comment beside each column says why it got its role")


@click.command(cls=TableCommand)
@table_options
@click.option("--against", metavar="ORIGINAL", help="The table that FILE was made from; a project's record knows it.")
@click.option("--k", type=int, help="The promised size of the smallest class.")
@click.option("--require", multiple=True, metavar="MODEL", help='A promised privacy model, such as "LDiversity(3)".')
@click.option("--also", multiple=True, metavar="A,B", help="Columns published as they are.")
@click.option("--unknown-outside", multiple=True, metavar="A,B", help="Those of --also that nobody outside can know.")
@click.option("--may-name", multiple=True, metavar="A,B", help="Columns whose texts may name people.")
def check(
    file: str,
    against: str | None,
    k: int | None,
    require: tuple[str, ...],
    also: tuple[str, ...],
    unknown_outside: tuple[str, ...],
    may_name: tuple[str, ...],
    **options: Any,
) -> None:
    """Recount everything that is promised of FILE, a published table.

    FILE is read as text, wherever it comes from.
    If a manifest is beside FILE, release, input and project are compared with it, too.
    """
    from anonnb.core.card import Claim
    from anonnb.methods.promises import claim_of

    models = Requirements(require, None).plain
    if k is not None and k < 1:
        stop(f"--k {k} is less than 1; k is the number of people to hide among, such as 5")
    against, recorded, differing = _papers(Path(file), against)
    table = read_table(against, **options)
    with bad_input():
        layout = _layout(file, options)
    announce(f"reading {file} as text and recounting what is promised of it")
    with bad_input(), shown_progress("recounting"):
        claims = [Claim("KAnonymity", {"k": k}, f"k = {k}")] if k is not None else []
        expected = _expected(table, (*claims, *map(claim_of, models)), also, unknown_outside, may_name)
        report = _verify(file, expected, layout)
    for sentence in [*report.passed, *recorded]:
        click.echo(f"  passed       {in_options(sentence)}")
    for sentence in report.unchecked:
        click.echo(f"  not checked  {in_options(sentence)}")
    failures = [*report.failures, *differing]
    for sentence in failures:
        click.echo(f"  failed       {in_options(sentence)}")
    click.echo(f"{file}: {'nothing failed' if not failures else f'{len(failures)} failed'}")
    look_next(
        "do not pass this file on: publish it again with `anonnb anonymize`"
        if failures
        else "`anonnb attack` with the same options tells what an attacker still learns from it"
    )
    sys.exit(FAILED if failures else DONE)


def _papers(file: Path, against: str | None) -> tuple[str, list[str], list[str]]:
    """Return the table that a release was made from, and what passes and fails of its manifest and its record."""
    from anonnb.publishing.history import History
    from anonnb.publishing.manifest import beside, differences, read_manifest, sha256

    if not file.is_file():
        stop(f"{file}: there is no such file")
    project = running_project()
    with bad_input():
        history = None if project is None else History(project)
        manifest = read_manifest(file)
    entry = None if history is None else history.find(file)
    known = None if history is None else history.input_of(file)
    given = against or known or (None if project is None else _input_named(file, manifest, project))
    if given is None:
        stop("name the table that FILE was made from with --against ORIGINAL")
    passed, failed = [], []
    if entry is not None and entry["sha256"] == sha256(file):
        passed.append(f"these are the bytes that were published as {Path(entry['name']).name} on {entry['date']}")
    elif manifest is None and history is not None and history.entries:
        failed.append(
            f"no release of {history.project.path.name} has these bytes, and no manifest is beside {file.name}"
        )
    if manifest is not None:
        path = beside(file, ".manifest.json")
        failed += differences(file, manifest, Path(given), None if project is None else project.path)
        if entry is not None and entry["sha256"] == sha256(file) and entry["manifest"] != sha256(path):
            failed.append(f"{path.name} was edited after it was written")
        passed += [] if failed else [f"release, input and project are those that {path.name} describes"]
    return str(given), passed, failed


def _input_named(file: Path, manifest: dict[str, Any] | None, project: Project) -> Path | None:
    """Return the input that a manifest names, looked for beside the release and the project, or the project's own."""
    name = "" if manifest is None else str(manifest["input"]["name"])
    paths = [folder / name for folder in (file.parent, project.path.parent)]
    return next((path for path in paths if path.is_file()), project.data)


def _verify(file: str, expected: Expectation, layout: dict[str, str]) -> VerificationReport:
    """Verify a file, or two if the secrets are in a second file."""
    from anonnb.files.text_table import read_as_text
    from anonnb.publishing.two_files import secrets_beside, verify_pair, without_secrets
    from anonnb.publishing.verification import verify_file

    second = secrets_beside(Path(file))
    if second is None or set(expected.sensitive) & set(read_as_text(file, **layout).names):
        return verify_file(file, expected, **layout)
    names = list(read_as_text(second, **layout).names)
    return verify_pair(Path(file), second, without_secrets(expected, names[0]), names, expected.claims, layout)


def _expected(
    table: Table,
    claims: tuple[Claim, ...],
    also: tuple[str, ...],
    unknown_outside: tuple[str, ...],
    may_name: tuple[str, ...],
) -> Expectation:
    """Say what roles and promises demand of a file that may come from elsewhere."""
    import numpy as np

    from anonnb.publishing.table_opening import constant_within
    from anonnb.publishing.verification import Expectation
    from anonnb.tables.roles import identity_values

    unknown = columns(unknown_outside, table.columns)
    project = running_project()
    ordinal = [name for name in table.sensitive if table.attributes[name].kind == "ordinal"]
    most = int(np.bincount(table.people).max(initial=1)) if table.counted_by is not None else 1
    return Expectation(
        quasi=tuple(table.quasi),
        sensitive=tuple(table.sensitive),
        also=tuple(name for name in columns(also, table.columns) if name not in unknown),
        unknown_outside=tuple(unknown),
        other=tuple(name for name in (table.decision, table.weight) if name is not None),
        weight=table.weight,
        identifiers=tuple(name for name in table.identifiers if name != table.weight),
        identities=identity_values(table.frame[table.identifiers]),
        may_name=tuple(columns(may_name, table.columns)),
        within=constant_within(table, [*table.sensitive, *unknown]),
        household=table.household,
        claims=claims,
        nominal=frozenset(name for name in table.sensitive if table.attributes[name].kind == "nominal"),
        orders={name: table.attributes[name].labels[: len(table.attributes[name].domain)] for name in ordinal},
        input_rows=len(table),
        most_suppressed=None if project is None else project.suppression_limit,
        most_rows_each=most,
        counted=table.counted,
    )


def _layout(file: str, options: dict[str, Any]) -> dict[str, str]:
    """Return how a text file is written; Parquet says so itself."""
    from anonnb.files.opening import bytes_of
    from anonnb.files.reading import layout_of_bytes

    raw = bytes_of(file)
    if raw.startswith(b"PAR1"):
        return {}
    project = running_project()
    given = {} if project is not None else options  # a project says how the original is written
    sep, encoding = layout_of_bytes(raw, file, delimiter(given.get("sep")), given.get("encoding"))
    return {"sep": sep, "encoding": "utf-8-sig" if encoding == "utf-8" else encoding}
