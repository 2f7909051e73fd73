"""Errors and notes in terms of the command that runs: remedies become its options.

A command has only some options; a remedy for which it has none is left out of the sentence.
"""

import re
import shlex

import click

from anonnb.core.errors import said
from anonnb.core.remedies import Remedy


def in_options(what: object) -> str:
    """An error, a warning or a message of the package with its remedies as options of the command line.

    >>> from anonnb.core import remedies
    >>> from anonnb.core.errors import Message, advice
    >>> in_options(Message("Forest needs a decision", advice("; name it: ", remedies.role("decision"))))
    'Forest needs a decision; name it: --decision COLUMN'
    """
    return said(what, as_option) if isinstance(what, BaseException | str) else str(what)


def as_option(remedy: Remedy) -> str | None:
    """What to write on the command line, or None if the running command has no such option."""
    if remedy.kind == "role":
        return f"--{remedy.name} COLUMN" if _has(f"--{remedy.name}") else None
    if remedy.kind == "parameter":
        return _parameter(remedy)
    if remedy.kind == "option":
        return _option(f"--{remedy.name}", remedy.value)
    if remedy.kind == "hierarchy":
        return f"--hierarchy {quoted(f'{remedy.name}=FILE')}" if _has("--hierarchy") else None
    if remedy.kind == "method":
        parts = [f"--method {remedy.name}" if _has("--method") else None, *map(as_option, remedy.also)]
        return None if None in parts else " ".join(parts)
    if remedy.kind == "command":
        return f"give an anonymized table to `anonnb {remedy.name}`"
    return None


def _parameter(remedy: Remedy) -> str | None:
    """The role that makes the parameter unnecessary, its own option, or ``--param``."""
    if remedy.role and _has(f"--{remedy.role}"):
        return f"--{remedy.role} COLUMN"
    value, unit = remedy.example if remedy.value is None else remedy.value, f" ({remedy.unit})" if remedy.unit else ""
    own = f"--{remedy.name.replace('_', '-')}"
    if own in (_options() or ()):
        return f"{own} {value}{unit}"
    return f"--param {remedy.name}={value}{unit}" if _has("--param") else None


def _option(option: str, value: object) -> str | None:
    if not _has(option):
        return None
    return option if value is True else f"{option} {'COLUMN' if value is None else quoted(str(value))}"


def _has(option: str) -> bool:
    """Whether the running command has an option; if no command runs, any option is possible."""
    known = _options()
    return known is None or option in known


def _options() -> set[str] | None:
    context = click.get_current_context(silent=True)
    return None if context is None else {option for own in context.command.params for option in own.opts}


def quoted(word: str) -> str:
    """A word as a shell takes it: bare if possible, otherwise in quotes that every shell knows.

    >>> print(quoted("age=FILE"), quoted("birth date=FILE"))
    age=FILE "birth date=FILE"
    """
    if shlex.quote(word) == word or re.fullmatch(r"[\w,.=:/-]+", word):
        return word
    return shlex.quote(word) if re.search(r'["$`\\!]', word) else f'"{word}"'
