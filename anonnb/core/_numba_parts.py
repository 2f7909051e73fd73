"""What makes compiling quick and its cache careful, out of parts that numba does not promise to keep.

Only ``compiled`` imports this module, and only with versions of numba that it was tested with. The cache is beside the
source or in the home folder, as numba has it, and where neither can be written in a temporary folder that only this
user can write. A broken cache or a full disk costs a compilation and nothing else.
"""

from __future__ import annotations

import gc
import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import config, njit, types
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags


def loop(function: Callable, makes_arrays: bool, options: dict[str, Any]) -> Callable:
    """Compile a loop when it is first called, and keep it in a cache."""
    defaults: dict[str, Any] = {"no_cfunc_wrapper": True, "pipeline_class": LoopCompiler, "_nrt": makes_arrays}
    made = _for_all_numbers(njit(**(defaults | options))(function))
    if hasattr(made, "enable_caching"):  # with NUMBA_DISABLE_JIT=1 it is a plain function
        made._cache = _cache_of(function) or made._cache
        made.compile = _undisturbed(made.compile)
    return made


def inner_loop(function: Callable) -> Callable:
    """Compile a loop into those that call it: without a wrapper for Python, machine code or files of its own."""
    settings: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
    return _for_all_numbers(njit(**settings)(function))


def _undisturbed(work: Callable) -> Callable:
    """Do something without collecting garbage: compiling makes millions of objects, and looks for it all the time."""

    def done(*arguments: Any) -> Any:
        collects = gc.isenabled()
        gc.disable()
        try:
            return work(*arguments)
        finally:
            if collects:
                gc.enable()

    return done


class LoopFlags(Flags):
    """numba's flags of a loop, compared by what was set: numba does so for each way in which a call may be meant."""

    same_for_all = hash(Flags())  # numba hashes the names of all flags, not what they say

    def __hash__(self) -> int:
        return self.same_for_all

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if isinstance(other, LoopFlags) else super().__eq__(other)


class LoopCompiler(CompilerBase):
    """numba's compiler as it is, with flags that are compared in no time."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*(LoopFlags(each) if isinstance(each, Flags) else each for each in given))

    def define_pipelines(self) -> list:
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]


class InnerCompiler(LoopCompiler):
    """The same with another place for the code."""

    def define_pipelines(self) -> list:
        self.state.library = InnerCode(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class InnerCode(JITCodeLibrary):
    """Code that is only linked into other code: it needs no machine code of its own.

    It is not optimized either, but once as a part of what calls it, however many loops are between the two.
    """

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True
        linked = self._get_module_for_linking()
        # numba writes into these variables, so they must have an address; nothing else needs machine code
        llvm_module = self._codegen._create_empty_module(self.name)
        for variable in linked.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv"):
                slot = ir.GlobalVariable(llvm_module, ir.IntType(64), variable.name)
                slot.linkage, slot.initializer = "common", ir.Constant(ir.IntType(64), 0)
        self._final_module = binding.parse_assembly(str(llvm_module))
        super()._finalize_final_module()


def _for_all_numbers(loop: Any) -> Any:
    """Have compiled callers compile a loop once: numba would compile it again for each number in a call, as in f(7)."""
    resolve = getattr(loop, "get_call_template", None)
    if resolve is not None:  # with NUMBA_DISABLE_JIT=1 it is a plain function
        loop.get_call_template = lambda args, kws: resolve(
            [types.unliteral(each) for each in args], {name: types.unliteral(each) for name, each in kws.items()}
        )
    return loop


def _cache_of(function: Callable) -> FunctionCache | None:
    """Return the cache of a function in the first place that can be written; None where there is none at all."""
    with suppress(RuntimeError):  # no locator available
        return CarefulCache(function)
    folder = _own_temporary_folder()
    if folder is None:
        return None
    usual = config.CACHE_DIR  # type: ignore[attr-defined]  # made from the environment
    config.CACHE_DIR = folder  # type: ignore[attr-defined]
    try:
        return CarefulCache(function)
    except RuntimeError:
        return None
    finally:
        config.CACHE_DIR = usual  # type: ignore[attr-defined]  # other packages keep their own places


def _own_temporary_folder() -> str | None:
    """Return a folder that nobody else can write: code is loaded from it. One that somebody else made is not taken."""
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"anonnb-compiled-{owner}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    foreign = hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077)
    return None if foreign or not stat.S_ISDIR(status.st_mode) else os.fspath(folder)


def _digest(function: Callable) -> str:
    """A text that changes with all that a loop is made of: its code, the loops it calls, the constants they read.

    numba itself notices changes in the file of the loop alone.
    """
    hashed, seen = hashlib.sha256(Path(__file__).read_bytes()), set()
    stack = [(function.__code__, function.__globals__)]
    while stack:
        code, names = stack.pop()
        if code in seen:
            continue
        seen.add(code)
        inside = [value for value in code.co_consts if isinstance(value, CodeType)]
        stack += [(each, names) for each in inside]
        read = {name: names[name] for name in code.co_names if name in names}
        loops = {name: loop for name, loop in read.items() if hasattr(loop, "py_func")}
        stack += [(loop.py_func.__code__, loop.py_func.__globals__) for loop in loops.values()]
        options = {name: loop.targetoptions for name, loop in loops.items()}
        plain = {name: value for name, value in read.items() if isinstance(value, int | float | tuple | np.generic)}
        constants = [value for value in code.co_consts if value not in inside]
        hashed.update(repr((code.co_code, code.co_names, constants, options, plain)).encode())
    return hashed.hexdigest()


class CarefulCache(FunctionCache):
    """numba's cache for several processes at once; what goes wrong with it means that the function is compiled."""

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return *super()._index_key(sig, codegen), _digest(self._py_func)

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
