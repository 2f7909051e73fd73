"""Feedback to read: one page per submission with points, what failed and why, and the texts that people mark."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from pathlib import Path

from anonnb.coursework.marks import Mark, TaskMark
from anonnb.files.writing import atomic_write

_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "td,th{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0}"
    "pre{white-space:pre-wrap;background:#f4f4f4;padding:.6rem}"
)


def feedback_page(mark: Mark) -> str:
    """The page of one submission; everything that a student wrote is text, not HTML."""
    title = escape(f"{mark.student}: {mark.assignment}")
    lines = [
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{title}</title><style>{_STYLE}</style>",
        f"<h1>{title}</h1>",
        f"<p>Checked by the machine: <b>{mark.auto_points:g}</b> of {mark.most('auto'):g} points. "
        f"Read by a person: up to {mark.most('manual'):g} points more.</p>",
    ]
    if mark.status != "marked":
        lines.append(f"<p><b>{escape(mark.status)}</b>: {escape(mark.reason)}</p>")
    lines += [f"<p>Note: {escape(note)}.</p>" for note in mark.notes]
    lines.append("<table><tr><th>Task<th>Points<th>Remark</tr>")
    lines += [_row(task) for task in mark.tasks]
    lines.append("</table>")
    if mark.errors:
        lines.append("<h2>Cells that ended with an error</h2><ul>")
        lines += [f"<li>{escape(name or 'a cell of your own')}: {escape(text)}" for name, text in mark.errors]
        lines.append("</ul>")
    for task in mark.tasks:
        if task.text:
            lines.append(f"<h2>{escape(task.task)} (up to {task.max_points:g})</h2><pre>{escape(task.text)}</pre>")
    return "\n".join(lines) + "\n</html>\n"


def _row(task: TaskMark) -> str:
    points = "?" if task.points is None else f"{task.points:g}"
    remark = task.message or ("to be read by a person" if task.points is None else "right")
    return f"<tr><td>{escape(task.task)}<td>{points} of {task.max_points:g}<td>{escape(remark)}</tr>"


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
