"""Imprecise and k-anonymous rules: all unions of classes, and what a larger k costs."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, load
from anonnb.rules import imprecise_rules, mlem2


def test_every_union_of_classes_is_described_as_mlem2_does():
    table = load("iris")
    rules = imprecise_rules(table)
    unions = {rule.conclusion for rule in rules}
    assert len(unions) == 6
    for union in unions:
        assert [rule for rule in rules if rule.conclusion == union] == list(mlem2(table, union))


@pytest.mark.parametrize("k", [2, 5, 10, 30])
def test_k_keeps_the_supported_rules_and_tells_what_is_lost(k):
    table = load("zoo")
    everything, kept = imprecise_rules(table), imprecise_rules(table, k)
    assert list(kept) == [rule for rule in everything if rule.support >= k]
    assert kept.info["dropped"] == len(everything) - len(kept)
    after = kept.explains(table)
    assert kept.info["unexplained"].tolist() == np.flatnonzero(~after).tolist()
    assert kept.info["lost"].tolist() == np.flatnonzero(everything.explains(table) & ~after).tolist()


def test_too_many_unions_are_refused_with_the_number():
    frame = pd.DataFrame({"x": range(20), "y": [f"class {n}" for n in range(20)]})
    with pytest.raises(ValueError, match=r"1,048,574 unions.*max_classes \(2 gives 210\)"):
        imprecise_rules(Table(frame, decision="y"))


@pytest.mark.parametrize(
    ("options", "words"),
    [({"k": 0}, "k=0"), ({"k": 2.5}, "k=2.5"), ({"k": True}, "k=True"), ({"max_classes": 0}, "max_classes=0")],
)
def test_bad_numbers_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        imprecise_rules(load("decision6"), **options)


def test_contradicting_rows_are_explained_by_a_union():
    frame = pd.DataFrame({"x": [1, 1, 2, 2], "y": ["a", "b", "a", "c"]})
    rules = imprecise_rules(Table(frame, decision="y"))
    assert {rule.conclusion for rule in rules} == {("a", "b"), ("a", "c")}
    assert rules.info["unexplained"].tolist() == []
