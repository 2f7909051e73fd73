"""The shallow attack equals an attacker written plainly, on releases of every kind."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release
from anonnb.attacks import DeepAttack, ShallowAttack
from tests.attacks.plain import expected, releases


@pytest.mark.slow
@given(releases(), st.integers(1, 2), st.sampled_from(["conditions", "decision", "all"]))
@settings(max_examples=60, deadline=None)
def test_shallow_equals_a_plain_attacker(case, known, targets):
    table, release = case
    result = ShallowAttack(known=known, targets=targets).run(release, table)
    assert result.targets["score"].tolist() == pytest.approx(expected("shallow", release, table, known, targets))


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


def test_an_attacker_who_knows_the_decision_selects_by_it():
    release = Release.of(anonnb.load("decision6"))
    without = ShallowAttack(known=["domicile"], targets=["sex"]).run(release)
    within = ShallowAttack(known=["domicile"], targets=["sex"], knows_decision=True).run(release)
    assert without.targets.loc[without.targets["known"] == "domicile = Tokyo", "inferred"].tolist() == [""]
    line = within.targets[within.targets["known"] == "domicile = Tokyo and evaluation = low"]
    assert line["inferred"].tolist() == ["female"]


def test_case_shows_the_rows_and_the_intersection():
    case = ShallowAttack().case(Release.of(anonnb.load("decision6")), {"domicile": "Tokyo"}, "occupation")
    assert case.selected.tolist() == [1, 2]
    assert (case.says, case.left) == (["salesman", "salesman"], ["salesman"])


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
