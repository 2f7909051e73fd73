"""What M3AR compiles for large tables gives the groups of its plain code for small ones; ties are frequent here."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import load
from anonnb.methods import M3AR
from anonnb.methods.migration import exchanges
from tests.methods.clustering.tables import tables_with_ties


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:M3AR treats")
@settings(max_examples=30)
@given(table=tables_with_ties(), k=st.integers(2, 5))
def test_m3ar_publishes_the_same_compiled(table, k):
    assert_m3ar_alike(table, k)


@pytest.mark.slow
def test_real_rows_too():
    assert_m3ar_alike(load("adult").take(range(1_500)), 3)


def assert_m3ar_alike(table, k):
    plain = M3AR(k=k).anonymize(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exchanges, "PLAIN", 0)
        pd.testing.assert_frame_equal(plain.frame, M3AR(k=k).anonymize(table).frame)
