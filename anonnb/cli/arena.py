"""Commands that compare: ``compare`` runs methods and attacks on a file, ``attack`` attacks somebody's release."""

import sys
from pathlib import Path
from typing import Any

import click

from anonnb.cli.common import (
    DONE,
    FAILED,
    bad_input,
    check_out,
    columns,
    delimiter,
    in_options,
    known_name,
    notes,
    number,
    read_table,
    stop,
    table_options,
)

FIGURES = ("k", "NCP", "suppressed rows")


@click.command()
@table_options
@click.option("--method", "method_names", multiple=True, metavar="NAME", help="Default: all that publish tables.")
@click.option(
    "--attack", "attack_names", multiple=True, metavar="NAME", help="Default: those that need a release only."
)
@click.option("--k", "ks", default="5", show_default=True, metavar="2,5,10", help="Smallest group sizes.")
@click.option("--seed", type=int, default=0, show_default=True, help="For methods that draw at random.")
@click.option("--time-limit", type=click.FloatRange(min=0, min_open=True), default=5, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Methods at a time.")
@click.option("-o", "--out", type=click.Path(dir_okay=False), help="All figures, one per line, as .csv or .parquet.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
def compare(
    file: str,
    method_names: tuple[str, ...],
    attack_names: tuple[str, ...],
    ks: str,
    seed: int,
    time_limit: float,
    jobs: int,
    out: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Anonymize FILE with many methods, attack every release, and print one table.

    The time limit, in seconds, is for methods that can stop early and publish the best they found.
    """
    from anonnb import arena, attacks, methods

    sizes = _whole_numbers(ks)
    tables = [name for name, cls in methods.all().items() if cls.publishes == "table"]
    chosen = [known_name(name, tables, "method") for name in method_names] or None
    tried = [known_name(name, _attacks_on_tables(attacks), "attack") for name in attack_names] or None
    if out:
        check_out(Path(out), force, (".csv", ".parquet"), inputs=[file])
    table = read_table(file, **options)
    with bad_input():
        frame = arena.compare(table, chosen, tried, k=sizes, seeds=[seed], jobs=jobs, time_limit=time_limit)
    if out:
        _write(frame, Path(out))
    made = frame[(frame["name"] == "made") & (frame["method"] != "original")]
    click.echo(f"{file}: {len(table)} rows, {int(made['value'].notna().sum())} of {len(made)} releases made")
    _print_table(_readable(frame))
    for method, k, name, reason in _failures(frame):
        what = f"{method}(k={int(k)})" if k == k and k is not None else method
        click.echo(f"  {what}{'' if name == 'made' else ', ' + name}: {in_options(reason)}", err=True)
    if out:
        click.echo(f"all figures: {out}")
    sys.exit(DONE if made["value"].notna().any() else FAILED)


@click.command()
@table_options
@click.option("--against", required=True, metavar="ORIGINAL", help="The table that FILE was made from.")
@click.option("--attack", "attack_names", multiple=True, metavar="NAME", help="Default: all that read a table.")
@click.option("--known", multiple=True, metavar="A,B", help="What the attacker knows; default: the quasi-identifier.")
@click.option("--show", type=click.IntRange(min=0), default=0, metavar="N", help="The N most exposed cases of each.")
def attack(
    file: str, against: str, attack_names: tuple[str, ...], known: tuple[str, ...], show: int, **options: Any
) -> None:
    """Attack FILE, a table that somebody anonymized, and tell how often each attack is right about ORIGINAL.

    A file does not tell which row is whose: attacks that need this say so.
    """
    from anonnb import Release, attacks
    from anonnb.csvfiles import read_table_file

    available = _attacks_on_tables(attacks)
    chosen = [known_name(name, available, "attack") for name in attack_names]
    # without a second release the intersection attack is the homogeneity attack
    chosen = chosen or [name for name in available if name != "IntersectionAttack"]
    table = read_table(against, **options)
    with bad_input(), notes():
        written = read_table_file(file, sep=delimiter(options["sep"]), encoding=options["encoding"])
        release = Release.from_frame(written, like=table)
    facts = columns(known, table.columns) or None
    click.echo(f"{file}: {release!r}")
    results = [(name, *_attacked(attacks.get(name), facts, release, table)) for name in chosen]
    width = max(len(name) for name in chosen)
    for name, result, reason in results:
        line = reason if result is None else f"{result.success:>7.1%} of {result.attempts:,} attempts succeed"
        click.echo(f"  {name:<{width}}  {line}")
        if result is not None and show:
            worst = result.targets.sort_values("score", ascending=False, kind="stable").head(show)
            click.echo("\n".join(f"      {line}" for line in worst.to_string(index=False).splitlines()))
    sys.exit(DONE if any(result is not None for _, result, _ in results) else FAILED)


def _attacked(cls: type, known: list[str] | None, release: Any, table: Any) -> tuple[Any, str]:
    """The result of an attack, or None and the reason why there is none."""
    from dataclasses import fields

    from anonnb import Infeasible

    takes_names = "known" in {field.name for field in fields(cls)}
    try:
        return cls(**({"known": known} if known and takes_names else {})).run(release, table), ""
    except (ValueError, TypeError, KeyError, Infeasible) as error:
        text = error.args[0] if isinstance(error, KeyError) and error.args else error
        return None, f"not tried: {in_options(str(text))}"


def _attacks_on_tables(attacks: Any) -> list[str]:
    return [name for name, cls in attacks.all().items() if cls.reads == "release"]


def _whole_numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        stop(f"--k {text!r} is not a list of whole numbers; write it like 2,5,10")


def _write(frame: Any, out: Path) -> None:
    from anonnb.files import atomic_write

    try:
        with atomic_write(out, "wb") as file:
            frame.to_parquet(file, index=False) if out.suffix.lower() == ".parquet" else frame.to_csv(file, index=False)
    except OSError as error:
        stop(f"{out} cannot be written: {error.strerror}", FAILED)


def _readable(frame: Any) -> list[list[str]]:
    """A header and a line per method and k; attacks and NCP in percent."""
    from anonnb import arena

    attacks = list(dict.fromkeys(frame.loc[frame["kind"] == "attack", "name"]))
    wide = arena.summary(frame, [*FIGURES, *attacks])
    lines = [["method", "k", "reached", "NCP", "withheld", *(name.removesuffix("Attack") for name in attacks)]]
    for (method, k, _), cells in zip(wide.index, wide.to_dict("records"), strict=True):
        shares = [cells.get(name, float("nan")) for name in ("NCP", "suppressed rows", *attacks)]
        lines.append([method, number(k), number(cells.get("k")), *map(_percent, shares)])
    return lines


def _percent(share: float) -> str:
    return f"{share:.1%}" if share == share else "–"


def _print_table(lines: list[list[str]]) -> None:
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    for first, *rest in lines:
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        click.echo("  ".join([f"  {first:<{widths[0]}}", *cells]))


def _failures(frame: Any) -> list[tuple]:
    failed = frame[frame["reason"] != ""]
    return list(failed[["method", "k", "name", "reason"]].itertuples(index=False, name=None))
