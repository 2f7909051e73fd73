"""The experiment of the tuple-migration paper: shape of the frames, the paper's claims, resumption."""

import pandas as pd
import pytest

from anonnb.experiments import migration

pytestmark = pytest.mark.slow  # whole experiments: for `make test`


@pytest.fixture(scope="module")
def results():
    return migration.comparison("quick")


def test_every_method_meets_every_k(results):
    assert list(results.columns) == list(migration.COMPARISON)
    pairs = set(zip(results["method"], results["k"], strict=True))
    assert pairs == {(name, k) for name in migration.METHODS for k in migration.SIZES["quick"].ks}


def test_guarded_migration_loses_and_gains_no_rule_and_clustering_does(results):
    ours = results[results["method"] == "U-M3AR"]
    assert (ours[["lrp", "nrp", "drp", "forced"]] == 0).all().all()
    assert (ours["truthfulness"] < 1).all()
    clustered = results[results["method"].isin(["OKA", "KACA", "GCCG"])]
    assert (clustered["lrp"] > 0).all()
    assert (clustered["truthfulness"] == 1).all()
    worst = clustered.groupby("method")["lrp"].mean()
    assert worst.idxmax() == "OKA"


def test_the_average_class_comes_nearer_to_k(results):
    ours = results[results["method"] == "U-M3AR"].sort_values("k")["cavg"].to_numpy()
    assert (ours >= 1).all()
    assert ours[-1] < ours[0]


def test_the_sweep_loses_rules_only_where_rows_were_forced(tmp_path):
    found = migration.thresholds("quick", cache_folder=tmp_path)
    assert list(found.columns) == list(migration.THRESHOLDS)
    assert ((found["lrp"] == 0) & (found["nrp"] == 0) | (found["forced"] > 0)).all()
    again = migration.thresholds("quick", cache_folder=tmp_path)
    pd.testing.assert_frame_equal(found, again)  # the seconds too: they come from the cache


def test_unknown_names_are_refused():
    with pytest.raises(KeyError, match="the methods are"):
        migration.method_named("MONDRIAN", 5)
