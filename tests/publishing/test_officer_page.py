"""The officer's page: every sentence is recounted from the tables, for methods of every kind."""

import html
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from anonnb import Table, attacks, methods
from anonnb.attacks.findings import learned
from anonnb.attacks.result import SecretResult
from anonnb.methods import Mondrian
from anonnb.methods.promises import GroupAnonymity
from anonnb.privacy import AlphaK, KAnonymity, LDiversity, TCloseness
from anonnb.publishing.documents import write_documents
from anonnb.publishing.project import ProjectError, parse_project
from anonnb.publishing.project_text import format_project
from anonnb.publishing.release_files import write_release

HEADINGS = [
    "The decision that is needed",
    "Who could attack, with what knowledge and at what cost",
    "Singling out: can one person's row be found?",
    "Linkability: can rows about one person be put together?",
    "Inference: what can be learned about a person?",
    "What was not examined",
    "The columns, before and after",
    "Who decided what, and when",
    "Annex: all figures",
]
PROJECT = "anonnb: 1\ncolumns: {age: {role: quasi-identifier}}\n"


def affairs(rows=300, seed=0):
    """People of whom most have no affair, so that some classes give it away, and a second secret that none does."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.integers(20, 40, rows), "sex": rng.choice(["f", "m"], rows)})
    return frame.assign(
        affairs=(rng.random(rows) < 0.1).astype(int),
        rate=np.arange(rows) % 5,
        name=[f"person {number}" for number in range(rows)],
        home=np.arange(rows) // 10,
    )


def page_of(release, folder, project=PROJECT, **options):
    path, yaml = Path(folder) / "out.csv", Path(folder) / "people.yaml"
    yaml.write_text(project)
    _, report = write_release(release, path)
    return write_documents(release, report, path, Path("people.csv"), yaml, **options)[1].read_text(encoding="utf-8")


def text_of(page):
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S)).split())


@pytest.fixture(scope="module")
def table():
    return Table(affairs(), quasi=["age", "sex"], sensitive=["affairs", "rate"], identifier="name")


def test_every_secret_is_named_with_the_people_an_attacker_is_sure_about(table, tmp_path):
    release = Mondrian(k=5).anonymize(table)
    page = page_of(release, tmp_path)
    text = text_of(page)
    classes = pd.read_csv(tmp_path / "out.csv").groupby(["age", "sex"])
    sure = {name: int(sum(len(part) for _, part in classes[name] if part.nunique() == 1)) for name in table.sensitive}
    assert sure["affairs"] > sure["rate"] == 0
    first = text.partition("The decision that is needed")[2].partition("Please decide")[0]
    assert f"on affairs, the attacker would be sure and right about {sure['affairs']} of 300 people;" in first
    assert "on rate, sure about none of 300 people; guesses are right for" in first
    assert 70 <= len(first.split()) <= 150
    assert "not shown to be anonymous" in first
    assert re.findall(r"<h2>(.*?)</h2>", page) == HEADINGS
    for word in ("advantage", "gate", "reads like", "known_outside", "= inf", ">inf<", "-71", "−"):
        assert word not in text, word
    for name in attacks.all():
        assert name in text, "every attack is tried or named as not examined"
    assert re.search(r"cells are blurred: .* No cells show something that is not true", text)
    assert "Opinion 05/2014" in text
    assert "ISO/IEC 27559" in text


def test_columns_show_an_example_that_several_people_share(table, tmp_path):
    page = page_of(Mondrian(k=5).anonymize(table), tmp_path)
    lines = re.findall(r"<tr><td><strong>(\w+)</strong></td><td>(.*?)</td><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>", page)
    shown = {name: (role, before, after) for name, role, before, after in lines}
    assert shown["name"] == ("identifier: not published", "", "")
    assert shown["home"] == ("left out: not published", "", "")
    role, before, after = shown["age"]
    published = pd.read_csv(tmp_path / "out.csv", dtype=str)
    assert (published["age"] == after).sum() >= 5
    assert after != before
    low, high = map(int, re.findall(r"\d+", after))
    assert low <= int(before) <= high
    blurred = published["age"].str.contains("–").mean()
    assert f"blurred in {100 * blurred:.0f} % of the rows" in role


def test_a_value_that_few_people_have_is_no_example(tmp_path):
    frame = affairs().assign(rate=np.arange(300) + 1_000_000.5)
    table = Table(frame, quasi=["age", "sex"], sensitive=["rate"])
    text = text_of(page_of(Mondrian(k=5).anonymize(table), tmp_path))
    assert "300 different values" in text
    assert "1000000.5" not in text
    assert "100 % of the rows share theirs with fewer than 4 others" in text.partition("Please decide")[0]


def test_sentences_follow_from_what_is_promised(table, tmp_path):
    plain, diverse = (text_of(page_of(Mondrian(k=5, require=models).anonymize(table), tmp_path))
                      for models in ((), (LDiversity(2, column="rate"),)))  # fmt: skip
    assert "does not keep the members of a class from sharing a sensitive value" in plain
    assert "does not keep the members" not in diverse
    assert "keeps the members of a class from sharing one value of rate" in diverse
    assert "Every class shows at least 2 different values of rate (LDiversity" in diverse
    assert "Nothing is promised about affairs:" in diverse
    assert "Nothing is promised about affairs and rate:" in plain
    for model in (TCloseness(0.5), LDiversity(1), AlphaK(1, 2), KAnonymity(3)):
        assert "does not keep" in GroupAnonymity(k=5, require=(model,)).limits, model
    assert "ignores empty cells" in GroupAnonymity(k=5, require=(LDiversity(2, missing="ignore"),)).limits


def test_empty_cells_are_told_and_a_promise_that_ignores_them_is_named(tmp_path):
    frame = affairs().assign(ill=[None, None, None, "flu", "cold"] * 60)
    table = Table(frame, quasi=["age", "sex"], sensitive="ill")
    text = text_of(page_of(Mondrian(k=5, require=(LDiversity(2, missing="ignore"),)).anonymize(table), tmp_path))
    assert "180 cells (60.0 %) are empty" in text
    assert "empty cells are ignored" in text
    assert "LDiversity(l=2, missing='ignore')" in text


def test_who_decided_what_is_open_until_the_project_says_it(table, tmp_path):
    release = Mondrian(k=5).anonymize(table)
    text = text_of(page_of(release, tmp_path))
    assert "recipients: open" in text
    assert "Retention and deletion open" in text
    said = (
        "purpose: study of <b>trust</b>\nrecipients: two universities\nretention: 2030\ndecided: B. Name, 2026-01-31\n"
    )
    page = page_of(release, tmp_path, PROJECT + said)
    assert "<b>trust" not in page
    assert "go to two universities for study of <b>trust</b>" in text_of(page)
    assert "Retention and deletion 2030" in text_of(page)
    project = parse_project((PROJECT + said).encode(), tmp_path / "p.yaml")
    assert parse_project(format_project(project).encode(), project.path) == project
    with pytest.raises(ProjectError, match="purpose must be a text"):
        parse_project((PROJECT + "purpose: [a, b]\n").encode(), "p.yaml")


def test_what_is_sure_is_said_with_how_often_it_is_right_and_with_empty_cells(tmp_path):
    """Half of the people are in classes of empty cells; of the others, nobody is certain."""
    frame = pd.DataFrame({"age": np.repeat([20, 60], 50), "ill": [None] * 50 + ["flu", "cold"] * 25})
    text = text_of(page_of(Mondrian(k=5).anonymize(Table(frame, quasi="age", sensitive="ill")), tmp_path))
    first = text.partition("Please decide")[0]
    assert "on ill, the attacker would be sure and right about 50 of 100 people, 50 of whom have an empty cell" in first
    wrong = SecretResult("a", 90, 40, pd.DataFrame, sure=30, sure_right=10, values=pd.Series({"flu": 90}), beliefs=None)
    assert "sure and right about 10 of 90 people (sure about 30, so right in 33.3 % of" in learned(
        [wrong], "person", "people"
    )


def test_values_of_the_table_are_text(tmp_path):
    frame = affairs().assign(affairs="<script>alert(1)</script>").rename(columns={"affairs": "<i>x</i>"})
    table = Table(frame, quasi=["age", "sex"], sensitive="<i>x</i>")
    page = page_of(Mondrian(k=5).anonymize(table), tmp_path)
    assert "<script" not in page
    assert "<i>" not in page
    assert "http" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.slow
def test_there_is_a_page_for_every_method(tmp_path):
    """A page never breaks, says whom it describes, and never shows a figure below 0 %."""
    table = Table(affairs(), quasi=["age", "sex"], sensitive="rate", decision="affairs", identifier="name")
    made = 0
    for name in methods.__all__:
        cls = methods.get(name)
        options = {"k": 3} if "k" in cls.__dataclass_fields__ else {}
        options |= {"time_limit": 0.2} if "time_limit" in cls.__dataclass_fields__ else {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                release = cls(**options).anonymize(table)
                text = text_of(page_of(release, tmp_path)) if cls.publishes == "table" else ""
        except (ValueError, TypeError):
            continue
        if not text:
            continue
        made += 1
        assert re.search(r"out.csv (describes|has) [\d,]+ (people|rows)", text), name
        assert not re.search(r"[-−]\d[\d.]* %", text), name
        for path in tmp_path.glob("out*"):
            path.unlink()
    assert made >= 15


def test_earlier_releases_are_named_with_the_people_in_both(table, tmp_path):
    release = Mondrian(k=5).anonymize(table)
    common = {"date": "2026-01-31", "sha256": "00", "rows": 1250}
    earlier = [
        {"name": "first.csv", **common, "people_in_both": 17, "sentences": ["Both are sure about 'rate' of 3 people."]},
        {"name": "<b>old</b>.csv", **common, "people_in_both": None, "sentences": []},
    ]
    past = {"earlier": earlier, "repeated": "anonymized anew", "sheet": "Data", "together": ["Whoever has all 3."]}
    text = text_of(page_of(release, tmp_path, history=past))
    first = text.partition("Please decide")[0]
    assert "2 earlier releases on record, with 17 people of this file; whoever has all 3." in first
    assert "made from people.csv, sheet “Data”, by anonnb" in first
    assert "first.csv, 2026-01-31, 1,250 rows; 17 of the people here are in it, too. Both are sure about" in text
    assert "<b>old</b>.csv, 2026-01-31, 1,250 rows." in text
    assert "Anonymized anew." in text
    assert "and shows affairs, rate and home." in text_of(
        page_of(release, tmp_path, also=["home"], unknown_outside=["home"])
    )


def test_households_are_called_households(tmp_path):
    table = Table(affairs(), quasi=["age", "sex"], sensitive="affairs", household="home", unit="household")
    text = text_of(page_of(Mondrian(k=3).anonymize(table), tmp_path))
    assert "Every class holds at least 3 households (k = 3)" in text
    first = text.partition("Please decide")[0]
    assert "describes 30 households (300 rows)" in first
    assert "right about " in first
    assert " of 30 households" in first
    assert "people" not in first.partition("decision that is needed")[2]
