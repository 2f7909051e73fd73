"""Coursework: assignments whose solutions are the single source, student copies, checks with hints, and marking.

``checks`` is for the notebooks; ``anonnb coursework release`` and ``anonnb coursework mark`` are for the teacher. The
guide is notebooks/coursework/README.md. Names are looked up when first used: a student's process needs few of them.
"""

from importlib import import_module

_HOME = {
    "Assignment": "assignment",
    "BadAssignment": "assignment",
    "Limits": "limits",
    "Mark": "marking",
    "mark_folder": "marking",
    "write_marks": "marking",
    "write_feedback": "feedback",
    "release_copies": "releasing",
    "source_folder": "releasing",
    "assignments": "releasing",
}
__all__ = [*_HOME, "checks"]


def __getattr__(name: str):
    if name == "checks":
        return import_module("anonnb.coursework.checks")
    if name in _HOME:
        return getattr(import_module(f"anonnb.coursework.{_HOME[name]}"), name)
    raise AttributeError(f"module 'anonnb.coursework' has no attribute {name!r}")
