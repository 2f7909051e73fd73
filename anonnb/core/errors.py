"""The errors that anonnb raises on purpose, besides Python's own ValueError, TypeError and KeyError.

A message says what is wrong (``problem``) and carries what would help as data (``remedies``). Its text is written for
programmers; the command line and the explorer phrase the same remedies in their own terms.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from anonnb.core.remedies import Remedy
from anonnb.core.wording import either

Speaker = Callable[[Remedy], str | None]  # phrases a remedy for a reader; None where it is out of their reach


@dataclass(frozen=True)
class Advice:
    """A part of a message that names remedies; ``otherwise`` replaces it for a reader who can use none of them."""

    lead: str
    remedies: tuple[Remedy, ...]
    tail: str = ""
    otherwise: str = ""

    def said(self, speaker: Speaker) -> str:
        alternatives = dict.fromkeys(filter(None, map(speaker, self.remedies)))
        return f"{self.lead}{either(alternatives)}{self.tail}" if alternatives else self.otherwise


class Message(str):
    """The text of an error or a warning, which knows its problem and its remedies.

    >>> from anonnb.core import remedies
    >>> message = Message("there is no decision", advice("; name it: ", remedies.role("decision")))
    >>> print(message)
    there is no decision; name it: table.with_roles(decision=…)
    >>> message.said(lambda remedy: f"--{remedy.name} COLUMN")
    'there is no decision; name it: --decision COLUMN'
    >>> message.said(lambda remedy: None)
    'there is no decision'
    """

    problem: str
    advice: tuple[Advice, ...]

    def __new__(cls, problem: str, *parts: Advice) -> Message:
        made = super().__new__(cls, problem + "".join(part.said(in_python) for part in parts))
        made.problem, made.advice = problem, parts
        return made

    @property
    def remedies(self) -> tuple[Remedy, ...]:
        return tuple(remedy for part in self.advice for remedy in part.remedies)

    def said(self, speaker: Speaker) -> str:
        """Return the message with its remedies phrased by a speaker."""
        return self.problem + "".join(part.said(speaker) for part in self.advice)

    def __reduce__(self) -> tuple:
        return type(self), (self.problem, *self.advice)


def advice(lead: str, *remedies: Remedy, tail: str = "", otherwise: str = "") -> Advice:
    """Return a part of a message; any of the remedies will do."""
    return Advice(lead, remedies, tail, otherwise)


def prefixed(prefix: str, message: str) -> str:
    """Return a message that begins with what it is about; its remedies stay.

    >>> prefixed("people.csv: ", "column 'age' is odd")
    "people.csv: column 'age' is odd"
    """
    return Message(prefix + message.problem, *message.advice) if isinstance(message, Message) else prefix + message


def message_of(error: BaseException) -> str:
    """Return what an error or a warning says: its Message if it has one, else its text."""
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    return str(error.args[0] if isinstance(error, KeyError) and error.args else error)


def is_deliberate(error: BaseException, packages: Collection[str] = ("anonnb",)) -> bool:
    """Return whether a ``raise`` statement in one of the packages raised an error.

    Deliberate errors are sentences about the input. Any other, such as a KeyError from a dictionary or whatever numpy
    complains about, is a defect, even if it has the same type.

    >>> from anonnb.tables.datasets import load
    >>> def caught(work):
    ...     try:
    ...         work()
    ...     except Exception as error:
    ...         return error
    >>> is_deliberate(caught(lambda: load("no such table"))), is_deliberate(caught(lambda: {}["age"]))
    (True, False)
    """
    trace = error.__traceback__
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    package = trace.tb_frame.f_globals.get("__name__", "").partition(".")[0]
    instruction = trace.tb_frame.f_code.co_code[trace.tb_lasti]
    return package in packages and instruction == dis.opmap["RAISE_VARARGS"]


def said(error: BaseException | str, speaker: Speaker) -> str:
    """Return an error, a warning or a text with remedies phrased by a speaker, and with values that would do.

    >>> said(KeyError("there is no column 'zip'"), in_python)
    "there is no column 'zip'"
    """
    message = message_of(error) if isinstance(error, BaseException) else error
    text = message.said(speaker) if isinstance(message, Message) else str(message)
    named = message.remedies if isinstance(message, Message) else ()
    further = [remedy for remedy in getattr(error, "remedies", ()) if remedy not in named]
    return text + Advice("; ", tuple(further), tail=" would do").said(speaker)


def in_python(remedy: Remedy) -> str:
    return remedy.words


class Infeasible(ValueError):
    """No release meets the requirement.

    Parameters
    ----------
    message:
        What is wrong, and what to do.
    best:
        How far the method got, where it knows: the largest k that it could reach, say.
    remedies:
        Values of parameters that would do; those of the message are added.

    Examples
    --------
    >>> from anonnb.core.remedies import parameter
    >>> error = Infeasible("k = 9 needs at least 9 rows; the table has 4", best=4, remedies=[parameter("k", 4)])
    >>> str(error), error.remedies[0].words
    ('k = 9 needs at least 9 rows; the table has 4', 'k=4')
    """

    def __init__(self, message: str, best: object = None, remedies: Iterable[Remedy] = ()):
        super().__init__(message)
        self.best = best
        self.remedies = (*(message.remedies if isinstance(message, Message) else ()), *remedies)
