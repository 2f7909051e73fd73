"""The papers' figures beside ours: what is compared, and that nothing is made up."""

import pandas as pd
import pytest

import anonnb
from anonnb.experiments import chase, inuiguchi, migration, reproduction, tree_preserving


def line(frame, start):
    (found,) = frame[frame["quantity"].str.startswith(start)].to_dict("records")
    return found["ours"], found["paper"], found["difference"]


PAPERS = {
    "migration": lambda: reproduction.migration(anonnb.load("survey"), migration.stored("comparison")),
    "three routes": lambda: reproduction.three_routes(anonnb.load("survey")),
    "tree preserving": lambda: reproduction.tree_preserving(
        tree_preserving.stored("quality"), tree_preserving.stored("privacy"), 30162, "inside folds"
    ),
    "chase": lambda: reproduction.chase(chase.stored("draws")),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_difference_is_ours_minus_theirs(paper):
    frame = PAPERS[paper]()
    assert list(frame) == reproduction.COLUMNS
    assert frame["quantity"].is_unique
    numbers = frame[[not isinstance(paper, str) for paper in frame["paper"]]]
    assert len(numbers) >= 4
    gaps = numbers["ours"].astype(float) - numbers["paper"].astype(float) - numbers["difference"].astype(float)
    assert gaps.abs().max() < 1e-4


def test_means_of_the_printed_tables():
    results = {name: inuiguchi.stored(name) for name in inuiguchi.TABLES}
    frame = reproduction.imprecise_rules(results)
    table = results["table10"]
    patterns = table[table["method"].str.startswith("cT")]
    (found,) = frame[frame["quantity"] == "Table 10, shallow attack on the class: cT1–cT4"].to_dict("records")
    assert found["ours"] == pytest.approx(patterns["ours"].mean(), abs=1e-4)
    assert found["paper"] == pytest.approx(patterns["paper"].mean(), abs=1e-4)
    assert found["mean |difference|"] == pytest.approx((patterns["ours"] - patterns["paper"]).abs().mean(), abs=1e-4)
    assert found["figures compared"] == len(patterns)
    assert frame["figures compared"].sum() == 568


def test_statements_are_counted_over_k():
    """Invented results in which U-M3AR is slow once and new rules come late."""
    names = ("U-M3AR", "M3AR", "OKA", "GCCG")
    results = pd.DataFrame(
        [
            (name, k, 1.0 + place, 0.0, 0.1 if name == "U-M3AR" and k == 40 else 0.0, 4.0 - place)
            for place, name in enumerate(names)
            for k in (5, 20, 40)
        ],
        columns=["method", "k", "seconds", "lrp", "nrp", "cavg"],
    )
    results.loc[(results["method"] == "U-M3AR") & (results["k"] == 5), "seconds"] = 9.0
    frame = reproduction.migration(anonnb.load("survey"), results)
    assert line(frame, "rows of Adult") == (66, 32169, -32103)
    assert line(frame, "new rules (NRP) of U-M3AR, largest, k ≤ 30") == (0.0, 0.0, 0.0)
    assert line(frame, "new rules (NRP) of U-M3AR, largest, k > 30") == (0.1, "below 0.2", None)
    assert line(frame, "values of k where U-M3AR is faster") == (2, 3, -1)
    assert line(frame, "values of k ≥ 20 where OKA") == (0, 2, -2)
    assert line(frame, "values of k where GCCG is slowest") == (2, 3, -1)
    assert line(frame, "values of k where GCCG has the lowest") == (3, 3, 0)


def test_small_runs_have_fewer_values_of_k():
    few = migration.stored("comparison").query("k <= 10")
    frame = reproduction.migration(anonnb.load("survey"), few)
    assert line(frame, "values of k where U-M3AR is faster")[1] == 2
    assert pd.isna(line(frame, "new rules (NRP) of U-M3AR, largest, k > 30")[0])


def test_the_chase_experiment_at_both_ends_of_the_thresholds():
    frame = reproduction.chase(chase.stored("draws"))
    assert line(frame, "cells hidden besides income, confidence 0.97")[1] == 739
    assert line(frame, "share of all cells, confidence 0.8")[1] == 0.0739
    assert len(frame) == 8
