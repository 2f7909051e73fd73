"""The exact optimum equals brute force, and the exact method for tiny tables."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Release, Table, load, optimum, utility
from anonnb.privacy import LDiversity
from anonnb.tables.value_sets import Column
from tests.optimum import brute
from tests.optimum.test_bounds import PRICES, random_table
from tests.series import series


@pytest.mark.slow
@pytest.mark.parametrize("measure", PRICES)
def test_the_optimum_equals_brute_force_on_random_tables(measure):
    for seed in series(100):
        table, k = random_table(seed, 5 + seed % 5), 2 + seed % 3
        found = optimum.best(table, k, measure)
        assert found.proved
        assert found.value == pytest.approx(brute.least(table, k, PRICES[measure]))
        assert np.bincount(found.groups).min() >= k


def test_requirements_are_respected_on_tables_whose_sets_can_all_be_tried():
    rng = np.random.default_rng(3)
    for _ in range(4):
        frame = pd.DataFrame({"age": rng.integers(0, 9, 7), "ill": rng.choice(["x", "y", "y"], 7)})
        frame.loc[:1, "ill"] = ["x", "y"]
        table = Table(frame, quasi=["age"], sensitive=["ill"])
        found = optimum.best(table, 2, require=[LDiversity(2)])
        diverse = [
            sum(brute.group_ncp(table, group) for group in grouping)
            for grouping in brute.partitions(list(range(7)), 2)
            if all(frame["ill"].iloc[group].nunique() == 2 for group in grouping)
        ]
        assert found.value == pytest.approx(min(diverse))
    with pytest.raises(Infeasible):
        optimum.best(table, 2, require=[LDiversity(3)])
    with pytest.raises(ValueError, match="up to 12 rows"):
        optimum.best(load("survey"), 2, require=[LDiversity(2)])


def test_limits_that_groups_may_break_are_refused_and_others_are_not():
    table = load("survey").with_limits(Marital_status=1)
    for question in (lambda: optimum.best(table, 5), lambda: optimum.polish(table, np.arange(len(table)) // 5, 5)):
        with pytest.raises(ValueError, match="'Marital_status' has the limit 1, which the cheapest groups may break"):
            question()
    height = table.attributes["Marital_status"].levels.height
    free, top = load("survey"), table.with_limits(Marital_status=height)
    assert optimum.best(top, 5).value == optimum.best(free, 5).value
    assert optimum.bound(table, 5, effort="columns").value == optimum.bound(free, 5, effort="columns").value


def test_whole_tables_are_proved():
    found = optimum.best(load("survey"), 5)
    assert found.proved
    assert found.bound.value <= found.value + 1e-12
    assert found.bound.holds_for(found.groups)


@pytest.mark.slow
@pytest.mark.parametrize(
    "k", [2, 3, pytest.param(4, marks=pytest.mark.thorough), pytest.param(5, marks=pytest.mark.thorough)]
)
def test_a_table_of_100_rows_and_4_columns_is_proved(k):
    """``benchmarks/bench_limits.py`` measures the time."""
    rows = np.sort(np.random.default_rng(0).permutation(30_162)[:100])
    table = load("adult").take(rows).with_roles(quasi=["age", "education", "marital-status", "sex"])
    found = optimum.best(table, k)
    assert found.proved
    assert np.bincount(found.groups).min() >= k
    assert found.bound.exact
    assert found.bound.holds_for(found.groups)
    assert found.value == pytest.approx(utility.ncp(table, release_of(table, found.groups)))


def release_of(table: Table, groups: np.ndarray) -> Release:
    """What a grouping publishes."""
    columns = {
        name: Column.of_groups(table.attributes[name], table.codes(name), groups, int(groups.max()) + 1)
        for name in table.quasi
    }
    return Release(table, columns, np.arange(len(table)))
