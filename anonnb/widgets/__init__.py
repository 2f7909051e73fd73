"""Widgets: interactive cells; in a report they move without a kernel, in a committed notebook they are still pictures.

``controls`` holds choices and ``explore``; ``frames`` keeps what a moving cell has shown, with pictures and their
descriptions; ``exploration`` is the state of the explorer, which needs no browser: ``offering`` says what can be chosen
in it, ``explorer_html`` puts its results on a page, ``publication`` writes what is exported; ``player`` is the state of
a player of steps; ``panel`` is the box in which controls keep their keys, and the player's panel, ``panels`` are those
of the explorer and of an own table; ``showing`` puts a panel, or a still picture of it, under a cell; ``claims``
check what a notebook says about its data, and ``parameters`` what its reader sets.
"""

from typing import TYPE_CHECKING

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_imports

needs(__name__, "lab", "IPython", "PIL", "ipywidgets", "jinja2", "markupsafe", "matplotlib", "matplotlib_inline")

if TYPE_CHECKING:
    from anonnb.widgets.claims import claim, say
    from anonnb.widgets.controls import Controls, explore, is_batch, keeps_frames
    from anonnb.widgets.exploration import Exploration
    from anonnb.widgets.frames.describing import described
    from anonnb.widgets.parameters import check_parameters, parameter_range
    from anonnb.widgets.showing import explorer, framed, own_table, play
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
