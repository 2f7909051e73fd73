"""Counts as a release tells them, against sums over rows in plain Python."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.methods import Anatomy
from anonnb.utility import expected_count


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=1, max_size=20), st.integers(0, 9))
def test_a_table_is_counted_exactly(rows, high):
    table = Table(pd.DataFrame(rows, columns=["x", "y"]), quasi=["x"], sensitive="y")
    first = rows[0][1]
    expected = sum(x <= high and y == first for x, y in rows)
    assert expected_count(table, {"x": (0, high), "y": [first]}) == expected


def test_secrets_of_groups_count_by_their_shares():
    table = Table(pd.DataFrame({"x": [1, 2, 3, 4], "y": list("abab")}), quasi=["x"], sensitive="y")
    assert expected_count(Anatomy(l=2).anonymize(table), {"x": (1, 3), "y": ["a"]}) == pytest.approx(1.5)


def test_what_cannot_be_asked_is_refused():
    release = Release.of(Table(pd.DataFrame({"y": list("ab")}), quasi=["y"]))
    with pytest.raises(KeyError, match="no column 'z'"):
        expected_count(release, {"z": (0, 1)})
    with pytest.raises(ValueError, match=r"column 'y': .* is a range; give a list of values"):
        expected_count(release, {"y": (0, 1)})
