"""Intersection: two releases of the same people, by hand and against a plain comparison."""

import numpy as np
import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table
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


@given(releases(), st.integers(0, 999), st.sampled_from(["some rows", "boxes"]))
@settings(max_examples=100)
def test_everybody_is_guessed_as_by_a_plain_comparison(case, seed, kind):
    table, release = case
    other = second_release(table, kind, np.random.default_rng(seed))
    known = ["a", "b", "c"]
    for people in (table, strangers(seed)):
        seconds = {weights: Attacker(other, people, known, "d", weights) for weights in ("equal", "likely")}

        def guessed(attacker, person, seconds=seconds):
            second = seconds[attacker.kind]
            beliefs, weights = attacker.beliefs(person), second.beliefs(person)
            one, other = (max(len(each.fitting(person)), 1) for each in (attacker, second))
            chance = {value: 1 - (1 - share) ** other for value, share in second.shares.items()}
            both = {value: min(beliefs[value] * one, weights[value] * other) / (1 + chance[value]) for value in beliefs}
            if not second.fitting(person) or not any(both.values()):
                both = beliefs
            guess = attacker.ranked(both)[0]
            return guess, both[guess] / sum(both.values()), guess == attacker.truth(person)

        def sure(attacker, person, seconds=seconds):
            left, second = attacker.left(person), seconds[attacker.kind]
            return len(left & second.left(person) if second.fitting(person) else left) == 1

        result = check_guesses(IntersectionAttack(other=other), release, people, known, "d", guessed, sure)
        alone = HomogeneityAttack().run(release, people)
        assert (result.info["alone"], result.info["sure alone"]) == (alone.success, alone.sure)


def test_rows_are_told_apart_by_what_nobody_knows_of_them():
    """Both classes of the person of 25 hold flu and cold; but only the row with a fever of 38 is in both."""
    frame = pd.DataFrame({"age": [21, 25, 29, 41], "fever": [37, 38, 39, 36], "ill": ["cold", "flu", "flu", "cold"]})
    table = Table(frame, quasi=["age"], sensitive="ill")
    cuts = ["[21-25]"] * 2 + ["[29-41]"] * 2, ["21", *["[25-41]"] * 3]
    one, two = (Release.from_frame(frame.assign(age=cut), like=table, rows=range(4)) for cut in cuts)
    rest = table.select(["age", "ill"])
    less = Release.from_frame(rest.frame.assign(age=cuts[1]), like=rest, rows=range(4))
    found = [IntersectionAttack(other=each).run(one, table).targets["sure"].tolist() for each in (two, less)]
    assert found == [[True, True, False, False], [True, False, False, False]]


@given(releases(changed=False), st.integers(0, 999))
@settings(max_examples=60)
def test_two_true_releases_make_nobody_less_sure_and_are_right(case, seed):
    table, release = case
    other = second_release(table, "boxes", np.random.default_rng(seed))
    result = IntersectionAttack(other=other).run(release, table.take(release.rows))
    assert result.sure_right == result.sure >= result.info["sure alone"]


@given(releases(changed=False), st.integers(0, 999))
@settings(max_examples=60)
def test_several_releases_leave_what_each_of_them_leaves(case, seed):
    """The attacker with all of them is sure wherever a plain intersection leaves one value, and right."""
    table, release = case
    rng, people = np.random.default_rng(seed), table.take(release.rows)
    others = [second_release(table, "boxes", rng) for _ in range(3)]
    known = ["a", "b", "c"]
    plain = [Attacker(each, people, known, "d", "equal") for each in (release, *others)]
    left = [set.intersection(*(set(each.left(person)) for each in plain)) for person in plain[0].people]
    result = IntersectionAttack(other=others).run(release, people)
    assert result.sure == result.sure_right == sum(len(each) == 1 for each in left)
    one, same = (IntersectionAttack(other=each).run(release, people) for each in (others[0], others[:1]))
    assert np.allclose([*one.figures.values()], [*same.figures.values()], equal_nan=True)
