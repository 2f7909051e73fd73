"""The experiment of the TPP paper: its frames, what must hold in them, and Adult's K."""

import numpy as np
import pytest

from anonnb.experiments import tree_preserving as experiment

pytestmark = pytest.mark.slow  # whole experiments: for `make test`


@pytest.fixture(scope="module")
def quality():
    return experiment.quality("quick")


def test_every_method_has_a_score_for_every_number_of_leaves(quality):
    amount = experiment.SIZES["quick"]
    lines = quality.groupby(["dataset", "protocol", "method"])["leaves"].apply(tuple)
    assert len(lines) == 3 * 2 * len(experiment.METHODS)
    assert set(lines) == {amount.leaves}
    assert quality["score"].between(-1, 1).all()
    assert dict(zip(quality["dataset"], quality["measure"], strict=True)) == {
        "adult": "accuracy",
        "gbsg2": "R²",
        "diabetes": "R²",
    }


def test_inside_folds_the_sanitized_table_gives_the_score_of_the_original(quality):
    inside = quality[quality["protocol"] == "inside folds"].pivot_table(
        index=["dataset", "leaves"], columns="method", values="score"
    )
    np.testing.assert_allclose(inside["TPP"], inside["original"], atol=1e-12)
    assert (inside["InfoGain, K of TPP"] != inside["original"]).any()


def test_folds_partition_the_rows():
    parts = experiment.folds(23, 4, seed=1)
    assert sorted(np.concatenate([test for _, test in parts]).tolist()) == list(range(23))
    assert all(len(np.intersect1d(train, test)) == 0 and len(train) + len(test) == 23 for train, test in parts)


def test_only_tpp_keeps_the_tree():
    found = experiment.privacy("quick")
    assert found[found["method"] == "TPP"]["same"].all()
    others = found[found["method"].isin(experiment.INFOGAIN) & (found["leaves"] > 2)]
    assert not others["same"].all()
    tpp = found[found["method"] == "TPP"].set_index(["dataset", "leaves"])["k"]
    infogain = found[found["method"] == experiment.INFOGAIN[0]].set_index(["dataset", "leaves"])["k"]
    assert (infogain >= tpp).all()
    assert (found[found["method"] == experiment.INFOGAIN[1]]["k"] >= experiment.FIXED_K).all()


def test_unknown_names_are_refused():
    with pytest.raises(KeyError, match="there is no data set 'iris'"):
        experiment.table_named("iris")
