"""Limits on risk as requirements: recounted by plain arithmetic, for every method that takes require=."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Infeasible, Table, load, methods
from anonnb.methods.base import GroupMethod
from anonnb.privacy import AverageRisk, HighestRisk, LDiversity, PopulationUniqueness, RecordsAtRisk, weighted_risk
from anonnb.publishing.recounting import worst_risk

GROUPING = [name for name, cls in methods.all().items() if issubclass(cls, GroupMethod)]
MODELS = [HighestRisk(0.15), AverageRisk(0.1), RecordsAtRisk(0.2, share=0.05), PopulationUniqueness(0.01, fraction=0.2)]


def risks(release):
    """Return the risk of every published row, counted from the texts of its cells."""
    texts = release.frame[release.quasi].astype(str).apply("|".join, axis=1)
    return 1 / texts.map(texts.value_counts()).to_numpy()


def is_kept(model, risk):
    if isinstance(model, HighestRisk):
        return risk.max() <= model.limit + 1e-9
    if isinstance(model, AverageRisk):
        return risk.mean() <= model.limit + 1e-9
    if isinstance(model, RecordsAtRisk):
        return (risk > model.limit + 1e-9).mean() <= model.share + 1e-9
    return (risk < 1).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPING)
def test_every_method_keeps_every_limit(name):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.integers(0, 2, (40, 3)), columns=["a", "b", "c"]).assign(ill=rng.integers(0, 3, 40))
    table = Table(frame, quasi=["a", "b", "c"], sensitive="ill", decision="ill", kinds=dict.fromkeys("abc", "nominal"))
    kept, refused = 0, []
    for model in MODELS:
        try:
            release = methods.get(name)(k=2, require=[model]).anonymize(table)
        except ValueError as error:  # Infeasible is one
            refused.append(str(error))
            continue
        kept += 1
        assert is_kept(model, risks(release)), model
    assert kept
    assert all(re.search("would look at|cannot be met", text) for text in refused)


def test_k_is_raised_only_as_far_as_needed():
    table = load("adult").take(np.arange(0, 30_162, 10))
    release = methods.Mondrian(k=2, require=[AverageRisk(0.05)]).anonymize(table)
    assert risks(release).mean() <= 0.05
    assert 2 < release.method.k < 20  # 20 would be enough for every class, and is more than is needed
    one_less = methods.Mondrian(k=release.method.k - 1).anonymize(table)
    assert risks(one_less).mean() > 0.05


def test_what_cannot_be_met_says_so():
    table = Table(pd.DataFrame({"zip": range(12)}), quasi=["zip"])
    with pytest.raises(Infeasible, match=r"AverageRisk\(limit=0.05\) cannot be met: k = 20 needs at least 20 rows"):
        methods.Mondrian(k=2, require=[AverageRisk(0.05)]).anonymize(table)


def test_limits_of_a_release_go_with_models_of_classes():
    table = load("survey").with_roles(sensitive="Hypertension")
    release = methods.Mondrian(k=2, require=[LDiversity(2), AverageRisk(0.1)]).anonymize(table)
    assert is_kept(AverageRisk(0.1), risks(release))
    assert "The release as a whole satisfies AverageRisk(limit=0.1)." in release.method.promise.guarantee


@given(st.lists(st.integers(1, 12), min_size=1, max_size=8), st.sampled_from([0.1, 0.2, 0.25, 0.5, 1.0]))
def test_the_gate_recounts_what_the_models_say(people, limit):
    people = np.array(people)
    for model in (AverageRisk(limit), RecordsAtRisk(limit, share=0.25)):
        figure, kept = worst_risk(type(model).__name__, vars(model), people)
        assert figure == pytest.approx(model.risk(people))
        bound = model.share if isinstance(model, RecordsAtRisk) else limit
        assert kept == (figure <= bound + 1e-9)
    assert worst_risk("HighestRisk", {"limit": limit}, people) == (1 / people.min(), 1 / people.min() <= limit + 1e-9)


def test_the_risk_from_weights_is_that_of_the_table_of_the_specification():
    """Figures that hypergeometric function, quadrature and summation agree on: f down, p across."""
    table = {
        1: [0.0465169, 0.255843, 0.693147, 0.948245],
        2: [0.00963114, 0.0826841, 0.306853, 0.465798],
        3: [0.00495322, 0.0463684, 0.193147, 0.307816],
        10: [0.00110973, 0.0109760, 0.0524877, 0.0908321],
    }
    for f, row in table.items():
        assert weighted_risk([f] * 4, f / np.array([0.01, 0.1, 0.5, 0.9])) == pytest.approx(row, rel=5e-6)
    assert weighted_risk([3, 2, 1], [108, 100, 17]) == pytest.approx([0.01355297, 0.01877883, 0.17707583], rel=1e-6)


@given(st.integers(1, 10_000), st.floats(1e-7, 1))
def test_the_risk_from_weights_stays_between_its_bounds_and_falls(f, p):
    risk, more = weighted_risk([f, f + 1], [f / p, (f + 1) / p])
    assert p / f * (1 - 1e-12) <= risk <= 1 / f * (1 + 1e-12)
    assert more <= risk * (1 + 1e-12)


def test_weights_that_make_no_sense_are_refused():
    assert weighted_risk([4], [2.0]) == pytest.approx([0.25])  # a class cannot stand for fewer than it has
    with pytest.raises(ValueError, match="whole numbers of people"):
        weighted_risk([1.5], [3])
    with pytest.raises(ValueError, match="above 0"):
        weighted_risk([1], [0])
