"""BottomUp: the chapter's example, and where it stops."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Hierarchy, Table
from anonnb.methods.cuts.specialization import BottomUp, snapshot
from tests.methods.cells.plain import tiny
from tests.methods.cuts.examples import FIGURE_11D, SURVEY, as_figure, check_trace


def test_bottom_up_reaches_the_same_table_in_one_step():
    release = BottomUp(k=4).anonymize(SURVEY)
    assert release.info["trace"]["degree"].tolist() == [2, 4]
    assert as_figure(snapshot(release, 1)) == FIGURE_11D


@pytest.mark.parametrize("seed", range(15))
def test_bottom_up_stops_as_soon_as_it_holds(seed):
    table = tiny(seed, n_rows=24, values=5, hierarchies=True)
    release = BottomUp(k=3).anonymize(table)
    trace = release.info["trace"]
    assert (trace["degree"][:-1] < 3).all()
    assert trace["degree"].iloc[-1] >= 3
    assert trace["degree"].is_monotonic_increasing
    assert trace["classes"].is_monotonic_decreasing
    gained = np.minimum(trace["degree"], 3).diff()[1:]
    assert gained.tolist() == trace["anonymity"].tolist()[1:]
    check_trace(table, release)


def test_bottom_up_takes_the_least_loss_per_gain():
    """Joining b and c costs nothing (both are all yes); joining a and d costs a bit; both give degree 2."""
    tree = Hierarchy.from_nested({"left": ["a", "d"], "right": ["b", "c"]})
    frame = pd.DataFrame({"q": list("aaddbc"), "ill": list("ynynyy")})
    release = BottomUp(k=2).anonymize(Table(frame, quasi=["q"], decision="ill", hierarchies={"q": tree}))
    assert release.info["trace"][["after", "information", "anonymity"]].to_numpy().tolist()[1:] == [["right", 0.0, 1]]
