"""Models: each checker equals its definition, group by group, on random rows of random tables."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, privacy
from anonnb.methods import Mondrian
from anonnb.privacy import (
    AlphaK,
    BetaLikeness,
    DeltaDisclosure,
    DeltaPresence,
    GroupCheck,
    KAnonymity,
    KMap,
    LDiversity,
    TCloseness,
)
from tests.privacy import brute
from tests.privacy.strategies import HIERARCHY, groupings, tables

PEOPLE = Table(pd.DataFrame({"zip": [1]}), quasi=["zip"])


def path(value):
    return [HIERARCHY.generalize(value, level) for level in range(HIERARCHY.height + 1)]


def counts(values):
    return sorted((values.count(value) for value in set(values)), reverse=True)


#: model on column "ill" or "pay", and its definition for the values of one group and of the whole table
DEFINITIONS = [
    (KAnonymity(2), lambda group, _: len(group) >= 2),
    (LDiversity(2, column="ill"), lambda group, _: len(set(group)) >= 2),
    (LDiversity(1.8, "entropy", column="ill"), lambda group, _: brute.entropy(group) >= math.log(1.8) - 1e-9),
    (LDiversity(2, "entropy", column="ill"), lambda group, _: brute.entropy(group) >= math.log(2) - 1e-9),
    (LDiversity(2, "recursive", 1.5, "ill"), lambda group, _: counts(group)[0] < 1.5 * sum(counts(group)[1:])),
    (LDiversity(3, "recursive", 2, "ill"), lambda group, _: counts(group)[0] < 2 * sum(counts(group)[2:])),
    (LDiversity(2, "frequency", column="ill"), lambda group, _: counts(group)[0] / len(group) < 1 / 2),
    (TCloseness(0.5, "equal", "ill"), lambda group, all_: brute.equal_distance(group, all_) <= 0.5 + 1e-9),
    (TCloseness(0.25, column="pay"), lambda group, all_: brute.ordered_distance(group, all_) <= 0.25 + 1e-9),
    (
        TCloseness(0.4, "hierarchical", "ill"),
        lambda group, all_: brute.hierarchical_distance(group, all_, path) <= 0.4 + 1e-9,
    ),
    (AlphaK(0.5, 2, "ill"), lambda group, _: len(group) >= 2 and counts(group)[0] / len(group) <= 0.5),
    (BetaLikeness(1.5, column="ill"), lambda group, all_: max(brute.gains(group, all_).values()) <= 1.5 + 1e-9),
    (BetaLikeness(1.5, "enhanced", "ill"), lambda group, all_: brute.enhanced_holds(group, all_, 1.5)),
    (DeltaDisclosure(0.7, "pay"), lambda group, all_: brute.disclosure(group, all_) < 0.7),
]


@pytest.mark.slow
@given(st.data())
def test_every_checker_equals_its_definition(data):
    table = data.draw(tables(least=2))
    groups, n_groups, rows = data.draw(groupings(len(table)))
    for model, holds in DEFINITIONS:
        column = getattr(model, "column", None) or "ill"
        values = table.frame[column].tolist()
        flags = model.checker(table)(groups, n_groups, rows)
        for number in range(n_groups):
            group = [values[row] for row in rows[groups == number]]
            if group:
                assert flags[number] == holds(group, values), (model, number)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.data())
def test_many_values_and_few_values_are_counted_alike(data):
    """Counts are kept as a full table or as pairs, whichever is smaller: both ways must agree."""
    table = data.draw(tables(least=4))
    wide = Table(pd.DataFrame({"ill": np.arange(2000)}), sensitive="ill")  # 2,000 values: pairs
    codes = table.codes("ill") * 100
    rows = np.arange(len(table))
    groups = rows % 3
    narrow = LDiversity(2, "recursive", 2, "ill").checker(table)(groups, 3, rows)
    sparse = LDiversity(2, "recursive", 2).checker(wide)(groups, 3, codes)
    assert narrow.tolist() == sparse.tolist()


@settings(max_examples=30)
@given(st.data())
def test_population_models_judge_the_smallest_box_around_a_group(data):
    people = data.draw(tables(least=4))
    groups, n_groups, rows = data.draw(groupings(len(people)))
    enough = KMap(3, people).checker(people)(groups, n_groups, rows)
    present = DeltaPresence(0.3, 0.8, people).checker(people)(groups, n_groups, rows)
    frame = people.frame
    for number in range(n_groups):
        members = frame.iloc[rows[groups == number]]
        if len(members):
            inside = frame["zip"].isin(set(members["zip"])) & frame["age"].between(*members["age"].agg(["min", "max"]))
            assert enough[number] == (inside.sum() >= 3)
            assert present[number] == (0.3 <= len(members) / inside.sum() <= 0.8)


def test_group_check_joins_k_and_all_models():
    table = Table(pd.DataFrame({"ill": list("aabbab")}), sensitive="ill")
    check = GroupCheck(table, 2, [LDiversity(2), TCloseness(0.2)])
    # {a, b} is as the whole, {a, b} too, {a} and {b} are too small
    assert check(np.array([0, 1, 0, 1, 2, 3]), 4).tolist() == [True, True, False, False]
    assert check(np.array([0, 0]), 1, np.array([0, 1])).tolist() == [False]


def test_groups_exactly_at_a_limit_pass():
    table = Table(pd.DataFrame({"ill": list("abcabc")}), sensitive="ill")
    groups, rows = np.array([0, 0, 0, 1, 1, 1]), np.arange(6)
    for model in (LDiversity(3, "entropy"), TCloseness(0), AlphaK(1 / 3, 3), BetaLikeness(1e-12)):
        assert model.checker(table)(groups, 2, rows).all(), model


def test_a_missing_sensitive_value_is_a_value_unless_it_is_ignored():
    """A class whose secret is blank throughout has one value; it may pass only if somebody chose to ignore blanks."""
    table = Table(pd.DataFrame({"ill": ["flu", None, "flu", None]}), sensitive="ill")
    groups, rows = np.array([0, 0, 1, 2]), np.arange(4)
    for model in (LDiversity(2), AlphaK(0.5, 1), TCloseness(0.1), BetaLikeness(0.5), DeltaDisclosure(1)):
        assert model.checker(table)(groups, 3, rows).tolist() == [True, False, False], model
    for model, ignoring in (
        (LDiversity(2, missing="ignore"), [False, False, True]),
        (AlphaK(0.5, 1, missing="ignore"), [False, False, True]),
        (AlphaK(0.5, 2, missing="ignore"), [False, False, False]),
        (TCloseness(0.1, missing="ignore"), [True, True, True]),
        (DeltaDisclosure(1, missing="ignore"), [True, True, True]),
    ):
        assert model.checker(table)(groups, 3, rows).tolist() == ignoring, model
        assert "missing='ignore'" in str(model), "the choice is named wherever the promise is"
    blank = Table(pd.DataFrame({"zip": [1, 1, 2, 2], "ill": ["flu", "cold", None, None]}), quasi="zip", sensitive="ill")
    assert (privacy.l(blank), privacy.l(blank, missing="ignore")) == (1, 2)
    assert (privacy.alpha_k(blank)[0], privacy.alpha_k(blank, missing="ignore")[0]) == (1, 0.5)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: KAnonymity(0), ValueError, "k must be at least 1, not 0"),
        (lambda: KAnonymity(2.5), TypeError, "k must be a whole number, not 2.5"),
        (lambda: LDiversity(True), TypeError, "l must be a number, not True"),
        (lambda: LDiversity(2.5), TypeError, "l must be a whole number, not 2.5"),
        (lambda: LDiversity(2, "fancy"), ValueError, "kind='fancy' is not known"),
        (lambda: LDiversity(2, "recursive"), ValueError, "needs c"),
        (lambda: LDiversity(2, c=3), ValueError, "belongs to kind='recursive'"),
        (lambda: LDiversity(0.5, "entropy"), ValueError, "l must be at least 1, not 0.5"),
        (lambda: TCloseness(1.5), ValueError, "t must be at least 0 and at most 1, not 1.5"),
        (lambda: TCloseness(float("nan")), ValueError, "t must be"),
        (lambda: TCloseness(0.1, "far"), ValueError, "distance='far' is not known"),
        (lambda: AlphaK(0, 2), ValueError, "alpha must be above 0"),
        (lambda: DeltaDisclosure(-1), ValueError, "delta must be above 0"),
        (lambda: BetaLikeness("1"), TypeError, "beta must be a number, not '1'"),
        (lambda: DeltaPresence(0.5, 0.2, PEOPLE), ValueError, "low must not exceed high"),
        (lambda: KMap(0, None), ValueError, "k must be at least 1"),
    ],
)
def test_bad_parameters_are_refused_when_a_model_is_made(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_tables_that_cannot_be_judged_are_refused():
    table = Table(pd.DataFrame({"zip": [1, 2], "ill": ["a", "b"]}), quasi=["zip"])
    with pytest.raises(ValueError, match="no sensitive column"):
        LDiversity(2).check_table(table)
    with pytest.raises(KeyError, match="no column 'income'"):
        LDiversity(2, column="income").check_table(table)
    with pytest.raises(ValueError, match="needs a hierarchy of column 'ill'"):
        TCloseness(0.2, "hierarchical", "ill").check_table(table)
    with pytest.raises(KeyError, match="lacks the quasi-identifier column 'zip'"):
        KMap(2, table.select(["ill"])).check_table(table)
    LDiversity(2, column=["ill"]).check_table(table)


@pytest.mark.parametrize("values", [["", None], ["x", "x"], ["1", 1]])
def test_values_that_a_file_shows_alike_are_one_value(values):
    """A missing value and the empty text are both written as nothing, the number 1 and the text "1" as 1."""
    table = Table(pd.DataFrame({"zip": [1, 1], "ill": pd.Series(values, dtype=object)}), quasi="zip", sensitive="ill")
    groups, rows = np.zeros(2, dtype=np.int64), np.arange(2)
    assert privacy.l(table) == 1
    assert privacy.alpha_k(table)[0] == 1
    for model in (LDiversity(2), LDiversity(1.5, kind="entropy"), AlphaK(0.5, 2)):
        assert not model.checker(table)(groups, 1, rows).any(), model
    assert privacy.t(table) == 0


def test_a_quasi_identifier_is_no_secret():
    frame = pd.DataFrame({"zip": list("aabb"), "age": [1, 2, 3, 4], "ill": list("xyxy")})
    table = Table(frame, quasi=["zip", "age"], sensitive=["ill"])
    with pytest.raises(ValueError, match=r"'zip' is a quasi-identifier.*name a sensitive column"):
        Mondrian(k=2, require=LDiversity(2, column="zip")).anonymize(table)


@pytest.mark.parametrize(
    ("model", "measure", "worse"),
    [
        (lambda: privacy.LDiversity(1.8, "entropy"), privacy.entropy_l, min),
        (lambda: privacy.LDiversity(2, "frequency"), lambda data: 1 / privacy.alpha_k(data)[0], min),
        (lambda: privacy.LDiversity(2, "recursive", c=1.5), lambda data: privacy.recursive_c_l(data, 2)[0], max),
        (lambda: privacy.TCloseness(0.3), privacy.t, max),
        (lambda: privacy.TCloseness(0.3, "ordered"), lambda data: privacy.t(data, "ordered"), max),
        (lambda: privacy.BetaLikeness(0.5), privacy.beta, max),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_by_weights_the_worse_share_decides(model, measure, worse, seed):
    """Whole weights say the same as rows that are there as many times."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({"zip": draw.integers(0, 3, 40), "ill": draw.choice(list("abc"), 40)})
    frame["w"] = draw.integers(1, 9, 40)
    roles = {"quasi": ["zip"], "sensitive": ["ill"]}
    plain, table = Table(frame[["zip", "ill"]], **roles), Table(frame, **roles, weight="w")
    repeated = Table(frame.loc[np.repeat(frame.index, frame["w"])].reset_index(drop=True), **roles)
    assert measure(table) == pytest.approx(worse(measure(plain), measure(repeated)))
    good = [model().checker(each)(each.codes("zip"), 3, np.arange(len(each))) for each in (table, plain, repeated)]
    assert good[0].tolist() == (good[1] & good[2]).tolist()
    k = KAnonymity(12).checker(table)(table.codes("zip"), 3, np.arange(40))
    assert k.tolist() == (plain.counts("zip") >= 12).tolist()  # k counts people, not weights
