"""The one style changes how figures look, and nothing else."""

import matplotlib as mpl
import matplotlib.pyplot as plt

from anonnb.plots.style import axes


def test_a_backend_that_the_first_figure_loads_keeps_its_settings(monkeypatch):
    """A notebook's backend makes matplotlib interactive when it is loaded: else no cell would show a figure."""
    was, figure = mpl.is_interactive(), plt.figure

    def first_figure(**options):
        mpl.interactive(True)
        return figure(**options)

    monkeypatch.setattr(plt, "figure", first_figure)
    try:
        mpl.interactive(False)
        made = axes()
        assert mpl.is_interactive()
        plt.close(made.figure)
    finally:
        mpl.interactive(was)


def test_settings_of_the_user_stay_as_they_are():
    before = dict(mpl.rcParams)
    plt.close(axes().figure)
    assert dict(mpl.rcParams) == before


def test_a_drawing_to_scale_does_not_shrink_for_its_title():
    """Texts in boxes keep their size, so the boxes must keep theirs."""
    ax = axes(size=(4, 2))
    ax.set(xlim=(0, 4), ylim=(0, 2), aspect="equal", xticks=[], yticks=[])
    ax.figure.draw_without_rendering()
    before = ax.get_window_extent().width
    ax.set_title("A title")
    ax.figure.draw_without_rendering()
    assert ax.get_window_extent().width > before - 1
    height = ax.figure.get_figheight()
    ax.set_title("A better title")  # there is room for it already
    assert ax.figure.get_figheight() == height
    plt.close(ax.figure)
