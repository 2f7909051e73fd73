"""What TopDown and BottomUp share, whatever the data."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table, privacy
from anonnb.methods.cuts.specialization import BottomUp, TopDown, snapshot
from anonnb.tables.attribute import DefaultHierarchyWarning
from tests.methods.cells.plain import REQUIRE, assert_holds, tiny
from tests.methods.cuts.examples import SURVEY
from tests.strategies import frames


@pytest.mark.slow
@pytest.mark.parametrize("method", [TopDown, BottomUp])
@pytest.mark.parametrize("require", [(), REQUIRE])
def test_holds_for_every_k(method, require):
    for n_rows, n_columns, values in [(9, 3, 4), (9, 1, 5), (8, 60, 2), (9, 2, 1)]:
        table = tiny(n_rows + n_columns, n_rows, n_columns, values, hierarchies=True)
        for k in range(1, n_rows + 1) if n_columns < 60 else (2, n_rows):
            assert_holds(method(k=k, require=require), table, least=True)


@pytest.mark.slow
@pytest.mark.parametrize("method", [TopDown, BottomUp])
@given(frames(min_rows=4), st.integers(2, 4), st.booleans())
@settings(max_examples=10, deadline=None)
@pytest.mark.filterwarnings("ignore::anonnb.tables.attribute.DefaultHierarchyWarning")
def test_holds_on_columns_of_every_kind(method, frame, k, diverse):
    frame["ill"] = np.arange(len(frame)) % 3
    quasi = [name for name in frame if name != "ill"]
    table = Table(frame, quasi=quasi, sensitive="ill", decision="ill", kinds={"ill": "nominal"})
    assert_holds(method(k=k, require=REQUIRE * diverse), table, least=True)


@pytest.mark.parametrize("method", [TopDown, BottomUp])
def test_values_that_left_the_table_do_not_count(method):
    table = tiny(2, n_rows=30, values=5, hierarchies=True)
    assert_holds(method(k=3), table.take(np.flatnonzero(table.codes("q0") < 3)), least=True)


@pytest.mark.parametrize("method", [TopDown, BottomUp])
def test_errors_say_what_to_do(method):
    table = tiny(1, n_rows=6)
    with pytest.raises(ValueError, match=r"needs a decision column; name it: table.with_roles\(decision="):
        method(k=2).anonymize(table.with_roles(decision=None))
    with pytest.raises(Infeasible, match="needs at least 7 rows"):
        method(k=7).anonymize(table)
    with pytest.warns(DefaultHierarchyWarning), pytest.raises(Infeasible, match="generalized to one class misses"):
        method(k=2, require=privacy.LDiversity(4)).anonymize(tiny(1, n_rows=6))


def test_snapshot_refuses_what_it_cannot_show():
    release = TopDown(k=4).anonymize(SURVEY)
    with pytest.raises(ValueError, match="step 7 does not exist; the release has steps 0 to 6"):
        snapshot(release, 7)
    with pytest.raises(ValueError, match="this release has none"):
        snapshot(anonnb.Release.of(SURVEY), 0)


def test_numbers_without_a_hierarchy_get_announced_intervals():
    frame = pd.DataFrame({"age": range(20, 60), "ill": ["y", "n"] * 20})
    table = Table(frame, quasi=["age"], decision="ill")
    with pytest.warns(DefaultHierarchyWarning, match="column 'age' has no hierarchy: using intervals"):
        release = TopDown(k=5).anonymize(table)
    assert 1 < release.n_groups <= 8
