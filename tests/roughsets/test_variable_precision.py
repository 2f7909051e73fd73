"""Variable precision and Bayesian rough sets: by definition, and β = 1 is Pawlak's."""

from fractions import Fraction

import numpy as np
import pytest

from anonnb import Table, load, roughsets
from anonnb.roughsets import variable_precision
from tests.roughsets.definitions import FLU, RELATIONS, ByDefinition, random_data
from tests.series import series


def share(truth, row, belongs):
    near = truth.relatives(row)
    return Fraction(sum(belongs(truth.classes[r]) for r in near), len(near))


@pytest.mark.slow
@pytest.mark.parametrize("relation", RELATIONS)
def test_by_definition(relation):
    for seed in series(500):
        data, beta = random_data(seed), Fraction([60, 75, 80, 100][seed % 4], 100)
        truth = ByDefinition(data, relation)
        rows = truth.rows
        surely = [share(truth, row, lambda cell: cell <= {0}) for row in rows]
        possibly = [share(truth, row, lambda cell: bool(cell & {0})) for row in rows]
        found = variable_precision.approximate(data, ["p"], beta=float(beta), relation=relation)
        assert found.lower.tolist() == [row for row in rows if surely[row] >= beta]
        assert found.upper.tolist() == [row for row in rows if possibly[row] > 1 - beta]
        best = [max(share(truth, row, lambda cell, c=c: cell == {c}) for c in range(3)) for row in rows]
        region = variable_precision.positive_region(data, beta=float(beta), relation=relation)
        assert region.tolist() == [row for row in rows if best[row] >= beta]
        if beta == 1:
            pawlak = roughsets.approximate(data, ["p"], relation=relation)
            assert found.lower.tolist() == pawlak.lower.tolist()
            assert found.upper.tolist() == pawlak.upper.tolist()
            assert region.tolist() == roughsets.positive_region(data, relation=relation).tolist()


def test_the_quality_grows_as_precision_falls_and_may_fall_with_a_new_attribute():
    table = load("hayes-roth")
    figures = [variable_precision.quality(table, beta=beta) for beta in (1, 0.9, 0.8, 0.7, 0.6)]
    assert figures == sorted(figures)
    assert figures[0] == roughsets.quality(table)
    flu = Table(FLU, decision="flu")
    assert variable_precision.quality(flu, ["temperature"], beta=0.65) == 1  # two of three with a high one have the flu
    assert variable_precision.quality(flu, ["headache", "temperature"], beta=0.65) < 1  # but not one of two


def test_bayesian_regions_compare_with_the_prior():
    table = Table(FLU, decision="flu")
    found = variable_precision.bayesian(table, "yes", ["headache"])
    assert found.prior == 4 / 6  # among the rows without a headache 2 of 3 have the flu, and among those with one too
    assert found.boundary.tolist() == list(range(6))
    found = variable_precision.bayesian(table, "yes", ["temperature"])
    assert found.positive.tolist() == [2, 5]
    assert found.negative.tolist() == [3]
    assert found.boundary.tolist() == [0, 1, 4]  # two of the three with a high temperature
    everything = np.concatenate([found.positive, found.negative, found.boundary])
    assert sorted(everything.tolist()) == list(range(6))


@pytest.mark.parametrize("beta", [0.5, 0, 1.1, float("nan")])
def test_beta_must_be_a_majority(beta):
    with pytest.raises(ValueError, match="not a majority"):
        variable_precision.approximate(load("decision6"), "high", beta=beta)
