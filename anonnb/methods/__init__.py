"""Anonymization methods, one module per family. A method appears everywhere once its class is registered.

To add one: put a module here (or anywhere) with a frozen dataclass that inherits from
:class:`anonnb.methods.base.Method`, decorated with ``@register``. Modules of this folder are found by themselves. Its
parameters declare what they allow with :func:`anonnb.core.parameters.parameter`.
"""

from anonnb.core.registry import Registry

_registry = Registry(__name__, __path__, "anonymize")
register = _registry.register


def all() -> dict[str, type]:
    """Every registered method by name, in alphabetical order."""
    return _registry.all()


def get(name: str) -> type:
    """The method with this name; raises KeyError naming the known ones."""
    return _registry.get(name)


def __getattr__(name: str):
    return _registry.attribute(name)


def __dir__() -> list[str]:
    return ["all", "get", "register", *all()]
