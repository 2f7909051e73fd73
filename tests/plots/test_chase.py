"""Plots of Chase: what is drawn is what was found."""

import pandas as pd
import pytest

from anonnb import plots
from anonnb.methods.chase_protection.chase_protection import search_object
from anonnb.tables.incomplete_table import IncompleteTable
from tests.methods.chase_protection.scikd_example import example_rules, example_system


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_inference_graph_shows_values_rules_and_weights():
    found = search_object(example_system(), example_rules(), "d")
    shown = texts(plots.inference_graph(found))
    assert {"a1  2/3", "× c1", "× g1", "× c1 → b1  (2/3)", "× f1 → d1", "! d1  1"} <= set(shown)
    assert sum("→" in text for text in shown) == 10
    after = texts(plots.inference_graph(found, show_hidden=False))
    assert [text for text in after if "→" in text] == ["e1 → b1"]
    assert not any("d1" in text for text in after)


def test_sweeps():
    columns = ["min_confidence", "hidden_share", "revealed_before", "right_before", "revealed_after"]
    draws = pd.DataFrame([(0.9, 0.1, 500, 400, 0), (0.9, 0.2, 700, 500, 0), (0.8, 0.3, 900, 600, 0)], columns=columns)
    ax = plots.hidden_by_confidence(draws, paper=0.0739)
    assert ax.lines[1].get_ydata().tolist() == pytest.approx([30, 15])
    heights = [bar.get_height() for bar in plots.incomes_filled_in(draws).patches]
    assert heights == [450, 600, 150, 300, 0, 0]


def test_incompleteness_bars_are_the_shares():
    ax = plots.incompleteness(example_system())
    assert [bar.get_width() for bar in ax.patches[:7]] == [100, 100, 100, 0, 100, 100, 0], "from g up to a"


def test_every_value_has_a_part_of_its_cell_as_wide_as_its_weight():
    frame = pd.DataFrame({"a": ["a1 2/3 | a2 1/3", "a2"], "b": ["b1", None]})
    ax = plots.weighted_cells(IncompleteTable.from_frame(frame))
    parts = {(round(bar.get_x(), 2), round(bar.get_y(), 2)): bar.get_width() / 0.94 for bar in ax.patches}
    assert list(parts.values()) == pytest.approx([2 / 3, 1 / 3, 1, 1, 1])
    assert texts(ax) == ["a1", "a2", "a2", "b1"], "the unknown cell has no text"
    assert ax.get_title().replace("\n", " ") == "Cells: 2 exact, 1 partly known, 1 unknown"
