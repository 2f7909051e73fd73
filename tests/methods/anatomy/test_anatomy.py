"""Anatomy: what the two published files say, recounted by plain code that shares nothing with the method."""

import csv
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Infeasible, Release, Table, attacks, privacy
from anonnb.methods import Anatomy
from anonnb.methods.anatomy.groups import largest_l, turns
from anonnb.publishing.two_files import secrets_path


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return header, rows


def people(secrets, **more):
    ages = range(20, 20 + len(secrets))
    return Table(pd.DataFrame({"age": ages, "ill": secrets, **more}), quasi=["age"], sensitive=["ill"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("anatomy")


@pytest.mark.slow
@settings(max_examples=150)
@given(
    st.lists(st.sampled_from("abcdefg"), min_size=2, max_size=40),
    st.integers(2, 6),
    st.integers(0, 5),
    st.integers(0, 4),
)
def test_the_two_files_keep_the_promise(folder, secrets, l, seed, without):  # noqa: E741
    table = people([*secrets, *([None] * without)])
    largest = len(secrets) // Counter(secrets).most_common(1)[0][1]
    if l > largest:
        with pytest.raises(Infeasible) as refused:
            Anatomy(l=l, seed=seed).anonymize(table)
        assert refused.value.best == largest
        if largest < 2:
            return
        l = largest  # noqa: E741
    path = Anatomy(l=l, seed=seed).anonymize(table).publish(folder / "people.csv", overwrite=True)
    header, first = rows_of(path)
    assert header == ["age", "group"]
    second_header, second = rows_of(secrets_path(path))
    assert second_header == ["group", "ill", "count"]
    counts = defaultdict(Counter)
    for group, secret, count in second:
        counts[group][secret] += int(count)
    members = Counter(group for _, group in first)
    own = dict(zip(table.frame["age"].astype(str), table.frame["ill"].fillna(""), strict=True))
    assert {group: sum(found.values()) for group, found in counts.items()} == members
    assert sum(counts.values(), Counter()) == Counter(own.values())
    assert all(counts[group][own[age]] for age, group in first)
    assert sorted(age for age, _ in first) == sorted(own)
    for found in counts.values():
        known = {secret: count for secret, count in found.items() if secret}
        assert len(known) >= l
        assert set(known.values()) == {1}  # the residue too goes where its secret is not yet


@given(st.lists(st.integers(1, 9), min_size=2, max_size=7), st.integers(2, 5))
def test_at_most_one_row_of_a_secret_is_left(counts, l):  # noqa: E741
    counts = np.array(counts)
    if largest_l(counts) < l:
        return
    left = counts - np.bincount(np.ravel(turns(counts, l)), minlength=len(counts))
    assert left.max() <= 1
    assert left.sum() < l


def test_the_largest_l_is_named_and_works():
    table = people(list("aaabbc"))
    with pytest.raises(
        Infeasible, match="'a' has 3 of 6 rows, more than 1/3 of them; the largest l possible is 2"
    ) as no:
        Anatomy(l=3).anonymize(table)
    assert [remedy.words for remedy in no.value.remedies] == ["l=2"]
    assert Anatomy(l=2).anonymize(table).secrets.highest_share == 0.5
    with pytest.raises(Infeasible, match="no l above 1 is possible"):
        Anatomy(l=2).anonymize(people(list("aab")))
    with pytest.raises(Infeasible, match="column 'ill' has no values"):
        Anatomy(l=2).anonymize(people([None, None]))


def test_refusals_say_what_to_do():
    table = people(list("aabb"))
    with pytest.raises(ValueError, match="Anatomy needs a sensitive column; name it"):
        Anatomy().anonymize(table.with_roles(sensitive=[]))
    with pytest.raises(KeyError, match="column='age' is not a sensitive column"):
        Anatomy(column="age").anonymize(table)
    visits = people(list("aabb"), who=[1, 1, 2, 3]).with_roles(person="who")
    with pytest.raises(ValueError, match="counts rows, not people, and the 4 rows are those of 3 people"):
        Anatomy().anonymize(visits)
    own = people(list("aabb"), who=[1, 2, 3, 4]).with_roles(person="who")
    assert "who" not in Anatomy().anonymize(own).published()


def test_one_sensitive_column_is_published_and_the_others_are_not(tmp_path):
    table = people(list("aabb"), pay=[10, 20, 30, 40]).with_roles(sensitive=["ill", "pay"])
    release = Anatomy(column="pay").anonymize(table)
    path = release.publish(tmp_path / "people.csv")
    assert rows_of(path)[0] == ["age", "group"]
    assert rows_of(secrets_path(path))[0] == ["group", "pay", "count"]
    assert release.told() == ["not published, as only one sensitive column is: ill"]


def test_a_decision_that_is_the_secret_stays_out_of_the_first_file():
    table = people(list("aabb")).with_roles(decision="ill", sensitive=["ill"])
    assert list(Anatomy().anonymize(table).published()) == ["age", "group"]


def test_the_seed_decides_who_shares_a_group():
    table = people(list("aabbccddee") * 3)
    first, again, other = (Anatomy(l=3, seed=seed).anonymize(table).published() for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert not first["age"].equals(other["age"])


def test_measures_and_models_see_the_belief_that_is_left():
    table = people(list("aabbcc"))
    release = Anatomy(l=3).anonymize(table)
    assert privacy.k(release) == 1
    assert privacy.l(release) == 3
    assert privacy.alpha_k(release)[0] == pytest.approx(1 / 3)
    assert privacy.entropy_l(release) == pytest.approx(3)
    assert privacy.recursive_c_l(release) == (pytest.approx(1), 3)
    assert privacy.t(release) == pytest.approx(0)
    assert privacy.LDiversity(3).holds(release).all()
    assert not privacy.LDiversity(4).holds(release).any()
    assert privacy.TCloseness(0.01).holds(release).all()
    report = privacy.report(release).set_index("measure")["value"]
    assert report["highest belief"] == pytest.approx(1 / 3)


def test_a_class_in_two_groups_has_the_secrets_of_both_by_their_shares():
    frame = pd.DataFrame({"age": [20, 20, 30, 30], "ill": list("abca")})
    table = Table(frame, quasi=["age"], sensitive=["ill"])
    release = Anatomy(l=2, seed=3).anonymize(table)
    together = release.secrets.group[0] == release.secrets.group[1]
    belief = {"a": 0.5, "b": 0.5} if together else {"a": 0.5, "b": 0.25, "c": 0.25}
    counts, reference = privacy.classes.Classes(release).counts("ill")
    shares = {"abc"[value]: share for owner, value, share in zip(counts.owner, counts.value, counts.share, strict=True)
              if owner == release.groups[0]}  # fmt: skip
    assert shares == pytest.approx(belief)
    assert reference.share.tolist() == [0.5, 0.25, 0.25]


def test_attacks_read_the_groups():
    table = anonnb.load("adult").with_roles(sensitive=["occupation"]).take(np.arange(300))
    release = Anatomy(l=3).anonymize(table)
    assert attacks.HomogeneityAttack().run(release, table).sure == 0
    skewed = attacks.SkewnessAttack(belief=0.3).run(release, table)
    assert skewed.targets["belief"].max() <= 1 / 3 + 1e-9
    background = attacks.BackgroundAttack(ruled_out=2).run(release, table)
    assert background.sure_right == background.sure > 150
    with pytest.raises(Infeasible):  # the seed binds rows to groups, so no shuffled world gives the same groups
        attacks.MinimalityAttack(worlds=5).run(release, table)


def test_two_frames_are_read_back_as_the_same_release():
    table = anonnb.load("adult").with_roles(sensitive=["occupation"]).take(np.arange(200))
    release = Anatomy(l=4).anonymize(table)
    back = Release.from_frame(release.published(), table, secrets=release.published_secrets())
    pd.testing.assert_frame_equal(back.published(), release.published())
    pd.testing.assert_frame_equal(back.published_secrets(), release.published_secrets())
    assert attacks.SkewnessAttack().run(back, table).success == attacks.SkewnessAttack().run(release, table).success
