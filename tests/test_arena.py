"""The arena: every pair gives a figure or a reason."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import arena, methods
from anonnb.attacks import ShallowAttack
from anonnb.methods import Mondrian


@pytest.fixture(scope="module")
def frame():
    return arena.compare(anonnb.load("survey"), k=[4])


def test_every_method_gives_figures_or_a_reason(frame):
    tables = {name for name, cls in methods.all().items() if cls.publishes == "table"}
    made = frame[frame["name"] == "made"].set_index("method")
    assert set(made.index) == tables | {"original"}
    failed = made["value"].isna()
    assert (made.loc[failed, "reason"].str.len() > 10).all()
    assert (made.loc[~failed, "reason"] == "").all()
    assert failed.sum() <= 2  # Factor wants boolean columns; nothing else has an excuse on this table


def test_attacks_and_measures_are_there_for_every_release(frame):
    made = frame.query("name == 'made' and value == 1")["method"]
    attacks = frame[frame["kind"] == "attack"]
    assert set(attacks["method"]) == set(made)
    assert attacks["name"].nunique() == len(arena.DEFAULT_ATTACKS)
    values = attacks["value"].dropna()
    assert ((values >= 0) & (values <= 1)).all()
    assert (attacks.loc[attacks["value"].isna(), "reason"].str.len() > 10).all()
    assert {"k", "NCP", "truthfulness"} <= set(frame["name"])


def test_summary_and_pareto():
    frame = arena.compare(anonnb.load("survey"), ["Mondrian", "TopDown"], ["LinkageAttack"], k=[2, 10])
    wide = arena.summary(frame, ["NCP", "LinkageAttack"])
    assert list(wide.columns) == ["LinkageAttack", "NCP"]
    assert len(wide) == 5
    front = arena.pareto(frame)
    points = front[["NCP", "LinkageAttack"]].to_numpy()
    for point, flag in zip(points, front["front"], strict=True):
        better = ((points <= point).all(axis=1) & (points < point).any(axis=1)).any()
        assert flag != better


def test_instances_and_a_failing_method_are_taken():
    table = anonnb.load("survey")
    found = arena.compare(table, {"mine": Mondrian(k=5), "too much": Mondrian(k=100)}, [ShallowAttack(known=1)])
    made = found[found["name"] == "made"].set_index("method")
    assert made.loc["mine", "value"] == 1
    assert made.loc["mine", "k"] == 5
    assert "needs at least 100 rows" in made.loc["too much", "reason"]


def test_searches_that_would_never_end_publish_the_best_they_found():
    iris = anonnb.load("iris")
    made = arena.compare(iris, ["KOptimize"], [], k=5, time_limit=0.2).query("name == 'made'").set_index("method")
    assert made.loc["KOptimize", "value"] == 1
    made = arena.compare(iris, ["KOptimize"], [], k=5, time_limit=None).query("name == 'made'").set_index("method")
    assert "time_limit" in made.loc["KOptimize", "reason"]


def test_what_differs_by_rounding_only_is_not_better():
    points = {"a": (0.1, 0.1 + 0.2), "b": (0.2, 0.3), "c": (0.05, 0.9)}  # 0.1 + 0.2 is a little more than 0.3
    lines = [(m, 5, 0, name, v) for m, p in points.items() for name, v in zip(("NCP", "risk"), p, strict=True)]
    frame = pd.DataFrame(lines, columns=["method", "k", "seed", "name", "value"])
    front = arena.pareto(frame, "NCP", "risk").set_index("method")["front"]
    assert front.to_dict() == {"a": True, "b": False, "c": True}


def test_a_second_run_comes_from_the_cache(tmp_path):
    table = anonnb.load("decision6")
    first = arena.compare(table, ["Mondrian"], ["HomogeneityAttack"], k=2, cache_folder=tmp_path)
    again = arena.compare(table, ["Mondrian"], ["HomogeneityAttack"], k=2, cache_folder=tmp_path)
    pd.testing.assert_frame_equal(first, again)  # times included: nothing was run again
    assert np.isfinite(first["value"]).any()


def test_plots_draw():
    from anonnb import plots

    frame = arena.compare(anonnb.load("survey"), ["Mondrian", "TopDown"], k=[2, 10])
    assert plots.loss_against_risk(frame).get_xlabel().startswith("detail lost")
    assert len(plots.attack_heat_map(frame).get_yticklabels()) == 5
    assert plots.curves_over_k(frame, "NCP").get_ylabel() == "NCP"
