"""What the commands share: exit codes, one-sentence errors, notes, and the options by which a file becomes a table.

Heavy modules are imported inside functions, so that ``anonnb --help`` answers at once.
"""

import ast
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

DONE, FAILED, BAD_INPUT = 0, 1, 2


def table_options(command: Any) -> Any:
    """The options by which a file becomes a table; shared by the commands about tables."""
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


def read_table(file: str, *, sep: str | None, encoding: str | None, decision: str | None, **options: Any) -> Any:
    """The table that the options describe; what is odd about it becomes a note."""
    from anonnb import Table
    from anonnb.csvfiles import read_table_file
    from anonnb.owndata import warn_of_identifiers

    with bad_input(), notes():
        frame = read_table_file(file, sep=delimiter(sep), encoding=encoding)
    for role in ("quasi", "sensitive", "identifier"):
        options[role] = columns(options[role], frame.columns)
    with bad_input(), notes():
        table = Table(frame, decision=decision, **options)
        warn_of_identifiers(table)
    return table


def delimiter(sep: str | None) -> str | None:
    """A tab is hard to type on a command line."""
    return {"\\t": "\t", "tab": "\t"}.get(sep, sep)


def columns(texts: tuple[str, ...], known: Any) -> list[str]:
    """``a,b`` names two columns, unless the table has one that is called so."""
    names = []
    for text in texts:
        names += [text] if text in known else [part.strip() for part in text.split(",") if part.strip()]
    return names


def known_name(name: str, known: list[str], what: str) -> str:
    """A registered name, however its letters are cased; ``Linkage`` will do for ``LinkageAttack``."""
    folded = {key.casefold(): key for key in known}
    found = folded.get(name.casefold()) or folded.get(f"{name.casefold()}{what}")
    return found or stop(f"there is no {what} {name!r}; known are {', '.join(known)}")


def check_out(out: Path, force: bool, suffixes: tuple[str, ...]) -> None:
    """Refuse a target that cannot be written, before the work starts."""
    if out.suffix not in suffixes:
        stop(f"-o {out}: use a name that ends in {' or '.join(suffixes)}")
    if not out.parent.is_dir():
        stop(f"-o {out}: there is no folder {out.parent}")
    if out.exists() and not force:
        stop(f"{out} exists already; choose another name or add --force")


def assignment(text: str, option: str) -> tuple[str, Any]:
    """``K=5`` as a name and a Python literal; what is no literal is a text."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        stop(f"{option} {text!r} is not NAME=VALUE")
    try:
        return name.strip(), ast.literal_eval(value.strip())
    except (ValueError, SyntaxError):
        words = {"true": True, "false": False, "none": None}
        return name.strip(), words.get(value.strip().lower(), value)


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
    """Warnings become notes on the error stream: a user has no use for the line of code that warned."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(f"note: {text}", err=True)


def stop(message: object, code: int = BAD_INPUT) -> NoReturn:
    text = message.args[0] if isinstance(message, KeyError) and message.args else message
    click.echo(f"anonnb: {text}", err=True)
    sys.exit(code)


def number(value: Any) -> str:
    """Four digits after the point at most; whole numbers as such."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    if number.is_integer():
        return str(int(number))
    return f"{number:.4f}" if number == number else "–"


def indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
