"""``python -m anonnb`` and ``anonnb`` are the same command."""

import subprocess
import sys

import pytest

import anonnb


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--version"], f"anonnb, version {anonnb.__version__}\n"), (["list", "datasets"], "  adult\n")],
)
def test_the_package_runs_as_a_module(arguments, said):
    done = subprocess.run([sys.executable, "-m", "anonnb", *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_its_help_names_the_command_not_the_file():
    done = subprocess.run([sys.executable, "-m", "anonnb", "--help"], capture_output=True, text=True)
    assert done.stdout.startswith("Usage: anonnb [OPTIONS] COMMAND")
