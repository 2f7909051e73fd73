"""TopDown and BottomUp tell every move with its scores: the chapter's numbers, and the best is taken."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Infeasible
from anonnb.methods import BottomUp, TopDown
from tests.methods.cuts.examples import SURVEY
from tests.methods.lattice.lattices import tables


def on_the_cut(step):
    """The labels on the cut, by column."""
    found = {}
    for (column, _), node in step.state.nodes.iterrows():
        if node["status"] in ("chosen", "now"):
            found.setdefault(column, set()).add(node["text"])
    return found


def test_the_chapters_scores():
    told = TopDown(k=4).steps(SURVEY)
    assert [step.title.split(": ")[1] for step in told[1:5]] == [
        *("any_marital_status", "been_married"),
        *("[1,100)", "[40,100)"),
    ]
    first, second, third = (told[place].candidates["score"].round(4) for place in (1, 2, 3))
    assert (first["Sex: any_sex"], first["Marital_status: any_marital_status"]) == (0.0010, 0.0031)
    assert (second["Sex: any_sex"], second["Marital_status: been_married"]) == (0.0036, 0.0055)
    assert (
        told[2].candidates.loc["Sex: any_sex", "anonymity"] == 26 - 11
    )  # valid until the two divorced women are alone
    assert third.isna()["Sex: any_sex"]  # two divorced women would be alone
    assert not told[3].candidates.loc["Sex: any_sex", "allowed"]
    assert all(f"the smallest of {rows} rows" in told[place].sentence for place, rows in enumerate((66, 26, 19, 4)))
    assert told[-2].title == "Stop"
    assert told[-2].candidates.index.tolist() == ["Sex: any_sex"]


def test_the_chapters_one_step_upward():
    told = BottomUp(k=4).steps(SURVEY)
    assert [step.title for step in told[:-1]] == ["Begin at the values", "Generalize to Sex: any_sex"]
    assert told[1].candidates.loc["Sex: any_sex", "anonymity"] == 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:column")
@settings(max_examples=30)
@given(tables(), st.sampled_from([TopDown, BottomUp]), st.integers(2, 5))
def test_the_best_move_is_made_and_leads_to_the_release(table, kind, k):
    try:
        told = kind(k=k).steps(table, most=1_000)
    except Infeasible:
        return
    trace = told.result.info["trace"]
    moves = [step for step in told if step.chosen]
    assert len(moves) == len(trace) - 1
    for step, line in zip(moves, trace.iloc[1:].itertuples(), strict=True):
        [label], frame = step.chosen, step.candidates
        chosen = frame[frame.index == label]
        if kind is TopDown:
            assert chosen["score"].max() == frame.loc[frame["allowed"], "score"].max() == pytest.approx(line.score)
        else:
            helps = frame[frame["anonymity"] > 0] if (frame["anonymity"] > 0).any() else frame
            assert chosen["score"].min() == helps["score"].min() == pytest.approx(line.score)
        assert f"the smallest of {line.degree:,} row" in step.sentence
    cut = on_the_cut(told[-2])
    for name in table.quasi:
        assert set(told.result.columns[name].texts()) == cut[name]
