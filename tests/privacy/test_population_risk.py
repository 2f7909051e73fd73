"""The risk of a sample in its population: estimates against simulated populations whose truth is counted."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, load, privacy
from anonnb.methods import Mondrian
from anonnb.privacy.population_uniqueness import weighted_risk
from anonnb.tables.value_sets import Column
from tests.survey import KEYS, population, sampled


def truths(people, rows):
    """Σ 1 / F, the same over sample uniques, and θ, all counted in the population."""
    whole = people.groupby(KEYS)["sex"].transform("size").to_numpy()[rows]
    single = people.iloc[rows].groupby(KEYS)["sex"].transform("size").to_numpy() == 1
    return (1 / whole).sum(), (1 / whole[single]).sum(), single.sum() / whole[single].sum()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coarse", "design"), [(False, "simple"), (True, "simple"), (True, "stratified"), (True, "pps")]
)
def test_theta_is_right_the_hybrid_near_and_benedetti_franconi_too_low(coarse, design):
    ratios = []
    for seed in range(50):
        people = population(20_000, seed % 5, coarse)
        rows, weights = sampled(people, 0.1, design, seed)
        table = Table(people.iloc[rows].assign(w=weights).reset_index(drop=True), quasi=KEYS, weight="w")
        found, (all_found, of_uniques, theta) = privacy.global_risk(table), truths(people, rows)
        ratios.append(
            [found.expected / all_found, found.hybrid / all_found, found.uniques / of_uniques, found.theta / theta]
        )
        assert found.participating >= all_found  # who took part is known: 1 / f is an upper bound
    low, hybrid, uniques, theta = np.mean(ratios, axis=0)
    assert 0.2 < low < 0.75
    assert 0.85 < hybrid < 1.25
    assert 0.85 < uniques < 1.35
    assert theta == pytest.approx(1, abs=0.05)


@pytest.mark.slow
def test_benedetti_franconi_are_right_where_their_model_holds():
    """A Chinese restaurant population, θ = 100, has Ewens frequencies, which the model presumes."""
    ratios = []
    for seed in range(5):
        draw, cells = np.random.default_rng(seed), np.zeros(20_000, dtype=np.int64)
        new = draw.random(20_000) < 100 / (100 + np.arange(20_000))
        for person in range(20_000):
            cells[person] = person if new[person] else cells[draw.integers(person)]
        size = np.bincount(cells, minlength=20_000)
        for _ in range(10):
            f = np.bincount(draw.choice(cells, 2_000, replace=False), minlength=20_000)
            seen = f > 0
            ratios.append((weighted_risk(f[seen], 10.0 * f[seen]) @ f[seen]) / (f[seen] / size[seen]).sum())
    assert np.mean(ratios) == pytest.approx(1, abs=0.1)


def test_keys_that_repeat_each_other_are_warned_of():
    adult = load("adult").take(np.arange(3000))
    frame = adult.frame[["age", "sex", "education"]].assign(w=10.0)
    once = Table(frame, quasi=["age", "sex", "education"], weight="w")
    twice = Table(frame.assign(again=frame["education"].astype(str) + "!"), quasi=[*once.quasi, "again"], weight="w")
    plain = privacy.global_risk(once)
    assert plain.note == ""
    with pytest.warns(UserWarning, match="'education' and 'again' say nearly the same"):
        found = privacy.global_risk(twice)
    assert found.uniques > 1.3 * plain.uniques
    assert (found.theta, found.expected) == (plain.theta, plain.expected)
    frame = frame.assign(name=np.arange(3000) // 2)  # many values in few rows say nothing about each other
    assert privacy.global_risk(Table(frame, quasi=["name", "sex"], weight="w")).note == ""


def test_figures_by_brute_force():
    draw = np.random.default_rng(3)
    home = np.arange(60) // 3
    frame = pd.DataFrame({"a": draw.integers(0, 4, 60), "b": draw.integers(0, 5, 60), "hid": home, "w": 2.0 + home % 5})
    table = Table(frame, quasi=["a", "b"], weight="w", household="hid")
    found, groups = privacy.global_risk(table), frame.groupby(["a", "b"])
    f, total = groups["w"].transform("size"), groups["w"].transform("sum")
    risk = pd.Series([weighted_risk([n], [w])[0] for n, w in zip(f, total, strict=True)])
    assert found.expected == pytest.approx(risk.sum())
    assert found.share == pytest.approx(risk.mean())
    assert found.participating == pytest.approx((1 / f).sum())
    assert found.theta == pytest.approx((f == 1).sum() / ((f == 1).sum() + (frame["w"] - 1)[f == 2].sum()))
    family = 1 - (1 - risk).groupby(home).prod()
    assert found.households == pytest.approx(family.sum())
    assert found.household_members == pytest.approx(3 * family.sum())
    uniques = 0.0
    for row in frame[f == 1].itertuples():
        share = np.array([[(frame[name] == getattr(row, name)).mean() for name in "ab"]]).prod()
        weighted = np.prod([frame["w"][frame[name] == getattr(row, name)].sum() / frame["w"].sum() for name in "ab"])
        others = frame["w"].sum() * weighted - 60 * share
        uniques += (1 - np.exp(-others)) / others
    assert found.uniques == pytest.approx(uniques)
    assert found.hybrid == pytest.approx(uniques + risk[f > 1].sum())
    named = privacy.report(table).set_index("measure")["value"]
    assert named["risk from weights"] == pytest.approx(found.share)
    assert named["risk of households"] == pytest.approx(found.households / 20)
    assert "matches of unique rows" not in set(privacy.report(table.with_roles(weight=None))["measure"])


def test_classes_that_overlap_have_no_population():
    table = Table(pd.DataFrame({"age": [1, 3, 2, 4], "w": 10.0}), quasi=["age"], weight="w")
    assert np.isfinite(privacy.global_risk(Mondrian(k=2).anonymize(table)).expected)
    column = Column.of_groups(table.attributes["age"], table.codes("age"), np.array([0, 0, 1, 1]), 2)
    overlapping = Release.of(table).with_columns(age=column)  # [1, 3] and [2, 4]
    with pytest.warns(UserWarning, match="do not estimate"):
        assert np.isnan(privacy.global_risk(overlapping).expected)
    line = privacy.report(overlapping).set_index("measure").loc["risk from weights"]
    assert np.isnan(line["value"])
    assert "fit several classes" in line["meaning"]
    with pytest.raises(ValueError, match="no survey weight"):
        privacy.global_risk(Release.of(load("survey")))
