"""The searches tell what they do: tags agree with a full scan, and what is chosen is best."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible
from anonnb.methods import FullDomain, Incognito, Samarati
from anonnb.methods.lattice.lattice_view import LatticeView
from anonnb.privacy import LDiversity, TCloseness
from anonnb.steps import Graph
from tests.methods.lattice.lattices import scan, tables

SCORES = ["loses at least", "from the middle", "height"]  # the first that a frame has decides; less is better
METHODS = st.sampled_from([Samarati, Incognito, FullDomain])


@pytest.fixture
def survey():
    """The survey chapter's table on {Marital_status, Sex}."""
    return anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])


def statuses(step):
    return step.state.nodes["status"].to_dict()


def test_samarati_on_the_chapters_example(survey):
    told = Samarati(k=4, max_suppressed=1, prefer="relative").steps(survey)
    titles = [step.title for step in told[:-1]]
    assert titles == [
        *("Try height 1", "Check ⟨M0,S1⟩"),
        *("Try height 0", "Check ⟨M0,S0⟩", "Check ⟨M1,S0⟩"),
        "Choose ⟨M1,S0⟩",
    ]
    assert "2 rows are in classes that do not" in told[3].sentence
    assert "it passes, and so do 2 nodes above it" in told[1].sentence
    choice = told[5].candidates
    assert choice["relative"].to_dict() == {"⟨M0,S1⟩": 1.0, "⟨M1,S0⟩": 0.5}
    assert choice["suppression"].tolist() == [0, 0]
    assert choice["absolute"].tolist() == [1, 1]
    assert choice["distribution"].nunique() == 1  # as the chapter says, only the relative distance tells them apart


def test_incognito_on_the_chapters_example(survey):
    told = {step.title: step for step in Incognito(k=12).steps(survey)}
    assert "11 rows" in told["Check ⟨S0⟩"].sentence
    pruned = statuses(told["Candidates on Marital_status, Sex"])
    assert {name for name, status in pruned.items() if status == "pruned"} == {"⟨M0,S0⟩", "⟨M1,S0⟩", "⟨M2,S0⟩"}
    assert "3 nodes contain a part that fails" in told["Candidates on Marital_status, Sex"].sentence
    after = statuses(told["Check ⟨M0,S1⟩"])
    assert (after["⟨M0,S1⟩"], after["⟨M1,S1⟩"], after["⟨M2,S1⟩"]) == ("now", "kept", "kept")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*every cell of")
@settings(max_examples=40)
@given(
    tables(), METHODS, st.integers(1, 6), st.integers(0, 4), st.sampled_from([(), (LDiversity(2),), (TCloseness(0.4),)])
)
def test_tags_never_lie_and_the_best_is_chosen(table, kind, k, limit, require):
    passing = scan(table, k, limit, require)
    method = kind(k=k, max_suppressed=limit, require=require)
    if not passing:
        with pytest.raises(Infeasible):
            method.steps(table)
        return
    told = method.steps(table, most=10_000)
    names = LatticeView(table.quasi, [table.attributes[name].levels.height for name in table.quasi])
    right = {names.name(node): node in passing for node in names.lattice}
    before = {}
    for step in told[:-1]:
        for label in step.chosen:
            if not step.title.startswith("Choose"):
                score = step.candidates[next(name for name in SCORES if name in step.candidates)]
                assert score[label] == score.min()
        if not isinstance(step.state, Graph) or set(step.state.nodes.index) != set(right):
            continue
        shown = statuses(step)
        if kind is not Incognito or not require:  # Incognito tags by k first and asks the models later
            for name, status in shown.items():
                assert status not in ("kept", "chosen") or right[name]
                assert status not in ("failed", "pruned") or not right[name]
            assert all(shown[name] != "open" for name, status in before.items() if status in ("kept", "failed"))
            before = shown
    if isinstance(told[-2].state, Graph):
        chosen = names.name(tuple(told.result.info["node"].values()))
        assert [name for name, status in statuses(told[-2]).items() if status == "chosen"] == [chosen]


def test_a_large_lattice_is_counted_by_height():
    view = LatticeView(["a", "b"], [9, 9])
    known = np.zeros((10, 10), dtype=np.int8)
    known[:, 5:] = 1
    view.rows[(0, 3)] = 7
    shown = view.state(known)
    assert shown["open"].sum() == shown["passing"].sum() == 50
    assert shown["checked"].to_dict() == {height: int(height == 3) for height in range(19)}
