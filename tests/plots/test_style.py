"""The one style changes how figures look, and nothing else."""

import os
import subprocess
import sys

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


CELLS = """
import matplotlib
from IPython.core.interactiveshell import InteractiveShell
InteractiveShell.instance()
from anonnb.plots.style import axes
axes()
print(matplotlib.is_interactive())
"""


@pytest.mark.slow
def test_the_first_picture_leaves_drawing_on():
    """Loaded inside a context of settings, the backend's own setting would end with the context."""
    environment = os.environ | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
    ran = subprocess.run([sys.executable, "-c", CELLS], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "True"
