"""Counts of kept, lost and new rules: equal to the frames of all rules, and possible where those frames are not."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Infeasible, Release, Table, load
from anonnb.rules import compare_rules
from anonnb.rules.association.counting import RuleChanges, rule_changes

SHARES = st.sampled_from([0.05, 0.2, 0.3, 0.5, 0.8, 1.0])


@st.composite
def two_tables(draw):
    """A table and one like it in which some cells changed and some rows are gone."""
    rows, columns = draw(st.integers(2, 30)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    values = rng.integers(0, rng.integers(1, 4, columns), (rows, columns))
    changed = np.where(rng.random(values.shape) < draw(st.sampled_from([0.0, 0.1, 0.4])), 0, values)
    frames = [pd.DataFrame(v, columns=[f"a{c}" for c in range(columns)]).astype(str) for v in (values, changed)]
    return Table(frames[0]), Table(frames[1].iloc[: draw(st.integers(1, rows))])


@pytest.mark.slow
@given(two_tables(), SHARES, st.one_of(st.just(0.0), SHARES))
@settings(max_examples=80)
def test_counts_equal_the_frame_of_all_rules(tables, support, confidence):
    status = compare_rules(*tables, support, confidence)["status"].value_counts()
    assert rule_changes(*tables, support, confidence) == tuple(status.get(name, 0) for name in RuleChanges._fields)


def test_millions_of_rules_are_counted_without_being_written_down():
    rng = np.random.default_rng(0)
    before = Table(pd.DataFrame({f"a{c}": rng.permutation(100) for c in range(14)}).astype(str))  # no rule at all
    after = Table(pd.DataFrame({f"a{c}": ["x"] * 100 for c in range(14)}))
    pairs = 3**14 - 2 * 2**14 + 1  # A and B not empty, apart from each other
    assert rule_changes(before, after) == (0, 0, pairs)
    assert rule_changes(after, before) == (0, pairs, 0)
    assert rule_changes(after, after, 0.5, 1.0) == (pairs, 0, 0)


def test_confidence_decides_rule_by_rule():
    # rows differ in the last column only: rules with one of its two values on the right have a confidence of one half
    table = Table(pd.DataFrame({f"a{c}": ["x"] * 10 for c in range(12)} | {"last": list("xxxxxyyyyy")}))
    without, on_the_left = 3**12 - 2 * 2**12 + 1, 2 * (3**12 - 2**12)
    assert rule_changes(table, table, 0.5, 0.8) == (without + on_the_left, 0, 0)


@pytest.mark.slow
def test_too_many_itemsets_are_said_to_be_too_many():
    wide = Table(pd.DataFrame({f"a{c}": ["x"] * 8 for c in range(40)}))
    narrow = Table(pd.DataFrame({f"a{c}": list("stuvwxyz") for c in range(40)}))
    with pytest.raises(Infeasible, match="min_support"):
        rule_changes(wide, narrow)
    assert rule_changes(narrow, wide) == (0, 0, None)  # the lost ones are known all the same


def test_suppressed_cells_are_no_items():
    table = load("survey")
    release = Release.of(table)
    name = table.quasi[0]
    release = release.with_columns({name: release.columns[name].with_suppressed(np.arange(len(table)))})
    status = compare_rules(table, release, 0.3, 0.6)["status"].value_counts()
    assert rule_changes(table, release, 0.3, 0.6) == (status["kept"], status["lost"], 0)
