"""The clusterings tell every move: the nearest is chosen, and the moves lead to the release."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
