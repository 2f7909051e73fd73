"""The census experiment: its shape, and what must hold on any draw."""

import pytest

from anonnb.experiments import chase_experiment as chase
from anonnb.experiments.__main__ import experiments

pytestmark = pytest.mark.slow  # whole experiments: for `make test`


@pytest.fixture(scope="module")
def quick():
    return chase.draws("quick")


def test_the_shape_is_the_papers():
    client, servers = chase.sites(0)
    assert [len(table) for table in (client, *servers)] == [1000] * 4
    assert [len(chase.census(choice).columns) for choice in chase.CHOICES] == [10, 10]
    rows = [set(table.index) for table in (client, *servers)]
    assert len(set.union(*rows)) == 4000, "no row is in two places"


def test_chase_reveals_hundreds_before_and_none_after(quick):
    assert (quick["revealed_before"] > 200).all()
    assert (quick["right_before"] <= quick["revealed_before"]).all()
    assert (quick["revealed_after"] == 0).all()
    assert (quick["revealed_locally"] == 0).all(), "without the servers nobody knows anything of income"


def test_the_hidden_share_rises_as_the_confidence_threshold_falls(quick):
    assert quick["min_confidence"].is_monotonic_decreasing
    assert quick["hidden_share"].is_monotonic_increasing
    assert quick["hidden_share"].iloc[0] < 0.15
    assert (quick["hidden_share"] == quick["hidden_cells"] / 10_000).all()


def test_the_same_seed_gives_the_same_line():
    assert chase.one_draw(3, 0.95) == chase.one_draw(3, 0.95) != chase.one_draw(4, 0.95)


def test_the_runner_knows_it():
    assert list(experiments()["chase"]) == ["draws", "summary", "settings", "two_thresholds", "extensions"]
