"""The deep attack equals an attacker written plainly, and never reveals less than the shallow one."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.attacks.imprecise import _searched_rows
from anonnb.attacks.imprecise._searched_rows import SearchedRows
from anonnb.tables.value_sets import Column
from tests.attacks.imprecise.test_shallow import check_against
from tests.attacks.plain import inferences, releases


@pytest.mark.slow
@given(releases(), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_deep_equals_a_plain_attacker(case, known):
    table, release = case
    result = DeepAttack(known=known).run(release, table)
    check_against(list(inferences("deep", release, table, known, "all")), result, release)
    assert result.info["undecided"] == 0


@pytest.mark.slow
@given(releases(), st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_rows_are_compared_in_each_search_where_too_many_are_compatible(case, known):
    table, release = case
    listed = DeepAttack(known=known).run(release, table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_searched_rows, "PAIRS", -1)
        compared = DeepAttack(known=known).run(release, table)
    pd.testing.assert_frame_equal(listed.targets, compared.targets)


@given(releases(), st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_deep_never_reveals_less_than_shallow(case, known):
    table, release = case
    shallow = ShallowAttack(known=known).run(release, table).targets["score"]
    assert (DeepAttack(known=known).run(release, table).targets["score"] >= shallow).all()


def test_a_search_that_is_cut_short_says_so():
    table = anonnb.load("zoo").take(np.arange(30))
    groups = np.arange(30) // 3
    columns = {n: Column.of_groups(table.attributes[n], table.codes(n), groups, 10) for n in table.quasi}
    release = Release(table, columns, np.arange(30))
    cut = DeepAttack(max_steps=3).run(release)
    assert cut.info["undecided"] > 0
    assert cut.ratio <= DeepAttack().run(release).ratio <= cut.info["at_most"]
    assert DeepAttack(time_limit=0.0).run(release).info["undecided"] > 0


def test_memory_follows_rows_not_rows_times_values():
    """A set without gaps is two numbers, however many values the column has."""
    rows, values = 6_000, 3_000
    frame = pd.DataFrame({"income": np.arange(rows) % values, "town": np.arange(rows) // 60})
    table = Table(frame, quasi=["income", "town"])
    low = table.codes("income") // 100 * 100
    columns = {**Release.of(table).columns, "income": Column.from_spans(table.attributes["income"], low, low + 99)}
    tracemalloc.start()
    searched = SearchedRows(Release(table, columns), ["income", "town"], [])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(searched.rows) > 100
    assert peak < len(searched.rows) * values
