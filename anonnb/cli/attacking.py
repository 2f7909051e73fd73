"""``attack`` takes an anonymized table and says what each attack learns about the people of the original."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from textwrap import fill
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
    print_table,
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

QUESTIONS = {  # by the kind of attacks on no secret; the last comes first, before secrets
    "membership": "Knowing who is in the table",
    "isolation": "Describing exactly one person",
    "cells": "Undoing what was blurred",
    "linkage": "Finding the row of a person who is in the file",
}
CASES = ("known", "target", "people", "candidates", "rows", "guess", "inferred", "right", "chance", "predicate")
WIDTH = 100  # of a verdict
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
@click.option("--show", type=click.IntRange(min=0), default=0, metavar="N", help="N cases of each that were learned.")
@click.option("--why", is_flag=True, help="What each attack does, and why some have no result.")
def attack(
    file: str,
    against: str,
    attack_names: tuple[str, ...],
    second: str | None,
    control: str | None,
    known: tuple[str, ...],
    params: tuple[str, ...],
    show: int,
    why: bool,
    hidden: str,
    made_by: str | None,
    strong: bool,
    time_limit: float,
    **options: Any,
) -> None:
    """Attack FILE, an anonymized table, and tell what it gives away.

    The people are those of ORIGINAL; a project file can stand for it: `anonnb attack release.csv people.yaml`. A line
    that is marked with ! is where to look first, and says why.

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
    click.echo(f"{file}: {str(release).removeprefix('Release: ')}")
    announce(f"trying {len(attacks)} attack{'s' * (len(attacks) != 1)} on {file}, judged by {against}")
    end = time.monotonic() + time_limit if strong else math.inf
    with shown_progress("attacking") as progress, shared_matchings(), watched_by(_until(end, progress)):
        tried = progress(attacks.items(), desc="attacks")
        outsiders = others if control else None
        results = {name: _attacked(attack, release, table, outsiders, end) for name, attack in tried}
    done = {name: result for name, result in results.items() if result is not None and not isinstance(result, str)}
    if done:
        _print_answers(done, table, show)
    click.echo()
    _print_rest(results, why, bool(attack_names), time_limit)
    if not table.sensitive:
        click.echo("No column was named a secret: --sensitive COLUMN asks what can be learned about it.")
    if not control:
        click.echo("No outsiders were attacked, who show what is known about anybody; name some with --control FILE.")
    more = [] if show else ["--show 5 lists cases in which something is learned"]
    more += [] if why else ["--why says what each attack does, and why some have no result"]
    look_next("; ".join(more) or "`anonnb compare` with the options of ORIGINAL tries other methods")
    sys.exit(DONE if done else FAILED)


# ---- what is printed -----------------------------------------------------------------------------------------------


def _print_answers(results: Mapping[str, AttackResult], table: Table, show: int) -> None:
    """Print a verdict, then what the attacks found, question by question."""
    from anonnb.attacks.findings import by_secret, concern, counts_text, learned
    from anonnb.publishing.officer_page import WITH_MORE, Outcomes

    found = Outcomes([(name, one) for name, result in results.items() for one in by_secret(result)])
    secrets = found.about(table.sensitive)
    columns = found.about([name for name in table.columns if name not in table.sensitive])
    counted = [line for line in found.others if counts_text(line[1])]
    questions = {title: [line for line in counted if line[1].kind == kind] for kind, title in QUESTIONS.items()}
    about: dict[str, Sequence[tuple[str, AttackResult]]] = {
        f"Learning {secret}": lines for secret, lines in secrets.items()
    }
    about["Learning other columns from some of them, by the best attack"] = [first for first, *_ in columns.values()]
    for secret, lines in [*(secrets or columns).items()][:1]:
        fair = [one for name, one in lines if name not in WITH_MORE] or [one for _, one in lines]
        more = f"; {len(secrets) - 1} more below" if len(secrets) > 1 else ""
        text = f"On {secret}, {learned(fair)}{more}."
        click.echo(fill(text.replace(" %", "\u00a0%"), WIDTH).replace("\u00a0%", " %"))
    marked = [bool(concern(one)) for _, one in chain(*about.values(), counted)]
    if any(marked):
        click.echo(f"Look first at the results that are marked with !, {sum(marked)} of {len(marked)}.")
    elif marked:
        click.echo("No result is clearly better than guessing, which does not prove that the file is safe.")
    _print_question(*questions.popitem(), show)
    for title, answers in (about | questions).items():
        _print_question(title, answers, show)


def _print_question(title: str, lines: Sequence[tuple[str, AttackResult]], show: int) -> None:
    """Print a line per attack: people first, then guessing and outsiders, and why to look; on request cases."""
    from anonnb.arena.standings import in_words
    from anonnb.attacks.findings import concern, counts_text, most_exposed

    rows = []
    for name, one in lines:
        look, secret = concern(one), getattr(one, "secret", None)
        figures = one.figures | {"attack kind": one.kind, "value": one.success, "secret": secret}
        cells = {"": counts_text(one)} if secret is None else in_words(figures)
        column = cells.pop("secret", "")
        named = {"column": column} if column and title != f"Learning {column}" else {}
        rows.append({"  attack": f"{'!' if look else ' '} {name}", **named, **cells, " ": look})
    header = [*dict.fromkeys(chain(*sorted(rows, key=len, reverse=True)))]
    table = [[row.get(key, "–") for key in header] for row in rows]
    if rows:
        click.echo(f"\n{title}")
        print_table(
            table if "" in header else [header, *table],
            left=tuple(index for index, key in enumerate(header) if not key.strip() or not index),
        )
    for name, one in lines if show else ():
        cases = most_exposed(one, show)
        cases = cases[cases["re-identified"] > 0] if "re-identified" in cases else cases
        if len(cases):
            shown = cases[[column for column in CASES if column in cases] or list(cases)].round(3)
            click.echo(f"      {name}, for example:")
            click.echo("\n".join(f"      {line}" for line in shown.to_string(index=False).splitlines()))
    for name, one in lines:
        if "alone" in one.info:
            alone = percent(one.info["alone"])
            click.echo(f"    {name}: without the second release, the guesses are right in {alone} of cases")
        if "linkage refined" in one.info:
            before, after = (percent(one.info[key]) for key in ("linkage", "linkage refined"))
            first = f"linkage to the first box that fits a person is right for {after} of people"
            click.echo(f"    {name}: {first}, to all boxes for {before}")


def _print_rest(results: Mapping[str, AttackResult | str | None], why: bool, named: bool, time_limit: float) -> None:
    """Print what has no result, a line for each cause, and for ``named`` attacks the reasons; ``why`` tells all."""
    from anonnb.attacks.findings import counts_text
    from anonnb.publishing.officer_page import EXPLAINED

    missing: dict[str, dict[str, str]] = {"Not measured": {}, "Cannot run on this file": {}}
    for name, result in results.items():
        if isinstance(result, str):
            missing["Cannot run on this file"][name] = result
        elif result is not None and result.kind != "secret" and not counts_text(result):
            missing["Not measured"][name] = result.reason
    for title, reasons in missing.items():
        if reasons:
            click.echo(f"{title}{'' if why or named else ' (--why)'}: {', '.join(reasons)}.")
            print_table([*reasons.items()] if why or named else [], left=(0, 1))
    if undone := [name for name, result in results.items() if result is None]:
        click.echo(f"Left undone after {time_limit:g} s: {', '.join(undone)}; allow more with --time-limit.")
    if why:
        click.echo("An attacker with the name of …")
        print_table([[name, EXPLAINED[name]] for name in results if name in EXPLAINED], left=(0, 1))


# ---- what is tried -------------------------------------------------------------------------------------------------


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
) -> AttackResult | str | None:
    """Run an attack; return its result, the reason if there is none, or None if the time is over."""
    left = end - time.monotonic()
    if left <= 0:
        return None
    if left < math.inf and getattr(attack, TIME_LIMIT, 0) is None:
        attack = replace(attack, **{TIME_LIMIT: left})
    try:
        return attack.run(release, table, control=others)
    except _TimeUp:
        return None
    except (ValueError, TypeError, KeyError) as error:
        if not is_about_input(error):
            raise
        return in_options(error)
