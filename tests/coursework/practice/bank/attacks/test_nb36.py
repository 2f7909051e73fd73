"""Notebook 36: the judges of its exercises tell right from wrong."""

from fractions import Fraction

import pytest

from anonnb.attacks import MinimalityAttack
from anonnb.coursework.practice.bank.attacks import nb36

HAS = dict(enumerate(["flu", "cold", "gout", "flu", "cold", "gout"], 1))


def test_groups_that_hide_or_reveal_are_told_apart():
    first, second = nb36.example(HAS)
    assert nb36._not_everybody((first, second), HAS) == ""
    assert "does not follow" in nb36._not_everybody((first, first), HAS)
    assert "one illness only" in nb36._not_everybody(([(1, 4), (2, 3), (5, 6)], second), HAS)
    assert "exactly one group" in nb36._not_everybody(([(1, 2), (3, 4), (5, 5)], second), HAS)
    assert "exactly one group" in nb36._not_everybody(([(1, 2, 3), (4, 5, 6)], second), HAS)


def test_the_share_by_hand():
    assert nb36.share_at_forty(2, 4, 2) == 1
    assert nb36.share_at_forty(3, 5, 2) == Fraction(2, 3)
    assert nb36.share_at_forty(3, 7, 3) == Fraction(15, 22)


@pytest.mark.parametrize("place", range(4))
def test_exact_beliefs_are_those_that_the_attack_samples(place):
    _, table, method = list(nb36.small_cases())[place]
    release = method.anonymize(table)
    exact = nb36.exact_beliefs(table, release, nb36.publisher(table, method))
    found = MinimalityAttack(worlds=200).run(release, table)
    margin = 5 * 0.5 / found.info["worlds kept"] ** 0.5
    same_age = table.frame.groupby("age")["illness"].groups
    for person, line in found.targets.iterrows():
        alike = same_age[table["age"].iloc[person]]
        truth = sum(exact[other].get(line["illness"], 0) for other in alike) / len(alike)
        assert abs(truth - line["after"]) < margin


def test_reasoning_that_forgets_the_method_is_found_out():
    def shares(classes, secrets, publish, published):
        return [{value: secrets.count(value) / len(secrets) for value in set(secrets)} for _ in range(len(classes))]

    assert "by yours" in nb36._differs(shares)
