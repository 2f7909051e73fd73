"""The project file: what it says, every mistake with its line, and what lies beside a release."""

import json
import re
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml
from click.testing import CliRunner

from anonnb.cli import main
from anonnb.publishing.project import ProjectError, read_project
from anonnb.publishing.project_text import draft_project

DATA = Path(__file__).parent / "data"

GOOD = (DATA / "project.yaml").read_text(encoding="utf-8")


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "people.yaml"
        path.write_text(text, encoding="utf-8")
        return read_project(path)

    return read


def test_a_project_says_what_options_say(read, tmp_path):
    project = read(GOOD)
    assert project.command_options() == {
        "file": str(tmp_path / "people.csv"),
        "quasi": ("age", "no"),
        "sensitive": ("pay",),
        "identifier": ("id",),
        "decision": "pay",
        "person": "id",
        "also": ("lat",),
        "unknown_outside": ("lat",),
        "kinds": ("no=nominal",),
        "orders": ("pay=low,mid,high",),
        "hierarchies": ("age=intervals 5 10",),
        "require": ("LDiversity(2)",),
        "suppression_limit": 0.1,
        "sep": ";",
        "missing": "drop",
        "method_name": "Mondrian",
        "k": 5,
        "seed": 3,
        "params": ("strict=true",),
    }
    assert project.suppression_limit == 0.1


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (("data:", "dat:"), 2, "there is no key 'dat'; did you mean data?"),
        (("role: identifier", "role: identifer"), 6, "'identifer' is no role; did you mean identifier?"),
        (("kind: nominal", "kind: text"), 8, "'text' is no kind"),
        (("k: 5", "k: five"), 12, "k is 'five', but it must be a whole number"),
        (("0.1", "10"), 14, "suppression_limit is '10', but it must be a share"),
        (("person: id", "person: di"), 4, "there is no column 'di'"),
        (("  note: {}", "  age: {}"), 11, "the key 'age' of columns is given twice"),
        (("role: also", "role: left out"), 10, "known_outside is for columns with the role also"),
        (("[sensitive, decision]", "[sensitive, identifier]"), 9, "cannot be sensitive and identifier"),
        (("anonnb: 1", "anonnb: 2"), 1, "must say anonnb: 1"),
        (("name: Mondrian, ", ""), 12, "method has parameters but no name"),
        (("  note: {}", "  note: [1"), 12, "this is no YAML"),
        (("intervals 5 10", "intervals 5 10, weight: heavy"), 7, "weight is 'heavy', but it must be a number above 0"),
        (("missing: drop", "missing: hide"), 3, "'hide' is no way with missing values"),
        (("LDiversity(2)", "LDivresity(2)"), 13, "require: 'LDivresity(2)': there is no privacy model 'LDivresity'"),
        (("LDiversity(2)", "LDiversity(0)"), 13, "require: "),
        (("LDiversity(2)", "KMap(2)"), 13, "name their table: population: FILE"),
    ],
)
def test_every_mistake_has_its_line(read, change, line, said):
    with pytest.raises(ProjectError) as error:
        read(GOOD.replace(*change))
    assert any(one.startswith(f"people.yaml, line {line}: ") and said in one for one in error.value.mistakes)


def test_all_mistakes_are_told_at_once(read):
    with pytest.raises(ProjectError) as error:
        read(GOOD.replace("0.1", "x").replace("k: 5", "k: five"))
    assert len(error.value.mistakes) == 2


@pytest.mark.parametrize("name", ["no", "2", "a: b", "# c", " d ", "e\nf", "'g", "{h", "naïve", "null", "-"])
def test_any_column_name_survives_the_draft(read, name):
    frame = pd.DataFrame({name: [1, 2], "age": [3, 4]})
    project = read(draft_project(frame, Path("p.csv"), Path(), {}))
    assert [column.name for column in project.columns] == [name, "age"]


# ---- as its user runs it ---------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(
        {
            "patient_id": [f"p{i}" for i in range(200)],
            "age": [20 + i * 7 % 40 for i in range(200)],
            "zip": [f"0{i % 4}" for i in range(200)],
            "diagnosis": [("flu", "cold", "<b>ulcer</b>")[i % 3] for i in range(200)],
        }
    )
    frame.to_csv("patients.csv", index=False)

    def run(*words):
        return CliRunner().invoke(main, [str(word) for word in words])

    assert run("init", "patients.csv").exit_code == 0
    draft = Path("patients.yaml").read_text()
    Path("patients.yaml").write_text(draft + "reviewed: A. Name, 2026-01-31\n")
    return run


def test_from_a_table_to_a_release_with_its_papers(run, tmp_path):
    roles = [column.roles[0] for column in read_project("patients.yaml").columns]
    assert roles == ["identifier", "quasi-identifier", "quasi-identifier", "sensitive"]
    assert run("audit", "--project", "patients.yaml").exit_code == 0
    made = run("anonymize", "--project", "patients.yaml", "-o", "first.csv")
    assert made.exit_code == 0, made.output
    assert run("check", "first.csv", "--project", "patients.yaml").exit_code == 0
    before = {name: (tmp_path / name).read_bytes() for name in ("first.csv", "first.manifest.json", "first.html")}
    assert run("anonymize", "--project", "patients.yaml", "-o", "first.csv", "--force").exit_code == 0
    assert before == {name: (tmp_path / name).read_bytes() for name in before}
    manifest = json.loads(before["first.manifest.json"])
    assert manifest["recounted"]["k"] >= 5
    assert all(one["passed"] is not False for one in manifest["checks"])
    page = before["first.html"].decode()
    assert "<b>ulcer" not in page
    assert "p17" not in page
    assert "http" not in page


def test_a_project_file_is_an_argument_like_any_other(run, tmp_path):
    assert "require: [LDiversity(2)]" in (tmp_path / "patients.yaml").read_text()
    assert run("audit", "patients.yaml").output == run("audit", "--project", "patients.yaml").output
    made = run("anonymize", "patients.yaml", "-o", "first.csv")
    assert made.exit_code == 0, made.output
    assert "LDiversity(l=2)" in made.output
    for words in (("check", "first.csv", "patients.yaml"), ("attack", "patients.yaml", "first.csv")):
        result = run(*words)
        assert result.exit_code == 0, result.output
    assert run("compare", "patients.yaml", "--method", "Mondrian").exit_code == 0
    assert "nobody.yaml cannot be read: No such file" in run("audit", "nobody.yaml").stderr
    short, whole = (run("compare", option).output for option in ("--help", "--help-table"))
    assert "\n  --quasi" not in short
    assert "\n  --quasi" in whole
    assert "--help-table" in short
    assert {"--quasi", "--sep", "--identifiers"} <= set(re.findall("--[a-z]+", whole))
    assert "--sep" in run("init", "--help").output


def test_a_secret_that_everybody_shares_is_named_with_a_remedy(run, tmp_path):
    frame = pd.read_csv("patients.csv", dtype=str).assign(diagnosis="flu")
    frame.to_csv("patients.csv", index=False)
    result = run("anonymize", "patients.yaml", "-o", "first.csv")
    assert result.exit_code == 1
    assert "misses LDiversity(l=2); ask for less, or leave it out of require" in result.stderr
    assert not (tmp_path / "first.csv").exists()


def test_the_page_says_about_how_many_people_an_attacker_would_be_sure(run):
    """Everybody in a zip code has the same insurance, while the diagnoses go round."""
    frame = pd.read_csv("patients.csv", dtype=str)
    frame.assign(insurance="type " + frame["zip"]).to_csv("patients.csv", index=False)
    assert run("init", "patients.csv", "--force").exit_code == 0
    project = yaml.safe_load(Path("patients.yaml").read_text())
    project["columns"]["insurance"]["role"] = "sensitive"
    Path("patients.yaml").write_text(yaml.safe_dump(project | {"require": []}))
    assert run("anonymize", "--project", "patients.yaml", "-o", "first.csv").exit_code == 0
    lines = re.findall(r"<tr><td>(\w+)</td><td>HomogeneityAttack</td><td>(.+)</td>", Path("first.html").read_text())
    published = pd.read_csv("first.csv", dtype=str).groupby(["age", "zip"])
    sure = {name: sum(len(part) for _, part in published[name] if part.nunique() == 1) for name in dict(lines)}
    assert list(sure) == ["insurance", "diagnosis"]
    assert sure["insurance"] > sure["diagnosis"]
    for name, text in lines:
        assert text.startswith(f"The attacker would be sure about {sure[name] or 'none'} of 200 people")
        assert f"right about {sure[name]} of them" in text or not sure[name]


def test_a_file_that_was_changed_is_noticed(run, tmp_path):
    run("anonymize", "--project", "patients.yaml", "-o", "first.csv")
    path = tmp_path / "first.csv"
    path.write_text(path.read_text().replace("cold", "flu", 1))
    result = run("check", "first.csv", "--project", "patients.yaml")
    assert result.exit_code == 1
    assert "first.csv is not the release that first.manifest.json describes" in result.output


def test_mistakes_of_a_project_are_told_by_every_command(run, tmp_path):
    path = tmp_path / "patients.yaml"
    path.write_text(path.read_text().replace("columns:", "colums:"))
    commands = "audit", "compare", "anonymize -o x.csv", "check patients.csv", "attack patients.csv", "report"
    for command in map(str.split, commands):
        result = run(*command, "--project", "patients.yaml")
        assert result.exit_code == 2
        assert "there is no key 'colums'; did you mean columns?" in result.stderr


def test_a_column_that_the_file_lacks_is_told_without_options(run, tmp_path):
    path = tmp_path / "patients.yaml"
    parsed = yaml.safe_load(path.read_text())
    parsed["columns"] = {"aged" if name == "age" else name: said for name, said in parsed["columns"].items()}
    parsed["columns"]["aged"]["hierarchy"] = "intervals 5 10"
    path.write_text(yaml.safe_dump(parsed))
    result = run("audit", "--project", "patients.yaml")
    assert result.exit_code == 2
    assert "patients.csv has no column 'aged', which patients.yaml names; did you mean age? it has " in result.stderr
    assert "--hierarchy" not in result.stderr


def test_people_with_several_rows_are_promised_people_and_a_note_is_said_once(run):
    twice = pd.read_csv("patients.csv", dtype=str)
    twice.assign(patient_id=[f"p{row // 2}" for row in range(len(twice))]).to_csv("patients.csv", index=False)
    known = "--project", "patients.yaml", "--person", "patient_id"
    assert run("anonymize", *known, "-o", "first.csv").exit_code == 0
    assert "as rows of at least 4 other people." in Path("first.html").read_text(encoding="utf-8")
    notes = run("attack", "first.csv", *known).stderr.splitlines()
    assert sum("rows are counted, not people" in line for line in notes) == 1
    assert len(notes) == len(set(notes))


def test_the_highest_level_is_kept(run, tmp_path):
    path = tmp_path / "patients.yaml"
    parsed = yaml.safe_load(path.read_text())
    parsed["columns"]["age"] |= {"hierarchy": "intervals 5 10 20", "highest_level": 2, "weight": 2}
    path.write_text(yaml.safe_dump(parsed | {"method": {"name": "FullDomain", "k": 40}}))
    assert run("anonymize", "--project", "patients.yaml", "-o", "first.csv").exit_code == 0
    widths = pd.read_csv("first.csv")["age"].astype(str).str.extract(r"\[(\d+),(\d+)\)").astype(float)
    assert widths.notna().all(axis=None)
    assert (widths[1] - widths[0]).max() <= 10


def test_next_month_is_generalized_alike_where_the_method_can(run, tmp_path):
    project = tmp_path / "patients.yaml"
    project.write_text(project.read_text().replace("name: Mondrian", "name: FullDomain"))
    assert run("anonymize", "--project", "patients.yaml", "-o", "first.csv").exit_code == 0
    frame = pd.read_csv("patients.csv", dtype=str)
    frame.iloc[::-1].replace({"diagnosis": {"flu": "gout"}}).to_csv("next.csv", index=False)
    result = run("anonymize", "next.csv", "--project", "patients.yaml", "-o", "second.csv")
    assert result.exit_code == 0, result.output
    assert "column 'diagnosis' has 1 value that did not occur before: gout" in result.stderr
    assert "generalized like the project's own table" in result.stderr
    assert set(pd.read_csv("second.csv")["age"]) == set(pd.read_csv("first.csv")["age"])
    frame.iloc[:7].to_csv("few.csv", index=False)
    result = run("anonymize", "few.csv", "--project", "patients.yaml", "-o", "third.csv")
    assert "anonymized anew, because" in result.stderr


def test_the_draft_is_not_overwritten(run):
    assert "exists already" in run("init", "patients.csv").stderr


HIERARCHY = "anonnb: 1\ncolumns:\n  zip:\n    role: quasi-identifier\n    hierarchy: "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HIERARCHY + "&a {north: *a}", "line 5: 'a' contains itself"),
        ("anonnb: 1\ncolumns: &a {x: *a}", "line 2: 'a' contains itself"),
        (HIERARCHY + "mask\n    highest_level: --5", "line 6: highest_level is '--5', but it must be a whole number"),
        ("[" * 5000, "line 1: it is nested more than 100 levels deep"),
        ("{a: " * 3000, "line 1: it is nested more than 100 levels deep"),
        (HIERARCHY + "[" * 5000 + "]" * 5000, "line 5: it is nested more than 100 levels deep"),
        ("\n".join(" " * depth + "a:" for depth in range(300)), "line 101: it is nested more than 100 levels deep"),
        (HIERARCHY + "{a: &a [x, x, x, x, x, x, x, x, x], " + ", ".join(
            f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]" for old, new in zip("abcdef", "bcdefg", strict=True)) + "}",
         "line 5: it holds more than 100,000 values"),
    ],
    ids=["self", "columns", "number", "lists", "mappings", "hierarchy", "block", "bomb"],
)  # fmt: skip
def test_endless_projects_are_refused_at_once(text, words, tmp_path):
    path = tmp_path / "people.yaml"
    path.write_text(text)
    began = time.process_time()
    result = CliRunner().invoke(main, ["audit", "--project", str(path)])
    assert time.process_time() - began < 1
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert words in result.stderr
