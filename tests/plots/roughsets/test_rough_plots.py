"""Pictures of rough sets show the sets that the package computes."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from anonnb import Table, load, plots, roughsets
from anonnb.roughsets import dominance, variable_precision


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_blocks_are_as_wide_as_the_regions_have_rows():
    table, names = load("hayes-roth"), ["age", "marital_status"]
    ax = plots.granule_shares(table, 1, names, beta=0.7)
    found = variable_precision.approximate(table, 1, names, beta=0.7)
    widths = [sum(block.get_width() for block in bars) for bars in ax.containers]
    assert widths == [len(found.lower), len(found.boundary), len(table) - len(found.upper)]


def test_every_row_of_a_lower_approximation_is_on_its_ground():
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "b": [1, 3, 2, 4], "d": [0, 1, 0, 1]})
    table = Table(frame, decision="d")
    ax = plots.dominance_regions(table, 1, "a", "b")
    good = dominance.approximate(table, 1)
    surely = {(round(p.get_x() + 0.5), round(p.get_y() + 0.5)) for p in ax.containers[0]}
    assert {(table.codes("a")[row], table.codes("b")[row]) for row in good.lower} <= surely
    assert not surely & {(table.codes("a")[row], table.codes("b")[row]) for row in set(range(4)) - set(good.upper)}


def test_methods_are_ordered_by_what_they_keep():
    frame = pd.DataFrame({"method": ["A", "A", "B", "B"], "k": [2, 5, 2, 5], "γ": [0.1, 0.0, 0.9, 0.5]})
    ax = plots.kept_quality(frame, original=1.0)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A", "B"]
    assert [dots.get_offsets()[:, 0].tolist() for dots in ax.collections[1:]] == [[0.1, 0.9], [0.0, 0.5]]


def test_cuts_are_drawn_where_they_are():
    table, cuts = load("iris"), roughsets.cut_points(load("iris"))
    ax = plots.cut_grid(table, "petal_length", "sepal_width", cuts)
    ends = [tuple(map(tuple, line.get_xydata())) for line in ax.lines if len(line.get_xydata()) == 2]
    assert ends == [((x, 0), (x, 1)) for x in (2.45, 4.75)] + [((0, y), (1, y)) for y in (2.95, 3.35)]
    assert sum(len(dots.get_offsets()) for dots in ax.collections) == 150


def test_degrees_are_those_of_the_approximations():
    table = load("iris")
    ax = plots.fuzzy_degrees(table, "Iris-setosa", "petal_length")
    found = roughsets.fuzzy.approximate(table, "Iris-setosa", ["petal_length"])
    for line, degrees in zip(ax.lines, (found.upper, found.lower), strict=True):
        by_value = dict(zip(*line.get_data(), strict=True))
        assert [by_value[value] for value in table.frame["petal_length"]] == pytest.approx(degrees.tolist())
