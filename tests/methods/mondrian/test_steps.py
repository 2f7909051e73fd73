"""Mondrian tells every cut: each divides one region by the best candidate, and the last state is the release."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Table
from anonnb.methods import ClassMondrian, InfoGainMondrian, Mondrian
from anonnb.privacy import LDiversity
from anonnb.steps import RowGroups

SETTINGS = [
    Mondrian(k=2),
    Mondrian(k=3, strict=False),
    Mondrian(k=2, require=[LDiversity(2)]),
    Mondrian(k=2, strict=False, require=[LDiversity(2)]),
    Mondrian(k=2, cut="loss"),
    Mondrian(k=2, cut="loss", strict=False),
    Mondrian(k=2, cut="loss", require=[LDiversity(2)]),
    ClassMondrian(k=2),
    ClassMondrian(k=2, strict=False),
    InfoGainMondrian(k=2),
]


@st.composite
def tables(draw):
    n = draw(st.integers(6, 24))
    frame = pd.DataFrame(
        {
            "age": draw(st.lists(st.integers(20, 30), min_size=n, max_size=n)),
            "sex": draw(st.lists(st.sampled_from("MF"), min_size=n, max_size=n)),
            "zip": draw(st.lists(st.sampled_from("abcd"), min_size=n, max_size=n)),
            "ill": ["no", "yes", "no", *draw(st.lists(st.sampled_from(["no", "yes"]), min_size=n - 3, max_size=n - 3))],
        }
    )
    return Table(frame, quasi=["age", "sex", "zip"], sensitive="ill", decision="ill")


def test_the_chapters_example():
    table = anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])
    told = Mondrian(k=10).steps(table)
    assert [step.title for step in told[:-1]] == [
        "Begin with 1 region",
        "Cut Marital_status after divorced",
        "Cut Sex after F",
        "Close a region of 26 rows",
        "Cut Marital_status after married",
    ]
    sizes = [sorted(np.bincount(step.state.groups)) for step in told[:-1]]
    assert sizes == [[66], [26, 40], [11, 26, 29], [11, 26, 29], [10, 11, 19, 26]]
    second = told[2].candidates
    assert second["width"].to_dict() == {"Sex": 1.0, "Marital_status": 0.5}
    assert second.loc["Marital_status", "median"] == "divorced"
    assert not told[3].candidates["allowed"].any()


def the_best_is_chosen(method, step):
    """The attribute or cut that was chosen has the best score of those that are allowed."""
    [label], frame = step.chosen, step.candidates
    if "loss left" in frame:
        assert frame.loc[label, "loss left"] == pytest.approx(frame["loss left"].min(), abs=1e-8)
    elif method.require and getattr(method, "strict", True):
        assert frame["allowed"].tolist() == [False] * (len(frame) - 1) + [True]
        assert frame.index[-1] == label
    else:
        score = frame.loc[frame["allowed"], "gain" if "gain" in frame else "width"]
        assert score[label] == score.max()


@pytest.mark.slow
@settings(max_examples=80)
@given(tables(), st.sampled_from(SETTINGS))
def test_every_cut_divides_one_region_by_the_best_candidate(table, method):
    told = method.steps(table, most=1_000)
    assert not told.sampled
    before = None
    for step in told[:-1]:
        assert isinstance(step.state, RowGroups)
        groups = step.state.groups
        if step.title.startswith("Cut"):
            the_best_is_chosen(method, step)
            parts = pd.DataFrame({"old": before, "new": groups}).drop_duplicates()
            assert len(parts) == len(set(before.tolist())) + 1  # one region became two
            divided = parts["old"].value_counts().idxmax()
            assert set(step.state.marked) == set(np.flatnonzero(before == divided))
            assert np.bincount(groups)[groups[step.state.marked]].min() >= method.k
        elif before is not None:
            assert (before == groups).all()
            assert not step.chosen
        before = groups
    published = told.result
    last = told[-2].state.release.frame
    assert last[table.quasi].astype(str).values.tolist() == published.frame[table.quasi].astype(str).values.tolist()
