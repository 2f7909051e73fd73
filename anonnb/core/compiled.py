"""How loops are compiled: by numba's njit; importing this module loads numba.

Parts of numba that it does not promise to keep halve the time that a first run takes to compile, and make its cache on
disk safe (``_numba_parts``). They are used with the versions that they were tested with. With any other version, or
where a part is missing, loops are plain ``njit``: they give the same results, and each process compiles them again.
"""

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba

TESTED = (0, 61), (0, 68)  # the first and the last version of numba whose inner parts are known


def compiled(function: Callable | None = None, *, makes_arrays: bool = True, **options: Any) -> Callable:
    """Compile a loop when it is first called; further options go to ``njit``.

    With ``makes_arrays=False`` a loop works on the arrays that it is given, and so do the loops it calls: none of them
    counts who holds an array, which makes them quicker to compile and to run. numba refuses one that makes an array.

    >>> @compiled
    ... def doubled(number):
    ...     return 2 * number
    >>> doubled(21)
    42
    """
    if function is None:
        return lambda function: compiled(function, makes_arrays=makes_arrays, **options)
    return numba.njit(**options)(function) if _parts is None else _parts.loop(function, makes_arrays, options)


def inner(function: Callable) -> Callable:
    """Compile a loop that only compiled loops call: it compiles twice as fast, and Python cannot call it."""
    return numba.njit(function) if _parts is None else _parts.inner_loop(function)


def _known_parts() -> ModuleType | None:
    """What is built on numba's inner parts; None with a version that is not tested, or where a part is missing."""
    version = re.match(r"(\d+)\.(\d+)", numba.__version__)
    if version is None or not TESTED[0] <= tuple(map(int, version.groups())) <= TESTED[1]:
        return None
    try:
        from anonnb.core import _numba_parts
    except (ImportError, AttributeError):
        return None
    return _numba_parts


_parts = _known_parts()
