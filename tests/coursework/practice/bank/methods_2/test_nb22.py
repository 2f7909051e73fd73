"""Notebook 22: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.methods_2 import nb22
from anonnb.experiments.chase import worked_example
from anonnb.methods.chase_protection.chase_protection import search_object


def test_the_first_object_of_the_build_is_the_papers():
    _, weights, rules, threshold = next(nb22.objects())
    system, printed = worked_example()
    ours, theirs = nb22.searched(weights, rules, "s", threshold), search_object(system, printed, "d", threshold=0.2)
    assert ours.kept == theirs.kept
    assert ours.hidden == theirs.hidden


def test_the_plain_closure_is_the_packages():
    for _, weights, rules, threshold in nb22.objects():
        ours = nb22.sets_that_stay(weights, rules, threshold)
        assert nb22.largest_sets(nb22.closure, weights, rules, threshold) == ours


@pytest.mark.parametrize("cells", ["abc", "abcd"])
def test_rules_that_need_all_cells(cells):
    assert nb22._not_only_together(nb22.chained(cells), cells) == ""
    assert "does not follow" in nb22._not_only_together([("ab", "x")], cells)
    assert "alone" in nb22._not_only_together([("ab", "s")], cells)
    assert "conditions" in nb22._not_only_together([(cells, "s")], cells)


def test_hiding_too_much_or_too_little_is_found_out():
    rules = [(["a", "b"], "s", 1.0), (["c"], "a", 1.0), (["b", "d"], "s", 1.0), (["d", "e"], "b", 1.0)]
    assert "still follows" in nb22._not_fewest(["a"], rules)
    assert "fewer" in nb22._not_fewest(list("abcde"), rules)


def test_forgetting_the_threshold_or_the_second_round_is_found_out():
    def once(visible, rules, threshold):
        found = dict(visible)
        for premise, end, sure in rules:
            if all(name in visible for name in premise):
                found[end] = max(found.get(end, 0), sure * min(visible[name] for name in premise))
        return found

    assert "other sets may stay" in nb22._differs(once)
