"""Whose rows they are: ``init`` asks, and ``anonymize`` publishes nothing before somebody has answered and signed."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonnb.publishing.own_table import OwnTable
from tests.cli.test_commands import call, refused


def visits(column, patients=400, rows=1150, seed=3):
    """Visits of patients, each with a sex, a birth year and a postcode of their own."""
    draw = np.random.default_rng(seed)
    who = np.sort(np.append(np.arange(patients), draw.integers(0, patients, rows - patients)))
    own = pd.DataFrame(
        {
            "sex": draw.choice(["f", "m"], patients),
            "born": 1940 + draw.integers(0, 60, patients),
            "zip": draw.choice(["10", "11", "12", "13"], patients),
        }
    )
    seen = {"visit": np.arange(rows), "diagnosis": draw.choice(["flu", "cold", "ulcer"], rows)}
    return own.iloc[who].reset_index(drop=True).assign(**{column: who + 5000}, **seen)


@pytest.fixture
def drafted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def drafted(column):
        visits(column).to_csv("visits.csv", index=False)
        assert call("init", "visits.csv", "--force").exit_code == 0
        return Path("visits.yaml").read_text()

    return drafted


@pytest.mark.parametrize(("column", "proposed"), [("patient", True), ("nr", False)])
def test_a_draft_asks_whose_rows_they_are_and_nothing_is_published_without_an_answer(drafted, column, proposed):
    text = drafted(column)
    assert f"# column '{column}' repeats (1,150 rows, 400 values): does it say whose row it is?" in text
    assert (f"\nperson: {column}\n" in text) == proposed
    unanswered = text.replace("\nperson: patient\n", "\n") + "reviewed: A. Name, 2026-01-31\n"
    Path("visits.yaml").write_text(unanswered)
    refused(call("anonymize", "--project", "visits.yaml", "-o", "r.csv"), "rows may not be people; add --person")
    assert sorted(path.name for path in Path().iterdir()) == ["visits.csv", "visits.yaml"]
    Path("visits.yaml").write_text(unanswered + f"person: {column}\n")
    assert call("anonymize", "--project", "visits.yaml", "-o", "r.csv").exit_code == 0
    manifest = json.loads(Path("r.manifest.json").read_text())
    assert manifest["people"] | {"output": 0} == {"counted": "people", "column": column, "input": 400, "output": 0}
    assert manifest["reviewed"] == "A. Name, 2026-01-31"
    Path("visits.yaml").write_text(unanswered + "rows_are_people: true\n")
    assert call("anonymize", "--project", "visits.yaml", "-o", "rows.csv").exit_code == 0
    assert json.loads(Path("rows.manifest.json").read_text())["people"]["counted"] == "rows"


def test_every_class_holds_k_people_whatever_it_holds_of_rows(drafted):
    """Match the published rows to the visits by their diagnosis: an oracle that knows nothing of the gate."""
    Path("visits.yaml").write_text(drafted("patient") + "reviewed: A. Name, 2026-01-31\n")
    assert call("anonymize", "--project", "visits.yaml", "-o", "r.csv").exit_code == 0
    assert json.loads(Path("r.manifest.json").read_text())["recounted"]["k"] >= 5
    original, release = pd.read_csv("visits.csv"), pd.read_csv("r.csv", dtype=str)
    low_high = release["born"].str.extract(r"(\d{4})\D*(\d{4})?").astype(float)
    release["low"], release["high"] = low_high[0], low_high[1].fillna(low_high[0])
    for (sex, code, low, high), _ in release.groupby(["sex", "zip", "low", "high"]):
        fits = original["born"].between(low, high) & original["sex"].isin(sex.split(" or "))
        span = [float(end) for end in code.strip("[]").replace("–", "-").split("-")]
        assert original[fits & original["zip"].between(span[0], span[-1])]["patient"].nunique() >= 5


def test_options_are_asked_too(drafted):
    drafted("patient")
    roles = ("--quasi", "sex,born,zip", "--sensitive", "diagnosis", "--method", "Mondrian", "--k", 5, "-o", "r.csv")
    refused(call("anonymize", "visits.csv", *roles), "column 'patient' repeats (1,150 rows, 400 values)")
    assert call("anonymize", "visits.csv", *roles, "--rows-are-people").exit_code == 0
    assert call("anonymize", "visits.csv", *roles, "--person", "patient", "--force").exit_code == 0


def test_a_draft_that_nobody_touched_is_not_published(drafted):
    text = drafted("patient")
    publish = ("anonymize", "--project", "visits.yaml", "-o", "r.csv")
    refused(call(*publish), "every role in visits.yaml is guessed; read the file, correct it, and sign it with")
    Path("visits.yaml").write_text(text.replace("role: sensitive", "role: left out"))
    refused(call(*publish), "visits.yaml names no sensitive column")
    Path("visits.yaml").write_text(text + "reviewed: NAME, DATE\n")
    refused(call(*publish), "reviewed is 'NAME, DATE', but it must be a name and a date")
    assert not Path("r.csv").exists()
    Path("visits.yaml").write_text(text.replace("zip:\n    role: quasi-identifier", "zip:\n    role: sensitive"))
    assert call(*publish).exit_code == 0


def test_five_people_who_have_all_had_flu_are_not_three_different_values(tmp_path, monkeypatch):
    """A file's classes may show three diagnoses while everybody in one of them has had flu."""
    monkeypatch.chdir(tmp_path)
    who = np.repeat(np.arange(10), 3)
    ill = [("flu", "cold", "gout")[(row + row // 3 * (row > 14)) % 3 * (row < 15 or row % 3 > 0)] for row in range(30)]
    pd.DataFrame({"patient": who, "age": 30 + who // 5, "ill": ill}).to_csv("p.csv", index=False)
    columns = "  patient: {role: identifier}\n  age: {role: quasi-identifier}\n  ill: {role: sensitive}\n"
    Path("p.yaml").write_text(
        f"anonnb: 1\nreviewed: A. Name, 2026-01-31\ndata: p.csv\nperson: patient\ncolumns:\n{columns}"
        "method: {name: Mondrian, k: 5}\n"
    )
    assert call("anonymize", "--project", "p.yaml", "-o", "r.csv").exit_code == 0
    assert pd.read_csv("r.csv").groupby("age")["ill"].nunique().min() == 3
    measures = json.loads(Path("r.manifest.json").read_text())["measures"]
    assert measures["l"] == 1
    page = Path("r.html").read_text()
    assert "1 means that all people of some class share a value, whatever else they have" in page
    assert "at least this many different sensitive values.<" not in page


def test_households_are_counted_and_the_weight_is_not_published(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw, homes = np.random.default_rng(1), np.repeat(np.arange(200), 3)
    frame = pd.DataFrame({"hid": homes, "w": 5.5 + homes % 7, "region": homes % 2, "age": draw.integers(1, 90, 600)})
    frame.to_csv("homes.csv", index=False)
    named = {"quasi": ["region", "age"], "household": ["hid", "region"], "unit": "household", "weight": "w"}
    OwnTable("homes.csv", **named).write_project(
        "homes.yaml", method="Mondrian", parameters={"k": 5}, reviewed="A, 2026-01-31"
    )
    assert call("anonymize", "--project", "homes.yaml", "-o", "r.csv").exit_code == 0
    about = json.loads(Path("r.manifest.json").read_text())["people"]
    said = {"counted": "households", "column": "hid", "household": "hid", "weight": "w"}
    assert about == said | {"input": 200, "output": 200}
    assert pd.read_csv("r.csv").columns.tolist() == ["region", "age"]
    assert "survey weight: not published" in Path("r.html").read_text()
    text = Path("homes.yaml").read_text()
    Path("homes.yaml").write_text(text.replace("  w:\n    role: identifier", "  w:\n    role: also"))
    result = call("anonymize", "--project", "homes.yaml", "-o", "means.csv")
    assert result.exit_code == 0, result.output
    means = pd.read_csv("means.csv")
    assert means["w"].sum() == pytest.approx(frame["w"].sum())
    page = Path("means.html").read_text()
    assert "means of several people of a class, which do not hide the strata" in page
    assert "risk from weights" in page
    frame.assign(w=range(1, 601)).to_csv("homes.csv", index=False)
    roles = ("--quasi", "region,age", "--household", "hid,region", "--unit", "household", "--weight", "w")
    refused(call("audit", "homes.csv", *roles), "column 'w' differs within the household '0'")
