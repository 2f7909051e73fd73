"""Constraints: what a parameter may hold, declared once and used three times.

A constraint checks and normalizes a value, says in words what it allows, and reads a value from a command line.
Reading chosen: a value of another kind is a TypeError, one of the right kind outside the limits a ValueError.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import date
from numbers import Integral, Real
from typing import Any

from anonnb.core.wording import either, literal, short_repr, unquoted


class Constraint:
    """Base of all constraints, and the one that allows anything.

    ``kind`` names the valid types in words, and ``words`` adds the limits. Subclasses say which types are valid
    (``has_valid_type``), what form a value takes (``normalize``) and which values are allowed (``in_range``, with
    ``limits`` in words).
    """

    kind = "anything"
    limits = ""

    def __init__(self, *, called: str = ""):
        self._called = called

    @property
    def words(self) -> str:
        """What is allowed, as in "k must be …"."""
        return self._called or self.kind

    def has_valid_type(self, value: object) -> bool:
        return True

    def normalize(self, value: Any) -> Any:
        return value

    def in_range(self, value: Any) -> bool:
        return True

    def accepts(self, value: object) -> bool:
        try:
            self.validate("", value)
        except (TypeError, ValueError):
            return False
        return True

    def validate(self, name: str, value: Any) -> Any:
        """Return the value in its one form, or raise a sentence with the name of the parameter and the value."""
        if not self.has_valid_type(value):
            raise TypeError(self.refusal(name, value, self.kind))
        value = self.normalize(value)
        if not self.in_range(value):
            raise ValueError(self.refusal(name, value, self.limits or self.words))
        return value

    def refusal(self, name: str, value: object, wanted: str) -> str:
        return f"{name} must be {wanted}, not {short_repr(value)}"

    def read(self, name: str, text: str) -> object:
        """Read a written value; what cannot be read stays a text, which ``validate`` then refuses."""
        return literal(text)


class Whole(Constraint):
    """A whole number, Python's or numpy's; a bool is none.

    >>> Whole(at_least=1).words, Whole(at_least=1).read("k", "5")
    ('a whole number of at least 1', 5)
    >>> Whole(at_least=1).validate("k", 0)
    Traceback (most recent call last):
    ...
    ValueError: k must be at least 1, not 0
    """

    kind = "a whole number"

    def __init__(self, *, at_least: int | None = None, called: str = ""):
        super().__init__(called=called)
        self.at_least = at_least
        self.limits = "" if at_least is None else f"at least {at_least}"

    @property
    def words(self) -> str:
        return self._called or (f"{self.kind} of {self.limits}" if self.limits else self.kind)

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, Integral) and not isinstance(value, bool)

    def normalize(self, value: Any) -> int:
        return int(value)

    def in_range(self, value: Any) -> bool:
        return self.at_least is None or value >= self.at_least


class Number(Constraint):
    """A number between limits, which belong to it (``at_least``, ``at_most``) or do not (``above``, ``below``).

    >>> Number(above=0, at_most=1).words
    'a number above 0 and at most 1'
    """

    def __init__(
        self,
        *,
        at_least: float | None = None,
        above: float | None = None,
        at_most: float | None = None,
        below: float | None = None,
        unit: str = "",
        called: str = "",
    ):
        super().__init__(called=called)
        self.kind = f"a number of {unit}" if unit else "a number"
        self._low, self._open_low = (above, True) if above is not None else (at_least, False)
        self._high, self._open_high = (below, True) if below is not None else (at_most, False)
        low = "" if self._low is None else f"{'above' if self._open_low else 'at least'} {self._low}"
        high = "" if self._high is None else f"{'below' if self._open_high else 'at most'} {self._high}"
        self.limits = " and ".join(filter(None, [low, high])) or self.kind

    @property
    def words(self) -> str:
        between = " of " if self.limits.startswith("at ") else " "
        return self._called or (self.kind if self.limits == self.kind else f"{self.kind}{between}{self.limits}")

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, Real) and not isinstance(value, bool)

    def normalize(self, value: Any) -> Any:
        if isinstance(value, Integral):
            return int(value)
        return float(value) if isinstance(value, float) else value  # a Fraction stays exact

    def in_range(self, value: Any) -> bool:
        low = self._low is None or (value > self._low if self._open_low else value >= self._low)
        high = self._high is None or (value < self._high if self._open_high else value <= self._high)
        return low and high and not math.isnan(value)


class Flag(Constraint):
    """True or False, and nothing that is merely taken for one.

    >>> Flag().read("strict", "no"), Flag().words
    (False, 'True or False')
    """

    kind = "True or False"

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, bool) or type(value).__name__ == "bool"  # numpy's is no subclass of Python's

    def normalize(self, value: Any) -> bool:
        return bool(value)

    def read(self, name: str, text: str) -> object:
        constants = {"true": True, "yes": True, "false": False, "no": False}
        return constants.get(text.strip().lower(), text)


class Choice(Constraint):
    """One of a few words; a mapping tells what each of them means, ``otherwise`` what to do if none will do.

    >>> Choice(["median", "loss"]).validate("cut", "mean")
    Traceback (most recent call last):
    ...
    ValueError: cut='mean' is not known; use 'median', 'loss'
    """

    def __init__(self, values: Iterable[str] | Mapping[str, str], *, otherwise: str = ""):
        super().__init__()
        self.values = tuple(values)
        meanings = values if isinstance(values, Mapping) else {}
        self._shown = [f"{value!r} ({meanings[value]})" if value in meanings else repr(value) for value in self.values]
        self.kind = either(self._shown)
        self._otherwise = f", {otherwise}" if otherwise else ""

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, str)

    def normalize(self, value: Any) -> str:
        return str(value)

    def in_range(self, value: Any) -> bool:
        return value in self.values

    def refusal(self, name: str, value: object, wanted: str) -> str:
        return f"{name}={short_repr(value)} is not known; use {', '.join(self._shown)}{self._otherwise}"

    def read(self, name: str, text: str) -> object:
        return unquoted(text)


class Text(Constraint):
    """A text; ``kind`` says of what."""

    def __init__(self, kind: str = "a text"):
        super().__init__()
        self.kind = kind

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, str)

    def read(self, name: str, text: str) -> object:
        return unquoted(text)


class Name(Constraint):
    """The name of a column: a text, or another label that a frame may have."""

    kind = "the name of a column"

    def has_valid_type(self, value: object) -> bool:
        return is_name(value)

    def read(self, name: str, text: str) -> object:
        return unquoted(text)


def is_name(value: object) -> bool:
    """Return whether a value can name a column: a text, or a whole number or a date, which frames allow too.

    >>> [is_name(value) for value in ("age", 3, None, True, ["age"])]
    [True, True, False, False, False]
    """
    return isinstance(value, str | Integral | date) and not isinstance(value, bool)


# What many parameters share.
POSITIVE = Whole(at_least=1)
SHARE = Number(above=0, at_most=1)
SECONDS = Number(above=0, unit="seconds")
SEED = Whole(at_least=0)
