"""Notebook 41: the judge of its exercise on averages, and words that vary."""

import pytest

from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.experiments import nb41


@pytest.mark.parametrize(("rows", "k", "goal"), [(60, 5, 3), (48, 4, 3), (72, 6, 3)])
def test_sizes_that_refute_the_average(rows, k, goal):
    first, second = right = nb41.refuting_sizes(rows, k, goal)
    assert nb41._not_refuted(right, rows, k, goal) == ""
    assert "CAVGs are" in nb41._not_refuted([second, first], rows, k, goal)
    assert "together" in nb41._not_refuted([first[1:], second], rows, k, goal)
    assert "at least" in nb41._not_refuted([[1, rows - 1], second], rows, k, goal)
    small = [k] * (rows // k - 1) + [rows - k * (rows // k - 1)]
    assert "no more people" in nb41._not_refuted([first, small], rows, k, goal)
    assert "two lists" in nb41._not_refuted(7, rows, k, goal)


def test_verdicts_vary():
    words = {find("41.2", student).expected() for student in ["", *map(str, range(20))]}
    assert {"same shape", "differs"} <= words
