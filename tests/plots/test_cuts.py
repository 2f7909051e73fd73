import numpy as np
import pandas as pd
import pytest

import anonnb
from anonnb import Release, plots
from anonnb.methods.cells.forest import Forest
from anonnb.methods.cuts.specialization import TopDown
from anonnb.tables.value_sets import Column

TABLE = anonnb.load("survey")


KEY = {"", "published, with its rows", "above the cut", "below the cut: not published"}


def texts(ax):
    return {text.get_text() for text in ax.texts}


def in_boxes(ax):
    return {text for text in texts(ax) - KEY if not text.startswith("level ")}


def test_the_cut_tells_what_is_shown_and_how_often():
    shown = in_boxes(plots.hierarchy_cut(TopDown(k=20).anonymize(TABLE), "Marital_status"))
    assert shown == {"any_marital_status", "been_married (40)", "never_married", "single (26)", "married", "divorced"}


def test_only_cuts_through_the_hierarchy_are_drawn():
    with pytest.raises(ValueError, match="'Sex' shows one value in different ways"):
        plots.hierarchy_cut(Forest(k=4).anonymize(TABLE), "Sex")
    spans = Column.from_spans(TABLE.attributes["Hours"], np.zeros(66, int), np.full(66, 1))
    spans = Column(spans.sets, np.zeros(66, int))
    with pytest.raises(ValueError, match="which is no label of its hierarchy"):
        plots.hierarchy_cut(Release(TABLE, {"Hours": spans}, np.arange(66)), "Hours")


def test_the_forest_has_an_edge_per_row_but_the_roots():
    release = Forest(k=2).anonymize(TABLE.take(np.arange(0, 66, 9)))
    ax = plots.forest(release)
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) == (release.info["points_to"] >= 0).sum()


def test_ratios_are_drawn_beside_their_bounds():
    frame = pd.DataFrame({"method": ["Forest"] * 3, "ratio": [1.0, 1.0, 2.5], "bound": 3.0})
    ax = plots.cost_ratios(frame)
    assert texts(ax) == {"bound 3", "mean 1.50"}
    assert ax.collections[0].get_offsets()[:, 0].tolist() == [1.0, 2.5]
