"""Commands about one table: ``audit`` measures it, ``anonymize`` publishes it."""

import ast
from pathlib import Path
from typing import Any

import click

from anonnb.cli.common import (
    FAILED,
    assignment,
    bad_input,
    check_out,
    known_name,
    notes,
    number,
    read_table,
    stop,
    table_options,
)


@click.command()
@table_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(file: str, as_json: bool, **options: Any) -> None:
    """The privacy report of FILE (CSV or Parquet) as it is."""
    from anonnb import privacy

    table = read_table(file, **options)
    with bad_input():
        frame = privacy.report(table)
    if as_json:
        click.echo(frame.to_json(orient="records", indent=1, force_ascii=False))
        return
    click.echo(f"{file}: {len(table)} rows, quasi-identifier {', '.join(table.quasi)}")
    rows = [(str(row.measure), number(row.value), str(row.meaning)) for row in frame.itertuples()]
    left, middle = (max(len(row[place]) for row in rows) for place in (0, 1))
    for measure, value, meaning in rows:
        click.echo(f"  {measure:<{left}}  {value:>{middle}}  {meaning}")


@click.command()
@table_options
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
    given |= dict(assignment(text, "--param") for text in params)
    method = _method(method_name, given)
    check_out(Path(out), force, (".csv", ".parquet") if method.publishes == "table" else (".csv", ".json"))
    table = read_table(file, hierarchies=dict(_hierarchy(text) for text in hierarchies), **options)
    try:
        with bad_input(unless=Infeasible), notes():
            release = method.anonymize(table)
    except Infeasible as error:
        stop(error, FAILED)
    try:
        with bad_input():
            release.publish(out)
    except OSError as error:
        stop(f"{out} cannot be written: {error.strerror}", FAILED)
    if method.publishes != "table":
        click.echo(f"{method}: {len(release.frame)} {release.what} published to {out}; this is no table")
        return
    click.echo(f"{method}: {len(release)} of {len(table)} rows published to {out}")
    for name, value in _facts(table, release).items():
        click.echo(f"  {name:<28} {number(value):>8}")


def _facts(table: Any, release: Any) -> dict[str, float]:
    from anonnb import privacy, utility

    return {
        "groups": release.n_groups,
        "k reached": privacy.k(release),
        "suppressed rows": release.n_suppressed,
        "NCP (0 nothing lost, 1 all)": utility.ncp(table, release),
    }


def _method(name: str, given: dict[str, Any]) -> Any:
    from dataclasses import fields

    from anonnb import methods

    known = methods.all()
    cls = known[known_name(name, list(known), "method")]
    parameters = [field.name for field in fields(cls) if field.init]
    for key in given:
        if key not in parameters:
            stop(f"{cls.__name__} has no parameter {key!r}; it has {', '.join(parameters) or 'none'}")
    with bad_input():
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
        stop(f"--require {text!r} is not a privacy model; {example}")
    if name not in models:
        stop(f"--require {text!r}: there is no privacy model {name!r}; {example}")
    with bad_input():
        return models[name](*positional, **named)


def _hierarchy(text: str) -> tuple[str, Any]:
    from anonnb import Hierarchy

    column, equals, path = text.partition("=")
    if not equals:
        stop(f"--hierarchy {text!r} is not COLUMN=FILE")
    try:
        with bad_input():
            return column, Hierarchy.from_csv(path)
    except OSError as error:
        stop(f"--hierarchy {text}: {path} cannot be read: {error.strerror}")
