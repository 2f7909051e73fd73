"""Hierarchies as trees with one root: numbering, parents, and the values below each node."""

import numpy as np
import pandas as pd
import pytest

from anonnb import Hierarchy, Table
from anonnb.tables.hierarchies.nodes import HierarchyNodes

PLACES = Hierarchy.from_rows([["SE", "North"], ["IT", "South"], ["NO", "North"], ["JP", "Far"]])


def attribute(values, hierarchy=None):
    column = pd.Series(values)
    return Table(pd.DataFrame({"x": column}), hierarchies={"x": hierarchy} if hierarchy else {}).attributes["x"]


ATTRIBUTES = {
    "one root": attribute([3, 8, 14, 27], Hierarchy.intervals(5, 10)),
    "several tops": attribute(["SE", "IT", "NO", "JP"], PLACES),
    "missing stays apart": attribute(["SE", "IT", None], PLACES),
    "keep or suppress": attribute(["a", "b"]),
    "one value": attribute(["a", "a"]),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_every_value_climbs_to_the_one_root(name):
    nodes = HierarchyNodes(ATTRIBUTES[name])
    (root,) = np.flatnonzero(nodes.parent < 0)
    assert root == len(nodes.labels) - 1
    for code, ladder in enumerate(nodes.ladder.T):
        assert ladder[0] == code
        climbed = [code]
        while nodes.parent[climbed[-1]] >= 0:
            climbed.append(int(nodes.parent[climbed[-1]]))
        assert climbed == ladder.tolist()
        assert nodes.level[climbed].tolist() == list(range(len(nodes.ladder)))


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_sets_hold_the_values_below_their_node(name):
    nodes = HierarchyNodes(ATTRIBUTES[name])
    every = np.arange(len(nodes.labels))
    sets = nodes.sets(every)
    assert sets.labels == nodes.labels
    below = [(nodes.ladder == node).any(axis=0) for node in every]
    assert (sets.as_masks() == np.array(below)).all()
    chosen = every[::2]
    assert (nodes.sets(chosen).as_masks() == np.array(below)[chosen]).all()


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_ancestors_lie_on_the_way_up(name):
    nodes = HierarchyNodes(ATTRIBUTES[name])
    for node in range(len(nodes.labels)):
        way, above = [], node
        while above >= 0:
            way.append(above)
            above = int(nodes.parent[above])
        assert nodes.ancestors[nodes.level[node] :, node].tolist() == way
