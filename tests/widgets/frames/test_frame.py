"""What a function shows is captured as under a cell."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from anonnb.widgets.frames.frame import captured, captured_or_why, composed


def plotted(title, show=False):
    ax = plt.subplots(figsize=(2, 1))[1]
    ax.set_title(title)
    if show:
        plt.show()
    return ax


@pytest.mark.parametrize("show", [True, False])
def test_figures_are_kept_whether_shown_or_not_and_closed(show):
    before = plt.get_fignums()
    frame = captured(lambda: (print("two figures"), plotted("a", show), plotted("b", show)))
    assert [picture.caption for picture in frame.pictures] == ["a", "b"]
    assert frame.text == "two figures"
    assert plt.get_fignums() == before


def test_what_is_printed_is_the_caption_of_a_figure_without_title():
    assert captured(lambda: (print("4 channels\nmore"), plotted(""))).pictures[0].caption == "4 channels"


def test_a_returned_table_is_shown_and_its_values_are_text():
    frame = captured(lambda: pd.DataFrame({"a": ["<script>alert(1)</script>"]}))
    assert "&lt;script&gt;" in frame.tables[0]
    assert "<script" not in frame.tables[0]
    assert captured(lambda: plotted("Axes are no table")).tables == ()


def test_a_choice_that_cannot_be_had_says_why():
    def draw():
        plotted("half a figure")
        raise ValueError("k = 9 needs at least 9 rows")

    before = plt.get_fignums()
    assert captured_or_why(draw).text == "Not possible with these values: k = 9 needs at least 9 rows"
    assert plt.get_fignums() == before
    with pytest.raises(ValueError, match="k = 9"):
        captured(draw)


def test_show_works_again_afterwards():
    show = plt.show
    captured_or_why(lambda: 1 / 0)
    assert plt.show is show


def test_a_frame_can_be_composed():
    frame = composed(plotted("Cut at 35"), title="First cut", text="a < b", table=pd.DataFrame({"score": [1.5]}))
    assert frame.pictures[0].caption == "Cut at 35"
    assert "<td>1.5</td>" in frame.tables[0]
    assert frame.size > len(frame.pictures[0].png)
