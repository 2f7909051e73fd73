"""Fitted marginals are non-negative, agree with each other, and are the nearest that do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from anonnb.methods.private.fitting import fitted_margins, fitted_table, on_simplices

NUMBERS = st.floats(-50, 50, allow_nan=False)


@settings(max_examples=60)
@given(arrays(float, (3, 4), elements=NUMBERS), arrays(float, 3, elements=st.floats(0, 40)))
def test_projections_onto_simplices_are_nearest(rows, totals):
    found = on_simplices(rows, totals)
    assert (found >= 0).all()
    assert found.sum(axis=1) == pytest.approx(totals, abs=1e-6)
    rng = np.random.default_rng(0)
    for _ in range(20):  # no other point of the simplex is nearer
        other = rng.dirichlet(np.ones(4), 3) * totals[:, None]
        assert ((found - rows) ** 2).sum() <= ((other - rows) ** 2).sum() + 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_a_fitted_table_is_the_nearest_with_its_sums(seed):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 30, (3, 4)).astype(float)
    noisy, rows, columns = true + rng.normal(0, 8, true.shape), true.sum(axis=1), true.sum(axis=0)
    found = fitted_table(noisy, rows, columns)
    assert (found >= 0).all()
    assert found.sum(axis=0) == pytest.approx(columns, abs=1e-3)
    assert found.sum(axis=1) == pytest.approx(rows, abs=1e-3)
    sums = [
        {"type": "eq", "fun": lambda x: x.reshape(3, 4).sum(axis=1) - rows},
        {"type": "eq", "fun": lambda x: x.reshape(3, 4).sum(axis=0)[1:] - columns[1:]},
    ]
    bounds = [(0, None)] * 12
    best = minimize(lambda x: ((x - noisy.ravel()) ** 2).sum(), true.ravel(), bounds=bounds, constraints=sums)
    assert ((found - noisy) ** 2).sum() == pytest.approx(best.fun, rel=1e-3)


def test_margins_of_several_estimates_are_weighted_by_their_precision():
    columns, table = [np.array([60.0, 40.0]), np.array([50.0, 50.0])], np.array([[40.0, 30.0], [10.0, 20.0]])
    margins, total = fitted_margins(columns, 1.0, {(0, 1): table}, 1e-6)
    assert total == pytest.approx(100)
    assert margins[0] == pytest.approx([70, 30], abs=1e-3), "the table is far more precise"
    margins, total = fitted_margins(columns, 1.0)
    assert margins[0].tolist() == [60, 40]


def test_a_negative_total_becomes_one_row():
    margins, total = fitted_margins([np.array([-5.0, 1.0])], 3.0)
    assert (total, margins[0].tolist()) == (1.0, [0.0, 1.0])
