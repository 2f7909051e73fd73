"""Notebook 32: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.attacks import nb32
from anonnb.tables.datasets import load
from anonnb.trees import planted


def test_the_first_tree_is_the_chapters():
    tree = planted(load("survey"), {"Sex": {"M": "Marital_status", "F": "Hours"}})
    assert sorted(count for _, count in nb32.TREES[0].values()) == sorted(len(node.rows) for node in tree.nodes)


@pytest.mark.parametrize("tree", nb32.TREES)
@pytest.mark.parametrize("k", [3, 5])
def test_hiding_too_little_or_too_much_is_found_out(tree, k):
    k = max(k, min(count for _, count in tree.values()) + 1)
    least, *_ = nb32.fewest_hidden(tree, k)
    assert nb32._not_fewest(list(least), tree, k) == ""
    assert "people" in nb32._not_fewest([], tree, k)
    assert "people" in nb32._not_fewest([min(tree, key=lambda name: tree[name][1])], tree, k)
    assert "fewer" in nb32._not_fewest(list(tree), tree, k)
    assert "list of nodes" in nb32._not_fewest(["nobody"], tree, k)


def test_the_random_trees_have_groups_of_both_kinds():
    found = [case for _, tree, k in nb32.trees() for case in nb32.leaks(tree, k) if case.exact]
    assert sum(bool(case.without) for case in found) >= 10
    assert sum(not case.without for case in found) >= 10


def test_attacks_that_stop_halfway_are_found_out():
    def nodes_only(tree, k):
        return [(node, count) for node, (_, count) in tree.items() if count is not None and 0 < count < k]

    assert "yours finds" in nb32._differs(nodes_only)
    assert "yours finds" in nb32._differs(lambda tree, k: [])
