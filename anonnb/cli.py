"""The command line ``anonnb``: make reports, open the lab, list what there is, audit and anonymize a file.

Exit codes: 0 all went well, 1 the work failed (a notebook, or no release meets the requirement), 2 bad usage or input.
Heavy modules are imported inside the commands, so that ``anonnb --help`` answers at once.
"""

import ast
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from anonnb import __version__

DONE, FAILED, BAD_INPUT = 0, 1, 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="anonnb")
def main() -> None:
    """Privacy-preserving data publishing, taught and compared in notebooks."""
    from anonnb.reports.worker import leave_out_slow_grammar

    leave_out_slow_grammar()


# ---- reports and notebooks ------------------------------------------------------------------------------------------


@main.command()
@click.argument("notebooks", nargs=-1)
@click.option("--plan", type=click.Path(exists=True, dir_okay=False), help="A YAML file with a list of runs.")
@click.option("-p", "--parameter", "parameters", multiple=True, metavar="NAME=VALUE", help="For all that know it.")
@click.option("--out", default="reports/latest", show_default=True, help="Where the reports go.")
@click.option("--jobs", type=click.IntRange(min=1), help="Notebooks at a time; default: one for each core.")
@click.option("--timeout", type=click.FloatRange(min=1), default=600, show_default=True, help="Seconds per notebook.")
@click.option("--fresh", is_flag=True, help="Run again what is finished already.")
def report(
    notebooks: tuple[str, ...],
    plan: str | None,
    parameters: tuple[str, ...],
    out: str,
    jobs: int | None,
    timeout: float,
    fresh: bool,
) -> None:
    """Run NOTEBOOKS (default: all) to HTML reports with an index.

    A notebook is named by its file or by the start of its name: `anonnb report 13 -p K=5`.
    """
    from anonnb import reports
    from anonnb.reports.batch import BatchRunning
    from anonnb.reports.plan import BadPlan

    if plan and notebooks:
        _stop("name notebooks or give --plan, not both")
    chosen = dict(_assignment(text, "-p") for text in parameters)
    try:
        runs = reports.read_plan(plan) if plan else (notebooks or None)
        batch = reports.run(runs, parameters=chosen, out=out, jobs=jobs, timeout=timeout, resume=not fresh)
    except BadPlan as error:
        _stop(error)
    except (BatchRunning, OSError) as error:
        _stop(error, FAILED)
    except KeyboardInterrupt:
        _stop("stopped; the same command continues where it stopped", 130)
    for result in batch.failed:
        where = f", cell {result.cell}" if result.cell else ""
        click.echo(f"\n{result.name}: {result.status}{where}\n{_indent(result.error)}", err=True)
    reused = sum(result.reused for result in batch.results)
    kept = f" ({reused} finished before)" if reused else ""
    click.echo(f"{len(batch.results) - len(batch.failed)} of {len(batch.results)} notebooks ran{kept}")
    click.echo(batch.out / "index.html")
    sys.exit(DONE if batch.ok else FAILED)


@main.command()
@click.argument("notebook", required=False)
def lab(notebook: str | None) -> None:
    """Open JupyterLab in the folder of the notebooks, at NOTEBOOK if given."""
    from anonnb.reports.plan import BadPlan, find_notebook, notebooks_folder

    try:
        path = find_notebook(notebook) if notebook else None
        folder = path.parent if path else notebooks_folder()
    except BadPlan as error:
        _stop(error)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    sys.exit(subprocess.call([*command, os.fspath(path)] if path else command))


@main.command(name="list")
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


# ---- tables ---------------------------------------------------------------------------------------------------------


def _table_options(command: Any) -> Any:
    """The options by which a file becomes a table; shared by audit and anonymize."""
    options = [
        click.argument("file"),
        click.option("--quasi", multiple=True, required=True, metavar="A,B", help="Quasi-identifiers."),
        click.option("--sensitive", multiple=True, metavar="C", help="Sensitive columns."),
        click.option("--identifier", multiple=True, metavar="D", help="Identifiers: never published."),
        click.option("--decision", metavar="E", help="The class that a model would predict."),
        click.option("--missing", type=click.Choice(["value", "drop", "error"]), default="value", show_default=True),
        click.option("--sep", help="The delimiter; default: guessed."),
        click.option("--encoding", help="Default: UTF-8, else Windows-1252."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@main.command()
@_table_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(file: str, as_json: bool, **options: Any) -> None:
    """The privacy report of FILE (CSV or Parquet) as it is."""
    from anonnb import privacy

    table = _read_table(file, **options)
    with _bad_input():
        frame = privacy.report(table)
    if as_json:
        click.echo(frame.to_json(orient="records", indent=1, force_ascii=False))
        return
    click.echo(f"{file}: {len(table)} rows, quasi-identifier {', '.join(table.quasi)}")
    rows = [(str(row.measure), _number(row.value), str(row.meaning)) for row in frame.itertuples()]
    left, middle = (max(len(row[place]) for row in rows) for place in (0, 1))
    for measure, value, meaning in rows:
        click.echo(f"  {measure:<{left}}  {value:>{middle}}  {meaning}")


@main.command()
@_table_options
@click.option("--method", "method_name", required=True, metavar="NAME", help="See `anonnb list methods`.")
@click.option("--k", type=int, help="The smallest group size.")
@click.option("--require", multiple=True, metavar="MODEL", help='A further privacy model, such as "LDiversity(3)".')
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="A further parameter of the method.")
@click.option("--hierarchy", "hierarchies", multiple=True, metavar="COLUMN=FILE", help="A CSV, one column per level.")
@click.option("--seed", type=int, help="For methods that draw at random.")
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False), help="A .csv, .parquet (or .json) file.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
def anonymize(
    file: str,
    method_name: str,
    k: int | None,
    require: tuple[str, ...],
    params: tuple[str, ...],
    hierarchies: tuple[str, ...],
    seed: int | None,
    out: str,
    force: bool,
    **options: Any,
) -> None:
    """Anonymize FILE with a method and publish the release to OUT.

    Methods that publish mined results (SafeItemsets, SafeTree) write itemsets or a tree, as .csv or .json.
    """
    from anonnb import Infeasible

    given = {"k": k, "seed": seed, "require": tuple(_model(text) for text in require) or None}
    given = {name: value for name, value in given.items() if value is not None}
    given |= dict(_assignment(text, "--param") for text in params)
    method = _method(method_name, given)
    _check_out(Path(out), force, (".csv", ".parquet") if method.publishes == "table" else (".csv", ".json"))
    table = _read_table(file, hierarchies=dict(_hierarchy(text) for text in hierarchies), **options)
    try:
        with _bad_input(unless=Infeasible), _notes():
            release = method.anonymize(table)
    except Infeasible as error:
        _stop(error, FAILED)
    try:
        with _bad_input():
            release.publish(out)
    except OSError as error:
        _stop(f"{out} cannot be written: {error.strerror}", FAILED)
    if method.publishes != "table":
        click.echo(f"{method}: {len(release.frame)} {release.what} published to {out}; this is no table")
        return
    click.echo(f"{method}: {len(release)} of {len(table)} rows published to {out}")
    for name, value in _facts(table, release).items():
        click.echo(f"  {name:<28} {_number(value):>8}")


def _facts(table: Any, release: Any) -> dict[str, float]:
    from anonnb import privacy, utility

    return {
        "groups": release.n_groups,
        "k reached": privacy.k(release),
        "suppressed rows": release.n_suppressed,
        "NCP (0 nothing lost, 1 all)": utility.ncp(table, release),
    }


def _check_out(out: Path, force: bool, suffixes: tuple[str, ...]) -> None:
    if out.suffix not in suffixes:
        _stop(f"-o {out}: use a name that ends in {' or '.join(suffixes)}")
    if not out.parent.is_dir():
        _stop(f"-o {out}: there is no folder {out.parent}")
    if out.exists() and not force:
        _stop(f"{out} exists already; choose another name or add --force")


def _read_table(file: str, *, sep: str | None, encoding: str | None, decision: str | None, **options: Any) -> Any:
    from anonnb import Table
    from anonnb.csvfiles import read_table_file

    with _bad_input(), _notes():
        frame = read_table_file(file, sep={"\\t": "\t", "tab": "\t"}.get(sep, sep), encoding=encoding)
    for role in ("quasi", "sensitive", "identifier"):
        options[role] = _columns(options[role], frame.columns)
    with _bad_input():
        return Table(frame, decision=decision, **options)


def _columns(texts: tuple[str, ...], known: Any) -> list[str]:
    """``a,b`` names two columns, unless the table has one that is called so."""
    names = []
    for text in texts:
        names += [text] if text in known else [part.strip() for part in text.split(",") if part.strip()]
    return names


def _method(name: str, given: dict[str, Any]) -> Any:
    from dataclasses import fields

    from anonnb import methods

    known = methods.all()
    by_folded = {key.casefold(): key for key in known}
    if name.casefold() not in by_folded:
        _stop(f"there is no method {name!r}; known are {', '.join(known)}")
    cls = known[by_folded[name.casefold()]]
    parameters = [field.name for field in fields(cls) if field.init]
    for key in given:
        if key not in parameters:
            _stop(f"{cls.__name__} has no parameter {key!r}; it has {', '.join(parameters) or 'none'}")
    with _bad_input():
        return cls(**given)


def _model(text: str) -> Any:
    """A privacy model written as a call with plain values; nothing is evaluated but literals."""
    from anonnb import privacy

    models = {name: cls for name, cls in vars(privacy).items() if isinstance(cls, type) and name in privacy.__all__}
    models = {name: cls for name, cls in models.items() if issubclass(cls, privacy.Model) and cls is not privacy.Model}
    example = f"write it like LDiversity(3); known are {', '.join(sorted(models))}"
    try:
        call = ast.parse(text.strip(), mode="eval").body
        name = call.func.id
        positional = [ast.literal_eval(argument) for argument in call.args]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, AttributeError, ValueError):
        _stop(f"--require {text!r} is not a privacy model; {example}")
    if name not in models:
        _stop(f"--require {text!r}: there is no privacy model {name!r}; {example}")
    with _bad_input():
        return models[name](*positional, **named)


def _hierarchy(text: str) -> tuple[str, Any]:
    from anonnb import Hierarchy

    column, equals, path = text.partition("=")
    if not equals:
        _stop(f"--hierarchy {text!r} is not COLUMN=FILE")
    try:
        with _bad_input():
            return column, Hierarchy.from_csv(path)
    except OSError as error:
        _stop(f"--hierarchy {text}: {path} cannot be read: {error.strerror}")


# ---- small helpers --------------------------------------------------------------------------------------------------


def _assignment(text: str, option: str) -> tuple[str, Any]:
    """``K=5`` as a name and a Python literal; what is no literal is a text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        _stop(f"{option} {text!r} is not NAME=VALUE")
    try:
        return name.strip(), ast.literal_eval(value.strip())
    except (ValueError, SyntaxError):
        words = {"true": True, "false": False, "none": None}
        return name.strip(), words.get(value.strip().lower(), value)


@contextmanager
def _bad_input(unless: type[Exception] | tuple[()] = ()) -> Iterator[None]:
    """The package's errors about input are one clear sentence: show that, not a traceback."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, unless):
            raise
        _stop(error)


@contextmanager
def _notes() -> Iterator[None]:
    """Warnings become notes on the error stream: a user has no use for the line of code that warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"note: {text}", err=True)


def _stop(message: object, code: int = BAD_INPUT) -> NoReturn:
    text = message.args[0] if isinstance(message, KeyError) and message.args else message
    click.echo(f"anonnb: {text}", err=True)
    sys.exit(code)


def _number(value: Any) -> str:
    """Four digits after the point at most; whole numbers as such."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if number.is_integer():
        return str(int(number))
    return f"{number:.4f}" if number == number else "–"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


if __name__ == "__main__":
    main()
