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


def test_gccg_tells_grades_and_distances():
    table = Table(pd.DataFrame({"sex": list("mmmff"), "age": [20, 21, 40, 22, 60]}), quasi=["sex", "age"])
    told = GCCG(k=2).steps(table)
    assert told[0].chosen == ("row 0",)
    assert told[0].candidates["grade"].to_dict() == {"row 0": 3, "row 1": 3, "row 2": 3, "row 3": 2, "row 4": 2}
    assert told[1].chosen == ("row 0", "row 1")
    assert told[1].candidates.loc["row 1", "distance"] == pytest.approx(1 / 40)
    assert told[1].candidates.loc["row 3", "distance"] == pytest.approx(1 + 2 / 40)
