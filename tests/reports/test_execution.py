"""The one executor of notebooks: folder, parameters, time limit, and what is left when a cell fails."""

import os
import tempfile

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from anonnb.reports.execution import execute, parametrized


def read(path):
    return nbformat.read(path, as_version=4)


def shown(cell):
    return [output.get("text") or output.data["text/plain"] for output in cell.outputs]


@pytest.mark.slow
def test_a_notebook_runs_in_its_folder_and_leaves_nothing_behind(tmp_path, make_notebook, monkeypatch):
    with tempfile.TemporaryDirectory() as temporary:  # short, as the path of a socket must be
        monkeypatch.setattr(tempfile, "tempdir", temporary)
        monkeypatch.setenv("TMPDIR", temporary)
        monkeypatch.setenv("MPLBACKEND", "nonsense")
        look = "import os\nos.path.basename(os.getcwd()), os.environ['ANONNB_BATCH'], 'MPLBACKEND' in os.environ"
        notebook = read(make_notebook(tmp_path / "course" / "a.ipynb", "# A", "", look))
        execute(notebook, tmp_path / "course", seconds=600)
        assert shown(notebook.cells[1]) == ["('course', '1', True)"]  # ipykernel sets its own backend
        assert [path.name for path in (tmp_path / "course").iterdir()] == ["a.ipynb"]
        assert os.listdir(temporary) == []


def test_parameters_come_in_a_cell_of_their_own(tmp_path, make_notebook):
    notebook = read(make_notebook(tmp_path / "a.ipynb", "# A", "K = 1\nTEXT = ''", "print(K)"))
    changed = parametrized(notebook, {"K": 5, "TEXT": 'it\'s "so"\n', "LIST": [1, None, True]})
    tags = [cell.metadata.tags for cell in changed.cells]
    assert tags == [[], ["parameters"], ["injected-parameters"], []]
    values = {}
    exec(changed.cells[2].source, values)
    assert [values[name] for name in ("K", "TEXT", "LIST")] == [5, 'it\'s "so"\n', [1, None, True]]
    assert len(notebook.cells) == 3
    assert "papermill" not in {*notebook.metadata, *changed.metadata}


@pytest.mark.slow
def test_after_an_error_no_outputs_of_an_earlier_run_are_left(tmp_path, make_notebook):
    notebook = read(make_notebook(tmp_path / "a.ipynb", "# A", "", "print('one')", "1 / 0", "print('three')"))
    for cell in notebook.cells[1:]:
        cell.outputs = [nbformat.v4.new_output("stream", text="old")]
        cell.execution_count = 7
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        execute(notebook, tmp_path, seconds=600)
    assert shown(notebook.cells[1]) == ["one\n"]
    assert notebook.cells[2].outputs[0].output_type == "error"
    assert (notebook.cells[3].outputs, notebook.cells[3].execution_count) == ([], None)
