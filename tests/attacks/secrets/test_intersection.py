"""Intersection: two releases of the same people, by hand and against a plain comparison."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release
from anonnb.attacks import HomogeneityAttack, IntersectionAttack
from anonnb.tables.value_sets import Column
from tests.attacks.plain import Attacker, check_guesses, releases, strangers


def second_release(table, kind, rng):
    """Another release of the same people, or of some of them."""
    rows = len(table)
    if kind == "some rows":
        return Release(table, {}, np.flatnonzero(rng.random(rows) < 0.7))
    groups = rng.permutation(np.arange(rows) // 3)
    columns = {n: Column.of_groups(table.attributes[n], table.codes(n), groups, groups.max() + 1) for n in "abc"}
    return Release(table, columns, np.arange(rows))


@given(releases(), st.integers(0, 999), st.lists(st.sampled_from(["some rows", "boxes"]), min_size=1, max_size=3))
@settings(max_examples=100)
def test_everybody_is_guessed_as_by_a_plain_comparison(case, seed, kinds):
    table, release = case
    rng = np.random.default_rng(seed)
    others = [second_release(table, kind, rng) for kind in kinds]
    known = ["a", "b", "c"]
    for people in (table, strangers(seed)):
        further = {
            weights: [Attacker(other, people, known, "d", weights) for other in others]
            for weights in ("equal", "likely")
        }

        def guessed(attacker, person, further=further):
            beliefs = attacker.beliefs(person)
            for second in further[attacker.kind]:
                both = {value: beliefs[value] * second.beliefs(person)[value] for value in beliefs}
                beliefs = both if second.fitting(person) and any(both.values()) else beliefs
            guess = attacker.ranked(beliefs)[0]
            return guess, beliefs[guess] / sum(beliefs.values()), guess == attacker.truth(person)

        def sure(attacker, person, further=further):
            fitting = [second for second in further[attacker.kind] if second.fitting(person)]
            return len(attacker.left(person).intersection(*(second.left(person) for second in fitting))) == 1

        attack = IntersectionAttack(other=others[0] if len(others) == 1 else others)
        result = check_guesses(attack, release, people, known, "d", guessed, sure)
        alone = HomogeneityAttack().run(release, people)
        assert (result.info["alone"], result.info["sure alone"]) == (alone.success, alone.sure)


@given(releases(changed=False), st.integers(0, 999))
@settings(max_examples=60)
def test_two_true_releases_make_nobody_less_sure_and_are_right(case, seed):
    table, release = case
    other = second_release(table, "boxes", np.random.default_rng(seed))
    result = IntersectionAttack(other=other).run(release, table.take(release.rows))
    assert result.sure_right == result.sure >= result.info["sure alone"]
