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
    """The experiment on the two smallest tables, with one repetition and three samples."""
    monkeypatch.setattr(experiment, "DATASETS", ("hayes-roth", "iris"))
    monkeypatch.setattr(experiment, "SMALL_DATASETS", ("iris",))
    monkeypatch.setattr(experiment, "SIZES", {"quick": experiment.InuiguchiSize((2, 5), 2, 3, 1)})


@pytest.mark.parametrize(
    ("name", "lines"), [("table8", 2 * 2 * 8), ("shallow", 2 * 2 * 6 * 2), ("deep", 3 * 6 * 2 * 2)]
)
def test_every_table_has_ours_with_its_interval_beside_the_printed_figure(small, name, lines):
    frame = experiment.TABLES[name]()
    assert len(frame) == lines
    assert frame["paper"].notna().all()
    assert frame["ours"].between(frame["low"], frame["high"]).all()
    if name == "deep":
        both = frame.pivot_table(index=["table", "dataset", "k", "method"], columns="attack", values="ours")
        assert (both["deep"] >= both["shallow"] - 1e-12).all()
    pd.testing.assert_frame_equal(frame, experiment.TABLES[name]())


def test_the_interval_is_that_of_the_mean_of_another_run():
    """Of the means of two runs with equal spread, 95 % of the second fall into the interval of the first."""
    rng, inside = np.random.default_rng(0), []
    for _ in range(300):
        draws = rng.normal(0.3, 0.05, (2, 10))
        lines = [(9, "car", 2, at, "cT1", "shallow", value) for at, value in enumerate(draws[0])]
        frame = experiment._beside_paper(pd.DataFrame(lines, columns=experiment.LINE), 9)
        inside.append(frame["low"].item() <= draws[1].mean() <= frame["high"].item())
    assert 0.91 < np.mean(inside) < 0.985


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
    assert main(["inuiguchi", "deep", *options]) == 0
    assert len(pd.read_csv(tmp_path / "inuiguchi_deep.csv")) == 3 * 6 * 2 * 2
    assert "72 lines" in capsys.readouterr().out
    assert main(["inuiguchi", "table99", *options]) == 2
    assert "there is no table 'table99'" in capsys.readouterr().out


def test_a_missing_result_says_how_to_make_it():
    with pytest.raises(FileNotFoundError, match="inuiguchi table99 --size full"):
        experiment.stored("table99")


@pytest.mark.parametrize(
    "table", [experiment.table8, chase.draws, migration.comparison, three_routes.three_routes, tree_preserving.quality]
)
def test_unknown_sizes_are_refused(table):
    with pytest.raises(ValueError, match="size='huge' is not known; use 'quick' or 'full'"):
        table(size="huge")
