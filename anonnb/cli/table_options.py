"""The options that turn a file into a table: how it is read, what its columns are, and ``--project``.

In options, ``A,B`` names two columns and ``zip=nominal`` says something about one. Names may contain commas and equals
signs: a text that is a column's name means that column. A project file stands for all these options: it sets their
defaults, and options that are given take precedence. It may be written like FILE: ``anonnb audit people.yaml``.
"""

from __future__ import annotations

import codecs
import csv
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from anonnb.cli.common import (
    BAD_INPUT,
    STANDARD_INPUT,
    Command,
    bad_input,
    note,
    notes,
    quoted,
    show_all,
    stop,
    table_option,
)
from anonnb.cli.progress import shown_progress
from anonnb.core.wording import did_you_mean

if TYPE_CHECKING:
    import pandas as pd

    from anonnb.publishing.project import Project
    from anonnb.tables.table import Table

KINDS = ("nominal", "ordinal", "numeric")
_PROJECT, _INPUT, _SHEETS = (f"{__name__}.{what}" for what in ("project", "input", "sheets"))  # kept by the context


def table_options(command: Command) -> Command:
    """Add the file and the options that turn it into a table; all commands about a table share them."""
    return click.argument("file")(column_options(command))  # - is standard input


def reading_options(command: Command) -> Command:
    """Add the options that say how a text file is written."""
    return _with_options(
        command,
        table_option("--sep", help="The delimiter; default: guessed."),
        table_option("--encoding", help="Default: UTF-8, else Windows-1252."),
        table_option("--decimal", type=click.Choice([".", ","]), default=".", show_default=True, help="Decimal mark."),
        table_option("--dayfirst", is_flag=True, help="Read 31.01.2020 as a date."),
        table_option("--sheet", metavar="NAME", help="The sheet of an Excel file; default: the one with most cells."),
    )


def column_options(command: Command) -> Command:
    """Add the options that say how a table is read and what its columns are; ``read_table`` takes them all."""
    described = _with_options(
        command,
        table_option("--kind", "kinds", multiple=True, metavar="A=KIND", help="nominal, ordinal or numeric."),
        table_option("--order", "orders", multiple=True, metavar="A=LOW,…", help="The order of a column's values."),
        table_option(
            "--values",
            "domains",
            multiple=True,
            metavar="A=V,…",
            help="What a column may hold, whatever the file has: values, edges between intervals of numbers, or 1..10.",
        ),
        table_option(
            "--hierarchy",
            "hierarchies",
            multiple=True,
            metavar="A=HOW",
            help='How a column may be blurred: a CSV file, one column per level, or words such as "intervals 5 10", '
            '"top 90000 bottom 10000", "mask 5", "month year", "rare 20".',
        ),
    )
    return _with_options(
        reading_options(described),
        click.option(
            "--project",
            metavar="YAML",
            is_eager=True,
            expose_value=False,
            callback=_take_project,
            help="A project file (see `anonnb init`), which says all about the table; it may also be given like FILE.",
        ),
        click.option(
            "--help-table",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=show_all,
            help="Show also the options about a table without a project, and exit.",
        ),
        table_option("--quasi", multiple=True, metavar="A,B", help="Quasi-identifiers: what others may know."),
        table_option("--sensitive", multiple=True, metavar="C", help="Sensitive columns."),
        table_option(
            "--identifiers", "--identifier", "identifier", multiple=True, metavar="D", help="Never published."
        ),
        table_option("--decision", metavar="E", help="The class that a model would predict."),
        table_option("--person", metavar="F", help="Whose row it is, where people have several rows: never published."),
        table_option("--household", metavar="G", help="Which household it is; G,H,I: and columns its members share."),
        table_option("--unit", type=click.Choice(["person", "household"]), default="person", help="Whom k counts."),
        table_option("--weight", metavar="J", help="Survey weights: never published as they are."),
        table_option("--missing", type=click.Choice(["value", "drop", "error"]), default="value", show_default=True),
    )


def _with_options(command: Command, *options: Any) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


# ---- the project ---------------------------------------------------------------------------------------------------


def running_project() -> Project | None:
    """Return the project that the running command was given."""
    return click.get_current_context().meta.get(_PROJECT)


def _take_project(context: click.Context, option: click.Parameter, path: str | None) -> None:
    if path is None:
        return
    from anonnb.files.opening import BadFile
    from anonnb.publishing.project import ProjectError, read_project

    try:
        project = read_project(path)
    except (ProjectError, BadFile) as error:
        for sentence in getattr(error, "mistakes", [str(error)]):
            click.echo(f"anonnb: {sentence}", err=True)
        sys.exit(BAD_INPUT)
    context.meta[_PROJECT] = project
    context.default_map = {**(context.default_map or {}), **_defaults(project, context.command.name)}


def _defaults(project: Project, command: str | None) -> dict[str, Any]:
    """Return a project as options of a command, some of which have another meaning under the same name."""
    given = project.command_options()
    if command in ("attack", "check"):  # FILE is the release
        data = given.pop("file", None)
        given |= {"against": data} if command == "attack" else {}  # check asks the record
    if command == "attack":
        given.pop("params", None)
    if command == "compare":
        given.pop("params", None)
        given |= {"ks": str(given["k"])} if "k" in given else {}
    if command == "report":
        given["data"] = given.pop("file", None)
    return {name: value for name, value in given.items() if value is not None}


# ---- reading -------------------------------------------------------------------------------------------------------


def read_table(
    file: str,
    *,
    also: str | None = None,
    sep: str | None = None,
    encoding: str | None = None,
    decimal: str = ".",
    dayfirst: bool = False,
    sheet: str | None = None,
    decision: str | None = None,
    person: str | None = None,
    household: str | None = None,
    unit: str = "person",
    weight: str | None = None,
    missing: str = "value",
    quasi: Iterable[str] = (),
    sensitive: Iterable[str] = (),
    identifier: Iterable[str] = (),
    kinds: Iterable[str] = (),
    orders: Iterable[str] = (),
    domains: Iterable[str] = (),
    hierarchies: Iterable[str] = (),
) -> Table:
    """Read the table that the options describe; what is odd about it becomes a note.

    The rows of the file ``also`` follow, with labels below 0, so that both have the same domains.
    """
    import numpy as np
    import pandas as pd

    from anonnb.publishing.table_opening import warn_of_identifiers
    from anonnb.tables.table import Table

    if not quasi:
        quasi_or_project = "with --quasi, such as --quasi age,zip, or in a project file (see `anonnb init`)"
        stop(f"name the quasi-identifiers, the columns that others may know, {quasi_or_project}")
    with bad_input(), notes(), shown_progress(f"reading {file}"):
        how: dict[str, Any] = {"encoding": encoding, "decimal": decimal, "dayfirst": dayfirst, "sheet": sheet}
        frame = read_frame(file, sep=delimiter(sep), **how)
        click.get_current_context().meta.setdefault(_SHEETS, {})[file] = frame.attrs.get("sheet")
        if also is not None:
            more = read_frame(also, sep=delimiter(sep), **how)
            if lacking := [name for name in frame.columns if name not in more.columns]:
                stop(f"{also} lacks the column {lacking[0]!r} of {file}")
            frame = pd.concat([frame, more[frame.columns].set_axis(-1 - np.arange(len(more)))])
    known, project = list(frame.columns), running_project()
    _check_project(file, known)
    roles = {}
    for role, given in {"quasi": quasi, "sensitive": sensitive, "identifier": identifier}.items():
        roles[role] = columns(given, known)
        if given and not roles[role]:
            stop(f"--{role} {next(iter(given))!r} names no column; the columns are {', '.join(known)}")
    with bad_input(), notes(), shown_progress(f"encoding {file}"):
        table = Table(
            frame,
            quasi=roles["quasi"],
            sensitive=roles["sensitive"],
            identifier=roles["identifier"],
            decision=decision,
            person=person or None,
            household=columns([household], known) if household else None,
            unit=unit,
            weight=weight or None,
            missing=missing,
            kinds=read_kinds(kinds, known),
            orders=read_orders(orders, frame),
            domains=read_domains(domains, frame, read_kinds(kinds, known)),
            hierarchies=read_hierarchies(hierarchies, known),
        )
        table = table if project is None else project.apply_preferences(table)
        warn_of_identifiers(table)
    if table.dropped:
        note(f"{table.dropped:,} of {len(frame):,} rows dropped because a column with a role has no value there")
    return table


def _check_project(file: str, known: list[str]) -> None:
    """Complain about a project's columns in its own words, not in options that nobody wrote."""
    project = running_project()
    if project is None:
        return
    for column in project.columns:
        used = column.roles or column.kind or column.order or column.hierarchy
        if used and column.name not in known:
            lacking = f"{file} has no column {column.name!r}, which {project.path.name} names"
            stop(f"{lacking}; {did_you_mean(column.name, known)}it has {', '.join(known)}")


def sheet_of(file: str) -> str | None:
    """Return the sheet that was read of an Excel file; None for any other file."""
    return click.get_current_context().meta.get(_SHEETS, {}).get(file)


def read_frame(file: str, **options: Any) -> pd.DataFrame:
    """Read the table in a file, or in standard input if its name is ``-``."""
    from anonnb.files.reading import read_table_bytes, read_table_file

    if file == STANDARD_INPUT:
        return read_table_bytes(_standard_input(), "standard input", **options)
    return read_table_file(file, **options)


def _standard_input() -> bytes:
    """Return the bytes of standard input, which is read once, however often a command needs it."""
    from anonnb.files.opening import bytes_of_stream

    kept = click.get_current_context().meta
    if _INPUT not in kept:
        kept[_INPUT] = bytes_of_stream(sys.stdin.buffer, "standard input")
    return kept[_INPUT]


def delimiter(sep: str | None) -> str | None:
    """Return the delimiter that is meant: a tab, hard to type, may be written as ``tab`` or with a backslash."""
    return "\t" if sep in ("\\t", "tab") else sep


def tell_layout(file: str, out: str, sep: str | None, encoding: str | None, decimal: str, dayfirst: bool) -> None:
    """Print a note if a CSV file is written in another layout than the one that was read."""
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


# ---- what options say about columns --------------------------------------------------------------------------------


def columns(texts: Iterable[str], known: Collection[str]) -> list[str]:
    """Split ``a,b`` into the names of two columns, unless the table has a column of that name."""
    names = []
    for text in texts:
        names += [text] if text in known else [part.strip() for part in text.split(",") if part.strip()]
    return names


def no_column(name: str, known: Iterable[str]) -> str:
    """Say that a table has no such column, and which was probably meant.

    >>> no_column("agee", ["age", "zip"])
    "there is no column 'agee'; did you mean age? the columns are age, zip"
    """
    return f"there is no column {name!r}; {did_you_mean(name, known)}the columns are {', '.join(known)}"


def option_of(option: str, names: Iterable[str]) -> str:
    """Write an option with names of columns for a shell; a name with a comma needs an option of its own.

    >>> option_of("--also", ["zip", "birth date"])
    '--also "zip,birth date"'
    """
    names = list(names)
    words = [",".join(name for name in names if "," not in name), *(name for name in names if "," in name)]
    return " ".join(f"{option} {quoted(word)}" for word in words if word)


def _split_column(option: str, text: str, known: Sequence[str], form: str) -> tuple[str, str]:
    """Split ``COLUMN=REST``; of several names that fit, the longest is meant.

    >>> _split_column("--hierarchy", "a=b=mask 5", ["a", "a=b"], "COLUMN=HIERARCHY")
    ('a=b', 'mask 5')
    """
    if "=" not in text:
        raise ValueError(f"{option} {text!r} is not {form}")
    column = max((name for name in known if text.startswith(f"{name}=")), key=len, default=None)
    if column is None:
        name = text.partition("=")[0]
        raise ValueError(f"{option} {text}: {no_column(name, known)}")
    return column, text[len(column) + 1 :].strip()


def read_kinds(texts: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """Read ``zip=nominal`` or ``zip,city=nominal``: the kind of each column that is named.

    >>> read_kinds(["zip,city=nominal", "age=numeric"], ["zip", "city", "age"])
    {'zip': 'nominal', 'city': 'nominal', 'age': 'numeric'}
    """
    result: dict[str, str] = {}
    for text in texts:
        names, equals, kind = text.rpartition("=")
        if not equals or kind.strip() not in KINDS:
            raise ValueError(f"--kind {text!r} is not COLUMN=KIND; the kinds are {', '.join(KINDS)}")
        for name in columns([names], known):
            if name not in known:
                raise ValueError(f"--kind {text}: {no_column(name, known)}")
            _once("--kind", name, result)
            result[name] = kind.strip()
    return result


def read_orders(texts: Iterable[str], frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Read ``risk=low,med,high``: the values of a column in ascending order; one with a comma needs quotes.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"grade": [1, 2], "size": ["big", "big"]})
    >>> read_orders(["grade=2,1,3", 'size="small, or less",big'], frame)
    {'grade': [2, 1, '3'], 'size': ['small, or less', 'big']}
    """
    from anonnb.publishing.table_opening import values_meant

    return {
        name: values_meant(words, frame[name]) for name, words in read_order_words(texts, list(frame.columns)).items()
    }


def read_order_words(texts: Iterable[str], known: Sequence[str]) -> dict[str, list[str]]:
    """Read orders as words, whatever the columns hold.

    >>> read_order_words(["grade=2,1,3"], ["grade"])
    {'grade': ['2', '1', '3']}
    """
    result: dict[str, list[str]] = {}
    for text in texts:
        name, rest = _split_column("--order", text, known, "COLUMN=LOW,…,HIGH")
        words = _split_values("--order", text, rest)
        if len(words) < 2 or "" in words:
            raise ValueError(f"--order {text!r}: name all values from the least to the greatest, as in {name}=low,high")
        _once("--order", name, result)
        result[name] = words
    return result


def read_domains(texts: Iterable[str], frame: pd.DataFrame, kinds: Mapping[str, str]) -> dict[str, list[Any] | str]:
    """Read ``sex=F,M``: what a column may hold; for numbers edges of intervals, or ``1..10`` for every whole number.

    A comma at the end allows for missing values.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [20, 30], "sex": ["F", "F"], "grade": [1, 2]})
    >>> read_domains(["age=0,18,65", "sex=F,M,", "grade=1..10"], frame, {})
    {'age': [0, 18, 65], 'sex': ['F', 'M', None], 'grade': '1..10'}
    """
    from anonnb.core.wording import literal
    from anonnb.publishing.table_opening import values_meant

    result: dict[str, list[Any] | str] = {}
    for text in texts:
        name, rest = _split_column("--values", text, list(frame.columns), "COLUMN=VALUE,… or COLUMN=EDGE,…")
        _once("--values", name, result)
        if ".." in rest and "," not in rest:
            result[name] = rest  # Table reads it
            continue
        words = _split_values("--values", text, rest)
        if frame[name].dtype.kind in "iuf" and kinds.get(name, "numeric") == "numeric":
            result[name] = [literal(word) if word else None for word in words]
        else:
            result[name] = [*values_meant([word for word in words if word], frame[name]), *[None] * ("" in words)]
    return result


def read_hierarchies(texts: Iterable[str], known: Sequence[str]) -> dict[str, str]:
    """Read ``age=intervals 5 10`` or ``age=age.csv``: what is written for each column.

    >>> read_hierarchies(["age=intervals 5 10"], ["age"])
    {'age': 'intervals 5 10'}
    """
    result: dict[str, str] = {}
    for text in texts:
        name, written = _split_column("--hierarchy", text, known, "COLUMN=FILE or COLUMN=HIERARCHY")
        _once("--hierarchy", name, result)
        result[name] = written
    return result


def _split_values(option: str, text: str, values: str) -> list[str]:
    """Split values at commas; one with a comma is in quotes."""
    try:
        return [word.strip() for word in next(csv.reader([values], skipinitialspace=True), [])]
    except csv.Error:
        raise ValueError(f"{option} {text!r}: write the values on one line, separated by commas") from None


def _once(option: str, name: str, result: Collection[str]) -> None:
    if name in result:
        raise ValueError(f"{option} names column {name!r} twice; name it once")
