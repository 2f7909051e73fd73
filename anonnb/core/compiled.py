"""How loops are compiled: numba's njit with a cache on disk that cannot fail; importing this module loads numba.

The cache is beside the source or in the home folder, as numba has it, and where neither can be written in a temporary
folder that only this user can write. A broken cache or a full disk costs a compilation and nothing else.
"""

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from numba import config, njit, types
from numba.core.caching import FunctionCache


def compiled(function: Callable | None = None, **options: Any) -> Callable:
    """Decorator for loops that numba compiles when they are first called; further options go to ``njit``.

    >>> @compiled
    ... def doubled(number):
    ...     return 2 * number
    >>> doubled(21)
    42
    """
    if function is None:
        return lambda function: compiled(function, **options)
    loop = _for_all_numbers(njit(**({"no_cfunc_wrapper": True} | options))(function))
    if hasattr(loop, "enable_caching"):  # with NUMBA_DISABLE_JIT=1 it is a plain function
        loop._cache = _cache_of(function) or loop._cache
    return loop


def inner(function: Callable) -> Callable:
    """Decorator for loops that only compiled loops call: they compile twice as fast, and Python cannot call them.

    They have neither a wrapper for Python nor files in the cache: what calls them is stored with them.
    """
    return _for_all_numbers(njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def _for_all_numbers(loop: Any) -> Any:
    """Have compiled callers compile a loop once: numba would compile it again for each number in a call, as in f(7)."""
    resolve = getattr(loop, "get_call_template", None)
    if resolve is not None:  # with NUMBA_DISABLE_JIT=1 it is a plain function
        loop.get_call_template = lambda args, kws: resolve(
            [types.unliteral(each) for each in args], {name: types.unliteral(each) for name, each in kws.items()}
        )
    return loop


def _cache_of(function: Callable) -> FunctionCache | None:
    """The cache of a function in the first place that can be written; None where there is none at all."""
    with suppress(RuntimeError):  # no locator available
        return CarefulCache(function)
    folder = _own_temporary_folder()
    if folder is None:
        return None
    usual, config.CACHE_DIR = config.CACHE_DIR, folder
    try:
        return CarefulCache(function)
    except RuntimeError:
        return None
    finally:
        config.CACHE_DIR = usual  # other packages keep their own places


def _own_temporary_folder() -> str | None:
    """A folder that nobody else can write: code is loaded from it. One that somebody else made is not taken."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"anonnb-compiled-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    foreign = hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077)
    return None if foreign or not stat.S_ISDIR(found.st_mode) else os.fspath(folder)


class CarefulCache(FunctionCache):
    """numba's cache for several processes at once; what goes wrong with it means that the function is compiled."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with suppress(Exception), self._alone():
            try:
                return super().load_overload(sig, target_context)
            except Exception:
                self.flush()  # cut off or overwritten: begin anew
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(Exception), self._alone():
            super().save_overload(sig, data)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two processes that save at once could give two functions one file."""
        try:
            import fcntl
        except ImportError:  # Windows
            yield
            return
        with open(Path(self.cache_path) / f"{self._impl.filename_base}.lock", "ab") as file:
            with suppress(OSError):  # some network drives have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
            yield
