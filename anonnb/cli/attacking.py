"""``attack`` takes an anonymized table and says what each attack learns about the people of the original."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from anonnb.cli.common import (
    DONE,
    FAILED,
    STANDARD_INPUT,
    TableCommand,
    Written,
    announce,
    bad_input,
    given_parameters,
    in_options,
    is_about_input,
    known_name,
    look_next,
    made,
    note,
    notes,
    stop,
)
from anonnb.cli.progress import shown_progress
from anonnb.cli.table_options import columns, delimiter, no_column, read_frame, read_table, table_options
from anonnb.core.progress import Progress, watched_by
from anonnb.core.wording import percent

if TYPE_CHECKING:
    from anonnb.attacks.base import Attack, AttackResult
    from anonnb.methods.base import Method
    from anonnb.tables.release import Release
    from anonnb.tables.table import Table

SECOND, TIME_LIMIT = "other", "time_limit"  # the parameters of attacks that read a second release, or take long


@click.command(cls=TableCommand)
@table_options
@click.option("--against", required=True, metavar="ORIGINAL", help="The table that FILE was made from.")
@click.option("--attack", "attack_names", multiple=True, metavar="NAME", help="Default: all that read a table.")
@click.option("--second", metavar="RELEASE", help="Another release of the same people, for attacks on two.")
@click.option("--control", metavar="FILE", help="People who are not in FILE, with the columns of ORIGINAL: a control.")
@click.option(
    "--known",
    multiple=True,
    metavar="A,B",
    help="What the attacker knows: columns, or how many of them (shallow, deep). Default: the quasi-identifier, or 2.",
)
@click.option(
    "--hidden",
    type=click.Choice(["suppressed", "class"]),
    default="suppressed",
    show_default=True,
    help="What rows of FILE (and RELEASE) are whose quasi-identifiers are all *: not published, as most tools mean "
    "them, or a class like any other, as in what `anonnb anonymize` writes.",
)
@click.option(
    "--made-by",
    metavar="METHOD",
    help='How FILE was made, such as "LocalRecoding(k=5)": some attacks reason from the method.',
)
@click.option("--strong", is_flag=True, help="Try the slow variants of the attacks, too, until --time-limit.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    default=300,
    show_default=True,
    metavar="SECONDS",
    help="With --strong: how long all attacks may take. What has not ended by then is left undone.",
)
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="A further parameter of the attacks.")
@click.option("--show", type=click.IntRange(min=0), default=0, metavar="N", help="The N most exposed cases of each.")
def attack(
    file: str,
    against: str,
    attack_names: tuple[str, ...],
    second: str | None,
    control: str | None,
    known: tuple[str, ...],
    params: tuple[str, ...],
    show: int,
    hidden: str,
    made_by: str | None,
    strong: bool,
    time_limit: float,
    **options: Any,
) -> None:
    """Attack FILE, a table that somebody anonymized, and tell what each attack learns about the people of ORIGINAL.

    A project file stands for ORIGINAL: `anonnb attack release.csv people.yaml`.

    A file does not tell which row is whose: attacks that need this say so. --decimal and --dayfirst are about
    ORIGINAL; FILE has decimal points and dates as 2020-01-31, as `anonnb anonymize` writes them.
    """
    from anonnb.tables.matching import shared_matchings

    classes, method = _chosen(attack_names, second), made_by and _method(made_by)
    if [file, against, second, control].count(STANDARD_INPUT) > 1:
        stop(f"only one table can come from standard input ({STANDARD_INPUT}); save the others to files")
    both = read_table(against, also=control, **options)
    table, others = (both.take(rows) if control else both for rows in (both.index >= 0, both.index < 0))
    given = given_parameters(params, known=_facts(known, table.columns))
    release = _release(file, table, hidden, options).replace(method=method or None)
    other = _release(second, table, hidden, options) if second else None
    attacks = _made(classes, given, named=bool(attack_names), other=other, strong=strong)
    _check_people(file, release, table)
    if second is not None and other is not None:
        _check_people(second, other, table)
    click.echo(f"{file}: {release!r}")
    announce(f"trying {len(attacks)} attack{'s' * (len(attacks) != 1)} on {file}, judged by {against}")
    end = time.monotonic() + time_limit if strong else math.inf
    with shown_progress("attacking") as progress, shared_matchings(), watched_by(_until(end, progress)):
        tried = progress(attacks.items(), desc="attacks")
        outsiders = others if control else None
        results = {name: _attacked(attack, release, table, outsiders, end) for name, attack in tried}
    undone, width = [name for name, (_, lines) in results.items() if not lines], max(map(len, attacks))
    for name, (result, lines) in results.items():
        for label, line in zip_longest([name], lines, fillvalue="") if lines else []:
            click.echo(f"  {label:<{width}}  {line}")
        if result is not None and show:
            _show(result, show)
    if undone:
        click.echo(f"  left undone after {time_limit:g} s: {', '.join(undone)}; allow more with --time-limit")
    more = [] if show else ["--show 5 lists the most exposed cases"]
    more += [] if control else ["--control FILE compares with people who are not in the release"]
    look_next("; ".join(more) or "`anonnb compare` with the options of ORIGINAL tries other methods")
    sys.exit(DONE if any(result is not None for result, _ in results.values()) else FAILED)


def _show(result: AttackResult, limit: int) -> None:
    """Print the most exposed cases, those of each secret by themselves."""
    from anonnb.attacks.findings import by_secret, most_exposed

    for one in by_secret(result):
        cases = most_exposed(one, limit)
        if len(cases) and result.kind != "membership":  # of which targets say no more than a score
            click.echo(f"      most exposed{f' ({one.secret})' if hasattr(one, 'secret') else ''}:")
            click.echo("\n".join(f"      {line}" for line in cases.round(3).to_string(index=False).splitlines()))


def _check_people(file: str, release: Release, table: Table) -> None:
    """Count who fits no row: an attack against the wrong original finds nothing, which looks like safety."""
    from anonnb.attacks.matching.candidates import Candidates
    from anonnb.attacks.matching.nearest import shows_single_values

    if shows_single_values(release, table.quasi):  # means and moved values: people need not fit their own row
        return
    cases = Candidates(release, table, table.quasi)
    lost = table.n_people - len(set(table.people[(cases.size > 0)[cases.case]].tolist()))
    if lost == table.n_people:
        stop(f"{file}: nobody of the original fits a published row: is this the right original?")
    if lost > table.n_people / 2:
        people = f"{lost:,} of {table.n_people:,} people of the original fit no published row"
        note(f"{file}: {people}: is this the right original? If not, the figures say nothing")


def _attacks_on_tables() -> list[str]:
    """Return the attacks that read a release; others read mined results."""
    from anonnb import attacks

    return [name for name, cls in attacks.all().items() if cls.reads == "release"]


def _chosen(names: tuple[str, ...], second: str | None) -> list[type[Attack]]:
    """Return the named attacks, or all; those that read two releases need a second one."""
    from anonnb import attacks

    available = _attacks_on_tables()
    chosen = list(dict.fromkeys(known_name(name, available, "attack") for name in names))
    paired = [name for name in available if SECOND in attacks.get(name).constraints()]
    for name in chosen:
        if name in paired and second is None:
            stop(f"{name} compares two releases; name the other with --second RELEASE")
    if chosen and second is not None and not set(paired) & set(chosen):
        stop(f"--second is for {paired[0]}; add --attack {paired[0]}, or leave --second out")
    chosen = chosen or [name for name in available if name not in paired or second is not None]
    return [attacks.get(name) for name in chosen]


def _facts(known: tuple[str, ...], names: Sequence[str]) -> list[str] | int | None:
    """Return the columns that the attacker knows, or their number; a column called 2 takes precedence."""
    if len(known) == 1 and known[0] not in names and re.fullmatch(r"[0-9]{1,9}", known[0]):
        return int(known[0])
    facts = columns(known, names)
    for name in facts:
        if name not in names:
            stop(f"--known {name}: {no_column(name, names)}")
    return facts or None


def _release(file: str, table: Table, hidden: str, options: dict[str, Any]) -> Release:
    from anonnb.publishing.two_files import secrets_beside
    from anonnb.tables.release import Release

    with bad_input(), notes(), shown_progress(f"reading {file}"):
        layout = {"sep": delimiter(options["sep"]), "encoding": options["encoding"]}
        written = read_frame(file, **layout)
        apart = file != STANDARD_INPUT and not set(table.sensitive) & set(written.columns)
        second = secrets_beside(Path(file)) if apart else None
        secrets = None if second is None else read_frame(str(second), **layout)
        release = Release.from_frame(written, like=table, hidden=hidden, secrets=secrets)
    if second is not None:
        note(f"{file}: the secrets of its groups are those of {second}")
    dropped = len(written) - len(release)
    if dropped:
        rows = "1 row is" if dropped == 1 else f"{dropped:,} rows are"
        note(f"{file}: {rows} * in all quasi-identifiers and taken as suppressed; if they are a class: --hidden class")
    return release


def _made(
    classes: list[type[Attack]], given: dict[str, Any], *, named: bool, other: Release | None, strong: bool
) -> dict[str, Attack]:
    """Make the attacks with the parameters that each of them has; what no chosen attack has is an error.

    With ``strong`` their slow variants follow, except for parameters that were given.
    """
    for name, value in given.items():
        if name == SECOND:
            stop("other is a release; name its file with --second RELEASE")
        if not any(_takes(cls, name, value) for cls in classes):
            _refuse(classes, name, value, named)
    attacks: dict[str, Attack] = {}
    for cls in classes:
        parameters = {name: value for name, value in given.items() if _takes(cls, name, value)}
        attacks[cls.__name__] = made(cls, parameters | ({SECOND: other} if SECOND in cls.constraints() else {}))
    for cls in classes if strong else []:
        for variant in cls.strong:
            if not set(variant) & set(given):
                text = ", ".join(f"{name}={value}" for name, value in variant.items())
                attacks[f"{cls.__name__}({text})"] = replace(attacks[cls.__name__], **variant)
    return attacks


def _method(text: str) -> Method:
    """Return the method that a text such as ``Mondrian(k=5)`` names."""
    from anonnb.cli.requirements import chosen_method

    parts = re.fullmatch(r"\s*(\w+)\s*(?:\(\s*(.*?)\s*\))?\s*", text)
    if parts is None:
        stop(f'--made-by {text}: write a method like "Mondrian(k=5)"')
    given = re.split(r",(?![^(]*\))", parts[2]) if parts[2] else []  # not between the parentheses of a model
    return chosen_method(parts[1], given_parameters(tuple(map(str.strip, given))))


def _takes(cls: type[Attack], name: str, value: Any) -> bool:
    """Return whether an attack has the parameter and, for a number of known columns, tries all sets of that size."""
    allowed = cls.constraints()
    return name in allowed and (isinstance(value, Written) or allowed[name].has_valid_type(value))


def _refuse(classes: list[type[Attack]], name: str, value: Any, named: bool) -> NoReturn:
    from anonnb import attacks

    if name == "known" and isinstance(value, int):
        able = [key for key in _attacks_on_tables() if _takes(attacks.get(key), name, value)]
        stop(f"--known {value} is a number, which {', '.join(able)} take; name columns for other attacks")
    if name == "known":
        stop(f"--known {','.join(value)}: {', '.join(cls.__name__ for cls in classes)} does not take it")
    if not named:
        stop(f"no attack has a parameter {name!r}")
    known = dict.fromkeys(key for cls in classes for key in cls.constraints())
    stop(f"{', '.join(cls.__name__ for cls in classes)} has no parameter {name!r}; it has {', '.join(known)}")


class _TimeUp(Exception):
    """The time limit is over."""


def _until(end: float, progress: Progress) -> Progress:
    """Return a watcher that ends the loops of an attack when the time is over."""

    def watch(iterable: Iterable = (), **options: Any) -> Iterator:
        for item in progress(iterable, **options):
            if time.monotonic() > end:
                raise _TimeUp
            yield item

    return watch


def _attacked(
    attack: Attack, release: Release, table: Table, others: Table | None, end: float
) -> tuple[AttackResult | None, list[str]]:
    """Run an attack; return its result and what it found in sentences, or None and the reason if there is no result.

    There are no sentences if the time is over.
    """
    from anonnb.attacks.findings import findings

    left = end - time.monotonic()
    if left <= 0:
        return None, []
    if left < math.inf and getattr(attack, TIME_LIMIT, 0) is None:
        attack = replace(attack, **{TIME_LIMIT: left})
    try:
        result = attack.run(release, table, control=others)
    except _TimeUp:
        return None, []
    except (ValueError, TypeError, KeyError) as error:
        if not is_about_input(error):
            raise
        return None, [f"not tried: {in_options(error)}"]
    lines = findings(result)
    if "alone" in result.info:
        lines.append(f"without the second release, the guesses are right in {percent(result.info['alone'])} of cases")
    if "linkage refined" in result.info:
        before, after = (percent(result.info[name]) for name in ("linkage", "linkage refined"))
        lines.append(
            f"linkage to the first box that fits a person is right for {after} of people, to all boxes for {before}"
        )
    return result, lines
