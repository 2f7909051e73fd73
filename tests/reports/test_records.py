"""What notebooks record, in a real kernel and without one."""

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat.v4 import new_code_cell, new_notebook, new_output

from anonnb.reports.records import MIME, collect, figures, record, tables
from anonnb.reports.refreshing import refresh
from tests.notebooks.test_notebooks import nbval
from tests.reports.conftest import HOSTILE

PAPER = pd.DataFrame(
    {"quantity": ["rows", "loss"], "ours": [5, 0.25], "paper": [np.nan, 0.5], "difference": [None, -0.25]}
)


@pytest.fixture
def recorded():
    """``recorded(name, value, ...)``: the outputs that a notebook would keep."""
    InteractiveShell.instance()

    def run(*arguments, **options):
        with capture_output() as captured:
            record(*arguments, **options)
        return [output.data for output in captured.outputs]

    yield run
    InteractiveShell.clear_instance()


def notebook_of(*bundles):
    outputs = [new_output("display_data", data) for data in bundles]
    return new_notebook(cells=[new_code_cell("", outputs=[output]) for output in outputs])


def test_a_table_is_kept_whole_and_shown(recorded):
    (shown,) = recorded("reproduction", PAPER, kind="reproduction", caption="Somebody (2023)")
    (entry,) = tables(collect(notebook_of(shown)), "reproduction")
    assert entry["caption"] == "Somebody (2023)"
    assert entry["columns"] == ["quantity", "ours", "paper", "difference"]
    assert entry["rows"] == [["rows", 5.0, None, None], ["loss", 0.25, 0.5, -0.25]]
    assert '<td class="number">0.250</td>' in shown["text/html"]
    assert shown["text/plain"] == "reproduction: 2 rows × 4 columns"


def test_numpy_and_missing_values_become_plain(recorded):
    frame = pd.DataFrame({"a": [np.int64(1), pd.NA, float("inf"), np.bool_(True), pd.NaT]}, dtype=object)
    (shown,) = recorded("t", frame)
    assert shown[MIME]["value"]["rows"] == [[1], [None], ["inf"], [True], [None]]
    assert shown[MIME]["value"]["kind"] == "table"


def test_hostile_cells_stay_text(recorded):
    (shown,) = recorded("t", pd.DataFrame({HOSTILE: [HOSTILE]}))
    assert "<script" not in shown["text/html"]


def test_the_last_record_of_a_name_counts_and_figures_are_no_tables(recorded):
    bundles = recorded("k", 1) + recorded("k", np.float64(2.5)) + recorded("t", PAPER)
    records = collect(notebook_of(*bundles))
    assert figures(records) == {"k": 2.5}
    assert len(tables(records, "table")) == 1


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("k", [1]), {}, TypeError, "'k'.*not list"),
        (("", 1), {}, TypeError, "needs a name"),
        (("k", 1), {"kind": "arena"}, TypeError, "'k': only a DataFrame has a kind"),
        (("k", PAPER), {"kind": "nonsense"}, ValueError, "'k': kind='nonsense' is not known; use one of table"),
        (("k", PAPER), {"kind": "arena"}, ValueError, "'k': a table of the kind 'arena' needs the column 'method'"),
        (("k", pd.DataFrame({"a": [[1]]})), {}, TypeError, "'k', column 'a': .*not list"),
    ],
)
def test_bad_records_are_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        record(*arguments, **options)


@pytest.mark.slow
def test_a_changed_figure_of_a_record_fails_the_strict_run(tmp_path, make_notebook):
    """What the index shows is in the output that nbval compares, not only in the text that people see."""
    source = "import pandas as pd\nfrom anonnb.reports import record\nrecord('t', pd.DataFrame({'a': [0.1251]}))"
    path = make_notebook(tmp_path / "a.ipynb", "# A", "", source)
    refresh([path])
    text = path.read_text(encoding="utf-8")
    # 0.1252 is shown as 0.125, too: only the recorded figure differs.
    assert text.count("0.1251\n") == 1
    changed = tmp_path / "changed.ipynb"
    changed.write_text(text.replace("0.1251\n", "0.1252\n"), encoding="utf-8")
    assert nbval(path, changed) == {"a": "passed", "changed": "failed"}
