"""Files that are either whole or absent, and temporary files that do not accumulate.

Readers never see half a file, whatever kills the writer: it writes beside the target, syncs, then renames. The owner of
a temporary file holds an operating-system lock on it, which ends with its process. Whatever carries our mark in its
name, belongs to this user and is not locked is abandoned, so the next process that works in the same folder removes it.
If the system has no such locks, only what has not changed for a day counts as abandoned.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, NamedTuple

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

DAY = 24 * 60 * 60
_MARKED = re.compile(r".*\.anonnb-[a-z0-9_]{8}\.tmp")  # eight characters are what tempfile draws
_MAX_NAME = 50  # characters of a given name that stay in a temporary one: systems limit names to 255 bytes


@contextmanager
def atomic_write(
    path: str | os.PathLike[str],
    mode: str = "w",
    *,
    overwrite: bool = True,
    check: Callable[[Path], None] | None = None,
    **options: Any,
) -> Iterator[IO[Any]]:
    """Open a temporary file beside ``path``; it becomes ``path`` on success and goes away on an error.

    ``check`` inspects the complete temporary file before it gets its name; if it raises, ``path`` stays as it was.
    Without ``overwrite``, FileExistsError is raised if ``path`` exists by then: checking and naming are a single step,
    so only one of several processes gets the name. ``mode`` is ``"w"`` (UTF-8 unless ``encoding=`` is given) or
    ``"wb"``; further options go to ``open``. An existing file keeps its permissions.

    >>> folder = Path(tempfile.mkdtemp())
    >>> with atomic_write(folder / "a.txt") as file:
    ...     _ = file.write("whole")
    >>> (folder / "a.txt").read_text()
    'whole'
    """
    if mode not in ("w", "wb"):
        raise ValueError(f"mode is {mode!r}, but atomic_write knows only 'w' (text) and 'wb' (bytes)")
    if mode == "w":
        options.setdefault("encoding", "utf-8")
    target = Path(os.path.realpath(path))  # a link stays a link: its target is replaced
    held = _HELD.get()
    with ExitStack() as own:
        stack = own if held is None else held.stack
        handle, temporary = stack.enter_context(temporary_file(target.parent, target.name))
        with _removed_after_error(temporary), os.fdopen(handle, mode, **options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with _removed_after_error(temporary):
            if check is not None:
                check(temporary)
            os.chmod(temporary, _permissions(target))
        if held is not None:
            held.files[target] = temporary, overwrite
        elif overwrite:
            os.replace(temporary, target)
        else:
            _rename_to_new(temporary, target)


@contextmanager
def _removed_after_error(path: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(path)
        raise


# ---- several files -------------------------------------------------------------------------------------------------


class _Held(NamedTuple):
    """Complete files that have no names yet: the temporary file of each target, and whether it may replace another."""

    stack: ExitStack
    files: dict[Path, tuple[Path, bool]]


_HELD: ContextVar[_Held | None] = ContextVar("held files", default=None)


@contextmanager
def named_together() -> Iterator[None]:
    """Give all files that are written inside their names at the end; after an error none of them appears.

    :func:`complete_file` finds those that have no name yet.

    >>> folder = Path(tempfile.mkdtemp())
    >>> with named_together():
    ...     for name in "ab":
    ...         with atomic_write(folder / name) as file:
    ...             _ = file.write(name)
    ...     os.path.exists(folder / "a"), complete_file(folder / "a").read_text()
    (False, 'a')
    >>> sorted(os.listdir(folder))
    ['a', 'b']
    """
    if _HELD.get() is not None:  # whoever waits for more files names these, too
        yield
        return
    with ExitStack() as stack:
        held = _Held(stack, {})
        token = _HELD.set(held)
        try:
            yield
        finally:
            _HELD.reset(token)
        _name(held.files)


def _name(files: dict[Path, tuple[Path, bool]]) -> None:
    """Rename temporary files to their targets; if that fails, remove the targets that are new."""
    new = [target for target in files if not os.path.exists(target)]
    try:
        for target, (temporary, overwrite) in sorted(files.items(), key=lambda item: item[1][1]):
            if overwrite:
                os.replace(temporary, target)
            else:  # these come first, as somebody may have taken the name
                _rename_to_new(temporary, target)
    except BaseException:
        for target in new:
            if not os.path.exists(files[target][0]):
                target.unlink(missing_ok=True)
        raise


def complete_file(path: str | os.PathLike[str]) -> Path:
    """Return where the content of a file is: elsewhere while :func:`named_together` withholds its name."""
    held = _HELD.get()
    target = Path(os.path.realpath(path))
    return held.files[target][0] if held is not None and target in held.files else Path(path)


def _rename_to_new(temporary: Path, target: Path) -> None:
    """Rename a file to a name that must be free, in a single step."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        refuse_existing(target, overwrite=False)
        raise
    except OSError:  # a drive without hard links: claim the name, then replace what claims it
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            refuse_existing(target, overwrite=False)
            raise
        os.replace(temporary, target)
    else:
        os.unlink(temporary)


def refuse_existing(path: str | os.PathLike[str], overwrite: bool) -> None:
    """Raise FileExistsError if the file exists and may not be replaced."""
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"{os.fspath(path)!r} exists already; choose another name, or pass overwrite=True")


def _permissions(target: Path) -> int:
    """Return the mode bits of the file to be replaced, or those that ``open`` would give a new one."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


# ---- temporary files and folders -----------------------------------------------------------------------------------


@contextmanager
def temporary_file(parent: str | os.PathLike[str], name: str) -> Iterator[tuple[int, Path]]:
    """Create a file beside a target called ``name``; yield its open handle, which the caller closes, and its path.

    The caller renames it to its target; after an error the file goes away.
    """
    remove_abandoned(parent)
    while True:
        handle, path = tempfile.mkstemp(prefix=_mark(f".{name}"), suffix=".tmp", dir=parent)
        try:
            lock = _lock(path)
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
        _unlock(lock)


@contextmanager
def temporary_folder(kind: str, parent: str | os.PathLike[str] | None = None) -> Iterator[Path]:
    """Create a private folder that lasts as long as the ``with`` block, by default where the system keeps such folders.

    >>> with temporary_folder("example") as folder:
    ...     folder.is_dir(), folder.name.startswith("example.anonnb-")
    (True, True)
    >>> folder.exists()
    False
    """
    parent = tempfile.gettempdir() if parent is None else parent
    remove_abandoned(parent)
    while True:
        path = tempfile.mkdtemp(prefix=_mark(kind), suffix=".tmp", dir=parent)
        with suppress(FileNotFoundError):
            lock = _lock(path)
            break
    try:
        yield Path(path)
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _unlock(lock)


def remove_abandoned(parent: str | os.PathLike[str]) -> list[Path]:
    """Remove the temporary files in a folder whose owners are gone, and return them; never raise."""
    removed: list[Path] = []
    with suppress(OSError), os.scandir(parent) as entries:
        for path in [Path(entry.path) for entry in entries if _MARKED.fullmatch(entry.name)]:
            with suppress(OSError):
                removed += [path] if _remove_if_abandoned(path) else []
    return removed


def _mark(name: str) -> str:
    return f"{name[:_MAX_NAME]}.anonnb-"


def _lock(path: str) -> int | None:
    """Lock a new file or folder until ``_unlock``; return None if the system has no locks."""
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


def _unlock(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def _remove_if_abandoned(path: Path) -> bool:
    """Remove a file or folder that nobody owns while holding its lock, since an owner may be about to take it."""
    status = path.lstat()
    belongs_to_others = hasattr(os, "geteuid") and status.st_uid != os.geteuid()
    if belongs_to_others or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return False
    lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW) if fcntl else None
    try:
        if not _is_free(lock, status.st_mtime):
            return False
        shutil.rmtree(path) if stat.S_ISDIR(status.st_mode) else path.unlink()
        return True
    finally:
        _unlock(lock)


def _is_free(lock: int | None, changed: float) -> bool:
    """Return whether nobody holds the lock or, if there are no locks, whether the last change was long ago."""
    if lock is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False
        except OSError:  # a drive without locks
            pass
    return time.time() - changed > DAY
