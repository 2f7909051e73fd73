"""Notebook 46: the judge of its exercise on samples tells right from wrong."""

import numpy as np
import pytest

from anonnb.coursework.practice.bank.experiments import nb46


def test_the_expected_number_of_different_rows_is_what_samples_have():
    rng = np.random.default_rng(0)
    seen = [len(np.unique(rng.integers(500, size=1000))) for _ in range(200)]
    assert np.mean(seen) == pytest.approx(nb46.different(500, 1000), rel=0.01)


def test_factors_near_the_right_one_pass_and_others_do_not():
    right = nb46.different(1000, 10_000) / nb46.different(1000, 1000)
    assert nb46._not_the_factor(round(right, 2), 1000, 1000) == ""
    assert "not within" in nb46._not_the_factor(10, 1000, 1000)
    assert "a number" in nb46._not_the_factor("many", 1000, 1000)
