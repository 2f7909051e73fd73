"""Budgets against brute force, and those of the paper's table."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb.methods.migration.budgets import antecedent_budget, consequent_budget, new_rule_budget, rule_budgets
from tests.methods.migration.tables import THRESHOLDS


@st.composite
def rule_counts(draw):
    rows = draw(st.integers(1, 60))
    left = draw(st.integers(1, rows))
    return draw(st.integers(0, left)), left, rows


def is_significant(both, left, rows, support, confidence):
    return both >= Fraction(support) * rows and both >= Fraction(confidence) * left and both >= 1


@given(rule_counts(), THRESHOLDS, THRESHOLDS)
@settings(max_examples=300)
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
