import numpy as np
import pandas as pd
import pytest

from anonnb import Release, Table, load, plots
from anonnb.methods import Microaggregation, Mondrian
from anonnb.tables.value_sets import Column


def survey():
    return load("survey").with_roles(quasi=["Marital_status", "Sex"])


def test_a_box_and_a_size_for_every_class():
    ax = plots.boxes(Mondrian(k=10).anonymize(survey()))
    assert len(ax.collections[-1].get_paths()) == 4
    assert sorted(int(text.get_text()) for text in ax.texts) == [10, 11, 19, 26]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["married", "divorced", "single"]


def test_the_title_counts_boxes_that_overlap():
    table = Table(pd.DataFrame({"x": [1, 9, 4, 5], "y": [1, 9, 4, 5]}), quasi=["x", "y"])
    spans = {name: Column.from_spans(table.attributes[name], np.array([0, 1]), np.array([3, 2])) for name in "xy"}
    nested = {name: Column(column.sets, np.array([0, 1, 1, 0])) for name, column in spans.items()}
    ax = plots.boxes(Release(table, nested, np.arange(4)))
    assert ax.get_title() == "2 boxes of 2 to 2 rows; 2 overlap another"
    assert "; 0 overlap another" in plots.boxes(Mondrian(k=10).anonymize(survey())).get_title()


def test_every_point_lies_in_its_box():
    release = Mondrian(k=10).anonymize(survey())
    ax = plots.boxes(release, "Sex", "Marital_status")
    points = ax.collections[0].get_offsets()
    edges = [path.get_extents().get_points() for path in ax.collections[-1].get_paths()]
    for point, group in zip(points, release.groups, strict=True):
        low, high = edges[group]
        assert (low <= point).all()
        assert (point <= high).all()


def test_missing_numbers_have_a_place():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0, None, None, None], "b": range(6)})
    ax = plots.boxes(Mondrian(k=3).anonymize(Table(frame, quasi=["a", "b"])))
    assert np.isfinite(ax.collections[0].get_offsets()).all()
    assert len(ax.collections[-1].get_paths()) == 2


def test_bad_input():
    release = Mondrian(k=10).anonymize(survey())
    with pytest.raises(KeyError, match="'Hours' is no quasi-identifier"):
        plots.boxes(release, "Hours")
    with pytest.raises(ValueError, match="at least two quasi-identifiers"):
        plots.boxes(Mondrian(k=10).anonymize(survey().with_roles(quasi=["Sex"])))
    foreign = Release.from_frame(release.frame.reset_index(drop=True), like=survey())
    with pytest.raises(ValueError, match="linked to its original rows"):
        plots.boxes(foreign)


def test_every_row_has_a_line_to_its_centre():
    table = Table(pd.DataFrame({"x": [1, 2, 8, 9], "y": [1, 1, 5, 7]}), quasi=["x", "y"])
    ax = plots.centres(Microaggregation(k=2).anonymize(table))
    ends = np.array([path.vertices for path in ax.collections[0].get_paths()])
    assert ends.shape == (4, 2, 2)
    assert ends[:, 0].tolist() == [[1, 1], [2, 1], [8, 5], [9, 7]]
    assert ends[:, 1].tolist() == [[1.5, 1], [1.5, 1], [8.5, 6], [8.5, 6]]
