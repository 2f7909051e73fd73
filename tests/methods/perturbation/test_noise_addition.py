"""Additive noise: its size, its correlation, and what restoring restores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.core.errors import Infeasible
from anonnb.methods import NoiseAddition


@pytest.fixture(scope="module")
def correlated():
    rng = np.random.default_rng(1)
    x = rng.normal(0, 10, 20_000)
    frame = pd.DataFrame({"x": x, "y": x + rng.normal(0, 5, 20_000)})
    return Table(frame, quasi=["x", "y"])


def test_independent_noise_has_the_stated_spread_and_weakens_correlations(correlated):
    released = NoiseAddition(amount=0.5).anonymize(correlated).frame
    noise = released - correlated.frame
    assert (noise.std() / correlated.frame.std()).tolist() == pytest.approx([0.5, 0.5], rel=0.05)
    assert abs(noise.corr().iloc[0, 1]) < 0.05
    assert released.corr().iloc[0, 1] < correlated.frame.corr().iloc[0, 1] - 0.1


def test_correlated_noise_keeps_correlations(correlated):
    released = NoiseAddition(amount=0.5, correlated=True).anonymize(correlated).frame
    noise = released - correlated.frame
    assert noise.corr().iloc[0, 1] == pytest.approx(correlated.frame.corr().iloc[0, 1], rel=0.05)
    assert released.corr().iloc[0, 1] == pytest.approx(correlated.frame.corr().iloc[0, 1], abs=0.01)
    assert (released.var() / correlated.frame.var()).tolist() == pytest.approx([1.25, 1.25], rel=0.05)


@settings(max_examples=40)
@given(st.integers(0, 999), st.booleans(), st.integers(8, 40))
def test_restoring_gives_means_and_covariances_back(seed, correlated, rows):
    frame = pd.DataFrame(np.random.default_rng(seed).normal(5, 3, (rows, 3)), columns=list("abc"))
    table = Table(frame, quasi=list("abc"))
    released = NoiseAddition(amount=0.4, correlated=correlated, restore=True, seed=seed).anonymize(table).frame
    assert released.mean().tolist() == pytest.approx(frame.mean().tolist(), abs=1e-2)
    assert released.cov().to_numpy().ravel() == pytest.approx(frame.cov().to_numpy().ravel(), abs=5e-2)


def test_restoring_needs_more_rows_than_columns():
    table = Table(pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 5.0], "c": [0.0, 1.0]}), quasi=list("abc"))
    with pytest.raises(Infeasible, match="a, b, c depend on each other"):
        NoiseAddition(restore=True).anonymize(table)


def test_missing_stays_missing_and_whole_stays_whole():
    frame = pd.DataFrame({"age": [20, 30, 40, 50], "weight": [50.5, None, 70.5, 80.5]})
    released = NoiseAddition(amount=0.5).anonymize(Table(frame, quasi=["age", "weight"])).frame
    assert released["weight"].isna().tolist() == [False, True, False, False]
    assert released["age"].dtype.kind == "i"


def test_codes_that_are_no_amounts_get_no_noise():
    frame = pd.DataFrame({"region": [1, 2, 3, 40] * 3, "age": range(12)})
    table = Table(frame, quasi=["region", "age"], kinds={"region": "nominal"})
    release = NoiseAddition(amount=2).anonymize(table)
    assert release.frame["region"].tolist() == frame["region"].tolist()
    assert Release.from_frame(release.published(), table).n_groups == release.n_groups
    with pytest.raises(ValueError, match="'region' holds no numbers, its kind is nominal"):
        NoiseAddition(columns=["region"]).anonymize(table)
