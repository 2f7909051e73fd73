"""Anonymization methods, one module per family. A method appears everywhere once its class is registered.

To add one: put a module here (or anywhere) with a frozen dataclass that inherits from
:class:`anonnb.methods.base.Method`, decorated with ``@register``. Modules of this folder are found by themselves. Its
parameters declare what they allow with :func:`anonnb.core.parameters.parameter`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anonnb.core.registry import Registry

if TYPE_CHECKING:
    from anonnb.methods.base import Method

_registry = Registry(__name__, __path__, "anonymize")
register = _registry.register


def all() -> dict[str, type[Method]]:
    """List every registered method by name, in alphabetical order.

    >>> "Mondrian" in all()
    True
    """
    return _registry.all()


def get(name: str) -> type[Method]:
    """Find the method with this name.

    >>> get("Mondrian").__name__
    'Mondrian'
    """
    return _registry.get(name)


def __getattr__(name: str) -> Any:
    return _registry.attribute(name)


def __dir__() -> list[str]:
    return ["all", "get", "register", *all()]
