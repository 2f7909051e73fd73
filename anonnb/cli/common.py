"""What the commands share: exit codes, one-sentence errors, notes, and remedies phrased as options.

Heavy modules are imported inside functions, so that ``anonnb --help`` answers at once.
"""

from __future__ import annotations

import errno
import math
import os
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeVar

import click

from anonnb.core.errors import is_deliberate, message_of, said
from anonnb.core.extras import MissingExtra
from anonnb.core.remedies import Remedy
from anonnb.core.wording import did_you_mean

if TYPE_CHECKING:
    from anonnb.core.parameters.declared import Parameters

DONE, FAILED, BAD_INPUT, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130
WRITING_MORE = ("report", "notebooks", "coursework", "lab")  # commands that do not write all at the end, or nothing
ALL_OPTIONS = f"{__name__}.help"  # kept by the context of a command that shows all its options
STANDARD_INPUT = "-"

Command = TypeVar("Command", bound=Callable[..., Any] | click.Command)
Made = TypeVar("Made", bound="Parameters")


class Seconds(click.FloatRange):
    """A finite number of seconds."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = super().convert(value, param, ctx)
        return seconds if math.isfinite(seconds) else self.fail(f"{value} is no number of seconds.", param, ctx)


TIMEOUT = Seconds(min=1, max=30 * 24 * 3600.0)  # system clocks cannot wait for ever


# ---- commands about a table -----------------------------------------------------------------------------------------


class TableOption(click.Option):
    """An option about a table, which a project makes needless: ``--help`` leaves it out, ``--help-table`` does not."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        hidden = isinstance(ctx.command, TableCommand) and not ctx.meta.get(ALL_OPTIONS)
        return None if hidden else super().get_help_record(ctx)


class TableCommand(click.Command):
    """A command about a table; an argument that ends in .yaml is a project file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        valued = {name for each in self.params if not getattr(each, "is_flag", True) for name in each.opts}
        words: list[str] = []
        for word in args:
            is_file = not word.startswith("-") and "--" not in words and (not words or words[-1] not in valued)
            words += ["--project"] * (is_file and word.lower().endswith((".yaml", ".yml"))) + [word]
        return super().parse_args(ctx, words)


table_option = partial(click.option, cls=TableOption)


def show_all(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """Show the help with the options about a table."""
    if wanted:
        context.meta[ALL_OPTIONS] = True
        click.echo(context.get_help())
        context.exit()


# ---- errors and notes ----------------------------------------------------------------------------------------------


class Guarded(click.Group):
    """A group of commands whose errors become one sentence and an exit code; tracebacks are shown on request."""

    def invoke(self, ctx: click.Context) -> Any:
        for stream in (sys.stdout, sys.stderr):  # spell out letters that the terminal does not know
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        warnings.showwarning = _show_as_note
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            stop(f"stopped{'' if ctx.invoked_subcommand in WRITING_MORE else '; nothing was written'}", INTERRUPTED)
        except Exception as error:
            if getattr(error, "errno", None) == errno.EPIPE:  # nobody reads the output: click ends quietly
                raise
            sentence, code = _describe_error(error)
            if code == DEFECT and ctx.params.get("traceback"):
                raise
            stop(sentence, code)


def _show_as_note(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show a warning of the package as a note, once per command; others are not for the user."""
    context = click.get_current_context(silent=True)
    shown: set[str] = set() if context is None else context.meta.setdefault(__name__, set())
    if issubclass(category, UserWarning) and str(message) not in shown:
        shown.add(str(message))
        note(message)


def _describe_error(error: Exception) -> tuple[str, int]:
    if isinstance(error, MissingExtra):
        return str(error), BAD_INPUT
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror, FAILED
    if isinstance(error, MemoryError):
        context = click.get_current_context(silent=True)
        attacks = ", or add --no-attacks" if context is not None and context.invoked_subcommand == "anonymize" else ""
        helps = "give fewer columns a role, bin those with thousands of values, or take a sample of the rows"
        return f"there is not enough memory for this; {helps}{attacks}", FAILED
    what = " ".join(f"{type(error).__name__}: {error}".split())
    how = "please report it with what `anonnb --traceback …` prints"
    return f"this is a defect of anonnb, {how} ({what[:300]})", DEFECT


def is_about_input(error: Exception) -> bool:
    """Return whether an error is a sentence about the input, from anonnb or a plug-in, and not a defect."""
    groups = ("anonnb.methods", "anonnb.attacks")
    plugins = {point.module.partition(".")[0] for group in groups for point in entry_points(group=group)}
    return isinstance(error, ValueError | TypeError | KeyError) and is_deliberate(error, {"anonnb", *plugins})


@contextmanager
def bad_input(unless: type[Exception] | tuple[()] = ()) -> Iterator[None]:
    """Stop with the sentence of an error about the input; let defects pass."""
    try:
        yield
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, unless) or not is_about_input(error):
            raise
        stop(error)


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[None]:
    """Stop with a sentence if a file cannot be written, or if another process wrote it in the meantime."""
    try:
        yield
    except FileExistsError:
        stop(f"{path} exists already; choose another name or add --force")
    except OSError as error:
        stop(f"{path} cannot be written: {error.strerror}", FAILED)


@contextmanager
def notes() -> Iterator[None]:
    """Turn warnings into notes on the error stream, without the line of code that warned."""
    from anonnb.tables.roles import PersonWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        if "--rows-are-people" in (_options() or ()):  # such a command asks and does not warn
            warnings.simplefilter("ignore", PersonWarning)
        yield
    messages = (message_of(each.message) if isinstance(each.message, Warning) else each.message for each in caught)
    for message in dict.fromkeys(messages):
        note(message)


def note(message: object) -> None:
    click.echo(f"note: {in_options(message)}", err=True)


def announce(what: str) -> None:
    """Print the first line of a command: what it is about to do, once it is known that it can."""
    click.echo(f"now: {what}", err=True)


def look_next(what: str) -> None:
    """Print the last line of a command: what to look at next."""
    click.echo(f"next: {what}", err=True)


def print_table(lines: Sequence[Sequence[str]], left: Container[int] = (0,)) -> None:
    """Print cells in columns, aligned to the right, but the columns ``left`` to the left."""
    sides = [
        ("<" if index in left else ">", max(map(len, cells))) for index, cells in enumerate(zip(*lines, strict=True))
    ]
    for line in lines:
        cells = (f"{cell:{side}{width}}" for cell, (side, width) in zip(line, sides, strict=True))
        click.echo(f"  {'  '.join(cells)}".rstrip())


def stop(message: object, code: int = BAD_INPUT) -> NoReturn:
    click.echo(f"anonnb: {in_options(message)}", err=True)
    sys.exit(code)


# ---- remedies as options -------------------------------------------------------------------------------------------


def in_options(message: object) -> str:
    """Phrase an error, a warning or a message with its remedies as options of the command that runs.

    A remedy for which the command has no option is left out of the sentence.

    >>> from anonnb.core import remedies
    >>> from anonnb.core.errors import Message, advice
    >>> in_options(Message("Forest needs a decision", advice("; name it: ", remedies.role("decision"))))
    'Forest needs a decision; name it: --decision COLUMN'
    """
    return said(message, _as_option) if isinstance(message, BaseException | str) else str(message)


def _as_option(remedy: Remedy) -> str | None:
    """Return what to write on the command line, or None if the running command has no such option."""
    if remedy.kind == "role":
        return f"--{remedy.name} COLUMN" if _has(f"--{remedy.name}") else None
    if remedy.kind == "parameter":
        return _as_parameter(remedy)
    if remedy.kind == "option" and _has(f"--{remedy.name}"):
        value = "COLUMN" if remedy.value is None else quoted(str(remedy.value))
        return f"--{remedy.name}" if remedy.value is True else f"--{remedy.name} {value}"
    if remedy.kind == "hierarchy":
        return f"--hierarchy {quoted(f'{remedy.name}=FILE')}" if _has("--hierarchy") else None
    if remedy.kind == "method" and _has("--method"):
        parts = [_as_option(part) for part in remedy.also]
        return None if None in parts else " ".join([f"--method {remedy.name}", *filter(None, parts)])
    if remedy.kind == "command":
        return f"give an anonymized table to `anonnb {remedy.name}`"
    return None


def _as_parameter(remedy: Remedy) -> str | None:
    """Return the role that makes the parameter unnecessary, its own option, or ``--param``."""
    if remedy.role and _has(f"--{remedy.role}"):
        return f"--{remedy.role} COLUMN"
    value, unit = remedy.example if remedy.value is None else remedy.value, f" ({remedy.unit})" if remedy.unit else ""
    option = f"--{remedy.name.replace('_', '-')}"
    if option in (_options() or ()):
        return f"{option} {value}{unit}"
    return f"--param {remedy.name}={value}{unit}" if _has("--param") else None


def _has(option: str) -> bool:
    """Return whether the running command has an option; if no command runs, any option is possible."""
    known = _options()
    return known is None or option in known


def _options() -> set[str] | None:
    context = click.get_current_context(silent=True)
    return None if context is None else {option for each in context.command.params for option in each.opts}


def quoted(word: str) -> str:
    """Quote a word for a shell: bare if possible, otherwise in quotes that every shell knows.

    >>> print(quoted("age=FILE"), quoted("birth date=FILE"))
    age=FILE "birth date=FILE"
    """
    if shlex.quote(word) == word or re.fullmatch(r"[\w,.=:/-]+", word):
        return word
    return shlex.quote(word) if re.search(r'["$`\\!]', word) else f'"{word}"'


# ---- names, parameters and targets ---------------------------------------------------------------------------------


def known_name(name: str, known: Iterable[str], what: str, also: Iterable[str] = (), where: str = "") -> str:
    """Return a registered name, however its letters are cased; ``Linkage`` will do for ``LinkageAttack``.

    ``also`` lists further words that could have been given, and ``where`` begins the sentence if there is no such name.
    """
    folded = {key.casefold(): key for key in known}
    match = folded.get(name.casefold()) or folded.get(f"{name.casefold()}attack")
    if match:
        return match
    meant = did_you_mean(name, folded.values(), 2)
    stop(f"{where}there is no {what} {name!r}; {meant}known are {', '.join([*also, *folded.values()])}")


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
    """Split ``K=5`` into a name and what is written for it."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        stop(f"{option} {text!r} is not NAME=VALUE")
    return name.strip(), value


class Written(str):
    """A value of ``--param``, which the parameter's constraint reads."""


def given_parameters(params: tuple[str, ...], **options: Any) -> dict[str, Any]:
    """Collect the options that were given and the assignments of ``--param`` as they are written, no name twice."""
    given = {name: value for name, value in options.items() if value is not None}
    for name, value in (assignment(text, "--param") for text in params):
        if name in given:
            stop(f"the parameter {name!r} is given twice: {given[name]} and {value}; give it once")
        given[name] = Written(value)
    return given


def made(cls: type[Made], given: Mapping[str, Any]) -> Made:
    """Make a method, an attack or a model with parameters as they were given."""
    values = checked_parameters(cls, given)
    with bad_input():
        return cls(**values)


def checked_parameters(cls: type[Parameters], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as the class understands them; each reads what is written for it."""
    allowed = cls.constraints()
    with bad_input():
        return {
            name: allowed[name].validate(name, allowed[name].read(name, value)) if isinstance(value, Written) else value
            for name, value in given.items()
        }
