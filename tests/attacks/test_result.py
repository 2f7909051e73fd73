"""The yardstick: claims, baseline, control and excess, and the sentences where one of them cannot be had."""

import pickle
from math import isnan, nan

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.attacks import HomogeneityAttack, InferenceAttack, IntersectionAttack, LinkageAttack, ShallowAttack
from anonnb.attacks.base import AttackResult
from anonnb.attacks.intervals import newcombe
from anonnb.methods import Mondrian
from anonnb.rules import frequent_itemsets
from anonnb.tables.value_sets import Column


def made(attempts, claims, right, baseline=0.2, **more):
    return AttackResult("a guess", attempts, claims, right, pd.DataFrame(), baseline=baseline, **more)


def test_shares_and_excess_by_hand():
    found = made(100, 60, 30).against(made(100, 100, 20))
    assert (found.coverage, found.precision, found.success) == (0.6, 0.5, 0.3)
    assert found.excess == pytest.approx(0.125)
    assert found.excess_interval == pytest.approx((-0.0253, 0.2709), abs=5e-5)
    assert found.advantage == pytest.approx(0.125)
    assert found.advantage_interval[0] < found.advantage < found.advantage_interval[1]


def test_one_attempt_reads_as_one():
    assert repr(made(1, 1, 0.5)).startswith("a guess: one attempt, 50.0% successful, baseline 20.0%")
    assert repr(made(1, 1, nan)).startswith("a guess: claims for 100.0% of 1 attempt,")
    assert repr(made(2, 2, 1)).startswith("a guess: 50.0% of 2 attempts succeed,")


def test_small_numbers_give_wide_intervals():
    few, many = (made(n, n, 0.3 * n).against(made(n, n, 0.2 * n)) for n in (10, 1000))
    assert np.ptp(few.excess_interval) > 5 * np.ptp(many.excess_interval)


def test_no_interval_of_the_excess_passes_what_was_left_to_gain():
    """9 of 10 right against 8 of 10: the difference may be as large as 0.42, and only 0.2 was left."""
    found = made(10, 10, 9).against(made(10, 10, 8))
    assert found.excess == pytest.approx(0.5)
    assert newcombe(9, 10, 8, 10)[1] / 0.2 > 1
    assert found.excess_interval[1] == 1.0
    assert found.figures["excess high"] == 1.0
    assert "to 100.0%)" in repr(found)


@given(st.integers(1, 40), st.integers(1, 40), st.data())
def test_the_interval_holds_the_excess_and_ends_at_one(ours, theirs, data):
    right, other = data.draw(st.integers(0, ours)), data.draw(st.integers(0, theirs - 1))
    found = made(ours, ours, right).against(made(theirs, theirs, other))
    low, high = found.excess_interval
    assert low <= found.excess + 1e-12
    assert found.excess - 1e-12 <= high <= 1


def test_a_control_of_one_gives_a_sentence():
    found = made(10, 10, 10).against(made(5, 5, 5))
    assert found.control == 1
    assert isnan(found.excess)
    assert all(map(isnan, found.excess_interval))
    assert "right about everybody in the control" in repr(found)
    assert "always right" in repr(made(10, 10, 10, baseline=1.0))


def test_nothing_to_attack_and_nobody_in_the_control():
    assert (made(0, 0, 0).success, made(0, 0, 0).coverage) == (0.0, 0.0)
    assert isnan(made(3, 0, 0).precision)
    assert "nobody in the control" in made(3, 3, 1).against(made(0, 0, 0)).reason


def test_no_success_is_shown_alone():
    assert repr(made(4, 4, 1)).startswith("a guess: 25.0% of 4 attempts succeed, baseline 20.0%, advantage 6.2% (")
    with_control = repr(made(4, 4, 1).against(made(4, 4, 0)))
    assert "baseline 20.0%, control 0.0%, excess 25.0% (" in with_control
    assert "succeed" not in repr(made(4, 4, nan, note="nobody can say"))


def test_an_attack_that_is_silent_says_how_often_it_speaks():
    """2 right claims of 2 about 20 people: far below a guess for everybody, and never wrong."""
    sure = made(20, 2, 2, baseline=0.75)
    assert sure.advantage < -2
    assert repr(sure).endswith("); a claim is made in 10.0% of the attempts, right each time")
    assert made(20, 4, 3).claimed == "a claim is made in 20.0% of the attempts, right in 75.0% of them"
    assert made(20, 0, 0).claimed == "no claim is made"
    assert [made(20, 20, 5).claimed, made(0, 0, 0).claimed, made(20, 2, nan).claimed] == ["", "", ""]


def test_people_who_are_attacked_often_count_once():
    often, once = made(100, 100, 50, sample=10.0), made(10, 10, 5)
    assert often.success_interval == once.success_interval


# ---- several secrets ----------------------------------------------------------------------------------------------


def two_secrets():
    frame = pd.DataFrame(
        {"zip": [1, 1, 2, 2], "ill": ["flu", "cold", "flu", "cold"], "pay": ["low", "low", "high", "high"]}
    )
    return Table(frame, quasi=["zip"], sensitive=["ill", "pay"])


def test_every_secret_has_its_result_and_the_worst_is_named():
    table = two_secrets()
    found = HomogeneityAttack().run(Release.of(table))
    assert (found.secret, found.success) == ("pay", 1.0)
    assert found.by_secret["success"].to_dict() == {"ill": 0.0, "pay": 1.0}
    assert found.of("ill").success == 0.0
    assert "on pay, the worst of 2 secrets" in repr(found)
    assert HomogeneityAttack(column="ill").run(Release.of(table)).secret == "ill"
    with pytest.raises(KeyError, match="not after 'zip'"):
        found.of("zip")


def test_every_secret_has_its_control():
    table = two_secrets()
    others = Table(table.frame.set_axis(list("wxyz"), axis=0), quasi=["zip"], sensitive=["ill", "pay"])
    found = HomogeneityAttack().run(Release.of(table), control=others)
    assert found.by_secret["control"].to_dict() == {"ill": 0.0, "pay": 1.0}
    assert isnan(found.of("pay").excess), "the control knows as much"
    assert found.of("ill").excess == 0.0


# ---- missing secrets ----------------------------------------------------------------------------------------------


def test_a_missing_secret_is_no_attempt_and_protects_nobody():
    frame = pd.DataFrame({"zip": [1, 1, 1, 2, 2], "ill": ["flu", "flu", None, None, None]})
    release = Release.of(Table(frame, quasi=["zip"], sensitive=["ill"]))
    found = HomogeneityAttack().run(release)
    assert (found.attempts, found.claims, found.right) == (2, 2, 2)
    assert found.baseline == 1.0
    counted = HomogeneityAttack(missing="value").run(release)
    assert (counted.attempts, counted.claims, counted.right) == (5, 2, 2)
    assert counted.baseline == pytest.approx(3 / 5)


def test_suppressed_people_are_attempts_without_a_claim():
    table = Table(pd.DataFrame({"zip": [1, 2, 3], "ill": ["flu", "cold", "flu"]}), quasi=["zip"], sensitive=["ill"])
    found = HomogeneityAttack().run(Release(table, {}, np.array([0, 1])), table)
    assert (found.attempts, found.claims, found.right) == (3, 2, 2)


# ---- the control --------------------------------------------------------------------------------------------------


def halves(name="adult", rows=400):
    table = anonnb.load(name)
    drawn = np.random.default_rng(0).permutation(len(table))
    return table.take(drawn[:rows]), table.take(drawn[rows : 2 * rows])


def test_members_are_no_control_whatever_their_order():
    inside, outside = halves()
    release = Mondrian(k=5).anonymize(inside)
    mixed = outside.take(np.arange(10))
    assert HomogeneityAttack().run(release, inside, control=mixed).outside.attempts == 10
    with pytest.raises(ValueError, match=r"of the control is in the release, and 399 others are"):
        HomogeneityAttack().run(release, inside, control=inside.take(np.arange(400)[::-1]))
    with pytest.raises(TypeError, match="control must be a Table"):
        HomogeneityAttack().run(release, inside, control=outside.frame)
    both = IntersectionAttack(other=Mondrian(k=5).anonymize(outside))
    with pytest.raises(ValueError, match="is in the release"):
        both.run(release, inside, control=outside)


def test_a_table_published_unchanged_is_linked_and_nobody_else_is():
    table = Table(pd.DataFrame({"a": range(300)}), quasi=["a"])
    release = Release.of(table.take(np.arange(150)))
    found = LinkageAttack().run(release, control=table.take(np.arange(150, 300)))
    assert (found.success, found.control, found.excess) == (1.0, 0.0, 1.0)
    assert found.excess_interval[0] > 0.96
    assert found.baseline == pytest.approx(1 / 150)


def test_a_homogeneous_class_exposes_members_and_tells_little_of_others():
    """Secrets are dealt at random: what holds for the members of a class is chance, and says nothing of outsiders."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"zip": np.repeat(np.arange(400), 3), "ill": rng.choice(list("aab"), 1200)})
    inside = frame.iloc[np.flatnonzero(np.arange(1200) % 3 < 2)]
    outside = frame.drop(inside.index)
    roles = {"quasi": ["zip"], "sensitive": ["ill"]}
    found = HomogeneityAttack().run(Release.of(Table(inside, **roles)), control=Table(outside, **roles))
    assert found.precision == 1.0
    claimed = found.outside.precision
    share = (frame["ill"] == "a").mean()
    in_claims = share**3 / (share**2 + (1 - share) ** 2) + (1 - share) ** 3 / (share**2 + (1 - share) ** 2)
    assert claimed == pytest.approx(in_claims, abs=0.07), "an outsider is right as often as the value is common"
    assert found.excess_interval[0] > 0


def test_where_a_control_makes_no_sense_the_result_says_so():
    survey = anonnb.load("survey")
    itemsets = frequent_itemsets(survey.select(survey.quasi), min_count=19)
    found = InferenceAttack(k=3).run(itemsets, survey, control=survey)
    assert isnan(found.control)
    assert "no control" in found.reason


def test_a_control_with_domains_of_its_own_is_the_same_control():
    inside, outside = halves(rows=200)
    release = Mondrian(k=5).anonymize(inside)
    foreign = Table(outside.frame, quasi=outside.quasi, sensitive=outside.sensitive, decision=outside.decision)
    for attack in (HomogeneityAttack(), LinkageAttack(), ShallowAttack(known=2, targets="decision")):
        one, two = (attack.run(release, inside, control=people) for people in (outside, foreign))
        assert one.control == pytest.approx(two.control)


def test_a_value_that_the_release_never_saw_fits_no_row():
    table = Table(pd.DataFrame({"job": ["cook", "judge"], "pay": ["low", "high"]}), quasi=["job"], decision="pay")
    others = pd.DataFrame({"job": ["baker", "clerk"], "pay": ["low", "high"]}, index=[7, 8])
    control = Table(others, quasi=["job"], decision="pay")
    found = ShallowAttack(known=1, targets="decision").run(Release.of(table), control=control)
    assert (found.success, found.control) == (1.0, 0.0)


def test_overlapping_boxes_leave_more_candidates_than_the_own_class():
    table = Table(pd.DataFrame({"age": [1, 2, 2, 3], "ill": list("aabb")}), quasi=["age"], sensitive=["ill"])
    groups = np.array([0, 0, 1, 1])
    boxes = Column.of_groups(table.attributes["age"], table.codes("age"), groups, 2)
    found = HomogeneityAttack().run(Release(table, {"age": boxes}, np.arange(4)))
    assert (found.claims, found.right) == (2, 2), "those of age 2 fit both boxes"


# ---- people with several rows -------------------------------------------------------------------------------------


def test_an_attempt_is_a_person_whatever_their_rows():
    frame = pd.DataFrame({"who": list("aaab"), "zip": [1, 1, 1, 2], "ill": ["flu", "flu", "cold", "flu"]})
    table = Table(frame, quasi=["zip"], sensitive=["ill"], person="who")
    found = HomogeneityAttack().run(Release.of(table))
    assert (found.attempts, found.claims, found.right) == (2, 1, 1)
    linked = LinkageAttack().run(Release.of(table))
    assert (linked.attempts, linked.success) == (2, 1.0), "every row that could be a's is a's"
    again = Table(frame.set_axis(list("wxyz"), axis=0), quasi=["zip"], sensitive=["ill"], person="who")
    with pytest.raises(ValueError, match="of the control is in the release"):
        HomogeneityAttack().run(Release.of(table), control=again)


def test_lines_are_made_when_somebody_looks():
    made_for = []

    def lines():
        made_for.append("somebody")
        return pd.DataFrame({"score": [1.0]})

    found = AttackResult("a guess", 1, 1, 1, lines, baseline=0.2)
    with_control = found.against(made(1, 1, 0))
    assert (found.success, with_control.excess, made_for) == (1, 1, [])
    assert found.targets["score"].tolist() == [1.0]
    assert found.targets.equals(found.targets)
    assert len(made_for) == 1
    assert pickle.loads(pickle.dumps(with_control)).targets.equals(found.targets)
