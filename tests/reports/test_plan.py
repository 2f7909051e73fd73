from pathlib import Path

import numpy as np
import pytest

from anonnb.reports.plan import PlanError, find_notebook, known_parameters, notebook_files, read_plan
from anonnb.reports.runs import make_runs

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize("name", ["13", "13_mondrian", "13_mondrian.ipynb", "notebooks/13_mondrian.ipynb"])
def test_a_notebook_is_found_by_name(course, name):
    assert find_notebook(name) == (course / "13_mondrian.ipynb").resolve()


def test_names_that_lead_nowhere_or_to_many(course):
    with pytest.raises(PlanError, match="'1' may mean 13_mondrian, 14_incognito, 15_plain"):
        find_notebook("1")
    with pytest.raises(PlanError, match="no notebook '99'; known are 13_mondrian"):
        find_notebook("99")
    with pytest.raises(PlanError, match="no notebook"):
        find_notebook("elsewhere/13_mondrian.ipynb")


def test_batch_parameters_go_to_those_that_know_them_and_interaction_is_off(course):
    assert names_and_parameters(make_runs(None, {"K": 5, "SEED": 3})) == [
        ("13_mondrian", {"INTERACTIVE": False, "K": 5, "SEED": 3}),
        ("14_incognito", {"K": 5}),
        ("15_plain", {}),
    ]


def test_a_parameter_nobody_knows_is_refused(course):
    with pytest.raises(PlanError, match="14_incognito, 15_plain: unknown parameter 'SEED'; known are K"):
        make_runs(["14", "15"], {"SEED": 3})


def test_own_parameters_win_and_must_be_known(course):
    runs = make_runs([{"notebook": "14", "parameters": {"K": 9}}, {"notebook": "13"}], {"K": 5})
    assert [run.parameters["K"] for run in runs] == [9, 5]
    with pytest.raises(PlanError, match="14_incognito: unknown parameter 'SEED'; known are K"):
        make_runs([{"notebook": "14", "parameters": {"SEED": 9}}, {"notebook": "13"}])


def test_only_plain_values_are_parameters(course):
    assert make_runs(["14"], {"K": (2, 3)})[0].parameters == {"K": [2, 3]}
    with pytest.raises(PlanError, match="'K' is a int64"):
        make_runs(["14"], {"K": np.int64(3)})


def test_reports_have_distinct_and_harmless_names(course):
    assert [run.name for run in make_runs(["13", "13", "14"])] == ["13_mondrian", "13_mondrian-2", "14_incognito"]
    for name in ("../x", "a/b", "index", ".hidden"):
        with pytest.raises(PlanError, match="cannot name a report"):
            make_runs([{"notebook": "13", "name": name}])
    with pytest.raises(PlanError, match="two runs are called 'a-2'"):
        make_runs([{"notebook": "13", "name": name} for name in ("a", "a", "a-2")])


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
    with pytest.raises(PlanError, match=message):
        read_plan(plan)


def test_a_file_that_is_no_notebook(tmp_path):
    (tmp_path / "x.ipynb").write_text("no")
    with pytest.raises(PlanError, match=r"x\.ipynb is not a notebook"):
        make_runs([tmp_path / "x.ipynb"])


def test_the_values_of_a_sweep_make_names_that_files_can_have(course):
    values = ["/home/me/my table.csv", ["a b", "c"], "", 0.5]
    runs = make_runs([{"notebook": "14", "matrix": {"K": values}}])
    names = ["my_table", "a_b+c", "none", "0.5"]
    assert [run.name for run in runs] == [f"14_incognito-K={name}" for name in names]


def test_a_second_sweep_of_the_same_name_is_refused(course, tmp_path):
    """Two sweeps on one page would be one table with holes."""
    plan = tmp_path / "plan.yaml"
    first, second = "{notebook: 13_mondrian, matrix: {K: [2, 5]}}", "notebook: 13_mondrian, matrix: {SEED: [1, 2]}"
    plan.write_text(f"- {first}\n- {{{second}}}\n")
    with pytest.raises(PlanError, match=r"plan\.yaml, run 2: .*'13_mondrian'.* give one of them a name") as caught:
        make_runs(read_plan(plan))
    assert "\n" not in str(caught.value)
    plan.write_text(f"- {first}\n- {{{second}, name: seeds}}\n")
    assert {run.sweep for run in make_runs(read_plan(plan))} == {"13_mondrian-comparison", "seeds-comparison"}


def test_a_pattern_stands_for_all_notebooks_that_fit(course):
    runs = make_runs([{"notebook": "1[34]*", "parameters": {"SEED": 3}}])
    assert names_and_parameters(runs) == [("13_mondrian", {"INTERACTIVE": False, "SEED": 3}), ("14_incognito", {})]
    with pytest.raises(PlanError, match="13_mondrian, 14_incognito: unknown parameter 'L'"):
        make_runs([{"notebook": "1[34]*", "parameters": {"L": 3}}])
    with pytest.raises(PlanError, match=r"no notebook has a name like '9\*'"):
        make_runs([{"notebook": "9*"}])


def test_only_keeps_what_starts_so(course):
    plan = [{"notebook": "13", "matrix": {"K": [2, 5]}}, {"notebook": "14", "name": "other"}, "15"]
    assert [run.name for run in make_runs(plan, only=["13"])] == ["13_mondrian-K=2", "13_mondrian-K=5"]
    assert [run.name for run in make_runs(plan, only=["13_mondrian-K=5", "oth"])] == ["13_mondrian-K=5", "other"]
    assert [run.name for run in make_runs(plan, only=["15_plain.ipynb", "14"])] == ["other", "15_plain"]
    with pytest.raises(PlanError, match="starts with '99'; there are 13_mondrian, 14_incognito, 15_plain"):
        make_runs(plan, only=["13", "99"])
    with pytest.raises(PlanError, match="15_plain: unknown parameter 'K'; known are none"):
        make_runs(plan, {"K": 3}, only=["15"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{notebook: 14_incognito, parameters: {SEED: 1}}", "14_incognito: unknown parameter 'SEED'"),
        ("{notebook: 14_incognito, matrix: {SEED: [1]}}", "14_incognito: unknown parameter 'SEED'"),
        ("{notebook: 99_none}", "there is no notebook '99_none'"),
        ("{notebook: 14_incognito, name: ../x, matrix: 5}", "'matrix' must be a mapping"),
        ("{notebook: 14_incognito, matrix: {K: 5}}", r"'K' needs a list of values, such as K: \[2, 5, 10\]"),
        ("{notebook: 14_incognito, matrix: {K: [5, 5]}}", "'K' has a value twice"),
        ("{notebook: 14_incognito, parameters: {K: 2}, matrix: {K: [5]}}", "in 'parameters' and in 'matrix'"),
        ("{notebook: '1*', matrix: {K: [5]}}", "is a pattern, so it can have neither"),
        ("{notebook: 13_mondrian, sweep: {K: [5]}}", "unknown key 'sweep'"),
        ("14", "'notebook' is missing"),
    ],
)
def test_complaints_name_the_file_and_the_run(course, tmp_path, text, message):
    (tmp_path / "bad.yaml").write_text(f"- {{notebook: 13_mondrian}}\n- {text}")
    with pytest.raises(PlanError, match=rf"the plan .*bad\.yaml, run 2: .*{message}") as caught:
        make_runs(read_plan(tmp_path / "bad.yaml"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["quick", "full", "course", "own-data"])
def test_the_plans_that_come_with_it_can_be_run(name, monkeypatch):
    """Their notebooks exist and know their parameters; parameters of one's own table go to all of own-data."""
    monkeypatch.chdir(ROOT)
    own = {"DATA": "people.csv", "QUASI": ["age"], "SENSITIVE": ["illness"]} if name == "own-data" else {}
    runs = make_runs(read_plan(name), own)
    assert len({run.name for run in runs}) == len(runs)
    parts = {run.notebook.name[0] for run in runs}
    assert parts == {"quick": set("0134"), "full": set("0123456"), "course": set("0123"), "own-data": set("45")}[name]
    if name == "own-data":
        assert all(run.parameters["DATA"] == "people.csv" for run in runs)
    if name == "full":
        assert {run.notebook for run in runs} == {path.resolve() for path in notebook_files()}


def test_parameters_are_found_whatever_their_values_look_like(tmp_path, make_notebook):
    cell = 'PROFILE = "Mondrian, k = 10"  # type: str  help\nK: int = 5\n"""a text"""\nNAMES = [\n    "a",\n]'
    assert known_parameters(make_notebook(tmp_path / "a.ipynb", "# A", cell)).keys() == {"PROFILE", "K", "NAMES"}
    with pytest.raises(PlanError, match=r"b\.ipynb: the cell tagged 'parameters' is not Python"):
        known_parameters(make_notebook(tmp_path / "b.ipynb", "# B", "K = = 5"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("&a\n- *a\n", "contains itself"),
        ("- &a\n  notebook: 13_mondrian\n  parameters: {K: *a}\n", "contains itself"),
        ("- &a {notebook: 13_mondrian, matrix: {K: &b [1, *b]}}\n", "contains itself"),
        ("[" * 5000, "nested more than 100 levels deep"),
        ("- notebook: 2020-13-45\n", "cannot be read: month must be"),
        ("- &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"- &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)),
         "more than 100,000 values"),
    ],
)  # fmt: skip
def test_a_plan_that_contains_itself_or_explodes_is_refused(tmp_path, text, words):
    path = tmp_path / "plan.yaml"
    path.write_text(text)
    with pytest.raises(PlanError, match=words):
        read_plan(path)
