"""The shallow attack equals an attacker written plainly, on releases of every kind."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.attacks import DeepAttack, ShallowAttack
from tests.attacks.plain import inferences, people_guessed, releases, scores


@pytest.mark.slow
@given(releases(), st.integers(1, 2), st.sampled_from(["conditions", "decision", "all"]))
@settings(max_examples=60, deadline=None)
def test_shallow_equals_a_plain_attacker(case, known, targets):
    table, release = case
    result = ShallowAttack(known=known, targets=targets).run(release, table)
    check_against(list(inferences("shallow", release, table, known, targets)), result, release)


def check_against(lines, result, release):
    """Compare a result with what a plain attacker infers: the scores, the ratio, and the guesses about everybody."""
    assert result.targets["score"].tolist() == pytest.approx(scores(lines))
    assert result.ratio == pytest.approx(np.mean(scores(lines)))
    plain = people_guessed(lines, release)
    for target, counts in plain.items():
        found = result.for_secret(target)
        assert (found.right, found.sure, found.sure_right) == pytest.approx(tuple(counts), abs=1e-9)
        assert found.targets["score"].tolist() == pytest.approx(scores([line for line in lines if line[1] == target]))
    assert result.sure == pytest.approx(max(counts[1] for counts in plain.values()))


@pytest.mark.slow
@given(releases(), st.sampled_from(["conditions", "decision"]))
@settings(max_examples=40, deadline=None)
def test_a_case_does_not_depend_on_the_other_targets(case, targets):
    table, release = case
    alone = DeepAttack(known=1, targets=targets).run(release, table).targets
    together = DeepAttack(known=1).run(release, table).targets
    keys = ["known", "target"]
    both = alone.merge(together, on=keys, suffixes=("", "_together"))
    assert len(both) == len(alone)
    assert both["score"].tolist() == both["score_together"].tolist()


def test_bad_parameters_are_explained():
    release = Release.of(anonnb.load("decision6"))
    with pytest.raises(ValueError, match="at least 1"):
        ShallowAttack(known=0)
    with pytest.raises(ValueError, match="known=4 is more than the 3 attributes to know"):
        ShallowAttack(known=4).run(release)
    with pytest.raises(KeyError, match="no column 'zip'"):
        ShallowAttack(known=["zip"]).run(release)
    with pytest.raises(ValueError, match="nothing is left to infer"):
        ShallowAttack(known=["sex"], targets=["sex"]).run(release)
    with pytest.raises(ValueError, match="no decision"):
        ShallowAttack(targets="decision").run(Release.of(anonnb.load("salary5")))


def test_foreign_releases_and_means_can_be_attacked():
    table = anonnb.load("salary5")
    theirs = pd.DataFrame(
        {"AGE": ["20-30", "23.5", "31-50"], "SEX": ["ANY", "M", "*"], "ZIP": ["641***", "641015", "610***"]}
    )
    release = Release.from_frame(theirs, like=table)
    result = ShallowAttack(known=["AGE"], targets=["ZIP"]).run(release, table)
    assert result.attempts == 5
    assert 0 <= result.success <= 1


PEOPLE = pd.DataFrame(
    {"town": ["A", "A", "B", "B", "C"], "job": ["x", "y", "x", "x", "y"], "ill": ["flu", "flu", "flu", "cold", "cold"]}
)


def test_who_is_not_sure_guesses_the_most_common_value():
    """Town A gives the flu away; whoever is in B or C is guessed to have it, and one of these three has."""
    release = Release.of(Table(PEOPLE, quasi=["town", "job"], sensitive=["ill"])).take(np.arange(4))
    result = ShallowAttack(known=["town"], targets=["ill"]).run(release)
    assert (result.kind, result.attempts, result.sure, result.sure_right, result.right) == ("secret", 5, 2, 2, 3)
    assert result.ratio == pytest.approx(1 / 3), "of three towns one gives its people away"
    assert result.beliefs.to_numpy().tolist() == [[2, 1, True], [0, 1, False], [1, 0.75, True], [2, 0.75, False]]


def test_two_questions_about_a_person_are_half_a_person_each():
    release = Release.of(Table(PEOPLE, quasi=["town", "job"], sensitive=["ill"]))
    result = ShallowAttack(known=1, targets=["ill"]).run(release)
    assert (result.attempts, result.sure, result.sure_right) == (5, 1.5, 1.5), "A and C by town, nobody by job"
    assert result.right == 1.5 + (1 + 3) / 2, "the flu for everybody else: one of B, and the three by job"


def test_nobody_is_asked_for_a_missing_value_and_a_person_with_two_rows_counts_once():
    frame = PEOPLE.assign(who=[1, 1, 2, 3, 4]).replace({"ill": {"cold": None}})
    table = Table(frame, quasi=["town"], sensitive=["ill"], person="who")
    result = ShallowAttack(known=["town"], targets=["ill"]).run(Release.of(table))
    assert (result.attempts, result.right, result.values.to_dict()["flu"]) == (2, 2, 2)


def test_a_control_is_compared_for_every_target_and_the_ratio_stays():
    table = anonnb.load("zoo")
    inside, outside = table.take(np.arange(0, 101, 2)), table.take(np.arange(1, 101, 2))
    release, attack = Release.of(inside), ShallowAttack(known=2)
    alone, result = attack.run(release), attack.run(release, control=outside)
    assert result.ratio == alone.ratio
    assert result.targets.equals(alone.targets)
    for name in result.each:
        assert result.for_secret(name).control == attack.run(release, outside).for_secret(name).success
