"""The cell methods tell their steps: the nearest or cheapest is chosen, and the groups are those of the release."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Table
from anonnb.methods import Factor, Forest, GreedyCover, LocalSuppression
from anonnb.methods.cells.exact import Exact
from anonnb.privacy import LDiversity
from anonnb.steps import Graph

LESS_IS_BETTER = ["price", "with the best rest", "distance", "cost"]


@st.composite
def tables(draw):
    n = draw(st.integers(4, 9))
    columns = {name: draw(st.lists(st.sampled_from("01"), min_size=n, max_size=n)) for name in "abc"}
    ill = ["x", "y", *draw(st.lists(st.sampled_from("xy"), min_size=n - 2, max_size=n - 2))]
    return Table(pd.DataFrame({**columns, "ill": ill}), quasi=list("abc"), sensitive="ill")


@pytest.mark.slow
@settings(max_examples=60)
@given(
    tables(),
    st.sampled_from([Forest, GreedyCover, Factor, Exact, LocalSuppression]),
    st.integers(2, 3),
    st.sampled_from([(), (LDiversity(2),)]),
)
def test_the_best_is_chosen_and_the_groups_are_published(table, kind, k, require):
    told = kind(k=k, require=require).steps(table, most=1_000)
    for step in told[:-1]:
        scores = [name for name in LESS_IS_BETTER if step.candidates is not None and name in step.candidates]
        if scores and not step.title.startswith("Match"):
            assert step.chosen
            assert step.candidates.loc[list(step.chosen), scores[0]].max() == step.candidates[scores[0]].min()
    last = told[-2]
    assert last.title == "Hide what differs"
    shown = told.result.frame[table.quasi].astype(str).agg(" ".join, axis=1)
    pairs = set(zip(last.state.groups.tolist(), shown, strict=True))
    assert len(pairs) == len(set(shown)) == last.state.groups.max() + 1  # a group is a class of the release
    assert f"at a cost of {told.result.info['cost']:g}" in last.sentence


def small():
    return Table(pd.DataFrame({"sex": list("MMFFMF"), "zip": [1, 1, 1, 2, 2, 3]}), quasi=["sex", "zip"])


def test_forest_grows_tree_by_tree_and_is_cut_from_the_leaves():
    told = Forest(k=2).steps(small())
    edges = [step for step in told if step.title.startswith("Join")]
    assert [len(step.state.edges) for step in edges] == [1, 2, 3, 4, 5]
    weights = [float(weight) for weight in edges[-1].state.edges.values()]
    assert sum(weights) == told.result.info["weight"] == 4
    parts = [step.state.groups for step in told if step.title.startswith("Cut off")]
    assert [(groups >= 0).sum() for groups in parts] == [2, 4, 6]
    assert (parts[-1] == told.result.info["parts"]).all()


@pytest.mark.parametrize("k", [2, 3])
def test_the_factor_weighs_what_its_edges_weigh(k):
    rng = np.random.default_rng(1)
    table = Table(pd.DataFrame(rng.integers(0, 2, (9, 4)), columns=list("abcd")), quasi=list("abcd"))
    told = Factor(k=k).steps(table)
    graph = told[0].state
    assert isinstance(graph, Graph)
    assert sum(int(weight) for weight in graph.edges.values()) == told.result.info["weight"]
    degrees = pd.Series([end for edge in graph.edges for end in edge]).value_counts()
    assert set(degrees) <= ({1, 2} if k == 2 else {2})
    layer = graph.nodes["layer"]
    assert all(abs(layer[one] - layer[other]) <= 1 for one, other in graph.edges)
    assert (told[-3].state.groups == told.result.info["parts"]).all()


def test_the_first_choice_of_the_optimum_costs_what_all_cost():
    told = Exact(k=2).steps(small())
    assert told[0].candidates.loc[told[0].chosen[0], "with the best rest"] == told.result.info["cost"] == 4
