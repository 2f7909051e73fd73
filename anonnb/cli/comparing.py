"""``compare`` runs methods and attacks on a file and prints one table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Container
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anonnb.cli.common import (
    DONE,
    FAILED,
    Seconds,
    TableCommand,
    announce,
    bad_input,
    check_out,
    checked_parameters,
    given_parameters,
    in_options,
    known_name,
    look_next,
    note,
    print_table,
    stop,
    writing,
)
from anonnb.cli.progress import shown_progress
from anonnb.cli.requirements import Requirements, requirement_options
from anonnb.cli.table_options import read_table, table_options
from anonnb.core.extras import needs
from anonnb.core.wording import number, percent, pluralize

if TYPE_CHECKING:
    import pandas as pd

    from anonnb.methods.base import Method

FIGURES = ("k", "NCP", "error of counts", "truthfulness", "suppressed rows")


@click.command(cls=TableCommand)
@table_options
@click.option(
    "--method",
    "method_names",
    multiple=True,
    metavar="NAME",
    help="Default: all that publish tables; of a large table, those that scale. 'all' takes them all.",
)
@click.option(
    "--attack",
    "attack_names",
    multiple=True,
    metavar="NAME",
    help="Default: four quick ones. 'all' tries them all.",
)
@requirement_options
@click.option("--k", "ks", default="5", show_default=True, metavar="2,5,10", help="Smallest group sizes.")
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="Draw half of the people of FILE N times, publish these, and attack the others too, who are outsiders.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="For methods that draw at random.")
@click.option("--time-limit", type=Seconds(min=0, min_open=True), default=5, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Methods at a time.")
@click.option("--cache", type=click.Path(file_okay=False), help="Keep finished parts here, to continue after a stop.")
@click.option("-o", "--out", type=click.Path(dir_okay=False), help="All figures, one per line, as .csv or .parquet.")
@click.option("--force", is_flag=True, help="Overwrite OUT.")
def compare(
    file: str,
    method_names: tuple[str, ...],
    attack_names: tuple[str, ...],
    require: tuple[str, ...],
    population: str | None,
    suppression_limit: float | None,
    params: tuple[str, ...],
    ks: str,
    draws: int,
    seed: int,
    time_limit: float,
    jobs: int,
    cache: str | None,
    out: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Anonymize FILE with many methods, attack every release, and compare them.

    FILE is a table or a project file.
    The time limit, in seconds, is for methods that can stop early and publish the best they found, and for attacks
    that can stop early.
    """
    from anonnb import arena, attacks

    sizes = _whole_numbers(ks)
    tables = arena.table_methods()
    chosen = _named(method_names, tables, "method")
    tried = _named(attack_names, list(attacks.all()), "attack")
    required, given = Requirements(require, population), given_parameters(params)
    if out:
        check_out(Path(out), force, (".csv", ".parquet"), inputs=[file])
        if out.lower().endswith(".parquet"):
            needs("writing Parquet", "parquet", "pyarrow")
    table = read_table(file, **options)
    _note_left_out(arena.left_out(table), methods=tables if not chosen else (), attacks=not tried)
    if require:
        given["require"] = required.models(table, options)
    names = tables if chosen == "all" else chosen if isinstance(chosen, list) else arena.default_methods(table)
    entrants = _with_parameters(names, given, suppression_limit, named=bool(method_names))
    rows = pluralize(len(table), "row")
    announce(f"comparing {pluralize(len(entrants), 'method')} at k = {ks} on {file} ({rows}), and attacking")
    with bad_input(), shown_progress("comparing") as progress:
        frame = arena.compare(
            table,
            entrants,
            tried,
            k=sizes,
            seeds=[seed],
            jobs=jobs,
            time_limit=time_limit,
            draws=draws,
            every_secret=True,
            cache_folder=cache,
            say=in_options,
            progress=progress,
        )
    if out:
        _write(frame, Path(out), force)
    made = frame[(frame["name"] == "made") & (frame["method"] != "original")]
    done = made[made["value"].notna()]
    click.echo(f"{file}: {len(table)} rows, {len(done)} of {len(made)} releases made")
    _print_choice(frame)
    _print_comparison(frame, named=bool(method_names))
    hiding = [name for name in dict.fromkeys(done["method"]) if _hides_sensitive(name)]
    if hiding and table.sensitive:
        note(f"{', '.join(hiding)} publishes no sensitive values, which NCP and withheld do not count")
    if out:
        click.echo(f"all figures: {out}")
    look_next("choose a method that loses little and gives little away, and publish with `anonnb anonymize`")
    sys.exit(DONE if len(done) else FAILED)


def _print_choice(frame: pd.DataFrame) -> None:
    """Print the methods to look at first, if there is a choice."""
    from anonnb import arena

    chosen = arena.shortlist(frame)
    if chosen["method"].nunique() > 1:
        single = "" if (frame["draws"] > 1).any() else "; with --draws 20 they come with intervals"
        click.echo(f"Look first at these, which promise k and publish true cells{single}:")
        width = max(map(len, chosen["method"]))
        for line in chosen.itertuples():
            click.echo(f"  {line.method:<{width}}  k = {line.k:g}  {line.why}")
        click.echo("All releases:")


def _print_comparison(frame: pd.DataFrame, *, named: bool) -> None:
    """Print what the methods cost, what each attack learns from them, and what failed."""
    from anonnb.arena.standings import in_words

    print_table(_costs(frame))
    click.echo(
        "  NCP: detail lost (100 %: all); count error: mean relative error of counts; withheld: rows not published"
    )
    tried = frame[(frame["kind"] == "attack") & frame["value"].notna()]
    for attack, lines in tried.groupby("name", sort=False):
        click.echo(f"\n{attack}")
        cells = [
            {"method": line["method"], "k": number(line["k"]), **in_words(line)} for line in lines.to_dict("records")
        ]
        header = list(dict.fromkeys(name for line in sorted(cells, key=len, reverse=True) for name in line))
        print_table([header, *([line.get(name, "–") for name in header] for line in cells)])
    click.echo(f"\n{_explained(tried)}")
    _print_failures(frame, named)


def _note_left_out(reasons: dict[str, str], *, methods: Container[str], attacks: bool) -> None:
    """Say who does not take part and why, a sentence each, and how to have them all the same."""
    from anonnb import attacks as known

    wanted = {"method": methods, "attack": known.all() if attacks else ()}
    for what, names in wanted.items():
        sentences = [reason for name, reason in reasons.items() if name in names]
        for reason in sentences:
            note(reason)
        if sentences:
            note(f"--{what} all takes every {what}, however long it takes")


def _named(names: tuple[str, ...], known: list[str], what: str) -> str | list[str] | None:
    """Return names as they are registered; ``all`` stands for every one, no name for the default."""
    if any(name.lower() == "all" for name in names):
        return "all"
    return [known_name(name, known, what) for name in names] or None


def _with_parameters(
    names: list[str], given: dict[str, Any], limit: float | None, *, named: bool
) -> list[Callable[..., Method]]:
    """Give the methods the parameters that they have; leave out those that cannot meet a requirement."""
    from anonnb import methods

    classes = [methods.get(name) for name in names]
    for name in given:
        able = [cls for cls in classes if name in cls.constraints()]
        if name in ("k", "seed", "time_limit"):
            stop(f"--param {name}: it has an option of its own, --{name.replace('_', '-')}")
        if not able:
            stop(f"{', '.join(names)} has no parameter {name!r}" if named else f"no method has a parameter {name!r}")
        if name == "require":
            rest = [cls.__name__ for cls in classes if cls not in able]
            classes = able
            if rest:
                note(f"{', '.join(rest)} left out, as they take no --require")
    chosen = {cls: {name: value for name, value in given.items() if name in cls.constraints()} for cls in classes}
    return [partial(cls, **checked_parameters(cls, cls.suppressing(limit) | own)) for cls, own in chosen.items()]


def _whole_numbers(text: str) -> list[int]:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        stop(f"--k {text!r} is not a list of whole numbers; write it like 2,5,10")
    if min(numbers) < 1:
        stop(f"--k {text}: {min(numbers)} is less than 1; k is the number of people to hide among, such as 5")
    return numbers


def _write(frame: pd.DataFrame, out: Path, force: bool) -> None:
    from anonnb.core.atomic_files import atomic_write

    with writing(out), atomic_write(out, "wb", overwrite=force) as file:
        frame.to_parquet(file, index=False) if out.suffix.lower() == ".parquet" else frame.to_csv(file, index=False)


def _costs(frame: pd.DataFrame) -> list[list[str]]:
    """Return a header and a line per method and k: the k it reached, and what it costs."""
    from anonnb import arena

    lines = [["method", "k", "reached", "NCP", "count error", "true cells", "withheld"]]
    wide = arena.summary(frame, FIGURES)
    for (method, k, _), cells in zip(wide.index, wide.to_dict("records"), strict=True):
        shares = [percent(cells.get(name, nan)) for name in FIGURES[1:]]
        lines.append([method, number(k), number(round(cells.get("k", nan), 1)).removesuffix("000"), *shares])
    return lines


def _explained(tried: pd.DataFrame) -> str:
    """Explain the columns of attacks."""
    if not tried["control"].notna().any():
        return "  --draws 20 also attacks outsiders, who show what is known about anybody"
    draws = tried["draws"].max()
    of_what = f"means and 95 % intervals over {draws} draws" if draws > 1 else "with the 95 % interval of this release"
    return (
        "  excess: how much more often the guesses are right about published people than about outsiders, as a share "
        f"of what was left to gain; {of_what}"
    )


def _hides_sensitive(name: str) -> bool:
    from anonnb import methods

    return methods.get(name).hides_sensitive


def _print_failures(frame: pd.DataFrame, named: bool) -> None:
    """Print why releases and attacks failed, each reason once; methods that nobody named get one line."""
    from anonnb.tables.attribute import preview

    failed = frame[frame["reason"] != ""]
    absent = failed[failed["name"] == "made"]
    if not named and absent["method"].nunique() > 1:
        names = list(dict.fromkeys(absent["method"]))
        click.echo(f"  no release of {', '.join(names)}: --method NAME tells why, and so does -o", err=True)
        failed = failed[failed["name"] != "made"]
    for (name, reason), lines in failed.groupby(["name", "reason"], sort=False):
        releases = [method if k != k else f"{method}(k={k:g})" for method, k in lines[["method", "k"]].to_numpy()]
        what = preview(list(dict.fromkeys(releases)), 3)
        click.echo(f"  {what}{'' if name == 'made' else ', ' + name}: {reason}", err=True)
