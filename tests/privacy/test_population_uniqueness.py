"""Estimates from samples of populations that are known, and the formulas against sums done the long way."""

import numpy as np
import pytest

from anonnb import load
from anonnb.privacy.population_uniqueness import (
    PITMAN,
    SNB,
    ZAYATZ,
    from_fraction,
    from_weights,
    weighted_risk,
    zayatz,
)


def adult_classes():
    table = load("adult")
    return table.frame.groupby(table.quasi, observed=True).ngroup().to_numpy()


def zipf_classes():
    return np.unique(np.minimum(np.random.default_rng(0).zipf(1.2, 200_000), 10**7), return_inverse=True)[1]


# the farthest from the truth that one sample may be; over 20 samples of either population none was farther
FARTHEST = {0.05: 0.2, 0.1: 0.1, 0.2: 0.05, 0.5: 0.03}


@pytest.mark.parametrize("fraction", FARTHEST)
@pytest.mark.parametrize("classes", [adult_classes, zipf_classes])
def test_the_estimate_is_near_the_truth(classes, fraction):
    """The chance that a sample unique is a population unique: six points off on average, one sample up to FARTHEST."""
    classes = classes()
    whole, errors = np.bincount(classes), []
    for seed in range(6):
        drawn = classes[np.random.default_rng(seed).choice(len(classes), int(fraction * len(classes)), replace=False)]
        sample = np.bincount(drawn)
        found = from_fraction(sample[sample > 0], fraction)
        errors.append(found.chance - (whole[drawn] == 1).sum() / (sample == 1).sum())
        assert found.population == pytest.approx(len(classes), rel=1e-3)
        assert found.estimator.startswith(PITMAN) if fraction <= 0.1 else found.estimator.startswith((SNB, ZAYATZ))
    assert abs(np.mean(errors)) < 0.06
    assert np.abs(errors).max() < FARTHEST[fraction]


def test_an_even_population_is_overestimated():
    """Where all classes are about equally large the models see more uniques than there are: the cautious side."""
    classes = np.random.default_rng(0).integers(0, 50_000, 200_000)
    drawn = classes[np.random.default_rng(1).choice(len(classes), 10_000, replace=False)]
    truth = (np.bincount(classes)[drawn] == 1).sum()
    sample = np.bincount(drawn)
    assert from_fraction(sample[sample > 0], 0.05).unique_there > truth


def test_weights_recover_a_stratified_sample():
    """Each class is sampled with its own fraction and weighted with its inverse."""
    rng = np.random.default_rng(0)
    size = rng.geometric(0.4, 60_000)
    fraction = rng.choice([0.1, 0.5], 60_000)
    sample = rng.binomial(size, fraction)
    kept = sample > 0
    found = from_weights(sample[kept], sample[kept] / fraction[kept])
    one = sample == 1
    assert found.unique_here == one.sum()
    assert found.population == pytest.approx(size.sum(), rel=0.02)
    assert found.unique_there == pytest.approx(fraction[one].sum())


@pytest.mark.parametrize(("f", "p"), [(1, 0.5), (1, 0.01), (2, 0.3), (3, 0.05), (7, 0.9), (40, 0.2)])
def test_the_risk_from_weights_is_that_of_the_negative_binomial(f, p):
    from scipy.stats import nbinom

    failures = np.arange(200_000)
    longhand = (nbinom.pmf(failures, f, p) / (f + failures)).sum()
    assert weighted_risk([f], [f / p])[0] == pytest.approx(longhand, rel=1e-6)


def test_zayatz_by_its_hypergeometric_sum():
    from scipy.stats import hypergeom

    size, classes = np.array([1, 2, 4]), np.array([6, 3, 1])
    rows, people = 16, 64
    chance = hypergeom.pmf(1, people, size, rows)
    expected = 6 * (6 * chance[0]) / (chance @ classes) / 0.25
    assert zayatz(size, classes, 0.25) == pytest.approx(expected)
