"""The nearest rows, found level by level or in a tree, are those of a comparison of everybody with every row."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table, load
from anonnb.attacks.matching import nearest
from anonnb.attacks.matching.nearest import TIE, NearestBoxes, NearestRows
from anonnb.attacks.membership.distances import RowDistances
from anonnb.methods import PRAM
from anonnb.tables.matching import DistinctRows, Matching
from anonnb.tables.release import Release
from anonnb.tables.value_sets import Column

NUMBERS = st.lists(st.sampled_from([0.0, 0.1, 0.25, 1.0, 3.0, np.nan]), min_size=12, max_size=12)
TEXTS = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=12, max_size=12)


def plainly(people: Table, frame: pd.DataFrame, row: int, shown: pd.DataFrame) -> set[int]:
    """The nearest distinct rows, by the definition of the distance."""
    far = np.zeros(len(shown))
    for name in frame:
        mine, theirs = frame[name].iloc[row], shown[name]
        if people.attributes[name].kind == "numeric":
            room = (np.ptp(theirs.dropna().to_numpy()) if theirs.notna().any() else 0.0) or 1.0
            away = np.minimum((theirs - mine).abs() / room, 1.0).fillna(1.0)
            far += np.where(theirs.isna() & pd.isna(mine), 0.0, away)
        else:
            far += ~((theirs == mine) | (theirs.isna() & pd.isna(mine)))
    return set(np.flatnonzero(far <= far.min() + TIE).tolist())


@pytest.mark.slow
@pytest.mark.parametrize("few", [nearest.FEW, 0], ids=["one by one", "in a tree"])
@given(NUMBERS, NUMBERS, TEXTS, TEXTS)
@settings(max_examples=50, deadline=None)
def test_nearest_rows_are_those_of_the_definition(few, age, income, job, town):
    frame = pd.DataFrame({"age": age, "job": job, "income": income, "town": town})
    frame = frame.astype({"age": float, "income": float})
    published, asked = frame.iloc[:8], frame.iloc[8:]
    if published.isna().all().any() or asked.isna().all().any():
        return  # a column without a value has no kind
    release, people = Release.of(Table(published, quasi=list(frame))), Table(asked, quasi=list(frame))
    rows = DistinctRows(release, list(frame))
    shown = published.iloc[rows.first]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "FEW", few)
        [(block, place, near)] = NearestRows(people, rows, list(frame)).blocks(np.arange(len(people)))
    assert sorted(block.tolist()) == list(range(len(people)))
    for person in range(len(people)):
        assert set(near[block[place] == person].tolist()) == plainly(people, asked, person, shown)


def test_dates_are_compared_as_dates():
    """Though the people and the release begin with different ones."""
    shown, asked = (
        Table(pd.DataFrame({"day": pd.Timestamp("2020-01-01") + pd.to_timedelta(days, unit="D")}), quasi=["day"])
        for days in ([0, 10, 20, 30, 100], [21, 98])
    )
    release = Release.of(shown)
    [(_, place, near)] = NearestRows(asked, DistinctRows(release, ["day"]), ["day"]).blocks(np.arange(2))
    assert near[np.argsort(place)].tolist() == [2, 4]
    assert RowDistances(release, ["day"]).distances(asked).tolist() == pytest.approx([0.01, 0.02])
    fits = Matching(release, asked, ["day"], {"day": 1}).matrix()
    assert [np.flatnonzero(line).tolist() for line in fits] == [[2], []]


def crowd(rows: int, seed: int) -> pd.DataFrame:
    """Random people; some numbers are missing, and some lie outside those that others have."""
    rng = np.random.default_rng(seed)
    texts = {f"text {at}": rng.choice(list("abcdefgh"), rows, p=rng.dirichlet(np.ones(8))) for at in range(4)}
    frame = pd.DataFrame(texts)
    for at, width in enumerate((1.0, 1.0, 0.3)):
        frame[f"number {at}"] = np.where(rng.random(rows) < 0.1, np.nan, rng.normal(0, width, rows).round(1 + at))
    return frame


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_deep_tree_finds_what_a_comparison_of_all_finds(seed, monkeypatch):
    """Trees of a hundred nodes, and blocks that a person's rows do not fit into any more."""
    published, asked = crowd(1_500, seed), crowd(300, seed + 100)
    release, people = Release.of(Table(published, quasi=list(published))), Table(asked, quasi=list(asked))
    rows = DistinctRows(release, list(published))
    search, everybody = NearestRows(people, rows, list(published)), np.arange(len(people))
    pairs = []
    for few, block in ((len(rows) * len(people), nearest.BLOCK), (0, 1)):
        monkeypatch.setattr(nearest, "FEW", few)
        monkeypatch.setattr(nearest, "BLOCK", block)
        found = [(some[place], near.copy()) for some, place, near in search.blocks(everybody)]
        pairs.append(sorted(np.concatenate([np.column_stack(part) for part in found]).tolist()))
    assert pairs[0] == pairs[1]


@pytest.mark.slow
def test_a_person_is_compared_with_few_of_many_rows():
    adult, expected = load("adult"), {}
    people, names = adult.take(np.arange(20_000, 20_300)), ["age", "education", "occupation", "workclass", "race"]
    for count in (1_000, 16_000):
        rows = DistinctRows(PRAM(seed=1).anonymize(adult.take(np.arange(count))), names)
        expected[len(rows)] = NearestRows(people, rows, names).comparisons(np.arange(len(people)))
    (few, least), (many, most) = expected.items()
    assert most < many * len(people) / 20
    assert most / least < (many / few) ** 0.8


@given(st.lists(st.integers(0, 9), min_size=6, max_size=12), st.lists(st.sampled_from("abcd"), min_size=6, max_size=12))
@settings(max_examples=60, deadline=None)
def test_nearest_boxes_are_those_of_a_plain_comparison(ages, jobs):
    """Boxes of three people each, published as an interval of ages and a set of jobs."""
    count = min(len(ages), len(jobs)) // 3 * 3
    frame = pd.DataFrame({"age": ages[:count], "job": jobs[:count]}).sort_values("age", ignore_index=True)
    table = Table(frame, quasi=["age", "job"])
    groups = np.arange(count) // 3
    columns = {name: Column.of_groups(table.attributes[name], table.codes(name), groups, count // 3) for name in frame}
    release = Release(table, columns, np.arange(count))
    asked = Table(pd.DataFrame({"age": [-2, 4, 12], "job": ["a", "e", "d"]}), quasi=["age", "job"])
    rows = DistinctRows(release, ["age", "job"])
    person, near = NearestBoxes(asked, rows, ["age", "job"]).pairs(np.arange(3))
    width = (frame["age"].max() - frame["age"].min()) or 1
    for number, (age, job) in enumerate(asked.frame.itertuples(index=False)):
        away = []
        for row in rows.first:
            box = frame[groups == groups[row]]
            whole = box["age"].nunique() == frame["age"].nunique()
            outside = max(box["age"].min() - age, age - box["age"].max(), 0) / width
            hidden = box["job"].nunique() == frame["job"].nunique()
            away.append((0 if whole else min(outside, 1)) + (0 if hidden else job not in set(box["job"])))
        assert set(near[person == number]) == set(np.flatnonzero(np.array(away) <= min(away) + TIE))
