"""The three routes side by side, small: who is exposed, and that the same seed gives the same numbers."""

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb.attacks import InferenceAttack
from anonnb.experiments.results import stored
from anonnb.experiments.three_routes import (
    COLUMNS,
    ROUTES,
    UNSAFE,
    differences,
    divided,
    one_comparison,
    paired_interval,
    people_exposed,
)
from anonnb.trees import planted

pytestmark = pytest.mark.slow  # whole experiments: for `make test`


def test_only_the_unprotected_tree_exposes_people():
    frame = pd.DataFrame(one_comparison("adult", 10, 0, 24, 0, 900), columns=COLUMNS)
    assert frame["route"].tolist() == list(ROUTES)
    exposed = frame.set_index("route")["people exposed"]
    assert exposed[UNSAFE] > 0
    assert (exposed.drop(UNSAFE) == 0).all()
    assert (frame.set_index("route")["small counts"].drop(UNSAFE) == 0).all()
    assert frame["accuracy"].between(0.6, 1).all()
    right = frame["right"].map(lambda each: np.frombuffer(each, dtype=bool))
    assert right.map(len).eq(450).all()
    assert np.allclose(right.map(np.mean), frame["accuracy"])
    again = pd.DataFrame(one_comparison("adult", 10, 0, 24, 0, 900), columns=COLUMNS)
    pd.testing.assert_frame_equal(again.drop(columns="seconds"), frame.drop(columns="seconds"))


def test_people_exposed_are_the_two_women():
    tree = planted(anonnb.load("survey"), {"Sex": {"M": "Marital_status", "F": "Hours"}})
    found = InferenceAttack(k=3).run(tree).info["disclosures"]
    assert people_exposed(tree, found) == 2


def test_training_and_test_rows_do_not_meet():
    table = anonnb.load("adult")
    training, testing = divided(table, 0, 0, 900)
    assert (len(training), len(testing)) == (900, 450)
    assert not set(training.index) & set(testing.index)
    everything = divided(table, 1, 0)
    assert sum(map(len, everything)) == len(table)
    assert not np.array_equal(divided(table, 0, 0)[0].index, everything[0].index)


def test_the_full_run_that_is_stored_covers_every_route_and_k():
    frame = stored("three_routes", "adult")
    assert set(frame["route"]) == set(ROUTES)
    assert frame.groupby("route")["k"].apply(list).map(len).eq(6).all()
    safe = frame[frame["route"] != UNSAFE]
    assert (safe[["small counts", "people exposed"]] == 0).all(axis=None)


def test_routes_are_compared_person_by_person():
    """Of 8 people, 2 are classified rightly by the route alone and 1 by the unprotected tree alone."""
    ours, theirs = np.array([1, 1, 1, 0, 1, 1, 0, 0], bool), np.array([1, 1, 1, 1, 0, 0, 0, 0], bool)
    lines = [("t", 5, 0, name, 0.5, 1, 0, 0, 0.1, who.tobytes()) for name, who in ((UNSAFE, theirs), (ROUTES[1], ours))]
    (line,) = differences(pd.DataFrame(lines, columns=COLUMNS)).to_dict("records")
    assert (line["route"], line["other"], line["difference"]) == (ROUTES[1], UNSAFE, 0.125)
    reach = 1.959964 * np.sqrt(4 - 1 / 10) / 10
    assert (line["low"], line["high"]) == pytest.approx((0.1 - reach, 0.1 + reach))


def test_the_paired_interval_covers_the_true_difference():
    """Two classifiers, right about 83 and 82 of 100 people, that disagree about 5: 95 % of samples, give or take 2."""
    random, covered = np.random.default_rng(0), 0
    for _ in range(1000):
        case = random.choice(4, p=[0.80, 0.03, 0.02, 0.15], size=400)
        low, high = paired_interval(np.isin(case, [0, 1]), np.isin(case, [0, 2]))
        covered += low <= 0.01 <= high
    assert 930 <= covered <= 970
