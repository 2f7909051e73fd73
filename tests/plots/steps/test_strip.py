"""Several steps on one figure: which, how they are arranged, and that they can be read."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from anonnb import Table, plots, steps
from anonnb.plots.parts.defects import figure_defects
from anonnb.plots.steps.strip import chosen_places
from anonnb.steps import RowGroups, Step, Steps


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def growing(count):
    """Steps that each add a line to a table."""
    sizes = range(1, count + 1)
    return [Step("One more", "A row comes in.", pd.DataFrame({"n": range(n)}), number=n) for n in sizes]


def headings(ax):
    return [text.get_text() for text in ax.figure.texts if text.get_weight() == "bold"]


def test_the_first_and_the_last_step_are_among_them():
    assert headings(plots.filmstrip(growing(9), 3)) == ["1 of 9: One more", "5 of 9: One more", "9 of 9: One more"]
    assert headings(plots.filmstrip(growing(2), 4)) == ["1 of 2: One more", "2 of 2: One more"]


@pytest.mark.parametrize("count", range(1, 30))
def test_chosen_steps_are_different_and_in_order(count):
    for frames in range(2, 8):
        places = chosen_places(count, frames)
        assert places == sorted(set(places))
        assert (places[0], places[-1]) == (0, count - 1)
        assert len(places) == min(count, frames)


def test_a_sampled_run_counts_all_its_steps():
    run = Steps([Step("One", "It begins.", 1), Step("Two", "It ends.", 2, number=101)], total=101)
    assert headings(plots.filmstrip(run)) == ["1 of 101: One", "101 of 101: Two"]


def test_what_is_marked_is_new_since_the_step_before_in_the_run():
    ax = plots.filmstrip(growing(9), 2)
    last = [text.get_text() for text in ax.figure.axes[1].texts]
    assert [text for text in last if text.startswith("+")] == ["+ 8"]


def test_small_frames_stand_side_by_side_and_large_ones_below_each_other():
    wide = [Step("Wide", "It is.", pd.DataFrame({"a long name " + str(n): ["x" * 40] for n in range(5)}))] * 2
    narrow, broad = plots.filmstrip(growing(4), 3).figure.axes, plots.filmstrip(wide, 2).figure.axes
    assert len({round(ax.get_position().y1, 2) for ax in narrow}) == 1
    assert len({round(ax.get_position().x0, 2) for ax in broad}) == 1


@pytest.mark.slow
def test_four_charts_are_two_lines_of_two_and_can_be_read():
    rng = np.random.default_rng(1)
    table = Table(
        pd.DataFrame({"age": rng.integers(20, 70, 60), "pay": rng.integers(10, 99, 60)}), quasi=["age", "pay"]
    )

    def cut():
        groups = np.zeros(60, dtype=int)
        for place in range(3):
            steps.note("Cut", "The larger half of the rows is cut off.", RowGroups(table, groups))
            groups[np.argsort(table["age"])[: 60 - 15 * (place + 1)]] += 1
        return RowGroups(table, groups).release

    ax = plots.filmstrip(steps.of(cut), 4)
    assert len(ax.figure.axes) == 4
    assert len({round(ax.get_position().y0, 2) for ax in ax.figure.axes}) == 2
    assert figure_defects(ax.figure) == []


def test_bad_requests_are_named():
    with pytest.raises(ValueError, match="frames must be at least 1, not 0"):
        plots.filmstrip(growing(2), 0)
    with pytest.raises(ValueError, match="there are no steps to show"):
        plots.filmstrip([])
