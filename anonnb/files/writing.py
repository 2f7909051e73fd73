"""Files that are either whole or not there.

A reader must never see half a file, whatever kills the writer: write beside the target, sync, then rename. What a
killed writer leaves beside the target is removed by the next one who writes in that folder.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from anonnb.files.temporary import temporary_file


@contextmanager
def atomic_write(
    path: str | os.PathLike, mode: str = "w", *, check: Callable[[Path], None] | None = None, **options: Any
) -> Iterator[IO]:
    """Open a temporary file in the folder of ``path``; on success it replaces ``path``, on an error it goes away.

    ``check`` looks at the whole temporary file before it gets its name; when it raises, ``path`` stays as it was.
    ``mode`` is ``"w"`` (UTF-8 text unless ``encoding=`` says otherwise) or ``"wb"``; further options go to ``open``.
    The permissions of an existing file are kept; a new file gets the usual ones.

    >>> import tempfile
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
    # A link stays a link: its target is what gets replaced.
    target = Path(os.path.realpath(path))
    with temporary_file(target.parent, target.name) as (handle, temporary):
        with os.fdopen(handle, mode, **options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if check is not None:
            check(temporary)
        os.chmod(temporary, _permissions(target))
        os.replace(temporary, target)


def _permissions(target: Path) -> int:
    """The mode bits of the file to be replaced, or those that ``open`` would give a new one."""
    with suppress(FileNotFoundError):
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def refuse_existing(path: str | os.PathLike, overwrite: bool) -> None:
    """Raise FileExistsError where there is a file already that nobody asked to replace."""
    if not overwrite and os.path.exists(path):
        raise FileExistsError(f"{os.fspath(path)!r} exists already; choose another name, or pass overwrite=True")
