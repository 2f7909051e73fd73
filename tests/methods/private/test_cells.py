"""Cells come from declarations: values that nobody has are there, and what nobody declared is refused."""

import pandas as pd
import pytest

from anonnb import Hierarchy, Table
from anonnb.methods.private.cells import cells_of


def cells(values, **options):
    table = Table(pd.DataFrame({"x": values}), **{name: {"x": given} for name, given in options.items()})
    found = cells_of(table.attributes["x"])
    return found.sets.labels, found.of_code[table.codes("x")].tolist()


def test_declared_values_are_cells_whether_they_occur_or_not():
    assert cells(["b", "a"], domains=["c", "b", "a"]) == (["c", "b", "a"], [1, 2])
    assert cells(["b"], orders=["a", "b", "c"]) == (["a", "b", "c"], [1])
    assert cells([3, 2], domains=range(1, 5)) == (["1", "2", "3", "4"], [2, 1])
    assert cells([True], domains=[False, True]) == (["False", "True"], [1])


def test_edges_make_intervals_and_the_last_holds_its_end():
    assert cells([0, 9, 10, 20], domains=[0, 10, 20]) == (["[0,10)", "[10,20]"], [0, 0, 1, 1])
    assert cells([0.5, 1.0], domains=[0, 0.5, 1]) == (["[0,0.5)", "[0.5,1]"], [1, 1])
    assert cells([0, 5], domains=[0, 1, 10]) == (["0", "[1,10]"], [0, 1])


def test_an_interval_reaches_from_edge_to_edge_whatever_occurs():
    table = Table(pd.DataFrame({"x": [15]}), domains={"x": [0, 10, 20]})
    sets = cells_of(table.attributes["x"]).sets
    assert sets.attribute.numbers[sets.lo].tolist() == [0, 10]
    assert sets.attribute.numbers[sets.hi].tolist() == [9, 20]


def test_missing_values_have_a_cell_where_they_were_declared():
    assert cells(["a", None], domains=["a", "b", None]) == (["a", "b", "missing"], [0, 2])
    assert cells([1.0, None], domains=[0, 10, None]) == (["[0,10]", "missing"], [0, 1])
    assert cells([1], domains=[0, 10, None]) == (["[0,10]", "missing"], [0])
    with pytest.raises(ValueError, match="'x' has missing values, which its declared domain does not list; add None"):
        cells(["a", None], domains=["a", "b"])


def test_a_hierarchy_that_lists_values_declares_them():
    listed = Hierarchy.from_dict({"a": "*", "b": "*", "?": "*"})
    assert cells(["b", None], hierarchies=listed) == (["a", "b", "?"], [1, 2])
    assert cells([7], hierarchies=Hierarchy.from_dict({"7": "*", "5": "*"})) == (["5", "7"], [1])


@pytest.mark.parametrize("hierarchy", [Hierarchy.intervals(5), Hierarchy.flat()])
def test_a_hierarchy_without_a_list_does_not(hierarchy):
    with pytest.raises(ValueError, match=r"column 'x' has no declared domain.*domains=\{'x': "):
        cells([1, 2], hierarchies=hierarchy)
