"""Polishing loses no more than before, keeps k and every requirement, and is the same every time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, load, optimum, privacy, utility
from anonnb.methods import GCCG, OKA, Mondrian
from anonnb.optimum import polishing
from anonnb.optimum.prices import Prices
from anonnb.privacy import GroupCheck, LDiversity
from tests.optimum.test_bounds import random_table


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_polished_groups_cost_no_more_and_keep_k(seed, k):
    table = random_table(seed, 30)
    groups = np.random.default_rng(seed).permutation(30) // k
    groups[groups == groups.max()] = 0
    better, count = optimum.polish(table, groups, k)
    costs = Prices.of(table)
    assert costs.costs(better, count).sum() <= costs.costs(groups).sum() + 1e-9
    assert np.bincount(better, minlength=count).min() >= k
    assert np.array_equal(better, optimum.polish(table, groups, k)[0])


def test_least_prices_between_groups_save_time_and_change_nothing(monkeypatch):
    for seed in range(20):
        table, groups = random_table(seed, 60), np.random.default_rng(seed).permutation(60) // 3
        monkeypatch.setattr(polishing, "PAIRS", 20)
        without = optimum.polish(table, groups, 3)[0]
        monkeypatch.setattr(polishing, "PAIRS", 21)
        assert np.array_equal(optimum.polish(table, groups, 3)[0], without)


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_what_is_required_of_groups_still_holds(seed):
    table = random_table(seed, 40).with_roles(quasi=["age", "zip", "sex"], sensitive=["job"])
    method = Mondrian(k=3, cut="loss", require=[LDiversity(2)])
    groups = method.anonymize(table).groups
    check = GroupCheck(table, 3, [LDiversity(2)])
    better, count = optimum.polish(table, groups, 3, check)
    assert check(better, count).all()
    costs = Prices.of(table)
    assert costs.costs(better).sum() <= costs.costs(groups).sum() + 1e-9


@pytest.mark.parametrize("cls", [Mondrian, OKA, GCCG])
def test_methods_polish(cls):
    table = load("survey")
    plain, polished = cls(k=5).anonymize(table), cls(k=5, polish=True).anonymize(table)
    assert utility.ncp(table, polished) <= utility.ncp(table, plain)
    assert privacy.k(polished) >= 5
    assert utility.truthfulness(table, polished) == 1


def test_regions_cannot_be_polished():
    with pytest.raises(ValueError, match="no region is left to publish"):
        Mondrian(k=5, summary="region", polish=True)


def test_the_last_round_and_the_last_step_are_what_is_published():
    table = load("survey")
    method = Mondrian(k=5, polish=True)
    *_, last = method.rounds(table)
    assert last.frame.equals(method.anonymize(table).frame)
    titles = [step.title for step in method.steps(table)]
    assert "Polish the groups" in titles


def test_columns_of_many_values_and_missing_ones_are_polished():
    rng = np.random.default_rng(0)
    frame = load("survey").frame.iloc[:60].copy()
    frame["town"] = rng.choice([f"t{number}" for number in range(150)], 60)
    frame["age"] = np.where(rng.random(60) < 0.2, np.nan, rng.integers(20, 60, 60))
    table = Table(frame, quasi=["town", "age"])
    groups = np.arange(60) // 4
    better, count = optimum.polish(table, groups, 4)
    costs = Prices.of(table)
    assert costs.costs(better, count).sum() < costs.costs(groups).sum()


def test_polishing_finds_what_cuts_cannot():
    table = load("survey")
    cut, polished = (Mondrian(k=5, cut="loss", polish=polish).anonymize(table) for polish in (False, True))
    assert utility.ncp(table, polished) < utility.ncp(table, cut)


@pytest.mark.slow
@pytest.mark.thorough  # and a target of `make bench`
def test_adult_loses_at_most_0_035():
    table = load("adult")
    release = Mondrian(k=10, cut="loss", polish=True).anonymize(table)
    assert utility.ncp(table, release) <= 0.035
    assert privacy.k(release) >= 10
