"""GCCG equals plain code."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import load
from anonnb.core.progress import no_progress
from anonnb.methods import GCCG
from tests.methods.clustering.plain import plain_gccg
from tests.methods.clustering.tables import tables_with_ties


@settings(max_examples=30)
@given(table=tables_with_ties(), k=st.integers(2, 5))
def test_gccg_finds_the_clusters_of_plain_code(table, k):
    assert (GCCG(k=k)._clusters(table, no_progress) == plain_gccg(table, k)).all()


@pytest.mark.slow
def test_gccg_finds_them_among_real_rows_too():
    table = load("adult").take(range(1_000))
    assert (GCCG(k=3)._clusters(table, no_progress) == plain_gccg(table, 3)).all()
