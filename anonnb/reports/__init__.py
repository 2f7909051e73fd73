"""Notebooks become reports: in parallel processes, self-contained HTML, an index, and no lost work.

``run`` makes reports, ``refresh`` runs notebooks in place for committing, ``record`` keeps a figure of a notebook for
``results.json``. Names are looked up when first used, so that a notebook that only records stays light.
"""

from typing import TYPE_CHECKING

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_imports

needs(
    __name__,
    "reports",
    *("IPython", "PIL", "filelock", "ipykernel", "ipywidgets", "jinja2", "latex2mathml", "markupsafe", "matplotlib"),
    *("nbclient", "nbconvert", "nbformat", "papermill", "psutil", "pygments", "tqdm", "traitlets", "yaml"),
)

if TYPE_CHECKING:
    from anonnb.reports.batch import Batch, run
    from anonnb.reports.catalogue import notebook_index, write_notebook_index
    from anonnb.reports.plan import PlanError, notebook_files, read_plan
    from anonnb.reports.records import record
    from anonnb.reports.refreshing import refresh
    from anonnb.reports.results import Result
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
