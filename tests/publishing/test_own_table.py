"""A file on its way to a table: what is guessed about its columns, what is chosen, and what is said when it fails."""

import datetime as dt
import io
import warnings

import numpy as np
import pandas as pd
import pytest
import yaml

from anonnb.publishing.own_table import OwnTable, open_table
from anonnb.publishing.project import read_project
from anonnb.publishing.table_opening import IdentifierWarning, guess_roles
from anonnb.widgets import own_table
from anonnb.widgets.controls import BATCH_VARIABLE
from anonnb.widgets.panels import OwnTablePanel
from tests.cli.test_people import visits
from tests.files.test_reading import ODD


@pytest.fixture
def people():
    count = range(40)
    return pd.DataFrame(
        {
            "customer_id": [1000 + number for number in count],
            "E-Mail": [f"p{number}@example.org" for number in count],
            "Zip Code": [f"0{number % 7}234" for number in count],
            "age": [20 + number % 30 for number in count],
            "shoe size": [36 + number % 9 for number in count],
            "weight": [50 + 1.7 * number for number in count],
            "Diagnosis": [["flu", "cold", "asthma"][number % 3] for number in count],
            "remarks": [f"came on day {number} and said that all was well again, thanks" for number in count],
            "country": ["X"] * 40,
            "nothing": [None] * 40,
        }
    )


def test_guesses_and_their_reasons(people):
    guesses = guess_roles(people).set_index("column")
    assert guesses["role"].to_dict() == {
        "customer_id": "identifier",
        "E-Mail": "identifier",
        "Zip Code": "quasi-identifier",
        "age": "quasi-identifier",
        "shoe size": "quasi-identifier",
        "weight": "left out",
        "Diagnosis": "sensitive",
        "remarks": "identifier",
        "country": "left out",
        "nothing": "left out",
    }
    assert guesses.loc["customer_id", "reason"] == "nearly each row has its own value"
    assert guesses.loc["age", "reason"] == "others may know it, its name says"
    assert guesses.loc["shoe size", "reason"] == "few values, which others may know"
    assert guesses.loc["nothing", "reason"] == "it has no value"
    assert guesses["values"]["country"] == 1
    assert guesses["missing"]["nothing"] == 40


@pytest.mark.parametrize(
    ("name", "role"), [("marriage", "left out"), ("page", "left out"), ("AGE_GROUP", "quasi-identifier")]
)
def test_a_word_inside_another_word_tells_nothing(name, role):
    frame = pd.DataFrame({name: [0.5 * number for number in range(60)]})
    assert guess_roles(frame)["role"].tolist() == [role]


def numbered(last):
    """Forty numbers, one of which is missing, so that pandas makes all of them floats."""
    return pd.DataFrame({"code": [None, *map(float, range(100, 138)), last], "age": [30, 40] * 20})


def test_whole_numbers_with_a_gap_are_still_an_identifier():
    frame = numbered(138.0)
    assert guess_roles(frame)["role"].tolist() == ["identifier", "quasi-identifier"]
    for column in (frame["code"], frame["code"].astype("Int64"), frame["code"].astype("Float64")):
        with pytest.warns(IdentifierWarning, match="column 'code' has 40 different values in 40 rows"):
            open_table(frame.assign(code=column), quasi=["code"])


@pytest.mark.parametrize("kind", ["float64", "Float64"])
def test_measurements_and_dates_are_no_identifiers(kind):
    frame = numbered(138.5).astype({"code": kind}).assign(day=pd.date_range("2026-01-01", periods=40))
    assert guess_roles(frame)["role"].tolist() == ["left out", "quasi-identifier", "left out"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", IdentifierWarning)
        open_table(frame, quasi=["code", "day"])


class TestOwnTable:
    def test_guesses_hold_until_somebody_chooses(self, people):
        own = OwnTable(people)
        assert own.table.quasi == ["Zip Code", "age", "shoe size"]
        assert own.table.sensitive == ["Diagnosis"]
        own.choose("weight", "quasi-identifier")
        own.choose("shoe size", "left out")
        assert own.table.quasi == ["Zip Code", "age", "weight"]
        assert own.table.columns == ["Zip Code", "age", "weight", "Diagnosis"]

    def test_one_column_says_whose_row_it_is(self):
        own = OwnTable(visits("nr"))
        assert any("column 'nr' repeats (1,150 rows, 400 values): k counts rows" in note for note in own.notes)
        panel = OwnTablePanel(own)
        menus = {row.children[0].description: row.children[0] for row in panel.menus.children}
        menus["visit"].value = "person"
        assert own.table.n_people == 1150
        menus["nr"].value = "person"
        assert (menus["visit"].value, own.person, own.table.n_people) == ("identifier", "nr", 400)
        assert own.as_project("p.yaml").person == "nr"
        assert own.describe()["role"].to_dict() == {name: menu.value for name, menu in menus.items()}
        menus["nr"].value = "identifier"
        assert (own.person, own.table.people_repeat) == (None, False)

    def test_bad_choices(self, people):
        own = OwnTable(people)
        with pytest.raises(KeyError, match="no column 'height'"):
            own.choose("height", "sensitive")
        with pytest.raises(ValueError, match="'secret' is no role; the roles are identifier"):
            own.choose("age", "secret")
        with pytest.raises(KeyError, match="quasi: there is no column 'height'"):
            OwnTable(people, quasi=["height"])
        for name in own.columns:
            own.choose(name, "left out")
        with pytest.raises(ValueError, match="no column is a quasi-identifier yet"):
            _ = own.table
        assert "no column is a quasi-identifier yet" in own.problem

    def test_a_file_a_shipped_name_and_nothing(self, tmp_path):
        (tmp_path / "people.csv").write_text("age;ill\n30;flu\n40;cold\n")
        own = OwnTable(tmp_path / "people.csv")
        assert own.name == "people.csv"
        assert own.table.quasi == ["age"]
        survey = OwnTable("survey")
        assert survey.table.quasi == ["Marital_status", "Sex", "Hours"]
        assert survey.table.attributes["Sex"].levels.height == 1  # its hierarchies stay

    def test_upload_replaces_the_table_or_leaves_it_and_says_why(self, people):
        own = OwnTable(people, name="before")
        own.upload("new.csv", memoryview(b"age,illness\n30,flu\n40,cold\n"))
        assert (own.name, own.columns) == ("new.csv", ["age", "illness"])
        assert own.problem == ""
        own.upload("bad.csv", b"a,b\n1,2\n3\n")
        assert own.problem.startswith("bad.csv, line 3: 1 fields, but the header has 2")
        assert own.name == "new.csv"
        own.upload("latin.csv", "age,city\n30,Köln\n40,Bonn\n".encode("latin-1"))
        assert own.problem == ""
        assert "not UTF-8" in own.notes[0]

    @pytest.mark.parametrize("cell", [[1, 2], {"a": 1}], ids=["list", "dict"])
    def test_a_column_of_lists_is_refused_and_changes_nothing_else(self, people, cell):
        own = OwnTable(people, name="before")
        own.upload("latin.csv", "age,city\n30,Köln\n40,Bonn\n".encode("latin-1"))
        before, notes = self.state(own), own.notes
        assert "not UTF-8" in notes[0]
        file = io.BytesIO()
        pd.DataFrame({"age": [30, 40], "visits": [cell, cell]}).to_parquet(file)
        own.upload("lists.parquet", file.getvalue())
        said = "column 'visits' holds lists or the like; give each cell one value, or drop the column"
        assert own.problem == said
        with pytest.raises(ValueError, match="column 'visits' holds lists"):
            OwnTable(pd.DataFrame({"visits": [cell, cell]}))
        assert all(one is other for one, other in zip(before, self.state(own), strict=True))
        assert own.notes == notes

    def state(self, own):
        return own.name, own.frame, own.guesses, own.roles, own.table

    def test_an_identifier_chosen_as_quasi_identifier_is_noted(self, people):
        own = OwnTable(people)
        assert own.notes == []
        own.choose("E-Mail", "quasi-identifier")
        assert "column 'E-Mail' has 40 different values in 40 rows" in own.notes[0]

    @pytest.mark.parametrize("name", ODD)
    def test_odd_files_give_a_table_or_a_sentence(self, name):
        own = OwnTable("survey")
        own.upload("odd.csv", ODD[name].encode())
        assert own.name == "odd.csv"
        for column in own.columns[:2]:
            own.choose(column, "quasi-identifier")
        assert own.problem == ""
        assert len(own.table) == len(own.frame)

    def test_as_html_everything_is_text(self):
        own = OwnTable(pd.DataFrame({"<b>age</b>": ["<script>", "x"] * 3, "ill": ["a", "b"] * 3}), name="<i>")
        page = own._repr_html_()
        assert "&lt;b&gt;age&lt;/b&gt;" in page
        assert not any(tag in page for tag in ("<script", "<i>", "<b>age"))

    def test_a_page_shows_no_row(self, people):
        own = OwnTable(people, quasi=["age"], sensitive="Diagnosis", identifier=["E-Mail"])
        page = own._repr_html_()
        assert "E-Mail" in page  # its role is told
        assert not any(value in page for value in ("asthma", "example.org", "came on day", "1003", "51.7"))
        assert "example.org" in str(own.head())  # who chooses roles looks at everything


class TestPanel:
    @pytest.fixture
    def panel(self, people, monkeypatch):
        monkeypatch.setenv(BATCH_VARIABLE, "")
        return own_table(OwnTable(people, name="people"))

    def upload(self, panel, name, raw):
        file = {"name": name, "type": "text/csv", "size": len(raw), "content": memoryview(raw)}
        panel.upload.value = [{**file, "last_modified": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)}]

    def test_a_menu_for_each_column(self, panel, people):
        menus = {row.children[0].description: row.children[0] for row in panel.menus.children}
        assert list(menus) == list(people.columns)
        assert menus["age"].value == "quasi-identifier"
        assert panel.reasons["nothing"].value == "0 values, 40 missing: it has no value"
        assert "people: 40 of 40 people are the only ones" in panel.status.value
        menus["age"].value = "left out"
        menus["shoe size"].value = "left out"
        assert panel.reasons["age"].value == "30 values: chosen"
        assert "people: 0 of 40 people are the only ones with their values of Zip Code" in panel.status.value
        assert panel.own.table.quasi == ["Zip Code"]
        menus["Zip Code"].value = "left out"
        assert "no column is a quasi-identifier yet" in panel.status.value

    def test_a_broken_file_is_one_sentence_and_changes_nothing_else(self, panel, people):
        self.upload(panel, "bad.csv", b"a,b\n1,2\n3\n")
        assert 'role="alert"' in panel.status.value
        assert "bad.csv, line 3: 1 fields, but the header has 2" in panel.status.value
        assert len(panel.menus.children) == len(people.columns)


def test_a_batch_run_shows_the_table_and_no_widget(people, monkeypatch):
    own = OwnTable(people)
    assert own_table(own, interactive=False) is own
    monkeypatch.setenv(BATCH_VARIABLE, "1")
    assert own_table(own) is own


def test_the_example():
    own = OwnTable.example()
    assert own.problem == ""
    table = own.table
    assert table.n_people == 1200 < len(table)
    assert table.sensitive == ["diagnosis", "charge"]
    assert table.attributes["born"].is_number is False  # a date
    assert table.attributes["born"].kind == "numeric"
    assert table.attributes["zip"].missing
    assert table.attributes["diagnosis"].missing
    assert OwnTable.example().frame.equals(own.frame)


@pytest.mark.parametrize("name", ["diagnosis", "Diagnoses", "disease_status", "icd", "hypertension", "drug_allergies"])
def test_health_is_sensitive_whatever_else_the_name_says(name):
    roles = guess_roles(pd.DataFrame({name: ["a", "b"] * 20}))
    assert roles.loc[0, "role"] == "sensitive"


def test_values_about_health_are_no_quasi_identifiers():
    roles = guess_roles(pd.DataFrame({"x": ["flu", "Asthma", "none"] * 20, "y": ["red", "blue", "green"] * 20}))
    assert roles["role"].tolist() == ["sensitive", "quasi-identifier"]
    assert "its values are about health" in roles.loc[0, "reason"]


COLUMNS = {
    "born": {"role": "quasi-identifier", "hierarchy": "year decade", "highest_level": 2},
    "zip": {"role": "quasi-identifier", "kind": "nominal", "hierarchy": "prefix 3 1", "weight": 2.0},
    "grade": {"role": "quasi-identifier", "order": ["3", "1", "2"]},
    "patient": {"role": "identifier"},
    "ill": {"role": ["sensitive", "decision"]},
    "ward": {"role": "also", "known_outside": False},
    "remark": {"role": "left out"},
}


class TestProject:
    @pytest.fixture
    def project(self, tmp_path):
        draw = np.random.default_rng(2)
        lines = [
            f"{day:02}.03.19{40 + day};{10100 + day % 7};{day % 3 + 1};p{day // 2};{ill};{day % 2};x"
            for day, ill in enumerate(draw.choice(["flu", "cold"], 28), start=1)
        ]
        (tmp_path / "p.csv").write_text("\n".join(["born;zip;grade;patient;ill;ward;remark", *lines]) + "\n")
        said = {"anonnb": 1, "data": "p.csv", "read": {"sep": ";", "dayfirst": True}, "person": "patient"}
        said |= {"columns": COLUMNS, "method": {"name": "Samarati", "k": 3}, "require": ["LDiversity(2)"]}
        (tmp_path / "p.yaml").write_text(yaml.safe_dump(said, sort_keys=False))
        return tmp_path / "p.yaml"

    def test_a_project_becomes_a_table(self, project):
        own = OwnTable.from_project(project)
        table = own.table
        assert (table.quasi, table.sensitive, table.decision) == (["born", "zip", "grade"], ["ill"], "ill")
        assert (table.person, table.n_people) == ("patient", 15)
        assert table.columns == ["born", "zip", "grade", "ill", "ward"]
        assert table.attributes["grade"].labels == ["3", "1", "2"]
        assert table.attributes["zip"].levels.labels[1][0] == "101**"
        assert (table.weights, table.limits) == ({"zip": 2.0}, {"born": 2})
        assert own.describe().loc["zip", "reason"] == "p.yaml says so"

    def test_what_is_written_reads_back_the_same(self, project):
        before = read_project(project)
        OwnTable.from_project(project).write_project(project)
        assert read_project(project) == before

    def test_an_uploaded_project_names_the_roles_of_the_table_that_is_there(self, project):
        own = OwnTable(project.with_name("p.csv"), sep=";", dayfirst=True)
        own.upload("p.yaml", project.read_bytes())
        assert own.problem == ""
        assert own.table.quasi == ["born", "zip", "grade"]
        own.upload("bad.yaml", b"anonnb: 1\ncolumns:\n  zip: {role: quasi}\n")
        assert own.problem.startswith("bad.yaml, line 3: 'quasi' is no role; known are")
        assert "\n" not in own.problem

    def test_a_table_without_its_columns_is_one_sentence(self, project, people):
        with pytest.raises(ValueError, match=r"p\.yaml: the table has no column 'born'; its columns are"):
            OwnTable.from_project(project, people)

    def test_a_hierarchy_that_does_not_fit_changes_nothing(self):
        own = OwnTable.example()
        own.blur("zip", "prefix 3 1")
        with pytest.raises(ValueError, match="'born'"):
            own.blur("born", "intervals x")
        assert own.table.attributes["zip"].levels.height == 3
        assert own.problem == ""


def test_options_of_a_table_reach_it_from_plain_values(tmp_path):
    (tmp_path / "p.csv").write_text("pay;grade\n1,5;2\n2,5;1\n")
    plain = {"decimal": ",", "orders": {"grade": ["2", "1"]}, "hierarchies": {"pay": "intervals 2"}}
    plain |= {"weights": {"pay": 3}}
    table = open_table(tmp_path / "p.csv", quasi=["pay", "grade"], **plain)
    assert table.attributes["pay"].domain.tolist() == [1.5, 2.5]
    assert table.attributes["grade"].domain.tolist() == [2, 1]
    assert table.weights == {"pay": 3}


def test_nested_lists_stand_in_a_project(tmp_path):
    (tmp_path / "p.csv").write_text("city,no\nBonn,1\nUlm,2\nKiel,1\n")
    city = "{role: quasi-identifier, hierarchy: {north: [Bonn, Kiel], south: [Ulm]}}"
    number = "{role: quasi-identifier, kind: nominal, hierarchy: {few: [1, 2]}}"
    path = tmp_path / "p.yaml"
    path.write_text(f"anonnb: 1\ndata: p.csv\ncolumns:\n  city: {city}\n  'no': {number}\n")
    own = OwnTable.from_project(path)
    assert own.table.attributes["city"].levels.labels[1] == ["north", "south"]
    assert own.table.attributes["no"].levels.labels[1] == ["few"]
    before = read_project(path)
    own.write_project(path)
    assert read_project(path) == before


def test_the_summary_counts_people_and_not_groups_of_rows():
    own = OwnTable.example()
    table, shown = own.table, own.table.frame[own.table.quasi].map(str).agg("|".join, axis=1)
    people = pd.Series(table.people)
    alone = people[people.groupby(shown.to_numpy()).transform("nunique") == 1].nunique()
    assert 0 < alone <= table.n_people
    assert f"{alone:,} of {table.n_people:,} people are the only ones" in own.summary
