"""Notebook 16: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.methods_1 import nb16
from anonnb.tables.datasets import load


@pytest.mark.parametrize("person", ["o3", "o4", "o5"])
def test_two_patterns_that_hold_three_single_somebody_out(person):
    patterns = nb16.two_patterns_for(person)
    assert [len(nb16._held(pattern)) >= 3 for pattern in patterns] == [True, True]
    assert nb16._not_singled_out(patterns, person) == ""
    assert "fit both" in nb16._not_singled_out([patterns[0], patterns[0]], person)
    assert "fewer than three" in nb16._not_singled_out(
        [patterns[0], [{"male"}, {"engineer"}, {"Osaka"}, {"low"}]], "o5"
    )
    assert "two are asked" in nb16._not_singled_out(patterns[:1], person)


def test_a_set_of_rules_is_judged_by_what_it_leaves():
    rules = {"A": "abc", "B": "abd", "C": "acd", "D": "ab"}
    assert nb16._not_needed(["C", "D"], rules) == ""
    assert "all four leave less" in nb16._not_needed(["D"], rules)
    assert "can be removed" in nb16._not_needed(["A", "C", "D"], rules)
    assert "not one of the rules" in nb16._not_needed(["E"], rules)


def test_the_rules_of_table_2_have_the_supporters_of_the_paper():
    assert nb16.table_2().matches(load("decision6")).sum(axis=0).tolist() == [2, 2, 4, 4, 2, 3]


def test_stars_wherever_the_rule_is_silent_are_found_out():
    def stars(row, rule, frame, k):
        return {column: {rule[column]} if column in rule else set(frame[column]) for column in frame}

    assert "another pattern" in nb16._differs(stars)
