"""Attacks on releases, one module per attack. An attack appears everywhere once its class is registered.

To add one: put a module here (or anywhere) with a frozen dataclass that inherits from
:class:`anonnb.attacks.base.Attack`, decorated with ``@register``. Modules of this folder are found by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from anonnb.core.registry import Registry

if TYPE_CHECKING:
    from anonnb.attacks.base import Attack

_registry = Registry(__name__, __path__, "run")
register = _registry.register


def all() -> dict[str, type[Attack]]:
    """List every registered attack by name, in alphabetical order.

    >>> "LinkageAttack" in all()
    True
    """
    return _registry.all()


def plainest_first() -> dict[str, type[Attack]]:
    """List every registered attack by name, those that a reader meets first in front.

    >>> next(iter(plainest_first()))
    'LinkageAttack'
    """
    return dict(sorted(all().items(), key=lambda pair: pair[1].place))


def get(name: str) -> type[Attack]:
    """Find the attack with this name.

    >>> get("LinkageAttack").__name__
    'LinkageAttack'
    """
    return _registry.get(name)


def __getattr__(name: str) -> Any:
    return _registry.attribute(name)


def __dir__() -> list[str]:
    return ["all", "get", "plainest_first", "register", *all()]
