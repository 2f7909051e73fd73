"""Notebook 14: what its exercises expect equals the package's own bounds and optima."""

import numpy as np
import pytest

from anonnb import optimum
from anonnb.coursework.practice.bank.methods_1 import nb14
from anonnb.methods.cells.exact import Exact


@pytest.mark.parametrize("lines", nb14.SIX, ids=["first", "second", "third"])
def test_the_sum_by_hand_is_the_bound_of_nearest_rows_and_below_the_optimum(lines):
    table = nb14._rows(lines)
    for k in (2, 3):
        by_hand = sum(nb14.nearest_losses(table, k))
        assert by_hand == pytest.approx(optimum.bound(table, k, "suppression", effort="nearest").value * 18)
        assert by_hand <= Exact(k=k).anonymize(table).info["cost"]


@pytest.mark.parametrize("lines", nb14.SIX, ids=["first", "second", "third"])
def test_one_of_the_ten_halvings_is_the_optimum(lines):
    costs = nb14.halves_of_six(lines)
    assert len(costs) == 10
    assert min(min(costs.values()), 18) == Exact(k=3).anonymize(nb14._rows(lines)).info["cost"]


def test_the_bound_is_reached_at_two():
    assert nb14.forest_and_fewest(nb14.SPOILT) == (6, 2)
    assert nb14._not_bad(nb14.SPOILT, 5, 3) == ""


@pytest.mark.parametrize("rows", [[(0,), (0,)], [(0, 1)], [(0, 1), (0,)], [0, 1], [(), ()], 3])
def test_other_tables_are_refused(rows):
    assert nb14._not_bad(rows, 6, 2)


def test_another_forest_is_found_out():
    assert "points to" in nb14._differs(lambda rows, k: np.full(len(rows), -1))
    assert "whole numbers" in nb14._differs(lambda rows, k: [0])
