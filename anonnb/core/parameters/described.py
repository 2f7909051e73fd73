"""Parameters in docstrings: a class shows what its bases say about parameters that it inherits.

A parameter such as ``require`` is described once, at the base class that declares it; ``help(OKA)`` shows it too.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass

_HEADING = re.compile(r"^(\w[\w ]*)\n(-{3,})$", re.MULTILINE)
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*) *:.*\n(?:(?: .*)?\n)*", re.MULTILINE)


def with_inherited_parameters(cls: type) -> type:
    """Put what the bases of a dataclass say about its parameters before what the class itself says; done once.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Base:
    ...     '''A base.
    ...
    ...     Parameters
    ...     ----------
    ...     k:
    ...         The smallest class.
    ...     '''
    ...     k: int = 2
    >>> @dataclass
    ... class Child(Base):
    ...     '''A child.'''
    >>> print(with_inherited_parameters(Child).__doc__)
    A child.
    <BLANKLINE>
    Parameters
    ----------
    k:
        The smallest class.
    """
    doc = inspect.cleandoc(vars(cls).get("__doc__") or "")
    if not doc or not is_dataclass(cls):
        return cls
    own_entries = _entries(doc)
    lacking = {field.name for field in fields(cls) if field.init} - _named(own_entries)
    inherited: list[str] = []
    for base in cls.__mro__[1:]:  # the nearest that describes a parameter counts; what is declared first stands first
        entries = _entries(inspect.cleandoc(vars(base).get("__doc__") or ""))
        fitting = [entry for entry in entries if _named([entry]) & lacking]
        lacking -= _named(fitting)
        inherited = fitting + inherited
    if inherited:
        cls.__doc__ = _with_entries(doc, [*inherited, *own_entries])
    return cls


def _named(entries: list[str]) -> set[str]:
    """Return the parameters that entries are about."""
    return {name.strip(" *") for entry in entries for name in entry.partition(":")[0].split(",")}


def _entries(doc: str) -> list[str]:
    """Return the entries of the section Parameters, with their descriptions; none without such a section."""
    section = _section(doc)
    return [] if section is None else [match.group().rstrip() for match in _ENTRY.finditer(doc[slice(*section)] + "\n")]


def _section(doc: str) -> tuple[int, int] | None:
    """Return where the text below the heading Parameters begins and ends."""
    headings = list(_HEADING.finditer(doc))
    starts = [heading.start() for heading in headings] + [len(doc)]
    spans = [
        (heading.end(), end) for heading, end in zip(headings, starts[1:], strict=True) if heading[1] == "Parameters"
    ]
    return spans[0] if spans else None


def _with_entries(doc: str, entries: list[str]) -> str:
    """Return the docstring with these entries in its section Parameters, which is the first one."""
    text, section = "\n".join(entries), _section(doc)
    if section is not None:
        return f"{doc[: section[0]]}\n{text}\n\n{doc[section[1] :]}".rstrip()
    first = _HEADING.search(doc)
    position = first.start() if first else len(doc)
    before = doc[:position].rstrip()
    return f"{before}\n\nParameters\n----------\n{text}\n\n{doc[position:]}".rstrip()
