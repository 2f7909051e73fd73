"""People and secrets in two files: both are written or none, and what they promise together is recounted."""

import pandas as pd
import pytest

from anonnb import Release, Table
from anonnb.core.card import Claim
from anonnb.methods import Anatomy
from anonnb.publishing.two_files import secrets_path, verify_pair
from anonnb.publishing.verification import Expectation, VerificationError
from anonnb.tables.grouped_secrets import GroupedSecrets

NAMES = ["group", "ill", "count"]
HALF = (Claim("Belief", {"l": 2}, "a belief of at most 1/2"),)


@pytest.fixture
def table():
    frame = pd.DataFrame({"age": [20, 30, 40, 50], "ill": ["flu", "flu", "cold", "cough"]})
    return Table(frame, quasi=["age"], sensitive=["ill"])


def verdict(folder, people, secrets, claims=HALF):
    first, second = folder / "a.csv", folder / "a-secrets.csv"
    first.write_text(people)
    second.write_text(secrets)
    return verify_pair(first, second, Expectation(quasi=("age",), other=("group",)), NAMES, claims)


PEOPLE = "age,group\n20,1\n30,1\n"


@pytest.mark.parametrize(
    ("people", "secrets", "says"),
    [
        (PEOPLE, "group,ill,count\n1,flu,2\n", "a share of 1;"),
        (PEOPLE, "group,ill,count\n1,flu,1\n1,flu,1\n", "a share of 1;"),
        (PEOPLE, "group,ill,count\n1,flu,1\n1,,1\n", "a share of 1;"),
        (PEOPLE, "group,ill,count\n1,flu,1\n1,cold,2\n", "not its rows"),
        (PEOPLE, "group,ill,count\n1,flu,1\n1,cold,x\n", "not its rows"),
        (PEOPLE, "group,ill,count\n1,flu,1\n1,cold,1\n2,flu,1\n", "the same groups"),
        (PEOPLE + "40,2\n", "group,ill,count\n1,flu,1\n1,cold,1\n", "the same groups"),
        (PEOPLE, "group,ill,times\n1,flu,1\n1,cold,1\n", "the columns of"),
        ("age,ill,group\n20,flu,1\n30,cold,1\n", "group,ill,count\n1,flu,1\n1,cold,1\n", "the column 'ill' a role"),
    ],
)
def test_files_that_break_the_promise_are_found_out(tmp_path, people, secrets, says):
    found = verdict(tmp_path, people, secrets)
    assert not found
    assert any(says in sentence for sentence in found.failures)


def test_files_that_keep_it_pass(tmp_path):
    found = verdict(tmp_path, PEOPLE, "group,ill,count\n1,flu,1\n1,cold,1\n")
    assert found
    assert found.figures["highest belief"] == 0.5
    assert found.figures["groups"] == 1


def test_a_release_that_breaks_its_promise_leaves_no_file(table, tmp_path):
    release = Anatomy(l=2).anonymize(table)
    flawed = Release(
        table,
        {},
        release.rows,
        method=release.method,
        secrets=GroupedSecrets.of("ill", table.codes("ill"), release.table.codes("age") // 2, 3),
    )
    with pytest.raises(VerificationError, match=r"people\.csv is not published: a belief of at most 1/2 is promised"):
        flawed.publish(tmp_path / "people.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_first_file_that_cannot_be_written_leaves_no_second(table, tmp_path):
    (tmp_path / "people.csv").mkdir()
    with pytest.raises(OSError):
        Anatomy(l=2).anonymize(table).publish(tmp_path / "people.csv")
    assert not secrets_path(tmp_path / "people.csv").exists()


def test_both_kinds_of_files_say_the_same(table, tmp_path):
    release = Anatomy(l=2).anonymize(table)
    for name in ("people.csv", "people.parquet"):
        path = release.publish(tmp_path / name)
        read = pd.read_csv if name.endswith("csv") else pd.read_parquet
        pd.testing.assert_frame_equal(read(path), release.published(), check_dtype=False)
        pd.testing.assert_frame_equal(read(secrets_path(path)), release.published_secrets(), check_dtype=False)


def test_names_that_are_taken_are_not_taken_again(tmp_path):
    frame = pd.DataFrame({"group": [1, 2, 3, 4], "count": list("aabb")})
    release = Anatomy(l=2).anonymize(Table(frame, quasi=["group"], sensitive=["count"]))
    path = release.publish(tmp_path / "people.csv")
    assert pd.read_csv(path).columns.tolist() == ["group", "group 2"]
    assert pd.read_csv(secrets_path(path)).columns.tolist() == ["group 2", "count", "count 2"]


def test_names_like_formulas_pass_for_spreadsheets(tmp_path):
    frame = pd.DataFrame({"=age": [20, 30, 40, 50], "-ill": list("aabb")})
    release = Anatomy(l=2).anonymize(Table(frame, quasi=["=age"], sensitive=["-ill"]))
    with pytest.warns(UserWarning, match="apostrophe"):
        path = release.publish(tmp_path / "people.csv", excel=True)
    assert pd.read_csv(path).columns.tolist() == ["'=age", "group"]


@pytest.mark.parametrize("taken", ["out.csv", "out-secrets.csv"])
def test_a_name_that_is_taken_meanwhile_stays_and_nothing_is_left(tmp_path, monkeypatch, taken):
    table = Table(pd.DataFrame({"zip": [1, 2, 3, 4], "ill": list("abab")}), quasi="zip", sensitive="ill")
    release = Anatomy(l=2).anonymize(table)
    published = Release.published

    def slow(self, also=()):  # after the names were found free
        (tmp_path / taken).write_text("theirs")
        return published(self, also)

    monkeypatch.setattr(Release, "published", slow)
    with pytest.raises(FileExistsError, match="exists already"):
        release.publish(tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == [taken]
    assert (tmp_path / taken).read_text() == "theirs"
