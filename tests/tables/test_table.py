"""Tables: there and back again, roles, selections and what people see."""

import pickle
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anonnb.files.reading import read_table_file
from anonnb.methods import Mondrian
from anonnb.tables.hierarchies.hierarchy import Hierarchy
from anonnb.tables.table import Table
from tests.strategies import COLUMNS, frames


@pytest.fixture
def people() -> Table:
    frame = pd.DataFrame(
        {"name": ["ann", "bob", "cy"], "age": [30, 40, 40], "zip": ["01", "02", "01"], "ill": ["flu", None, "flu"]},
        index=[10, 20, 30],
    )
    return Table(frame, identifier="name", quasi=["age", "zip"], sensitive="ill", decision="ill")


@pytest.mark.slow
@pytest.mark.parametrize("column", COLUMNS)
@given(data=st.data())
@settings(max_examples=15)
def test_a_frame_comes_back_as_it_was(column, data):
    frame = data.draw(frames([column]))
    pd.testing.assert_frame_equal(Table(frame).frame, frame)
    pd.testing.assert_series_equal(Table(frame)[column], frame[column])


@given(frames(["ints", "texts", "ordered", "zoned", "mixed"], max_rows=6), st.data())
@settings(max_examples=20)
def test_selections_share_domains(frame, data):
    table = Table(frame)
    rows = data.draw(st.lists(st.integers(0, len(frame) - 1)))
    part = table.take(rows)
    assert all(part.attributes[name] is table.attributes[name] for name in table.columns)
    pd.testing.assert_frame_equal(part.frame, frame.iloc[rows])
    names = data.draw(st.lists(st.sampled_from(table.columns), unique=True, min_size=1))
    pd.testing.assert_frame_equal(table.select(names).frame, frame[names])
    assert all((table.codes(name)[rows] == part.codes(name)).all() for name in table.columns)


def test_selecting_by_brackets(people):
    assert people["age"].tolist() == [30, 40, 40]
    assert people["age"].index.tolist() == [10, 20, 30]
    assert people[["zip", "age"]].columns == ["zip", "age"]
    assert people["age":"zip"].columns == ["age", "zip"]
    assert people[1:].index.tolist() == [20, 30]
    assert people[0].index.tolist() == [10]
    assert people[[2, 0]].index.tolist() == [30, 10]
    for mask in ([True, False, True], np.array([True, False, True]), people.frame["zip"] == "01"):
        assert people[mask].index.tolist() == [10, 30]
    assert len(people[[]]) == 0
    assert people.select("age").columns == ["age"]
    for key in ("height", ["age", "height"]):
        with pytest.raises(KeyError, match="there is no column 'height'; the columns are name, age"):
            people[key]


def test_with_roles_takes_columns_from_the_roles_not_named(people):
    other = people.with_roles(quasi=["age", "ill"])
    assert (other.quasi, other.sensitive, other.decision) == (["age", "ill"], [], None)
    assert people.with_roles(sensitive="age").quasi == ["zip"]
    assert people.with_roles(decision=None).sensitive == ["ill"]
    both = people.with_roles(sensitive=["zip"], decision="zip")
    assert (both.quasi, both.sensitive, both.decision) == (["age"], ["zip"], "zip")
    assert people.with_roles(sensitive="ill").decision == "ill"
    assert people.quasi == ["age", "zip"], "the table itself does not change"
    with pytest.raises(TypeError, match="unknown role 'secret'"):
        people.with_roles(secret=["age"])
    with pytest.raises(KeyError, match="quasi: there is no column 'height'"):
        people.with_roles(quasi=["height"])


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"quasi": ["a"], "sensitive": ["a"]}, "quasi and sensitive"),
        ({"quasi": ["a"], "decision": "a"}, "quasi and decision"),
        ({"quasi": ["a"], "identifier": "a"}, "quasi and identifier"),
        ({"sensitive": ["a"], "identifier": "a"}, "sensitive and identifier"),
        ({"decision": "a", "identifier": "a"}, "decision and identifier"),
    ],
)
def test_roles_exclude_each_other(roles, words):
    with pytest.raises(ValueError, match=f"column 'a' cannot be both {words}"):
        Table(pd.DataFrame({"a": [1]}), **roles)


@pytest.mark.parametrize("frame", [pd.DataFrame(), pd.DataFrame({"a": []}), pd.DataFrame(index=range(3))])
def test_tables_without_rows_or_columns(frame):
    table = Table(frame)
    assert len(table) == len(frame)
    assert table.frame.shape == frame.shape
    assert table.code_matrix().shape == (len(frame), 0)
    assert "<b>Table" in table._repr_html_()


def test_constant_and_all_missing_columns():
    frame = pd.DataFrame({"one": [7, 7], "none": [None, None], "nan": [np.nan, np.nan]})
    table = Table(frame, quasi=["one", "none", "nan"])
    assert [table.attributes[name].size for name in table.columns] == [1, 1, 1]
    pd.testing.assert_frame_equal(table.frame.astype(float), frame.astype(float))
    with pytest.warns(UserWarning, match="no hierarchy"):
        assert table.attributes["none"].levels.height == 1


def test_what_cannot_be_a_table_says_why():
    with pytest.raises(TypeError, match="needs a pandas DataFrame, not list"):
        Table([[1]])
    with pytest.raises(ValueError, match="column 'a' occurs more than once"):
        Table(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(ValueError, match="missing='skip' is not known"):
        Table(pd.DataFrame(), missing="skip")
    with pytest.raises(KeyError, match="kinds: there is no column 'b'"):
        Table(pd.DataFrame({"a": [1]}), kinds={"b": "nominal"})


def test_overrides_of_kinds_orders_and_hierarchies():
    frame = pd.DataFrame({"legs": [4, 2], "safety": ["low", "high"], "age": [31, 37]})
    table = Table(
        frame,
        kinds={"legs": "nominal"},
        orders={"safety": ["low", "med", "high"]},
        hierarchies={"age": Hierarchy.intervals(5, 10)},
    )
    assert [attribute.kind for attribute in table.attributes.values()] == ["nominal", "ordinal", "numeric"]
    assert table.codes("safety").tolist() == [0, 1]
    assert table.attributes["age"].levels.labels[1] == ["[30,35)", "[35,40)"]
    with pytest.raises(ValueError, match="column 'safety': the hierarchy does not cover the value 'high'"):
        Table(frame, hierarchies={"safety": Hierarchy.from_dict({"low": "any"})})


def test_recoded_changes_only_what_is_named_and_keeps_the_domain(people):
    part = people[:1].recoded(kinds={"age": "nominal"}, orders={"zip": ["02", "01"]})
    assert part.attributes["age"].kind == "nominal"
    assert part.attributes["age"].labels == ["30", "40"]
    assert part.attributes["zip"].labels == ["02", "01"]
    assert part.attributes["ill"] is people.attributes["ill"]
    pd.testing.assert_frame_equal(part.frame, people[:1].frame)
    with_one = people.with_hierarchies(age=Hierarchy.intervals(10))
    assert with_one.attributes["age"].hierarchy.height == 2
    assert with_one.quasi == people.quasi
    missing = people.recoded(kinds={"ill": "ordinal"})
    assert missing["ill"].isna().tolist() == [False, True, False]


def test_html_is_escaped_and_short():
    nasty = "<script>alert(1)</script>"
    frame = pd.DataFrame({nasty: [nasty, "x" * 5000], "y" * 5000: [1, 2], "two\nlines": [1, 2]}, index=[nasty, "b"])
    shown = Table(frame, quasi=[nasty])._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert "x" * 100 not in shown
    assert "y" * 100 not in shown
    text = repr(Table(frame))
    assert len(text.splitlines()) == 4
    assert max(map(len, text.splitlines())) < 120


def test_a_table_travels_to_another_process():
    frame = pd.DataFrame({"age": [31, 37], "zip": ["01", "02"], "sex": ["f", "m"], "job": ["a", "b"]})
    hierarchies = {
        "age": Hierarchy.intervals(5),
        "zip": Hierarchy.mask(2),
        "sex": Hierarchy.flat(),
        "job": Hierarchy.from_dict({"a": "any", "b": "any"}),
    }
    table = pickle.loads(pickle.dumps(Table(frame, hierarchies=hierarchies)))
    pd.testing.assert_frame_equal(table.frame, frame)
    assert table.attributes["zip"].hierarchy.generalize("01", 1) == "0*"


def test_hierarchies_that_were_used_travel_like_new_ones():
    """What is cached on disk is found by the bytes that travel."""
    hierarchy = Hierarchy.intervals(5, 10)
    new = pickle.dumps(hierarchy)
    Table(pd.DataFrame({"age": [31, 37]}), hierarchies={"age": hierarchy})
    assert hierarchy.generalize(31, 1) == "[30,35)"
    assert pickle.dumps(hierarchy) == new


def test_the_table_does_not_follow_later_changes_of_the_frame():
    frame = pd.DataFrame({"a": [1, 2]})
    table = Table(frame)
    frame.loc[0, "a"] = 9
    assert table.frame["a"].tolist() == [1, 2]


@pytest.mark.slow
def test_twenty_thousand_columns_are_published_within_a_minute(tmp_path):
    names = [f"c{number}" for number in range(20_000)]
    frame = pd.DataFrame(np.random.default_rng(0).integers(0, 9, (2, len(names))), columns=names)
    start = time.process_time()
    release = Mondrian(k=2).anonymize(Table(frame, quasi=names))
    cells = read_table_file(release.publish(tmp_path / "wide.csv"))
    assert time.process_time() - start < 60
    assert cells.shape == (2, 20_000)
