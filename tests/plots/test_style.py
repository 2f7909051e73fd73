"""The one style changes how figures look, and nothing else."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from anonnb.plots.style import axes


def test_settings_of_the_user_stay_as_they_are():
    before = dict(mpl.rcParams)
    plt.close(axes().figure)
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("backend", "times"), [("agg", 1), ("inline", 0), ("module://matplotlib_inline.backend_inline", 0)]
)
def test_a_notebook_draws_a_figure_only_when_it_shows_it(monkeypatch, backend, times):
    monkeypatch.setattr(mpl, "get_backend", lambda: backend)
    canvas, drawn = axes().figure.canvas, []
    monkeypatch.setattr(canvas, "draw", lambda *_: drawn.append(1))
    plt.draw_all(force=True)  # as at the end of a cell
    plt.close(canvas.figure)
    assert len(drawn) == times


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
