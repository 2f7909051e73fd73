"""Answers that are not one value: what the exercises of the foundations accept, and what they say of others."""

import pytest

from anonnb.coursework.practice.bank.foundations import nb00, nb02
from anonnb.roughsets import reducts


@pytest.mark.parametrize("k", [3, 4, 5])
def test_one_class_of_k_people_gives_its_secret_away(k):
    pure, mixed = [("a", "flu")] * k, [("b", "cold"), ("b", "cancer")] * k
    assert nb00._not_disclosed(pure + mixed, 3 * k, k) == ""
    assert nb00._not_disclosed(pure * 3, 3 * k, k)
    assert "smallest class" in nb00._not_disclosed([("c", "flu"), *pure[1:], *mixed], 3 * k, k)
    assert "fewer than three" in nb00._not_disclosed([("a", "flu")] * k + [("b", "cold"), ("b", "flu")] * k, 3 * k, k)
    assert "of 0 people" in nb00._not_disclosed([("a", "flu"), ("a", "cold"), ("a", "cancer")] * k, 3 * k, k)
    assert "pairs" in nb00._not_disclosed(7, 3 * k, k)


@pytest.mark.parametrize("rows", [4, 6, 8])
def test_neither_attribute_alone_and_both_together(rows):
    assert nb02._alone(nb02._exclusive(rows), rows) == ""
    assert "γ is" in nb02._alone([(0, row % 2, row % 2) for row in range(rows)], rows)
    assert "are asked for" in nb02._alone([(0, 0, 0)], rows)
    assert "triples" in nb02._alone([1, 2], rows)


@pytest.mark.parametrize("name", ["p1", "p2", "p4", "p6"])
def test_reducts_of_five_patients(name):
    rest = nb02._flu().take([row for row, other in enumerate(nb02.PATIENTS) if other != name])
    right = reducts(rest, keep="decision")
    assert nb02._other_sets(right[::-1], rest) == ""
    assert "is no such set" in nb02._other_sets([nb02.SYMPTOMS], rest)
    assert "more are to be found" in nb02._other_sets(right[:1], rest) or len(right) == 1
    assert "list of lists" in nb02._other_sets("temperature", rest)


def test_five_patients_by_hand():
    """Without p4 everybody has "yes" or "yes or no"; without p2 no two patients contradict each other."""
    names = list(nb02.PATIENTS)
    without = {name: nb02._flu().take([row for row in range(6) if names[row] != name]) for name in ("p2", "p4")}
    assert reducts(without["p4"], keep="decision") == [["muscle pain"], ["headache", "temperature"]]
    assert ["muscle pain", "temperature"] in reducts(without["p2"], keep="decision")
