"""What every committed notebook must be. Their outputs are compared by nbval: ``make nbval``."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from anonnb.reports import notebook_files, notebook_index
from anonnb.reports.catalogue import question_of, title_of
from anonnb.reports.plan import known_parameters
from anonnb.reports.refreshing import clean

FOLDER = Path(__file__).parents[2] / "notebooks"
TEMPLATE = FOLDER / "template.ipynb"
MOST_LINES = 25


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture(params=[*notebook_files(FOLDER), TEMPLATE], ids=lambda path: path.stem)
def path(request):
    return request.param


def test_the_index_is_up_to_date():
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == notebook_index(FOLDER), "run `make index`"


def test_title_question_and_parameters(path):
    notebook = nbformat.read(path, as_version=4)
    assert title_of(notebook)
    assert question_of(notebook)
    tagged = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    assert len(tagged) == 1
    assert known_parameters(path)


def test_it_is_committed_executed_and_clean(path):
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1)), "run `make notebooks`"
    assert nbformat.writes(clean(notebook)) + "\n" == text, "run `make notebooks`"
    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    assert not any("application/vnd.jupyter.widget-view+json" in output.get("data", {}) for output in outputs)


def test_no_cell_hides_its_value_by_a_semicolon(path):
    # nbval runs cells without history, where IPython cannot see the semicolon: write `_ = …` instead
    cells = code_cells(nbformat.read(path, as_version=4))
    assert not [cell.source for cell in cells if cell.source.rstrip().endswith(";")]


def test_widgets_can_be_switched_off(path):
    notebook = nbformat.read(path, as_version=4)
    for cell in code_cells(notebook):
        if "widgets.explore" in cell.source:
            assert "interactive=INTERACTIVE" in cell.source
            assert "nbval-ignore-output" in cell.metadata.get("tags", [])
            assert "INTERACTIVE" in known_parameters(path)


def test_algorithms_live_in_the_package(path):
    for cell in code_cells(nbformat.read(path, as_version=4)):
        assert len(cell.source.splitlines()) <= MOST_LINES


@pytest.mark.slow
def test_a_tampered_number_fails_the_strict_run(tmp_path):
    """A notebook whose outputs are not really compared would pass whatever it says."""
    assert nbval(TEMPLATE) == 0
    text = TEMPLATE.read_text(encoding="utf-8")
    tampered = tmp_path / "tampered.ipynb"
    tampered.write_text(text.replace("148    3", "148    4"), encoding="utf-8")
    assert tampered.read_text(encoding="utf-8") != text
    assert nbval(tampered) == 1


def nbval(path):
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", "--nbval", "--nbval-current-env", path]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(command, env=environment | {"ANONNB_BATCH": "1"}, stdout=subprocess.DEVNULL).returncode
