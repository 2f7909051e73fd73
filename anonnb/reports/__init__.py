"""Notebooks become reports: in parallel processes, self-contained HTML, an index, and no lost work.

``run`` makes reports, ``refresh`` runs notebooks in place for committing, ``record`` keeps a figure of a notebook for
``results.json``. Names are looked up when first used, so that a notebook that only records stays light.
"""

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_names

needs(
    __name__,
    "reports",
    *("IPython", "PIL", "filelock", "ipykernel", "ipywidgets", "jinja2", "latex2mathml", "markupsafe", "matplotlib"),
    *("nbclient", "nbconvert", "nbformat", "papermill", "psutil", "pygments", "tqdm", "traitlets", "yaml"),
)

_HOME = {
    "run": "batch",
    "Batch": "batch",
    "Result": "results",
    "BadPlan": "plan",
    "read_plan": "plan",
    "notebook_files": "plan",
    "record": "records",
    "refresh": "refreshing",
    "notebook_index": "catalogue",
    "write_notebook_index": "catalogue",
}

__all__ = list(_HOME)

__getattr__, __dir__ = lazy_names(__name__, _HOME)
