"""Tuple migration: budgets against brute force, the promises on random tables, the facts of the paper's table."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table
from anonnb.methods.migration.budgets import antecedent_budget, consequent_budget, new_rule_budget, rule_budgets
from anonnb.methods.migration.migration import M3AR, UM3AR
from anonnb.privacy import LDiversity, TCloseness
from anonnb.rules import compare_rules

THRESHOLDS = st.sampled_from(["0.1", "0.2", "0.25", "0.3", "0.5", "0.6", "0.7", "0.75", "0.9", "1"])


def skewed_table(seed, rows=None):
    """A small table whose columns lean on each other, so that it has rules to lose."""
    rng = np.random.default_rng(seed)
    n = rows or int(rng.integers(20, 90))
    base = rng.random(n) < 0.7
    frame = {}
    for name in ("q1", "q2", "q3", "s1", "s2"):
        follows = rng.random(n) < rng.uniform(0.3, 0.95)
        frame[name] = np.where(follows & base, "a", np.array(list("abcd"))[rng.integers(0, rng.integers(2, 5), n)])
    return Table(pd.DataFrame(frame), quasi=["q1", "q2", "q3"], sensitive=["s1"])


def settings_of(seed):
    rng = np.random.default_rng(seed + 10_000)
    support, confidence = rng.choice([0.3, 0.4, 0.5, 0.6]), rng.choice([0.4, 0.5, 0.6, 0.75])
    return {"k": int(rng.integers(2, 6)), "min_support": float(support), "min_confidence": float(confidence)}


def check_shape(table, release, k):
    """k-anonymous; the same rows; only quasi-identifiers changed, and to combinations that existed."""
    assert release.group_sizes.min() >= k
    assert len(release) == len(table)
    assert release.n_suppressed == 0
    others = [name for name in release.columns if name not in table.quasi]
    assert release.frame[others].equals(table.frame[others])
    shown = set(map(tuple, release.frame[table.quasi].to_numpy()))
    assert shown <= set(map(tuple, table.frame[table.quasi].to_numpy()))


# ---- budgets ----------------------------------------------------------------------------------------------------


@st.composite
def rule_counts(draw):
    rows = draw(st.integers(1, 60))
    left = draw(st.integers(1, rows))
    return draw(st.integers(0, left)), left, rows


def is_significant(both, left, rows, support, confidence):
    return both >= Fraction(support) * rows and both >= Fraction(confidence) * left and both >= 1


@given(rule_counts(), THRESHOLDS, THRESHOLDS)
@settings(deadline=None, max_examples=300)
def test_budgets_equal_brute_force(counts, support, confidence):
    both, left, rows = counts
    arguments = (both, left, rows, Fraction(support), Fraction(confidence))
    if is_significant(both, left, rows, support, confidence):
        lost_a = next(
            n for n in range(1, both + 1) if not is_significant(both - n, left - n, rows, support, confidence)
        )
        lost_b = next(n for n in range(1, both + 1) if not is_significant(both - n, left, rows, support, confidence))
        assert antecedent_budget(*arguments) == lost_a - 1
        assert consequent_budget(*arguments) == lost_b - 1
    else:
        won = next(n for n in range(1, 2 * rows) if is_significant(both + n, left, rows, support, confidence))
        assert new_rule_budget(*arguments) == won - 1


def test_budgets_take_floats_as_the_decimals_they_show():
    assert consequent_budget(7, 10, 10, 0.5, 0.7) == 0
    assert consequent_budget(3, 3, 10, 0.3, 0.9) == 0
    with pytest.raises(ValueError, match="min_confidence"):
        consequent_budget(3, 3, 10, 0.3, 1.9)


def test_adult_has_86_rules_with_budgets():
    budgets = rule_budgets(anonnb.load("adult", variant="migration"))
    assert len(budgets) == 86
    assert (budgets["eq8"] >= 0).all()
    assert (budgets["eq5"] >= budgets["eq8"]).all()  # a row that leaves A harms less than one that leaves B


# ---- the promises on random tables ------------------------------------------------------------------------------


@pytest.mark.slow
def test_guarded_migration_keeps_its_promises_on_hundreds_of_tables():
    forced = dispersed = lost = 0
    for seed in range(200):
        table, options = skewed_table(seed), settings_of(seed)
        release = UM3AR(**options).anonymize(table)
        check_shape(table, release, options["k"])
        if seed % 10 == 0:
            thresholds = (options["min_support"], options["min_confidence"])
            status = compare_rules(table, release, *thresholds)["status"].value_counts()
            assert status.get("lost", 0) == release.info["lost_rules"]
            assert status.get("new", 0) == release.info["new_rules"]
        if release.info["forced"] == 0:
            assert (release.info["lost_rules"], release.info["new_rules"]) == (0, 0), seed
            budgets = release.info["budgets"]
            assert (budgets["spent"] <= budgets["eq8"]).all()
        forced += release.info["forced"] > 0
        dispersed += release.info["dispersed"] > 0
        lost += release.info["lost_rules"] > 0
    # the tables are tight enough to reach every stage, and roomy enough that most need no force
    assert 10 < forced < 100
    assert dispersed >= forced > lost > 0


def harmed_rows(table, release, rule):
    """Rows that lose A and B or come to have A without B, counted cell by cell."""
    a, b = ([item.split("=") for item in rule[side].split()] for side in ("antecedents", "consequents"))

    def has(frame, items):
        return np.all([(frame[name].astype(str) == value).to_numpy() for name, value in items], axis=0)

    before, after = table.frame, release.frame
    both = [has(frame, a + b) for frame in (before, after)]
    only = [has(frame, a) & ~pair for frame, pair in zip((before, after), both, strict=True)]
    return int(((both[0] & ~both[1]) | (only[1] & ~only[0])).sum())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(0, 100, 10))
def test_what_was_spent_is_the_number_of_harmed_rows(seed):
    table, options = skewed_table(seed), settings_of(seed)
    for method in (UM3AR(**options), M3AR(**options)):
        release = method.anonymize(table)
        for _, rule in release.info["budgets"].iterrows():
            assert rule["spent"] == harmed_rows(table, release, rule)


@pytest.mark.slow
def test_the_papers_reading_loses_rules_that_the_guarded_one_keeps():
    paper, guarded, new = 0, 0, 0
    for seed in range(40):
        table, options = skewed_table(seed, rows=60), settings_of(seed)
        ours = UM3AR(**options).anonymize(table).info
        theirs = UM3AR(**options, reading="paper").anonymize(table)
        check_shape(table, theirs, options["k"])
        if ours["forced"] == 0 and theirs.info["forced"] == 0:
            guarded += ours["lost_rules"] + ours["new_rules"]
            paper += theirs.info["lost_rules"]
            new += theirs.info["new_rules"]
    assert guarded == 0
    assert paper > 0
    assert new > 0


def test_m3ar_keeps_rules_unless_forced_and_does_not_guard_against_new_ones():
    new = 0
    for seed in range(30):
        table, options = skewed_table(seed), settings_of(seed)
        release = M3AR(**options, seed=seed).anonymize(table)
        check_shape(table, release, options["k"])
        if release.info["forced"] == 0:
            assert release.info["lost_rules"] == 0
            new += release.info["new_rules"]
    assert new > 0


@pytest.mark.slow
@pytest.mark.parametrize("method", [UM3AR, M3AR])
def test_required_models_hold_for_every_group(method):
    for seed in range(0, 60, 4):
        table = skewed_table(seed, rows=50)
        models = [LDiversity(2), TCloseness(0.45)]
        release = method(k=3, require=models, min_support=0.3).anonymize(table)
        check_shape(table, release, 3)
        sensitive = table.codes("s1")
        overall = np.bincount(sensitive, minlength=table.attributes["s1"].size) / len(table)
        for group in range(release.n_groups):
            codes = sensitive[release.groups == group]
            share = np.bincount(codes, minlength=len(overall)) / len(codes)
            assert len(set(codes.tolist())) >= 2
            assert abs(share - overall).sum() / 2 <= 0.45 + 1e-9


def test_a_requirement_no_group_can_meet_is_infeasible():
    table = Table(pd.DataFrame({"q": list("abcd"), "s": ["x"] * 4}), quasi=["q"], sensitive=["s"])
    with pytest.raises(Infeasible):
        UM3AR(k=2, require=[LDiversity(2)]).anonymize(table)


# ---- small cases ------------------------------------------------------------------------------------------------


def test_the_papers_five_row_table_becomes_2_anonymous():
    table = anonnb.load("salary5")
    release = UM3AR(k=2).anonymize(table)
    check_shape(table, release, 2)
    assert sorted(release.group_sizes) == [2, 3]  # as in the paper's Table IV
    assert release.info["rows_changed"] == 3
    assert "3 of 5 rows" in release.info["note"]
    assert release.info["truthful_rows"] == pytest.approx(0.4)


def test_a_table_that_is_safe_already_stays_as_it_is():
    table = Table(pd.DataFrame({"q": list("aabb"), "s": list("xyxy")}), quasi=["q"], sensitive=["s"])
    for method in (UM3AR(k=2), M3AR(k=2)):
        release = method.anonymize(table)
        assert release.frame.equals(table.frame)
        assert release.info["rows_changed"] == release.info["migrations"] == 0


def test_without_a_safe_group_the_largest_takes_the_others_in():
    # one rule q=a -> s=x with no budget at all, and nobody may join or leave
    table = Table(pd.DataFrame({"q": list("aaabc"), "s": list("xxxyy")}), quasi=["q"], sensitive=["s"])
    release = UM3AR(k=5, min_support=0.6, min_confidence=1).anonymize(table)
    assert release.group_sizes.tolist() == [5]
    assert set(release.frame["q"]) == {"a"}
    assert release.info["forced"] == 2
    assert release.info["lost_rules"] == 1  # x -> a still holds


def test_the_same_seed_gives_the_same_rows():
    table = skewed_table(3, rows=80)
    assert M3AR(k=4, seed=5).anonymize(table).frame.equals(M3AR(k=4, seed=5).anonymize(table).frame)
    assert UM3AR(k=4).anonymize(table).frame.equals(UM3AR(k=4).anonymize(table).frame)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_support": 0}, "min_support"),
        ({"min_confidence": 2}, "min_confidence"),
        ({"reading": "guess"}, "use 'guarded', 'paper'"),
    ],
)
def test_bad_parameters_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        UM3AR(k=2, **options)


# ---- the paper's table ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def adult():
    return anonnb.load("adult", variant="migration")


@pytest.mark.parametrize("k", [5, 50])
def test_adult_keeps_its_rules_and_gains_none(adult, k):
    release = UM3AR(k=k).anonymize(adult)
    check_shape(adult, release, k)
    info = release.info
    assert (info["rules"], info["lost_rules"], info["new_rules"], info["forced"]) == (88, 0, 0, 0)
    assert 1 <= len(adult) / release.n_groups / k < (2.2 if k == 5 else 1.2)  # the average class comes near k


@pytest.mark.slow
def test_tight_budgets_reach_the_disperse_stage_and_keep_the_rules(adult):
    table = adult.take(np.arange(3000))
    release = UM3AR(k=20, min_support=0.2, min_confidence=0.9).anonymize(table)
    check_shape(table, release, 20)
    assert release.info["dispersed"] > 0
    assert release.info["lost_rules"] == 0 or release.info["forced"] > 0


# ---- tables with very many rules --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", [UM3AR, M3AR])
def test_few_distinct_rows_make_millions_of_rules_that_are_counted(method):
    release = method(k=5).anonymize(anonnb.load("zoo"))
    assert release.info["rules"] == 1062
    assert release.info["new_rules"] > 1_000_000
    assert release.info["forced"] > 0 or release.info["lost_rules"] == 0


@pytest.mark.parametrize("method", [UM3AR, M3AR])
def test_more_rules_than_can_be_watched_are_refused_and_the_remedy_works(method):
    zoo = anonnb.load("zoo")
    with pytest.raises(Infeasible, match="max_length"):
        method(k=3, min_support=0.2).anonymize(zoo)
    release = method(k=3, min_support=0.2, min_confidence=0.2, max_length=2).anonymize(zoo)
    check_shape(zoo, release, 3)
    assert release.info["rules"] == 2 * 248  # two rules for each of the frequent pairs
    assert all(len(rule.split()) == 1 for rule in release.info["budgets"]["antecedents"])


def test_max_length_is_checked():
    for wrong in (1, 2.5, True):
        with pytest.raises((ValueError, TypeError), match="max_length"):
            UM3AR(k=2, max_length=wrong)


def test_the_promise_holds_for_short_rules():
    for seed in range(0, 60, 3):
        table, options = skewed_table(seed), settings_of(seed)
        release = UM3AR(**options, max_length=2).anonymize(table)
        if release.info["forced"] == 0:
            assert (release.info["lost_rules"], release.info["new_rules"]) == (0, 0), seed
