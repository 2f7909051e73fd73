"""Skewness and similarity: strong beliefs about a class, by hand and against a plain comparison."""

import pickle
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.attacks import SkewnessAttack
from tests.attacks.plain import check_guesses, releases, strangers


def test_a_value_that_is_no_more_common_than_in_the_release_makes_nobody_sure(clinic):
    table, release = clinic
    one_class = Release(table, {"age": release.columns["age"].with_suppressed(range(6))}, range(6))
    assert SkewnessAttack(column="ill", belief=0.1).run(one_class, table).sure == 0


@pytest.mark.parametrize("least", [Fraction("0.4"), Fraction("0.8")], ids=str)
@given(case=releases(), seed=st.integers(0, 999))
@settings(max_examples=100)
def test_everybody_is_guessed_as_by_a_plain_comparison(least, case, seed):
    table, release = case

    def likeliest(attacker, person):
        beliefs = attacker.beliefs(person)
        guess = attacker.ranked(beliefs)[0]
        return guess, beliefs[guess], guess == attacker.truth(person)

    def sure(attacker, person):
        guess, belief, _ = likeliest(attacker, person)
        return belief >= least and belief > attacker.shares[guess]

    for people in (table, strangers(seed)):
        check_guesses(SkewnessAttack(belief=float(least)), release, people, ["a", "b", "c"], "d", likeliest, sure)


@given(releases(), st.integers(0, 999), st.sampled_from([0.3, 0.4, 0.7]))
@settings(max_examples=100)
def test_bands_are_guessed_as_by_a_plain_comparison(case, seed, similar):
    table, release = case

    def band(attacker, person):
        """The band that holds most; of equal ones that which holds more of the release, then the lowest."""
        numbers = sorted(map(int, attacker.values))
        width, beliefs = similar * (numbers[-1] - numbers[0]), attacker.beliefs(person)
        inside = {low: [value for value in attacker.values if low <= int(value) <= low + width] for low in numbers}
        held = {
            low: tuple(sum(part[value] for value in values) for part in (beliefs, attacker.shares))
            for low, values in inside.items()
        }
        best = max(numbers, key=lambda low: (held[low], -low))
        return attacker.ranked(beliefs)[0], held[best], best <= int(attacker.truth(person)) <= best + width

    def guessed(attacker, person):
        value, (belief, _), right = band(attacker, person)
        return value, belief, right

    def sure(attacker, person):
        _, (belief, before), _ = band(attacker, person)
        return belief >= Fraction("0.6") and belief > before

    attack = SkewnessAttack(known=["a", "c"], column="b", belief=0.6, similar=similar)
    for people in (table, strangers(seed)):
        check_guesses(attack, release, people, ["a", "c"], "b", guessed, sure)


def salaries(values, first="p"):
    frame = pd.DataFrame({"age": [29, 22, 27, 43, 52, 47, 30, 36, 32], "salary": values})
    return Table(frame.set_axis([f"{first}{row}" for row in range(9)]), quasi=["age"], sensitive="salary")


def test_a_guess_without_the_release_may_name_a_band_too():
    """Of the salaries 3 to 11 any band of 30 % of the range, 2.4, holds three of nine; a single value is one."""
    table = salaries([3, 4, 5, 6, 11, 8, 7, 9, 10])
    boxes = table.frame.assign(age=["[22-29]"] * 3 + ["[43-52]"] * 3 + ["[30-36]"] * 3)
    release = Release.from_frame(boxes, like=table, rows=range(9))
    near = SkewnessAttack(similar=0.3).run(release, table)
    assert near.baseline == pytest.approx(3 / 9)
    assert (near.success, near.sure) == (pytest.approx(7 / 9), 3)
    assert SkewnessAttack().run(release, table).baseline == pytest.approx(1 / 9)
    # outsiders between 8.1 and 8.9: their best band holds 9 and 10 of the targets, and it is none of their own values
    others = salaries([8.1, 8.2, 8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 8.9], "q")
    against = SkewnessAttack(similar=0.3).run(release, table, control=others)
    assert against.baseline == pytest.approx(2 / 9)
    assert pickle.loads(pickle.dumps(against)).baseline == against.baseline


def test_bad_parameters_are_explained():
    with pytest.raises(ValueError, match="belief"):
        SkewnessAttack(belief=2)
