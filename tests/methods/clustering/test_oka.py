"""OKA: one pass with surplus rows moved, and the rules it loses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb.core.progress import no_progress
from anonnb.methods import OKA
from tests.methods.clustering.plain import plain_oka
from tests.methods.clustering.tables import tables_with_ties


def test_oka_loses_rules_of_adult_where_migration_loses_none():
    table = anonnb.load("adult", variant="migration").take(np.arange(0, 30_169, 5))
    lost = [OKA(k=k).anonymize(table).info["lost_rules"] for k in (5, 50)]
    assert 0 < lost[0] < lost[1]


@pytest.mark.slow
@settings(max_examples=30)
@given(table=tables_with_ties(), k=st.integers(2, 5), seed=st.integers(0, 3), numbers=st.booleans())
def test_oka_finds_the_clusters_of_plain_code(table, k, seed, numbers):
    table = table.with_roles(quasi=["age"], sensitive=["ill"]) if numbers else table
    assert (OKA(k=k, seed=seed)._clusters(table, no_progress) == plain_oka(table, k, seed)).all()


@pytest.mark.slow
def test_oka_finds_them_among_real_rows_too():
    table = anonnb.load("adult").take(range(1_000))
    assert (OKA(k=3)._clusters(table, no_progress) == plain_oka(table, 3)).all()
