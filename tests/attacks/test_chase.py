"""The Chase attack: which hidden cells come back, right or wrong, and by which rules."""

import pandas as pd
import pytest

import anonnb
from anonnb import Release, Table
from anonnb.attacks import ChaseAttack
from anonnb.methods import ChaseProtection, Mondrian
from anonnb.rules import implies

FRAME = pd.DataFrame(
    {
        "job": ["judge", "cook", "judge", "cook", "clerk"],
        "car": ["new", "old", "new", "old", "old"],
        "pay": ["high", "low", "low", "low", "low"],
    }
)
RULES = [implies({"job": "judge"}, {"pay": "high"}, 0.9), implies({"job": "cook"}, {"car": "old"})]
RULES.append(implies({"car": "old"}, {"pay": "low"}, 0.8))


def hidden(**rows):
    table = Table(FRAME, quasi=["job", "car"], sensitive="pay")
    columns = {name: Release.of(table).columns[name].with_suppressed(chosen) for name, chosen in rows.items()}
    return Release(table, columns, range(len(table)))


def test_right_wrong_and_silent():
    result = ChaseAttack(rules=RULES).run(hidden(pay=[0, 1, 2, 3, 4], car=[1, 4]))
    assert result.targets["attribute"].unique().tolist() == ["pay"], "the column that is hidden as a whole"
    assert result.targets["value"].tolist() == ["high", "low", "high", "low", ""]
    assert result.targets["right"].tolist() == [True, True, False, True, False]
    assert result.targets["chain"][1] == "job = cook → car = old; car = old → pay = low (0.80)"
    assert (result.info["revealed"], result.info["right"], result.info["wrong"]) == (4, 3, 1)
    assert (result.kind, result.secret, result.attempts, result.sure, result.sure_right) == ("secret", "pay", 5, 4, 3)
    assert result.right == 3, "nobody shows what pay is common, so there is no guess for the clerk"
    assert result.beliefs["belief"].tolist() == pytest.approx([1, 1, 1, 1, 0])


def test_a_cell_that_is_not_derived_is_guessed_from_the_release_or_else_from_the_sites():
    rules = RULES[:1]  # about judges only
    shown = ChaseAttack(rules=rules, targets="pay").run(hidden(pay=[0, 1, 2, 4]))
    assert (shown.attempts, shown.sure, shown.sure_right, shown.right) == (4, 2, 1, 3), "the release shows one low pay"
    sites = [Table(FRAME.iloc[[0, 2, 3]]), Table(FRAME.iloc[[0]]), Table(FRAME.iloc[[0, 1]])]
    remote = ChaseAttack(rules=rules, sites=sites).run(hidden(pay=range(5)))
    assert (remote.sure, remote.right) == (2, 1 + 0), "high and low are equally common there, and high comes first"
    assert remote.beliefs["belief"].tolist() == [1, 0.5, 1, 0.5, 0.5]
    more = ChaseAttack(rules=rules, sites=[*sites, Table(FRAME.iloc[[4]])]).run(hidden(pay=range(5)))
    assert (more.sure, more.right) == (2, 1 + 3)


def test_outsiders_are_guessed_alike():
    table = Table(FRAME, quasi=["job", "car"], sensitive="pay")
    others = Table(FRAME.iloc[[0, 1, 4, 4]].set_index(pd.Index(list("abcd"))), quasi=["job", "car"], sensitive="pay")
    release = Release(table, {"pay": Release.of(table).columns["pay"].with_suppressed([0, 1, 2, 4])}, range(5))
    result = ChaseAttack(rules=RULES[:1], targets="pay").run(release, control=others)
    assert (result.success, result.control, result.baseline) == (3 / 4, 1.0, 3 / 4)
    assert (result.outside.attempts, result.control_sure) == (3, 1 / 3), "the fourth hides nothing"


def test_targets_can_be_named_and_need_not_be_hidden_as_a_whole():
    release = hidden(pay=[0, 1], car=[1, 4])
    both = ChaseAttack(rules=RULES).run(release)
    assert {name: one.targets["row"].tolist() for name, one in both.each.items()} == {"car": [1, 4], "pay": [0, 1]}
    named = ChaseAttack(rules=RULES, targets="car").run(release)
    assert named.targets[["row", "value", "right"]].to_numpy().tolist() == [[1, "old", True], [4, "", False]]
    with pytest.raises(KeyError, match="there is no column 'boat'"):
        ChaseAttack(rules=RULES, targets="boat").run(release)


def test_sites_teach_what_is_hidden_and_local_chase_learns_nothing():
    release = hidden(pay=[0, 1, 2, 3, 4])
    site = Table(FRAME.iloc[[0, 1, 3]])
    settings = {"min_support": 0.1, "min_confidence": 0.9}
    assert ChaseAttack(**settings).run(release).info["revealed"] == 0
    assert ChaseAttack(sites=[site], **settings).run(release).info["right"] == 4


def test_nothing_hidden_is_nothing_to_attack():
    result = ChaseAttack().run(Release.of(Table(FRAME)))
    assert (result.attempts, result.success) == (0, 0.0)


def test_a_set_of_the_whole_domain_is_a_hidden_cell():
    release = Mondrian(k=2).anonymize(anonnb.load("decision6"))
    whole = {name: int((column.sizes == column.attribute.size).sum()) for name, column in release.columns.items()}
    each = ChaseAttack(targets=list(whole)).run(release).each
    assert {name: one.attempts for name, one in each.items()} == {name: n for name, n in whole.items() if n}
    assert len(each) == 2


def test_a_release_without_links_cannot_be_judged():
    like = Table(FRAME, quasi=["job", "car"])
    with pytest.raises(ValueError, match="does not tell its original rows"):
        ChaseAttack().run(Release.from_frame(FRAME, like))


def test_protection_silences_it():
    table = Table(FRAME, quasi=["job", "car"], sensitive="pay")
    release = ChaseProtection(rules=RULES).anonymize(table)
    for normalize in (True, False):
        assert ChaseAttack(rules=RULES, targets="pay", normalize=normalize).run(release).info["revealed"] == 0
