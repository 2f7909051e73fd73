"""Coursework: assignments whose solutions are the single source, checks with hints, and safe marking for nbgrader.

``checks`` is for the notebooks. ``course`` makes a folder in which nbgrader is the office: it hands out, collects and
keeps the gradebook. ``autograding`` is what its configuration names: it rebuilds a notebook from the source
(``sanitizing``) and starts an examiner for it (``examiners``), a process (``examiner``) that asks another (``student``,
behind ``isolation`` and ``limits``) for answers as ``plain`` data. The guide is notebooks/coursework/README.md.
"""

from typing import TYPE_CHECKING

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_imports

needs(__name__, "coursework", "IPython", "nbformat", "psutil")

if TYPE_CHECKING:
    from anonnb.coursework import checks
    from anonnb.coursework.assignment import Assignment, BadAssignment
    from anonnb.coursework.course import new_course
    from anonnb.coursework.examiners import find_isolation
    from anonnb.coursework.limits import Limits
    from anonnb.coursework.releasing import assignments, release_copies, source_folder
else:
    __getattr__, __dir__, __all__ = lazy_imports(__name__)
