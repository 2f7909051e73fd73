"""Commands about notebooks: ``report`` runs them to HTML, ``lab`` opens them, ``notebooks`` copies them.

``list`` names all there is.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from anonnb.cli.common import (
    DONE,
    FAILED,
    STANDARD_INPUT,
    TIMEOUT,
    announce,
    assignment,
    column_options,
    indent,
    known_name,
    look_next,
    read_table,
    stop,
)
from anonnb.cli.describing import description, first_line
from anonnb.cli.notebook_parameters import given_about_a_table, notebook_parameters, project_parameters
from anonnb.cli.project_option import running_project
from anonnb.core.extras import MissingExtra, needs

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
@column_options
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
    **options: Any,
) -> None:
    """Run NOTEBOOKS (default: all) to HTML reports with an index.

    A notebook is named by its file or by the start of its name: `anonnb report 13 -p K=5`. With --data or --project,
    the notebooks that take a table run on yours, as the plan own-data says; all options about a table are for it.
    """
    from anonnb import reports
    from anonnb.core.wording import literal
    from anonnb.reports.batch import BatchRunning
    from anonnb.reports.plan import BadPlan

    if plan is not None and notebooks:
        stop("name notebooks or give --plan, not both")
    if os.path.exists(out) and not os.path.isdir(out):
        stop(f"--out {out} is a file; name a folder for the reports")
    if not data and (named := given_about_a_table(options)):
        stop(f"{', '.join(named)}: this is about a table of your own; name it with --data")
    chosen = {name: literal(value) for name, value in (assignment(text, "-p") for text in parameters)}
    how = {"out": out, "jobs": jobs, "timeout": timeout, "resume": resume, "exercises": not data}
    try:
        if data:
            chosen |= _own_table(data, options)
            how["offered"] = project_parameters()
        runs = reports.read_plan(plan) if plan is not None else notebooks or (_for_a_table() if data else None)
        names = [name for text in only for name in text.split(",")]
        batch = reports.run(runs, parameters=chosen, only=names, command=_typed(), started=_started(out), **how)
    except BadPlan as error:
        stop(error)
    except (BatchRunning, OSError) as error:
        stop(error, FAILED)
    except KeyboardInterrupt:
        stop("stopped; the same command continues where it stopped", 130)
    _tell(batch)
    look_next(
        f"open {batch.out / 'index.html'} in a browser"
        if batch.ok
        else "mend what failed; the same command keeps what ran and runs the rest"
    )
    sys.exit(DONE if batch.ok else FAILED)


def _started(out: str) -> Callable[[int], None]:
    """What is said when the runs are known and the first is about to start."""
    return lambda count: announce(f"running {count} notebook{'s' * (count != 1)} into {out}")


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
    """The command as it was given, for readers who want to repeat it; without folders, which are private."""
    context = click.get_current_context()
    words = ["anonnb", "report"]
    for parameter in context.command.params:
        if context.get_parameter_source(parameter.name) is not ParameterSource.COMMANDLINE:
            continue
        value = running_project().path if parameter.name == "project" else context.params[parameter.name]
        if isinstance(parameter, click.Argument):
            words += map(_passed_on, value)
        elif parameter.is_flag:
            kept = parameter.name == "resume" and value  # the default, which need not be written
            words += [] if kept else (parameter.opts if value else parameter.secondary_opts)[:1]
        else:
            items = value if parameter.multiple else [value]
            words += [word for item in items for word in (parameter.opts[-1], _passed_on(item))]
    return shlex.join(words)


def _passed_on(word: Any) -> str:
    """A word of the command without folders; of NAME=VALUE the value is looked at."""
    from anonnb.reports.page import names_only, without_folder

    name, equals, value = without_folder(str(word)).partition("=")
    return f"{name}{equals}{names_only(without_folder(value))}"


def _own_table(data: str, options: dict[str, Any]) -> dict[str, Any]:
    """The parameters that put a file into a notebook, once it is known to be a table with these columns."""
    if not options["quasi"]:
        stop(f"--data {data}: name its quasi-identifiers with --quasi, such as --quasi age,zip")
    if data == STANDARD_INPUT:
        stop("--data: notebooks read a table again and again, which standard input cannot give; save it to a file")
    return notebook_parameters(data, read_table(data, **options), options)


def _for_a_table() -> list[Any]:
    """What to run on a user's table: the plan own-data of a folder with notebooks, or all that take a table."""
    from anonnb.reports.plan import known_parameters, notebook_files, notebooks_folder, read_plan

    plan = notebooks_folder().parent / "reports" / "plans" / "own-data.yaml"
    if plan.is_file():
        return read_plan(plan)
    takers = [path for path in notebook_files() if {"DATA", "QUASI", "SENSITIVE"} <= set(known_parameters(path))]
    return takers or stop("no notebook here takes a table (parameters DATA, QUASI, SENSITIVE)")


@click.command(name="notebooks")
@click.argument("folder", required=False)
def copy_(folder: str | None) -> None:
    """Copy the notebooks into FOLDER (default: anonnb-notebooks), where they can be changed."""
    from anonnb.reports.plan import COPIES, BadPlan, copy_notebooks

    try:
        copied = copy_notebooks(folder or COPIES)
    except BadPlan as error:
        stop(error)
    except OSError as error:
        stop(f"{folder or COPIES} cannot be written: {error.strerror or error}", FAILED)
    click.echo(
        f"the notebooks are in {copied}; open them: anonnb lab {shlex.quote(str(copied / '00_start_here.ipynb'))}"
    )


@click.command()
@click.argument("notebook", required=False)
def lab(notebook: str | None) -> None:
    """Open JupyterLab in the folder of the notebooks, at NOTEBOOK if given.

    Where there are no notebooks in this folder, those of the installed package are copied to anonnb-notebooks first.
    """
    needs("anonnb lab", "lab", "jupyterlab")
    from anonnb.reports.plan import BadPlan, find_notebook

    try:
        folder = _own_notebooks()
        path = find_notebook(notebook) if notebook is not None else None
        folder = path.parent if path else folder
    except BadPlan as error:
        stop(error)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    sys.exit(subprocess.call([*command, os.fspath(path)] if path else command))


def _own_notebooks() -> Path:
    """The folder of the notebooks; those inside an installed package are copied, since a lab writes into its folder."""
    from anonnb.core.shipped import PACKAGE
    from anonnb.reports.plan import copy_notebooks, notebooks_folder

    folder = notebooks_folder()
    if not folder.is_relative_to(PACKAGE):
        return folder
    copied = copy_notebooks()
    click.echo(f"the notebooks were copied to {copied}, where you can change them", err=True)
    return copied.resolve()


@click.command(name="list")
@click.argument("what", required=False)
def list_(what: str | None) -> None:
    """List datasets, methods, attacks, models and notebooks, or only WHAT, or describe one method, attack or model.

    `anonnb list methods` names all methods; `anonnb list Mondrian` says what Mondrian promises, what its parameters
    are, and what about it is proved, tested or a heuristic.
    """
    sections = {
        "datasets": _datasets,
        "methods": _methods,
        "attacks": _attacks,
        "models": _models,
        "notebooks": _notebooks,
    }
    if what and what not in sections:
        return _describe(what, list(sections))
    for name in [what] if what else sections:
        if not what:
            click.secho(name, bold=True)
        try:
            lines = sections[name]()
        except MissingExtra as error:
            if what:
                raise
            lines = [(f"({error})", "")]
        width = max((len(left) for left, _ in lines), default=0)
        for left, right in lines:
            click.echo(f"  {left:<{width}}  {right}".rstrip())


def _datasets() -> list[tuple[str, str]]:
    from anonnb.tables import datasets

    return [(name, "") for name in datasets.names()]


def _methods() -> list[tuple[str, str]]:
    from anonnb import methods

    return [(name, first_line(cls)) for name, cls in methods.all().items()]


def _attacks() -> list[tuple[str, str]]:
    from anonnb import attacks

    return [(name, first_line(cls)) for name, cls in attacks.all().items()]


def _models() -> list[tuple[str, str]]:
    from anonnb.privacy.written import all_models

    return [(name, first_line(cls)) for name, cls in all_models().items()]


def _describe(name: str, sections: list[str]) -> None:
    from anonnb import attacks, methods
    from anonnb.privacy.written import all_models

    classes = methods.all() | attacks.all() | all_models()
    click.echo(description(classes[known_name(name, list(classes), "method, attack or model", also=sections)]))


def _notebooks() -> list[tuple[str, str]]:
    from anonnb.reports.catalogue import titles

    return titles()
