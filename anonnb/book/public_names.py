"""The public names of the package: what its rooms list, and what notebooks and pages import from its modules.

A name is public when it is a function or a class of ours and

- ``anonnb`` or one of its rooms lists it: in ``__all__``, or in ``dir()`` where the room looks names up when they are
  first used (a room that does neither lists nothing), or
- a notebook, the README or a guide imports it from one of our modules, or uses it as an attribute of a module
  that it imports.

Of a public class, its public methods that take parameters are public too, those that it inherits from ours included.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeGuard

import anonnb

ROOT = Path(__file__).parents[2]
Code = type | FunctionType


@dataclass(frozen=True)
class PublicName:
    """A function, a class, or a method of a class (its ``owner``)."""

    thing: Code
    owner: type | None = None

    @property
    def name(self) -> str:
        return f"{self.thing.__module__}.{self.thing.__qualname__}"

    @property
    def room(self) -> str:
        _, _, rest = self.thing.__module__.partition(".")
        return rest.partition(".")[0] or "anonnb"

    @property
    def kind(self) -> str:
        return "class" if inspect.isclass(self.thing) else "function" if self.owner is None else "method"


@cache
def public_names() -> tuple[PublicName, ...]:
    """Return every public name once, in alphabetical order."""
    names = {thing: PublicName(thing) for thing in (*_listed(), *_imported()) if is_ours(thing)}
    for cls in [thing for thing in names if inspect.isclass(thing)]:
        for owner, function in _methods(cls):
            names.setdefault(function, PublicName(function, owner))
    return tuple(sorted(names.values(), key=lambda public: public.name))


def is_ours(thing: object) -> TypeGuard[Code]:
    """Return whether something is a function or a class that this package defines."""
    if not (inspect.isclass(thing) or inspect.isfunction(thing)):
        return False
    return thing.__module__.partition(".")[0] == "anonnb" and not thing.__name__.startswith("_")


def _listed() -> Iterator[object]:
    for module in (anonnb, *(importlib.import_module(f"anonnb.{room}") for room in anonnb.ROOMS)):
        lazy = "__getattr__" in vars(module)
        for name in getattr(module, "__all__", dir(module) if lazy else ()):
            yield _unwrapped(getattr(module, name))


def _imported() -> Iterator[object]:
    for text in (*_notebooks(), *_pages()):
        tree = ast.parse(text)
        modules = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "anonnb":
                home = importlib.import_module(node.module)
                for alias in node.names:
                    thing = _attribute(home, alias.name)
                    yield _unwrapped(thing)
                    modules[alias.asname or alias.name] = thing
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = modules.get(node.value.id)
                if isinstance(module, ModuleType):
                    yield _unwrapped(getattr(module, node.attr, None))


def _attribute(module: ModuleType, name: str) -> object:
    try:
        return getattr(module, name)
    except AttributeError:
        return importlib.import_module(f"{module.__name__}.{name}")


def _unwrapped(thing: object) -> object:
    return inspect.unwrap(thing) if callable(thing) and not inspect.isclass(thing) else thing


def _notebooks() -> Iterator[str]:
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield "\n".join(re.sub(r"(?m)^[%!].*$", "", source) for source in code)


def _pages() -> Iterator[str]:
    for path in (ROOT / "README.md", *sorted((ROOT / "anonnb" / "book" / "pages" / "guides").glob("*.md"))):
        yield "\n".join(re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL))


def inherited_methods(cls: type) -> list[PublicName]:
    """Return the public methods that a class inherits from other classes of ours.

    >>> from anonnb.methods import Mondrian
    >>> "anonymize" in [public.thing.__name__ for public in inherited_methods(Mondrian)]
    True
    """
    return [PublicName(function, owner) for owner, function in _methods(cls) if owner is not cls]


def _methods(cls: type) -> Iterator[tuple[type, Code]]:
    """Yield the public methods that take parameters, each with the class of ours that defines and documents it."""
    for name in dir(cls):
        if name.startswith("_"):
            continue
        for owner in cls.__mro__:
            function = _function(vars(owner).get(name))
            if function is not None and function.__doc__ and is_ours(function):
                if parameters(function):
                    yield owner, function
                break
        else:
            function = _function(inspect.getattr_static(cls, name))
            if function is not None and is_ours(function) and parameters(function):
                yield cls, function


def _function(attribute: Any) -> Code | None:
    if isinstance(attribute, staticmethod | classmethod):
        attribute = attribute.__func__
    return inspect.unwrap(attribute) if inspect.isroutine(attribute) else None


def parameters(function: Callable[..., Any]) -> list[str]:
    """Return the names of the parameters that a caller can give."""
    names = list(inspect.signature(function).parameters)
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]
