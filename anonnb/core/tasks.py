"""How long work runs: independent tasks in parallel, each remembered on disk, so that a stopped run goes on later.

The cache key holds the task's arguments and a hash of the code, the package's and that of classes from elsewhere: a
changed algorithm is computed anew.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import pandas as pd

from anonnb.core.parameters.declared import Parameters
from anonnb.core.progress import Progress, watched_by
from anonnb.core.shipped import PACKAGE, digest_of

_BUILT_ON = {"anonnb", "numpy", "pandas"}


def run_tasks(
    task: Callable[..., list[tuple]],
    arguments: Sequence[tuple],
    columns: Sequence[str],
    *,
    jobs: int = 1,
    cache_folder: str | Path | None = None,
    progress: Progress | None = None,
    what: str = "tasks",
) -> pd.DataFrame:
    """Run ``task(*arguments)`` for each tuple of arguments, and put the rows together in that order.

    ``progress`` counts the tasks and calls them ``what``; loops of tasks in this process report to it, too.

    ``jobs`` processes work at once. On a Dask cluster (the extra ``cluster``) the workers do::

        with Client("scheduler:8786"), joblib.parallel_config(backend="dask"):
            frame = arena.compare(table)

    There ``jobs`` does not count: as many tasks run at once as the cluster has cores. The frame is the same.
    """
    from joblib import Memory, Parallel, delayed

    remembered = Memory(cache_folder, verbose=0).cache(_versioned, ignore=[]) if cache_folder else _versioned
    calls = (delayed(remembered)(task, code_version() + _foreign(values), values) for values in arguments)
    results = Parallel(n_jobs=jobs, return_as="generator")(calls)
    if progress is None:
        return pd.DataFrame([row for rows in results for row in rows], columns=list(columns))
    with watched_by(partial(progress, leave=False)):
        results = progress(results, total=len(arguments), desc=what)
        return pd.DataFrame([row for rows in results for row in rows], columns=list(columns))


def _versioned(task: Callable[..., list[tuple]], version: str, values: tuple) -> list[tuple]:
    """Return a task's result; the version is only there to become part of the cache key."""
    return task(*values)


def _foreign(values: object) -> str:
    """Hash the code of classes from elsewhere, such as somebody's own method; empty if there are none."""
    homes = {home for cls in _classes(values) for base in cls.__mro__ if (home := _home_of(base))}
    digests = [digest_of(home.rglob("*.py") if home.is_dir() else [home], home.parent) for home in sorted(homes)]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16] if digests else ""


def _classes(values: object) -> Iterator[type]:
    """Yield the classes among values, those of objects, and those of the objects' own parameters."""
    if isinstance(values, list | tuple):
        for value in values:
            yield from _classes(value)
    elif isinstance(values, Mapping):
        yield from _classes([*values.values()])
    else:
        yield values if isinstance(values, type) else type(values)
        if isinstance(values, Parameters):
            yield from _classes([getattr(values, name) for name in values.constraints()])


def _home_of(cls: type) -> Path | None:
    """Return the folder of the package in which a foreign class is written, or its file if it is in no package.

    The code of anonnb is in every key already; builtins, and what was typed into a session, are in no file, and the
    libraries that anonnb itself is built on are not looked at.
    """
    top = cls.__module__.partition(".")[0]
    if top in _BUILT_ON or top in sys.stdlib_module_names:
        return None
    try:
        file = Path(inspect.getfile(cls)).resolve()
    except (OSError, TypeError):
        return None
    if not file.is_file():
        return None
    package = getattr(sys.modules.get(top), "__file__", None)
    return Path(package).resolve().parent if package and Path(package).name == "__init__.py" else file


@cache
def code_version() -> str:
    """Hash the package's source: results of other code are not taken from the cache."""
    return digest_of(PACKAGE.rglob("*.py"), PACKAGE)[:16]
