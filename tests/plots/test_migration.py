"""Plots of itemsets, rules and migration show what their frames hold."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from anonnb import plots


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_a_line_for_each_kind_of_itemset():
    counts = pd.DataFrame({"frequent": [9, 3], "closed": [5, 3]}, index=[0.1, 0.5])
    ax = plots.itemset_counts(counts)
    assert [line.get_label() for line in ax.lines] == ["frequent", "closed"]
    assert ax.lines[0].get_ydata().tolist() == [9, 3]


def test_a_dot_for_each_rule():
    rules = pd.DataFrame({"support": [0.5, 0.6], "confidence": [0.7, 0.9], "lift": [1.0, 1.2]})
    ax = plots.rule_scatter(rules, min_support=0.5, min_confidence=0.5)
    assert ax.collections[0].get_offsets().tolist() == [[0.5, 0.7], [0.6, 0.9]]


def test_a_line_for_each_method():
    frame = pd.DataFrame({"method": ["a", "a", "b", "b"], "k": [5, 10, 5, 10], "value": [1.0, 2.0, 3.0, 4.0]})
    ax = plots.measure_by_k(frame, "lost rules", ideal=0)
    assert {line.get_label(): line.get_ydata().tolist() for line in ax.lines[:2]} == {"a": [1, 2], "b": [3, 4]}
    assert ax.get_ylabel() == "lost rules"


def test_budgets_show_the_tightest_rules():
    frame = pd.DataFrame(
        {"antecedents": ["a=1", "b=1", "c=1"], "consequents": ["d=1"] * 3, "eq8": [5, 1, 9], "spent": [2, 1, 0]}
    )
    ax = plots.budgets(frame, most=2)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a = 1 → d = 1", "b = 1 → d = 1"]
    assert [bar.get_width() for bar in ax.patches] == [5, 1, 2, 1]
    assert ax.get_title() == "Of 3 rules 1 used up their budget, and 0 exceeded it"
    assert plots.budgets(frame.assign(spent=0)).get_title() == "None of 3 rules used up its budget"


def test_the_grid_writes_every_number():
    sweep = pd.DataFrame(
        {"min_support": [0.1, 0.5] * 2, "min_confidence": [0.5, 0.5, 0.9, 0.9], "rules": [10, 2, 4, 0]}
    )
    ax = plots.threshold_map(sweep, "rules", "rules")
    assert [text.get_text() for text in ax.texts] == ["10", "2", "4", "0"]


def test_sizes_are_weighted_by_their_rows():
    ax = plots.size_change(np.array([1, 1, 8]), np.array([5, 5]), 5)
    before, after = (dict(zip(*line.get_data(), strict=True)) for line in ax.lines[:2])
    assert (before[1], before[8]) == (20, 100)  # two rows of ten stand alone
    assert after[5] == 100
    assert ax.get_xscale() == "log"


def test_rules_over_the_same_items_share_a_line():
    frame = pd.DataFrame(
        {"antecedents": ["a=1", "b=1", "a=1 c=1"], "consequents": ["b=1", "a=1", "b=1"], "eq8": [4, 5, 6], "spent": 1}
    )
    ax = plots.budgets(frame)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a = 1, c = 1 → b = 1", "a = 1 → b = 1"]
