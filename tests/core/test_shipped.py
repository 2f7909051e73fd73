"""A wheel, installed anywhere, carries the tables, the notebooks and the results they read, and no solution."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from anonnb.reports import notebook_files
from tests.core.source_copy import ROOT, build

CARRIED = ("anonnb", "data", "notebooks", "reports", "pyproject.toml", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The unpacked wheel; built from a copy, so that nothing of the source tree can help it."""
    folder = tmp_path_factory.mktemp("wheel")
    build(CARRIED, folder, "wheel")
    (wheel,) = folder.glob("anonnb-*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def asked(site: Path, program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], cwd=site, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.slow
def test_a_wheel_carries_the_tables(site):
    where, rows = asked(site, "import anonnb; print(anonnb.__file__, len(anonnb.load('adult')))")
    assert Path(where).is_relative_to(site)
    assert rows == "30162"


@pytest.mark.slow
def test_a_wheel_carries_the_notebooks_and_what_they_read(site):
    shipped = site / "anonnb" / "_shipped"
    assert {path.name for path in shipped.glob("notebooks/*.ipynb")} == {
        path.name for path in ROOT.glob("notebooks/*.ipynb")
    }
    assert {path.name[:2] for path in shipped.glob("notebooks/exercises/*.md")} == {
        path.name[:2] for path in shipped.glob("notebooks/[0-9]*.ipynb")
    }
    assert {path.name for path in shipped.glob("reports/results/*.csv")} == {
        path.name for path in ROOT.glob("reports/results/*.csv")
    }
    (count,) = asked(site, "from anonnb.experiments.migration import stored; print(len(stored('comparison')))")
    assert int(count) > 0


def command(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess:
    """``anonnb`` of the wheel, called in some folder."""
    environment = os.environ | {"PYTHONPATH": str(site)}
    return subprocess.run(
        [sys.executable, "-m", "anonnb", *words], cwd=folder, env=environment, capture_output=True, text=True
    )


def ran(site: Path, folder: Path, numbers: list[str]) -> None:
    """The notebooks of the wheel become reports in an empty folder, and leave nothing beside them."""
    done = command(site, folder, "report", *numbers, "--out", "here")
    assert done.returncode == 0, done.stderr
    notebooks = [path.stem for path in notebook_files(ROOT / "notebooks") if path.name[:2] in numbers]
    assert len(notebooks) == len(numbers)
    assert {path.stem for path in (folder / "here").glob("*.html")} == {"glossary", "index", *notebooks}
    assert [path.name for path in folder.iterdir()] == ["here"]
    assert not list(site.rglob(".*.tmp"))


@pytest.mark.slow
def test_a_wheel_runs_notebooks_in_an_empty_folder(site, tmp_path):
    """One that reads a table, and one that reads results; `make thorough` runs all of the latter."""
    ran(site, tmp_path, ["02", "46"])


@pytest.mark.slow
@pytest.mark.thorough
def test_a_wheel_runs_every_notebook_that_reads_results_in_an_empty_folder(site, tmp_path):
    """The others read nothing but the tables; `make nbval` runs all of them."""
    reading = [path.name[:2] for path in notebook_files(ROOT / "notebooks") if reads_results(path)]
    assert reading == ["40", "41", "42", "43", "44", "45", "46", "47"]
    ran(site, tmp_path, reading)


def reads_results(notebook: Path) -> bool:
    """Whether it asks for committed results of full runs."""
    cells = nbformat.read(notebook, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    return bool(re.search(r"\bstored\b|experiments\.benchmarks|import benchmarks", code))


def test_no_notebook_reads_a_file_by_its_path():
    """What lies beside the notebooks in the source tree is not beside them in a wheel: they ask the package."""
    for path in notebook_files(ROOT / "notebooks"):
        cells = nbformat.read(path, as_version=4).cells
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        assert not re.search(r"""["'](\.\.|\.|data|reports|notebooks)/""", code), path.name


@pytest.mark.slow
def test_a_wheel_hands_out_its_notebooks_once(site, tmp_path):
    first = command(site, tmp_path, "notebooks", "mine")
    assert first.returncode == 0, first.stderr
    copied = {path.name for path in (tmp_path / "mine").glob("*.ipynb")}
    assert copied == {path.name for path in ROOT.glob("notebooks/*.ipynb")}
    (tmp_path / "mine" / "13_mondrian.ipynb").write_text("changed")
    second = command(site, tmp_path, "notebooks", "mine")
    assert (second.returncode, second.stderr.count("\n")) == (2, 1)
    assert "'mine' is there already; nothing was copied" in second.stderr
    assert (tmp_path / "mine" / "13_mondrian.ipynb").read_text() == "changed"


@pytest.mark.slow
def test_a_wheel_has_no_assignments_and_says_so(site, tmp_path):
    done = command(site, tmp_path, "coursework", "list")
    assert done.returncode == 2
    assert "name their folder with --source" in done.stderr
