"""Downcoding succeeds more often the more clusters there are, and never claims what is wrong."""

import pytest

from anonnb.experiments.downcoding import clustered_table, success_by_clusters


@pytest.mark.slow
def test_success_grows_with_the_number_of_clusters():
    found = success_by_clusters((1, 4, 16, 32, 64), seeds=range(3))
    assert (found["right"] == found["claims"]).all()
    top_down = found[found["method"] == "TopDown"].groupby("clusters")["success"].mean()
    assert top_down.is_monotonic_increasing
    assert top_down.iloc[0] < 0.05
    assert top_down.iloc[-1] == 1
    assert found[found["method"] == "Samarati"]["success"].max() < 0.05


def test_tables_come_from_their_seed_and_clusters_are_apart():
    table = clustered_table(4, rows=12, seed=3)
    assert table.frame.equals(clustered_table(4, rows=12, seed=3).frame)
    for name in table.quasi:
        assert (table.frame[name] // 32).groupby(table.frame.index % 4).nunique().eq(1).all()
        assert (table.frame[name] // 32).nunique() == 4
    with pytest.raises(ValueError, match="clusters must be from 1 to 12"):
        clustered_table(13, rows=12)
