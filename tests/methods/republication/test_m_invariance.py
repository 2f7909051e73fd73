"""m-invariance: sequences of releases, recounted from what is published, and against the intersection attack."""

import pickle
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Table
from anonnb.attacks import IntersectionAttack
from anonnb.methods import Anatomy, MInvariance, Mondrian
from anonnb.methods.republication.buckets import Buckets, groups_of
from anonnb.publishing.two_files import secrets_path

SECRETS = "abcde"


def table_of(everybody, present):
    frame = pd.DataFrame([everybody[person] for person in present], columns=["age", "ill"], index=list(present))
    return Table(frame, quasi=["age"], sensitive=["ill"])


def shown(release, path):
    """Group → (rows, secrets, counterfeits), read from the two files."""
    release.publish(path, overwrite=True)
    people, secrets = pd.read_csv(path), pd.read_csv(secrets_path(path))
    return {
        group: (int((people["group"] == group).sum()), part["ill"].tolist(), int(part["counterfeits"].iloc[0]))
        for group, part in secrets.groupby("group")
    }


def sets_of(release):
    """Everybody's set of secrets."""
    secrets = release.secrets
    labels = release.columns["ill"].attribute.labels
    sets = defaultdict(set)
    for owner, value in zip(secrets.owner, secrets.value, strict=True):
        sets[owner].add(labels[value])
    return {person: sets[group] for person, group in zip(release.table.index, secrets.group, strict=True)}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("sequence") / "people.csv"


@st.composite
def sequences(draw):
    """Who has which age and secret, and who is in the table at each time."""
    ages_and_secrets = st.tuples(st.integers(0, 30), st.sampled_from(SECRETS))
    everybody = draw(st.lists(ages_and_secrets, min_size=8, max_size=30))
    people = st.sets(st.integers(0, len(everybody) - 1), min_size=1)
    return everybody, [sorted(draw(people)) for _ in range(draw(st.integers(2, 6)))]


@pytest.mark.slow
@settings(max_examples=60)
@given(sequences(), st.integers(2, 3), st.integers(0, 3))
def test_nobody_is_known_better_from_all_releases_than_with_one_in_m(path, sequence, m, seed):
    everybody, times = sequence
    try:
        release = MInvariance(m=m, seed=seed).anonymize(table_of(everybody, times[0]))
    except Infeasible:
        return
    left = sets_of(release)
    releases = [release]
    for present in times[1:]:
        releases.append(releases[-1].update(table_of(everybody, present)))
        for person, found in sets_of(releases[-1]).items():
            left[person] = left.get(person, found) & found
    for release, present in zip(releases, times, strict=True):
        groups = shown(release, path)
        assert sum(rows for rows, _, _ in groups.values()) == len(present)
        for rows, secrets, counterfeits in groups.values():
            assert rows >= 1
            assert len(set(secrets)) == len(secrets) == rows + counterfeits >= m
    for person, found in left.items():
        assert everybody[person][1] in found
        assert len(found) >= m  # each is equally likely: the belief is at most 1/m


def test_a_table_that_stays_as_it_is_needs_no_counterfeits():
    table = anonnb.load("adult").with_roles(sensitive=["occupation"]).take(np.arange(400))
    first = MInvariance(m=4).anonymize(table)
    second = first.update(table)
    assert second.secrets.counterfeits.sum() == 0
    assert first.secrets.counterfeits.sum() == 0


def test_counterfeits_stand_in_for_those_who_left():
    everybody = [(20, "a"), (30, "b"), (40, "a"), (50, "b")]
    first = MInvariance(m=2).anonymize(table_of(everybody, range(4)))
    second = first.update(table_of(everybody, [0, 1, 2]))
    assert second.secrets.counterfeits.sum() == 1
    assert second.told() == ["counterfeits that stand in for people who are not in the table: 1"]
    assert first.told() == []
    assert second.promise.facts(second.table, second)["counterfeits"] == 1


def test_newcomers_take_the_place_of_counterfeits():
    everybody = [(20, "a"), (30, "b"), (25, "b"), (40, "a"), (45, "b")]
    first = MInvariance(m=2).anonymize(table_of(everybody, [0, 1]))
    second = first.update(table_of(everybody, [0, 2]))  # a second b comes where the first left
    assert second.secrets.counterfeits.sum() == 0
    alone = first.update(table_of(everybody, [0, 1, 2]))  # nobody is there to be grouped with
    assert alone.secrets.counterfeits.sum() == 1


def test_somebody_who_returns_keeps_the_signature():
    everybody = [(20, "a"), (30, "b"), (40, "c"), (50, "d"), (60, "a"), (70, "b")]
    first = MInvariance(m=2).anonymize(table_of(everybody, range(6)))
    third = first.update(table_of(everybody, range(1, 6))).update(table_of(everybody, range(6)))
    assert sets_of(third)[0] == sets_of(first)[0]
    assert sets_of(pickle.loads(pickle.dumps(first)).update(table_of(everybody, [0])))[0] == sets_of(first)[0]


def test_people_are_known_by_their_column_where_there_is_one():
    frame = pd.DataFrame({"age": [20, 30, 40, 50], "ill": list("abcd"), "who": list("wxyz")})
    roles = {"quasi": ["age"], "sensitive": ["ill"], "person": "who"}
    first = MInvariance(m=2).anonymize(Table(frame, **roles))
    second = first.update(Table(frame.iloc[::-1].reset_index(drop=True), **roles))
    before, after = sets_of(first), sets_of(second)
    assert [before[row] for row in range(4)] == [after[3 - row] for row in range(4)]


def test_refusals_say_what_to_do():
    everybody = [(20, "a"), (30, "b"), (40, "c")]
    first = MInvariance(m=2).anonymize(table_of(everybody, [0, 1]))
    changed = table_of([(20, "c"), (30, "b"), (40, "c")], range(3))
    with pytest.raises(ValueError, match="0 has 'c' in column 'ill' now, which was not among their group's values"):
        first.update(changed)
    twice = Table(pd.DataFrame({"age": [1, 2], "ill": list("ab")}, index=[7, 7]), quasi=["age"], sensitive=["ill"])
    with pytest.raises(ValueError, match="index, which has 7 twice"):
        first.update(twice)
    with pytest.raises(TypeError, match="not DataFrame; wrap it"):
        first.update(changed.frame)
    with pytest.raises(ValueError, match=r"Mondrian\(\) does not take earlier releases into account; use MInvariance"):
        Mondrian().anonymize(changed).update(changed)
    with pytest.raises(ValueError, match="column 'ill' has no value in 1 rows"):
        MInvariance().anonymize(table_of([(1, None), (2, "a"), (3, "b")], range(3)))
    with pytest.raises(Infeasible, match="the largest m possible is 3") as refused:
        MInvariance(m=5).anonymize(table_of(everybody, range(3)))
    assert refused.value.best == 3


def test_a_balanced_bucket_leaves_groupable_newcomers():
    buckets = Buckets(np.array([0, 1, 1, 0, 1]), {(0, 1): {0: [0], 1: []}})
    assert buckets.balance(np.array([1, 2, 3]), 2).tolist() == [2, 3]
    kept = Buckets(np.array([0, 1, 0]), {(0, 1): {0: [0], 1: []}})
    assert kept.balance(np.array([1, 2]), 2).tolist() == [1, 2]  # without the first the second could not be grouped


def test_newcomers_with_one_frequent_secret_need_few_counterfeits():
    everybody = [(20, "a"), (30, "b"), *((40, "a"),) * 5, (41, "b"), (42, "c")]
    first = MInvariance(m=2).anonymize(table_of(everybody, [0, 1]))
    second = first.update(table_of(everybody, range(9)))
    assert second.secrets.counterfeits.sum() == 3  # b and c each go with an a, three more stand alone


@given(st.integers(1, 6), st.integers(2, 4), st.integers(0, 9))
def test_a_bucket_is_split_into_one_row_of_each_secret(count, width, seed):
    rng = np.random.default_rng(seed)
    rows = np.arange(count * width).reshape(width, count)
    bucket = {
        secret: list(part[: count if secret == 0 else rng.integers(0, count + 1)]) for secret, part in enumerate(rows)
    }
    groups = list(groups_of(bucket, rng.random((count * width, 2))))
    assert len(groups) == count
    for group in groups:
        assert len({row // count for row in group}) == len(group)
    assert sorted(row for group in groups for row in group) == sorted(row for part in bucket.values() for row in part)


@pytest.fixture(scope="module")
def changing():
    """Adult at two times: a third leaves, as many join."""
    names = ["age", "sex", "education-num"]
    adult = anonnb.load("adult").select([*names, "occupation"]).with_roles(quasi=names, sensitive=["occupation"])
    return adult.take(np.arange(900)), adult.take(np.arange(300, 1200))


def test_the_intersection_attack_breaks_independent_releases_and_not_these(changing):
    before, after = changing
    both = before.take(np.arange(300, 900))
    first = MInvariance(m=3).anonymize(before)
    kept = IntersectionAttack(other=first.update(after)).run(first, both)
    assert kept.sure == 0
    apart = [Anatomy(l=3, seed=seed).anonymize(table) for seed, table in enumerate(changing)]
    broken = IntersectionAttack(other=apart[1]).run(apart[0], both)
    assert broken.sure_right > 50
    assert broken.info["sure alone"] == 0


# ---- a sequence that was begun elsewhere --------------------------------------------------------------------------


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1))
def test_resuming_with_the_signatures_of_a_release_is_updating_it(seed):
    rng = np.random.default_rng(seed)
    everybody = {number: (int(rng.integers(20, 60)), SECRETS[number % 5]) for number in range(30)}
    first = MInvariance(m=3).anonymize(table_of(everybody, range(20)))
    after = table_of(everybody, sorted(rng.permutation(30)[:20].tolist()))
    updated = first.update(after)
    resumed = MInvariance(m=3).resume(after, sets_of(first))
    pd.testing.assert_frame_equal(updated.published(), resumed.published())
    pd.testing.assert_frame_equal(updated.published_secrets(), resumed.published_secrets())


def test_signatures_that_cannot_be_kept_are_refused():
    table = table_of({0: (20, "a"), 1: (30, "b")}, [0, 1])
    with pytest.raises(ValueError, match="needs 2 or more different secrets"):
        MInvariance(m=2).resume(table, {0: ["a"]})
    with pytest.raises(ValueError, match="was not among their group's values"):
        MInvariance(m=2).resume(table, {0: ["b", "c"]})
