"""Auditing ε: bounds that hold for mechanisms whose ε is known, and that are not empty where everything leaks."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table
from anonnb.methods import Mondrian, PrivateMarginals
from anonnb.privacy import audit_epsilon, audit_epsilon_once
from anonnb.privacy.epsilon_audit import epsilon_bound, one_run_bound


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
def test_the_bound_holds_as_often_as_it_says(epsilon):
    """Randomized response at the limit: the event has the probabilities e^ε/(1 + e^ε) and 1/(1 + e^ε)."""
    rng, runs = np.random.default_rng(0), 300
    likely = math.exp(epsilon) / (1 + math.exp(epsilon))
    pairs = zip(rng.binomial(runs, likely, 2000), rng.binomial(runs, 1 - likely, 2000), strict=True)
    bounds = np.array([epsilon_bound(int(one), runs, int(other), runs, 0.0, 0.9) for one, other in pairs])
    assert (bounds > epsilon).mean() <= 0.1
    assert bounds.mean() > 0.4 * epsilon


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 3.0])
def test_the_bound_of_one_run_holds_as_often_as_it_says(epsilon):
    """Randomized response of each row's coin: a share of e^ε/(1 + e^ε) of the guesses is right, the most there is."""
    right = np.random.default_rng(0).binomial(400, 1 / (1 + math.exp(-epsilon)), 500)
    bounds = np.array([one_run_bound(int(each), 400, 800, 0.0, 0.9) for each in right])
    assert (bounds > epsilon).mean() <= 0.13
    assert bounds.mean() > 0.6 * epsilon
    assert one_run_bound(390, 400, 800, 1e-3, 0.9) < one_run_bound(390, 400, 800, 0.0, 0.9)


def test_one_run_tells_boxes_from_private_counts():
    adult = anonnb.load("adult").take(np.arange(0, 30_000, 30))
    loud, quiet = (audit_epsilon_once(method, adult) for method in (Mondrian(k=2), PrivateMarginals(epsilon=1.0)))
    assert loud.epsilon_low > 0.5
    assert quiet.epsilon_low <= 1.0
    assert (loud.guesses, loud.rows) == (500, 1000)


@dataclass(frozen=True)
class NoisyCounts:
    """Counts of one column with two-sided geometric noise, published as so many rows: ε-differentially private."""

    epsilon: float
    seed: int = 0

    def anonymize(self, table):
        rng, stop = np.random.default_rng(self.seed), 1 - math.exp(-self.epsilon)
        noise = rng.geometric(stop, 3) - rng.geometric(stop, 3)
        counts = table.frame["ill"].value_counts().reindex(list("abc"), fill_value=0) + noise
        frame = pd.DataFrame({"ill": np.repeat(list("abc"), counts.clip(lower=1))})
        return Release.of(Table(frame, quasi=["ill"]))


TABLE = Table(pd.DataFrame({"ill": ["a"] * 12 + ["b"] * 12 + ["c"] * 4}), quasi=["ill"])


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_noisy_counts_are_never_found_less_private_than_they_are(epsilon):
    audits = [audit_epsilon(NoisyCounts(epsilon), TABLE, shadows=80, confidence=0.9, seed=1000 * i) for i in range(20)]
    bounds = np.array([audit.epsilon_low for audit in audits])
    assert (bounds > epsilon).sum() <= 4, "two are expected at most"
    if epsilon == 3.0:
        assert np.median(bounds) > 0.4


def test_what_leaks_for_certain_is_found():
    audit = audit_epsilon(Mondrian(k=5), anonnb.load("survey"), shadows=100)
    assert (audit.true_positives, audit.false_positives, audit.epsilon) == (1.0, 0.0, math.inf)
    assert 1.5 < audit.epsilon_low < math.log(100)
    assert "ε is at least" in repr(audit)


@pytest.mark.slow
def test_private_marginals_keep_their_promise():
    table = anonnb.load("car").take(np.arange(0, 1728, 8))
    audit = audit_epsilon(PrivateMarginals(epsilon=1.0), table, shadows=60)
    assert audit.epsilon_low <= 1.0
    assert audit.delta == PrivateMarginals().delta


def test_bad_parameters_are_explained():
    with pytest.raises(KeyError, match="row 'nobody' is in the table 0 times"):
        audit_epsilon(Mondrian(k=2), TABLE, row="nobody")
    with pytest.raises(ValueError, match="shadows must be"):
        audit_epsilon(Mondrian(k=2), TABLE, shadows=3)
    with pytest.raises(ValueError, match="refuses the table with the row or the one without"):
        audit_epsilon(Mondrian(k=100), TABLE)
    with pytest.raises(ValueError, match="refuses some runs"):
        audit_epsilon(Mondrian(k=len(TABLE)), TABLE)  # with the row there are enough rows, without it there are not


def test_a_time_limit_is_told():
    audit = audit_epsilon(Mondrian(k=2), anonnb.load("survey"), shadows=2000, time_limit=0.1)
    assert sum(audit.runs) < 900
    assert "all take about" in repr(audit)
