"""States as rows of text: what is compared with what, and what counts as changed."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonnb import Release, Table
from anonnb.plots.steps.cells import compared, group_contents, rows_of
from anonnb.rules.association.published_itemsets import MinedItemsets
from anonnb.steps import RowGroups


@pytest.fixture
def table():
    return Table(pd.DataFrame({"age": [20, 25, 60, 70]}, index=list("abcd")), quasi=["age"])


def test_rows_are_the_same_by_name_not_by_place():
    before = pd.DataFrame({"age": [20, 30]}, index=["Ann", "Bob"])
    now = pd.DataFrame({"age": [31, 20, 7]}, index=["Bob", "Ann", "Cy"])
    found = compared(now, before)
    assert found.changed.ravel().tolist() == [True, False, False]
    assert found.new.tolist() == [False, False, True]
    assert found.gone == 0
    assert compared(before, now).gone == 1


def test_two_rows_of_one_name_stay_two():
    before = pd.DataFrame({"age": [1, 2]}, index=["Ann", "Ann"])
    now = pd.DataFrame({"age": [1, 3]}, index=["Ann", "Ann"])
    assert compared(now, before).changed.ravel().tolist() == [False, True]


def test_nothing_is_marked_without_a_step_before_or_where_two_states_have_nothing_in_common():
    now = pd.DataFrame({"age": [20]})
    for before in (None, pd.DataFrame({"zip": [20]}), pd.DataFrame({"age": [20]}, index=["Ann"]), "a text"):
        assert not compared(now, before).any_changed
        assert compared(now, before).gone == 0


def test_a_table_becomes_a_release(table):
    release = RowGroups(table, [0, 0, 1, 1]).release
    found = compared(release, table)
    assert found.texts.ravel().tolist() == ["[20–25]", "[20–25]", "[60–70]", "[60–70]"]
    assert found.changed.all()


def test_equal_rows_that_are_nobodys_stand_once_with_their_number(table):
    nobody = (np.array([], dtype=np.int64),) * 2
    taken = Release.of(table).take(np.array([1, 0, 1, 1]))
    drawn = Release(table, taken.columns, None, owners=nobody)
    assert rows_of(drawn).frame.values.tolist() == [[25, 3], [20, 1]]
    assert rows_of(taken).frame["age"].tolist() == [25, 20, 25, 25]
    few = Release(table, Release.of(table).columns, None, owners=nobody)
    assert rows_of(few).frame.shape == (4, 1)  # all different: a number would say nothing


def test_groups_show_the_original_values_in_the_order_of_the_groups(table):
    rows = rows_of(RowGroups(table, [1, -1, 0, 1], marked=[3]))
    assert rows.frame["group"].tolist() == ["0", "1", "1", "–"]
    assert rows.frame["age"].tolist() == [60, 20, 70, 25]
    assert rows.marked.tolist() == [False, False, True, False]


def test_a_column_that_is_called_group_stays_a_column():
    table = Table(pd.DataFrame({"group": ["x", "y"]}), quasi=["group"])
    found = compared(RowGroups(table, [0, 1]), RowGroups(table, [0, 0]))
    assert found.texts.tolist() == [["0", "x"], ["1", "y"]]
    assert found.changed.tolist() == [[True, False], [True, False]]


@given(st.lists(st.integers(-1, 4), min_size=1, max_size=12), st.permutations(range(5)))
def test_contents_of_groups_do_not_depend_on_their_numbers(groups, order):
    groups = np.array(groups)
    other = np.where(groups < 0, -1, np.array(order)[groups])
    one, two = group_contents(groups), group_contents(other)
    assert (one == two).all()
    alike = (groups[:, None] == groups) & (groups >= 0)[:, None]
    assert ((one[:, None] == one) & (one != 0)[:, None] == alike).all()


@pytest.mark.parametrize(
    ("state", "first"),
    [
        (8, "8"),
        ("one\ntwo", "one"),
        (["b", "a"], "b"),
        ({"b", "a"}, "a"),
        ({("x", "y"): 3}, "x, y"),
        (pd.Series([1.25], name="score"), "1.25"),
        (MinedItemsets.of({(): 9, ("M",): 5}), ""),
    ],
    ids=["number", "text", "list", "set", "mapping", "series", "itemsets"],
)
def test_every_kind_of_state_has_rows(state, first):
    assert compared(state).texts[0, 0] == first
