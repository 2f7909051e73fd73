"""Every plot can be read: no text upon another or off the canvas, no small or pale letters, none wider than a page."""

import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from anonnb import plots
from anonnb.plots.style import HATCHES, LINES, MARKERS, PALETTE, WIDEST, contrast, fill_look, line_look, readable
from tests.plots.parts.figure_defects import figure_defects
from tests.plots.test_hostile_text import DRAWINGS, Hostile

ORDINARY = ["married", "Local-gov", "single", "Married-civ-spouse", "F", "Assoc-acdm", "5", "7th-8th", "*", "Osaka"]


@pytest.fixture(scope="module")
def ordinary():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without a hierarchy get a simple one
        return Hostile(ORDINARY)


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWINGS)
@pytest.mark.filterwarnings("ignore")
def test_every_plot_can_be_read(name, ordinary):
    with np.errstate(all="ignore"):
        figure = DRAWINGS[name](ordinary).figure
    assert figure_defects(figure) == []
    assert figure.get_figwidth() <= WIDEST


def test_no_two_of_many_lines_or_bars_look_alike():
    lines = {tuple(line_look(place).values()) for place in range(32)}
    bars = {(look["facecolor"], look["hatch"]) for look in map(fill_look, range(32))}
    assert len(lines) == len(bars) == 32
    for first, second in zip(range(len(PALETTE) - 1), range(1, len(PALETTE)), strict=True):
        assert line_look(first)["marker"] != line_look(second)["marker"]  # a printer without colours tells them apart
        assert fill_look(first)["hatch"] != fill_look(second)["hatch"]
    assert len(set(MARKERS)) == len(set(HATCHES)) == len(PALETTE) == 2 * len(LINES)


def test_a_figure_does_not_wait_for_seaborn():
    """Its import takes longer than most figures."""
    code = "import sys; from anonnb.plots import style; style.axes(); print('seaborn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("colour", PALETTE)
def test_letters_in_a_colour_of_the_palette_can_be_read(colour):
    assert contrast(readable(colour), "white") >= 4.5


MEASURES = ["NCP", "exact cells", "t"]
PLACES = pd.DataFrame({"KACA": [2, 1, 2], "Mondrian": [1, 2, 1], "Forest": [3, 3, 3]}, index=MEASURES)


def test_columns_follow_the_first_line_and_the_title_counts_who_disagrees():
    ax = plots.rankings(PLACES)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["Mondrian", "KACA", "Forest"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["NCP", "exact cells", "t"]
    assert [text.get_text() for text in ax.texts] == ["1", "2", "3", "2", "1", "3", "1", "2", "3"]
    assert ax.get_title().replace("\n", " ") == "1 of 3 measures do not call Mondrian the best (1: best)"
