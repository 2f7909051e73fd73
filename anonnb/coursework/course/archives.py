"""Files as they were handed in: from a folder or a ZIP archive, archives in archives opened, hostile ones refused.

Idea: nothing is unpacked to a path that an archive names. A walk yields each file with its place, its times and a way
to read it up to a limit; whoever wants a file chooses the name to write it to. An archive that names paths outside,
links, or more bytes than anybody hands in is refused as a whole, in one sentence.
"""

from __future__ import annotations

import io
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

MEGABYTE = 1_000_000
LARGEST_ARCHIVE = 100 * MEGABYTE  # of an archive that a student handed in
MOST_BYTES = 4000 * MEGABYTE  # that the files of an archive may have together, those in archives in it included
MOST_FILES = 20_000
MOST_RATIO = 500  # of the bytes of a file to those in the archive; text stays far below
DEEPEST = 3  # archives in archives
_FAILURES = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError, OSError)


class BadArchive(ValueError):
    """An archive that is not opened; the message says why in one sentence."""


class _TooMuch(BadArchive):
    """Everything in what a student handed in together is too much, whichever archive in it came last."""


@dataclass
class _Budget:
    """What the archives that one student handed in may still hold."""

    files: int = MOST_FILES
    bytes: int = MOST_BYTES

    def spend(self, name: str, infos: list[zipfile.ZipInfo]) -> None:
        self.files -= len(infos)
        self.bytes -= sum(info.file_size for info in infos)
        if self.files < 0:
            raise _TooMuch(f"{name} holds too many files; at most {MOST_FILES:,} are taken")
        if self.bytes < 0:
            raise _TooMuch(f"{name} would unpack to more than {MOST_BYTES // MEGABYTE:,} MB; it was not opened")


@dataclass(frozen=True)
class HandedFile:
    """A file somewhere in what was handed in.

    ``place`` are its folders (and archives) and its name; ``time`` is what the outermost collector noted, and
    ``own_time`` what the innermost archive says, which a student may have made. ``refused`` is why it cannot be read.
    """

    place: tuple[str, ...]
    time: datetime
    own_time: datetime
    read: Callable[[int], bytes | None]
    refused: str = ""

    @property
    def name(self) -> str:
        return self.place[-1]


def walk(path: str | os.PathLike) -> Iterator[HandedFile]:
    """Every file in a folder, or in an archive; an archive that was itself handed in is opened where it lies.

    A :class:`BadArchive` says what is wrong with ``path`` itself; a bad archive inside is a piece that is ``refused``.
    """
    path = Path(path)
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            inside = tuple(map(composed, file.relative_to(path).parts))
            if file.is_symlink():
                yield _refused(inside, file.lstat().st_mtime, "it is a link; hand in the file itself")
            elif file.is_file():
                yield from _opened(_of_file(file, inside))
    elif zipfile.is_zipfile(path):
        with _readable(path.name):
            archive = zipfile.ZipFile(path)
        for piece in _members(lambda: archive, path.name, _Budget()):
            yield from _opened(piece)
    else:
        raise BadArchive(f"{os.fspath(path)!r} is neither a folder nor a ZIP archive")


def composed(name: str) -> str:
    """A name in one of the two ways to write accents: a letter with its accent, not a letter and an accent.

    >>> len("Zoe\\u0308"), len(composed("Zoe\\u0308"))
    (4, 3)
    """
    return unicodedata.normalize("NFC", name)


def is_clutter(place: tuple[str, ...]) -> bool:
    """What systems and tools leave behind, and nobody hands in."""
    return any(part.startswith(".") or part in ("__MACOSX", "Thumbs.db", "desktop.ini") for part in place)


def _of_file(file: Path, inside: tuple[str, ...]) -> HandedFile:
    when = datetime.fromtimestamp(file.stat().st_mtime).astimezone()

    def read(most: int) -> bytes | None:
        with file.open("rb") as opened:
            content = opened.read(most + 1)
        return content if len(content) <= most else None

    return HandedFile(inside, when, when, read)


def _refused(place: tuple[str, ...], seconds: float, why: str) -> HandedFile:
    when = datetime.fromtimestamp(seconds).astimezone()
    return HandedFile(place, when, when, lambda most: None, why)


def _opened(piece: HandedFile) -> Iterator[HandedFile]:
    """The piece itself, or what is in it if it is an archive."""
    if not _is_archive(piece):
        yield piece
        return
    try:
        found = list(_unfolded(piece, 1, _Budget()))
    except _TooMuch as error:
        found = [replace(piece, refused=str(error))]
    yield from found


def _is_archive(piece: HandedFile) -> bool:
    return piece.name.lower().endswith(".zip") and not is_clutter(piece.place)


def _unfolded(piece: HandedFile, depth: int, budget: _Budget) -> Iterator[HandedFile]:
    try:
        if depth > DEEPEST:
            raise BadArchive(f"{piece.name} is an archive in {DEEPEST} others; hand in the files themselves")
        for inner in _members(lambda: _archive_of(piece), piece.name, budget, piece):
            yield from _unfolded(inner, depth + 1, budget) if _is_archive(inner) else [inner]
    except _TooMuch:
        raise
    except BadArchive as error:
        yield replace(piece, refused=str(error))


@lru_cache(maxsize=1)  # many files are read one after the other, and memory has an end
def _archive_of(piece: HandedFile) -> zipfile.ZipFile:
    content = piece.read(LARGEST_ARCHIVE)
    if content is None:
        raise BadArchive(f"{piece.name} has more than {LARGEST_ARCHIVE // MEGABYTE} MB")
    with _readable(piece.name):
        return zipfile.ZipFile(io.BytesIO(content))


def _members(
    archive: Callable[[], zipfile.ZipFile], name: str, budget: _Budget, above: HandedFile | None = None
) -> Iterator[HandedFile]:
    with _readable(name):
        infos = [info for info in archive().infolist() if not info.is_dir()]
        budget.spend(name, infos)
        places = _checked(name, infos)
    for info, inside in zip(infos, places, strict=True):
        own = _time(info)
        place, time = ((*above.place, *inside), above.time) if above else (inside, own)
        yield HandedFile(place, time, own, _reader(archive, info, name))


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except BadArchive:
        raise
    except _FAILURES as error:
        raise BadArchive(f"{name} cannot be opened as a ZIP archive: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    text = str(error).splitlines()
    return (text[0] if text else type(error).__name__)[:120]


def _checked(name: str, infos: list[zipfile.ZipInfo]) -> list[tuple[str, ...]]:
    """The places of all members; whatever is wrong with one of them is wrong with the archive."""
    places = []
    for info in infos:
        inside = tuple(composed(part) for part in _name(info).replace("\\", "/").split("/"))
        if inside[0] == "" or ".." in inside or ":" in inside[0]:
            raise BadArchive(f"{name} names a path outside itself ({_name(info)[:80]!r}); nothing of it was taken")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise BadArchive(f"{name} holds a link ({_name(info)[:80]!r}); nothing of it was taken")
        if info.file_size > MEGABYTE and info.file_size > MOST_RATIO * max(info.compress_size, 1):
            raise BadArchive(f"{name} packs {info.file_size // MEGABYTE:,} MB into almost nothing; it was not opened")
        if info.flag_bits & 1:
            raise BadArchive(f"{name} needs a password; hand it in without one")
        places.append(tuple(part for part in inside if part not in ("", ".")) or ("unnamed",))
    return places


def _name(info: zipfile.ZipInfo) -> str:
    """The name of a member; some programs write UTF-8 and do not say so."""
    if not info.flag_bits & 0x800:
        try:
            return info.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return info.filename


def _time(info: zipfile.ZipInfo) -> datetime:
    """The time in an archive, which is local and has no zone."""
    try:
        return datetime(*info.date_time).astimezone()
    except (ValueError, OverflowError):
        return datetime(1980, 1, 1).astimezone()


def _reader(archive: Callable[[], zipfile.ZipFile], info: zipfile.ZipInfo, name: str) -> Callable[[int], bytes | None]:
    def read(most: int) -> bytes | None:
        """At most so many bytes, whatever the archive says about the size."""
        with _readable(name), archive().open(info) as member:
            content = member.read(most + 1)
        return content if len(content) <= most else None

    return read
