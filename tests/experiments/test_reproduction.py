"""The papers' figures beside ours: what is compared, and that nothing is made up."""

import pytest

import anonnb
from anonnb.experiments import chase_experiment as chase
from anonnb.experiments import inuiguchi, migration, reproduction, tree_preserving


def line(frame, start):
    (found,) = frame[frame["quantity"].str.startswith(start)].to_dict("records")
    return found["ours"], found["paper"], found["difference"]


PAPERS = {
    "migration": lambda: reproduction.migration(anonnb.load("survey"), migration.stored("comparison")),
    "three routes": lambda: reproduction.three_routes(anonnb.load("survey")),
    "tree preserving": lambda: reproduction.tree_preserving(tree_preserving.table_named("adult")),
    "chase": lambda: reproduction.chase(chase.stored("two_thresholds").mean()),
}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_difference_is_ours_minus_theirs(paper):
    frame = PAPERS[paper]()
    assert list(frame)[:4] == reproduction.COLUMNS
    assert frame["quantity"].is_unique
    numbers = frame[[not isinstance(paper, str) for paper in frame["paper"]]]
    assert len(numbers) >= 3
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
