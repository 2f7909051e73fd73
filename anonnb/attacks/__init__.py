"""Attacks on releases, one module per attack. An attack appears everywhere once its class is registered.

To add one: put a module here (or anywhere) with a frozen dataclass that inherits from
:class:`anonnb.attacks.base.Attack`, decorated with ``@register``. Modules of this folder are found by themselves.
"""

from anonnb.core.registry import Registry

_registry = Registry(__name__, __path__, "run")
register = _registry.register


def all() -> dict[str, type]:
    """List every registered attack by name, in alphabetical order.

    Returns
    -------
    dict[str, type]
        The class of each.

    Examples
    --------
    >>> "LinkageAttack" in all()
    True
    """
    return _registry.all()


def plainest_first() -> dict[str, type]:
    """List every registered attack by name, those that a reader meets first in front.

    Returns
    -------
    dict[str, type]
        The class of each.

    Examples
    --------
    >>> next(iter(plainest_first()))
    'LinkageAttack'
    """
    return dict(sorted(all().items(), key=lambda pair: pair[1].place))


def get(name: str) -> type:
    """Find the attack with this name.

    Parameters
    ----------
    name:
        The name of a registered attack.

    Returns
    -------
    type
        Its class.

    Raises
    ------
    KeyError
        If no attack has this name; the message lists those there are.

    Examples
    --------
    >>> get("LinkageAttack").__name__
    'LinkageAttack'
    """
    return _registry.get(name)


def __getattr__(name: str):
    return _registry.attribute(name)


def __dir__() -> list[str]:
    return ["all", "get", "plainest_first", "register", *all()]
