"""Plots of itemsets, rules, migration and tree-preserving sanitization show what their frames hold."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, plots
from anonnb.methods import TreePreserving


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


@pytest.fixture
def release():
    frame = pd.DataFrame({"A": [2, 4, 2, 5, 1, None], "c": list("uvuvuv"), "y": list("001110")})
    return TreePreserving(k=1, criterion="gini", max_leaves=3).anonymize(Table(frame, quasi=["A", "c"], decision="y"))


def test_moved_values_shows_every_known_value_and_every_split_point(release):
    ax = plots.moved_values(release, "A")
    cuts = [node.split.cut for node in release.info["trees"][0].expansions if node.split.attribute.name == "A"]
    written = {text.get_text() for text in ax.texts}
    assert written == {f"{cut:g}" for cut in cuts if cut < 100}
    grey = next(line for line in ax.lines if line.get_linestyle() == "None")
    assert sorted(set(grey.get_xdata())) == [1, 2, 4, 5]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["original", "published"]


def test_moved_values_needs_a_numeric_quasi_identifier(release):
    for name in ("c", "y", "nothing"):
        with pytest.raises(ValueError, match=f"{name!r} is no numeric quasi-identifier"):
            plots.moved_values(release, name)


def test_a_line_through_running_times():
    ax = plots.linear_time(pd.DataFrame({"rows": [1, 2, 3], "seconds": [2.0, 4.0, 6.0]}), "rows")
    assert ax.lines[1].get_ydata().tolist() == pytest.approx([2, 6])
