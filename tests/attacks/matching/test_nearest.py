"""The nearest rows, found level by level, are those of a comparison of everybody with every row."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.attacks.matching.nearest import TIE, nearest_rows
from anonnb.tables.matching import DistinctRows
from anonnb.tables.release import Release

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


@given(NUMBERS, NUMBERS, TEXTS, TEXTS)
@settings(max_examples=50, deadline=None)
def test_nearest_rows_are_those_of_the_definition(age, income, job, town):
    frame = pd.DataFrame({"age": age, "job": job, "income": income, "town": town})
    frame = frame.astype({"age": float, "income": float})
    published, asked = frame.iloc[:8], frame.iloc[8:]
    if published.isna().all().any() or asked.isna().all().any():
        return  # a column without a value has no kind
    release, people = Release.of(Table(published, quasi=list(frame))), Table(asked, quasi=list(frame))
    rows = DistinctRows(release, list(frame))
    shown = published.iloc[rows.first]
    [(block, place, near)] = nearest_rows(people, np.arange(len(people)), rows, list(frame))
    assert block.tolist() == list(range(len(people)))
    for person in range(len(people)):
        assert set(near[place == person].tolist()) == plainly(people, asked, person, shown)
