"""What the commands share: exit codes, one-sentence errors, notes, and the options that turn a file into a table.

Heavy modules are imported inside functions, so that ``anonnb --help`` answers at once.
"""

import codecs
import difflib
import math
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from anonnb.cli.column_options import columns
from anonnb.cli.column_options import domains as column_domains
from anonnb.cli.column_options import hierarchies as column_hierarchies
from anonnb.cli.column_options import kinds as column_kinds
from anonnb.cli.column_options import orders as column_orders
from anonnb.cli.phrasing import in_options
from anonnb.cli.progress import shown_progress
from anonnb.cli.project_option import project_option, running_project
from anonnb.core.errors import message_of

DONE, FAILED, BAD_INPUT, DEFECT = 0, 1, 2, 3
STANDARD_INPUT = "-"


class Seconds(click.FloatRange):
    """A finite number of seconds."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        seconds = super().convert(value, param, ctx)
        return seconds if math.isfinite(seconds) else self.fail(f"{value} is no number of seconds.", param, ctx)


LONGEST = 30 * 24 * 3600.0  # system clocks cannot wait for ever
TIMEOUT = Seconds(min=1, max=LONGEST)


def table_options(command: Any) -> Any:
    """The file and the options that turn it into a table; all commands about a table share them."""
    return click.argument("file")(column_options(command))  # - is standard input


def column_options(command: Any) -> Any:
    """How a table is read and what its columns are; ``read_table`` takes them all."""
    options = [
        click.option("--quasi", multiple=True, metavar="A,B", help="Quasi-identifiers: what others may know."),
        click.option("--sensitive", multiple=True, metavar="C", help="Sensitive columns."),
        click.option("--identifier", multiple=True, metavar="D", help="Identifiers: never published."),
        click.option("--decision", metavar="E", help="The class that a model would predict."),
        click.option("--person", metavar="F", help="Whose row it is, where people have several rows: never published."),
        click.option("--missing", type=click.Choice(["value", "drop", "error"]), default="value", show_default=True),
        click.option("--sep", help="The delimiter; default: guessed."),
        click.option("--encoding", help="Default: UTF-8, else Windows-1252."),
        click.option("--decimal", type=click.Choice([".", ","]), default=".", show_default=True, help="Decimal mark."),
        click.option("--dayfirst", is_flag=True, help="Read 31.01.2020 as a date."),
        click.option("--kind", "kinds", multiple=True, metavar="A=KIND", help="nominal, ordinal or numeric."),
        click.option("--order", "orders", multiple=True, metavar="A=LOW,…", help="The order of a column's values."),
        click.option(
            "--values",
            "domains",
            multiple=True,
            metavar="A=V,…",
            help="What a column may hold, whatever the file has: values, edges between intervals of numbers, or 1..10.",
        ),
        click.option(
            "--hierarchy",
            "hierarchies",
            multiple=True,
            metavar="A=HOW",
            help='How a column may be blurred: a CSV file, one column per level, or words such as "intervals 5 10", '
            '"top 90000 bottom 10000", "mask 5", "month year", "rare 20".',
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return project_option(command)


def read_table(
    file: str,
    *,
    sep: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    dayfirst: bool = False,
    decision: str | None = None,
    person: str | None = None,
    missing: str = "value",
    kinds: tuple[str, ...] = (),
    orders: tuple[str, ...] = (),
    domains: tuple[str, ...] = (),
    hierarchies: tuple[str, ...] = (),
    **roles: tuple[str, ...],
) -> Any:
    """The table that the options describe; what is odd about it becomes a note."""
    from anonnb import Table
    from anonnb.projects.roles import warn_of_identifiers

    if not roles.get("quasi"):
        stop("name the quasi-identifiers, the columns that others may know, with --quasi, such as --quasi age,zip")
    with bad_input(), notes(), shown_progress(f"reading {file}"):
        frame = read_frame(file, sep=delimiter(sep), encoding=encoding, decimal=decimal, dayfirst=dayfirst)
    known = list(frame.columns)
    _check_project(file, known)
    for role, given in roles.items():
        roles[role] = columns(given, known)
        if given and not roles[role]:
            stop(f"--{role} {given[0]!r} names no column; the columns are {', '.join(known)}")
    single = {"person": person} if person else {}
    with bad_input(), notes(), shown_progress(f"encoding {file}"):
        described = {
            "kinds": column_kinds(kinds, known),
            "orders": column_orders(orders, frame),
            "domains": column_domains(domains, frame, column_kinds(kinds, known)),
            "hierarchies": column_hierarchies(hierarchies, known),
        }
        table = Table(frame, decision=decision, missing=missing, **roles, **described, **single)
        table = table if running_project() is None else running_project().preferring(table)
        warn_of_identifiers(table)
    if table.dropped:
        note(f"{table.dropped:,} of {len(frame):,} rows dropped because a column with a role has no value there")
    return table


def _check_project(file: str, known: list[str]) -> None:
    """A project speaks of columns in its own words, not in options that nobody wrote."""
    project = running_project()
    for column in () if project is None else project.columns:
        used = column.roles or column.kind or column.order or column.hierarchy
        if used and column.name not in known:
            stop(f"{file} has no column {column.name!r}, which the project names; it has {', '.join(known)}")


def read_frame(file: str, **options: Any) -> Any:
    """The table in a file, or in standard input where its name is ``-``."""
    from anonnb.files.reading import read_table_bytes, read_table_file

    if file == STANDARD_INPUT:
        return read_table_bytes(_standard_input(), "standard input", **options)
    return read_table_file(file, **options)


def _standard_input() -> bytes:
    """The bytes of standard input, which is read once, however often a command needs it."""
    from anonnb.files.opening import bytes_of_stream

    kept = click.get_current_context().meta
    if __name__ not in kept:
        kept[__name__] = bytes_of_stream(click.get_binary_stream("stdin"), "standard input")
    return kept[__name__]


def delimiter(sep: str | None) -> str | None:
    """The delimiter that is meant: a tab, which is hard to type, may be written as ``tab`` or with a backslash."""
    return {"\\t": "\t", "tab": "\t"}.get(sep, sep)


def known_name(name: str, known: list[str], what: str, also: Iterable[str] = ()) -> str:
    """A registered name, however its letters are cased; ``Linkage`` will do for ``LinkageAttack``.

    ``also`` lists further words that could have been given.
    """
    folded = {key.casefold(): key for key in known}
    found = folded.get(name.casefold()) or folded.get(f"{name.casefold()}attack")
    known_are = ", ".join([*also, *known])
    return found or stop(f"there is no {what} {name!r}; {_meant(name, folded)}known are {known_are}")


def _meant(name: str, folded: dict[str, str]) -> str:
    """A question about names with a similar spelling; empty if there is none."""
    close = difflib.get_close_matches(name.casefold(), folded, n=2, cutoff=0.75)
    return f"did you mean {' or '.join(folded[key] for key in close)}? " if close else ""


def attacks_on_tables() -> list[str]:
    """The attacks that read a release; others read mined results."""
    from anonnb import attacks

    return [name for name, cls in attacks.all().items() if cls.reads == "release"]


def tell_layout(file: str, out: str, sep: str | None, encoding: str | None, decimal: str, dayfirst: bool) -> None:
    """A note if a CSV file is written in another layout than the one that was read."""
    from anonnb.files.opening import bytes_of
    from anonnb.files.reading import layout_of_bytes

    if not (out.lower().endswith(".csv") and Path(file).suffix.lower() not in (".parquet", ".pq", ".xlsx")):
        return
    raw = _standard_input() if file == STANDARD_INPUT else bytes_of(file)
    if raw.startswith((b"PAR1", b"PK\x03\x04")):
        return
    sep, encoding = layout_of_bytes(raw, file, delimiter(sep), encoding)
    encoding = codecs.lookup(encoding).name
    others = [] if encoding in ("utf-8", "utf-8-sig", "ascii") else [encoding]
    others += [] if sep == "," else [f"the delimiter {sep!r}"]
    others += ["decimal commas"] if decimal == "," else []
    others += ["the day first"] if dayfirst else []
    if others:
        form = "UTF-8 with commas" + (", decimal points" if decimal == "," else "")
        form += " and dates as 2020-01-31" if dayfirst else ""
        note(f"{out} is written as {form}; {file} has {', '.join(others)}")


def check_out(
    out: Path, force: bool, suffixes: tuple[str, ...], inputs: Iterable[str] = (), *, option: str = "-o"
) -> None:
    """Refuse a target that cannot be written, or that is read from, before the work starts."""
    if out.suffix.lower() not in suffixes:
        stop(f"{option} {out}: use a name that ends in {' or '.join(suffixes)}")
    if not out.parent.is_dir():
        stop(f"{option} {out}: there is no folder {out.parent}")
    for path in inputs:
        if out.exists() and os.path.exists(path) and os.path.samefile(out, path):
            stop(f"{option} {out} is the file that is read; choose another name")
    if out.exists() and not force:
        stop(f"{out} exists already; choose another name or add --force")


def assignment(text: str, option: str) -> tuple[str, str]:
    """``K=5`` as a name and what is written for it."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        stop(f"{option} {text!r} is not NAME=VALUE")
    return name.strip(), value


class Written(str):
    """A value of ``--param``, which the parameter's constraint reads."""


def given_parameters(params: tuple[str, ...], **options: Any) -> dict[str, Any]:
    """The options that were given and the assignments of ``--param`` as they are written, no name twice."""
    given = {name: value for name, value in options.items() if value is not None}
    for name, value in (assignment(text, "--param") for text in params):
        if name in given:
            stop(f"the parameter {name!r} is given twice: {given[name]} and {value}; give it once")
        given[name] = Written(value)
    return given


def made(cls: type, given: dict[str, Any]) -> Any:
    """A method, an attack or a model with parameters as they were given; each reads what is written for it."""
    values = checked_parameters(cls, given)
    with bad_input():
        return cls(**values)


def checked_parameters(cls: type, given: dict[str, Any]) -> dict[str, Any]:
    """Parameters as the class understands them; each reads what is written for it."""
    allowed = cls.constraints()
    with bad_input():
        return {
            name: allowed[name].checked(name, allowed[name].read(name, value)) if isinstance(value, Written) else value
            for name, value in given.items()
        }


@contextmanager
def bad_input(unless: type[Exception] | tuple[()] = ()) -> Iterator[None]:
    """The package's errors about input are one clear sentence: show that, not a traceback."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, unless):
            raise
        stop(error)


@contextmanager
def notes() -> Iterator[None]:
    """Warnings become notes on the error stream: users do not need the line of code that warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        yield
    for message in dict.fromkeys(message_of(warning.message) for warning in caught):
        note(message)


def note(text: str) -> None:
    click.echo(f"note: {in_options(text)}", err=True)


def announce(what: str) -> None:
    """The first line of a command: what it is about to do, once it is known that it can."""
    click.echo(f"now: {what}", err=True)


def look_next(what: str) -> None:
    """The last line of a command, on a terminal: what to look at next."""
    click.echo(f"next: {what}", err=True)


def stop(message: object, code: int = BAD_INPUT) -> NoReturn:
    click.echo(f"anonnb: {in_options(message)}", err=True)
    sys.exit(code)


def indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
