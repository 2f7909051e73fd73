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
    chapter_routes,
    divided,
    one_comparison,
    people_exposed,
    summary,
    three_routes,
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
    assert one_comparison("adult", 10, 0, 24, 0, 900) == [tuple(line) for line in frame.itertuples(index=False)]


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


def test_what_each_route_publishes_of_the_chapters_table():
    published = chapter_routes(anonnb.load("survey"), 4)
    assert list(published) == list(ROUTES[2:])


def test_sizes_and_summary():
    with pytest.raises(ValueError, match="size='huge' is not known"):
        three_routes(size="huge")
    lines = [("adult", 2, r, UNSAFE, 0.5 + r / 10, 4, 1, 1) for r in range(2)]
    assert summary(pd.DataFrame(lines, columns=COLUMNS)).iloc[0].tolist() == [2, UNSAFE, 0.55, 4, 1, 1]


def test_the_full_run_that_is_stored_covers_every_route_and_k():
    frame = stored("three_routes", "adult")
    assert set(frame["route"]) == set(ROUTES)
    assert frame.groupby("route")["k"].apply(list).map(len).eq(6).all()
    safe = frame[frame["route"] != UNSAFE]
    assert (safe[["small counts", "people exposed"]] == 0).all(axis=None)
