"""``import anonnb`` is light, and its names are there when asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import anonnb

HEAVY = ("pandas", "numpy", "matplotlib", "ipywidgets", "papermill", "numba", "scipy", "sklearn", "networkx", "IPython")


ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(anonnb.__file__).parents[1])}


def loaded_after(statement: str) -> set[str]:
    program = f"{statement}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_looking_at_the_names_imports_nothing_heavy():
    assert loaded_after("import anonnb; dir(anonnb); anonnb.__version__").isdisjoint(HEAVY)


def test_tables_and_releases_need_pandas_only():
    heavy = set(HEAVY) - {"pandas", "numpy"}
    assert loaded_after("from anonnb import Table, Release, Hierarchy, Infeasible").isdisjoint(heavy)


@pytest.mark.slow
def test_the_registries_import_no_heavy_library():
    found = loaded_after("from anonnb import methods, attacks; methods.all(); attacks.all()")
    assert found.isdisjoint({"matplotlib", "ipywidgets", "papermill", "numba", "sklearn", "networkx", "dask"})


def ours_after(statement: str, folder: Path) -> list[str]:
    program = f"{statement}\nimport sys\nprint(*(name for name in sys.modules if name.startswith('anonnb')))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, env=ENVIRONMENT)
    return done.stdout.splitlines()[-1].split()


@pytest.mark.slow
def test_one_method_is_imported_without_the_others(tmp_path):
    modules = ours_after("from anonnb.methods import Mondrian", tmp_path)
    assert "anonnb.methods.mondrian.mondrian" in modules
    assert len(modules) <= 130
    assert not any(name.startswith(("anonnb.methods.cells", "anonnb.rules", "anonnb.trees")) for name in modules)


@pytest.mark.slow
def test_anonymizing_a_file_loads_few_modules(tmp_path):
    rows = [f"{age},{sex},{ill}" for age in range(20, 30) for sex in "MF" for ill in ("flu", "cold")]
    (tmp_path / "people.csv").write_text("\n".join(["age,sex,ill", *rows]))
    words = "anonymize people.csv --quasi age,sex --sensitive ill --method Mondrian --k 3 -o out.csv"
    modules = ours_after(f"from anonnb.cli import main\nmain('{words}'.split(), standalone_mode=False)", tmp_path)
    assert (tmp_path / "out.csv").exists()
    assert len(modules) <= 90


@pytest.mark.slow
def test_a_still_picture_of_a_player_needs_no_widgets():
    steps = "from anonnb.steps.step import Step; play([Step('Halve 8', 'It is more than 1.', 8)], interactive=False)"
    assert "ipywidgets" not in loaded_after(f"from anonnb.widgets import play; {steps}")
