"""The shipped domains do not follow from the rows: they hold values that no row has."""

from anonnb.tables import datasets


def test_some_intervals_of_the_census_are_empty():
    table = datasets.load("census")
    edges = table.attributes["AGI"].declared.edges
    assert edges[-1] > max(table["AGI"])
    assert edges[0] < min(table["AGI"])


def test_zoo_has_six_numbers_of_legs():
    assert datasets.load("zoo").attributes["legs"].declared.values == (0, 2, 4, 5, 6, 8)
