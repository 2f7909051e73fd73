"""Notebook 43: what its exercises expect."""

import pytest

from anonnb.coursework.practice import find
from anonnb.coursework.practice.bank.experiments import nb43


def test_one_leaf_is_never_better_than_the_mean():
    assert nb43._r_squared((2, 4, 9), (1, 3, 5)) == pytest.approx(-1.5)
    assert nb43._r_squared((1, 5), (2, 3, 4)) == pytest.approx(0)


def test_verdicts_vary():
    words = {find("43.2", student).expected() for student in ["", *map(str, range(20))]}
    assert {"same shape", "differs"} <= words
