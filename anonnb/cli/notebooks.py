"""Commands about notebooks: ``report`` runs them to HTML, ``lab`` opens them, ``list`` names all there is."""

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from anonnb.cli.common import DONE, FAILED, STANDARD_INPUT, TIMEOUT, assignment, indent, read_table, stop

if TYPE_CHECKING:
    from anonnb.reports import Batch


@click.command()
@click.argument("notebooks", nargs=-1)
@click.option("--plan", metavar="NAME", help="A plan of reports/plans (quick, full, course, own-data), or a YAML file.")
@click.option("--only", multiple=True, metavar="13,31", help="Of these, the runs whose names start so; 3 is a part.")
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="For all that know it.")
@click.option("--out", default="reports/latest", show_default=True, help="Where the reports go.")
@click.option("--jobs", type=click.IntRange(min=1), help="Notebooks at a time; default: one for each core.")
@click.option("--timeout", type=TIMEOUT, default=600, show_default=True, help="Seconds per notebook.")
@click.option("--resume/--fresh", default=True, show_default=True, help="Keep what is finished, or run it again.")
@click.option("--data", metavar="FILE", help="Your own table (CSV or Parquet), for the notebooks that take one.")
@click.option("--quasi", multiple=True, metavar="A,B", help="Its quasi-identifiers.")
@click.option("--sensitive", multiple=True, metavar="C", help="Its sensitive columns.")
@click.option("--identifier", multiple=True, metavar="D", help="Its identifiers: never shown.")
def report(
    notebooks: tuple[str, ...],
    plan: str | None,
    only: tuple[str, ...],
    parameters: tuple[str, ...],
    out: str,
    jobs: int | None,
    timeout: float,
    resume: bool,
    data: str | None,
    quasi: tuple[str, ...],
    sensitive: tuple[str, ...],
    identifier: tuple[str, ...],
) -> None:
    """Run NOTEBOOKS (default: all) to HTML reports with an index.

    A notebook is named by its file or by the start of its name: `anonnb report 13 -p K=5`. With --data, the notebooks
    that take a table run on yours, as the plan own-data says.
    """
    from anonnb import reports
    from anonnb.reports.batch import BatchRunning
    from anonnb.reports.plan import BadPlan

    if plan is not None and notebooks:
        stop("name notebooks or give --plan, not both")
    if (quasi or sensitive or identifier) and not data:
        stop("--quasi, --sensitive and --identifier describe your own table; name it with --data")
    chosen = dict(assignment(text, "-p") for text in parameters)
    options = {"out": out, "jobs": jobs, "timeout": timeout, "resume": resume}
    try:
        if data:
            chosen |= _own_table(data, quasi, sensitive, identifier)
        runs = reports.read_plan(plan) if plan is not None else notebooks or (_for_a_table() if data else None)
        names = [name for text in only for name in text.split(",")]
        batch = reports.run(runs, parameters=chosen, only=names, command=_typed(), **options)
    except BadPlan as error:
        stop(error)
    except (BatchRunning, OSError) as error:
        stop(error, FAILED)
    except KeyboardInterrupt:
        stop("stopped; the same command continues where it stopped", 130)
    _tell(batch)
    sys.exit(DONE if batch.ok else FAILED)


def _tell(batch: "Batch") -> None:
    for result in batch.failed:
        where = f", cell {result.cell}" if result.cell else ""
        click.echo(f"\n{result.name}: {result.status}{where}\n{indent(result.error)}", err=True)
    reused = sum(result.reused for result in batch.results)
    kept = f" ({reused} finished before)" if reused else ""
    failed = f", {len(batch.failed)} failed" if batch.failed else ""
    ran = f"{len(batch.results) - len(batch.failed)} of {len(batch.results)} notebooks ran{kept}{failed}"
    click.echo(f"{ran}: {batch.out / 'index.html'}")


def _typed() -> str:
    """The command as it was given, for readers who want the same again; folders are nobody else's business."""
    context = click.get_current_context()
    words = ["anonnb", "report"]
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[parameter.name]
        if isinstance(parameter, click.Argument):
            words += map(_passed_on, value)
        elif parameter.is_flag:
            words += [] if value else ["--fresh"]
        else:
            items = value if parameter.multiple else [value]
            words += [word for item in items for word in (parameter.opts[-1], _passed_on(item))]
    return shlex.join(words)


def _passed_on(word: Any) -> str:
    """A word of the command without folders; of NAME=VALUE the value is looked at."""
    from anonnb.reports.page import names_only, without_folder

    name, equals, value = without_folder(str(word)).partition("=")
    return f"{name}{equals}{names_only(without_folder(value))}"


def _own_table(
    data: str, quasi: tuple[str, ...], sensitive: tuple[str, ...], identifier: tuple[str, ...]
) -> dict[str, Any]:
    """The parameters that put a file into a notebook, once it is known to be a table with these columns."""
    if not quasi:
        stop(f"--data {data}: name its quasi-identifiers with --quasi, such as --quasi age,zip")
    if data == STANDARD_INPUT:
        stop("--data: notebooks read a table again and again, which standard input cannot give; save it to a file")
    plain = {"sep": None, "encoding": None, "decision": None, "missing": "value"}
    table = read_table(data, quasi=quasi, sensitive=sensitive, identifier=identifier, **plain)
    given = {"DATA": os.fspath(Path(data).resolve()), "QUASI": table.quasi, "SENSITIVE": table.sensitive}
    return given | ({"IDENTIFIER": table.identifiers} if identifier else {})


def _for_a_table() -> list[Any]:
    """What to run on somebody's table: the plan own-data of a folder with notebooks, else all that take a table."""
    from anonnb.reports.plan import known_parameters, notebook_files, notebooks_folder, read_plan

    plan = notebooks_folder().parent / "reports" / "plans" / "own-data.yaml"
    if plan.is_file():
        return read_plan(plan)
    takers = [path for path in notebook_files() if {"DATA", "QUASI", "SENSITIVE"} <= set(known_parameters(path))]
    return takers or stop("no notebook here takes a table (parameters DATA, QUASI, SENSITIVE)")


@click.command()
@click.argument("notebook", required=False)
def lab(notebook: str | None) -> None:
    """Open JupyterLab in the folder of the notebooks, at NOTEBOOK if given."""
    from anonnb.reports.plan import BadPlan, find_notebook, notebooks_folder

    try:
        path = find_notebook(notebook) if notebook is not None else None
        folder = path.parent if path else notebooks_folder()
    except BadPlan as error:
        stop(error)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    sys.exit(subprocess.call([*command, os.fspath(path)] if path else command))


@click.command(name="list")
@click.argument("what", required=False, type=click.Choice(["datasets", "methods", "attacks", "notebooks"]))
def list_(what: str | None) -> None:
    """List datasets, methods, attacks and notebooks, or only WHAT."""
    sections = {"datasets": _datasets, "methods": _methods, "attacks": _attacks, "notebooks": _notebooks}
    for name in [what] if what else sections:
        lines = sections[name]()
        if not what:
            click.secho(name, bold=True)
        width = max((len(left) for left, _ in lines), default=0)
        for left, right in lines:
            click.echo(f"  {left:<{width}}  {right}".rstrip())


def _datasets() -> list[tuple[str, str]]:
    from anonnb.tables import datasets

    return [(name, "") for name in datasets.names()]


def _methods() -> list[tuple[str, str]]:
    from anonnb import methods

    return [(name, _first_line(cls)) for name, cls in methods.all().items()]


def _attacks() -> list[tuple[str, str]]:
    from anonnb import attacks

    return [(name, _first_line(cls)) for name, cls in attacks.all().items()]


def _notebooks() -> list[tuple[str, str]]:
    import nbformat

    from anonnb.reports.catalogue import title_of
    from anonnb.reports.plan import BadPlan, notebook_files

    try:
        return [(path.stem, title_of(nbformat.read(path, as_version=4))) for path in notebook_files()]
    except BadPlan:
        return []


def _first_line(cls: type) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]
