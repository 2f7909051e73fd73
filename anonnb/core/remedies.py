"""Remedies: what would help against an error or a warning, as data that everybody phrases in their own terms."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Remedy:
    """What would help: something to set, to choose or to use.

    ``kind`` is ``"role"`` (of a column), ``"parameter"`` (of a method or an attack), ``"option"`` (of reading or
    publishing a file), ``"hierarchy"`` (of the column ``name``), ``"method"``, ``"command"`` or ``"python"`` (which
    only a programmer can do). ``words`` is what a programmer writes. ``value`` would do; None stands for any, such as
    ``example``. ``role`` is the role that makes a parameter needless, ``also`` what a method needs besides.
    """

    kind: str
    name: str
    words: str
    value: object = None
    example: object = "COLUMN"
    role: str = ""
    unit: str = ""
    also: tuple[Remedy, ...] = ()


def role(name: str) -> Remedy:
    """Give a column a role: quasi, sensitive, decision, person or household."""
    several = name in ("quasi", "sensitive", "identifier")
    return Remedy("role", name, f"table.with_roles({name}={'[…]' if several else '…'})")


def parameter(
    name: str, value: object = None, *, words: str = "", example: object = "COLUMN", role: str = "", unit: str = ""
) -> Remedy:
    """Give a parameter a value, or any when none is named.

    >>> parameter("builder", "anonnb").words, parameter("target").words, parameter("time_limit", unit="seconds").words
    ("builder='anonnb'", 'target=…', 'time_limit=… seconds')
    """
    written = f"{name}={'…' if value is None else repr(value)}{' ' * bool(unit)}{unit}"
    return Remedy("parameter", name, words or written, value, example, role, unit)


def option(name: str, value: object = None, *, words: str = "") -> Remedy:
    """Read or publish a file with an option."""
    return Remedy("option", name, words or f"{name}={value!r}", value)


MISSING_VALUES = (option("missing", "value"), option("missing", "drop"))


def hierarchy(column: str, words: str = "") -> Remedy:
    """Attach a hierarchy to a column."""
    return Remedy("hierarchy", column, words or f"hierarchies={{{column!r}: …}}")


def method(name: str, *also: Remedy, **values: object) -> Remedy:
    """Use another method.

    >>> method("Forest", k=5).words, method("FullDomain", parameter("time_limit")).words
    ('Forest(k=5)', 'FullDomain(time_limit=…)')
    """
    written = [*(f"{key}={value!r}" for key, value in values.items()), *(remedy.words for remedy in also)]
    return Remedy("method", name, f"{name}({', '.join(written)})" if written else name, also=also)


def command(name: str, words: str) -> Remedy:
    """Use another command of the command line, which in Python is something else."""
    return Remedy("command", name, words)


def python(words: str) -> Remedy:
    """Do what only a programmer can do."""
    return Remedy("python", "", words)
