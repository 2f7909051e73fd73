"""Constraints of several values, of objects, and those made of other constraints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from anonnb.core.parameters.constraints import Constraint, is_name
from anonnb.core.wording import either, literal, short_repr


class Several(Constraint):
    """Several values, or a single text, which stands for itself; they become a tuple.

    >>> Several(called="values").validate("ruled_out", ["flu", "cold"])
    ('flu', 'cold')
    """

    kind = "several values"

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, Iterable) and not isinstance(value, Mapping | bytes)

    def normalize(self, value: Any) -> tuple:
        return (value,) if isinstance(value, str) else tuple(value)

    def read(self, name: str, text: str) -> object:
        """Read a Python list, or words with commas between them."""
        parsed = literal(text) if text.strip()[:1] in tuple("[(\"'") else text
        if isinstance(parsed, list | tuple) or parsed != text:
            return parsed
        return tuple(part.strip() for part in text.split(",") if part.strip())


class Names(Several):
    """Names of columns: one text or several; they become a tuple.

    >>> Names().validate("known", "zip"), Names().read("known", "zip, age")
    (('zip',), ('zip', 'age'))
    """

    kind = "names of columns"

    def __init__(self, *, some: bool = False):
        super().__init__()
        self._some = some

    def validate(self, name: str, value: object) -> tuple:
        names = super().validate(name, value)
        for item in names:
            if not is_name(item):
                raise TypeError(f"{name} must be {self.kind}, but {short_repr(item)} is none")
        if self._some and not names:
            raise ValueError(f"{name} names no column, it is {short_repr(value)}; name at least one, or leave it out")
        return names


def unwritable(name: str, text: str, words: str) -> str:
    return f"{name} cannot be written on a command line: it takes {words}, not {text!r}; use Python"


class Instance(Constraint):
    """An object of a class, which cannot be written on a command line; ``advice`` says how to make one."""

    def __init__(self, cls: type | tuple[type, ...], called: str, *, advice: str = ""):
        super().__init__()
        self._cls, self.kind = cls, called
        self._advice = f"; {advice}" if advice else ""

    def has_valid_type(self, value: object) -> bool:
        return self._is_one(value)

    def _is_one(self, value: object) -> bool:
        return isinstance(value, self._cls)

    def refusal(self, name: str, value: object, wanted: str) -> str:
        return f"{super().refusal(name, value, wanted)}{self._advice}"

    def read(self, name: str, text: str) -> object:
        raise ValueError(unwritable(name, text, self.words))


class Instances(Instance):
    """Objects of a class: one or several; they become a tuple. ``called`` names one of them without an article."""

    def __init__(self, cls: type | tuple[type, ...], called: str, *, advice: str = ""):
        super().__init__(cls, f"{called}s", advice=advice)
        self._one = called

    def has_valid_type(self, value: object) -> bool:
        return True

    def normalize(self, value: Any) -> tuple:
        single = self._is_one(value) or isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable)
        return (value,) if single else tuple(value)

    def validate(self, name: str, value: object) -> tuple:
        items = self.normalize(value)
        for item in items:
            if not self._is_one(item):
                raise TypeError(f"{name} holds {short_repr(item)}, which is no {self._one}{self._advice}")
        return items


class Function(Constraint):
    """Anything that can be called."""

    kind = "a function"

    def has_valid_type(self, value: object) -> bool:
        return callable(value)

    def read(self, name: str, text: str) -> object:
        raise ValueError(unwritable(name, text, self.words))


class ByName(Constraint):
    """A value for each of some columns.

    >>> from anonnb.core.parameters.constraints import Number
    >>> ByName(Number(at_least=0)).words
    'a number of at least 0 for each of some columns, such as {"age": 2}'
    """

    kind = "a mapping"

    def __init__(self, each: Constraint, *, example: str = '{"age": 2}'):
        super().__init__()
        self._each = each
        self.kind = f"{each.words} for each of some columns, such as {example}"

    def has_valid_type(self, value: object) -> bool:
        return isinstance(value, Mapping)

    def validate(self, name: str, value: object) -> dict:
        validated = super().validate(name, value)
        return {key: self._each.validate(f"{name} of {key!r}", item) for key, item in validated.items()}


class Optional(Constraint):
    """None, or what another constraint allows.

    >>> from anonnb.core.parameters.constraints import Number
    >>> Optional(Number(above=0, unit="seconds")).words
    'a number of seconds above 0, or None'
    """

    def __init__(self, other: Constraint):
        super().__init__()
        self._other = other
        self.kind = f"{other.kind} or None"

    @property
    def words(self) -> str:
        return f"{self._other.words}, or None"

    def has_valid_type(self, value: object) -> bool:
        return value is None or self._other.has_valid_type(value)

    def validate(self, name: str, value: object) -> object:
        if value is None or self._other.has_valid_type(value):
            return None if value is None else self._other.validate(name, value)
        raise TypeError(self._other.refusal(name, value, self.kind))

    def read(self, name: str, text: str) -> object:
        return None if text.strip().lower() == "none" else self._other.read(name, text)


class OneOf(Constraint):
    """What any of several constraints allows; the first that does decides the form.

    >>> from anonnb.core.parameters.constraints import Whole
    >>> OneOf(Whole(at_least=1), Names()).words
    'a whole number of at least 1 or names of columns'
    """

    def __init__(self, *others: Constraint):
        super().__init__()
        self._others = others
        self.kind = either([other.words for other in others])

    def has_valid_type(self, value: object) -> bool:
        return any(other.has_valid_type(value) for other in self._others)

    def validate(self, name: str, value: object) -> object:
        for other in self._others:
            with suppress(TypeError, ValueError):
                return other.validate(name, value)
        error = ValueError if self.has_valid_type(value) else TypeError
        raise error(self.refusal(name, value, self.words))

    def read(self, name: str, text: str) -> object:
        for other in self._others:
            if not isinstance(other, Instance | Function):
                value = other.read(name, text)
                if other.accepts(value):
                    return value
        return literal(text)
