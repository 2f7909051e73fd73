"""The examples of a page: blocks of a language, and commands that run as they are printed."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from click.testing import CliRunner

from anonnb.cli import main

ROOT = Path(__file__).parents[2]


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of a language, in their order."""
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


def run_commands(paths: Iterable[Path], folder: Path) -> int:
    """Run the commands of pages one after the other on the table that they speak of; the folder is the current one.

    All but ``lab``, reports, whose notebooks are tested by themselves, and coursework. Returns how many ran.
    """
    shutil.copy(ROOT / "data" / "gbsg2.csv", folder / "patients.csv")
    text = "\n".join(block for path in paths for block in blocks(path, "sh"))
    commands = re.findall(r"^(anonnb (?!report|lab|coursework).+|echo .+|cp .+)$", text, re.MULTILINE)
    for command in commands:
        if not command.startswith("anonnb "):
            subprocess.run(command, shell=True, check=True, cwd=folder)
            continue
        result = CliRunner().invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, f"{command}: {result.stderr}"
    return len(commands)
