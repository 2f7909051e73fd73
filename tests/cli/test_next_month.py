"""Next month: levels and boxes are repeated, people in two releases are counted, and every paper is compared."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonnb.publishing.officer_page import Outcomes
from tests.cli.test_commands import call, refused

DATA = Path(__file__).parent / "data"

NORTH, SOUTH = ("Bonn", "Kiel"), ("Jena", "Ulm")
PROJECT = (DATA / "next_month.yaml").read_text(encoding="utf-8")


def month(number, people=300, rows=360):
    """A third of the people of each month were there in the month before; some come twice."""
    draw = np.random.default_rng(number)
    who = np.arange(people) + number * people * 2 // 3
    everybody = np.random.default_rng(9)
    age, town = everybody.integers(18, 78, 2000)[who], everybody.choice([*NORTH, *SOUTH], 2000)[who]
    rows = np.append(np.arange(people), draw.integers(0, people, rows - people))
    ill = draw.choice(["flu", "cold", "ulcer", "gout"], len(rows))
    return pd.DataFrame({"patient": who[rows] + 1000, "age": age[rows], "town": town[rows], "ill": ill})


@pytest.fixture
def published(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    month(0).to_csv("first.csv", index=False)
    month(1).assign(age=lambda frame: frame["age"].where(frame.index > 2, 99)).to_csv("next.csv", index=False)

    def published(method, *options):
        Path("p.yaml").write_text(PROJECT.replace("METHOD, k: 4", f"{method}, k: 4" if method != "PRAM" else method))
        made = call("anonymize", "--project", "p.yaml", "-o", "a.csv", "--force")
        assert made.exit_code == 0, made.output
        return call("anonymize", "next.csv", "--project", "p.yaml", "-o", "b.csv", *options)

    return published


def spoiled(name, old, new):
    Path(name).write_text(Path(name).read_text().replace(old, new, 1))


def facts(name):
    return json.loads(Path(name).read_text())


def holds(cell, value):
    """Read a published cell without the package: 37, [30–39], [30,40), *, Bonn or Ulm, north."""
    if cell == "*" or str(value) in cell.split(" or ") or value in {"north": NORTH, "south": SOUTH}.get(cell, ()):
        return True
    ends = re.fullmatch(r"[\[(](\d+)(,|–)(\d+)[\])]", cell)
    return bool(ends) and int(ends[1]) <= int(value) <= int(ends[3]) - (ends[2] == ",")


def test_full_domain_methods_repeat_their_levels_though_values_are_new(published):
    result = published("FullDomain")
    assert result.exit_code == 0, result.output
    first, second = facts("a.manifest.json"), facts("b.manifest.json")
    assert second["levels"] == first["levels"] != {"age": 0, "town": 0}
    assert second["repeated"].startswith("generalized like the project's own table")
    assert first["repeated"] is None
    cells = [set(pd.read_csv(name, dtype=str)["age"]) for name in ("a.csv", "b.csv")]
    for age in range(18, 78):  # a value reads alike in both months
        assert len({cell for part in cells for cell in part if holds(cell, age)}) <= 1


@pytest.mark.parametrize("method", ["Mondrian", "OKA"])
def test_what_is_anonymized_anew_says_so(published, method):
    result = published(method)
    assert result.exit_code == 0, result.output
    assert "note: next.csv: anonymized anew, so it does not read like" in result.stderr
    assert facts("b.manifest.json")["repeated"].startswith("anonymized anew")


@pytest.mark.parametrize("method", ["Mondrian", "OKA"])
def test_repeat_fills_the_boxes_of_the_first_month(published, method):
    result = published(method, "--repeat")
    assert result.exit_code == 0, result.output
    sentence = facts("b.manifest.json")["repeated"]
    counts = re.match(r"(\d+) rows are in (\d+) boxes of the project's own table and (\d+) in new ones", sentence)
    first, second = pd.read_csv("a.csv", dtype=str), pd.read_csv("b.csv", dtype=str)
    old, new = (set(zip(frame["age"], frame["town"], strict=True)) for frame in (first, second))
    in_old = [pair in old for pair in zip(second["age"], second["town"], strict=True)]
    assert (sum(in_old), len(old & new)) == (int(counts[1]), int(counts[2]))
    assert len(second) - sum(in_old) == int(counts[3])
    assert sum(in_old) > 250
    original = pd.read_csv("next.csv", dtype=str)
    for (age, town), rows in second.groupby(["age", "town"]):
        pairs = zip(original["age"], original["town"], strict=True)
        fits = original[[holds(age, old) and holds(town, place) for old, place in pairs]]
        assert len(fits) >= len(rows)
        assert fits["patient"].nunique() >= 4
    assert facts("b.manifest.json")["recounted"]["k"] >= 4
    withheld = re.search(r"(\d+) rows? (is|are) suppressed", sentence)
    assert len(original) - len(second) == (int(withheld[1]) if withheld else 0)


def test_people_in_two_releases_are_counted_and_both_files_are_attacked(published):
    assert published("Mondrian").exit_code == 0
    (earlier,) = facts("b.manifest.json")["earlier"]
    both = set(pd.read_csv("first.csv")["patient"]) & set(pd.read_csv("next.csv")["patient"])
    assert earlier["name"] == "a.csv"
    assert earlier["people_in_both"] == len(both) == 100
    assert re.fullmatch(
        r"Whoever has both files is, of the 100 people in both, sure and right about 'ill' of \d+ "
        r"\(sure about \d+; this file alone: \d+\)\.",
        *earlier["sentences"],
    )
    page = " ".join(Path("b.html").read_text().split())
    assert "100 of the people here are in it, too. Whoever has both files is, of the 100 people" in page
    key, written = Path("p.key").read_text().strip(), [Path("b.csv"), Path("b.html"), Path("b.manifest.json")]
    assert Path("p.key").stat().st_mode & 0o077 == 0
    assert not any(key in path.read_text() or "1250" in path.read_text() for path in written)
    assert call("anonymize", "next.csv", "--project", "p.yaml", "-o", "b.csv", "--force").exit_code == 0
    assert len(facts("b.manifest.json")["earlier"]) == 1  # what is replaced is no earlier release


def test_all_earlier_releases_are_attacked_together(published):
    """Illnesses last, so whoever has three files is sure about as many people as whoever has two, and right."""
    months = [month(0), month(1), pd.concat([month(0), month(1)]).drop_duplicates("patient")[::2]]
    for name, frame in zip(["first.csv", "next.csv", "third.csv"], months, strict=True):
        ill = np.array(["flu", "cold", "ulcer", "gout"])[frame["patient"] * 7 % 11 % 4]
        frame.assign(ill=ill).to_csv(name, index=False)
    assert published("Mondrian").exit_code == 0
    assert call("anonymize", "third.csv", "--project", "p.yaml", "-o", "c.csv").exit_code == 0
    (sentence,), earlier = facts("c.manifest.json")["together"], facts("c.manifest.json")["earlier"]
    figures = r"of the (\d+) people .* sure and right about 'ill' of (\d+) \(sure about (\d+);"
    asked, right, sure = map(int, re.match(f"Whoever has all 3 files is, {figures}", sentence).groups())
    pairs = [int(re.search(figures, text)[2]) for each in earlier for text in each["sentences"]]
    assert (asked, len(pairs)) == (len(months[2]), 2)
    assert sure >= right >= max(pairs) > 0
    first = Path("c.html").read_text().partition("<h2>Who")[0]
    assert "; whoever has all 3 files is, of the " in first


def test_two_releases_at_the_same_time_are_not_both_published(published, monkeypatch):
    assert published("Mondrian").exit_code == 0
    before, written = Path("p.releases.json").read_text(), []

    def meanwhile(*_, **__):
        written.append(Path("p.releases.json").write_text(before.replace("a.csv", "z.csv")))
        return Outcomes()

    monkeypatch.setattr("anonnb.publishing.attacking.attack_release", meanwhile)
    result = call("anonymize", "next.csv", "--project", "p.yaml", "-o", "c.csv")
    assert "another release of p.yaml was published at the same time; nothing was written" in result.stderr
    assert (result.exit_code, len(written)) == (2, 1)
    assert not list(Path().glob("c.*"))


def test_check_needs_no_options_next_month_and_compares_every_paper(published):
    assert published("Mondrian").exit_code == 0
    check = ("check", "b.csv", "--project", "p.yaml")
    assert call(*check).exit_code == 0
    Path("p.releases.json").rename("kept")  # the manifest alone finds the input, too
    assert call(*check).exit_code == 0
    Path("kept").rename("p.releases.json")
    for name, old, new, sentence in [
        ("p.yaml", "k: 4", "k: 3", "p.yaml is not the project that b.manifest.json describes"),
        ("next.csv", "flu", "gout", "next.csv is not the input that b.manifest.json describes"),
        ("b.csv", "flu", "gout", "b.csv is not the release that b.manifest.json describes"),
        ("b.manifest.json", '"classes": ', '"classes": 1', "b.manifest.json was edited after it was written"),
        ("b.manifest.json", '"output"', '"outpt"', "b.manifest.json is no manifest"),
        ("p.releases.json", '"releases"', '"release"', "p.releases.json is no record of releases"),
    ]:
        whole = Path(name).read_text()
        Path(name).write_text(whole.replace(old, new, 1))
        result = call(*check)
        assert result.exit_code in (1, 2)
        assert sentence in result.output
        Path(name).write_text(whole)
    assert call(*check).exit_code == 0
    Path("renamed.csv").write_bytes(Path("b.csv").read_bytes())
    assert call("check", "renamed.csv", "--project", "p.yaml").exit_code == 0
    Path("renamed.csv").write_text(Path("b.csv").read_text().replace("flu", "gout", 1))
    result = call("check", "renamed.csv", "--project", "p.yaml", "--against", "next.csv")
    assert result.exit_code == 1
    assert "no release of p.yaml has these bytes" in result.output


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda: Path("p.key").unlink(), "p.key is missing"),
        (lambda: Path("p.key").write_text("secret"), "p.key is no key of 32 bytes"),
        (lambda: Path("p.releases.json").write_text("[]"), "p.releases.json is no record of releases"),
        (lambda: spoiled("p.releases.json", '"people": "', '"people": "?'), "p.releases.json is no record of releases"),
        (lambda: month(2).drop(columns="town").to_csv("next.csv", index=False), "next.csv has no column 'town'"),
        (lambda: month(2).rename(columns={"age": "Age"}).to_csv("next.csv", index=False), "has no column 'age'"),
        (lambda: month(2).drop(columns="patient").to_csv("next.csv", index=False), "has no column 'patient'"),
        (lambda: month(2).assign(patient=np.nan).to_csv("next.csv", index=False), "column 'patient'"),
    ],
)
def test_what_is_missing_is_one_sentence_and_nothing_is_written(published, spoil, sentence):
    assert published("Mondrian").exit_code == 0
    spoil()
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    refused(call("anonymize", "next.csv", "--project", "p.yaml", "-o", "c.csv"), sentence)
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_repeat_wants_another_file_and_a_method_with_boxes(published):
    assert "anonnb: PRAM publishes no boxes" in (result := published("PRAM", "--repeat")).stderr
    assert (result.exit_code, Path("b.csv").exists()) == (2, False)
    assert published("FullDomain", "--force").exit_code == 0
    means = published("Microaggregation", "--repeat", "--force").stderr
    assert "anonnb: Microaggregation publishes no boxes" in means
    refused(call("anonymize", "--project", "p.yaml", "-o", "c.csv", "--repeat"), "--repeat is for another file")


def test_repeat_wants_the_table_as_it_was_published(published):
    assert published("Mondrian", "--repeat").exit_code == 0
    again = ("anonymize", "next.csv", "--project", "p.yaml", "-o", "c.csv", "--repeat")
    Path("p.yaml").write_text(Path("p.yaml").read_text().replace("k: 4", "k: 3"))
    assert "a.csv was made by Mondrian(k=4), not by Mondrian(k=3)" in call(*again).stderr
    Path("first.csv").write_text(Path("first.csv").read_text().replace("flu", "gout", 1))
    assert "first.csv was changed after a.csv was made from it" in call(*again).stderr
    assert not Path("c.csv").exists()
    published("Mondrian", "--force")
    month(1).head(3).assign(age=300).to_csv("few.csv", index=False)
    few = call("anonymize", "few.csv", "--project", "p.yaml", "-o", "c.csv", "--repeat")
    assert (few.exit_code, Path("c.csv").exists()) == (1, False)
    assert "no row meets the requirement in the boxes of the project's own table" in few.stderr
