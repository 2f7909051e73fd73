"""The privacy unit of a table: whose rows they are, what is refused, and what is said where nobody is named."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, load
from anonnb.core.errors import message_of
from anonnb.publishing.own_table import OwnTable, open_table
from anonnb.publishing.project import ProjectError, read_project
from anonnb.tables.roles import PersonWarning


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "household": ["b", "a", "b", "c", "a"],
            "zip": [1, 1, 2, 2, 2],
            "spent": [5, 6, 5, 7, 8],
            "note": [None, "x", None, "y", "z"],
        }
    )


@pytest.fixture
def table(frame):
    return Table(frame, quasi="zip", sensitive="spent", person="household")


def test_rows_know_their_people(table):
    assert table.person == "household"
    assert table.people.tolist() == [0, 1, 0, 2, 1]
    assert table.people.dtype == np.int64
    assert table.n_people == 3
    assert table.people_repeat


def test_without_a_person_each_row_is_one(frame):
    table = Table(frame, quasi="zip")
    assert table.person is None
    assert table.people.tolist() == [0, 1, 2, 3, 4]
    assert table.n_people == 5
    assert not table.people_repeat


def test_whose_row_it_is_stays_known(table):
    for part in (
        table.select(["zip", "spent"]),
        table.with_roles(quasi=["zip", "note"]),
        table.recoded(kinds={"zip": "nominal"}),
        pickle.loads(pickle.dumps(table)),
        table.select(["zip", "spent"]).with_roles(sensitive=[], decision="spent"),
    ):
        assert part.person == "household"
        assert part.people.tolist() == [0, 1, 0, 2, 1]
    some = table.select(["zip"]).take([3, 2, 0])
    assert some.people.tolist() == [0, 1, 1]
    assert some.n_people == 2


def test_other_people_and_none(table, frame):
    assert table.with_roles(person=None).n_people == 5
    assert table.with_roles(person="spent", sensitive=[]).people.tolist() == [0, 1, 0, 2, 3]
    assert table.with_roles(quasi=["household"]).person is None
    both = Table(frame, quasi="zip", identifier="household", person="household")
    assert both.identifiers == ["household"]
    assert both.with_roles(identifier=[]).person == "household"


def test_the_person_is_never_published(table, tmp_path):
    assert table.identifiers == ["household"]
    assert "household" not in table.conditions
    release = Release.of(table)
    assert "household" not in release.columns
    with pytest.raises(KeyError, match="household"):
        release.publish(tmp_path / "out.csv", also=["household"])


def test_what_is_no_person_is_refused(frame):
    with pytest.raises(KeyError, match="person: there is no column 'house'"):
        Table(frame, quasi="zip", person="house")
    with pytest.raises(ValueError, match="column 'zip' cannot be both quasi and person"):
        Table(frame, quasi="zip", person="zip")
    with pytest.raises(
        ValueError, match=r"'note' names the person of each row, but 2 rows have no value in it .*row 0"
    ):
        Table(frame, quasi="zip", person="note")
    with pytest.raises(ValueError, match="names the person of each row"):
        Table(frame, quasi="zip").with_roles(person="note")
    assert Table(frame, quasi="zip", person="note", missing="drop").n_people == 3


def test_one_and_the_same_person_however_written():
    table = Table(pd.DataFrame({"who": [1, "1", 2], "zip": [1, 2, 3]}), quasi="zip", person="who")
    assert table.n_people == 2


def test_a_repeated_identifier_is_told_once(frame):
    with pytest.warns(PersonWarning) as caught:
        Table(frame, quasi="zip", identifier=["household", "note"])
    (only,) = caught
    message = message_of(only.message)
    assert message == "column 'note' repeats (5 rows, 4 values): k counts rows, not people; name it: person='note'"
    assert only.filename == __file__
    assert [remedy.name for remedy in message.remedies] == ["person"]
    with pytest.warns(PersonWarning, match="household"):
        Table(frame, quasi="zip").with_roles(identifier="household")


def test_nothing_is_told_where_all_is_well(frame):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = Table(frame, quasi="zip", identifier="household", person="household")
        table.take([0, 1, 2]).select(["zip"])
        Table(frame.assign(row=range(5)), quasi="zip", identifier="row")
        load("zoo")


def test_a_file_on_its_way(frame):
    assert open_table(frame, quasi=["zip"], person="household").n_people == 3
    assert open_table(Table(frame, quasi="zip"), person="household").n_people == 3
    own = OwnTable(frame, quasi="zip", person="household")
    assert own.table.columns == ["zip"]
    assert own.table.n_people == 3
    assert OwnTable(own.table).table.n_people == 3
    with pytest.raises(KeyError, match="person: there is no column 'house'"):
        OwnTable(frame, quasi="zip", person="house")
    notes = OwnTable(frame, quasi="zip", identifier="household").notes
    assert [note for note in notes if "k counts rows, not people" in note]
    assert not [note for note in own.notes if "k counts rows, not people" in note]


def test_rows_are_dropped_for_columns_with_a_role(frame):
    table = Table(frame, quasi="zip", sensitive="spent", missing="drop")
    assert len(table) == 5
    assert table.dropped == 0
    table = Table(frame, quasi="zip", sensitive="note", missing="drop")
    assert len(table) == 3
    assert table.dropped == 2
    assert repr(table).startswith("Table: 3 rows × 4 attributes, 2 rows dropped for a missing value")
    assert table.with_roles(sensitive="spent").select(["zip"]).dropped == 2
    with pytest.raises(ValueError, match="column 'note' has a missing value in row 0"):
        Table(frame, quasi="zip", sensitive="note", missing="error")
    assert len(Table(frame, quasi="zip", missing="error")) == 5
    assert Table(frame, missing="drop").dropped == 2


# ---- households and weights -----------------------------------------------------------------------------------------


@pytest.fixture
def homes():
    return pd.DataFrame(
        {"hid": [7, 7, 9, 9, 4], "w": [2.5, 2.5, 1, 1, 3], "region": list("aabba"), "age": [30, 5, 40, 41, 30]}
    )


ROLES = {"quasi": ["region", "age"], "household": ["hid", "region"], "weight": "w"}


def test_households_and_weights_stay_known(homes):
    table = Table(homes, **ROLES, unit="household")
    assert table.identifiers == ["hid", "w"]
    assert table.conditions == ["region", "age"]
    assert list(Release.of(table).columns) == ["region", "age"]
    for part in (
        table,
        table.select(["age"]),
        table.with_roles(quasi="age"),
        table.recoded(kinds={"age": "nominal"}),
        table.with_weights(age=2),
        table.with_index(pd.RangeIndex(5)),
        pickle.loads(pickle.dumps(table)),
        table.select(["age"]).with_roles(quasi=[], sensitive="age"),
        OwnTable(table).table,
        OwnTable(homes, **ROLES, unit="household").table,
        OwnTable(homes, quasi="age").table and open_table(homes, **ROLES, unit="household"),
    ):
        assert (part.household, part.weight, part.unit) == ("hid", "w", "household")
        assert part.row_weights.tolist() == [2.5, 2.5, 1, 1, 3]
        assert part.people.tolist() == part.households.tolist() == [0, 0, 1, 1, 2]
    some = table.take([4, 3, 2])
    assert (some.households.tolist(), some.row_weights.tolist()) == ([0, 1, 1], [3, 1, 1])
    assert Release.of(table).take([4, 0]).row_weights.tolist() == [3, 2.5]
    assert Release.of(table.with_roles(quasi="region")).group_people.tolist() == [2, 1]
    person = table.with_roles(unit="person")
    assert (person.n_people, person.counted_by, person.household) == (5, None, "hid")
    none = table.with_roles(household=None, weight=None)
    assert (none.unit, none.household_columns, none.weight, none.row_weights.tolist()) == ("person", [], None, [1] * 5)
    assert table.with_roles(quasi=["age", "hid"]).household is None


@pytest.mark.parametrize(
    ("change", "roles", "words"),
    [
        ({"w": [2, 3, 1, 1, 3]}, {}, "column 'w' differs within the household '7'"),
        ({"region": list("aabca")}, {}, "column 'region' differs within the household '9'"),
        ({"w": [2, 2, 0, 0, 3]}, {}, "column 'w' holds weights, but row 2 has 0 in it"),
        ({"w": [2, 2, 1, 1, None]}, {}, "1 row has no value in it .the first is row 4"),
        ({"w": list("aabbc")}, {}, "column 'w' holds no numbers"),
        ({"hid": [7, 7, None, 9, 4]}, {}, "'hid' names the household of each row, but 1 row has no value"),
        ({}, {"household": None, "unit": "household"}, "no household is named"),
        ({}, {"unit": "family"}, "unit='family' is not known"),
        ({}, {"quasi": ["age", "w"]}, "column 'w' cannot be both quasi and weight"),
        ({}, {"quasi": ["age", "hid"]}, "column 'hid' cannot be both quasi and household"),
    ],
)
def test_what_is_no_household_or_weight_is_refused(homes, change, roles, words):
    with pytest.raises(ValueError, match=words):
        Table(homes.assign(**change), **(ROLES | roles))
    if not roles:
        with pytest.raises(ValueError, match=words):
            Table(homes.assign(**change), quasi="age").with_roles(household=["hid", "region"], weight="w")


def test_a_project_names_households_and_weights(homes, tmp_path):
    homes.to_csv(tmp_path / "homes.csv", index=False)
    own = OwnTable(tmp_path / "homes.csv", **ROLES, unit="household")
    path = own.write_project(tmp_path / "homes.yaml")
    for again in (OwnTable.from_project(path), OwnTable.from_project(own.write_project(tmp_path / "again.yaml"))):
        table = again.table
        assert (table.household, table.unit, table.weight, table.n_people) == ("hid", "household", "w", 3)
        assert table.columns == ["region", "age", "w"]
        assert again.role_of("w") == "weight"
    again.choose("w", "left out")
    assert again.table.weight is None
    path.write_text(path.read_text().replace("weight: w", "weight: v").replace("household: [hid, region]", ""))
    with pytest.raises(ProjectError) as error:
        read_project(path)
    assert len(error.value.mistakes) == 2
