"""The words of a figure are read off its artists."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from anonnb.widgets.frames.describing import MOST_LETTERS, alternative_of, caption_of, described


@pytest.fixture
def ax():
    made = plt.figure().subplots()
    yield made
    plt.close(made.figure)


def test_lines_are_told_by_their_ends(ax):
    ax.plot([2, 10, 50], [0.5, 0.25, 0.125], label="Mondrian")
    ax.plot([2, 50], [1, 1], label="_helper")
    ax.set(title="Larger k, less risk", xlabel="k", ylabel="risk (%)", xscale="log", xlim=(1, 100), ylim=(0, 1))
    assert caption_of(ax.figure) == "Larger k, less risk"
    assert alternative_of(ax.figure) == (
        "Larger k, less risk. Line chart; x axis: k, 1 to 100, logarithmic; y axis: risk (%), 0 to 1; "
        "Mondrian from 0.5 at 2 to 0.125 at 50."
    )


def test_bars_of_any_direction_are_told_by_their_extremes(ax):
    ax.barh(["a", "b", "c"], [3, 1, 2], label="rows")
    assert "rows: highest: 3 at a; lowest: 1 at b" in alternative_of(ax.figure)


def test_points_maps_and_diagrams_have_their_kind(ax):
    ax.scatter([1, 2, 3], [1, 2, 3], label="people")
    assert "Points; " in alternative_of(ax.figure)
    assert "people: 3" in alternative_of(ax.figure)
    ax.imshow(np.zeros((2, 2)))
    assert "Heat map; " in alternative_of(ax.figure)
    ax.clear()
    ax.axis("off")
    ax.text(0, 0, "age < 35?\nyes")
    assert alternative_of(ax.figure) == "Diagram; labels: age < 35? yes."


def test_several_panels_and_a_title_over_all():
    figure, (left, right) = plt.subplots(1, 2)
    figure.suptitle("Two ways")
    left.set_title("before")
    right.set_title("after")
    assert caption_of(figure) == "Two ways; before; after"
    assert alternative_of(figure).count("axis") == 4
    plt.close(figure)


def test_dollars_and_line_breaks_read_as_drawn(ax):
    ax.set_title("US\\$ 5\n\u2060_mine")
    assert caption_of(ax.figure) == "US$ 5 _mine"


def test_an_author_can_say_it_better_and_nothing_is_endless(ax):
    ax.set_title("x" * 5000)
    assert len(alternative_of(ax.figure)) == MOST_LETTERS
    described(ax, caption="A finding.", alt="A description.")
    assert (caption_of(ax.figure), alternative_of(ax.figure)) == ("A finding.", "A description.")


def test_an_empty_figure_is_a_picture():
    figure = plt.figure()
    assert alternative_of(figure) == "Picture."
    assert caption_of(figure) == ""
    plt.close(figure)
