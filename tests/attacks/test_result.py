"""The yardstick: the figures of each kind of result by hand, and the sentences where one of them cannot be had."""

import pickle
from math import isnan, nan

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table, arena
from anonnb.attacks import (
    HomogeneityAttack,
    InferenceAttack,
    IntersectionAttack,
    LinkageAttack,
    MembershipAttack,
    ShallowAttack,
)
from anonnb.attacks.result import SecretResult
from anonnb.attacks.result_kinds import CellsResult, IsolationResult, MembershipResult
from anonnb.methods import Mondrian
from anonnb.rules import frequent_itemsets
from anonnb.tables.value_sets import Column


def guesses(attempts, right, *, sure=0, sure_right=0, values=None, belief=0.5, **more):
    """Return the result of guesses about people, the first of which are right."""
    beliefs = pd.DataFrame({"weight": 1.0, "belief": belief, "right": np.arange(attempts) < right})
    values = pd.Series({"flu": 0.8 * attempts, "cold": 0.2 * attempts} if values is None else values)
    given = {"sure": sure, "sure_right": sure_right, "values": values, "beliefs": beliefs, "secret": "ill", **more}
    return SecretResult("a guess", attempts, right, pd.DataFrame(), **given)


# ---- secrets ------------------------------------------------------------------------------------------------------


def test_success_control_baseline_and_excess_by_hand():
    result = guesses(100, 30).against(guesses(100, 20, values={"flu": 10, "cold": 90}))
    assert (result.kind, result.success, result.control) == ("secret", 0.3, 0.2)
    assert result.baseline == 0.2, "cold is most common among the outsiders, and 20 of 100 targets have it"
    assert guesses(100, 30).baseline == 0.8
    assert result.excess == result.headline == pytest.approx(0.125)
    assert result.excess_interval == pytest.approx((0.0157, 0.1923), abs=5e-5), "all members are attacked"
    sample = guesses(100, 30).against(guesses(100, 20), sampled=True)
    assert sample.excess_interval == pytest.approx((-0.0280, 0.2620), abs=5e-5)


def test_sure_people_are_counted_and_compared_at_equal_coverage():
    """Sure about 2 of 8; of 4 outsiders the one with the strongest belief counts, whose guess is right."""
    outside = guesses(4, 1, belief=[0.9, 0.5, 0.5, 0.5])
    result = guesses(8, 5, sure=2, sure_right=1, belief=[1.0, 1.0] + [0.5] * 6).against(outside)
    assert (result.sure, result.sure_right, result.control_sure) == (2, 1, 0.0)
    assert result.control_precision == 1.0
    assert "sure about 2 of 8 people (25.0 %), and right about 1 of them" in result.summary
    assert outside.precision_at(0.5) == 0.5, "the right one, and one of the equally strong beliefs"
    assert "sure about none of 4 people" in outside.summary


def test_below_the_baseline_the_summary_says_so_and_shows_no_negative_figure():
    result = guesses(100, 10).against(guesses(100, 50))
    assert result.excess == pytest.approx(-0.8)
    assert not result.better_than_guessing
    assert "this is no better than guessing" in result.summary
    assert "-" not in result.summary.replace("–", "")
    assert guesses(100, 90).better_than_guessing
    assert "no better" not in guesses(100, 90).summary


def test_a_control_of_one_gives_a_sentence():
    result = guesses(10, 10).against(guesses(5, 5))
    assert result.control == 1
    assert isnan(result.excess)
    assert all(map(isnan, result.excess_interval))
    assert "right about everybody in the control" in repr(result)


def test_nothing_to_attack_and_nobody_in_the_control():
    assert guesses(0, 0).success == 0.0
    result = guesses(3, 1).against(guesses(0, 0))
    assert isnan(result.control)
    assert "nobody in the control" in result.reason


# ---- the other kinds ----------------------------------------------------------------------------------------------


def members(scores, threshold=0.5):
    scores = np.array(scores)
    given = {"scores": scores, "claimed": scores > threshold}
    return MembershipResult("a score", len(scores), nan, pd.DataFrame(), **given)


def test_members_against_outsiders_by_hand():
    """3 of 4 members and 1 of 4 outsiders score more than a half."""
    result = members([0.9, 0.8, 0.7, 0.2]).against(members([0.75, 0.3, 0.2, 0.1]))
    assert (result.true_positives, result.false_positives, result.success) == (0.75, 0.25, 0.5)
    assert result.auc == (4 + 4 + 3 + 1.5) / 16
    assert (result.tpr_at(0.01), result.tpr_at(0.25)) == (0.5, 0.75)
    low, high = result.success_interval
    assert low < 0.5 < high
    worse = members([0.1, 0.2]).against(members([0.9, 0.8]))
    assert (worse.success, worse.auc) == (-1.0, 0.0)
    assert "no better than guessing" in worse.summary
    assert "-" not in worse.summary


def test_the_interval_of_two_rates_is_newcombe_s():
    """His example: 56 of 70 against 48 of 80, difference 0.2, from 0.0524 to 0.3339."""
    first, second = (members(np.arange(n) < taken) for n, taken in ((70, 56), (80, 48)))
    assert first.against(second).success_interval == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_predicates_and_cells_beside_luck():
    isolated = IsolationResult("predicates", 10, 4, pd.DataFrame(), baseline=0.4)
    assert isolated.summary == (
        "isolates one person with 4 of 10 predicates (40.0 %; baseline 40.0 %); this is no better than guessing"
    )
    cells = CellsResult("claims", 10, 4, pd.DataFrame(), claims=5, luck=2.5)
    assert (cells.success, cells.precision, cells.baseline) == (0.4, 0.8, 0.25)
    assert cells.summary == "claims 5 of 10 cells, 4 of them right (baseline: 2.5 by luck)"
    unknown = CellsResult("claims", 10, 4, pd.DataFrame(), claims=5, luck=nan, unit="row")
    assert unknown.summary == "claims 5 of 10 rows, 4 of them right (baseline unknown)"
    assert isnan(CellsResult("claims", 10, 0, pd.DataFrame(), claims=0, luck=0).precision)


# ---- results cannot be changed, and lines are made when somebody looks -----------------------------------------------


def test_lines_are_made_when_somebody_looks():
    made_for = []

    def lines():
        made_for.append("somebody")
        return pd.DataFrame({"score": [1.0]})

    result = guesses(1, 1).replace(targets=lines)
    with_control = result.against(guesses(1, 0))
    assert (result.success, with_control.excess, made_for) == (1, 1, [])
    assert result.targets["score"].tolist() == [1.0]
    assert result.targets.equals(result.targets)
    assert len(made_for) == 1
    assert pickle.loads(pickle.dumps(with_control)).targets.equals(result.targets)


# ---- several secrets ----------------------------------------------------------------------------------------------


def two_secrets(labels=range(4)):
    values = {"zip": [1, 1, 2, 2], "ill": ["flu", "cold", "flu", "cold"], "pay": ["low", "low", "high", "high"]}
    return Table(pd.DataFrame(values, index=list(labels)), quasi=["zip"], sensitive=["ill", "pay"])


def test_every_secret_has_its_result_and_the_one_with_most_sure_people_leads():
    result = HomogeneityAttack().run(Release.of(two_secrets()))
    assert (result.secret, result.success, result.sure, result.sure_right) == ("pay", 1.0, 4, 4)
    assert list(result.by_secret.index) == ["pay", "ill"]
    assert result.by_secret["success"].to_dict() == {"pay": 1.0, "ill": 0.5}
    assert (result.for_secret("ill").sure, result.for_secret("ill").success) == (0, 0.5)
    assert "guesses pay, of 2 secrets the one with the most sure people, right for 100.0 %" in repr(result)
    assert HomogeneityAttack(column="ill").run(Release.of(two_secrets())).secret == "ill"
    with pytest.raises(KeyError, match="not after 'zip'"):
        result.for_secret("zip")


def test_a_silent_secret_never_stands_for_one_that_is_read_off():
    """Nobody is sure of the first, which is guessed well; of the second the attacker is sure about one person."""
    each = {"often right": guesses(100, 99), "one sure": guesses(100, 20, sure=1, sure_right=1)}
    assert SecretResult.worst(each) is not each["often right"]
    assert SecretResult.worst(each).sure == 1
    equal = {"first": guesses(100, 20), "second": guesses(100, 85)}
    assert SecretResult.worst(equal).success == 0.85


def test_every_secret_has_its_control():
    result = HomogeneityAttack().run(Release.of(two_secrets()), control=two_secrets("wxyz"))
    assert result.by_secret["control"].to_dict() == {"pay": 1.0, "ill": 0.5}
    assert isnan(result.for_secret("pay").excess), "the control knows as much"
    assert result.for_secret("ill").excess == 0.0


# ---- who is an attempt ----------------------------------------------------------------------------------------------


def test_a_missing_secret_is_a_secret_unless_it_is_ignored():
    frame = pd.DataFrame({"zip": [1, 1, 1, 2, 2], "ill": ["flu", "flu", None, None, None]})
    release = Release.of(Table(frame, quasi=["zip"], sensitive=["ill"]))
    result = HomogeneityAttack(missing="ignore").run(release)
    assert (result.attempts, result.sure, result.right, result.baseline) == (2, 2, 2, 1.0)
    counted = HomogeneityAttack().run(release)
    assert (counted.attempts, counted.sure, counted.right) == (5, 2, 4)
    assert counted.baseline == pytest.approx(3 / 5)


def test_somebody_who_was_withheld_is_guessed_from_the_nearest_row():
    table = Table(pd.DataFrame({"zip": [1, 2, 3], "ill": ["flu", "cold", "flu"]}), quasi=["zip"], sensitive=["ill"])
    result = HomogeneityAttack().run(Release(table, {}, np.array([0, 1])), table)
    assert (result.attempts, result.sure, result.sure_right) == (3, 2, 2)
    assert result.targets["guess"].tolist() == ["flu", "cold", "cold"], "2 is nearest to 3"
    assert result.right == 2


def test_an_attempt_is_a_person_whatever_their_rows():
    frame = pd.DataFrame({"who": list("aaab"), "zip": [1, 1, 1, 2], "ill": ["flu", "flu", "cold", "flu"]})
    roles = {"quasi": ["zip"], "sensitive": ["ill"], "person": "who"}
    release = Release.of(Table(frame, **roles))
    result = HomogeneityAttack().run(release)
    assert (result.attempts, result.sure, result.sure_right) == (2, 1, 1)
    assert (result.right, result.beliefs["weight"].sum(), result.values["flu"]) == (2, 2, 2), "one row of a counts"
    seen = Release.of(Table(frame.assign(zip=[1, 2, 1, 1], ill=["flu", "cold", "gout", "flu"]), **roles))
    both = HomogeneityAttack().run(seen)
    assert (both.attempts, both.sure, both.sure_right) == (2, 1, 1), "one row gives a away, whatever the others do"
    linked = LinkageAttack().run(release)
    assert (linked.attempts, linked.linked, linked.success) == (2, 2, 1.0), "every row that could be a's is a's"
    again = Table(frame.set_axis(list("wxyz"), axis=0), **roles)
    with pytest.raises(ValueError, match="also in the release"):
        HomogeneityAttack().run(release, control=again)


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
    with pytest.raises(ValueError, match=r"and 399 other rows of the control are also in the release"):
        HomogeneityAttack().run(release, inside, control=inside.take(np.arange(400)[::-1]))
    with pytest.raises(ValueError, match=r"^row 25183 of the control is also in the release"):
        HomogeneityAttack().run(release, inside, control=inside.take(np.arange(1)))
    with pytest.raises(TypeError, match="control must be a Table"):
        HomogeneityAttack().run(release, inside, control=outside.frame)
    both = IntersectionAttack(other=Mondrian(k=5).anonymize(outside))
    with pytest.raises(ValueError, match="also in the release"):
        both.run(release, inside, control=outside)


def test_all_members_are_no_sample_and_some_are():
    inside, outside = halves()
    release = Mondrian(k=5).anonymize(inside)
    few, others, control = inside.take(range(9)), outside.take(range(9)), outside.take(range(200, 400))
    for people, sampled in ((inside, False), (None, False), (few, True), (others, True)):
        assert HomogeneityAttack().run(release, people, control=control).sampled is sampled


def test_a_homogeneous_class_exposes_members_and_tells_little_of_others():
    """Secrets are dealt at random: what two members of a class share is chance, and says nothing of the outsider."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"zip": np.repeat(np.arange(4000), 3), "ill": rng.choice(list("aab"), 12_000)})
    inside = frame.iloc[np.flatnonzero(np.arange(len(frame)) % 3 < 2)]
    roles = {"quasi": ["zip"], "sensitive": ["ill"]}
    outside = Table(frame.drop(inside.index), **roles)
    result = HomogeneityAttack().run(Release.of(Table(inside, **roles)), control=outside)
    assert result.sure == result.sure_right > 2000, "members are right every time"
    share = (frame["ill"] == "a").mean()
    same = share**2, (1 - share) ** 2  # both members have a, or b
    as_common = (same[0] * share + same[1] * (1 - share)) / sum(same)
    assert result.control_precision == pytest.approx(as_common, abs=0.02), "outsiders as often as the value is common"
    assert result.control_sure == pytest.approx(result.sure / result.attempts, abs=0.03)
    assert result.excess_interval[0] > 0


def test_where_a_control_makes_no_sense_the_result_says_so():
    survey = anonnb.load("survey")
    itemsets = frequent_itemsets(survey.select(survey.quasi), min_count=19)
    result = InferenceAttack(k=3).run(itemsets, survey, control=survey)
    assert result.outside is None
    assert "no control" in result.reason


def test_a_control_with_domains_of_its_own_is_the_same_control():
    inside, outside = halves(rows=200)
    release = Mondrian(k=5).anonymize(inside)
    foreign = Table(outside.frame, quasi=outside.quasi, sensitive=outside.sensitive, decision=outside.decision)
    for attack in (HomogeneityAttack(), LinkageAttack(), ShallowAttack(known=2, targets="decision")):
        one, two = (attack.run(release, inside, control=people).figures for people in (outside, foreign))
        assert one == pytest.approx(two, nan_ok=True)


def test_overlapping_boxes_leave_more_candidates_than_the_own_class():
    table = Table(pd.DataFrame({"age": [1, 2, 2, 3], "ill": list("aabb")}), quasi=["age"], sensitive=["ill"])
    groups = np.array([0, 0, 1, 1])
    boxes = Column.of_groups(table.attributes["age"], table.codes("age"), groups, 2)
    result = HomogeneityAttack().run(Release(table, {"age": boxes}, np.arange(4)))
    assert (result.sure, result.sure_right) == (2, 2), "those of age 2 fit both boxes"


# ---- Adult in halves ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def adult():
    return arena.halves(anonnb.load("adult"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "success", "control", "excess"),
    [(2, 0.8764, 0.7997, 0.3828), (10, 0.8338, 0.8116, 0.1179), (25, 0.8222, 0.8159, 0.0342)],
)
def test_income_of_adult_in_halves(adult, k, success, control, excess):
    """Guess the most common income of a person's class, or of all nearest classes: figures of a plain recomputation.

    The first of the nearest classes, or years instead of shares of the range, change the control by at most 0.011 at
    k = 2 and 0.0023 at k = 10.
    """
    inside, outside = adult
    result = HomogeneityAttack(column="income").run(Mondrian(k=k).anonymize(inside), inside, control=outside)
    assert result.attempts == 15_081
    assert (result.success, result.control, result.excess) == pytest.approx((success, control, excess), abs=5e-5)
    assert result.baseline == pytest.approx(0.7533, abs=5e-5)
    assert result.sure == result.sure_right
    if k == 10:
        assert result.sure == 5_147
        assert result.control_precision == pytest.approx(0.971, abs=5e-4)
        lines = result.outside.targets
        fit = lines["people"][lines["candidates"] > 0].sum()
        assert fit / 15_081 == pytest.approx(0.826, abs=5e-4), "17.4 % fit no class, and nobody is sure about them"
        assert result.outside.sure / fit == pytest.approx(0.33, abs=0.005)
        assert result.outside.sure_right / result.outside.sure == pytest.approx(0.975, abs=5e-4)


@pytest.mark.slow
def test_adult_published_unchanged(adult):
    """Whoever is unique is linked, and strangers are members as far as they have no twin among them."""
    inside, outside = adult
    linked = LinkageAttack().run(Release.of(inside), control=outside)
    twins = inside.frame.groupby(inside.quasi).size()
    assert linked.success == pytest.approx(len(twins) / len(inside))
    everything = [name for name in inside.columns if name != "income"]
    assert LinkageAttack(known=everything).run(Release.of(inside)).success > 0.8
    assert MembershipAttack().run(Release.of(inside), control=outside).auc > 0.6
