"""Homogeneity: classes whose members share one secret, by hand and against a plain comparison."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.attacks import HomogeneityAttack, SkewnessAttack
from tests.attacks.plain import check_guesses, releases, strangers


def likeliest(attacker, person):
    beliefs = attacker.beliefs(person)
    guess = attacker.ranked(beliefs)[0]
    return guess, beliefs[guess], guess == attacker.truth(person)


@given(releases(), st.integers(0, 999))
@settings(max_examples=200)
def test_everybody_is_guessed_as_by_a_plain_comparison(case, seed):
    table, release = case
    for people in (table, strangers(seed)):
        check_guesses(
            HomogeneityAttack(),
            release,
            people,
            ["a", "b", "c"],
            "d",
            likeliest,
            lambda attacker, person: len(attacker.left(person)) == 1,
        )


@given(releases(changed=False))
@settings(max_examples=60)
def test_who_is_in_the_release_is_found_out_whenever_the_attacker_is_sure(case):
    table, release = case
    result = HomogeneityAttack().run(release, table.take(release.rows))
    assert result.sure_right == result.sure


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="no sensitive column"):
        HomogeneityAttack().run(Release.of(Table(pd.DataFrame({"a": [1]}), quasi=["a"])))


@pytest.mark.parametrize("attack", [HomogeneityAttack(), SkewnessAttack()])
def test_a_release_without_rows_says_nothing_about_a_control(attack):
    nobody, somebody = (
        Table(
            pd.DataFrame({"age": ages, "ill": ills}).astype({"age": "int64", "ill": "str"}),
            quasi=["age"],
            sensitive="ill",
        )
        for ages, ills in (([], []), ([1], ["flu"]))
    )
    outside = attack.run(Release.of(nobody), control=somebody).outside
    assert (outside.attempts, outside.right, outside.sure, outside.targets["candidates"].tolist()) == (1, 0, 0, [0])
