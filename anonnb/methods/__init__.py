"""Anonymization methods, one module per family. A method appears everywhere once its class is registered.

To add one: put a module here (or anywhere) with a frozen dataclass that inherits from
:class:`anonnb.methods.base.Method`, decorated with ``@register``. Modules of this folder are found by themselves. Its
parameters declare what they allow with :func:`anonnb.core.parameters.parameter`.
"""

from anonnb.core.registry import Registry

_registry = Registry(__name__, __path__, "anonymize")
register = _registry.register


def all() -> dict[str, type]:
    """List every registered method by name, in alphabetical order.

    Returns
    -------
    dict[str, type]
        The class of each.

    Examples
    --------
    >>> "Mondrian" in all()
    True
    """
    return _registry.all()


def get(name: str) -> type:
    """Find the method with this name.

    Parameters
    ----------
    name:
        The name of a registered method.

    Returns
    -------
    type
        Its class.

    Raises
    ------
    KeyError
        If no method has this name; the message lists those there are.

    Examples
    --------
    >>> get("Mondrian").__name__
    'Mondrian'
    """
    return _registry.get(name)


def __getattr__(name: str):
    return _registry.attribute(name)


def __dir__() -> list[str]:
    return ["all", "get", "register", *all()]
