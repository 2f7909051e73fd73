import numpy as np
import pytest

from anonnb.reports.plan import BadPlan, find_notebook, notebook_files, read_plan
from anonnb.reports.runs import make_runs


@pytest.fixture
def course(tmp_path, make_notebook, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "notebooks"
    make_notebook(folder / "13_mondrian.ipynb", "# M", "K = 2\nSEED = 1\nINTERACTIVE = True")
    make_notebook(folder / "14_incognito.ipynb", "# I", "K = 2")
    make_notebook(folder / "15_plain.ipynb", "# P", "")
    make_notebook(folder / "template.ipynb", "# T", "K = 2")
    return folder


def names_and_parameters(runs):
    return [(run.name, run.parameters) for run in runs]


def test_all_notebooks_but_the_template(course):
    assert [path.stem for path in notebook_files()] == ["13_mondrian", "14_incognito", "15_plain"]


@pytest.mark.parametrize("name", ["13", "13_mondrian", "13_mondrian.ipynb", "notebooks/13_mondrian.ipynb"])
def test_a_notebook_is_found_by_name(course, name):
    assert find_notebook(name) == (course / "13_mondrian.ipynb").resolve()


def test_names_that_lead_nowhere_or_to_many(course):
    with pytest.raises(BadPlan, match="'1' may mean 13_mondrian, 14_incognito, 15_plain"):
        find_notebook("1")
    with pytest.raises(BadPlan, match="no notebook '99'; known are 13_mondrian"):
        find_notebook("99")
    with pytest.raises(BadPlan, match="no notebook"):
        find_notebook("elsewhere/13_mondrian.ipynb")


def test_batch_parameters_go_to_those_that_know_them_and_interaction_is_off(course):
    assert names_and_parameters(make_runs(None, {"K": 5, "SEED": 3})) == [
        ("13_mondrian", {"INTERACTIVE": False, "K": 5, "SEED": 3}),
        ("14_incognito", {"K": 5}),
        ("15_plain", {}),
    ]


def test_a_parameter_nobody_knows_is_refused(course):
    with pytest.raises(BadPlan, match="14_incognito, 15_plain: unknown parameter 'SEED'; known are K"):
        make_runs(["14", "15"], {"SEED": 3})


def test_own_parameters_win_and_must_be_known(course):
    runs = make_runs([{"notebook": "14", "parameters": {"K": 9}}, {"notebook": "13"}], {"K": 5})
    assert [run.parameters["K"] for run in runs] == [9, 5]
    with pytest.raises(BadPlan, match="14_incognito: unknown parameter 'SEED'; known are K"):
        make_runs([{"notebook": "14", "parameters": {"SEED": 9}}, {"notebook": "13"}])


def test_only_plain_values_are_parameters(course):
    assert make_runs(["14"], {"K": (2, 3)})[0].parameters == {"K": [2, 3]}
    with pytest.raises(BadPlan, match="'K' is a int64"):
        make_runs(["14"], {"K": np.int64(3)})


def test_reports_have_distinct_and_harmless_names(course):
    assert [run.name for run in make_runs(["13", "13", "14"])] == ["13_mondrian", "13_mondrian-2", "14_incognito"]
    for name in ("../x", "a/b", "index", ".hidden"):
        with pytest.raises(BadPlan, match="cannot name a report"):
            make_runs([{"notebook": "13", "name": name}])
    with pytest.raises(BadPlan, match="two runs are called 'a-2'"):
        make_runs([{"notebook": "13", "name": name} for name in ("a", "a", "a-2")])


def test_a_plan_is_read(course, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text("- notebook: 13_mondrian\n  name: small\n  parameters: {K: 5}\n- notebook: 14_incognito\n")
    assert names_and_parameters(make_runs(read_plan(plan))) == [
        ("small", {"INTERACTIVE": False, "K": 5}),
        ("14_incognito", {}),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a list of runs"),
        ("notebook: 13", "must be a list of runs"),
        ("- {name: x}", "run 1: 'notebook' is missing"),
        ("- {notebook: a}\n- {notebook: b, params: {}}", "run 2: unknown key 'params'"),
        ("- {notebook: a, parameters: [1]}", "'parameters' must be a mapping"),
        ("- {notebook: a, name: 5}", "'name' must be a text"),
        ("- [", "is not YAML"),
        ("- !!python/object/apply:os.getcwd []", "is not YAML"),
    ],
)
def test_bad_plans_are_refused(tmp_path, text, message):
    plan = tmp_path / "plan.yaml"
    plan.write_text(text)
    with pytest.raises(BadPlan, match=message):
        read_plan(plan)


def test_a_file_that_is_no_notebook(tmp_path):
    (tmp_path / "x.ipynb").write_text("no")
    with pytest.raises(BadPlan, match=r"x\.ipynb is not a notebook"):
        make_runs([tmp_path / "x.ipynb"])
