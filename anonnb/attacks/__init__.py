"""Attacks on releases, one module per attack. An attack appears everywhere once its class is registered.

To add one: put a module here (or anywhere) with a frozen dataclass that inherits from
:class:`anonnb.attacks.base.Attack`, decorated with ``@register``. Modules of this folder are found by themselves.
"""

from anonnb.core.registry import Registry

_registry = Registry(__name__, __path__, "run")
register = _registry.register


def all() -> dict[str, type]:
    """Every registered attack by name, in alphabetical order."""
    return _registry.all()


def plainest_first() -> dict[str, type]:
    """Every registered attack by name, those that a reader meets first in front."""
    return dict(sorted(all().items(), key=lambda pair: pair[1].place))


def get(name: str) -> type:
    """The attack with this name; raises KeyError naming the known ones."""
    return _registry.get(name)


def __getattr__(name: str):
    return _registry.attribute(name)


def __dir__() -> list[str]:
    return ["all", "get", "plainest_first", "register", *all()]
