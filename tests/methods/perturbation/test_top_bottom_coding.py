"""Top and bottom coding: recounted from what is published."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, utility
from anonnb.methods import TopBottomCoding

COLUMN = st.lists(st.integers(-30, 30), min_size=1, max_size=30)


@settings(max_examples=60)
@given(COLUMN, st.sampled_from([0, 0.1, 0.3, 0.5]), st.sampled_from([0, 0.1, 0.3, 0.5]))
def test_the_ends_are_intervals_and_the_rest_stays(values, top, bottom):
    table = Table(pd.DataFrame({"x": values}), quasi=["x"])
    release = TopBottomCoding(top=top, bottom=bottom).anonymize(table)
    assert utility.truthfulness(table, release) == 1
    column = release.columns["x"]
    starts = table.attributes["x"].numbers[column.sets.lo[column.index]]
    ends = table.attributes["x"].numbers[column.sets.hi[column.index]]
    wide = starts < ends
    inside = ~wide
    assert (starts[inside] == np.array(values)[inside]).all()
    assert len({*zip(starts[wide], ends[wide], strict=True)}) <= 2
    if top == bottom == 0:
        assert not wide.any()


def test_the_worked_shares():
    table = Table(pd.DataFrame({"x": range(1, 21)}), quasi=["x"])
    shown = TopBottomCoding(top=0.1, bottom=0.2).anonymize(table).frame["x"].tolist()
    assert shown[:4] == ["[1–4]"] * 4
    assert shown[-2:] == ["[19–20]"] * 2
    assert shown[4:-2] == [str(number) for number in range(5, 19)]
