"""Coursework: assignments whose solutions are the single source, student copies, checks with hints, and marking.

``checks`` is for the notebooks; ``anonnb coursework release`` and ``anonnb coursework mark`` are for the teacher. The
guide is notebooks/coursework/README.md. Names are looked up when first used: a student's process needs few of them.
"""

from anonnb.core.extras import needs
from anonnb.core.lazy import lazy_names

needs(__name__, "coursework", "IPython", "jinja2", "markupsafe", "matplotlib", "mistune", "nbformat", "psutil")

_HOME = {
    "Assignment": "assignment",
    "BadAssignment": "assignment",
    "Limits": "limits",
    "Journal": "journal",
    "Mark": "marks",
    "find_isolation": "marking",
    "mark_folder": "marking",
    "write_marks": "marks",
    "write_feedback": "feedback",
    "release_copies": "releasing",
    "source_folder": "releasing",
    "assignments": "releasing",
}
__all__ = [*_HOME, "checks"]
__getattr__, __dir__ = lazy_names(__name__, _HOME, ["checks"])
