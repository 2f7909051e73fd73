"""Columns without a hierarchy: codes by their prefixes, texts by how rare they are, and a word before it is used."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Table, utility
from anonnb.methods import Samarati
from anonnb.tables.attribute import DefaultHierarchyWarning
from anonnb.tables.hierarchies.automatic import MANY, telling_limits, telling_prefixes


@pytest.fixture
def zips():
    draw = np.random.default_rng(0)
    codes = [f"{10 + part}{number:03}" for part in range(4) for number in range(30)]
    return pd.DataFrame({"zip": draw.choice(codes, 600)})


@pytest.fixture
def jobs():
    common = np.repeat([f"{word} worker" for word in ("farm", "office", "road")], 200)
    return pd.DataFrame({"job": [*common, *(f"{chr(97 + number % 26)} of {number} things" for number in range(40))]})


def preview_of(frame, name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        preview = Table(frame, quasi=name).preview(name)
    (warning,) = [str(one.message) for one in caught if one.category is DefaultHierarchyWarning]
    return preview, warning


def test_codes_are_cut_and_the_cut_is_announced(zips):
    preview, warning = preview_of(zips, "zip")
    assert preview["labels"].tolist() == sorted(preview["labels"], reverse=True)
    assert preview["labels"].iloc[-1] == 1
    assert len(preview) > 2
    assert "column 'zip' has no hierarchy: using prefixes, as in 10000 → 1000* → 100**" in warning


def test_rare_texts_go_together_and_this_is_announced(jobs):
    preview, warning = preview_of(jobs, "job")
    assert preview["labels"].tolist() == [43, 4, 1]
    assert preview.loc[1, "rows in the rarest"] == 40
    assert "one label for all values of fewer than 10 rows" in warning


@pytest.mark.parametrize("name", ["zip", "job"])
def test_less_is_lost_than_by_keeping_or_suppressing(zips, jobs, name):
    frame = zips if name == "zip" else jobs
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain, better = Table(frame, quasi=name, hierarchies={name: "suppress"}), Table(frame, quasi=name)
        losses = [utility.ncp(table, Samarati(k=10).anonymize(table)) for table in (plain, better)]
    assert losses[1] < losses[0] == 1


def test_a_column_of_few_values_is_kept_or_suppressed(zips):
    few = zips[zips["zip"].isin(sorted(zips["zip"].unique())[:MANY])]
    preview, warning = preview_of(few, "zip")
    assert len(preview) == 2
    assert "using keep or suppress" in warning


def test_rows_are_counted_when_a_table_is_encoded_again(jobs):
    """A table encodes its values, not its rows, when a hierarchy changes."""
    table = Table(jobs, quasi="job", hierarchies={"job": "suppress"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert table.recoded(hierarchies={"job": None}).preview("job")["labels"].tolist() == [43, 4, 1]
    assert table.with_hierarchies(job="rare 10").preview("job")["labels"].tolist() == [43, 4, 1]


@given(st.lists(st.text("ab01 ", min_size=1, max_size=6), min_size=1, max_size=60, unique=True))
def test_each_prefix_leaves_fewer_labels(words):
    counts = [len({word[:kept] for word in words}) for kept in telling_prefixes(words)]
    assert counts == sorted(set(counts), reverse=True)
    assert all(1 < count < len(words) for count in counts)


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=80))
def test_each_limit_puts_more_together(counts):
    apart = [sum(count >= limit for count in counts) for limit in telling_limits(np.array(counts))]
    assert apart == sorted(set(apart), reverse=True)
    assert all(2 <= count < len(counts) for count in apart)
