"""Run the tests on every Python version that pyproject.toml declares and this machine has: ``make versions``.

Each version gets an environment of its own, .venv-3.12 say, from requirements.lock. Further words go to pytest:
``make versions ARGS="-m 'not browser'"``; the fast tests are the default.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FAST = ["-q", "-n", os.environ.get("JOBS", "2"), "--dist", "loadfile", "-m", "not slow and not browser"]


def declared() -> list[str]:
    """The versions among the classifiers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line) for line in project["classifiers"]]
    return [match[1] for match in found if match]


def python_of(version: str) -> str | None:
    """A Python of that version: on the path, or one of pyenv's, the newest first."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    inside = sorted(kept.glob(f"{version}.*/bin/python"), key=lambda path: int(path.parts[-3].split(".")[2]))
    for candidate in (shutil.which(f"python{version}"), *reversed(inside)):
        if candidate and _is(candidate, version):
            return os.fspath(candidate)
    return None


def _is(candidate: str | Path, version: str) -> bool:
    """Whether it runs and is that version: pyenv puts a name on the path for versions that are not switched on."""
    program = "import sys; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([candidate, "-c", program], capture_output=True, text=True)
    return done.stdout.strip() == version


def tested(version: str, python: str, words: list[str]) -> bool:
    """Bring the environment of a version up to date and run the tests in it."""
    home = ROOT / f".venv-{version}"
    inside = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    steps = [
        [] if inside.exists() else [python, "-m", "venv", home],
        [inside, "-m", "pip", "install", "-q", "-r", "requirements.lock", "--require-hashes"],
        [inside, "-m", "pip", "install", "-q", "--no-deps", "-e", "."],
        [inside, "-m", "pytest", *words],
    ]
    return all(subprocess.run(step, cwd=ROOT).returncode == 0 for step in steps if step)


def main(words: list[str]) -> int:
    results = {}
    for version in declared():
        python = python_of(version)
        print(f"== Python {version}: {python or 'not on this machine'}", flush=True)
        if python:
            results[version] = tested(version, python, words or FAST)
    for version in declared():
        print(f"Python {version}: {({True: 'passed', False: 'FAILED'}).get(results.get(version), 'not tested')}")
    return 0 if results and all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
