"""Claims that report, and parameters with ranges: in a kernel, in a batch, and in a report."""

import nbformat
import pytest

from anonnb.reports import batch
from anonnb.reports.plan import PlanError
from anonnb.reports.refreshing import refresh
from anonnb.reports.runs import make_runs
from anonnb.widgets.claims import claim, count_claims, refuted
from anonnb.widgets.parameters import parameters_of

CELL = 'K = 5  # type: int  2 to 50  smallest class\nDATA = "zoo"  # type: str  one of zoo, iris  table'
CODE = (
    "from anonnb.widgets import check_parameters, claim, parameter_range, say\ncheck_parameters()",
    'claim("K is small.", K < 10, otherwise=f"K is <b>{K}</b>.")\nclaim("K is whole.", K == int(K))',
    "say(f\"The slider goes from {parameter_range('K')[0]}.\")",
)


def printed(capsys):
    return nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("stream", text=capsys.readouterr().out)])]
    )


def test_a_claim_that_fails_is_counted_and_does_not_stop(capsys):
    claim("One is one.", True)
    claim("One is two.", 1 == 2, otherwise="One is one.")
    notebook = printed(capsys)
    assert count_claims(notebook) == 2
    assert refuted(notebook) == ["Does not hold here: One is two. Instead: One is one."]


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("K", 2, ""),
        ("K", 50, ""),
        ("K", 51, "K is 51; choose a value from 2 to 50"),
        ("K", 2.5, "K is 2.5; choose a whole number from 2 to 50"),
        ("K", "many", "K is 'many'; choose a number from 2 to 50"),
        ("K", True, "K is True; choose a number from 2 to 50"),
        ("DATA", "iris", ""),
        ("DATA", "car", "DATA is 'car'; choose one of zoo, iris"),
    ],
)
def test_what_a_parameter_may_be(name, value, complaint):
    assert parameters_of(CELL)[name].complaint(value) == complaint


def test_comments_without_a_range_allow_everything():
    known = parameters_of('A = [1]  # type: list  2 to do\nB: int = 3\nC = "a  # type: int  2 to 5"\nD = 1 + 1')
    assert {name: (one.default, one.complaint(-7)) for name, one in known.items()} == {
        "A": ([1], ""),
        "B": (3, ""),
        "C": ("a  # type: int  2 to 5", ""),
        "D": (None, ""),
    }


def test_a_batch_refuses_a_value_before_anything_runs(tmp_path, make_notebook):
    path = make_notebook(tmp_path / "a.ipynb", "# A", CELL, *CODE)
    with pytest.raises(PlanError, match="a: K is 1; choose a value from 2 to 50"):
        make_runs([path], {"K": 1})


@pytest.mark.slow
def test_a_report_marks_what_does_not_hold_and_the_defaults_must_hold(tmp_path, make_notebook):
    path = make_notebook(tmp_path / "a.ipynb", "# A", CELL, *CODE)
    wrong = make_notebook(tmp_path / "wrong.ipynb", "# B", CELL.replace("K = 5", "K = 20"), *CODE)
    runs = [str(path), {"notebook": str(path), "name": "far", "parameters": {"K": 20}}, str(wrong)]
    plain, far, refused = batch.run(runs, out=tmp_path / "out", jobs=2).results
    assert (plain.status, plain.claims, plain.refuted) == ("ok", 2, [])
    assert (far.status, far.claims) == ("ok", 2)
    assert far.refuted == ["Does not hold here: K is small. Instead: K is <b>20</b>."]
    assert (refused.status, "K is small." in refused.error) == ("failed", True)
    page = (tmp_path / "out" / "far.html").read_text(encoding="utf-8")
    assert "1 of 2 claims does not hold here" in page
    assert '<b class="failure">✗ Does not hold here: K is small. Instead: K is &lt;b&gt;20' in page
    assert "The slider goes from 2." in page
    assert "1 of 2 claims does not hold here" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    before = wrong.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="at its defaults, a claim must hold"):
        refresh([wrong])
    assert wrong.read_text(encoding="utf-8") == before


@pytest.mark.slow
def test_a_notebook_says_in_one_sentence_what_a_parameter_may_be(tmp_path, make_notebook):
    from nbclient.exceptions import CellExecutionError

    from anonnb.reports.execution import execute

    notebook = nbformat.read(
        make_notebook(tmp_path / "a.ipynb", "# A", CELL.replace("K = 5", "K = 51"), *CODE), as_version=4
    )
    with pytest.raises(CellExecutionError):
        execute(notebook, tmp_path, seconds=60)
    assert notebook.cells[2].outputs[0].traceback == ["K is 51; choose a value from 2 to 50"]
