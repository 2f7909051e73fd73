"""How long work runs: independent tasks in parallel, each remembered on disk, so that a stopped run goes on later.

The cache key holds the task's arguments and a hash of the code, the package's and that of classes from elsewhere: a
changed algorithm is computed anew.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pandas as pd

from anonnb.core.shipped import PACKAGE, digest_of


def run_tasks(
    task: Callable[..., list[tuple]],
    arguments: Sequence[tuple],
    columns: Sequence[str],
    *,
    jobs: int = 1,
    cache_folder: str | Path | None = None,
    progress: Callable[..., Iterable] | None = None,
) -> pd.DataFrame:
    """``task(*arguments)`` for each tuple of arguments, its rows put together in the order of the arguments.

    ``jobs`` processes work at once. On a Dask cluster (the extra ``cluster``) the workers do::

        with Client("scheduler:8786"), joblib.parallel_config(backend="dask"):
            frame = arena.compare(table)

    There ``jobs`` does not count: as many tasks run at once as the cluster has cores. The frame is the same.
    """
    from joblib import Memory, Parallel, delayed

    remembered = Memory(cache_folder, verbose=0).cache(_versioned, ignore=[]) if cache_folder else _versioned
    calls = (delayed(remembered)(task, code_version() + _foreign(values), values) for values in arguments)
    results = Parallel(n_jobs=jobs, return_as="generator")(calls)
    if progress is not None:
        results = progress(results, total=len(arguments))
    return pd.DataFrame([row for rows in results for row in rows], columns=list(columns))


def _versioned(task: Callable[..., list[tuple]], version: str, values: tuple) -> list[tuple]:
    """A task's result; the version is only there to become part of the cache key."""
    return task(*values)


def _foreign(values: object) -> str:
    """A hash of the files of classes from elsewhere, such as somebody's own method; empty where there are none."""
    digest = hashlib.sha256()
    files = {file for cls in _classes(values) if (file := _file_of(cls)) and PACKAGE not in file.parents}
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16] if files else ""


def _classes(values: object) -> Iterator[type]:
    if isinstance(values, list | tuple):
        for value in values:
            yield from _classes(value)
    else:
        yield values if isinstance(values, type) else type(values)


def _file_of(cls: type) -> Path | None:
    """Where a class is written; builtins, and what was typed into a session, are in no file."""
    try:
        file = Path(inspect.getfile(cls))
    except (OSError, TypeError):
        return None
    return file if file.is_file() else None


@cache
def code_version() -> str:
    """A hash of the package's source: results of other code are not taken from the cache."""
    return digest_of(PACKAGE.rglob("*.py"), PACKAGE)[:16]
