"""The explorer without a browser: its state, its export, and the widgets around it."""

import pandas as pd
import pytest

import anonnb
from anonnb import Table, privacy, utility
from anonnb.attacks import HomogeneityAttack
from anonnb.explorer import QUICK, Exploration, explorer
from anonnb.methods import Mondrian
from anonnb.widgets import BATCH_VARIABLE


@pytest.fixture
def survey():
    return anonnb.load("survey")


def test_the_numbers_are_those_of_the_parts(survey):
    exploration = Exploration(survey, start={"k": 4, "method": "Mondrian", "attack": "HomogeneityAttack"})
    release = Mondrian(k=4).anonymize(survey)
    assert exploration.numbers() == {
        "k reached": str(privacy.k(release)),
        "detail lost (NCP)": f"{100 * utility.ncp(survey, release):.1f} %",
        "success of HomogeneityAttack": f"{100 * HomogeneityAttack().run(release, survey).success:.1f} %",
    }
    exploration.choose(k=10)
    assert exploration.numbers()["k reached"] == str(privacy.k(Mondrian(k=10).anonymize(survey)))


def test_a_release_is_made_once(survey):
    exploration = Exploration(survey)
    assert exploration.release is exploration.release


def test_who_is_exposed_comes_first_and_only_they(survey):
    exploration = Exploration(survey, start={"k": 2, "attack": "LinkageAttack"})
    scores = exploration.exposed()["score"].tolist()
    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


def test_large_tables_offer_quick_methods_only():
    adult = anonnb.load("adult").take(range(4000))
    assert set(Exploration(adult).controls.choices["method"]) == set(QUICK)


def test_bad_choices(survey):
    with pytest.raises(ValueError, match="method cannot be 'Magic'"):
        Exploration(survey).choose(method="Magic")
    with pytest.raises(ValueError, match="no quasi-identifier to explore"):
        Exploration(Table(pd.DataFrame({"a": [1]})))
    with pytest.raises(ValueError, match="no folder 'none'"):
        Exploration(survey).export("none")


def test_export_writes_the_release_and_a_page_that_needs_nothing_else(survey, tmp_path):
    release, report = Exploration(survey, start={"k": 4}).export(tmp_path)
    published = pd.read_csv(release)
    assert published.groupby(["Marital_status", "Sex", "Hours"]).size().min() >= 4
    page = report.read_text(encoding="utf-8")
    assert "<h1>Mondrian with k = 4</h1>" in page
    assert "data:image/png;base64," in page
    assert "http" not in page.replace("data:image/png;base64,", "").split("src=")[0]


def test_values_are_text_not_html(tmp_path):
    frame = pd.DataFrame({"<b>a</b>": ["x", "y"] * 4, "ill": ["<script>alert(1)</script>"] * 8})
    exploration = Exploration(
        Table(frame, quasi=["<b>a</b>"], sensitive=["ill"]), start={"attack": "HomogeneityAttack"}
    )
    exploration.choose(k=2)
    assert "<script>" not in exploration.report_html()
    assert "<b>a</b>" not in exploration.report_html()
    assert "&lt;script&gt;" in exploration.report_html()


@pytest.mark.parametrize(("batch", "interactive"), [("1", True), ("0", False)])
def test_without_a_browser_there_is_a_still_picture(survey, monkeypatch, batch, interactive):
    import matplotlib.pyplot as plt

    monkeypatch.setenv(BATCH_VARIABLE, batch)
    before = plt.get_fignums()
    shown = explorer(survey, interactive=interactive, start={"k": 4})
    assert "k reached" in shown.data
    assert len(plt.get_fignums()) == len(before) + 1
    plt.close("all")


class TestPanel:
    @pytest.fixture
    def panel(self, survey, monkeypatch, tmp_path):
        monkeypatch.setenv(BATCH_VARIABLE, "")
        self.folder = tmp_path
        return explorer(survey, folder=tmp_path, start={"k": 4, "attack": "HomogeneityAttack"})

    def parts(self, panel):
        row, status, numbers, picture, tables = panel.children
        return {box.description: box for box in row.children}, status, numbers, picture, tables

    def test_every_choice_changes_what_is_shown(self, panel):
        boxes, status, numbers, picture, tables = self.parts(panel)
        assert list(boxes) == ["method", "k", "attack", "picture", "Export"]
        assert boxes["k"].continuous_update is False
        first = (numbers.value, picture.value)
        boxes["k"].value = 12
        assert numbers.value != first[0]
        assert picture.value != first[1]
        second = picture.value
        boxes["picture"].value = "boxes"
        assert picture.value != second
        boxes["attack"].value = "LinkageAttack"
        assert "success of LinkageAttack" in numbers.value
        assert "Most exposed to LinkageAttack" in tables.value
        assert status.value == ""

    def test_a_method_that_fails_says_why_and_cannot_be_exported(self, panel):
        boxes, status, numbers, picture, _ = self.parts(panel)
        boxes["method"].value = "Factor"
        assert "Factor knows k = 2 and k = 3 only" in status.value
        assert (numbers.value, picture.value) == ("", "")
        assert boxes["Export"].disabled
        boxes["method"].value = "Mondrian"
        assert status.value == ""
        assert not boxes["Export"].disabled

    def test_export(self, panel):
        boxes, status, *_ = self.parts(panel)
        boxes["Export"].click()
        assert "Written: " in status.value
        assert sorted(path.name for path in self.folder.iterdir()) == ["Mondrian-k4-report.html", "Mondrian-k4.csv"]
