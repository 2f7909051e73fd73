"""Notebook 38: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.attacks.intervals import wilson
from anonnb.coursework.practice.bank.attacks import nb38


def test_the_build_tries_as_many_classes_as_it_says():
    assert f"on {len(list(nb38.small_classes()))} small" in nb38.build(None).question


@pytest.mark.parametrize(("n", "k"), [(1000, 2), (2000, 5), (500, 2), (3000, 10)])
def test_the_smallest_control_that_proves_a_weight(n, k):
    needed = nb38._people_needed(n, k)
    assert wilson(0, needed)[1] / k <= 1 / (10 * n) < wilson(0, needed - 1)[1] / k
    assert nb38._not_enough(needed, n, k) == ""
    assert "the weight is at most" in nb38._not_enough(n, n, k)


@pytest.mark.parametrize("k", [2, 3])
def test_tables_from_which_something_follows_are_found_out(k):
    assert nb38._follows(nb38.shared_node(k), k, 2 * k) == ""
    alone = [("b", "a"), *[("a", "a")] * (k - 1), *[("c", "c")] * k]
    assert "alone" in nb38._follows(alone, k, 2 * k)
    assert "no ab" in nb38._follows([("a", "a")] * k + [("c", "c")] * k, k, 2 * k)
    assert "pairs with values" in nb38._follows([("a", "e")] * 2 * k, k, 2 * k)


def test_forgetting_what_is_needed_is_found_out():
    def anything(rows, children, k, needed):
        return [set(range(children)) for _ in range(rows)]

    assert "needed" in nb38._differs(anything)


def test_our_function_refines_what_the_attack_refines():
    assert nb38._differs(nb38._left) == ""
