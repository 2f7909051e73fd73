"""Notebook 12: what its exercises expect equals k-Optimize's own search."""

import numpy as np
import pandas as pd
import pytest

from anonnb.coursework.practice.bank.methods_1 import nb12
from anonnb.methods import KOptimize
from anonnb.tables.table import Table


def test_the_cheapest_set_by_hand_is_that_of_k_optimize():
    sets = [(), (2,), (3,), (5,), (2, 3), (2, 5), (3, 5), (2, 3, 5)]
    for k in (2, 10, 20):
        found = KOptimize(k=k).anonymize(nb12._survey()).info["cost"]
        assert min(nb12.set_cost(cuts, k) for cuts in sets) == found


@pytest.mark.parametrize("k", [5, 12, 20])
def test_the_bound_goes_below_every_set_in_between(k):
    for head, tail in [((), (2, 3, 5)), ((3,), (2, 5)), ((5,), (2, 3))]:
        between = [nb12.set_cost((*head, *part), k) for part in [(), *((cut,) for cut in tail), tail]]
        assert nb12.survey_bound(head, tail, k) <= min(between)


def test_the_cost_of_an_order_is_that_of_k_optimize():
    counts = {"a": 4, "b": 40, "c": 6, "d": 30, "e": 5}
    table = Table(pd.DataFrame({"v": np.repeat(list(counts), list(counts.values()))}), quasi=["v"])
    assert nb12.order_cost(list(counts), counts, 10) == KOptimize(k=10).anonymize(table).info["cost"]
    assert nb12._not_best(list(counts), counts, 10)


def test_a_bound_that_is_too_high_is_found_out():
    assert nb12._differs(lambda rows, head, tail, k: nb12.lower_bound(rows, head, tail, k) + 1)
