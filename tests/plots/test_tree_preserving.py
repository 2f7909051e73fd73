"""Plots of tree-preserving sanitization."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

import anonnb
from anonnb import Table, plots
from anonnb.methods import TreePreserving


@pytest.fixture
def release():
    frame = pd.DataFrame({"A": [2, 4, 2, 5, 1, None], "c": list("uvuvuv"), "y": list("001110")})
    return TreePreserving(k=1, criterion="gini", max_leaves=3).anonymize(Table(frame, quasi=["A", "c"], decision="y"))


def test_moved_values_shows_every_known_value_and_every_split_point(release):
    ax = plots.moved_values(release, "A")
    cuts = [node.split.cut for node in release.info["trees"][0].expansions if node.split.attribute.name == "A"]
    written = {text.get_text() for text in ax.texts}
    assert written == {f"{cut:g}" for cut in cuts if cut < 100}
    grey = next(line for line in ax.lines if line.get_linestyle() == "None")
    assert sorted(set(grey.get_xdata())) == [1, 2, 4, 5]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["original", "published"]
    plt.close("all")


def test_moved_values_needs_a_numeric_quasi_identifier(release):
    for name in ("c", "y", "nothing"):
        with pytest.raises(ValueError, match=f"{name!r} is no numeric quasi-identifier"):
            plots.moved_values(release, name)


def test_lines_against_leaves():
    tried = TreePreserving(k=9).anonymize(anonnb.load("survey")).info["tried"].assign(method="TPP")
    ax = plots.against_leaves(tried, "k", "K", log=True)
    assert ax.get_yscale() == "log"
    assert ax.lines[0].get_xdata().tolist() == tried["leaves"].tolist()
    assert ax.get_xlabel() == "leaves"
    plt.close("all")


def test_a_line_through_running_times():
    ax = plots.linear_time(pd.DataFrame({"rows": [1, 2, 3], "seconds": [2.0, 4.0, 6.0]}), "rows")
    assert ax.lines[1].get_ydata().tolist() == pytest.approx([2, 6])
    plt.close("all")
