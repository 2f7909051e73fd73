"""What attacks tell is what their results say: the rows that fit, the values that are left, and the claims."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Release, Table
from anonnb.attacks import (
    BackgroundAttack,
    ChaseAttack,
    DeepAttack,
    DeFinettiAttack,
    DowncodingAttack,
    HomogeneityAttack,
    InferenceAttack,
    IntersectionAttack,
    LinkageAttack,
    MembershipAttack,
    MinimalityAttack,
    ReconstructionAttack,
    ShallowAttack,
    SinglingOutAttack,
    SkewnessAttack,
)
from anonnb.attacks.reconstruction.census_block import census_block
from anonnb.methods import Mondrian, Samarati
from anonnb.privacy import LDiversity
from anonnb.rules import frequent_itemsets, implies
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


def test_an_attacker_who_rules_out_any_value_needs_few_left():
    table = anonnb.load("decision6")
    run = told(BackgroundAttack(known=["domicile"], ruled_out=1), Release.of(table), table)
    for step in run:
        if step.sentence.startswith("Theirs could be"):
            assert f"{len(step.candidates)} value" in step.sentence
            assert step.sentence.endswith("left with the true one.") == (len(step.candidates) == 2)


def test_two_releases_leave_what_neither_excludes():
    table = anonnb.load("survey")
    first, second = Mondrian(k=20).anonymize(table), Mondrian(k=12).anonymize(table)
    run = told(IntersectionAttack(other=second), first, table)
    both = [step for step in run if step.candidates is not None and "left by both" in step.candidates]
    assert len(both) == 3
    for step in both:
        left = step.candidates.index[step.candidates["left by both"]]
        assert list(step.chosen) == (list(left) if len(left) == 1 else [])
    assert sum("in the second release" in step.sentence for step in run) == 3


def test_definetti_tells_its_first_rounds_and_the_last():
    table = anonnb.load("survey")
    run = told(DeFinettiAttack(), Mondrian(k=9).anonymize(table), table)
    rounds = [int(step.title.removeprefix("Round ")) for step in run if step.title.startswith("Round ")]
    assert rounds[:3] == [1, 2, 4]
    assert rounds[-1] == run.result.info["rounds"]


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
        assert f"= {count}:" in step.sentence
    assert len(run) - 2 == min(5, len(run.result.targets))


def test_a_small_count_of_a_tree_is_a_node_less_others():
    frame = pd.DataFrame(
        {
            "node": [0, 1, 2],
            "parent": [-1, 0, 0],
            "attribute": ["", "hours", "hours"],
            "condition": ["", "hours = 40", "hours = 50"],
            "rows": [11, 9, None],
        }
    )
    run = InferenceAttack(k=3).steps(frame)
    assert [step.title for step in run] == ["The published tree", "2 people found", "The result"]
    assert run[1].candidates["sign"].tolist() == [1, -1]


def test_chase_tells_what_is_hidden_its_rounds_and_the_chains():
    table = Table(pd.DataFrame({"job": ["judge", "cook"], "pay": ["high", "low"]}))
    release = Release.of(table)
    release = release.with_columns(pay=release.columns["pay"].with_suppressed([0, 1]))
    run = told(ChaseAttack(rules=[implies({"job": "judge"}, {"pay": "high"})]), release, table)
    assert [step.title for step in run] == ["What is hidden", "What is known", "Round 1", "Claim high", "The result"]
    assert run[3].chosen == ("high",)
    assert run[3].candidates["weight"].tolist() == [1.0]


def test_downcoding_tells_which_cells_it_refines():
    ages = pd.DataFrame({"age": [0, 1, 2, 3]})
    table = Table(ages, quasi=["age"], hierarchies={"age": Hierarchy.intervals(2, 4)})
    run = told(DowncodingAttack(), Samarati(k=3).anonymize(table), table)
    assert [step.title for step in run[:-1]] == [
        "Nothing finer was possible",
        "Who is the reason in age",
        "Refine age of class 0",
    ]
    assert run[2].candidates.loc[list(run[2].chosen)].to_numpy().tolist() == [["[0,2)", "[0,2)"], ["[2,4)", "[2,4)"]]
    assert len(run[2].chosen) == run.result.claims
    assert f"luck would get {run.result.luck:.2f} of these 2 right" in run[2].sentence


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


@pytest.mark.slow
def test_reconstruction_tells_the_tables_it_meets():
    run = ReconstructionAttack(solver="highs").steps(census_block())
    assert [step.title for step in run] == ["A table that fits", "No table lacks any of these", "The result"]
    assert run[0].state["times"].sum() == run.result.attempts
    counts = ReconstructionAttack(k=10).steps({"": 66, "B": 55, "C": 52, "BC": 43})
    said = {step.sentence.partition(":")[0].removeprefix("Of the people with "): step for step in counts[1:-1]}
    for line in counts.result.targets.itertuples():
        assert said[line.people].candidates["people"].tolist() == [line.least, line.most]


def test_the_control_is_told_apart():
    table = anonnb.load("survey")
    inside, outside = table.take(np.arange(0, 66, 2)), table.take(np.arange(1, 66, 2))
    run = told(HomogeneityAttack(), Mondrian(k=5).anonymize(inside), inside, control=outside)
    titles = [step.title for step in run]
    assert titles.count("The control") == 1
    assert titles.count("Whom to look for") == 2
