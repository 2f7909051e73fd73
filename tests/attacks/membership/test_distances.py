"""Distances to the nearest row, of few pairs or in a tree, are those of a comparison of everybody with every row."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.attacks.membership import distances
from anonnb.attacks.membership.densities import score_reason
from anonnb.attacks.membership.distances import RowDistances
from anonnb.methods import PRAM

NUMBERS = st.lists(st.sampled_from([0.0, 0.1, 0.25, 1.0, 3.0, 40.0, np.nan]), min_size=12, max_size=12)
TEXTS = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=12, max_size=12)
NAMES = ["age", "job", "income"]


def places(frame: pd.DataFrame, like: pd.DataFrame, name: str) -> list:
    """Where the values of a column lie: a share of the published range, or the value."""
    if name == "job":
        return [value if isinstance(value, str) else None for value in frame[name]]
    low, room = like[name].min(), (like[name].max() - like[name].min()) or 1.0
    return [None if math.isnan(v) else min(max((v - low) / room, -1.0), 2.0) for v in frame[name]]


def away(mine: object, theirs: object) -> float:
    """The square of the difference; a missing number lies in the middle, one step off."""
    if isinstance(mine, str) or isinstance(theirs, str):
        return float(mine != theirs)
    one, other = (0.5 if value is None else value for value in (mine, theirs))
    return (one - other) ** 2 + ((mine is None) != (theirs is None))


def plainly(people: pd.DataFrame, rows: pd.DataFrame, like: pd.DataFrame) -> list[float]:
    mine, theirs = ([places(frame, like, name) for name in NAMES] for frame in (people, rows))
    return [
        min(math.sqrt(sum(away(m[at], t[row]) for m, t in zip(mine, theirs, strict=True))) for row in range(len(rows)))
        for at in range(len(people))
    ]


@pytest.mark.slow
@pytest.mark.parametrize("few", [distances.FEW, 0], ids=["one by one", "in a tree"])
@given(NUMBERS, NUMBERS, TEXTS)
@settings(max_examples=50, deadline=None)
def test_distances_are_those_of_the_definition(few, age, income, job):
    """People's values need not be published; some values are missing."""
    frame = pd.DataFrame({"age": age, "job": job, "income": income}).astype({"age": float, "income": float})
    published, asked = frame.iloc[:8], frame.iloc[8:]
    if any(part.isna().all().any() for part in (published, asked)):
        return  # a column without a value has no kind
    like, people = (Table(part, quasi=NAMES) for part in (published, asked))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distances, "FEW", few)
        to_rows = RowDistances(Release.of(like), NAMES).distances(people)
    assert to_rows == pytest.approx(plainly(asked, published, published), abs=1e-12)


def crowd(rows: int, seed: int) -> pd.DataFrame:
    """Random people of whom some lack a number."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"text {at}": rng.choice(list("abcdefgh"), rows) for at in range(4)})
    for at in range(3):
        frame[f"number {at}"] = np.where(rng.random(rows) < 0.1, np.nan, rng.normal(0, 1, rows).round(at))
    return frame


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_finds_what_a_comparison_of_all_finds(seed, monkeypatch):
    published, asked = crowd(1_500, seed), crowd(300, seed + 100)
    release = PRAM(seed=seed).anonymize(Table(published, quasi=list(published)[:4]))
    people, found = Table(asked, quasi=list(asked)[:4]), []
    for few in (0, len(published) ** 2):
        monkeypatch.setattr(distances, "FEW", few)
        rows = RowDistances(release, list(published))
        found.append(rows.distances(people).tolist())
    assert found[0] == found[1]
    assert max(found[0]) > 0


def test_a_text_is_as_far_from_every_number_as_a_missing_one():
    release = Release.of(Table(pd.DataFrame({"age": [20.0, 40.0, 60.0]}), quasi=["age"]))
    rows = RowDistances(release, ["age"])
    missing, text = (Table(pd.DataFrame({"age": column})) for column in ([np.nan, 20.0], ["old", None]))
    assert rows.distances(missing).tolist() == [1.0, 0.0]
    assert rows.distances(text).tolist() == [1.0, 1.0]


def test_equally_far_people_score_alike():
    """Scores are ranked, so that rounding must not tell three texts from two texts and a whole range."""
    rows = pd.DataFrame({"a": ["x", "y"], "b": ["x", "y"], "c": ["x", "y"], "number": [0.0, 10.0]})
    asked = pd.DataFrame({"a": ["z", "x"], "b": ["z", "z"], "c": ["z", "z"], "number": [0.0, 10.0]})
    far = RowDistances(Release.of(Table(rows)), list(rows)).distances(Table(asked))
    assert far[0] == far[1] == math.sqrt(3)


def test_the_row_that_is_shown_is_the_nearest_by_this_distance():
    """Two halves of a range are nearer than nine tenths by Euclid, but not by the sum that linkage takes."""
    release = Release.of(Table(pd.DataFrame({"age": [0, 5, 9, 10], "income": [10, 5, 0, 10]}), quasi=["age", "income"]))
    why, rows = score_reason(release, Table(pd.DataFrame({"age": [0], "income": [0]})), ["age", "income"])
    assert "times as dense near them as is expected from the release as a whole" in why
    assert rows.tolist() == [1]
