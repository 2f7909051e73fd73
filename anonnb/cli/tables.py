"""The command ``anonymize``: one table, one method, one file."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from anonnb.cli.column_options import columns, option_of
from anonnb.cli.common import (
    FAILED,
    STANDARD_INPUT,
    announce,
    bad_input,
    check_out,
    given_parameters,
    look_next,
    note,
    notes,
    read_table,
    stop,
    table_options,
    tell_layout,
)
from anonnb.cli.phrasing import in_options, quoted
from anonnb.cli.progress import shown_progress
from anonnb.cli.project_option import running_project
from anonnb.cli.requirements import Requirements, chosen_method, requirement_options
from anonnb.core.wording import counted, number

MOST_NAMED = 40  # columns beyond which only the first are named


@click.command()
@table_options
@click.option("--method", "method_name", required=True, metavar="NAME", help="See `anonnb list methods`.")
@click.option("--k", type=int, help="The smallest group size; most methods need it.")
@requirement_options
@click.option("--also", multiple=True, metavar="A,B", help="Further columns to publish, as they are.")
@click.option("--unknown-outside", multiple=True, metavar="A,B", help="Columns of --also that nobody outside can know.")
@click.option("--seed", type=int, help="For methods that draw at random.")
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False), help="A .csv, .parquet (or .json) file.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
@click.option("--excel", is_flag=True, help="Write a .csv in which spreadsheets run nothing and read every letter.")
def anonymize(
    file: str,
    method_name: str,
    k: int | None,
    require: tuple[str, ...],
    population: str | None,
    params: tuple[str, ...],
    also: tuple[str, ...],
    unknown_outside: tuple[str, ...],
    seed: int | None,
    out: str,
    force: bool,
    excel: bool,
    **options: Any,
) -> None:
    """Anonymize FILE with a method and publish the release to OUT.

    Before OUT gets its name it is read again as text, and everything promised is recounted; if that fails, nothing is
    published. Columns of --also count as quasi-identifiers then. Methods that publish mined results (SafeItemsets,
    SafeTree) write itemsets or a tree, as .csv or .json.
    """
    project = running_project()
    required = Requirements(require, population)
    method = chosen_method(
        method_name, given_parameters(params, k=k, seed=seed, require=tuple(required.plain) if require else None)
    )
    read_from = [file, *(text.partition("=")[2] for text in options["hierarchies"]), *filter(None, [population])]
    written = _files_to_write(method, Path(out), force, excel, read_from)
    table = read_table(file, **options)
    if population is not None:
        method = replace(method, require=required.models(table, options))
    further = _further(also, unknown_outside, method, table)
    _tell_unused(options["hierarchies"], method, table)
    announce(f"anonymizing {file} ({counted(len(table), 'row')}) with {method} into {out}")
    release = _released(method, table, file, options)
    verdict = _published(method, release, out, further, excel)
    if method.publishes != "table":
        amount = f"{len(release.frame)} {release.what[: -1 if len(release.frame) == 1 else None]}"
        click.echo(f"{method}: {amount} published to {out}; this is not a table")
        look_next("`anonnb list InferenceAttack` says what an attacker may still infer from mined results")
        return
    _tell(method, table, release, " and ".join(map(str, written)))
    if project is None:
        _tell_left_out(table, further.get("also", []))
    elif file != STANDARD_INPUT:
        _document(release, verdict, Path(out), Path(file), project.path, further)
    tell_layout(file, out, **{name: options[name] for name in ("sep", "encoding", "decimal", "dayfirst")})
    if project is not None:
        look_next(f"`anonnb check {quoted(out)} --project {quoted(str(project.path))}` recounts the file at any time")
        return
    look_next(
        f"`anonnb attack {quoted(out)} --against {quoted(file)}` with the same roles tells what an attacker learns"
    )


def _files_to_write(method: Any, out: Path, force: bool, excel: bool, read_from: list[str]) -> list[Path]:
    """The files of a release; stops if one of them cannot be written, or is also read."""
    from anonnb.files.two_files import secrets_path

    suffixes = (".csv",) if excel else (".csv", ".parquet") if method.publishes == "table" else (".csv", ".json")
    written = [out, secrets_path(out)] if method.secrets_apart else [out]
    for path in written:
        check_out(path, force, suffixes, inputs=read_from)
    return written


def _released(method: Any, table: Any, file: str, options: dict[str, Any]) -> Any:
    """The release; stops if the method can make none."""
    from anonnb import Infeasible

    repeated = _repeated(method, table, file, options)
    try:
        with bad_input(unless=Infeasible), notes(), shown_progress(type(method).__name__) as progress:
            return repeated or method.anonymize(table, progress=progress)
    except Infeasible as error:
        stop(error, FAILED)


def _published(method: Any, release: Any, out: str, further: dict[str, list[str]], excel: bool) -> Any:
    """Write a release that the gate lets pass, and return what the gate found; mined results pass no gate."""
    from anonnb.files.gate import Refused
    from anonnb.files.publishing import published_file

    project = running_project()
    limit = None if project is None else project.suppression_limit
    try:
        with bad_input(unless=Refused), notes(), shown_progress(f"writing {out} and reading it again"):
            if method.publishes == "table":
                return published_file(release, Path(out), **further, excel=excel, most_suppressed=limit)[1]
            release.publish(out, **({"excel": True} if excel else {}), overwrite=True)  # it may be: checked before
    except Refused as refusal:
        refuse(out, refusal.verdict)
    except OSError as error:
        stop(f"{out} cannot be written: {error.strerror}", FAILED)


def _repeated(method: Any, table: Any, file: str, options: dict[str, Any]) -> Any:
    """If a project is applied to another file than its own: generalized as that one was, if the method allows."""
    from anonnb.projects.repeating import new_values, recoded_alike

    project = running_project()
    own = None if project is None else project.data
    if own is None or file == STANDARD_INPUT or not own.is_file() or own.samefile(file):
        return None
    before = read_table(str(own), **options)
    for sentence in new_values(before, table):
        note(f"{file}: {sentence}")
    if method.publishes != "table":
        return None
    with shown_progress(f"repeating what was done with {own.name}") as progress:
        release, sentence = recoded_alike(method, before, table, progress=progress)
    note(f"{file}: {sentence}")
    return release


def _document(release: Any, verdict: Any, out: Path, file: Path, project: Path, further: dict[str, list[str]]) -> None:
    """The manifest and the officer's page beside a release."""
    from anonnb.arena.documents import write_documents

    with shown_progress("attacking the release, for the officer's page"):
        manifest, page = write_documents(release, verdict, out, file, project, **further)
    click.echo(f"{manifest} and {page} say what was published and what is promised")


def _tell(method: Any, table: Any, release: Any, out: str) -> None:
    """What was published, in figures, with what the method itself reports."""
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


def _facts(method: Any, table: Any, release: Any) -> dict[str, float]:
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


def _further(also: tuple[str, ...], unknown_outside: tuple[str, ...], method: Any, table: Any) -> dict[str, list[str]]:
    """What ``--also`` means to ``publish``, checked before the work starts."""
    if also and method.publishes != "table":
        stop(f"--also: {type(method).__name__} publishes no table; leave it out")
    names, unknown = columns(also, table.columns), columns(unknown_outside, table.columns)
    for name in names:
        if name in table.identifiers:
            stop(f"--also {name}: this is an identifier, which is never published")
        if name not in table.columns:
            stop(f"--also {name}: there is no such column; the columns are {', '.join(table.columns)}")
    for name in unknown:
        if name not in names:
            stop(f"--unknown-outside {name}: --also does not name it, so it is not published")
    for name in names:
        if name not in unknown:
            _check_also(name, table)
    return {"also": names, "unknown_outside": unknown} if names else {}


def _check_also(name: str, table: Any) -> None:
    """Refuse early what the gate would refuse later: a value that only one person has undoes what the method did."""
    from anonnb.projects.roles import distinct_values, tells_rows_apart

    if tells_rows_apart(table, name):
        counted = f"column {name!r} has {distinct_values(table, name):,} different values in {len(table):,} rows"
        declare = f"if nobody outside can know the values, add {option_of('--unknown-outside', [name])}"
        stop(f"--also: {counted} and would identify people; leave it out, or, {declare}")


def refuse(out: str, verdict: Any) -> NoReturn:
    """Say why the gate refuses a release, a sentence per failure."""
    for sentence in verdict.failures:
        click.echo(f"anonnb: {in_options(sentence)}", err=True)
    stop(f"{out} is not published, as it would break what is promised", FAILED)


def _tell_unused(hierarchies: tuple[str, ...], method: Any, table: Any) -> None:
    """Say if a method has no use for a hierarchy: anyone who gives one expects to see its labels."""
    given = [name for name in table.quasi if any(text.startswith(f"{name}=") for text in hierarchies)]
    if given and method.publishes == "table" and not method.uses_hierarchies:
        name = type(method).__name__
        note(f"{name} does not use the levels of --hierarchy ({', '.join(given)}), at most the order of the values")


def _tell_left_out(table: Any, also: list[str]) -> None:
    from anonnb.projects.roles import IDENTIFIER, guess_roles
    from anonnb.tables.attribute import some

    told = {*table.quasi, *table.sensitive, table.decision, *table.identifiers, *also}
    left = [name for name in table.columns if name not in told]
    if len(left) > MOST_NAMED:
        note(f"not published, as they have no role: {some(left, MOST_NAMED)}")
    if not left or len(left) > MOST_NAMED:
        return
    guesses = guess_roles(table.frame[left])
    naming = guesses.loc[guesses["role"] == IDENTIFIER, "column"].tolist()
    hints = [f"if they name people, add {option_of('--identifier', naming)}"] if naming else []
    note("; ".join([f"not published, as they have no role: {', '.join(left)}", *hints]))
