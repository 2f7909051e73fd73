"""The experiment of the imprecise-rules paper: its printed tables, its folds, and small runs of every table."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb.core.tasks import run_tasks
from anonnb.experiments import chase_experiment as chase
from anonnb.experiments import inuiguchi as experiment
from anonnb.experiments import migration, three_routes, tree_preserving
from anonnb.experiments.__main__ import experiments, main

pytestmark = pytest.mark.slow  # whole experiments: for `make test`


@pytest.mark.parametrize("dataset", experiment.DATASETS)
def test_folds_partition_the_rows(dataset):
    rows = len(anonnb.load(dataset))
    parts = experiment.folds(dataset, 3, seed=1)
    assert len(parts) == 10
    assert sorted(np.concatenate([test for _, test in parts]).tolist()) == list(range(rows))
    for train, test in parts:
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(rows))
    assert not np.array_equal(parts[0][1], experiment.folds(dataset, 4, seed=1)[0][1])


@pytest.fixture
def small(monkeypatch):
    """The experiment on the two smallest tables, with two folds and three samples."""
    monkeypatch.setattr(experiment, "DATASETS", ("hayes-roth", "iris"))
    monkeypatch.setattr(experiment, "SMALL_DATASETS", ("iris",))
    monkeypatch.setattr(experiment, "SIZES", {"quick": experiment.InuiguchiSize(1, 2, (2, 5), 2, 3)})


def test_accuracies_of_every_table(small):
    frame = experiment.table8()
    assert frame.columns.tolist() == ["dataset", "k", "attack", "method", "ours", "paper", "difference"]
    assert len(frame) == 2 * 2 * 8
    assert frame["paper"].notna().all()
    assert frame["ours"].between(0, 1).all()
    rules = frame.set_index(["dataset", "k", "method"])["ours"]
    assert rules["iris", 5, "Ori"] > 0.8
    assert rules["iris", 5, "cT1"] > rules["iris", 5, "M1"]


@pytest.mark.parametrize("name", ["table9", "table10", "table9_second", "table10_second"])
def test_shallow_attacks_of_every_table(small, name):
    frame = experiment.TABLES[name]()
    assert len(frame) == 2 * 2 * 6
    assert frame["paper"].notna().all()
    assert frame["ours"].between(0, 1).all()


@pytest.mark.parametrize("name", ["table11", "table12", "table11_second", "table12_second"])
def test_the_deep_attack_reveals_at_least_what_the_shallow_one_does(small, name):
    frame = experiment.TABLES[name]()
    assert len(frame) == 3 * 6 * 2
    both = frame.pivot_table(index=["dataset", "k", "method"], columns="attack", values="ours")
    assert (both["deep"] >= both["shallow"] - 1e-12).all()


def test_car_m2_gives_the_printed_ratio_exactly():
    """35 of 183 pairs of known values tell the class: 0.1913 (k = 2 and 3)."""
    lines = experiment.shallow_successes("car", 3, 0, 0)
    found = {name: value for _, _, name, attacked, value in lines if attacked == "decision"}
    assert found["M2"] == pytest.approx(35 / 183)
    assert found["M1"] == 0
    assert found["cT1"] == pytest.approx(0.2067, abs=0.003)


def test_same_seed_same_frame(small):
    pd.testing.assert_frame_equal(experiment.table10(seed=3), experiment.table10(seed=3))
    assert not experiment.table10(seed=3)["ours"].equals(experiment.table10(seed=4)["ours"])


def counted(folder, number):
    """A task that leaves a trace of every run."""
    with open(f"{folder}/runs.txt", "a") as file:
        file.write(f"{number}\n")
    return [(number, number**2)]


def test_a_second_run_takes_results_from_the_cache(tmp_path):
    tasks = [(str(tmp_path), number) for number in range(3)]
    first = run_tasks(counted, tasks[:2], ["n", "square"], cache_folder=tmp_path / "cache")
    second = run_tasks(counted, tasks, ["n", "square"], cache_folder=tmp_path / "cache")
    assert (tmp_path / "runs.txt").read_text().split() == ["0", "1", "2"]
    assert first["square"].tolist() == [0, 1]
    assert second["square"].tolist() == [0, 1, 4]


def test_the_runner_writes_tables(small, tmp_path, capsys):
    assert "inuiguchi" in experiments()
    options = ["--results", str(tmp_path), "--cache", str(tmp_path / "cache")]
    assert main(["inuiguchi", "table12", *options]) == 0
    written = pd.read_csv(tmp_path / "inuiguchi_table12.csv")
    assert len(written) == 3 * 6 * 2
    assert "36 lines" in capsys.readouterr().out
    assert main(["inuiguchi", "table99", *options]) == 2
    assert "there is no table 'table99'" in capsys.readouterr().out


def test_agreement_measures_the_distance_to_the_paper():
    paper = experiment.paper()
    results = {f"table{n}": part.assign(difference=0.0) for n, part in paper.groupby("table")}
    found = experiment.agreement(results)
    assert (found["largest distance"] == 0).all()
    assert (found["share within"] == 1).all()
    results["table8"].loc[results["table8"]["method"] == "Ori", "difference"] = [-0.5] + [0.01] * 7
    line = experiment.agreement(results).iloc[0]
    assert (line["largest distance"], line["share within"]) == (0.5, 7 / 8)


def test_the_second_reading_is_nearer_as_far_as_it_was_found_to_be():
    """Mean |difference| of the parts that the second reading was looked for, with room for another draw of samples."""
    frame = experiment.all_figures(experiment.stored_reading("second"))
    apart = frame["difference"].abs().groupby([frame["table"], frame["attack"], frame["part"]]).mean()
    expected = {
        ("Table 8", "rules", "M1"): 0.012,
        ("Table 8", "rules", "M2"): 0.045,
        ("Table 8", "rules", "patterns"): 0.055,
        ("Table 9", "shallow", "M1"): 0.036,
        ("Table 9", "shallow", "M2"): 0.023,
        ("Table 9", "shallow", "patterns"): 0.101,
        ("Table 10", "shallow", "M1"): 0.000,
        ("Table 10", "shallow", "M2"): 0.004,
        ("Table 10", "shallow", "patterns"): 0.027,
        ("Table 11", "shallow", "M1"): 0.011,
        ("Table 11", "deep", "M1"): 0.043,
        ("Table 12", "shallow", "M2"): 0.018,
    }
    for part, figure in expected.items():
        assert apart[part] == pytest.approx(figure, abs=0.012)


def test_a_missing_result_says_how_to_make_it():
    with pytest.raises(FileNotFoundError, match="inuiguchi table99 --size full"):
        experiment.stored("table99")


@pytest.mark.parametrize(
    "table", [experiment.table8, chase.draws, migration.comparison, three_routes.three_routes, tree_preserving.quality]
)
def test_unknown_sizes_are_refused(table):
    with pytest.raises(ValueError, match="size='huge' is not known; use 'quick' or 'full'"):
        table(size="huge")
