"""X and y as tables: names, kinds, and what is refused in one sentence."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from anonnb import Table
from anonnb.tables.table_estimator import TableEstimator, as_frame


def test_a_frame_and_its_classes_become_a_table():
    learner = TableEstimator()
    made = learner.training_table(pd.DataFrame({"a": [1, 2], "class": ["x", "y"]}), pd.Series([0, 1], name="class"))
    assert made.decision == "class_"
    assert made.attributes["class_"].kind == "nominal"
    assert learner.n_features_in_ == 2
    assert learner.feature_names_in_.tolist() == ["a", "class"]


def test_later_tables_have_the_kinds_of_the_training():
    learner = TableEstimator()
    learner.orders = {"size": ["small", "large"]}
    learner.kinds = {"code": "nominal"}
    learner.training_table(pd.DataFrame({"size": ["small", "large"], "code": [1, 2]}), ["u", "v"])
    later = learner.known_table(pd.DataFrame({"size": ["huge", "small"], "code": [2, 3]}))
    assert [attribute.kind for attribute in later.attributes.values()] == ["nominal", "nominal"]


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (np.array([1.0, 2.0]), ValueError, "two dimensions, not 1. Reshape your data"),
        (csr_matrix(np.eye(2)), TypeError, "dense data is required"),
        (np.array([[1j], [2]]), ValueError, "Complex data not supported"),
    ],
)
def test_what_is_no_frame_is_refused(given, error, words):
    with pytest.raises(error, match=words):
        as_frame(given)


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (pd.DataFrame({"a": [1, 2]}), None, "the target y is None"),
        (pd.DataFrame({"a": [1, 2]}), ["u"], "1 entries, X has 2 rows"),
        (pd.DataFrame({"a": [1, 2]}), [0.25, 1.5], "continuous"),
        (np.zeros((2, 0)), ["u", "v"], "0 feature"),
        (np.zeros((0, 2)), [], "0 sample"),
    ],
)
def test_bad_training_data_is_refused(X, y, words):
    with pytest.raises(ValueError, match=words):
        TableEstimator().training_table(X, y)


def test_other_columns_than_in_training_are_refused():
    learner = TableEstimator()
    learner.training_table(pd.DataFrame({"a": [1, 2]}), ["u", "v"])
    with pytest.raises(ValueError, match="feature names"):
        learner.known_table(pd.DataFrame({"b": [1]}))
    assert isinstance(learner.known_table(pd.DataFrame({"a": [1]})), Table)
