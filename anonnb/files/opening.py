"""Where the bytes of a table come from: a regular file, or standard input up to a limit.

Devices and pipes with the name of a file may never end, and opening one may wait for ever: they are refused.
"""

import os
import stat
from typing import BinaryIO

from anonnb.core.atomic_files import complete_file

MOST_BYTES = 2**30  # of standard input; the size of a file is known before it is read


class BadFile(ValueError):
    """The file cannot be read as a table; the message says why in one sentence."""


def bytes_of(path: str | os.PathLike) -> bytes:
    """Return the content of a regular file, or of one that is complete but has no name yet.

    >>> bytes_of(os.devnull)
    Traceback (most recent call last):
    ...
    anonnb.files.opening.BadFile: /dev/null is a device, not a file; save what it gives to a file, and read that
    """
    source = complete_file(path)
    try:
        kind = os.stat(source).st_mode
        if not stat.S_ISREG(kind):
            what = "folder" if stat.S_ISDIR(kind) else "pipe" if stat.S_ISFIFO(kind) else "device"
            what = "socket" if stat.S_ISSOCK(kind) else what
            remedy = "name a file in it" if what == "folder" else "save what it gives to a file, and read that"
            raise BadFile(f"{path} is a {what}, not a file; {remedy}")
        return source.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}") from None


def bytes_of_stream(stream: BinaryIO, name: str, most: int = MOST_BYTES) -> bytes:
    """Return all that a stream gives, unless it is too much.

    >>> import io
    >>> bytes_of_stream(io.BytesIO(b"1,2,3"), "standard input", most=4)
    Traceback (most recent call last):
    ...
    anonnb.files.opening.BadFile: standard input has more than 4 bytes; save it to a file, and read that
    """
    raw = stream.read(most + 1)
    if len(raw) > most:
        raise BadFile(f"{name} has more than {most:,} bytes; save it to a file, and read that")
    return raw
