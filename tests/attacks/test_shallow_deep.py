"""The shallow and the deep attack equal an attacker written plainly, on releases of every kind."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.attacks import DeepAttack, ShallowAttack
from anonnb.tables.value_sets import Column
from tests.attacks import plain


@st.composite
def releases(draw):
    """A small table and a release of it: boxes of groups, random sets, hierarchy cuts, or rows of other people."""
    rows = draw(st.integers(2, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    frame = pd.DataFrame(
        {
            "a": rng.choice(list("xyz"), rows),
            "b": rng.integers(0, 4, rows),
            "c": rng.choice(["p", "q"], rows),
            "d": rng.choice(["yes", "no", "maybe"], rows),
        }
    )
    table = Table(frame, quasi=["a", "b", "c"], sensitive=["d"], decision="d")
    kind = draw(st.sampled_from(["boxes", "sets", "moved", "dropped"]))
    if kind == "boxes":
        groups = np.arange(rows) // draw(st.integers(1, 4))
        columns = {n: Column.of_groups(table.attributes[n], table.codes(n), groups, groups.max() + 1) for n in "abc"}
        return table, Release(table, columns, np.arange(rows))
    if kind == "sets":
        columns = {}
        for name in "abcd":
            masks = rng.random((rows, table.attributes[name].size)) < 0.4
            masks[np.arange(rows), table.codes(name)] = True
            columns[name] = Column.from_masks(table.attributes[name], masks)
        return table, Release(table, columns, np.arange(rows))
    if kind == "moved":
        moved = rng.permutation(rows)
        columns = {n: Column.original(table.attributes[n], table.codes(n)[moved]) for n in "abc"}
        return table, Release(table, columns, np.arange(rows))
    return table, Release(table, {}, np.arange(0, rows, 2))


def expected(attack, release, table, known, targets):
    sets = {name: plain.cells(release, name) for name in [*table.quasi, table.decision]}
    scores = []
    for columns, values, target, truth in plain.attempts(release, table, known, targets):
        value = plain.shallow(sets, columns, values, target, len(release))
        if value is None and attack == "deep":
            value = plain.deep(sets, table.quasi, columns, values, target, len(release))
        scores.append(np.mean([person == value for person in truth]))
    return scores


@pytest.mark.slow
@given(releases(), st.integers(1, 2), st.sampled_from(["conditions", "decision", "all"]))
@settings(max_examples=60, deadline=None)
def test_shallow_equals_a_plain_attacker(case, known, targets):
    table, release = case
    result = ShallowAttack(known=known, targets=targets).run(release, table)
    assert result.targets["score"].tolist() == pytest.approx(expected("shallow", release, table, known, targets))


@given(releases(), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_deep_equals_a_plain_attacker(case, known):
    table, release = case
    result = DeepAttack(known=known).run(release, table)
    assert result.targets["score"].tolist() == pytest.approx(expected("deep", release, table, known, "all"))
    assert result.info["undecided"] == 0


@given(releases(), st.integers(1, 2))
@settings(max_examples=40, deadline=None)
def test_deep_never_reveals_less_than_shallow(case, known):
    table, release = case
    shallow = ShallowAttack(known=known).run(release, table).targets["score"]
    assert (DeepAttack(known=known).run(release, table).targets["score"] >= shallow).all()


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


def test_a_search_that_is_cut_short_says_so():
    table = anonnb.load("zoo").take(np.arange(30))
    groups = np.arange(30) // 3
    columns = {n: Column.of_groups(table.attributes[n], table.codes(n), groups, 10) for n in table.quasi}
    release = Release(table, columns, np.arange(30))
    cut = DeepAttack(max_steps=3).run(release)
    assert cut.info["undecided"] > 0
    assert cut.success <= DeepAttack().run(release).success <= cut.info["at_most"]
    assert DeepAttack(time_limit=0.0).run(release).info["undecided"] > 0


def test_bad_parameters_are_explained():
    release = Release.of(anonnb.load("decision6"))
    with pytest.raises(ValueError, match="at least 1"):
        ShallowAttack(known=0)
    with pytest.raises(ValueError, match="only 3 attributes"):
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
