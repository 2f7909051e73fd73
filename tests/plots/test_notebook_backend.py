"""A notebook goes on drawing at the end of its cells after the first picture in our style."""

import os
import subprocess
import sys

import pytest

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
