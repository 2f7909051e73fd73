"""KOptimize tells its tree: bounds that hold, branches on the best cut, and a best set that is the release."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible
from anonnb.methods import KOptimize
from anonnb.steps import Graph
from anonnb.testing.cases import ordinary
from tests.methods.lattice.lattices import tables


def test_the_chapters_numbers():
    table = anonnb.load("survey").with_roles(quasi=["Marital_status", "Sex"])
    told = KOptimize(k=20).steps(table)
    titles = [step.title for step in told]
    assert titles[:2] == ["Add 3: Marital_status before single", "Add 5: Sex before M"]
    assert "Begin with {3, 5}" in titles
    assert f"costs {29**2 + 26**2 + 11 * 66:,}" in told[titles.index("Begin with {3, 5}")].sentence
    assert told[0].candidates["change of cost"].iloc[0] == 40**2 + 26**2 - 66**2


def best_so_far(sentence):
    return int(re.search(r"costs ([\d,]+)", sentence)[1].replace(",", ""))


@pytest.mark.slow
@settings(max_examples=40)
@given(tables(max_rows=16), st.integers(1, 5), st.sampled_from(["discernibility", "classification"]))
def test_the_tree_leads_to_the_best_set(table, k, cost):
    try:
        told = KOptimize(k=k, cost=cost).steps(table, most=10_000)
    except Infeasible:
        return
    info, best = told.result.info, np.inf
    visits = [step for step in told if step.title.startswith("Visit")]
    assert len(visits) == info["visited"]
    for step in told[:-1]:
        if step.title.startswith(("Add", "Take away")):
            assert step.candidates.loc[step.chosen[0], "change of cost"] == step.candidates["change of cost"].min()
        elif step.chosen:
            assert step.candidates.loc[step.chosen[0], "score"] == step.candidates["score"].max()
        if step.title.startswith("Visit"):
            assert best_so_far(step.sentence) <= best
            best = best_so_far(step.sentence)
            assert isinstance(step.state, Graph)
    assert best in (info["cost"], np.inf)
    chosen = [set(step.state.nodes.query("status == 'chosen'")["text"]) for step in visits]
    if chosen and chosen[-1]:
        assert chosen[-1] == {f"{{{', '.join(map(str, info['cuts']))}}}\n= {info['cost']:,}"}


@pytest.mark.filterwarnings("ignore:.*stopped after")
def test_a_search_that_stops_early_still_tells_its_steps(monkeypatch):
    monkeypatch.setattr("anonnb.methods.cuts.k_optimize.MOST_NODES", 5)
    told = KOptimize(k=2, require=[anonnb.privacy.LDiversity(2)]).steps(ordinary(1).table)
    assert sum(step.title.startswith("Visit") for step in told) == 5
