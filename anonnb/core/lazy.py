"""Packages whose public names are looked up when they are first used, so that importing them stays fast."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def lazy_names(
    package: str, home: Mapping[str, str], modules: Sequence[str] = (), listed: Sequence[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package: ``home`` gives the module of each name.

    ``modules`` are reachable as attributes too; ``listed`` names more for completion.

    >>> getattribute, names = lazy_names("anonnb", {"load": "tables.datasets"}, ["files"])
    >>> getattribute("load").__name__, getattribute("files").__name__, names()
    ('load', 'anonnb.files', ['files', 'load'])
    """

    def getattribute(name: str) -> object:
        if name in home:
            return getattr(import_module(f"{package}.{home[name]}"), name)
        if name in modules:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted([*home, *modules, *listed])

    return getattribute, names


def leave_out_slow_grammar() -> None:
    """Save two seconds: jsonschema, which nbformat needs, compiles a grammar of web addresses that notebooks never use.

    It is an optional part of jsonschema, which does without it when it cannot be imported. For programs only: a library
    must not decide this for others.
    """
    sys.modules.setdefault("rfc3987_syntax", None)
