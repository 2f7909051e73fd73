"""Lower bounds: never above brute force, above each other in the right order, and with certificates that hold."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Infeasible, Table, load, optimum
from tests.optimum import brute

PRICES = {"ncp": brute.group_ncp, "sse": brute.group_sse, "suppression": brute.group_hidden}


def random_table(seed: int, rows: int) -> Table:
    """Numbers, categories, repeated rows, and weights now and then."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 20 + int(rng.integers(2, 9)), rows),
            "zip": rng.integers(0, 100, rows) if seed % 2 else rng.integers(0, 3, rows),
            "sex": rng.choice(["f", "m"], rows),
            "job": rng.choice(["a", "b", "c", "d"], rows),
        }
    )
    frame.loc[0, "age"] = 5  # never all alike
    weights = {"weights": {"zip": 3.0}} if seed % 3 == 0 else {}
    return Table(frame, quasi=list(frame), **weights)


@pytest.mark.parametrize("measure", PRICES)
def test_no_bound_is_above_brute_force_and_each_effort_is_at_least_the_one_before(measure):
    for seed in range(12):
        table, k = random_table(seed, 7), 2 + seed % 2
        least = brute.least(table, k, PRICES[measure])
        found = [optimum.bound(table, k, measure, effort=effort).value for effort in ("nearest", "groups", "columns")]
        assert found[0] <= found[1] + 1e-9
        assert found[1] <= found[2] + 1e-9
        assert found[2] <= least + 1e-9


@pytest.mark.parametrize("measure", PRICES)
def test_no_group_of_any_kind_costs_less_than_the_prices_of_its_rows(measure):
    for seed in range(6):
        table, k = random_table(seed, 8), 3
        sets = [np.array([row for row in range(8) if bits >> row & 1]) for bits in range(1 << 8)]
        for effort in ("nearest", "groups", "columns"):
            prices = optimum.bound(table, k, measure, effort=effort).prices
            for rows in sets:
                if len(rows) >= k:
                    assert prices[rows].sum() <= PRICES[measure](table, rows.tolist()) + 1e-9


def test_a_certificate_is_checked_against_groups_and_fails_when_prices_are_raised():
    table = random_table(1, 9)
    found = optimum.bound(table, 2)
    groups = np.array([0, 0, 1, 1, 2, 2, 3, 3, 3])
    assert found.holds_for(groups)
    assert len(found.slack(groups)) == 4
    best = optimum.best(table, 2)
    raised = optimum.Bound("ncp", 2, found.value + 0.1, found.prices, "columns", costs=found.costs)
    assert not raised.holds_for(best.groups)
    greedy = optimum.Bound("ncp", 2, float(found.prices.sum() * 2), found.prices * 2, "columns", costs=found.costs)
    assert not greedy.holds_for(best.groups)


def test_withheld_rows_may_cost_less_than_any_group_of_them():
    table = Table(pd.DataFrame({"age": [1] * 5 + [100]}), quasi=["age"])
    all_published = optimum.bound(table, 2)
    some_withheld = optimum.bound(table, 2, withhold=True)
    assert all_published.value == pytest.approx(2 / 6)
    assert some_withheld.value == pytest.approx(1 / 6)
    assert some_withheld.holds_for(np.array([0] * 5 + [-1]))
    best = optimum.best(table, 2, withhold=True)
    assert best.value == pytest.approx(1 / 6)
    assert np.flatnonzero(best.groups < 0).tolist() == [5]


def test_discernibility_counts_sizes_alone():
    table = random_table(0, 7)
    sizes = [4, 3]  # two groups of at least three rows
    assert optimum.bound(table, 3, "discernibility").value == sum(size**2 for size in sizes)
    assert optimum.bound(random_table(0, 3), 2, "discernibility", withhold=True).value == 2**2 + 3


def test_missing_values_cost_what_the_measure_charges():
    table = Table(pd.DataFrame({"age": [1.0, 2.0, np.nan, np.nan, 3.0]}), quasi=["age"])
    assert optimum.best(table, 2).value == pytest.approx(3 * 1.0 / 5)  # 1, 2 and 3 together; the missing two apart


def test_bad_questions_are_one_sentence():
    table = random_table(0, 6)
    for question, words in (
        (lambda: optimum.bound(table, 2, "loss"), "measure='loss' is not known"),
        (lambda: optimum.bound(table, 0), "k must be a whole number"),
        (lambda: optimum.bound(table, 2, effort="much"), "effort='much' is not known"),
        (lambda: optimum.bound(table.with_roles(quasi=["sex"]), 2, "sse"), "needs a numeric quasi-identifier"),
        (lambda: optimum.best(load("census"), 3), "up to 400 different rows"),
    ):
        with pytest.raises(ValueError, match=words) as error:
            question()
        assert "\n" not in str(error.value)
    with pytest.raises(Infeasible, match="k = 9 needs at least 9 rows"):
        optimum.bound(table, 9)
