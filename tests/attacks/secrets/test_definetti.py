"""The deFinetti attack: by hand, all assignments against a list of permutations, and what it does to Adult."""

import itertools
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Release, Table
from anonnb.attacks import DeFinettiAttack, HomogeneityAttack
from anonnb.attacks.secrets.assignments import expected_assignments
from anonnb.methods import Mondrian
from anonnb.privacy import LDiversity
from anonnb.tables.value_sets import Column


def thirty_pairs():
    """Thirty wards of two: whether they smoke is published per ward, and two illnesses."""
    wards = [("ss", ("cancer", "flu"))] * 10 + [("sn", ("cancer", "flu"))] * 10 + [("nn", ("flu", "cold"))] * 10
    lines = [(ward, *pair) for ward, parts in enumerate(wards) for pair in zip(*parts, strict=True)]
    table = Table(pd.DataFrame(lines, columns=["ward", "smokes", "ill"]), quasi=["ward", "smokes"], sensitive=["ill"])
    smokes = Column.of_groups(table.attributes["smokes"], table.codes("smokes"), table.codes("ward"), 30)
    return table, Release(table, {"smokes": smokes}, np.arange(60))


def test_the_smoker_of_a_mixed_pair_round_by_round():
    _, release = thirty_pairs()
    rounds = list(DeFinettiAttack(learn_from=["smokes"]).rounds(release))
    smoker = [each.beliefs.query("ward == '10' and smokes == 's'")["cancer"].item() for each in rounds]
    assert [round(smoker[place], 4) for place in (0, 1, 4)] == [0.5, 0.7273, 0.9543]
    assert round(smoker[-1], 4) == 0.9655
    smokes = rounds[-1].likelihoods.loc[("smokes", "s")].round(4).to_dict()
    assert smokes == {"cancer": 0.9388, "cold": 0.0833, "flu": 0.3545}


def test_the_guesses_of_the_pairs():
    table, release = thirty_pairs()
    result = DeFinettiAttack(learn_from=["smokes"]).run(release, table)
    mixed = result.targets[result.targets["known"].str.startswith("ward = 10 ")].set_index("known")
    assert mixed["guess"].tolist() == ["cancer", "flu"]
    assert mixed["belief"].round(4).tolist() == [0.9655, 0.9655]
    assert (result.claims, result.info["groups"]) == (60, 30)
    # both of the pairs that cannot be told apart are guessed alike, so one of them is right; flu is commonest
    assert result.right == 20 + 10 + 10


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 6), st.integers(0, 10_000))
def test_all_assignments_are_those_of_a_list_of_permutations(size, seed):
    weights = np.random.default_rng(seed).random((3, size, size)) ** 4
    total, shares = expected_assignments(weights)
    for one, found, sums in zip(weights, shares, total, strict=True):
        by_list = np.zeros((size, size))
        for order in itertools.permutations(range(size)):
            by_list[np.arange(size), order] += np.prod(one[np.arange(size), order])
        assert np.isclose(sums, by_list[0].sum())
        assert np.allclose(found, by_list / by_list[0].sum())


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_beliefs_add_up_to_the_secrets_of_each_class(k, seed):
    table = random_people(seed, 60)
    release = Mondrian(k=k).anonymize(table)
    last = list(DeFinettiAttack().rounds(release))[-1]
    crowd = last.learner.crowd
    assert np.allclose(last.beliefs.sum(axis=1), 1)
    sums = (last.beliefs.mul(crowd.people, axis=0)).groupby(crowd.group).sum()
    published = pd.crosstab(release.groups, table.frame["ill"].to_numpy()[release.rows])
    assert sorted(map(tuple, sums.round(3).to_numpy())) == sorted(map(tuple, published.astype(float).to_numpy()))


def random_people(seed, rows):
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(20, 60, rows), rng.choice(["f", "m"], rows)
    ill = np.where(rng.random(rows) < (age - 15) / 60, "heart", rng.choice(["cold", "flu"], rows))
    return Table(pd.DataFrame({"age": age, "sex": sex, "ill": ill}), quasi=["age", "sex"], sensitive=["ill"])


def test_scaling_comes_near_all_assignments(monkeypatch):
    from anonnb.attacks.secrets import assignments

    table = random_people(5, 300)
    release = Mondrian(k=5).anonymize(table)
    exact = list(DeFinettiAttack().rounds(release))[-1].beliefs
    monkeypatch.setattr(assignments, "EXACT", 0)
    scaled = list(DeFinettiAttack().rounds(release))[-1].beliefs
    assert 0 < np.abs(exact - scaled).to_numpy().mean() < 0.05


def test_boxes_that_share_a_person_are_one_group():
    table = Table(pd.DataFrame({"age": [1, 2, 3, 4], "ill": list("abcd")}), quasi=["age"], sensitive=["ill"])
    boxes = Column.from_spans(table.attributes["age"], np.array([0, 0, 2, 2]), np.array([2, 2, 3, 3]))
    release = Release(table, {"age": boxes}, np.arange(4))
    first = next(DeFinettiAttack().rounds(release)).beliefs
    assert DeFinettiAttack().run(release).info["groups"] == 1
    # ages 1 and 2 fit the first box only, so 3, who fits both, must be the other one of the second
    half = [0.5, 0.5]
    assert np.allclose(first, [[*half, 0, 0], [*half, 0, 0], [0, 0, *half], [0, 0, *half]])


def test_people_who_are_not_on_the_list_are_guessed_by_what_was_learnt():
    _, release = thirty_pairs()
    others = pd.DataFrame({"ward": [10, 10, 99], "smokes": ["s", "n", "s"], "ill": ["flu", "flu", "cancer"]})
    strangers = Table(others, quasi=["ward", "smokes"], sensitive=["ill"])
    found = DeFinettiAttack(learn_from=["smokes"]).run(release, strangers).targets
    assert found["guess"].tolist() == ["cancer", "flu", "cancer"]
    assert found["candidates"].tolist() == [2, 2, 0]
    # in a ward that nobody knows: shares 20, 30, 10 of 60 times 0.9388, 0.3545, 0.0833
    weights = np.array([20 * 0.9388, 30 * 0.3545, 10 * 0.0833])
    assert found["belief"].iloc[2] == pytest.approx(weights[0] / weights.sum(), abs=1e-3)


def test_a_single_class_of_equally_common_secrets_has_nothing_to_learn_from():
    frame = pd.DataFrame({"age": np.arange(30) % 7, "ill": ["cold", "flu", "heart"] * 10})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    release = Release(table, {"age": Column.suppressed(table.attributes["age"], 30)}, np.arange(30))
    assert np.allclose(list(DeFinettiAttack().rounds(release))[-1].beliefs, 1 / 3)
    assert DeFinettiAttack().run(release).success == pytest.approx(1 / 3)


def test_nobody_is_guessed_to_have_no_secret():
    table = random_people(3, 60)
    frame = table.frame.assign(ill=table.frame["ill"].where(np.arange(60) % 3 > 0))
    table = Table(frame, quasi=["age", "sex"], sensitive=["ill"])
    result = DeFinettiAttack().run(Mondrian(k=6).anonymize(table))
    assert result.attempts == 40
    assert set(result.targets["guess"]) <= {"heart", "cold", "flu"}
    counted = DeFinettiAttack(count_missing=True).run(Mondrian(k=6).anonymize(table))
    assert counted.attempts == 60


def test_a_column_to_learn_from_must_be_known():
    table, release = thirty_pairs()
    with pytest.raises(KeyError, match="learn_from: the attacker does not know column 'ward'; known are smokes"):
        DeFinettiAttack(known=["smokes"], learn_from=["ward"]).run(release, table)


@pytest.mark.slow
def test_adult_with_occupation_as_the_secret():
    adult = anonnb.load("adult")
    table = adult.with_roles(quasi=[name for name in adult.quasi if name != "occupation"], sensitive=["occupation"])
    success = {}
    for name, models in (("k", []), ("k and l", [LDiversity(5)])):
        release, start = Mondrian(k=10, require=models).anonymize(table), time.process_time()
        success[name] = DeFinettiAttack().run(release, table).success
        assert time.process_time() - start < 10
    assert 0.37 < success["k"] < 0.39
    assert abs(success["k"] - success["k and l"]) < 0.01
    assert HomogeneityAttack().run(release, table).success == 0
