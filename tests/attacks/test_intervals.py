"""Intervals of shares and of the excess: known figures, statsmodels, and that they cover as often as they say."""

from itertools import product
from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.proportion import confint_proportions_2indep

from anonnb.attacks.intervals import (
    excess,
    excess_of_release,
    excess_of_sample,
    mean_interval,
    ratio_interval,
    wilson,
)


@given(st.integers(1, 500), st.floats(0, 1))
def test_wilson_holds_the_share_and_stays_possible(attempts, share):
    low, high = wilson(share * attempts, attempts)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


@pytest.mark.parametrize(
    ("success", "right", "value", "ends"),
    [(0.30, 20, 0.125, (0.0157, 0.1923)), (0.10, 50, -0.8, (-1.2287, -0.5096))],
)
def test_of_a_release_only_the_control_is_a_sample(success, right, value, ends):
    assert excess(success, right / 100) == pytest.approx(value)
    assert excess_of_release(success, right, 100) == pytest.approx(ends, abs=5e-5)


@pytest.mark.parametrize(
    ("right", "other", "value", "ends"),
    [
        (30, 20, 0.125, (-0.0280, 0.2620)),
        (91, 10, 0.9, (0.8187, 0.9468)),
        (10, 50, -0.8, (-1.2477, -0.4844)),
    ],
)
def test_of_a_sample_it_is_the_score_interval_of_the_ratio(right, other, value, ends):
    assert excess(right / 100, other / 100) == pytest.approx(value)
    assert excess_of_sample(right, 100, other, 100) == pytest.approx(ends, abs=5e-5)


@pytest.mark.parametrize("sizes", [(30, 30), (100, 40), (50, 1000), (2000, 2000)], ids=str)
def test_ratios_are_those_of_statsmodels(sizes):
    """statsmodels searches its limits less exactly, so equal means to six digits."""
    for one, two in product((0.02, 0.1, 0.35, 0.5, 0.8, 0.97), repeat=2):
        count, other = round(one * sizes[0]), round(two * sizes[1])
        expected = confint_proportions_2indep(count, sizes[0], other, sizes[1], compare="ratio", method="score")
        assert ratio_interval(count, sizes[0], other, sizes[1]) == pytest.approx(expected, rel=1e-6)
        right, others = sizes[0] - count, sizes[1] - other
        high, low = (1 - end for end in expected)
        assert excess_of_sample(right, sizes[0], others, sizes[1]) == pytest.approx((low, high), rel=1e-5, abs=1e-6)


def test_where_there_is_nothing_to_say():
    assert isnan(excess(1.0, 1.0))
    for unknown in (excess_of_release(0.5, 0, 0), excess_of_sample(1, 2, 0, 0), excess_of_sample(0, 0, 1, 2)):
        assert all(map(isnan, unknown))
    assert excess_of_release(1.0, 50, 50) == (1.0, 1.0)
    assert excess_of_release(0.9, 50, 50)[0] == -inf, "the control may always be right"
    assert ratio_interval(0, 10, 5, 10)[0] == 0
    assert ratio_interval(5, 10, 0, 10)[1] == inf


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_intervals_hold_the_excess_and_end_at_one(attempts, others, data):
    right, other = data.draw(st.integers(0, attempts)), data.draw(st.integers(0, others - 1))
    value = excess(right / attempts, other / others)
    for low, high in (
        excess_of_release(right / attempts, other, others),
        excess_of_sample(right, attempts, other, others),
    ):
        assert low - 1e-9 <= value <= high + 1e-9
        assert high <= 1


def test_a_mean_over_draws_has_the_t_interval():
    assert mean_interval([0.1, 0.2, 0.3, 0.4]) == pytest.approx((0.0446, 0.4554), abs=5e-5)  # 3.1824 · 0.1291 / 2
    assert all(map(isnan, mean_interval([0.1])))


# ---- how often they cover the truth: summed over all samples, not drawn ---------------------------------------------

SHARES = (0.05, 0.1, 0.3, 0.5, 0.7, 0.8, 0.92)


def chances(n, share):
    """Return how likely each count from 0 to n is."""
    return binom.pmf(np.arange(n + 1), n, share)


def check_coverage(coverage):
    assert 0.93 <= np.mean(coverage) <= 0.97, np.mean(coverage)
    assert np.min(coverage) >= 0.925, np.min(coverage)


@pytest.mark.parametrize("success", [0.05, 0.4, 0.95])
def test_the_interval_of_a_release_covers_in_95_of_100_controls(success):
    coverage = []
    for n in (50, 100, 300, 1000):
        low, high = np.array([excess_of_release(success, right, n) for right in range(n + 1)]).T
        for control in SHARES:
            truth = excess(success, control)
            coverage.append(((low <= truth) & (truth <= high)) @ chances(n, control))
    check_coverage(coverage)


@pytest.mark.slow
def test_the_interval_of_a_sample_covers_in_95_of_100_pairs_of_samples():
    coverage = []
    for n, others in ((60, 60), (40, 100), (100, 40)):
        pairs = [[excess_of_sample(right, n, other, others) for other in range(others + 1)] for right in range(n + 1)]
        low, high = np.moveaxis(np.array(pairs), 2, 0)
        for success, control in product(SHARES, repeat=2):
            truth = excess(success, control)
            covered = (low <= truth) & (truth <= high)
            coverage.append(chances(n, success) @ covered @ chances(others, control))
    check_coverage(coverage)


@pytest.mark.parametrize(("success", "control"), [(0.1, 0.5), (0.92, 0.05)])
def test_where_the_interval_of_a_difference_failed_this_one_covers(success, control):
    """300 people each: limits of a difference, divided by 1 − control, cover in 76 % and in 99 % of these samples."""
    rng = np.random.default_rng(0)
    draws = np.column_stack([rng.binomial(300, share, 1000) for share in (success, control)])
    pairs, times = np.unique(draws, axis=0, return_counts=True)
    low, high = np.array([excess_of_sample(right, 300, other, 300) for right, other in pairs.tolist()]).T
    truth = excess(success, control)
    assert 0.93 <= ((low <= truth) & (truth <= high)) @ times / 1000 <= 0.97
