"""What TopDown and BottomUp share, whatever the data."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Infeasible, Table, privacy
from anonnb.methods.cuts.specialization import BottomUp, TopDown, snapshot
from anonnb.tables.attribute import DefaultHierarchyWarning
from tests.methods.cells.plain import tiny
from tests.methods.cuts.examples import SURVEY


@pytest.mark.parametrize("method", [TopDown, BottomUp])
def test_values_that_left_the_table_do_not_count(method):
    table = tiny(2, n_rows=30, values=5, hierarchies=True)
    part = table.take(np.flatnonzero(table.codes("q0") < 3))
    release = method(k=3).anonymize(part)
    assert privacy.k(release) >= 3
    assert all(release.columns[name].holds(part.codes(name)).all() for name in part.quasi)


@pytest.mark.parametrize("method", [TopDown, BottomUp])
def test_errors_say_what_to_do(method):
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
