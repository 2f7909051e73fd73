"""The folders that come with anonnb: tables, notebooks, plans and results of full runs.

In a source tree they lie at its top, where people look for them; an installed wheel carries them inside the package.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def shipped(folder: str) -> Path:
    """Return one of the folders ``data``, ``notebooks``, ``reports/plans`` and ``reports/results``.

    >>> (shipped("data") / "adult.csv.xz").is_file()
    True
    """
    for candidate in (PACKAGE / "_shipped" / folder, PACKAGE.parent / folder):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"{folder} of anonnb is not installed; reinstall the package")


def digest_of(files: Iterable[Path], folder: Path) -> str:
    """Hash the files below a folder: where they are in it, and what they hold."""
    digest = hashlib.sha256()
    for file in sorted(file for file in files if file.is_file()):
        digest.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()
