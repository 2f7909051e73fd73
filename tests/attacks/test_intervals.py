"""Wilson's and Newcombe's intervals: known figures, and that they hold as often as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb.attacks.intervals import newcombe, wilson


def test_wilson_by_hand():
    assert wilson(10, 100) == pytest.approx((0.0552, 0.1744), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_newcombe_by_hand():
    assert newcombe(30, 100, 20, 100) == pytest.approx((-0.0202, 0.2167), abs=5e-5)
    assert newcombe(1, 2, 0, 0) == (-1.0, 1.0)


@given(st.integers(1, 500), st.floats(0, 1))
def test_wilson_holds_the_share_and_stays_possible(attempts, share):
    low, high = wilson(share * attempts, attempts)
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_newcombe_holds_the_difference_and_turns_round(one, two, data):
    right, other = data.draw(st.integers(0, one)), data.draw(st.integers(0, two))
    low, high = newcombe(right, one, other, two)
    assert low <= right / one - other / two <= high
    assert newcombe(other, two, right, one) == pytest.approx((-high, -low))


def test_the_interval_of_a_difference_holds_in_95_of_100_draws():
    rng = np.random.default_rng(0)
    draws = zip(rng.binomial(80, 0.3, 2000), rng.binomial(120, 0.2, 2000), strict=True)
    covered = [low <= 0.1 <= high for low, high in (newcombe(a, 80, b, 120) for a, b in draws)]
    assert 0.935 <= np.mean(covered) <= 0.975
