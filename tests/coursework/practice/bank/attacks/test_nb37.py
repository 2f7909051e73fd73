"""Notebook 37: the judges of its exercises tell right from wrong."""

import pytest

from anonnb.coursework.practice.bank.attacks import nb37


@pytest.mark.parametrize("people", nb37.PEOPLE.values(), ids=nb37.PEOPLE)
def test_pairs_of_both_kinds_teach_nothing_and_others_do(people):
    assert nb37._taught(nb37.mixed_pairs(people), people) == ""
    leaky = [(0, 4), (1, 5), (2, 8), (3, 9), (6, 10), (7, 11)]
    assert "is believed to have" in nb37._taught(leaky, people)


def test_pairings_that_are_none_are_found_out():
    people = nb37.PEOPLE["four colds"]
    assert "exactly one pair" in nb37._taught([(0, 6)], people)
    assert "both have cancer" in nb37._taught([(0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11)], people)


def test_dealing_without_the_likelihoods_is_found_out():
    def evenly(people, secrets, likelihood):
        return [{secret: secrets.count(secret) / len(secrets) for secret in secrets} for _ in people]

    assert "after five rounds" in nb37._differs(evenly)


def test_forgetting_the_second_column_is_found_out():
    def first_only(people, secrets, likelihood):
        space = {}
        exec(nb37.WORKED.strip("`").removeprefix("python"), space)
        return space["deal"]([person[:1] for person in people], secrets, likelihood)

    assert "random release" in nb37._differs(first_only)
