"""Linked households: what is promised is recounted from the published text, with a dictionary of sorted tuples."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anonnb
from anonnb import Hierarchy, Infeasible, Release, Table, privacy
from anonnb.attacks import LinkageAttack
from anonnb.methods import FullDomain, LinkedHouseholds, Mondrian
from anonnb.privacy import LDiversity
from anonnb.publishing.verification import Expectation, VerificationError, verify_file
from anonnb.tables.value_sets import Column

TREES = {"age": Hierarchy.intervals(20, 40), "sex": Hierarchy.flat(), "town": Hierarchy.flat()}
homes = st.lists(
    st.tuples(
        st.sampled_from(["A", "B"]),
        st.lists(st.tuples(st.integers(0, 79), st.sampled_from("fm")), min_size=1, max_size=4),
    ),
    min_size=3,
    max_size=14,
)


def table_of(households, **options):
    rows = [
        (7 * home + 3, town, age, sex, (age * 7 + home) % 3)
        for home, (town, people) in enumerate(households)
        for age, sex in people
    ]
    frame = pd.DataFrame(rows, columns=["home", "town", "age", "sex", "ill"]).sample(frac=1, random_state=1)
    roles = {"quasi": ["town", "age", "sex"], "sensitive": "ill", "household": ["home", "town"], "unit": "household"}
    return Table(frame.reset_index(drop=True), **{**roles, **options}, hierarchies=TREES)


def published(release, path):
    text = pd.read_csv(release.publish(path, overwrite=True), dtype=str, keep_default_na=False)
    return text, [tuple(row) for row in text[["town", "age", "sex"]].to_numpy()]


def kept_with_numbers(release):
    """Return a release with the household numbers of the table, as somebody might publish it."""
    table = release.table
    numbers = Column.original(table.attributes["home"], table.codes("home")[release.rows])
    return release.with_columns(home=numbers)


@settings(max_examples=100, deadline=None)
@given(households=homes, k=st.integers(2, 3), unlinked=st.sampled_from([0, 0.3, 0.9]))
def test_every_signature_is_shared_and_the_unlinked_are_many(households, k, unlinked, tmp_path_factory):
    table = table_of(households)
    try:
        release = LinkedHouseholds(k=k, max_unlinked=unlinked, max_suppressed=0.9).anonymize(table)
    except Infeasible:
        return
    text, cells = published(release, tmp_path_factory.getbasetemp() / "homes.csv")
    members = defaultdict(list)
    for number, row in zip(text["home"], cells, strict=True):
        members[number].append(row)
    alone = Counter(members.pop("", []))
    signatures = Counter(tuple(sorted(rows)) for rows in members.values())
    assert not signatures or min(signatures.values()) >= k
    numbers = release.household_numbers
    theirs, behind = release.frame[["town", "age", "sex"]].astype(str), table.households[release.rows]
    free = theirs[numbers < 0].assign(home=behind[numbers < 0])
    assert free.groupby(["town", "age", "sex"])["home"].nunique().min() >= k or not alone
    assert (pd.Series(behind[numbers >= 0]).groupby(numbers[numbers >= 0]).nunique() == 1).all()
    assert release.info["unlinked"] == len(np.unique(behind[numbers < 0]).tolist()) + len(
        set(table.households) - set(behind)
    )
    assert not set(text["home"]) & set(table.frame["home"].astype(str)) or len(members) > 2
    again = Release.from_frame(text, like=table, hidden="class")
    assert LinkageAttack(unit="household").run(again).info["at_most"] <= 1 / k
    assert again.household_numbers is not None
    assert sorted(again.group_sizes) == sorted(release.group_sizes)
    assert LinkageAttack(unit="household").run(release).info["prosecutor"] <= 1 / k
    assert privacy.k(release) >= k


def test_numbers_follow_from_what_is_published_alone(tmp_path):
    table = anonnb.load("silc").take(np.arange(600))
    shuffled = table.take(np.random.default_rng(0).permutation(len(table)))
    texts = [LinkedHouseholds(k=3).anonymize(each).publish(tmp_path / f"{place}.csv").read_text()
             for place, each in enumerate((table, shuffled))]  # fmt: skip
    assert texts[0] == texts[1]


def test_k_people_are_not_k_families():
    families = [("A", [(30, "f"), (30, "m")])] * 3 + [("A", [(30, "f"), (30, "f")]), ("A", [(30, "m"), (30, "m")])]
    table = table_of(families, unit="person")
    release = FullDomain(k=3, max_suppressed=0).anonymize(table)
    assert privacy.k(release) == 5
    linked = kept_with_numbers(release)
    assert privacy.k(linked) == 1  # two households read like no other
    found = LinkageAttack(unit="household").run(linked)
    assert (found.attempts, found.right, found.linked) == (5, 3.0, 5)  # 1/3 + 1/3 + 1/3 + 1 + 1
    assert "links 60.0 % of 5 households to their own household number" in found.summary


def test_the_gate_refuses_a_household_number_that_person_level_k_does_not_cover(tmp_path):
    table = anonnb.load("silc").with_roles(unit="person")
    release = FullDomain(k=5).anonymize(table)
    numbers = Column.original(table.attributes["household"], table.codes("household")[release.rows])
    with pytest.raises(VerificationError, match=r"'household' shows who lives together.*LinkedHouseholds"):
        release.with_columns(household=numbers).publish(tmp_path / "homes.csv")
    with pytest.raises(ValueError, match="one family; count households"):
        LinkedHouseholds(k=5).anonymize(table)
    with pytest.raises(KeyError, match="household"):
        release.publish(tmp_path / "homes.csv", also=["household"])


def test_a_file_alone_shows_households_as_far_as_they_have_numbers(tmp_path):
    table = anonnb.load("silc")
    release = LinkedHouseholds(k=5).anonymize(table)
    path = release.publish(tmp_path / "homes.csv")
    expected = Expectation(quasi=tuple(table.quasi), sensitive=("income",), household="household",
                           claims=release.promise.claims, identifiers=("household",))  # fmt: skip
    assert verify_file(path, replace(expected, most_rows_each=1)).passed[-1].startswith("every class, of people in")
    assert "which of the people without" in verify_file(path, replace(expected, most_rows_each=7)).unchecked[-1]
    text = path.read_text().splitlines()
    cut = [line for line in text if not line.startswith(text[1].split(",")[0] + ",")]  # without the first household
    path.write_text("\n".join([*cut, text[1]]) + "\n")
    people = np.arange(len(cut)), np.zeros(len(cut), dtype=np.int64)
    assert "not one for each household" in verify_file(path, replace(expected, people=people)).failures[-1]


def test_a_household_has_one_published_weight_which_k_share(tmp_path):
    release = LinkedHouseholds(k=5).anonymize(anonnb.load("silc")).with_grouped_weights()
    text = pd.read_csv(release.publish(tmp_path / "weights.csv"))
    linked = text.dropna(subset="household")
    assert (linked.groupby("household")["weight"].nunique() == 1).all()
    homes = linked.groupby("household").agg(lambda rows: tuple(sorted(map(str, rows)))).drop(columns="income")
    assert homes.groupby(homes.columns.tolist()).size().min() >= 5
    assert text["weight"].sum() == pytest.approx(release.row_weights.sum(), rel=1e-6)


def test_matching_families_finds_what_independent_members_do_not():
    people = anonnb.load("silc").frame
    people["age"] //= 10
    table = Table(people, quasi=["region", "age", "sex"], household="household", weight="weight")
    risk = privacy.global_risk(table)
    assert risk.signatures > 10 * risk.households
    linked = privacy.global_risk(LinkedHouseholds(k=5).anonymize(anonnb.load("silc")))
    assert linked.signatures < risk.signatures / 5
    first = people.drop_duplicates("household")
    alone = privacy.global_risk(Table(first, quasi=["sex"], household="household", weight="weight"))
    assert alone.signatures == pytest.approx(alone.expected) == pytest.approx(alone.households, rel=1e-3)


def test_households_with_the_same_secret_are_unlinked_if_diversity_is_required():
    families = [("A", [(30, "f"), (50, "m")])] * 12 + [("B", [(30, "f")])] * 9
    release = LinkedHouseholds(k=3, require=LDiversity(2)).anonymize(table_of(families))
    assert privacy.l(release) >= 2
    assert LinkedHouseholds(k=3).anonymize(table_of(families)).info["unlinked"] == 0


@pytest.mark.parametrize("method", [Mondrian(k=4), FullDomain(k=4)])
def test_k_counts_households(method):
    table = table_of([("A", [(30, "f")] * 4)] * 5 + [("B", [(50, "m")] * 3)] * 6)
    release = method.anonymize(table)
    behind = pd.Series(table.households[release.rows]).groupby(release.groups).nunique()
    assert behind.min() == privacy.k(release) >= 4


def test_the_column_of_the_household_may_have_been_left_out(tmp_path):
    table = table_of([("A", [(30, "f"), (50, "m")])] * 6)
    release = LinkedHouseholds(k=3).anonymize(table.select([name for name in table.columns if name != "home"]))
    assert len(published(release, tmp_path / "homes.csv")[0]["home"].unique()) == 6


def test_without_households_everybody_is_one():
    release = LinkedHouseholds(k=4).anonymize(anonnb.load("survey"))
    assert release.household_numbers is None
    assert privacy.k(release) >= 4


def test_an_attack_on_households_needs_their_numbers_and_one_recoding():
    table = table_of([("A", [(30, "f"), (50, "m")])] * 6 + [("B", [(70, "f")])] * 6)
    with pytest.raises(ValueError, match="shows no household numbers"):
        LinkageAttack(unit="household").run(Release.of(table))
    plain = Table(table.frame, quasi=["town", "age", "sex"])
    release = LinkedHouseholds(k=3).anonymize(table)
    with pytest.raises(ValueError, match="name no household"):
        LinkageAttack(unit="household").run(release, plain)
    overlapping = kept_with_numbers(release).with_columns(
        age=Column.from_spans(table.attributes["age"], np.zeros(len(table)), np.arange(len(table)) % 2 + 1)
    )
    with pytest.raises(ValueError, match="fits several classes"):
        LinkageAttack(unit="household").run(overlapping, table)
    assert LinkageAttack(unit="household", known=["sex"]).run(release).targets["households"].sum() == 12
