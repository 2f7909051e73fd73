"""Background knowledge: values that an attacker can rule out, by hand and against a plain comparison."""

import pickle

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anonnb.attacks import BackgroundAttack
from tests.attacks.plain import check_guesses, releases, strangers


@given(releases(), st.integers(0, 999), st.integers(0, 3))
@settings(max_examples=300)
def test_any_values_are_ruled_out_as_by_a_plain_comparison(case, seed, number):
    table, release = case

    def guessed(attacker, person):
        """The attacker is left with the true value if it is one of the likeliest."""
        beliefs = attacker.beliefs(person)
        ranked = [value for value in attacker.ranked(beliefs) if beliefs[value]]
        among = ranked[: number + 1]
        return attacker.ranked(beliefs)[0], sum(beliefs[value] for value in among), attacker.truth(person) in among

    def sure(attacker, person):
        return 1 <= len(attacker.left(person)) <= number + 1

    for people in (table, strangers(seed)):
        attack = BackgroundAttack(ruled_out=number)
        check_guesses(attack, release, people, ["a", "b", "c"], "d", guessed, sure)


@given(releases(), st.integers(0, 999), st.sampled_from([["no"], ["no", "yes"]]))
@settings(max_examples=300)
def test_named_values_are_ruled_out_as_by_a_plain_comparison(case, seed, named):
    table, release = case
    assume(set(named) <= set(table.attributes["d"].labels))

    def best(attacker, person, values):
        beliefs, shares = attacker.beliefs(person), attacker.shares
        if not any(beliefs[value] for value in values):
            beliefs = shares
        total = sum(beliefs[value] for value in values)
        if not total:
            return "", 0
        guess = max(values, key=lambda value: (beliefs[value], shares[value], -attacker.values.index(value)))
        return guess, beliefs[guess] / total

    def guessed(attacker, person):
        others = [value for value in attacker.values if value not in named]
        guess, belief = best(attacker, person, others)
        if attacker.truth(person) not in named:
            return guess, belief, guess == attacker.truth(person)
        return guess, belief, best(attacker, person, named)[0] == attacker.truth(person)

    def sure(attacker, person):
        return len(attacker.left(person) - {*named}) == 1 and attacker.truth(person) not in named

    for people in (table, strangers(seed)):
        attack = BackgroundAttack(ruled_out=named)
        check_guesses(attack, release, people, ["a", "b", "c"], "d", guessed, sure)


@given(releases(changed=False), st.sampled_from([0, 1, 2, ["no"]]))
@settings(max_examples=60)
def test_who_is_in_the_release_is_found_out_whenever_the_attacker_is_sure(case, ruled_out):
    table, release = case
    assume(ruled_out != ["no"] or "no" in table.attributes["d"].labels)
    result = BackgroundAttack(ruled_out=ruled_out).run(release, table.take(release.rows))
    assert result.sure_right == result.sure


def test_somebody_without_the_release_knows_as_much_before(clinic):
    """Four targets of six have the flu; in the control cold is most common, and asthma, which no target has."""
    table, release = clinic
    frame = table.frame.assign(ill=["cold", "cold", "cold", "asthma", "asthma", "flu"]).set_axis(list("uvwxyz"))
    others = type(table)(frame, quasi=["age"], sensitive=["ill", "cost"])
    one, two = (
        BackgroundAttack(ruled_out=ruled_out, column="ill").run(release, table, control=others)
        for ruled_out in (1, ["flu"])
    )
    assert one.baseline == pytest.approx(2 / 6)
    assert two.baseline == 1  # flu for those who have it, cold for the others
    assert [pickle.loads(pickle.dumps(each)).baseline for each in (one, two)] == [one.baseline, two.baseline]


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="ruled_out"):
        BackgroundAttack(ruled_out=-1)
