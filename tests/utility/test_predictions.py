"""Accuracy of models learnt from releases."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table, utility
from anonnb.methods import Mondrian
from anonnb.tables.value_sets import Column
from anonnb.utility import lost_rules, new_rules
from anonnb.utility.predictions import sampled

IRIS = anonnb.load("iris")


@pytest.mark.slow
def test_blurring_costs_accuracy():
    table = anonnb.load("adult").take(np.arange(3000))
    releases = [Release.of(table), Mondrian(k=10).anonymize(table), Mondrian(k=600).anonymize(table)]
    found = [utility.tree_accuracy(table, release) for release in releases]
    assert found[0] > found[1] > 0.7
    assert found[1] >= found[2] - 0.02
    assert utility.tree_accuracy(table, releases[1]) == found[1], "same seed, same answer"


def test_rows_are_judged_that_training_did_not_see():
    rows = np.random.default_rng(0).permutation(len(IRIS))
    release = Mondrian(k=5).anonymize(IRIS.take(rows[:100]).with_roles(quasi=IRIS.conditions))
    assert 0.6 < utility.tree_accuracy(IRIS.take(rows[100:]), release) < 1
    readings = [utility.rule_accuracy(IRIS.take(rows[100:]), release, consistency=c) for c in ("overlap", "inclusion")]
    assert min(readings) > 0.4  # a third would be a guess
    assert utility.rule_accuracy(IRIS.take(rows[100:]), release) == readings[0]


def test_drawn_values_lie_in_their_sets():
    table = Table(
        pd.DataFrame({"a": list("xyz") * 20, "n": range(60), "d": list("ny") * 30}), quasi=["a", "n"], decision="d"
    )
    groups = np.arange(60) % 2
    mask = np.array([True, False, True])
    columns = {
        "a": Column.from_masks(table.attributes["a"], np.tile(mask, (60, 1))),
        "n": Column.of_groups(table.attributes["n"], table.codes("n"), groups, 2),
    }
    drawn = sampled(Release(table, columns, np.arange(60)), seed=1)
    assert set(drawn["a"]) == {"x", "z"}
    assert drawn["n"].between(0, 59).all()
    assert drawn["n"].nunique() > 20
    assert (drawn["d"] == table["d"]).all()
    assert drawn.quasi == ["a", "n"]


@pytest.mark.parametrize("seed", range(5))
def test_values_are_drawn_as_set_by_set(seed):
    """Rows of a set with gaps are found together, wherever they stand in the table."""
    rng = np.random.default_rng(seed)
    table = Table(pd.DataFrame({"a": rng.choice(list("uvwxyz"), 80)}), quasi=["a"])
    groups = rng.permutation(np.arange(80) % 20)
    column = Column.of_groups(table.attributes["a"], table.codes("a"), groups, 20)
    assert (column.sets.mask_row >= 0).any()
    drawn = sampled(Release(table, {"a": column}, np.arange(80)), seed=seed).codes("a")
    shares = np.random.default_rng(seed).random(80)
    for row, share in enumerate(shares):
        own = np.flatnonzero(column.sets.mask(column.index[row]))
        assert drawn[row] == own[int(share * len(own))]


def test_without_a_decision_or_rows():
    bare = IRIS.with_roles(decision=None)
    for measure in (utility.tree_accuracy, utility.rule_accuracy):
        with pytest.raises(ValueError, match="the table has no decision"):
            measure(bare, IRIS)
    nothing = Release.of(IRIS).take(np.array([], dtype=int))
    assert utility.tree_accuracy(IRIS, nothing) == utility.rule_accuracy(IRIS, nothing) == 0.0


def test_without_rules_nothing_is_lost_and_new_ones_are_counted():
    before = Table(pd.DataFrame({"a": list("wxyz"), "b": list("pqrs")}))
    after = Table(pd.DataFrame({"a": list("xxxx"), "b": list("pppp")}))
    assert lost_rules(before, after) == 0
    assert new_rules(before, after) == 2
