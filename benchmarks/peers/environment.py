"""Environments of their own for peers that cannot live beside us: ``.venv-peers/NAME``, made when first asked for.

``NAME.txt`` pins what goes in. A failed attempt is remembered with its reason until that file changes, so that a run
does not try again and again; remove the folder to try again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1] / ".venv-peers"
PATIENCE = 900  # seconds for one installation


def names() -> list[str]:
    """The peers that have an environment of their own."""
    return sorted(path.stem for path in HERE.glob("*.txt"))


def python_of(name: str, root: Path = ROOT) -> Path:
    """The interpreter of a peer's environment; a RuntimeError says why there is none."""
    wanted = (HERE / f"{name}.txt").read_text(encoding="utf-8")
    folder = root / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready, failed = folder / "ready.txt", folder / "failed.txt"
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted:
        return python
    if failed.exists() and failed.read_text(encoding="utf-8").partition("\n")[2] == wanted:
        raise RuntimeError(failed.read_text(encoding="utf-8").partition("\n")[0])
    print(f"making the environment of {name}; this is done once", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _run([sys.executable, "-m", "venv", str(folder)])
        _run([str(python), "-m", "pip", "install", "-q", "--only-binary", ":all:", "-r", str(HERE / f"{name}.txt")])
        if name == "aijack":
            _build_aijack(python, folder)
    except (RuntimeError, OSError) as error:
        reason = f"does not install here: {error}"
        folder.mkdir(parents=True, exist_ok=True)
        failed.write_text(f"{reason}\n{wanted}", encoding="utf-8")
        raise RuntimeError(reason) from None
    ready.write_text(wanted, encoding="utf-8")
    return python


def _build_aijack(python: Path, folder: Path) -> None:
    """aijack is compiled; it looks for Boost, of whose library only random_device would be used, by another part.

    The headers come from a package; an empty archive stands for the library. Torch is left out: Mondrian needs none.
    """
    for tool in ("c++", "ar", "cmake"):
        if not shutil.which(tool):
            raise RuntimeError(f"aijack is compiled, and {tool} is not there")
    headers = next(folder.glob("lib/*/site-packages/libboost_headers/include"), None)
    if headers is None:
        raise RuntimeError("aijack is compiled, and the headers of Boost did not install")
    empty = folder / "empty"
    empty.mkdir()
    _run(["ar", "rc", str(empty / "libboost_random.a")])
    pybind = _run([str(python), "-m", "pybind11", "--cmakedir"])
    found = {
        "BOOST_ROOT": str(headers.parent),
        "BOOST_INCLUDEDIR": str(headers),
        "CPLUS_INCLUDE_PATH": str(headers),
        "LIBRARY_PATH": str(empty),
        "pybind11_DIR": pybind.strip(),
    }
    _run([str(python), "-m", "pip", "install", "-q", "--no-deps", "aijack==0.0.1b2"], found)


def _run(command: list[str], more: dict[str, str] | None = None) -> str:
    """Run a command and tell what it printed; a RuntimeError names the step, never a path."""
    step = " ".join(Path(word).name for word in command[:4])
    try:
        done = subprocess.run(command, env=os.environ | (more or {}), capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{step} took over {PATIENCE} s") from None
    if done.returncode:
        missing = re.search(r"No matching distribution found for (\S+)", done.stderr.decode(errors="replace"))
        why = f": there is no wheel of {missing[1]}" if missing else ""
        raise RuntimeError(f"{step} failed with {done.returncode}{why}")
    return done.stdout.decode(errors="replace")
