"""``python -m anonnb`` and ``anonnb`` are the same command."""

import subprocess
import sys

import pytest

import anonnb
from tests.cli.test_commands import call


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


def test_helps_open_with_an_example_and_are_listed_in_whole_sentences():
    listed = call("--help").stdout
    names = anonnb.cli.main.list_commands(None)
    helps = [(name, anonnb.cli.main.get_command(None, name).short_help) for name in names]
    assert "..." not in listed.partition("Options:")[2]
    assert [name for name, text in helps if not text.endswith(".") or text not in " ".join(listed.split())] == []
    for name, _ in helps:
        first, second, *_ = call(name, "--help").stdout.split("\n\n")
        assert second.startswith(f"  Example: anonnb {name} "), first
