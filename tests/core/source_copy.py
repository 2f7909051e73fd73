"""A copy of the sources to build from, so that nothing of the source tree can help what is built."""

import shutil
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copy_sources(names: Iterable[str], folder: Path) -> Path:
    """Copy files and folders of the repository into a new folder, without what runs have left in them."""
    folder.mkdir()
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "latest"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder
