"""Notebook 27: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.methods_2 import nb27


@pytest.mark.parametrize("side", [2, 3])
def test_two_groupings_that_find_everybody_out(side):
    rows, columns = nb27.square(side)
    assert nb27._not_found_out([rows, columns], side) == ""
    assert "shares both groups" in nb27._not_found_out([rows, rows], side)
    assert "two are asked" in nb27._not_found_out([rows], side)
    assert "everybody once" in nb27._not_found_out([rows, columns[:-1]], side)


def test_trying_everything_needs_no_more_counterfeits_than_the_package():
    stayers = [("a", "ab"), ("a", "ab"), ("b", "ab"), ("c", "cd")]
    for newcomers in ("bd", "bb", "abd", "cdd"):
        assert nb27.fewest_counterfeits(stayers, newcomers)[0] <= nb27._fakes(nb27._resumed(stayers, newcomers))
    assert nb27.fewest_counterfeits(stayers, "bd") == (0, {0: "ab", 1: "cd"})


def test_groups_that_break_the_promise_are_found_out():
    def alone(signatures, secrets):
        return [{secrets[person]: person} for person in signatures]

    def wasteful(signatures, secrets):
        return [
            {secret: person if secrets[person] == secret else None for secret in names}
            for person, names in signatures.items()
        ]

    assert "another set of secrets" in nb27._differs(alone)
    assert "counterfeits" in nb27._differs(wasteful)
