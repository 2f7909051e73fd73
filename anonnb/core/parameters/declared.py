"""Parameters: frozen dataclasses of methods, attacks and models, whose fields declare what they allow.

``parameter`` declares a field with its constraint; ``Parameters`` checks and normalizes all of them when an object is
made. What relates several parameters is checked in ``_check_parameters``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields
from typing import Any, ClassVar

from anonnb.core.parameters.constraints import Constraint
from anonnb.core.wording import short_repr

_KEY = "constraint"


def parameter(
    constraint: Constraint,
    *,
    default: Any = MISSING,
    default_factory: Callable[[], Any] | Any = MISSING,
    repr: bool = True,
    compare: bool = True,
    kw_only: bool = False,
) -> Any:
    """Declare a field of a dataclass of parameters, with what it allows; without a default it must be given."""
    return field(
        default=default,
        default_factory=default_factory,
        repr=repr,
        compare=compare,
        kw_only=kw_only,
        metadata={_KEY: constraint},
    )


class Parameters:
    """Mixin for frozen dataclasses of parameters, which are checked when an object is made.

    Raises
    ------
    TypeError
        If a parameter is of the wrong kind, such as a text where a number is needed.
    ValueError
        If a parameter is out of its range, or does not go with another one.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from anonnb.core.parameters.constraints import Whole
    >>> @dataclass(frozen=True)
    ... class Coins(Parameters):
    ...     count: int = parameter(Whole(at_least=1), default=2)
    >>> str(Coins(3)), Coins.constraints()["count"].words
    ('Coins(count=3)', 'a whole number of at least 1')
    >>> Coins("many")
    Traceback (most recent call last):
    ...
    TypeError: count must be a whole number, not 'many'
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # made by the decorator

    def __post_init__(self) -> None:
        for name, constraint in self.constraints().items():
            object.__setattr__(self, name, constraint.validate(name, getattr(self, name)))
        self._check_parameters()

    def _check_parameters(self) -> None:
        """Check what relates several parameters, in subclasses; each by itself is right already."""

    @classmethod
    def constraints(cls) -> dict[str, Constraint]:
        """Return what each parameter may hold; a field that declares nothing may hold anything."""
        return {f.name: f.metadata.get(_KEY, _ANYTHING) for f in fields(cls) if f.init}

    @classmethod
    def defaults(cls) -> dict[str, str]:
        """Return the default of each parameter as it is written; empty if there is none."""
        made = {f.name: _made(f) for f in fields(cls) if _has(f)}
        return {name: short_repr(made[name]) if name in made else "" for name in cls.constraints()}

    def __str__(self) -> str:
        shown_fields = [
            f"{f.name}={_written(getattr(self, f.name))}"
            for f in fields(self)
            if f.repr and getattr(self, f.name) != _made(f)
        ]
        return f"{type(self).__name__}({', '.join(shown_fields)})"


def _written(value: Any) -> str:
    """Write a value as people do: objects with parameters without those that have their defaults."""
    if isinstance(value, tuple) and value and all(isinstance(part, Parameters) for part in value):
        return str(value[0]) if len(value) == 1 else f"[{', '.join(map(str, value))}]"
    return str(value) if isinstance(value, Parameters) else repr(value)


_ANYTHING = Constraint()


def _made(declared: Any) -> Any:
    """Return the default of a field; MISSING if there is none."""
    return declared.default if declared.default_factory is MISSING else declared.default_factory()


def _has(declared: Any) -> bool:
    return declared.default is not MISSING or declared.default_factory is not MISSING
