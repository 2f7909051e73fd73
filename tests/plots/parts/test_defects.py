"""The checker finds what it is made for, and nothing in a figure that can be read."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from anonnb.plots.style import contrast
from tests.plots.parts.figure_defects import figure_defects


@pytest.fixture
def figure():
    return Figure(figsize=(4, 3), layout="constrained")


@pytest.fixture
def ax(figure):
    return figure.subplots()


def test_a_plain_figure_has_none(ax, figure):
    ax.plot([1, 2, 3], label="a line")
    ax.set(xlabel="steps", ylabel="height (m)", title="It rises")
    ax.legend(loc="upper left")
    assert figure_defects(figure) == []


def test_text_upon_text(ax, figure):
    ax.text(0.5, 0.5, "one")
    ax.text(0.5, 0.52, "two")
    assert figure_defects(figure) == ["'one' and 'two' overlap"]


def test_turned_texts_whose_upright_boxes_meet_do_not_overlap(figure):
    figure.text(0.2, 0.2, "a long slanting name", rotation=45, rotation_mode="anchor")
    other = figure.text(0.32, 0.2, "another slanting name", rotation=45, rotation_mode="anchor")
    assert figure_defects(figure) == []
    other.set_x(0.22)
    assert figure_defects(figure) == ["'a long slanting name' and 'another slanting name' overlap"]


def test_text_off_the_canvas(figure):
    figure.text(0.9, 0.5, "a text that is too long")
    assert figure_defects(figure) == ["'a text that is too long' leaves the canvas"]


def test_small_letters_and_cut_words(ax, figure):
    ax.set_title("small", fontsize=7.5)
    ax.text(0.5, 0.5, "marital-sta…")
    assert sorted(figure_defects(figure)) == ["'marital-sta…' is cut", "'small' has letters of 7.5 points, less than 8"]


@pytest.mark.parametrize(("behind", "fits"), [("white", False), ("black", True), ("0.3", True), ("#cccccc", False)])
def test_contrast_with_what_lies_behind(figure, behind, fits):
    figure.add_artist(Rectangle((0, 0), 1, 1, color=behind))
    figure.text(0.4, 0.5, "light grey", color="0.8")
    assert (figure_defects(figure) == []) == fits


def test_a_text_half_on_a_bar_is_measured_on_both_sides(ax, figure):
    ax.bar([0], [1], color="black")
    ax.set_xlim(-0.4, 2)
    ax.text(0.4, 0.5, "half of it", ha="center")
    assert [defect for defect in figure_defects(figure) if "contrast of 1.0 : 1" in defect]


def test_a_box_behind_the_text_counts_and_a_line_behind_it_does_not(ax, figure):
    ax.bar([0], [1], color="black")
    ax.text(0, 0.5, "boxed", ha="center", bbox={"facecolor": "white"})
    ax.plot([-0.4, 0.4], [0.8, 0.8], color="white", linewidth=1)
    ax.text(0, 0.8, "on a line", ha="center", va="center", color="white")
    assert figure_defects(figure) == []


def test_what_is_not_seen_is_not_told(ax, figure):
    ax.text(0.5, 0.5, "hidden", visible=False, fontsize=4)
    ax.text(0.5, 0.5, "")
    ax.axis("off")
    ax.set_xlabel("an axis that is off", fontsize=4)
    assert figure_defects(figure) == []


@pytest.mark.parametrize("draw", [
    lambda ax: ax.plot([0, 1], [0, 1], label="line"),
    lambda ax: ax.scatter([0, 0.95], [0, 0.95], label="points"),
    lambda ax: ax.bar([0, 0.9], [0.2, 1], label="bars"),
])  # fmt: skip
def test_a_legend_upon_data(ax, figure, draw):
    draw(ax)
    ax.legend(loc="upper right")
    assert [defect for defect in figure_defects(figure) if "covers data" in defect]
    ax.legend(loc="upper left")
    assert figure_defects(figure) == []


def test_the_figure_and_its_canvas_stay_as_they_were(ax, figure):
    canvas, word = figure.canvas, ax.text(0.5, 0.5, "word", alpha=0.9)
    figure_defects(figure)
    assert figure.canvas is canvas
    assert word.get_alpha() == 0.9
    assert plt.Text.draw.__qualname__ == "Text.draw"


def test_contrast_of_the_guidelines():
    assert contrast("black", "white") == pytest.approx(21)
    assert contrast("#767676", "white") == pytest.approx(4.54, abs=0.01)  # the usual example of a grey that suffices
    assert contrast("white", "#767676") == contrast("#767676", "white")
    assert contrast(np.array([1.0, 0.0, 0.0]), "white") == pytest.approx(4.0, abs=0.01)
