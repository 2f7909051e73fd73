"""The clusterings tell every move: the nearest is chosen, and the moves lead to the release."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import GCCG, KACA, OKA
from anonnb.privacy import LDiversity
from tests.methods.clustering.tables import random_table


def moved(before, after):
    """The rows whose cluster changed."""
    return set(np.flatnonzero(before.groups != after.groups).tolist())


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.integers(0, 10_000),
    st.integers(6, 20),
    st.sampled_from([OKA, GCCG, KACA]),
    st.integers(2, 4),
    st.sampled_from([(), (LDiversity(2),)]),
)
def test_the_nearest_is_chosen_and_the_moves_lead_to_the_release(seed, rows, kind, k, require):
    table = random_table(seed, rows)
    if table.attributes["ill"].size < 2:
        return
    told = kind(k=k, require=require).steps(table, most=1_000)
    before = None
    for step in told[:-1]:
        if step.chosen:
            frame = step.candidates
            score = frame.iloc[:, 0]
            best = score.max() if frame.columns[0] == "grade" else score.nsmallest(len(step.chosen)).max()
            assert score[list(step.chosen)].max() == best
        if before is not None and not step.title.startswith(("Unite", "Begin")):
            assert moved(before, step.state) <= set(step.state.marked.tolist())
        before = step.state
    groups = before.groups
    assert groups.min() >= 0
    shown = told.result.frame[table.quasi].astype(str).agg(" ".join, axis=1)
    assert len(set(zip(groups.tolist(), shown, strict=True))) == len(set(groups.tolist()))  # a group reads alike
    if kind is not KACA:  # which shows nodes of hierarchies instead of what the rows have
        assert before.release.frame[table.quasi].astype(str).values.tolist() == (
            told.result.frame[table.quasi].astype(str).values.tolist()
        )


def test_oka_frees_the_farthest_rows_and_fills_clusters_that_miss_some():
    table = Table(pd.DataFrame({"n": [0, 1, 2, 3, 4, 5, 6, 1000]}), quasi=["n"])
    told = OKA(k=4).steps(table)
    assert [step.title.split()[0] for step in told[:-1]] == ["Open", *["Join"] * 6, "Free", *["Move"] * 3]
    first = told[1]
    assert first.candidates.loc[first.chosen[0], "distance"] == first.candidates["distance"].min()
    freed = told[7]
    assert (freed.state.groups[freed.state.marked] == -1).all()
    assert "Only cluster 1 has fewer than k = 4 rows" in told[8].sentence


def test_gccg_tells_grades_and_distances():
    table = Table(pd.DataFrame({"sex": list("mmmff"), "age": [20, 21, 40, 22, 60]}), quasi=["sex", "age"])
    told = GCCG(k=2).steps(table)
    assert told[0].chosen == ("row 0",)
    assert told[0].candidates["grade"].to_dict() == {"row 0": 3, "row 1": 3, "row 2": 3, "row 3": 2, "row 4": 2}
    assert told[1].chosen == ("row 0", "row 1")
    assert told[1].candidates.loc["row 1", "distance"] == pytest.approx(1 / 40)
    assert told[1].candidates.loc["row 3", "distance"] == pytest.approx(1 + 2 / 40)


def test_kaca_tells_the_papers_distance():
    table = random_table(3, 12)
    told = KACA(k=3).steps(table)
    assert told[0].title == "Begin with equal rows"
    unions = [step for step in told if step.title.startswith("Unite")]
    groups = [len(set(step.state.groups.tolist())) for step in unions]
    assert groups == list(range(groups[0], groups[0] - len(groups), -1))  # each union makes one group fewer
