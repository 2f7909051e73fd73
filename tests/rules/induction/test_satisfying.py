"""Conditions as codes, and their rows as bits, beside values compared one by one."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table
from anonnb.rules import Condition, Rule, RuleSet
from anonnb.rules.induction.satisfying import CodeRanges
from tests.methods.patterns.test_composing import some_table

CONDITIONS = [
    Condition("weight", lower=2),
    Condition("weight", upper=2),
    Condition("weight", lower=2.5, upper=6),
    Condition("weight", lower=99),
    Condition("weight"),
    Condition("weight", values=(3.0, None)),
    Condition("weight", values=(77.0,)),
    Condition("grade", values=("poor", "top")),
    Condition("town", values=("c",)),
    Condition("town", values=("a", "c", "a")),
]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_codes_of_a_condition_are_those_of_the_values_it_allows(condition):
    table = some_table(0)
    attribute = table.attributes[condition.attribute]
    values = [*attribute.domain, *[None] * attribute.missing]
    assert CodeRanges([condition], table).mask(0).tolist() == [condition.allows(value) for value in values]


def test_the_rows_of_a_condition_are_those_whose_value_it_allows():
    table = some_table(1, rows=61)  # no whole number of bytes
    ranges = CodeRanges(CONDITIONS, table)
    rows = np.unpackbits(ranges.rows_as_bits(), axis=1, count=len(table)).astype(bool)
    for number, condition in enumerate(CONDITIONS):
        assert (rows[number] == ranges.mask(number)[table.codes(condition.attribute)]).all()


def test_a_rule_without_conditions_matches_every_row_and_no_rules_match_none():
    table = Table(pd.DataFrame({"x": list("aab"), "y": list("pqp")}), decision="y")
    anything = RuleSet([Rule((), "y", ("p",)), Rule((Condition("x", values=("a",)),), "y", ("p",))], "y", ("p", "q"))
    assert anything.matches(table).tolist() == [[True, True], [True, True], [True, False]]
    assert RuleSet([], "y", ("p", "q")).matches(table).shape == (3, 0)
    assert (anything.matches(table) == (anything.conditions_met(table) == anything.sizes)).all()


def test_a_date_is_not_compared_with_a_number():
    table = Table(pd.DataFrame({"w": pd.to_datetime(["2019-01-01", "2020-01-01"]), "y": list("pq")}), decision="y")
    rules = RuleSet([Rule((Condition("w", upper=2019.0),), "y", ("p",))], "y", ("p", "q"))
    with pytest.raises(TypeError, match=r"the rules compare column 'w' with 2019.0, but it holds datetime64"):
        rules.matches(table)
