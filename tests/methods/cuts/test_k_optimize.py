import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table, privacy, utility
from anonnb.core.arrays import group_ids, group_table
from anonnb.methods.cuts import k_optimize as koptimize
from anonnb.methods.cuts.k_optimize import COSTS, KOptimize, generalized
from anonnb.privacy import GroupCheck, LDiversity, TCloseness
from tests.methods.lattice.lattices import tables


def all_costs(table, k, cost, require=()):
    """The cost of every set of cuts, from the rows themselves; sets that publish nothing are left out."""
    check = GroupCheck(table, k, require)
    places = [(name, cut) for name in table.quasi for cut in range(1, table.attributes[name].size)]
    n, found = len(table), []
    for chosen in itertools.product((False, True), repeat=len(places)):
        blocks = []
        for name in table.quasi:
            cuts = [cut for (column, cut), taken in zip(places, chosen, strict=True) if taken and column == name]
            blocks.append(np.searchsorted(np.array(cuts, dtype=int), table.codes(name), side="right"))
        groups, count = group_ids(blocks)
        sizes = np.bincount(groups, minlength=count)
        good = check(groups, len(sizes))
        if not good.any():
            continue
        if cost == "discernibility":
            found.append(int(np.where(good, sizes**2, n * sizes).sum()))
        else:
            majority = group_table(table.codes(table.decision), 3, groups, len(sizes)).max(axis=1)
            found.append(int(np.where(good, sizes - majority, sizes).sum()))
    return found


@pytest.fixture
def survey():
    """The survey chapter's table on {Marital_status, Sex}."""
    return anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])


def test_the_chapters_numbering_of_cuts(survey):
    release = generalized(survey, [np.array([2]), np.array([1])], KOptimize(k=2))
    assert release.info["cuts"] == [3, 5]
    assert release.info["intervals"] == {"Marital_status": ["married or divorced", "single"], "Sex": ["F", "M"]}


def test_the_chapters_generalization_is_the_best_at_k_20(survey):
    info = KOptimize(k=20).anonymize(survey).info
    assert info["cuts"] == [3, 5]
    assert info["cost"] == 29**2 + 26**2 + 11 * 66  # 11 women are suppressed
    assert info["proved"]
    assert info["suppressed"] == 11


@pytest.mark.slow
@settings(max_examples=60)
@given(
    tables(max_rows=16),
    st.integers(1, 6),
    st.sampled_from(COSTS),
    st.sampled_from([(), (), (LDiversity(2),), (TCloseness(0.4),)]),
)
def test_the_cost_equals_exhaustive_search(table, k, cost, require):
    costs = all_costs(table, k, cost, require) if len(table) >= k else []
    method = KOptimize(k=k, cost=cost, require=require)
    if not costs:
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    assert release.info["cost"] == min(costs) == release.info["bound"]
    assert release.info["proved"]
    assert (release.group_sizes >= k).all()


@pytest.mark.slow
@settings(max_examples=12)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5, 8]), st.sampled_from(COSTS))
def test_the_cost_equals_exhaustive_search_on_larger_tables(seed, k, cost):
    """Skewed columns and more rows: the bounds have to work for their answer."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": random.geometric(0.4, 60).clip(max=6), "b": random.integers(0, 5, 60)})
    frame["ill"] = np.where(random.random(60) < 0.3, "y", np.where(frame["a"] > 2, "n", "y"))
    table = Table(frame, quasi=["a", "b"], decision="ill")
    assert KOptimize(k=k, cost=cost).anonymize(table).info["cost"] == min(all_costs(table, k, cost))


@pytest.mark.parametrize("cost", COSTS)
def test_the_search_alone_finds_the_optimum_without_its_start(survey, cost, monkeypatch):
    best = KOptimize(k=3, cost=cost).anonymize(survey).info["cost"]
    monkeypatch.setattr("anonnb.methods.cuts.k_optimize.CutSearch._seed", lambda self, whole, clock: None)
    assert KOptimize(k=3, cost=cost).anonymize(survey).info["cost"] == best


def test_costs_are_those_of_utility(survey):
    release = KOptimize(k=4).anonymize(survey)
    assert release.info["cost"] == utility.discernibility(survey, release)
    release = KOptimize(k=4, cost="classification").anonymize(survey)
    assert release.info["cost"] == pytest.approx(len(survey) * utility.classification_metric(survey, release))


@pytest.mark.slow
def test_four_columns_of_adult_are_proved():
    table = anonnb.load("adult").with_roles(quasi=["sex", "race", "education", "marital-status"])
    release = KOptimize(k=10).anonymize(table)
    assert release.info["proved"]
    assert release.info["cost"] == utility.discernibility(table, release)
    assert privacy.k(release) >= 10


def test_a_time_limit_gives_an_honest_bound():
    table = anonnb.load("adult").with_roles(quasi=["age", "sex"])
    info = KOptimize(k=50, time_limit=0.5).anonymize(table).info
    assert info["bound"] <= info["cost"]
    assert info["proved"] == (info["bound"] == info["cost"])


def test_too_many_cuts_are_refused_with_a_way_out():
    with pytest.raises(Infeasible, match=r"time_limit.*Mondrian"):
        KOptimize(k=10).anonymize(anonnb.load("adult"))
    frame = pd.DataFrame({f"c{place}": [0, 1, 2] for place in range(60)})
    with pytest.raises(Infeasible, match=r"60 columns.*Mondrian"):
        KOptimize(k=2, time_limit=1).anonymize(Table(frame, quasi=list(frame)))


def test_classification_needs_a_decision(survey):
    with pytest.raises(ValueError, match="decision"):
        KOptimize(k=2, cost="classification").anonymize(survey.with_roles(decision=None))


# ---- required models, which the bounds do not see ---------------------------------------------------------------


def hard_search():
    table = (
        anonnb.load("adult")
        .take(range(0, 30162, 60))
        .with_roles(quasi=["race", "marital-status"], sensitive=["income"])
    )
    return table, KOptimize(k=10, require=[TCloseness(0.1)])


@pytest.mark.slow
def test_a_search_that_cannot_prune_stops_and_says_so(monkeypatch):
    table, method = hard_search()
    proved = method.anonymize(table).info
    assert proved["proved"]
    monkeypatch.setattr(koptimize, "MOST_NODES", 20)
    with pytest.warns(UserWarning, match=r"stopped after 20 nodes.*time_limit"):
        info = method.anonymize(table).info
    assert (info["proved"], info["visited"]) == (False, 20)
    assert info["bound"] <= proved["cost"] <= info["cost"]
    assert replace(method, time_limit=600).anonymize(table).info["cost"] == proved["cost"]  # time counts, not nodes


def test_progress_and_interruption():
    table, method = hard_search()
    seen = []

    def interrupted(steps, desc):
        for best in steps:
            seen.append(best)
            if len(seen) == 5:
                raise KeyboardInterrupt
            yield best

    with pytest.raises(KeyboardInterrupt):
        method.anonymize(table, progress=interrupted)
    assert len(seen) == 5
    assert seen == sorted(seen, reverse=True)  # the best so far never gets worse
