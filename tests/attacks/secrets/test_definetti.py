"""The deFinetti attack: by hand, all assignments against a list of permutations, and what it does to Adult."""

import itertools
import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import anonnb
from anonnb import Release, Table
from anonnb.attacks import BackgroundAttack, DeFinettiAttack, HomogeneityAttack, IntersectionAttack, SkewnessAttack
from anonnb.attacks.secrets.assignments import Crowd, expected_assignments
from anonnb.attacks.secrets.definetti import ColumnPairs
from anonnb.attacks.secrets.skewness import SLACK
from anonnb.methods import Anatomy, Mondrian, Rounding
from anonnb.privacy import LDiversity
from anonnb.tables.grouped_secrets import GroupedSecrets
from anonnb.tables.matching import neighbourhoods
from anonnb.tables.value_sets import Column
from tests.attacks import plain

WARDS = [("ss", ("cancer", "flu"))] * 10 + [("sn", ("cancer", "flu"))] * 10 + [("nn", ("flu", "cold"))] * 10


def thirty_pairs():
    """Thirty groups of two: who smokes is published, and the two illnesses of each group."""
    lines = [(group, *pair) for group, parts in enumerate(WARDS) for pair in zip(*parts, strict=True)]
    frame = pd.DataFrame(lines, columns=["group", "smokes", "ill"])
    table = Table(frame[["smokes", "ill"]], quasi=["smokes"], sensitive=["ill"])
    secrets = GroupedSecrets.of("ill", table.codes("ill"), frame["group"].to_numpy(), 3)
    return table, Release(table, {}, np.arange(60), secrets=secrets)


def test_the_smoker_of_a_mixed_pair_round_by_round():
    rounds = list(DeFinettiAttack().rounds(thirty_pairs()[1]))
    smoker = [each.beliefs.query("smokes == 's' and group == 10")["cancer"].item() for each in rounds]
    assert [round(smoker[place], 4) for place in (0, 1, 4)] == [0.5, 0.7273, 0.9543]
    assert round(smoker[-1], 4) == 0.9655
    smokes = rounds[-1].likelihoods.loc[("smokes", "s")].round(4).to_dict()
    assert smokes == {"cancer": 0.9388, "cold": 0.0833, "flu": 0.3545}
    cancer, cold, flu = p = np.array([each.likelihoods.loc[("smokes", "s")] for each in rounds]).T
    pairs = [2 * cancer * flu, cancer * (1 - flu) + (1 - cancer) * flu, 2 * (1 - flu) * (1 - cold)]
    posterior = 10 * np.log(pairs).sum(axis=0) + np.log([*p, *(1 - p)]).sum(axis=0)
    assert (np.diff(posterior) > 0).all()  # Proposition 37.3


def test_the_guesses_about_the_pairs():
    table, release = thirty_pairs()
    result = DeFinettiAttack().run(release, table)
    found = result.targets.set_index("known")
    # of 30 smokers 20 have cancer, one in each of ten pairs of smokers and all of the mixed pairs
    assert found.loc["smokes = s", ["guess", "right"]].tolist() == ["cancer", 20]
    assert found.loc["smokes = s", "belief"] == pytest.approx((10 + 9.655) / 30, abs=1e-4)
    assert found.loc["smokes = n", ["guess", "right"]].tolist() == ["flu", 20]
    assert (result.attempts, result.right, result.baseline, result.info["groups"]) == (60, 40, 0.5, 30)


def test_a_belief_of_its_own_makes_the_attacker_sure():
    table, release = thirty_pairs()
    bold, firm = (DeFinettiAttack(belief=belief).run(release, table) for belief in (0.65, 0.8))
    # a third of all people have cancer and a half the flu; the beliefs in both are 0.655 for smokers and others
    assert bold.targets["belief"].tolist() == pytest.approx([0.655, 0.655], abs=1e-3)
    assert (bold.sure, bold.sure_right) == (60, 40)
    assert (firm.sure, firm.right) == (0, bold.right)


def plain_definetti(release, table, secret, limit=200):
    """Deal out the secrets of small groups in every order, count, and deal again: likelihoods and beliefs by row."""
    known = [name for name in table.columns if name != secret]
    rows = [dict(zip(known, values, strict=True)) for values in zip(*(table.frame[n] for n in known), strict=True)]
    own, group = list(table.frame[secret]), release.secrets.group
    values = {name: list(table.attributes[name].domain) for name in known}
    likely = {name: {(v, s): 1 / len(values[name]) for v in values[name] for s in {*own}} for name in known}
    for _ in range(limit):
        beliefs = [dict.fromkeys({*own}, 0.0) for _ in rows]
        for number in {*group}:
            members = [row for row in range(len(rows)) if group[row] == number]
            for dealt in itertools.permutations([own[row] for row in members]):
                deals = zip(members, dealt, strict=True)
                weight = np.prod([likely[n][rows[row][n], s] for row, s in deals for n in known])
                for row, s in zip(members, dealt, strict=True):
                    beliefs[row][s] += weight
        beliefs = [{s: weight / sum(part.values()) for s, weight in part.items()} for part in beliefs]
        counts = {
            name: {
                (v, s): 1 + sum(b[s] for b, row in zip(beliefs, rows, strict=True) if row[name] == v) for v, s in part
            }
            for name, part in likely.items()
        }
        learnt = {
            name: {(v, s): count / sum(part[w, s] for w in values[name]) for (v, s), count in part.items()}
            for name, part in counts.items()
        }
        change = max(abs(learnt[n][pair] - likely[n][pair]) for n in known for pair in likely[n])
        if change <= 1e-6:
            break
        likely = learnt
    return rows, beliefs, learnt


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 4))
def test_everybody_is_guessed_as_by_dealing_in_every_order(seed, count, size):
    """People on the list by the mean of those who read like them; others by what was learnt and the nearest rows."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"a": rng.choice(list("xyz"), count), "b": rng.integers(0, 4, count)})
    table = Table(frame.assign(d=rng.choice(["yes", "no", "maybe"], count)), quasi=["a", "b"], sensitive=["d"])
    secrets = GroupedSecrets.of("d", table.codes("d"), np.arange(count) // size, table.attributes["d"].size)
    release = Release(table, {}, np.arange(count), secrets=secrets)
    rows, beliefs, learnt = plain_definetti(release, table, "d")
    for people in (table, plain.strangers(seed)):
        attacker = plain.Attacker(release, people, ["a", "b"], "d")
        result = DeFinettiAttack(belief=0.6).run(release, people)
        lines, right, sure = result.targets.set_index("known"), 0, 0
        for person in attacker.people:
            values = {name: people.frame[name].iloc[person] for name in "ab"}
            mates = [belief for row, belief in zip(rows, beliefs, strict=True) if row == values]
            if mates:
                expected = {s: sum(mate[s] for mate in mates) / len(mates) for s in mates[0]}
            else:
                near = attacker.beliefs(person)
                product = {
                    s: float(near[s]) * np.prod([learnt[n].get((v, s), 1) for n, v in values.items()]) for s in near
                }
                expected = {s: weight / sum(product.values()) for s, weight in product.items()}
            line = lines.loc[attacker.line(person)]
            assert line["belief"] == pytest.approx(max(expected.values()), abs=1e-5)
            tied = [s for s in expected if expected[s] > max(expected.values()) - 1e-5]
            assert line["guess"] in tied
            if len(tied) > 1 and not mates:
                assert line["guess"] == max(tied, key=lambda s: (attacker.shares[s], -attacker.values.index(s)))
            right += line["guess"] == attacker.truth(person)
            sure += line["belief"] >= 0.6 - SLACK and line["belief"] > attacker.shares[line["guess"]] + SLACK
        assert (result.attempts, result.right, result.sure) == (len(people), right, sure)


def test_anatomy_does_not_keep_its_bound_against_those_who_learn():
    adult = anonnb.load("adult")
    table = adult.take(np.arange(3000)).with_roles(quasi=["sex", "education", "workclass"], sensitive=["occupation"])
    release = Anatomy(l=4).anonymize(table)
    result = DeFinettiAttack().run(release, table)
    last = list(DeFinettiAttack().rounds(release))[-1].beliefs
    assert last.to_numpy().max() > 0.5 > 1 / 4 == release.secrets.highest_share
    assert result.success > result.baseline + 0.05


@settings(max_examples=40)
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


@settings(max_examples=25)
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


def dense_beliefs(table, groups, secret, rounds):
    """Scale whole matrices, people × values and groups × values, to the sums of the groups, round by round."""
    names, size, own = table.quasi, table.attributes[secret].size, table.codes(secret)
    counts, scale = np.zeros((2, groups.max() + 1, size))
    np.add.at(counts, (groups, own), 1)
    scale += 1
    likely = {name: np.full((table.attributes[name].size, size), 1 / table.attributes[name].size) for name in names}
    for _ in range(rounds):
        weight = np.prod([likely[name][table.codes(name)] for name in names], axis=0) * counts[groups]
        for _ in range(10):
            part, sums = weight / (weight * scale[groups]).sum(axis=1, keepdims=True), np.zeros(counts.shape)
            np.add.at(sums, groups, part)
            scale = np.divide(counts, sums, out=np.zeros(counts.shape), where=sums > 0)
        belief = weight * scale[groups]
        belief /= belief.sum(axis=1, keepdims=True)
        for name, part in likely.items():
            part[:] = 1
            np.add.at(part, table.codes(name), belief)
            part /= part.sum(axis=0)
    return belief


@pytest.mark.parametrize("seed", range(6))
def test_the_beliefs_are_those_of_whole_matrices(seed, monkeypatch):
    """A secret with nearly as many values as people: only those of a person's group take memory, and nothing else."""
    from anonnb.attacks.secrets import assignments

    monkeypatch.setattr(assignments, "EXACT", 0)
    table, rng = random_people(seed, 150), np.random.default_rng(seed)
    table = Table(table.frame.assign(pay=rng.integers(0, 120, 150)), quasi=["age", "sex"], sensitive=["ill", "pay"])
    release = Mondrian(k=4 + seed).anonymize(table)
    for secret in ("ill", "pay"):
        last = list(DeFinettiAttack(column=secret, max_rounds=12).rounds(release))[-1]
        groups = np.empty(150, dtype=int)
        groups[release.rows] = release.groups
        expected = dense_beliefs(table, groups, secret, last.number)
        person = {key: row for row, key in enumerate(zip(*(table.codes(name) for name in table.quasi), strict=True))}
        kinds = [person[key] for key in zip(*last.learner.codes.values(), strict=True)]
        assert np.allclose(last.beliefs, expected[kinds], atol=1e-9)


def test_a_secret_of_thousands_of_values_takes_the_memory_of_those_that_are_possible(monkeypatch):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(0, 90, 4_000), "sex": rng.choice(["f", "m"], 4_000)})
    frame["zip"], frame["pay"] = rng.integers(0, 50, 4_000), rng.permutation(4_000)
    table = Table(frame, quasi=["age", "sex", "zip"], sensitive=["pay"])
    release = Mondrian(k=5).anonymize(table)
    others = table.take(np.arange(0, 4_000, 2))
    attacks = [DeFinettiAttack(max_rounds=2), HomogeneityAttack(), SkewnessAttack(), BackgroundAttack()]
    for attack in [*attacks, IntersectionAttack(other=Mondrian(k=9).anonymize(others))]:
        tracemalloc.start()
        attack.run(release, table)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 30e6, attack  # people × values are 128 MB
    monkeypatch.setattr("anonnb.attacks.secrets.definetti.MAX_PAIRS", 10_000)
    with pytest.raises(ValueError, match="possible value of 'pay' are more than the 10,000"):
        DeFinettiAttack(max_rounds=1).run(release, table)


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
    frame = pd.DataFrame({"age": [20, 21, 40, 41] * 5, "ill": ["flu", "flu", "heart", "cold"] * 5})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    boxes = Column.from_spans(table.attributes["age"], np.array([0, 0, 2, 2] * 5), np.array([1, 1, 3, 3] * 5))
    release = Release(table, {"age": boxes}, np.arange(20))
    others = Table(pd.DataFrame({"age": [21, 30], "ill": ["flu", "flu"]}), quasi=["age"], sensitive=["ill"])
    found = DeFinettiAttack().run(release, others).targets
    # 21 reads like five on the list; nobody is 30, and the box nearest to it is that of 20 and 21
    assert found["candidates"].tolist() == [10, 0]
    assert found["guess"].tolist() == ["flu", "flu"]
    assert found["belief"].tolist() == pytest.approx([1.0, 1.0])


def test_an_outsider_in_no_row_is_guessed_from_the_nearest_rows_and_what_was_learnt():
    table = Table(
        pd.DataFrame({"a": list("xxyy"), "b": list("pqpp"), "ill": list("cdee")}), quasi=["a", "b"], sensitive="ill"
    )
    boxes = Column.from_spans(table.attributes["b"], np.array([0, 0, 0, 0]), np.array([1, 1, 0, 0]))
    release = Release(table, {"b": boxes}, np.arange(4))
    outsider = Table(pd.DataFrame({"a": ["y"], "b": ["q"], "ill": ["e"]}), quasi=["a", "b"], sensitive="ill")
    found = DeFinettiAttack().run(release, outsider).targets
    # all rows are equally near, so this is naive Bayes over all of them:
    # y goes with e (3 of 4, else 1 of 3), q goes with the others (1/2, else 1/4)
    weights = np.array([1 / 3 * 1 / 2 / 4, 1 / 3 * 1 / 2 / 4, 3 / 4 * 1 / 4 / 2])
    assert found["candidates"].tolist() == [0]
    assert found["belief"].item() == pytest.approx(weights[2] / weights.sum())


def test_a_single_class_of_equally_common_secrets_has_nothing_to_learn_from():
    frame = pd.DataFrame({"age": np.arange(30) % 7, "ill": ["cold", "flu", "heart"] * 10})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    release = Release(table, {"age": Column.suppressed(table.attributes["age"], 30)}, np.arange(30))
    assert np.allclose(list(DeFinettiAttack().rounds(release))[-1].beliefs, 1 / 3)
    assert DeFinettiAttack().run(release).success == pytest.approx(1 / 3)


def test_nobody_is_guessed_to_have_no_secret_where_blanks_are_ignored():
    table = random_people(3, 60)
    frame = table.frame.assign(ill=table.frame["ill"].where(np.arange(60) % 3 > 0))
    table = Table(frame, quasi=["age", "sex"], sensitive=["ill"])
    result = DeFinettiAttack(missing="ignore").run(Mondrian(k=6).anonymize(table))
    assert result.attempts == 40
    assert set(result.targets["guess"]) <= {"heart", "cold", "flu"}
    counted = DeFinettiAttack().run(Mondrian(k=6).anonymize(table))
    assert counted.attempts == 60


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
    assert HomogeneityAttack().run(release, table).sure == 0


def test_people_who_fit_no_row_may_fill_a_block_of_their_own(monkeypatch):
    """Blocks only divide the work: the smallest ones give what one block for everybody gives."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.integers(18, 90, 60), "pay": rng.integers(0, 5000, 60), "ill": list("abc") * 20})
    table = Table(frame, quasi=["age", "pay"], sensitive=["ill"])
    release = Rounding().anonymize(table)
    whole = DeFinettiAttack().run(release, table)
    monkeypatch.setattr(neighbourhoods, "LEAF", 1)
    assert str(DeFinettiAttack().run(release, table)) == str(whole)


@given(st.integers(1, 40), st.integers(1, 5), st.integers(0, 10_000))
@settings(max_examples=60)
def test_pairs_that_nobody_on_the_list_can_have_need_no_place(size, secrets, seed):
    """The same likelihoods as from a table of all values and all secrets."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(1, 30)
    codes, fits = rng.choice(size, kinds), rng.random((kinds, secrets)) < 0.6
    fits[np.arange(kinds), rng.integers(secrets, size=kinds)] = True
    counts = csr_array(fits.sum(axis=0, keepdims=True))
    crowd = Crowd(np.zeros(kinds, dtype=int), np.ones(kinds), csr_array(fits * 1.0), counts)
    pairs, people = ColumnPairs(codes, crowd, size), rng.random(len(crowd.kind))
    counts = np.ones((size, secrets))
    np.add.at(counts, (codes[crowd.kind], crowd.secret), people)
    expected = counts / counts.sum(axis=0)
    learnt = pairs.smoothed(people)
    assert pairs.rows(learnt) == pytest.approx(expected, rel=1e-12)
    assert pairs.rows(pairs.equal()) == pytest.approx(np.full((size, secrets), 1 / size))
    assert pairs.change(pairs.equal(), learnt) == pytest.approx(np.abs(expected - 1 / size).max(), abs=1e-15)
