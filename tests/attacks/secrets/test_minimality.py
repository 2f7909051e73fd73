"""The minimality attack: worlds that fit, against all of them, and what it says where it has little to go by."""

import contextlib
import itertools
import time
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Hierarchy, Infeasible, Release, Table, arena
from anonnb.attacks import MinimalityAttack
from anonnb.attacks.secrets import minimality
from anonnb.methods import FullDomain, Mondrian
from anonnb.privacy import AlphaK, LDiversity, TCloseness
from anonnb.tables.value_sets import Column
from tests.attacks import plain


def adult_sample(rows):
    adult = anonnb.load("adult")
    return adult.take(np.linspace(0, len(adult) - 1, rows).astype(int))


def test_a_thousand_rows_of_a_method_that_looks_at_no_secret():
    table = adult_sample(1000)
    result = MinimalityAttack(worlds=15).run(Mondrian(k=10).anonymize(table), table)
    assert (result.info["classes with a refused cut"], result.sure, result.info["largest gain"]) == (0, 0, 0)
    unknown = MinimalityAttack(worlds=15).run(Mondrian(k=10, strict=False).anonymize(table), table)
    assert unknown.info["worlds kept"] == 15
    assert unknown.sure == 0


def test_of_a_large_table_classes_teach_something_and_whole_tables_nothing():
    table = adult_sample(1000)
    relaxed = Mondrian(k=10, strict=False, require=[LDiversity(2)]).anonymize(table)
    with pytest.raises(Infeasible, match="none of 12 shuffled tables gave this release"):
        MinimalityAttack(worlds=12).run(relaxed, table)
    result = MinimalityAttack().run(Mondrian(k=10, require=[LDiversity(2)]).anonymize(table), table)
    assert 0 < result.info["worlds kept"] < result.info["worlds"]
    assert result.info["largest gain"] > 0.1


def test_a_method_that_does_not_repeat_itself_is_named_as_the_reason():
    table = anonnb.load("survey")
    release = Mondrian(k=5).anonymize(table).replace(method=Mondrian(k=20))
    with pytest.raises(Infeasible, match="does not reproduce this release"):
        MinimalityAttack(worlds=10).run(release, table)


def test_too_little_time_is_an_error_and_enough_of_it_changes_nothing():
    table = anonnb.load("survey")
    release = Mondrian(k=5, strict=False).anonymize(table)
    with mock.patch.object(minimality.time, "monotonic", side_effect=range(100)):  # a second per world
        with pytest.raises(Infeasible, match="time_limit"):
            MinimalityAttack(time_limit=4.5).run(release, table)
        assert 10 <= MinimalityAttack(time_limit=20.5).run(release, table).info["worlds"] < 25
    free, limited = (MinimalityAttack(worlds=20, time_limit=t).run(release, table) for t in (None, 600))
    assert free.targets.equals(limited.targets)


def test_a_person_with_many_rows_counts_once():
    """x has HIV in three rows, y the flu in one: at first each is as likely, and a guess is right in half."""
    frame = pd.DataFrame({"age": [40] * 4, "illness": ["HIV"] * 3 + ["flu"], "who": ["x"] * 3 + ["y"]})
    table = Table(frame, quasi=["age"], sensitive="illness", person="who")
    found = MinimalityAttack(worlds=20).run(Mondrian(k=2).anonymize(table), table)
    assert found.targets["before"].tolist() == [0.5] * 4
    assert (found.attempts, found.baseline) == (2, 0.5)


def test_a_time_limit_must_be_positive():
    with pytest.raises(ValueError, match="time_limit"):
        MinimalityAttack(time_limit=0)


@pytest.mark.slow
def test_what_was_withheld_does_not_help():
    """Tables that publish the same rows are one to the attacker, whatever secrets they keep back."""
    method = FullDomain(k=1, require=[LDiversity(2)], max_suppressed=2, measure="ncp")
    beliefs = {}
    for zips in itertools.product("ab", repeat=4):
        for secrets in itertools.product("xy", repeat=4):
            frame = pd.DataFrame({"zip": list(zips), "ill": list(secrets)})
            table = Table(frame, quasi=["zip"], sensitive=["ill"], hierarchies={"zip": Hierarchy.flat()})
            try:
                release = method.anonymize(table)
            except Infeasible:
                continue
            if release.n_suppressed and len(release):
                targets = MinimalityAttack(worlds=12).run(release, table).targets
                targets = targets[targets["row"].isin(release.rows)]
                seen = zips, tuple(release.rows), tuple(release.frame["zip"]), tuple(release.frame["ill"])
                beliefs.setdefault(seen, []).append(targets["after"].tolist())
    assert any(len(told) > 1 for told in beliefs.values())
    for told in beliefs.values():
        assert all(after == told[0] for after in told)


def test_minimality_finds_nothing_where_the_method_does_not_look_at_the_secret():
    table = anonnb.load("survey")
    result = MinimalityAttack(worlds=30).run(Mondrian(k=4).anonymize(table), table)
    assert result.info["classes with a refused cut"] == result.sure == 0
    assert (result.targets["before"] == result.targets["after"]).all()


def test_minimality_rejects_worlds_where_the_method_would_have_cut():
    # Two ages, two people each. One secret is shared by both of age 1, so 2-diversity forbids the cut; had the secrets
    # been mixed, Mondrian would have cut. Only worlds with equal secrets within an age are left.
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "ill": ["flu", "flu", "cold", "cold"]})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    release = Mondrian(k=2, require=[LDiversity(2)]).anonymize(table)
    assert release.n_groups == 1
    result = MinimalityAttack(worlds=200).run(release, table)
    assert 0 < result.info["worlds kept"] < 200


def all_worlds(release):
    """How often each row has each secret in all permutations within classes that make the method publish the same."""
    table, groups = release.table, release.secret_groups
    members = [np.flatnonzero(groups == group) for group in range(release.n_groups)]
    own, seen, kept = table.frame["d"].to_numpy(), [dict.fromkeys("xy", 0) for _ in range(len(table))], 0
    for dealt in itertools.product(*({*itertools.permutations(own[rows])} for rows in members)):
        world = own.copy()
        for rows, part in zip(members, dealt, strict=True):
            world[rows] = part
        again = release.method.anonymize(Table(table.frame.assign(d=world), quasi=["b"], sensitive=["d"]))
        if again.frame["b"].tolist() == release.frame["b"].tolist():
            kept += 1
            for row, value in enumerate(world):
                seen[row][value] += 1
    return [{value: count / kept for value, count in part.items()} for part in seen]


@pytest.mark.parametrize("seed", range(6))
def test_everybody_is_guessed_as_by_a_list_of_all_worlds(seed):
    """People on the list by the worlds that fit; others by the nearest rows."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"b": np.sort(rng.integers(0, 5, 8)), "d": rng.permutation(list("xxxxyyyy"))})
    table = Table(frame, quasi=["b"], sensitive=["d"])
    release = Mondrian(k=2, require=[LDiversity(2)]).anonymize(table)
    worlds = all_worlds(release)
    others = Table(
        pd.DataFrame({"b": [-3, *range(8)], "d": ["x"] * 9}).set_axis(list("rstuvwxyz")), quasi=["b"], sensitive=["d"]
    )
    for people in (table, others):
        attacker = plain.Attacker(release, people, ["b"], "d")
        result = MinimalityAttack(worlds=400, seed=seed).run(release, people)
        noise = 4 * np.sqrt(0.25 / 200)
        guesses = result.targets if people is table else result.targets.sort_index()
        for person, line in enumerate(guesses.itertuples()):
            mates = [worlds[row] for row in np.flatnonzero(frame["b"] == people.frame["b"].iloc[person])]
            expected = (
                {value: np.mean([mate[value] for mate in mates]) for value in "xy"}
                if mates
                else attacker.beliefs(person)
            )
            assert abs(line.belief - expected[line.guess]) <= noise * bool(mates)
            assert expected[line.guess] >= 0.5 - noise * bool(mates)
        assert (
            result.right
            == (guesses["guess"].to_numpy() == people.frame["d"].to_numpy()).sum()
            == guesses["score"].sum()
        )
        assert result.attempts == len(people)


def test_the_worlds_do_not_depend_on_who_has_which_secret():
    """Which permutation of the secrets within the classes is true changes no belief."""
    frame = pd.DataFrame({"b": range(8), "d": list("xyxyxyxy")})
    beliefs = []
    for secrets in ("xyxyxyxy", "yxyxyxyx", "xyyxxyyx"):
        table = Table(frame.assign(d=list(secrets)), quasi=["b"], sensitive=["d"])
        release = Mondrian(k=4).anonymize(table)
        assert release.n_groups == 2
        beliefs.append(MinimalityAttack(worlds=30).run(release, table).targets[["guess", "belief", "sure"]])
    assert beliefs[0].equals(beliefs[1])
    assert beliefs[0].equals(beliefs[2])


def test_hidden_and_changed_secrets_are_refused():
    table = anonnb.load("survey")
    release = Mondrian(k=9).anonymize(table)
    column = release.columns["Hypertension"]
    for changed in (column.with_suppressed([0]), Column.original(column.attribute, 1 - table.codes("Hypertension"))):
        hidden = Release(table, {**release.columns, "Hypertension": changed}, release.rows, method=release.method)
        with pytest.raises(ValueError, match="hides or changes values of 'Hypertension'"):
            MinimalityAttack(worlds=10).run(hidden, table)


def test_a_control_is_asked_about_the_same_worlds(monkeypatch):
    table = anonnb.load("survey")
    inside, outside = table.take(np.arange(40)), table.take(np.arange(40, 66))
    release, runs = Mondrian(k=5, strict=False).anonymize(inside), []
    real = MinimalityAttack._gives
    monkeypatch.setattr(MinimalityAttack, "_gives", lambda self, *parts: runs.append(1) or real(self, *parts))
    MinimalityAttack(worlds=12).run(release, inside, control=outside)
    assert len(runs) == 12


def test_bad_parameters_are_explained(clinic):
    table, release = clinic
    with pytest.raises(ValueError, match="tells its method"):
        MinimalityAttack().run(release, table)


def test_people_are_known_by_the_index_and_any_of_them_can_be_attacked():
    table = anonnb.load("survey")
    release = Mondrian(k=9).anonymize(table)
    mixed = table.take(np.random.default_rng(0).permutation(len(table)))
    expected = MinimalityAttack(worlds=10).run(release, table).targets
    assert MinimalityAttack(worlds=10).run(release, mixed).targets.equals(expected)
    some = MinimalityAttack(worlds=10).run(release, table.take(np.arange(20))).targets
    assert some.equals(expected[expected["row"] < 20].reset_index(drop=True))


def test_nobody_is_sure_about_somebody_who_is_not_on_the_list():
    frame = pd.DataFrame({"age": [1, 1, 2, 2], "ill": ["flu", "flu", "cold", "cold"]})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    release = Mondrian(k=2, require=[LDiversity(2)]).anonymize(table)
    others = Table(frame.assign(age=[1, 3, 4, 5]).set_axis(list("wxyz"), axis=0), quasi=["age"], sensitive=["ill"])
    found = MinimalityAttack(worlds=50).run(release, others, control=others)
    assert (found.attempts, found.targets["class"].tolist()) == (4, [0, -1, -1, -1])
    assert not found.targets["sure"][1:].any()
    assert found.success == found.control


@pytest.mark.slow
@pytest.mark.parametrize("model", [LDiversity(2), AlphaK(0.5, 2), TCloseness(0.4)])
@pytest.mark.parametrize("ages", [(1, 1, 2, 2, 2), (1, 2, 3, 4, 5)])
def test_a_certain_guess_holds_in_every_original_of_the_release(model, ages):
    """All ways to give five people four illnesses; those with the same release are one to the attacker."""
    method, originals = Mondrian(k=2, require=[model]), {}
    for secrets in itertools.product("wxyz", repeat=5):
        table = Table(pd.DataFrame({"age": ages, "ill": secrets}), quasi=["age"], sensitive=["ill"])
        with contextlib.suppress(Infeasible):
            release = method.anonymize(table)
            groups = [tuple(np.flatnonzero(release.groups == group)) for group in range(release.n_groups)]
            seen = tuple((rows, tuple(sorted(secrets[row] for row in rows))) for rows in groups)
            originals.setdefault(seen, []).append((secrets, release))
    certain = 0
    for worlds in originals.values():
        targets = MinimalityAttack(worlds=120).run(worlds[0][1]).targets
        for line in targets.itertuples():
            same = [row for row in range(5) if ages[row] == ages[line.row]]
            has = {secrets[row] for secrets, _ in worlds for row in same}
            assert not line.certain or has == {line.guess}
            certain += line.certain
    assert certain > 0 or ages[0] != ages[1] or model != LDiversity(2)


def test_more_worlds_fit_class_by_class_and_whole_tables_agree():
    """Two people of 40 and four of 60: 24 of 360 ways leave one class, and in all of them both have HIV."""
    illnesses = ["HIV", "HIV", "flu", "cold", "gout", "asthma"]
    table = Table(pd.DataFrame({"age": [40] * 2 + [60] * 4, "ill": illnesses}), quasi=["age"], sensitive="ill")
    result = MinimalityAttack(worlds=400).run(Mondrian(k=2, require=[AlphaK(0.5, 2)]).anonymize(table), table)
    assert (result.info["worlds"], result.info["worlds kept"]) == (360, 24)
    assert result.targets["certain"].tolist() == [True] * 2 + [False] * 4
    assert result.targets["after"].tolist() == [1, 1] + [0.25] * 4
    sampled = MinimalityAttack(worlds=300).run(Mondrian(k=2, require=[AlphaK(0.5, 2)]).anonymize(table), table)
    assert sampled.sure == sampled.sure_right == 2
    assert not sampled.targets["certain"].any(), "not all ways were tried"


@pytest.mark.slow
@pytest.mark.parametrize("model", [LDiversity(2), TCloseness(0.3)])
def test_at_least_as_many_right_as_by_whole_tables_alone(model):
    """Over 20 tables of 60 people, with two draws of the worlds each."""
    few, right = anonnb.load("adult").with_roles(quasi=["age", "sex"], sensitive=["income"]), np.zeros(2)
    for start, seed in itertools.product(range(0, 1200, 60), range(2)):
        table = few.take(range(start, start + 60))
        release, attack = Mondrian(k=4, require=[model]).anonymize(table), MinimalityAttack(worlds=60, seed=seed)
        now = attack.run(release, table)
        with mock.patch.object(minimality, "worlds_by_region", return_value=None), contextlib.suppress(Infeasible):
            right += attack.run(release.replace(), table).right, now.right
    assert right[1] >= right[0] > 1000


@pytest.mark.slow
def test_adult_in_seconds():
    inside, outside = arena.halves(anonnb.load("adult"))
    start = time.process_time()
    for model in (LDiversity(2), TCloseness(0.3)):
        release = Mondrian(k=10, require=[model]).anonymize(inside)
        result = MinimalityAttack().run(release, inside, control=outside)
        assert result.info["classes with a refused cut"] > 0
    assert time.process_time() - start < 20
