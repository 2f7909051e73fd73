"""Temporary files and folders that do not accumulate, even when their owners are killed.

Idea: the owner holds an operating-system lock on them, which ends with its process. Whatever has our mark in its name,
belongs to this user and is not locked is abandoned, and the next process that works in the same place removes it. Where
the system has no such locks, only what has not changed for a day counts as abandoned.
"""

import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

DAY = 24 * 60 * 60
_NAMED = re.compile(r".*\.anonnb-[a-z0-9_]{8}\.tmp")  # eight characters are what tempfile draws
_LONGEST = 50  # characters of a given name that stay in a temporary one: systems limit names to 255 bytes


@contextmanager
def temporary_file(parent: str | os.PathLike, name: str) -> Iterator[tuple[int, Path]]:
    """An open new file beside a target called ``name``: its handle, which the caller closes, and its path.

    The caller moves it to its target; if an error comes in between, the file goes away.
    """
    remove_abandoned(parent)
    while True:
        handle, path = tempfile.mkstemp(**_mark(f".{name}"), dir=parent)
        try:
            lock = _own(path)
            break
        except FileNotFoundError:  # somebody took it for abandoned before it was locked
            os.close(handle)
    try:
        yield handle, Path(path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(path)
        raise
    finally:
        _let_go(lock)


@contextmanager
def temporary_folder(kind: str, parent: str | os.PathLike | None = None) -> Iterator[Path]:
    """A private folder for the time of a ``with`` block, by default where the system keeps temporary ones.

    >>> with temporary_folder("example") as folder:
    ...     folder.is_dir(), folder.name.startswith("example.anonnb-")
    (True, True)
    >>> folder.exists()
    False
    """
    parent = tempfile.gettempdir() if parent is None else parent
    remove_abandoned(parent)
    while True:
        path = tempfile.mkdtemp(**_mark(kind), dir=parent)
        with suppress(FileNotFoundError):
            lock = _own(path)
            break
    try:
        yield Path(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _let_go(lock)


def remove_abandoned(parent: str | os.PathLike) -> list[Path]:
    """Remove what owners who are gone have left in a folder; return what was removed. Never raises."""
    removed = []
    with suppress(OSError), os.scandir(parent) as entries:
        for path in [Path(entry.path) for entry in entries if _NAMED.fullmatch(entry.name)]:
            with suppress(OSError):
                removed += [path] if _remove_if_abandoned(path) else []
    return removed


def _mark(name: str) -> dict[str, str]:
    return {"prefix": f"{name[:_LONGEST]}.anonnb-", "suffix": ".tmp"}


def _own(path: str) -> int | None:
    """Lock a new file or folder until ``_let_go``; None where the system has no locks."""
    if fcntl is None:
        return None
    lock = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.stat(path)  # FileNotFoundError where it was removed before the lock came
    except FileNotFoundError:
        os.close(lock)
        raise
    except OSError:  # a drive without locks
        os.close(lock)
        return None
    return lock


def _let_go(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def _remove_if_abandoned(path: Path) -> bool:
    """Remove a file or folder that nobody owns, under its lock: an owner may be just about to take it."""
    status = path.lstat()
    somebody_else = hasattr(os, "geteuid") and status.st_uid != os.geteuid()
    if somebody_else or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return False
    lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW) if fcntl else None
    try:
        if not _is_free(lock, status.st_mtime):
            return False
        shutil.rmtree(path) if stat.S_ISDIR(status.st_mode) else path.unlink()
        return True
    finally:
        _let_go(lock)


def _is_free(lock: int | None, changed: float) -> bool:
    """Whether nobody holds the lock; where there are no locks, whether the last change was long ago."""
    if lock is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False
        except OSError:  # a drive without locks
            pass
    return time.time() - changed > DAY
