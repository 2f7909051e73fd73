"""Names that are looked up when they are first used: those of our packages, and those that installed packages offer.

So importing a package stays fast, and the core never learns which room or package answers to a name: anonnb's own
cluster is found by its entry point, too.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any


def lazy_imports(
    package: str, also: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make ``__getattr__``, ``__dir__`` and ``__all__`` of a package from the imports under its ``if TYPE_CHECKING:``.

    So there is one list of names, which type checkers and editors read as well. ``also`` names modules of the package
    that are attributes too, without being imported by ``*``.

    >>> getattribute, _, names = lazy_imports("anonnb.trees")
    >>> getattribute("Tree").__name__, names[:2]
    ('Tree', ['Disclosure', 'Grower'])
    """
    source = inspect.getsource(sys.modules[package])
    block = next(node for node in ast.parse(source).body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    home = {alias.name: str(node.module) for node in imports for alias in node.names}
    names = sorted(home)
    home |= dict.fromkeys(also, package)

    def getattribute(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home[name] == package:
            return import_module(f"{package}.{name}")
        return getattr(import_module(home[name]), name)

    return getattribute, lambda: sorted(home), names


def offered(group: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Return what installed packages offer in a group: who offers what, in words, and what loads it."""
    for point in entry_points(group=group):
        who = point.dist.name if point.dist else "an installed package"
        yield f"{point.name!r} of {who}", point.load


def provided(group: str, name: str) -> Any:
    """Return the object behind one name of a group.

    >>> provided("anonnb.tables", "tapestry")
    Traceback (most recent call last):
    ...
    LookupError: no installed package offers 'tapestry' in anonnb.tables; install the one that does
    """
    for point in entry_points(group=group, name=name):
        return point.load()
    raise LookupError(f"no installed package offers {name!r} in {group}; install the one that does")


def leave_out_slow_grammar() -> None:
    """Save two seconds: jsonschema, which nbformat needs, compiles a grammar of web addresses that notebooks never use.

    It is an optional part of jsonschema, which does without it when it cannot be imported. For programs only: a library
    must not decide this for others.
    """
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
