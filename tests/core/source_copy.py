"""What is installed is built from a copy of the sources, so that nothing of the source tree can help it."""

import shutil
import subprocess
import sys
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


def build(names: Iterable[str], folder: Path, *kinds: str) -> None:
    """Build a wheel, an sdist or both from a copy into the folder, by the locked backend: pip would fetch its own."""
    source = copy_sources(names, folder / "source")
    program = "import sys, hatchling.build as b; [getattr(b, f'build_{kind}')(sys.argv[1]) for kind in sys.argv[2:]]"
    subprocess.run([sys.executable, "-c", program, folder, *kinds], cwd=source, check=True)
