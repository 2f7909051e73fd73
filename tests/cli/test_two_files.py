"""Releases in two files on the command line: written, attacked and checked as a pair."""

import pandas as pd
import pytest

from tests.cli.test_commands import call, refused


@pytest.fixture
def roles(tmp_path):
    frame = pd.DataFrame({"age": range(20, 44), "ill": list("aabbccddeeff") * 2})
    frame.to_csv(tmp_path / "people.csv", index=False)
    return "--quasi", "age", "--sensitive", "ill"


def anonymized(tmp_path, roles, *more):
    return call("anonymize", tmp_path / "people.csv", *roles, "--method", "Anatomy", *more, "-o", tmp_path / "out.csv")


def test_both_files_are_named_and_read_again(tmp_path, roles):
    done = anonymized(tmp_path, roles, "--param", "l=3")
    assert done.exit_code == 0
    assert f"published to {tmp_path / 'out.csv'} and {tmp_path / 'out-secrets.csv'}" in done.stdout
    assert "highest belief                 0.3333" in done.stdout
    against = ("--against", tmp_path / "people.csv", *roles)
    attacked = call("attack", tmp_path / "out.csv", *against, "--attack", "HomogeneityAttack")
    assert "the secrets of its groups are those of" in attacked.stderr
    assert "the attacker would be sure about none of 24 people;" in attacked.stdout
    checked = call("check", tmp_path / "out.csv", *against)
    assert checked.exit_code == 0
    assert "the counts of all 8 groups are those of their rows" in checked.stdout
    assert "the highest belief in a value of 'ill' is 0.3333" in checked.stdout
    secrets = tmp_path / "out-secrets.csv"
    secrets.write_text(secrets.read_text().replace(",1\n", ",2\n", 1))
    assert "failed       the counts of a group are not its rows" in call("check", tmp_path / "out.csv", *against).stdout


def test_a_second_file_that_exists_is_kept(tmp_path, roles):
    (tmp_path / "out-secrets.csv").write_text("mine")
    refused(anonymized(tmp_path, roles), "out-secrets.csv exists already; choose another name or add --force")
    assert (tmp_path / "out-secrets.csv").read_text() == "mine"
    assert not (tmp_path / "out.csv").exists()


def test_the_largest_l_is_said_as_an_option(tmp_path, roles):
    found = anonymized(tmp_path, roles, "--param", "l=7")
    assert found.exit_code == 1
    assert "the largest l possible is 6; --param l=6 would do" in found.stderr


def test_the_manifest_of_a_project_knows_both_files(tmp_path, roles):
    (tmp_path / "people.yaml").write_text(
        "anonnb: 1\nreviewed: A. Name, 2026-01-31\ndata: people.csv\n"
        "columns:\n  age: {role: quasi-identifier}\n  ill: {role: sensitive}\n"
        "method: {name: Anatomy, l: 3}\n"
    )
    project = ("--project", tmp_path / "people.yaml")
    assert call("anonymize", *project, "-o", tmp_path / "out.csv").exit_code == 0
    assert call("check", tmp_path / "out.csv", *project).exit_code == 0
    secrets = tmp_path / "out-secrets.csv"
    secrets.write_text(secrets.read_text().replace('"a"', '"z"'))  # every count and share stays as it was
    said = call("check", tmp_path / "out.csv", *project).stdout
    assert "failed       out-secrets.csv is not the second file that out.manifest.json describes" in said
    secrets.unlink()
    assert call("check", tmp_path / "out.csv", *project).exit_code == 1
