import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table, utility
from anonnb.methods.lattice.samarati import CRITERIA, Samarati
from anonnb.privacy import LDiversity, TCloseness
from tests.methods.lattice.lattices import release_of, scan, tables


@pytest.fixture
def survey():
    """The survey chapter's table on {Marital_status, Sex}."""
    return anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])


def test_the_chapters_example(survey):
    info = Samarati(k=4, max_suppressed=1).anonymize(survey).info
    assert info["heights"] == [1, 0]
    assert [answer["node"] for answer in info["answers"]] == [(0, 1), (1, 0)]
    assert [answer["suppression"] for answer in info["answers"]] == [0, 0]
    assert dict(info["checked"]) == {(0, 1): True, (1, 0): True, (0, 0): False}
    assert Samarati(k=4, max_suppressed=2).anonymize(survey).info["node"] == {"Marital_status": 0, "Sex": 0}


def test_preferences_of_the_chapter(survey):
    nodes = {
        criterion: tuple(Samarati(k=4, max_suppressed=1, prefer=criterion).anonymize(survey).info["node"].values())
        for criterion in CRITERIA
    }
    # only NCP and the relative distance tell the two answers apart; ties go to the first
    paper = {"absolute": (0, 1), "relative": (1, 0), "distribution": (0, 1), "suppression": (0, 1)}
    assert nodes == {"ncp": (1, 0), **paper}


@settings(max_examples=50)
@given(
    tables(),
    st.integers(1, 6),
    st.integers(0, 4),
    st.sampled_from([(), (LDiversity(2),), (TCloseness(0.4),)]),
    st.sampled_from(CRITERIA),
)
def test_answers_are_all_passing_nodes_of_the_lowest_height(table, k, limit, require, prefer):
    passing = scan(table, k, limit, require)
    method = Samarati(k=k, max_suppressed=limit, require=require, prefer=prefer)
    if not passing:
        with pytest.raises(Infeasible):
            method.anonymize(table)
        return
    release = method.anonymize(table)
    lowest = min(sum(node) for node in passing)
    answers = sorted(node for node in passing if sum(node) == lowest)
    assert [answer["node"] for answer in release.info["answers"]] == answers
    chosen = tuple(release.info["node"].values())
    gone, sizes = passing[chosen]
    assert (release.n_suppressed, release.n_groups) == (gone, len(sizes))
    if prefer == "suppression":
        assert gone == min(passing[node][0] for node in answers)
    if prefer == "ncp":
        costs = [utility.ncp(table, release_of(table, node, k, require)) for node in answers]
        assert utility.ncp(table, release) == pytest.approx(min(costs))
    if prefer == "distribution":
        assert len(sizes) == max(len(passing[node][1]) for node in answers)


def test_nothing_but_stars_is_announced():
    table = Table(pd.DataFrame({"zip": ["a", "b", "c"], "age": ["x", "y", "z"]}), quasi=["zip", "age"])
    with pytest.warns(UserWarning, match=r"every cell of zip, age is \*"):
        Samarati(k=3).anonymize(table)
