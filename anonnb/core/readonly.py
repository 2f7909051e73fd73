"""Objects that cannot be changed once they are made, so that what they have cached stays true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn, TypeVar

import numpy as np

T = TypeVar("T")


class ReadOnly:
    """Base of objects whose ``__init__`` puts all attributes into ``vars(self)``; nothing assigns them later.

    ``instead`` names what gives a changed object. Values that ``cached_property`` keeps are not affected.
    """

    instead: ClassVar[str] = "make a new one"

    def _refuse(self, name: str, *_: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed, nor can its {name}; {self.instead}")

    __setattr__ = __delattr__ = _refuse

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update({name: frozen(value) for name, value in state.items()})  # unpickled arrays are writable


class ReadOnlyDict(dict):
    """A dict that refuses changes with a sentence that says what to do ``instead``; it prints and compares as one.

    >>> levels = ReadOnlyDict({"age": 1}, "the levels", "call with_levels")
    >>> levels["age"] = 2
    Traceback (most recent call last):
    TypeError: the levels cannot be changed ('age'); call with_levels
    >>> levels | {"age": 2}
    {'age': 2}
    """

    def __init__(self, items: Mapping[Any, Any], what: str, instead: str):
        super().__init__(items)
        self._words = what, instead

    def _refuse(self, key: object = None, *_: object, **__: object) -> NoReturn:
        what, instead = self._words
        raise TypeError(f"{what} cannot be changed{'' if key is None else f' ({key!r})'}; {instead}")

    __setitem__ = __delitem__ = setdefault = pop = _refuse

    def _refuse_all(self, *_: object, **__: object) -> NoReturn:
        self._refuse()

    update = clear = popitem = __ior__ = _refuse_all

    def __reduce__(self) -> tuple:
        return type(self), (dict(self), *self._words)


def frozen(value: T) -> T:
    """Return read-only views of arrays, alone or in a tuple or dict; anything else as it is.

    >>> frozen(np.arange(3)).flags.writeable, frozen("text")
    (False, 'text')
    """
    result: Any = value
    if isinstance(value, np.ndarray):
        result = value.view()
        result.flags.writeable = False
    elif type(result) is tuple:
        result = tuple(map(frozen, result))
    elif type(result) is dict:
        result = {name: frozen(each) for name, each in result.items()}
    return result
