"""Rounding: recounted from what is published."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import Rounding

COLUMN = st.lists(st.integers(-30, 30), min_size=1, max_size=30)


@settings(max_examples=60)
@given(COLUMN, st.sampled_from([2, 5, 10, 0.5]))
def test_no_number_moves_by_more_than_half_a_step(values, step):
    release = Rounding(step=step).anonymize(Table(pd.DataFrame({"x": values}), quasi=["x"]))
    shown = release.frame["x"].to_numpy(dtype=float)
    assert (np.abs(shown - values) <= step / 2 + 1e-9).all()
    assert np.allclose(shown / step, np.round(shown / step))
