"""SSE/SST: against plain numpy, and at its ends."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table, utility
from anonnb.methods import Microaggregation
from anonnb.tables.value_sets import Column


def test_nothing_changed_costs_nothing_and_the_mean_costs_all():
    table = Table(pd.DataFrame({"x": [1, 2, 6], "y": [0.5, 2.5, 9.0]}), quasi=["x", "y"])
    assert utility.sse(table, table) == 0
    assert utility.sse(table, Microaggregation(k=3).anonymize(table)) == pytest.approx(1, abs=1e-6)
    hidden = {name: Column.suppressed(table.attributes[name], 3) for name in table.quasi}
    assert utility.sse(table, Release(table, hidden, np.arange(3))) == pytest.approx(1)
    assert utility.sse(table, Release(table, {}, np.array([], dtype=int))) == pytest.approx(1)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 9)), min_size=4, max_size=30))
def test_it_equals_plain_numpy_on_standardized_columns(rows):
    frame = pd.DataFrame(rows, columns=["x", "y"], dtype=float)
    if (frame.std() == 0).any():
        return
    table = Table(frame, quasi=["x", "y"])
    release = Microaggregation(k=2).anonymize(table)
    z = (frame - frame.mean()) / frame.std()
    shown = (release.frame - frame.mean()) / frame.std()
    expected = ((z - shown) ** 2).to_numpy().sum() / (z**2).to_numpy().sum()
    assert utility.sse(table, release) == pytest.approx(expected, abs=1e-9)


def test_a_table_without_numbers_has_no_such_figure():
    table = Table(pd.DataFrame({"sex": list("fmfm")}), quasi=["sex"])
    assert np.isnan(utility.sse(table, table))
    assert "SSE" not in set(utility.report(table, Microaggregation(k=2).anonymize(table))["measure"])


def test_it_stands_in_the_report_where_numbers_are_moved():
    table = Table(pd.DataFrame({"x": [1, 2, 6, 7]}), quasi=["x"])
    assert "SSE" in set(utility.report(table, Microaggregation(k=2).anonymize(table))["measure"])
    assert "SSE" not in set(utility.report(table, table)["measure"])
