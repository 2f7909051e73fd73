"""``anonnb notebooks`` copies, ``anonnb lab`` opens; neither writes into an installed package."""

import shutil
import sys

import pytest
from click.testing import CliRunner

from anonnb.cli import main
from anonnb.core.shipped import shipped


@pytest.fixture
def started(tmp_path, monkeypatch):
    """An empty folder, and what ``anonnb lab`` would have started."""
    monkeypatch.chdir(tmp_path)
    calls = []
    monkeypatch.setattr("anonnb.cli.notebooks.subprocess.call", lambda command: calls.append(command) or 0)
    return calls


@pytest.fixture
def installed(tmp_path_factory, monkeypatch):
    """As if the notebooks lay inside the package, as they do in a wheel."""
    package = tmp_path_factory.mktemp("site") / "anonnb"
    inside = package / "_shipped" / "notebooks"
    inside.mkdir(parents=True)
    for name in ("00_start_here.ipynb", "13_mondrian.ipynb"):
        shutil.copy(shipped("notebooks") / name, inside)
    monkeypatch.setattr("anonnb.core.shipped.PACKAGE", package)


def call(*words):
    return CliRunner().invoke(main, words)


def test_copies_are_all_notebooks_and_no_solutions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("notebooks")
    assert result.exit_code == 0, result.stderr
    assert "anonnb lab anonnb-notebooks/00_start_here.ipynb" in result.stdout
    names = {path.name for path in (tmp_path / "anonnb-notebooks").rglob("*")}
    assert names >= {path.name for path in shipped("notebooks").glob("*.ipynb")}
    assert names.isdisjoint({"source", "figures", "CONTRIBUTING.md"})


@pytest.mark.parametrize("occupied", ["file", "folder"])
def test_nothing_is_written_over(tmp_path, occupied):
    target = tmp_path / "mine"
    target.write_text("x") if occupied == "file" else (target.mkdir(), (target / "a.txt").touch())
    before = sorted(tmp_path.rglob("*"))
    result = call("notebooks", str(target))
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "name a folder that is new or empty" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_the_lab_works_on_copies_of_installed_notebooks(tmp_path, started, installed):
    first = call("lab")
    copies = tmp_path / "anonnb-notebooks"
    assert first.stderr == "the notebooks were copied to anonnb-notebooks, where you can change them\n"
    assert started == [[sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={copies}"]]
    (copies / "13_mondrian.ipynb").write_text("changed")
    second = call("lab", "13")
    assert second.stderr == ""
    assert started[1][-1] == str(copies / "13_mondrian.ipynb")
    assert (copies / "13_mondrian.ipynb").read_text() == "changed"


def test_the_lab_opens_the_notebooks_of_this_folder(tmp_path, started, installed):
    (tmp_path / "notebooks").mkdir()
    assert call("lab").exit_code == 0
    assert started == [[sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={tmp_path / 'notebooks'}"]]
    assert [path.name for path in tmp_path.iterdir()] == ["notebooks"]
