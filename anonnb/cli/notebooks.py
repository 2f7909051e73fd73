"""Commands about notebooks: ``report`` runs them to HTML, ``lab`` opens them, ``list`` names all there is."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from anonnb.cli.common import DONE, FAILED, assignment, indent, read_table, stop


@click.command()
@click.argument("notebooks", nargs=-1)
@click.option("--plan", type=click.Path(exists=True, dir_okay=False), help="A YAML file with a list of runs.")
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="For all that know it.")
@click.option("--out", default="reports/latest", show_default=True, help="Where the reports go.")
@click.option("--jobs", type=click.IntRange(min=1), help="Notebooks at a time; default: one for each core.")
@click.option("--timeout", type=click.FloatRange(min=1), default=600, show_default=True, help="Seconds per notebook.")
@click.option("--fresh", is_flag=True, help="Run again what is finished already.")
@click.option("--data", metavar="FILE", help="Your own table (CSV or Parquet), for the notebooks that take one.")
@click.option("--quasi", multiple=True, metavar="A,B", help="Its quasi-identifiers.")
@click.option("--sensitive", multiple=True, metavar="C", help="Its sensitive columns.")
def report(
    notebooks: tuple[str, ...],
    plan: str | None,
    parameters: tuple[str, ...],
    out: str,
    jobs: int | None,
    timeout: float,
    fresh: bool,
    data: str | None,
    quasi: tuple[str, ...],
    sensitive: tuple[str, ...],
) -> None:
    """Run NOTEBOOKS (default: all) to HTML reports with an index.

    A notebook is named by its file or by the start of its name: `anonnb report 13 -p K=5`. With --data, the notebooks
    that take a table (all of them by default) run on yours.
    """
    from anonnb import reports
    from anonnb.reports.batch import BatchRunning
    from anonnb.reports.plan import BadPlan

    if plan and notebooks:
        stop("name notebooks or give --plan, not both")
    if (quasi or sensitive) and not data:
        stop("--quasi and --sensitive describe your own table; name it with --data")
    chosen = dict(assignment(text, "-p") for text in parameters)
    try:
        if data:
            chosen |= _own_table(data, quasi, sensitive)
            notebooks = notebooks or (() if plan else _that_take_a_table())
        runs = reports.read_plan(plan) if plan else (notebooks or None)
        batch = reports.run(runs, parameters=chosen, out=out, jobs=jobs, timeout=timeout, resume=not fresh)
    except BadPlan as error:
        stop(error)
    except (BatchRunning, OSError) as error:
        stop(error, FAILED)
    except KeyboardInterrupt:
        stop("stopped; the same command continues where it stopped", 130)
    for result in batch.failed:
        where = f", cell {result.cell}" if result.cell else ""
        click.echo(f"\n{result.name}: {result.status}{where}\n{indent(result.error)}", err=True)
    reused = sum(result.reused for result in batch.results)
    kept = f" ({reused} finished before)" if reused else ""
    click.echo(f"{len(batch.results) - len(batch.failed)} of {len(batch.results)} notebooks ran{kept}")
    click.echo(batch.out / "index.html")
    sys.exit(DONE if batch.ok else FAILED)


def _own_table(data: str, quasi: tuple[str, ...], sensitive: tuple[str, ...]) -> dict[str, Any]:
    """The parameters that put a file into a notebook, once it is known to be a table with these columns."""
    if not quasi:
        stop(f"--data {data}: name its quasi-identifiers with --quasi, such as --quasi age,zip")
    plain = {"identifier": (), "sep": None, "encoding": None, "decision": None, "missing": "value"}
    table = read_table(data, quasi=quasi, sensitive=sensitive, **plain)
    return {"DATA": os.fspath(Path(data).resolve()), "QUASI": table.quasi, "SENSITIVE": table.sensitive}


def _that_take_a_table() -> tuple[str, ...]:
    from anonnb.reports.plan import known_parameters, notebook_files

    takers = [path for path in notebook_files() if {"DATA", "QUASI", "SENSITIVE"} <= set(known_parameters(path))]
    return tuple(map(os.fspath, takers)) or stop("no notebook here takes a table (parameters DATA, QUASI, SENSITIVE)")


@click.command()
@click.argument("notebook", required=False)
def lab(notebook: str | None) -> None:
    """Open JupyterLab in the folder of the notebooks, at NOTEBOOK if given."""
    from anonnb.reports.plan import BadPlan, find_notebook, notebooks_folder

    try:
        path = find_notebook(notebook) if notebook else None
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
    from anonnb import datasets

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
