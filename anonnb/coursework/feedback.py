"""Feedback to read: one page per submission with points, what failed and why, and the texts that people mark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from anonnb.core.templates import templates
from anonnb.coursework.marks import Mark
from anonnb.files.writing import atomic_write


def feedback_page(mark: Mark) -> str:
    """The page of one submission; everything that a student wrote is text, not HTML."""
    environment = templates(Path(__file__))
    environment.filters["points"] = lambda value: "?" if value is None else f"{value:g}"
    return environment.get_template("feedback.html").render(mark=mark) + "\n"


def write_feedback(marks: Sequence[Mark], folder: str | os.PathLike) -> list[Path]:
    """A page ``student/assignment.html`` for every notebook that was handed in."""
    written = []
    for mark in marks:
        if mark.tasks and mark.status != "missing":
            path = Path(folder, _short(mark.student), f"{mark.assignment}.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path, newline="\n") as file:
                file.write(feedback_page(mark))
            written.append(path)
    return written


def _short(name: str) -> str:
    """A name that is no longer than names may be, once its bytes are written as escapes."""
    raw = name.encode()
    return name if len(raw) <= 200 else f"{raw[:100].decode(errors='ignore')}-{sha256(raw).hexdigest()[:16]}"
