"""Median cuts in one compiled loop: the groups, and their numbers, of the engine that cuts all regions of a round."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, load
from anonnb.methods.mondrian._median_cuts import partition_at_medians
from anonnb.methods.mondrian.cutting import MedianCuts, StrictCutter
from anonnb.methods.mondrian.regions import Space, partition


@st.composite
def started_tables(draw):
    """A table with many ties, missing values and a column of far more values than rows, in a few regions."""
    n = draw(st.integers(1, 120))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    values = draw(st.integers(1, 6))
    frame = pd.DataFrame(
        {
            "city": rng.choice(list("abcdef")[:values], n),
            "age": rng.choice([17, 18, 40, 41, 90, np.nan][-values:], n),
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "zip": rng.choice([1, 2, 900, 901, 902, 5_000], n),
        }
    )
    wide = pd.concat([frame, frame[:1].merge(pd.DataFrame({"zip": range(6_000)}), how="cross", suffixes=("_", ""))])
    table = Table(wide[list(frame)], quasi=list(frame), weights={"age": 2.5}).take(np.arange(n))
    start = np.unique(rng.integers(draw(st.integers(1, 3)), size=n), return_inverse=True)[1]
    return table, start, draw(st.integers(1, 5))


@settings(deadline=None, max_examples=60)
@given(started_tables())
def test_any_table_is_cut_as_in_rounds(given):
    table, start, k = given
    groups, count = partition_at_medians(Space(table), k, start)
    expected, expected_count = partition(Space(table), StrictCutter(k, MedianCuts()), start)
    assert count == expected_count
    assert groups.tolist() == expected.tolist()


@pytest.mark.parametrize("k", [1, 2, 10, 40_000])
def test_adult_is_cut_as_in_rounds(k):
    space = Space(load("adult"))
    start = np.zeros(space.codes.shape[1], dtype=np.int64)
    groups, count = partition_at_medians(space, k, start)
    expected, expected_count = partition(space, StrictCutter(k, MedianCuts()), start)
    assert count == expected_count
    assert (groups == expected).all()
