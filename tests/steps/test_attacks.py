"""What attacks tell is what their results say: the rows that fit, the values that are left, and the claims."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.attacks import (
    BackgroundAttack,
    DeepAttack,
    DeFinettiAttack,
    HomogeneityAttack,
    InferenceAttack,
    LinkageAttack,
    MembershipAttack,
    MinimalityAttack,
    ShallowAttack,
    SinglingOutAttack,
    SkewnessAttack,
)
from anonnb.methods import Mondrian
from anonnb.privacy import LDiversity
from anonnb.rules import frequent_itemsets
from tests.attacks.plain import releases


def told(attack, release, table, **options):
    """All steps of an attack, whose result is what run gives."""
    run = attack.steps(release, table, most=2000, **options)
    assert not run.sampled
    plain = attack.run(release, table, **options)
    pd.testing.assert_frame_equal(run.result.targets, plain.targets)
    return run


def of_people(run, table, known):
    """For every person who is told: their values in words, the rows that fit, and the step about their secret."""
    steps = list(run)
    for place, step in enumerate(steps):
        if step.title.startswith("Look for person "):
            row = int(step.title.removeprefix("Look for person "))
            words = [f"{name} = {table.attributes[name].labels[table.codes(name)[row]]}" for name in known]
            yield " and ".join(words), step, steps[place + 1]


@given(releases())
def test_linkage_tells_the_rows_that_fit_and_the_chance(case):
    table, release = case
    run = told(LinkageAttack(), release, table)
    lines = run.result.targets.set_index("known")
    people = list(of_people(run, table, "abc"))
    assert len(people) == min(3, (lines["candidates"] > 0).sum())
    assert [lines.loc[words, "chance"] for words, *_ in people] == sorted(lines["chance"], reverse=True)[: len(people)]
    for words, step, _ in people:
        assert len(step.state) == lines.loc[words, "candidates"]
        chances = step.candidates["chance"].tolist()
        assert (chances[0], sum(chances)) == pytest.approx((lines.loc[words, "chance"], 1.0))
        assert chances[0] == pytest.approx(chances[int(lines.loc[words, "likeliest"]) - 1])


ON_SECRETS = [
    HomogeneityAttack(),
    BackgroundAttack(ruled_out=["no"]),
    SkewnessAttack(belief=0.6),
    DeFinettiAttack(),
]


@pytest.mark.slow
@pytest.mark.parametrize("attack", ON_SECRETS, ids=lambda attack: type(attack).__name__)
@given(releases())
@settings(max_examples=20)
def test_attacks_on_secrets_tell_the_guesses_of_their_result(attack, case):
    table, release = case
    assume("no" in table.attributes["d"].labels)
    run = told(attack, release, table)
    lines = run.result.targets.set_index("known")
    for words, rows, secret in of_people(run, table, "abc"):
        line = lines.loc[words]
        assert len(rows.state) == line["candidates"]
        assert secret.candidates["rows"].sum() == pytest.approx(line["candidates"])
        chosen = line["sure"] or isinstance(attack, DeFinettiAttack)
        assert list(secret.chosen) == ([line["guess"]] if chosen else [])
        assert ("not sure" in secret.sentence or "sure" not in secret.sentence) == (not line["sure"])


def test_minimality_keeps_the_ways_that_the_method_publishes_alike():
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "ill": ["flu", "flu", "cold", "cold"]})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    run = told(MinimalityAttack(), Mondrian(k=2, require=[LDiversity(2)]).anonymize(table), table)
    assert run[0].candidates.loc[0, ["left", "ruled out"]].tolist() == [2, 4]
    for name, way in run[1].state.drop(columns="age").items():
        assert name.endswith("left") == (way.iloc[0] == way.iloc[1] and way.iloc[2] == way.iloc[3])
    relaxed = told(MinimalityAttack(), Mondrian(k=2, strict=False, require=[LDiversity(2)]).anonymize(table), table)
    worlds = [step for step in relaxed if step.title.startswith("World ")]
    assert {step.title.split()[-1] for step in worlds} == {"kept", "out"}


@pytest.mark.parametrize("attack", [ShallowAttack, DeepAttack])
@given(releases(), st.integers(1, 2))
@settings(max_examples=25)
def test_shallow_and_deep_tell_what_they_infer(attack, case, known):
    table, release = case
    run = told(attack(known=known), release, table)
    lines = run.result.targets
    names = lines["known"] + ": " + lines["target"] + "?"
    inferred = lines.set_index(names)["inferred"]
    [opening] = [step for step in run if step.title == "What to infer"]
    claims = []
    for step in run[1:-1]:
        if step.title.startswith("Intersect"):
            claims.append(step)
        elif step.title.startswith("What speaks against it"):
            claims[-1] = step
    assert len(claims) == len(opening.chosen)
    for name, step in zip(opening.chosen, claims, strict=True):
        assert list(step.chosen) == ([inferred[name]] if inferred[name] else [])


@given(releases())
@settings(max_examples=25)
def test_counts_of_itemsets_follow_from_those_that_are_told(case):
    table, _ = case
    itemsets = frequent_itemsets(table.select(list("abc")), 0.01, max_len=3)
    run = told(InferenceAttack(k=3, rows=len(table)), itemsets, table)
    for step in run[1:-1]:
        count = int(step.title.split()[0])
        assert (step.candidates["people"] * step.candidates["sign"]).sum() == count
        assert f"= {count}," in step.sentence
    assert len(run) - 2 == min(5, len(run.result.targets))


def test_singling_out_tells_whom_a_predicate_holds_for():
    table = anonnb.load("survey")
    run = told(SinglingOutAttack(attempts=20), Mondrian(k=5).anonymize(table), table)
    lines = run.result.targets.set_index("predicate")
    predicates = [step for step in run if step.title.startswith("Predicate ")]
    assert len(predicates) == 5
    for step in predicates:
        assert len(step.state) == lines.loc[int(step.title.split()[1]), "rows that satisfy it"]
        assert list(step.chosen) == (list(step.state.index) if len(step.state) == 1 else [])
    assert run[0].candidates["weight"].is_monotonic_increasing
    assert run[0].chosen == (run[0].candidates.index[0],)


def test_membership_tells_scores_and_rates():
    table = anonnb.load("survey").select(["Sex", "Hours", "Hypertension"])
    inside, outside = (table.take(np.arange(start, 66, 2)) for start in (0, 1))
    run = told(MembershipAttack(), Release.of(inside), inside, control=outside)
    everybody = [step for step in run if step.title == "Score everybody"]
    assert [len(step.state) for step in everybody] == [33, 33]
    claimed = [run.result.claimed.sum(), run.result.outside.claimed.sum()]
    assert [len(step.state[step.state["score"] > 0.5]) for step in everybody] == claimed
    assert run[-2].candidates["taken for members"].sum() == sum(claimed)
