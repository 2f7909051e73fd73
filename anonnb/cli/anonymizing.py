"""``anonymize``: one table, one method, one file."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anonnb.cli.common import (
    FAILED,
    STANDARD_INPUT,
    TableCommand,
    announce,
    bad_input,
    check_out,
    given_parameters,
    in_options,
    look_next,
    note,
    notes,
    quoted,
    stop,
    writing,
)
from anonnb.cli.progress import shown_progress
from anonnb.cli.requirements import Requirements, chosen_method, requirement_options
from anonnb.cli.table_options import (
    columns,
    no_column,
    option_of,
    read_table,
    running_project,
    sheet_of,
    table_options,
    tell_layout,
)
from anonnb.core.atomic_files import named_together
from anonnb.core.wording import number, pluralize

if TYPE_CHECKING:
    from anonnb.methods.base import Method
    from anonnb.publishing.budget import AttackBudget
    from anonnb.publishing.history import History
    from anonnb.publishing.verification import VerificationReport
    from anonnb.tables.mined_results import Mined
    from anonnb.tables.release import Release
    from anonnb.tables.table import Table

MAX_NAMED = 40  # columns beyond which only the first are named


@dataclass(frozen=True)
class Order:
    """What is to be published, from which file, and how."""

    method: Method
    table: Table
    file: str
    out: Path
    also: list[str]
    unknown_outside: list[str]
    may_name: list[str]
    limit: float | None
    history: History | None
    options: dict[str, Any]  # of the table


@click.command(cls=TableCommand)
@table_options
@click.option("--method", "method_name", required=True, metavar="NAME", help="See `anonnb list methods`.")
@click.option("--k", type=int, help="The smallest group size; most methods need it.")
@requirement_options
@click.option("--also", multiple=True, metavar="A,B", help="Further columns to publish, as they are; weights as means.")
@click.option("--unknown-outside", multiple=True, metavar="A,B", help="Columns of --also that nobody outside can know.")
@click.option("--may-name", multiple=True, metavar="A,B", help="Columns whose texts may name people.")
@click.option("--seed", type=int, help="For methods that draw at random.")
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False), help="A .csv, .parquet (or .json) file.")
@click.option("--rows-are-people", is_flag=True, help="Every row is another person, though an identifier repeats.")
@click.option("--repeat", is_flag=True, help="Put the rows of FILE into the boxes of the project's own table.")
@click.option(
    "--budget", default="60s", metavar="TIME", help="For the page's attacks: 60s, 5min or, with memory, '90s 2GB'."
)
@click.option("--no-attacks", is_flag=True, help="Write the officer's page without attacks.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@click.option("--excel", is_flag=True, help="Write a .csv in which spreadsheets run nothing and read every letter.")
def anonymize(
    file: str,
    method_name: str,
    k: int | None,
    require: tuple[str, ...],
    population: str | None,
    suppression_limit: float | None,
    params: tuple[str, ...],
    also: tuple[str, ...],
    unknown_outside: tuple[str, ...],
    may_name: tuple[str, ...],
    seed: int | None,
    out: str,
    rows_are_people: bool,
    repeat: bool,
    budget: str,
    no_attacks: bool,
    force: bool,
    excel: bool,
    **options: Any,
) -> None:
    """Anonymize FILE with a method and publish the release to OUT.

    FILE is a table or a project file.
    Before OUT gets its name it is read again as text, and everything promised is recounted; if that fails, nothing is
    published. With a project, attacks on the release come first, for the officer's page, and all files get their names
    together. Columns of --also count as quasi-identifiers then. Methods that publish mined results (SafeItemsets,
    SafeTree) write itemsets or a tree, as .csv or .json.
    """
    from anonnb.tables.release import Release

    project, allowed = running_project(), _budget(budget, no_attacks)
    required = Requirements(require, population)
    given = given_parameters(params, k=k, seed=seed, require=tuple(required.plain) if require else None)
    method = chosen_method(method_name, given, suppression_limit)
    read_from = [file, *(text.partition("=")[2] for text in options["hierarchies"]), *filter(None, [population])]
    written = _files_to_write(method, Path(out), force, excel, read_from)
    history = _history(file)
    table = read_table(file, **options)
    _check_people(table, rows_are_people)
    _check_reviewed(table)
    if population is not None:
        method = replace(method, **{"require": required.models(table, options)})
    published, unknown = _published_as_is(also, unknown_outside, method, table)
    _note_unused(options["hierarchies"], method, table)
    announce(f"anonymizing {file} ({pluralize(len(table), 'row')}) with {method} into {out}")
    may_be_named = columns(may_name, table.columns)
    job = Order(method, table, file, Path(out), published, unknown, may_be_named, suppression_limit, history, options)
    release = _anonymize(job, repeat)
    if not isinstance(release, Release):
        _publish_mined(release, out, excel, force)
        amount = f"{len(release.frame)} {release.what[: -1 if len(release.frame) == 1 else None]}"
        click.echo(f"{method}: {amount} published to {out}; this is not a table")
        look_next("`anonnb list InferenceAttack` says what an attacker may still infer from mined results")
        return
    if table.weight in published:
        published.remove(table.weight)  # of the job, too
        with bad_input():
            release = release.with_grouped_weights()
    with writing(out), named_together():
        report = _publish(job, release, excel, force)
        documents = "" if history is None else _document(job, history, release, report, allowed)
    _print_summary(method, table, release, " and ".join(map(str, written)))
    _note_left_out(table, published)
    if documents:
        click.echo(documents)
    tell_layout(file, out, **{name: options[name] for name in ("sep", "encoding", "decimal", "dayfirst")})
    if project is not None:
        look_next(f"`anonnb check {quoted(out)} {quoted(str(project.path))}` recounts the file at any time")
        return
    look_next(
        f"`anonnb attack {quoted(out)} --against {quoted(file)}` with the same roles tells what an attacker learns"
    )


def _budget(text: str, no_attacks: bool) -> AttackBudget | None:
    """Return what the attacks for the officer's page may take; None for no attack."""
    from anonnb.publishing.budget import AttackBudget

    with bad_input():
        return None if no_attacks else AttackBudget.from_text(text)


def _history(file: str) -> History | None:
    """Return the record of the project's releases; without a project, or for standard input, there is none."""
    project = running_project()
    if project is None or file == STANDARD_INPUT:
        return None
    from anonnb.publishing.history import History

    if not os.access(project.path.parent, os.W_OK):
        stop(f"{project.path.parent} cannot be written, but the record of releases belongs there, beside the project")
    with bad_input():
        return History(project)


def _check_people(table: Table, rows_are_people: bool) -> None:
    """Stop if people seem to have several rows and nobody said whether they do."""
    from anonnb.publishing.table_opening import find_repeated_people

    if table.person is not None or rows_are_people:
        return
    named = {*table.quasi, *table.sensitive, table.decision, table.household, table.weight}
    repeated = find_repeated_people(table, [name for name in table.columns if name not in named])
    if repeated is None:
        return
    project, whose = running_project(), f"--person {quoted(repeated.column)}"
    others = f"--household {quoted(repeated.column)} if it is a household, or --rows-are-people"
    keys = f"person: {repeated.column}, household: {repeated.column} or rows_are_people: true"
    where = f" (in {project.path.name}: {keys})" if project else ""
    stop(f"{repeated}, so rows may not be people; add {whose} to count people, {others}{where}")


def _check_reviewed(table: Table) -> None:
    """Stop if a project is a draft that nobody touched."""
    project = running_project()
    if project is None or project.reviewed is not None:
        return
    from anonnb.publishing.project_text import all_guessed
    from anonnb.publishing.table_opening import SENSITIVE

    line = "a line such as reviewed: A. Name, 2026-01-31"
    if not project.named(SENSITIVE):
        stop(f"{project.path.name} names no sensitive column; give a column that role, or confirm with {line}")
    if all_guessed(project, table.frame):
        stop(f"every role in {project.path.name} is guessed; read the file, correct it, and sign it with {line}")


def _files_to_write(method: Method, out: Path, force: bool, excel: bool, read_from: list[str]) -> list[Path]:
    """Return the files of a release; stop if one of them cannot be written, or is also read."""
    from anonnb.publishing.two_files import secrets_path

    suffixes = (".csv",) if excel else (".csv", ".parquet") if method.publishes == "table" else (".csv", ".json")
    written = [out, secrets_path(out)] if method.secrets_apart else [out]
    for path in written:
        check_out(path, force, suffixes, inputs=read_from)
    return written


def _anonymize(job: Order, boxes: bool) -> Release | Mined:
    """Make the release; stop if the method can make none."""
    from anonnb.core.errors import Infeasible

    try:
        repeated, sentence = _repeat(job, boxes)
        with bad_input(unless=Infeasible), notes(), shown_progress(type(job.method).__name__) as progress:
            release = repeated or job.method.anonymize(job.table, progress=progress)
    except Infeasible as error:
        stop(error, FAILED)
    return release.replace(info={**release.info, "repeated": sentence}) if sentence else release


def _publish(job: Order, release: Release, excel: bool, force: bool) -> VerificationReport:
    """Write a release that passes verification and return the report; stop if it does not pass."""
    from anonnb.publishing.release_files import write_release
    from anonnb.publishing.verification import VerificationError

    try:
        with (
            writing(job.out),
            bad_input(unless=VerificationError),
            notes(),
            shown_progress(f"writing {job.out} and reading it again"),
        ):
            columns = job.also, job.unknown_outside
            return write_release(release, job.out, *columns, excel, job.limit, overwrite=force, may_name=job.may_name)[
                1
            ]
    except VerificationError as refusal:
        for sentence in refusal.report.failures:
            click.echo(f"anonnb: {in_options(sentence)}", err=True)
        stop(f"{job.out} is not published, as it would break what is promised", FAILED)


def _publish_mined(mined: Mined, out: str, excel: bool, force: bool) -> None:
    with writing(out), bad_input(), notes(), shown_progress(f"writing {out}"):
        mined.publish(out, excel=excel, overwrite=force)


def _repeat(job: Order, boxes: bool) -> tuple[Release | None, str]:
    """Generalize another file than the project's own as that one was, if the method allows, and say what was done."""
    project, method, file = running_project(), job.method, job.file
    data = None if project is None else project.data
    if data is None or file == STANDARD_INPUT or not data.is_file() or data.samefile(file):
        if boxes:
            stop("--repeat is for another file than the project's own; name it: anonnb anonymize NEXT.csv --project …")
        return None, ""
    from anonnb.core.errors import Infeasible
    from anonnb.publishing.repeating import new_values, repeat

    if boxes and job.history is not None and (changed := job.history.changed_since(data, str(method))):
        stop(f"--repeat: {changed}, so its boxes cannot be repeated; restore it, or leave --repeat out")
    before = read_table(str(data), **job.options)
    for sentence in new_values(before, job.table):
        note(f"{file}: {sentence}")
    if method.publishes != "table":
        return None, ""
    with bad_input(unless=Infeasible), shown_progress(f"repeating what was done with {data.name}") as progress:
        release, sentence = repeat(method, before, job.table, progress, boxes=boxes, limit=job.limit)
    note(f"{file}: {sentence}")
    return release, sentence


def _document(
    job: Order, history: History, release: Release, report: VerificationReport, budget: AttackBudget | None
) -> str:
    """Write the manifest and the officer's page beside a release, put it on record, and say so."""
    from anonnb.publishing.attacking import attack_release
    from anonnb.publishing.documents import write_documents

    project, file = history.project, Path(job.file)
    with shown_progress("attacking the release, for the officer's page") as progress:
        began = time.monotonic()
        past = history.earlier(release, job.out, budget and replace(budget, seconds=budget.seconds / 4))
        rest = budget and replace(budget, seconds=max(budget.seconds - (time.monotonic() - began), 1))
        outcomes = attack_release(release, rest, progress)
    past |= {"reviewed": project.reviewed, "repeated": release.info.get("repeated"), "sheet": sheet_of(job.file)}
    for sentence in outcomes.unfinished:
        note(sentence)
    further: dict[str, Any] = {"history": past, "outcomes": outcomes, "unknown_outside": job.unknown_outside}
    with shown_progress("writing the manifest and the officer's page"):
        manifest, page = write_documents(release, report, job.out, file, project.path, also=job.also, **further)
    with bad_input():
        history.record(release, job.out, file)
    return f"{manifest} and {page} say what was published and what is promised"


def _print_summary(method: Method, table: Table, release: Release, out: str) -> None:
    """Print what was published, in figures, with what the method itself reports."""
    from anonnb.utility import small_losses

    click.echo(f"{method}: {method.promise.amount(table, release)} published to {out}")
    for name, value in _facts(method, table, release).items():
        click.echo(f"  {name:<28} {number(value):>8}")
    for sentence in release.told():
        click.echo(f"  {sentence}")
    for sentence in [] if getattr(release, "synthetic", False) else small_losses(table, release):
        note(sentence)
    if "note" in release.info:
        note(release.info["note"])


def _facts(method: Method, table: Table, release: Release) -> dict[str, float]:
    from anonnb import utility

    facts = method.promise.facts(table, release)
    if getattr(release, "synthetic", False):  # its cells are not those of the table's rows
        return facts
    facts["suppressed rows"] = release.n_suppressed
    facts["NCP (0 nothing lost, 1 all)"] = utility.ncp(table, release)
    facts["values per cell"] = utility.values_per_cell(table, release)
    facts["exact cells (1 all)"] = utility.exact_cells(table, release)
    truthful = utility.truthfulness(table, release)
    if truthful < 1:
        facts["truthful cells (1 all)"] = truthful
    hidden = sum(int((release.columns[name].sizes > 1).sum()) for name in table.sensitive if name in release.columns)
    if hidden:
        facts["hidden sensitive cells"] = hidden
    return facts


def _published_as_is(
    also: tuple[str, ...], unknown_outside: tuple[str, ...], method: Method, table: Table
) -> tuple[list[str], list[str]]:
    """Return the columns of ``--also`` and of ``--unknown-outside``, checked before the work starts."""
    if also and method.publishes != "table":
        stop(f"--also: {type(method).__name__} publishes no table; leave it out")
    names, unknown = columns(also, table.columns), columns(unknown_outside, table.columns)
    for name in names:
        if name in table.identifiers and name != table.weight:
            stop(f"--also {name}: this is an identifier, which is never published")
        if name not in table.columns:
            stop(f"--also {name}: {no_column(name, table.columns)}")
    for name in unknown:
        if name not in names:
            stop(f"--unknown-outside {name}: --also does not name it, so it is not published")
    for name in names:
        if name not in unknown and name != table.weight:
            _check_also(name, table)
    return names, unknown


def _check_also(name: str, table: Table) -> None:
    """Refuse early what verification would refuse later: a value that only one person has undoes all protection."""
    from anonnb.publishing.table_opening import distinct_values, tells_rows_apart

    if tells_rows_apart(table, name):
        counted = f"column {name!r} has {distinct_values(table, name):,} different values in {len(table):,} rows"
        declare = f"if nobody outside can know the values, add {option_of('--unknown-outside', [name])}"
        stop(f"--also: {counted} and would identify people; leave it out, or, {declare}")


def _note_unused(hierarchies: tuple[str, ...], method: Method, table: Table) -> None:
    """Say if a method has no use for a hierarchy: anyone who gives one expects to see its labels."""
    given = [name for name in table.quasi if any(text.startswith(f"{name}=") for text in hierarchies)]
    if given and method.publishes == "table" and not method.uses_hierarchies:
        name = type(method).__name__
        note(f"{name} does not use the levels of --hierarchy ({', '.join(given)}), at most the order of the values")


def _note_left_out(table: Table, also: list[str]) -> None:
    """Name the columns that are not published, and ask what is secret if no column is."""
    from anonnb.publishing.table_opening import IDENTIFIER, guess_roles
    from anonnb.tables.attribute import preview

    mentioned = {*table.quasi, *table.sensitive, table.decision, *table.identifiers, *also}
    left = [name for name in table.columns if name not in mentioned]
    if not table.sensitive:
        perhaps = f" Perhaps one of those left out: {preview(left, MAX_NAMED)}?" if left else ""
        note(f"no column is sensitive: which one holds what nobody should learn about a person?{perhaps}")
    if len(left) > MAX_NAMED:
        note(f"not published, as they have no role: {preview(left, MAX_NAMED)}")
    if not left or len(left) > MAX_NAMED:
        return
    guesses = guess_roles(table.frame[left])
    naming = guesses.loc[guesses["role"] == IDENTIFIER, "column"].tolist()
    add = f"give them the role {IDENTIFIER}" if running_project() else f"add {option_of('--identifier', naming)}"
    hints = [f"if they name people, {add}"] if naming else []
    note("; ".join([f"not published, as they have no role: {', '.join(left)}", *hints]))
