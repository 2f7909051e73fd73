"""Notebook 47: the judge of its exercise on weak bounds tells right from wrong."""

import pytest

from anonnb.coursework.practice.bank.experiments import nb47


@pytest.mark.slow
@pytest.mark.parametrize(("people", "times"), [(6, 1.5), (6, 1.8), (9, 1.6)])
def test_ages_whose_bound_is_weak(people, times):
    right = nb47.three_by_three(people)
    assert nb47._not_weak(right, people, times) == ""
    assert "asked for" in nb47._not_weak(right[1:], people, times)
    assert "times the bound" in nb47._not_weak([10 * (n // 2) + n % 2 for n in range(people)][::-1], people, 3.5)
    assert "the same" in nb47._not_weak([5] * people, people, times)
    assert "list of numbers" in nb47._not_weak(7, people, times)


def test_prices_by_hand():
    assert nb47._prices((30, 31, 33, 40), 2) == [1, 1, 2, 7]
