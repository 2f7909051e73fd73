"""Record-level attacks: cases worked out by hand, and a naive join on random releases."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import anonnb
from anonnb import Release, Table
from anonnb.attacks import (
    BackgroundAttack,
    HomogeneityAttack,
    IntersectionAttack,
    LinkageAttack,
    MinimalityAttack,
    SkewnessAttack,
)
from anonnb.attacks.explaining import explain
from anonnb.methods import Mondrian
from anonnb.privacy import LDiversity
from anonnb.tables.value_sets import Column
from tests.attacks import plain
from tests.attacks.test_shallow_deep import releases


@pytest.fixture(scope="module")
def clinic():
    """Six people in two published classes: ages 20–29 (flu, flu, flu) and 40–49 (flu, cold, cold)."""
    frame = pd.DataFrame(
        {
            "name": list("abcdef"),
            "age": [21, 22, 29, 41, 45, 49],
            "ill": ["flu", "flu", "flu", "flu", "cold", "cold"],
            "cost": [10, 11, 12, 10, 90, 100],
        }
    )
    table = Table(frame, identifier=["name"], quasi=["age"], sensitive=["ill", "cost"])
    groups = np.array([0, 0, 0, 1, 1, 1])
    column = Column.of_groups(table.attributes["age"], table.codes("age"), groups, 2)
    return table, Release(table, {"age": column}, np.arange(6))


def test_linkage_by_hand(clinic):
    table, release = clinic
    result = LinkageAttack().run(release, table)
    # everybody has three candidates, so linking all six gets 6 · 1/3 = 2 right
    assert result.success == pytest.approx(1 / 3)
    assert result.targets["candidates"].tolist() == [3] * 6
    assert result.info == {"prosecutor": pytest.approx(1 / 3), "journalist": pytest.approx(1 / 3), "re-identified": 0}
    assert LinkageAttack(threshold=0.3).run(release, table).info["re-identified"] == 6


def test_linkage_with_an_inexact_list(clinic):
    table, release = clinic
    # ages known only to ±11: 29 ± 11 and 41 ± 12 reach into the other class
    result = LinkageAttack(tolerance={"age": 12}).run(release, table)
    candidates = dict(zip(result.targets["known"], result.targets["candidates"], strict=True))
    assert candidates == {
        "age = 21": 3,
        "age = 22": 3,
        "age = 29": 6,
        "age = 41": 6,
        "age = 45": 3,
        "age = 49": 3,
    }


def test_a_single_case_is_explained(clinic):
    _, release = clinic
    case = explain(release, 4)
    assert repr(case) == "age = 45: 3 rows fit, saying cold (2), flu (1)"
    assert case.candidates["cost"].tolist() == [10, 90, 100]
    assert explain(release, 0).secrets.to_dict() == {"flu": 3}
    stranger = Table(pd.DataFrame({"age": [35], "ill": ["flu"]}), quasi=["age"])
    assert repr(explain(release, 0, table=stranger)) == "age = 35: no published row fits"
    with pytest.raises(ValueError, match="row 6 is not in the table; its rows are 0 to 5"):
        explain(release, 6)


def test_homogeneity_by_hand(clinic):
    table, release = clinic
    result = HomogeneityAttack().run(release, table)
    assert result.success == 0.5  # the three of the first class
    assert set(result.targets.loc[result.targets["score"] == 1, "inferred"]) == {"flu"}


def test_background_by_hand(clinic):
    table, release = clinic
    assert BackgroundAttack(ruled_out=0).run(release, table).success == 0.5
    # the second class has two values: who rules one out knows the other
    assert BackgroundAttack(ruled_out=1).run(release, table).success == 1.0
    # without flu: nobody is left in the first class, the two colds of the second are found
    assert BackgroundAttack(ruled_out=["flu"]).run(release, table).success == pytest.approx(2 / 6)


def test_skewness_by_hand(clinic):
    table, release = clinic
    # flu is 4/6 overall; 3/3 in the first class; cold is 2/6 overall and 2/3 in the second class
    assert SkewnessAttack(belief=0.9).run(release, table).success == pytest.approx(3 / 6)
    assert SkewnessAttack(belief=0.6).run(release, table).success == pytest.approx(5 / 6)


def test_similarity_by_hand(clinic):
    table, release = clinic
    # the first class's costs 10, 11, 12 lie within 2/90 of the range
    near = SkewnessAttack(column="cost", belief=1.0, similar=0.1).run(release, table)
    assert near.success == pytest.approx(3 / 6)
    assert SkewnessAttack(column="cost", belief=1.0).run(release, table).success == 0.0


def test_intersection_by_hand(clinic):
    table, release = clinic
    groups = np.array([0, 0, 0, 0, 1, 1])  # the other release puts 41 with the young: flu only; 45 and 49: cold only
    column = Column.of_groups(table.attributes["age"], table.codes("age"), groups, 2)
    other = Release(table, {"age": column}, np.arange(6))
    both = IntersectionAttack(other=other).run(release, table)
    assert (both.info["alone"], both.success) == (0.5, 1.0)
    assert IntersectionAttack().run(release, table).success == 0.5


def test_minimality_finds_nothing_where_the_method_does_not_look_at_the_secret():
    table = anonnb.load("survey")
    result = MinimalityAttack(worlds=30).run(Mondrian(k=4).anonymize(table), table)
    assert result.info["worlds kept"] == 30
    assert result.success == 0.0


def test_minimality_rejects_worlds_where_the_method_would_have_cut():
    # Two ages, two people each. One secret is shared by both of age 1, so 2-diversity forbids the cut; had the secrets
    # been mixed, Mondrian would have cut. Only worlds with equal secrets within an age are left.
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "ill": ["flu", "flu", "cold", "cold"]})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    release = Mondrian(k=2, require=[LDiversity(2)]).anonymize(table)
    assert release.n_groups == 1
    result = MinimalityAttack(worlds=200).run(release, table)
    assert 0 < result.info["worlds kept"] < 200


@given(releases())
@settings(max_examples=60, deadline=None)
def test_linkage_and_homogeneity_equal_a_naive_join(case):
    table, release = case
    sets = {name: plain.cells(release, name) for name in [*table.quasi, "d"]}
    truth = {name: [table.attributes[name].labels[c] for c in table.codes(name)] for name in table.columns}
    linked, found = 0.0, 0
    for person in range(len(table)):
        values = [truth[name][person] for name in table.quasi]
        rows = plain.matching(sets, table.quasi, values, len(release))
        own = [row for row in rows if release.rows[row] == person]
        linked += len(own) / len(rows) if rows else 0.0
        secrets = frozenset().union(*(sets["d"][row] for row in rows)) if rows else frozenset()
        found += secrets == {truth["d"][person]}
    assert LinkageAttack().run(release, table).success == pytest.approx(linked / len(table))
    assert HomogeneityAttack().run(release, table).success == pytest.approx(found / len(table))


def test_bad_parameters_are_explained(clinic):
    table, release = clinic
    with pytest.raises(KeyError, match="no column 'zip'"):
        LinkageAttack(known=["zip"]).run(release, table)
    with pytest.raises(ValueError, match="threshold"):
        LinkageAttack(threshold=0)
    with pytest.raises(ValueError, match="no sensitive column"):
        HomogeneityAttack().run(Release.of(Table(pd.DataFrame({"a": [1]}), quasi=["a"])))
    with pytest.raises(ValueError, match="belief"):
        SkewnessAttack(belief=2)
    with pytest.raises(ValueError, match="ruled_out"):
        BackgroundAttack(ruled_out=-1)
    with pytest.raises(ValueError, match="tells its method"):
        MinimalityAttack().run(release, table)
    unlinked = Release.from_frame(release.frame, like=table)
    with pytest.raises(ValueError, match="which row is whose"):
        LinkageAttack().run(unlinked, table)


def test_numbers_that_are_off_still_find_hidden_and_missing_cells():
    table = Table(pd.DataFrame({"age": [30.0, 40.0, None, 52.0], "sex": list("mfmf")}), quasi=["age", "sex"])
    hidden = Column.suppressed(table.attributes["age"], 4)
    release = Release(table, {"age": hidden}, np.arange(4))
    found = LinkageAttack(tolerance={"age": 2, "sex": 1}).run(release, table).targets
    assert found["candidates"].tolist() == [2, 2, 2, 2]  # a hidden cell may be anything, also missing
    exact = LinkageAttack(tolerance={"age": 2}).run(Release.of(table), table).targets
    assert exact["candidates"].tolist() == [1, 1, 1, 1]
    wide = LinkageAttack(tolerance={"age": 25}, known=["age"]).run(Release.of(table), table).targets
    assert wide["candidates"].tolist() == [3, 3, 1, 3]


def test_a_tolerance_does_not_fill_the_gaps_of_a_set():
    table = Table(pd.DataFrame({"age": [30, 40, 50, 60]}), quasi=["age"])
    either = Column.from_masks(table.attributes["age"], np.array([[True, False, False, True]] * 4))
    release = Release(table, {"age": either}, np.arange(4))
    assert LinkageAttack().run(release, table).targets["candidates"].tolist() == [4, 0, 0, 4]
    assert LinkageAttack(tolerance={"age": 1}).run(release, table).targets["candidates"].tolist() == [4, 0, 0, 4]
    assert LinkageAttack(tolerance={"age": 10}).run(release, table).targets["candidates"].tolist() == [4, 4, 4, 4]
