"""The explorer without a browser: its state, its export, and the widgets around it."""

import json
import threading

import pandas as pd
import pytest

import anonnb
from anonnb import Table, arena, attacks, privacy, utility
from anonnb.attacks import HomogeneityAttack
from anonnb.core.wording import percent
from anonnb.methods import Mondrian
from anonnb.publishing.own_table import OwnTable
from anonnb.publishing.project import read_project
from anonnb.tables import datasets
from anonnb.widgets.controls import BATCH_VARIABLE
from anonnb.widgets.exploration import PICTURES, Exploration
from anonnb.widgets.publication import BESIDE
from anonnb.widgets.showing import explorer


@pytest.fixture
def survey():
    return anonnb.load("survey")


def test_the_numbers_are_those_of_the_parts(survey):
    exploration = Exploration(survey, start={"k": 4, "method": "Mondrian", "attack": "HomogeneityAttack"})
    release = Mondrian(k=4).anonymize(survey)
    inside, outside = arena.halves(survey)
    found = HomogeneityAttack().run(Mondrian(k=4).anonymize(inside), inside, control=outside)
    assert exploration.numbers() == {
        "k reached": str(privacy.k(release)),
        "detail lost (NCP)": percent(utility.ncp(survey, release)),
        "HomogeneityAttack: sure about Hypertension": f"{found.sure:.0f} of 33 people",
        "HomogeneityAttack: excess": "none",
        "HomogeneityAttack: success": percent(found.success),
    }
    compared = f"control {percent(found.control)}, baseline {percent(found.baseline)}"
    assert compared in exploration.summary_html()
    assert found.excess_text == "none (more often right about outsiders)"
    assert "more often right about outsiders; less is safer" in exploration.summary_html()
    assert "a release of one half of the people, with the other half as outsiders" in exploration.summary_html()
    exploration.choose(k=10)
    assert exploration.numbers()["k reached"] == str(privacy.k(Mondrian(k=10).anonymize(survey)))


def test_where_half_of_the_people_are_too_few_nobody_is_an_outsider(survey):
    start = {"k": 40, "method": "Mondrian", "attack": "HomogeneityAttack"}
    exploration = Exploration(survey, k=range(2, 60), start=start)
    assert exploration.measured() is exploration.attacked()
    assert exploration.numbers()["HomogeneityAttack: excess"] == "unknown"
    assert "on this release, without outsiders to compare with" in exploration.summary_html()


def test_every_secret_is_listed_and_the_one_with_the_most_sure_people_first(survey):
    first, second = "Hypertension", "Marital_status"
    quasi = [name for name in survey.quasi if name != second]
    exploration = Exploration(survey.with_roles(quasi=quasi, sensitive=[first, second]), start={"k": 2})
    exploration.choose(attack="HomogeneityAttack")
    found, page = exploration.measured(), exploration.summary_html()
    assert set(found.each) == {first, second}
    for name, one in found.each.items():
        assert f"<td>{name}</td>" in page
        assert f"<td>{one.sure:,.0f} of {one.attempts:,} ({percent(one.sure / one.attempts)})</td>" in page
    assert page.index(f"<td>{found.secret}</td>") < min(
        page.index(f"<td>{name}</td>") for name in found.each if name != found.secret
    )


def test_large_tables_offer_methods_that_answer_in_seconds():
    adult = anonnb.load("adult").take(range(4000))
    offered = Exploration(adult).controls.choices["method"]
    assert {"Mondrian", "TopDown", "Samarati", "OKA", "Forest", "UM3AR"} <= set(offered)
    assert not {"KACA", "M3AR", "KOptimize", "GreedyCover", "Factor"} & set(offered)


def test_only_what_the_table_has_the_roles_for_is_offered(survey):
    plain = survey.with_roles(decision=None, sensitive=[])
    choices = Exploration(plain).controls.choices
    assert "InfoGainMondrian" not in choices["method"]
    assert {"LinkageAttack", "ShallowAttack", "MembershipAttack"} <= set(choices["attack"])
    assert not any(attacks.get(name).needs_sensitive for name in choices["attack"])
    assert "InfoGainMondrian" in Exploration(survey).controls.choices["method"]


@pytest.mark.parametrize("attack", [name for name, cls in attacks.all().items() if cls.quick])
def test_every_attack_gives_numbers_and_exposed_people(survey, attack):
    exploration = Exploration(survey, start={"k": 2, "attack": attack})
    found, numbers = exploration.measured(), exploration.numbers()
    shown = {
        "secret": ("success", percent(found.success)),
        "linkage": ("linked to their own row", percent(found.success)),
        "membership": ("AUC", f"{getattr(found, 'auc', 0):.3f} ("),
    }
    name, value = shown.get(found.kind, ("success", percent(found.success)))
    assert numbers[f"{attack}: {name}"].startswith(value)
    assert "-" not in "".join(numbers.values()), "no percentage is below 0"
    assert set(exploration.exposed()["score"]) <= set(exploration.attacked().targets["score"].round(3))


class TestTables:
    def test_the_given_table_comes_first_and_the_shipped_ones_follow(self, survey):
        assert Exploration(survey).controls.choices["table"] == ["this table", *datasets.names()]
        assert Exploration("survey")["table"] == "survey"
        own = Exploration(survey, name="mine", tables={"part": survey.take(range(20))})
        assert own.controls.choices["table"] == ["mine", "part"]

    def test_another_table_has_other_choices(self, survey):
        exploration = Exploration(survey, start={"k": 12, "method": "Forest", "attack": "HomogeneityAttack"})
        exploration.choose(table="decision6")
        assert exploration.controls.choices["k"] == range(2, 7)
        assert exploration.controls.choices["column"] == anonnb.load("decision6").quasi
        assert (exploration["method"], exploration["attack"], exploration["k"]) == ("Forest", "HomogeneityAttack", 5)
        assert exploration.release.table is exploration.table
        exploration.choose(table="this table", k=12)
        assert exploration.table is survey

    def test_a_name_that_is_not_offered(self, survey):
        with pytest.raises(ValueError, match="table cannot be 'nowhere'"):
            Exploration(survey).choose(table="nowhere")
        with pytest.raises(KeyError, match="no data set 'nowhere'"):
            Exploration("nowhere")

    @pytest.mark.parametrize(
        "values",
        [
            {"table": "bare"},
            {"table": "decision6", "k": 40},
            {"k": 7, "method": "none"},
            {"table": "decision6", "colour": "red"},
        ],
    )
    def test_a_choice_that_is_refused_changes_nothing(self, survey, values):
        tables = {"bare": survey.with_roles(quasi=[]), "decision6": anonnb.load("decision6")}
        exploration = Exploration(survey, tables=tables, start={"k": 12})
        choices, before = exploration.controls.choices, dict(exploration.controls.values)
        with pytest.raises(ValueError, match=r"no quasi-identifier|cannot be|no control"):
            exploration.choose(**values)
        assert exploration.controls.choices == choices
        assert exploration.controls.values == before


class TestPictures:
    def test_a_release_without_a_cut_says_so_instead(self):
        start = {"method": "Mondrian", "k": 5, "picture": "hierarchy cut", "column": "petal_length"}
        page = Exploration("iris", start=start).picture_html()
        assert "<img" not in page
        assert "No picture: column &#x27;petal_length&#x27; shows one value in different ways" in page

    def test_the_title_counts_people_who_stand_in_small_classes(self):
        """Two visits of one patient are one person: the class of three rows has two people, fewer than k = 3."""
        visits = pd.DataFrame({"who": [1, 1, 2, 3, 4, 5], "zip": [1, 1, 1, 2, 2, 2], "age": 30, "ill": list("abcabc")})
        table = anonnb.Table(visits, quasi=["zip", "age"], sensitive=["ill"], person="who")
        ax = Exploration(table, start={"method": "Mondrian", "k": 3}).draw()
        assert ax.get_title() == "People in classes of fewer than 3: 40 % (original), 0 % (Mondrian, k = 3)"
        assert ax.get_xlabel().startswith("people")

    def test_pictures_of_the_panel_are_unknown_to_pyplot(self, survey):
        import matplotlib.pyplot as plt

        before = plt.get_fignums()
        for picture in PICTURES:
            assert "<img" in Exploration(survey, start={"picture": picture, "method": "Samarati"}).picture_html()
        assert plt.get_fignums() == before


def test_a_frozen_copy_keeps_its_choices_and_shares_what_was_made(survey):
    exploration = Exploration(survey)
    frozen = exploration.frozen()
    made = frozen.release
    exploration.choose(k=9)
    assert frozen["k"] == 5
    exploration.choose(k=5)
    assert exploration.release is made


def test_bad_choices(survey):
    with pytest.raises(ValueError, match="method cannot be 'Magic'"):
        Exploration(survey).choose(method="Magic")
    with pytest.raises(ValueError, match="no quasi-identifier to explore"):
        Exploration(Table(pd.DataFrame({"a": [1]})))
    with pytest.raises(ValueError, match="no folder 'none'"):
        Exploration(survey).export("none")


def test_export_writes_the_release_and_a_page_that_needs_nothing_else(survey, tmp_path):
    release, report, *_ = Exploration(survey, start={"k": 4}).export(tmp_path)
    published = pd.read_csv(release)
    assert published.groupby(["Marital_status", "Sex", "Hours"]).size().min() >= 4
    page = report.read_text(encoding="utf-8")
    assert "<h1>this table: Mondrian with k = 4</h1>" in page
    assert "data:image/png;base64," in page
    assert "http" not in page.replace("data:image/png;base64,", "").split("src=")[0]


@pytest.mark.slow
def test_export_overwrites_only_its_own_files(survey, tmp_path):
    (tmp_path / "mine-Mondrian-k4.csv").write_text("precious")
    exploration = Exploration(survey, name="mine.csv", start={"k": 4})
    first = exploration.export(tmp_path)
    assert [path.name for path in first] == [f"mine-Mondrian-k4-2{ending}" for ending in (".csv", *BESIDE)]
    assert exploration.export(tmp_path) == first
    assert (tmp_path / "mine-Mondrian-k4.csv").read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 6
    assert Exploration(survey, name="mine", start={"k": 4}).export(tmp_path)[0].name == "mine-Mondrian-k4-3.csv"


def test_a_name_with_slashes_stays_in_the_folder(survey, tmp_path):
    release, report, *_ = Exploration(survey, name="../a/b c.csv", start={"k": 4}).export(tmp_path)
    assert release.parent == report.parent == tmp_path
    assert release.name == "b-c-Mondrian-k4.csv"


@pytest.mark.slow
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


@pytest.mark.parametrize("picture", PICTURES)
def test_names_that_look_like_formulas_have_pictures(picture):
    words = ["$x", "a$b$", "$\\frac{$", "{"]
    frame = pd.DataFrame({"$a": words * 4, "b$\n$": (words[2:] + words[:2]) * 4, "c": ["$^$"] * 8 + ["$_"] * 8})
    table = Table(frame, quasi=["$a", "b$\n$"], sensitive=["c"])
    exploration = Exploration(
        table, name="$t$\\frac", tables={}, start={"method": "Samarati", "k": 2, "picture": picture}
    )
    assert "<img" in exploration.picture_html()


def test_a_picture_that_fails_takes_nothing_with_it(survey, monkeypatch):
    exploration = Exploration(survey)
    monkeypatch.setattr(Exploration, "draw", lambda self: 1 / 0)
    assert "No picture: this should not happen, please report it: ZeroDivisionError" in exploration.picture_html()
    assert "<table" in exploration.report_html()


def choose(panel, name, value):
    panel.boxes[name].value = value
    panel.worker.wait()


class TestPanel:
    @pytest.fixture
    def make(self, monkeypatch, tmp_path):
        monkeypatch.setenv(BATCH_VARIABLE, "")
        self.folder = tmp_path
        return lambda table, **options: explorer(table, folder=tmp_path, **options)

    @pytest.fixture
    def panel(self, survey, make):
        return make(survey, start={"k": 4, "attack": "HomogeneityAttack"})

    @pytest.mark.slow
    def test_every_choice_changes_what_is_shown(self, panel):
        numbers, picture, tables = panel.panes
        assert [box.description for box in panel.children[0].children] == [
            *panel.boxes,
            "hierarchy of the column",
            "Export",
        ]
        assert list(panel.boxes) == ["table", "method", "k", "require", "attack", "picture", "column"]
        assert panel.boxes["k"].continuous_update is False
        seen = [(numbers.value, picture.value)]
        choose(panel, "k", 12)
        assert numbers.value != seen[0][0]
        assert picture.value != seen[0][1]
        for name, value in {"picture": "boxes", "column": "Hours", "method": "LocalSuppression"}.items():
            before = picture.value
            choose(panel, name, value)
            assert picture.value != before
        choose(panel, "attack", "LinkageAttack")
        assert "LinkageAttack: linked to their own row" in numbers.value
        assert "Most exposed to LinkageAttack" in tables.value
        assert panel.status.value == ""
        assert not panel.button.disabled

    @pytest.mark.slow
    def test_another_table_brings_its_own_menus(self, panel):
        panel.boxes["k"].value = 40
        choose(panel, "table", "decision6")
        assert panel.boxes["column"].options == tuple(anonnb.load("decision6").quasi)
        assert (panel.boxes["k"].max, panel.boxes["k"].value) == (6, 5)
        assert panel.exploration["k"] == 5
        assert "decision6" in panel.panes[1].value
        choose(panel, "table", "iris")
        assert panel.boxes["k"].max == 50
        assert "of 150)" in panel.panes[2].value

    def test_a_method_that_fails_says_why_and_cannot_be_exported(self, survey, make):
        panel = make(survey, methods=["Mondrian", "Factor"], start={"k": 4})
        choose(panel, "method", "Factor")
        assert "Factor knows k = 2 and k = 3 only" in panel.status.value
        assert [pane.value for pane in panel.panes] == ["", "", ""]
        assert panel.button.disabled
        choose(panel, "method", "Mondrian")
        assert panel.status.value == ""
        assert not panel.button.disabled

    def test_a_mistake_of_ours_is_told_and_the_panel_goes_on(self, panel, monkeypatch):
        with monkeypatch.context() as patched:
            patched.setattr(Exploration, "figures", lambda self: 1 / 0)
            choose(panel, "k", 6)
        assert "should not happen, please report it: ZeroDivisionError" in panel.status.value
        choose(panel, "k", 7)
        assert panel.status.value == ""

    def test_a_table_that_cannot_be_explored_says_why_and_the_menu_goes_back(self, survey, make):
        panel = make(survey, tables={"bare": survey.with_roles(quasi=[])}, start={"k": 4})
        shown = [pane.value for pane in panel.panes]
        choose(panel, "table", "bare")
        assert "the table has no quasi-identifier to explore" in panel.status.value
        assert panel.boxes["table"].value == panel.exploration["table"] == "this table"
        assert [pane.value for pane in panel.panes] == shown

    def test_only_the_newest_choice_is_worked_on(self, panel, monkeypatch):
        """The first choice is at work while three more come in: of these only the last is made."""
        made, begun, go = [], threading.Event(), threading.Event()

        def make(exploration):
            made.append(exploration["k"])
            if len(made) == 1:
                begun.set()
                assert go.wait(30)
                made.extend(exploration.progress(range(10)))  # it is stale by now
            return Mondrian(k=exploration["k"]).anonymize(exploration.table)

        monkeypatch.setattr(Exploration, "_make", make)
        panel.boxes["k"].value = 20
        assert begun.wait(30)
        for k in (21, 22, 23):
            panel.boxes["k"].value = k
        go.set()
        panel.worker.wait()
        assert made == [20, 23]
        assert "with k = 23" in panel.panes[1].value

    def test_an_export_that_fails_says_why(self, panel):
        panel.folder = self.folder / "none"
        panel.button.click()
        assert "there is no folder" in panel.status.value


@pytest.mark.parametrize("error", [RuntimeError("broken"), SystemExit(1)], ids=repr)
@pytest.mark.parametrize("teller_fails", [False, True])
def test_a_job_that_fails_is_told_and_the_next_one_runs(error, teller_fails):
    from anonnb.widgets.panels import Newest

    told, done = [], []

    def tell(error):
        told.append(error)
        if teller_fails:
            raise OSError("the page is gone")

    def fail(check):
        raise error

    worker = Newest(tell)
    for job in (fail, lambda check: done.append("next")):
        worker.run(job)
        thread = worker._thread
        if thread is not None:
            thread.join(10)
        assert worker._thread is None
    assert (told, done) == ([error], ["next"])


def test_a_method_with_another_strength_than_k_is_offered_and_exported(tmp_path):
    table = Table(pd.DataFrame({"age": range(20, 44), "ill": list("aabbccddeeff") * 2}), quasi="age", sensitive="ill")
    exploration = Exploration(table, start={"method": "Anatomy", "k": 3, "attack": "HomogeneityAttack"})
    assert exploration.numbers()["l reached"] == "3"
    assert "Anatomy with l = 3" in exploration.report_html()
    written = [path.name for path in exploration.export(tmp_path)]
    assert [name.split("l3")[1] for name in written] == [".csv", "-secrets.csv", *BESIDE]
    assert sorted(written) == sorted(path.name for path in tmp_path.iterdir())


class TestOwnData:
    """The explorer on somebody's table: requirements, hierarchies, the gate, the officer's page, the project file."""

    @pytest.fixture
    def own(self, tmp_path):
        own = OwnTable.example()
        own.blur("zip", "prefix 3 1")
        chosen = {"method": "Mondrian", "parameters": {"k": 7}, "require": ("LDiversity(2)", "TCloseness(0.6)")}
        own.write_project(tmp_path / "visits.yaml", **chosen)
        return OwnTable.from_project(tmp_path / "visits.yaml", own.frame)

    def test_it_starts_with_what_the_project_says(self, own):
        exploration = Exploration(own)
        assert (exploration["k"], exploration["require"]) == (7, "LDiversity(2) and TCloseness(0.6)")
        assert [str(model) for model in exploration.method.require] == ["LDiversity(l=2)", "TCloseness(t=0.6)"]

    @pytest.mark.slow
    def test_an_export_has_the_officers_page_and_a_project_that_says_the_same(self, own, tmp_path):
        exploration = Exploration(own, start={"k": 9, "require": "LDiversity(2)"})
        exploration.blur("born", "year decade")
        release, _, officer, manifest, written = exploration.export(tmp_path)
        project = read_project(written)
        assert (project.method, project.parameters, project.require) == ("Mondrian", {"k": 9}, ("LDiversity(2)",))
        assert {column.name: column.hierarchy for column in project.columns if column.hierarchy} == {
            "born": "year decade",
            "zip": "prefix 3 1",
        }
        assert project.person == "patient"
        page = officer.read_text(encoding="utf-8")
        assert "at least 9 people" in page
        assert "identifier: not published" in page
        assert json.loads(manifest.read_text())["output"]["name"] == release.name

    def test_the_gate_is_shown(self, own):
        page = Exploration(own).gate_html()
        assert "The gate lets it pass" in page
        assert "every class holds at least 7 people" in page

    def test_a_requirement_that_a_method_cannot_take_is_one_sentence(self, survey):
        exploration = Exploration(survey, start={"method": "PatternTable", "require": "LDiversity(2)"})
        with pytest.raises(ValueError, match="PatternTable takes no requirement; choose 'nothing further'"):
            _ = exploration.release

    @pytest.mark.slow
    def test_hierarchies_are_given_or_written_into_the_panel(self, own, monkeypatch):
        monkeypatch.setenv(BATCH_VARIABLE, "")
        panel = explorer(own, hierarchies={"born": "year decade"}, start={"method": "FullDomain", "column": "zip"})
        assert panel.exploration.table.attributes["born"].levels.height == 3
        panel.hierarchy.value = "intervals x"
        assert "is not a list of numbers" in panel.status.value
        panel.hierarchy.value = "mask 5"
        panel.worker.wait()
        assert panel.exploration.table.attributes["zip"].levels.height == 5

    def test_a_page_without_rows_shows_none(self, own):
        shown = explorer(own, interactive=False, rows=False).data
        assert "k reached" in shown
        assert "published rows" not in shown
        assert "exposed" not in shown
