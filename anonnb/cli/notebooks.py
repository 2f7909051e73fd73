"""Commands about notebooks: ``report`` runs them to HTML, ``lab`` opens them, ``notebooks`` copies them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from anonnb.cli.common import DONE, FAILED, STANDARD_INPUT, TIMEOUT, TableCommand, announce, assignment, look_next, stop
from anonnb.cli.table_options import (
    column_options,
    delimiter,
    read_domains,
    read_hierarchies,
    read_kinds,
    read_order_words,
    read_table,
    running_project,
)
from anonnb.core.extras import needs

if TYPE_CHECKING:
    from anonnb.reports import Batch
    from anonnb.reports.plan import Entry
    from anonnb.tables.table import Table


@click.command(cls=TableCommand)
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
    from anonnb.reports.batch import BatchRunningError
    from anonnb.reports.plan import PlanError

    if plan is not None and notebooks:
        stop("name notebooks or give --plan, not both")
    if os.path.exists(out) and not os.path.isdir(out):
        stop(f"--out {out} is a file; name a folder for the reports")
    if not data and (named := _given_about_a_table(options)):
        stop(f"{', '.join(named)}: this is about a table of your own; name it with --data")
    chosen = {name: literal(value) for name, value in (assignment(text, "-p") for text in parameters)}
    offered = {}
    try:
        if data:
            chosen |= _own_table(data, options)
            offered = _project_parameters()
        runs = reports.read_plan(plan) if plan is not None else notebooks or (_for_a_table() if data else None)
        batch = reports.run(
            runs,
            out=out,
            parameters=chosen,
            offered=offered,
            only=[name for text in only for name in text.split(",")],
            jobs=jobs,
            timeout=timeout,
            resume=resume,
            exercises=not data,
            command=_typed(),
            started=lambda count: announce(f"running {count} notebook{'s' * (count != 1)} into {out}"),
        )
    except PlanError as error:
        stop(error)
    except (BatchRunningError, OSError) as error:
        stop(error, FAILED)
    except KeyboardInterrupt:
        stop("stopped; the same command continues where it stopped", 130)
    _print_results(batch)
    look_next(
        f"open {batch.out / 'index.html'} in a browser"
        if batch.ok
        else "mend what failed; the same command keeps what ran and runs the rest"
    )
    sys.exit(DONE if batch.ok else FAILED)


def _print_results(batch: Batch) -> None:
    for result in batch.failed:
        where = f", cell {result.cell}" if result.cell else ""
        click.echo(f"\n{result.name}: {result.status}{where}\n{textwrap.indent(result.error, '    ')}", err=True)
    reused = sum(result.reused for result in batch.results)
    kept = f" ({reused} finished before)" if reused else ""
    failed = f", {len(batch.failed)} failed" if batch.failed else ""
    ran = f"{len(batch.results) - len(batch.failed)} of {len(batch.results)} notebooks ran{kept}{failed}"
    click.echo(f"{ran}: {batch.out / 'index.html'}")


def _typed() -> str:
    """Return the command as it was typed, for readers who want to repeat it, without folders, which are private."""
    context = click.get_current_context()
    words = ["anonnb", "report"]
    for parameter in context.command.params:
        if context.get_parameter_source(str(parameter.name)) is not ParameterSource.COMMANDLINE:
            continue
        project = running_project() if parameter.name == "project" else None
        value: Any = context.params[str(parameter.name)] if project is None else project.path
        if isinstance(parameter, click.Argument):
            words += map(_passed_on, value)
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            kept = parameter.name == "resume" and value  # the default, which need not be written
            words += [] if kept else (parameter.opts if value else parameter.secondary_opts)[:1]
        else:
            items = value if parameter.multiple else [value]
            words += [word for item in items for word in (parameter.opts[-1], _passed_on(item))]
    return shlex.join(words)


def _passed_on(word: Any) -> str:
    """Return a word of the command without folders; in NAME=VALUE they are removed from the value."""
    from anonnb.reports.page import names_only, without_folder

    name, equals, value = without_folder(str(word)).partition("=")
    return f"{name}{equals}{names_only(without_folder(value))}"


def _own_table(data: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that put a file into a notebook, once it is known to be a table with these columns."""
    if not options["quasi"]:
        stop(f"--data {data}: name its quasi-identifiers with --quasi, such as --quasi age,zip")
    if data == STANDARD_INPUT:
        stop("--data: notebooks read a table again and again, which standard input cannot give; save it to a file")
    return _notebook_parameters(data, read_table(data, **options), options)


def _for_a_table() -> list[Entry] | list[Path]:
    """Choose what to run on a user's table: the plan own-data of a folder with notebooks, or all that take a table."""
    from anonnb.reports.plan import known_parameters, notebook_files, notebooks_folder, read_plan

    plan = notebooks_folder().parent / "reports" / "plans" / "own-data.yaml"
    if plan.is_file():
        return read_plan(plan)
    takers = [path for path in notebook_files() if {"DATA", "QUASI", "SENSITIVE"} <= set(known_parameters(path))]
    return takers or stop("no notebook here takes a table (parameters DATA, QUASI, SENSITIVE)")


@click.command(name="notebooks")
@click.argument("folder", required=False)
def notebooks_(folder: str | None) -> None:
    """Copy the notebooks into FOLDER, where they can be changed; default: anonnb-notebooks."""
    from anonnb.reports.plan import COPIES, PlanError, copy_notebooks

    try:
        copied = copy_notebooks(folder or COPIES)
    except PlanError as error:
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
    from anonnb.reports.plan import PlanError, find_notebook

    try:
        folder = _own_notebooks()
        path = find_notebook(notebook) if notebook is not None else None
        folder = path.parent if path else folder
    except PlanError as error:
        stop(error)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    sys.exit(subprocess.call([*command, os.fspath(path)] if path else command))


def _own_notebooks() -> Path:
    """Return the folder of the notebooks; copy those of an installed package, since a lab writes into its folder."""
    from anonnb.core.shipped import PACKAGE
    from anonnb.reports.plan import copy_notebooks, notebooks_folder

    folder = notebooks_folder()
    if not folder.is_relative_to(PACKAGE):
        return folder
    copied = copy_notebooks()
    click.echo(f"the notebooks were copied to {copied}, where you can change them", err=True)
    return copied.resolve()


# ---- a user's own table as parameters of notebooks -----------------------------------------------------------------


def _given_about_a_table(options: dict[str, Any]) -> list[str]:
    """Return the options about a table that were given."""
    context = click.get_current_context()
    written = [name for name in options if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    return [each.opts[-1] for each in context.command.params if each.name in written]


def _notebook_parameters(data: str, table: Table, options: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of notebooks that take a table: plain values, which papermill writes into a cell.

    ``OPTIONS`` holds everything else that the command line can say about a table, as ``open_table`` takes it.
    """
    given: dict[str, Any] = {
        "DATA": os.fspath(Path(data).resolve()),
        "QUASI": table.quasi,
        "SENSITIVE": table.sensitive,
    }
    identifiers = [name for name in table.identifiers if name not in (table.person, table.household, table.weight)]
    given |= {"IDENTIFIER": identifiers} if identifiers else {}
    known = table.columns
    kinds = read_kinds(options["kinds"], known)
    written: dict[str, Any] = {
        **{role: options[role] for role in ("person", "weight")},
        "household": [] if table.household is None else [table.household, *table.household_columns],
        "unit": None if table.unit == "person" else table.unit,
        "decision": options["decision"],
        "missing": None if options["missing"] == "value" else options["missing"],
        "sep": delimiter(options["sep"]),
        "encoding": options["encoding"],
        "decimal": None if options["decimal"] == "." else options["decimal"],
        "dayfirst": options["dayfirst"],
        "sheet": options["sheet"],
        "kinds": kinds,
        "orders": read_order_words(options["orders"], known),
        "domains": read_domains(options["domains"], table.frame, kinds),
        "hierarchies": {name: _reachable(how) for name, how in read_hierarchies(options["hierarchies"], known).items()},
    }
    project = running_project()
    if project is not None:
        written |= {"weights": project.weights, "limits": project.limits}
    written = {name: value for name, value in written.items() if value}
    return given | ({"OPTIONS": written} if written else {})


def _project_parameters() -> dict[str, Any]:
    """Return the parameters of notebooks that can use a project file; the others still know its columns."""
    project = running_project()
    if project is None:
        return {}
    k = {"K": project.parameters["k"]} if "k" in project.parameters else {}
    return {"PROJECT": os.fspath(project.path.resolve())} | k


def _reachable(how: str) -> str:
    """Return the words of a hierarchy, or the whole path of its file, since notebooks run in another folder."""
    return os.fspath(Path(how).resolve()) if os.path.isfile(how) else how
