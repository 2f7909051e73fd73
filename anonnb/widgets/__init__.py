"""Widgets: interactive cells; in a report they move without a kernel, in a committed notebook they are still pictures.

``claims`` are sentences that data support; ``controls`` holds choices and ``explore``; ``frames`` keeps what a moving
cell has shown, with pictures and the words for them; ``exploration`` is the state of the explorer, which needs no
browser: ``offering`` says what can be chosen in it, ``explorer_html`` puts what it finds on a page, ``publication``
writes what is exported; ``player`` is the state of a player of steps; ``panels`` and ``player_panel`` are the widgets
around a state, ``panel`` the box in which controls keep their keys; ``showing`` puts a panel, or a still picture of it,
under a cell.
"""

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_names

needs(__name__, "lab", "IPython", "PIL", "ipywidgets", "jinja2", "markupsafe", "matplotlib", "matplotlib_inline")

_HOME = {
    "claim": "claims",
    "Controls": "controls",
    "explore": "controls",
    "is_batch": "controls",
    "described": "frames.describing",
    "keeps_frames": "controls",
    "explorer": "showing",
    "framed": "showing",
    "own_table": "showing",
    "play": "showing",
    "Exploration": "exploration",
}
__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
