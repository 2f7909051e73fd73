"""Feedback to read: a page per submission, task by task, with the student's code, what was expected, and points so far.

Everything that a student wrote is text. Answers in words are shown as the Markdown that they are, without anything that
acts or is fetched: no HTML, no pictures, and links to pages only.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import mistune
from markupsafe import Markup

from anonnb.core.templates import templates
from anonnb.coursework.marks import Mark, TaskMark
from anonnb.files.writing import atomic_write

LONGEST_TEXT = 20_000  # letters that are read as Markdown; longer ones stay as they are
_LINKS = ("http://", "https://", "mailto:")


@dataclass
class TaskPage:
    """What a page says about one task of the assignment: its code, and a line per check or text."""

    title: str
    code: str = ""
    lines: list[TaskMark] = field(default_factory=list)

    @property
    def points(self) -> float:
        return sum(line.points or 0 for line in self.lines)

    @property
    def most(self) -> float:
        return sum(line.max_points for line in self.lines)

    @property
    def so_far(self) -> str:
        """The points, of how many; what nobody has read yet has none."""
        if all(line.points is None for line in self.lines):
            return f"up to {self.most:g}" if self.lines else ""
        return f"{self.points:g} of {self.most:g}"


def feedback_page(mark: Mark) -> str:
    """The page of one submission.

    >>> from anonnb.coursework.marks import TaskMark
    >>> task = TaskMark("check_k", "auto", 2, 5, "k is 3", title="1. Measure", expects="k is the smallest class")
    >>> page = feedback_page(Mark("ann", "01", "marked", [task], code={"1. Measure": "k = 3"}))
    >>> "2 of 5" in page, "k is the smallest class" in page, "k = 3" in page
    (True, True, True)
    """
    environment = templates(Path(__file__))
    environment.filters |= {"points": lambda value: "?" if value is None else f"{value:g}", "markdown": as_markdown}
    read = [task.points for task in mark.tasks if task.kind == "manual" and task.points is not None]
    page = environment.get_template("feedback.html").render(mark=mark, tasks=tasks_of(mark), read=read)
    return page + "\n"


def tasks_of(mark: Mark) -> list[TaskPage]:
    """The checks and texts of a mark under the headings of the assignment, in its order."""
    pages: dict[str, TaskPage] = {}
    for title in dict.fromkeys([*(task.title or task.task for task in mark.tasks), *mark.code]):
        pages[title] = TaskPage(title or "Cells before the first task", mark.code.get(title, ""))
    for task in mark.tasks:
        pages[task.title or task.task].lines.append(task)
    return [page for page in pages.values() if page.lines or page.code]


class _Harmless(mistune.HTMLRenderer):
    """Markdown without HTML; pictures are named, and only links to pages are links."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return f"[picture: {text}]"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return super().link(text, url, title) if url.lower().startswith(_LINKS) else text


def as_markdown(text: str) -> Markup:
    """A student's text as HTML.

    >>> print(as_markdown("*so* <b>it</b> is"))
    <p><em>so</em> &lt;b&gt;it&lt;/b&gt; is</p>
    <BLANKLINE>
    """
    plain = Markup("<pre>{}</pre>").format(text)
    if len(text) > LONGEST_TEXT:
        return plain
    try:
        return Markup(mistune.create_markdown(renderer=_Harmless(escape=True), plugins=["table"])(text))
    except Exception:  # whatever a strange text does to the reader of Markdown
        return plain


def write_feedback(marks: Sequence[Mark], folder: str | os.PathLike) -> list[Path]:
    """Write a page ``student/assignment.html`` for every notebook that was handed in.

    Parameters
    ----------
    marks:
        The marks of all submissions.
    folder:
        Where the pages go.

    Returns
    -------
    list of Path
        The pages.

    Examples
    --------
    >>> import tempfile
    >>> task = TaskMark("check_k", "auto", 2, 5)
    >>> [path.name for path in write_feedback([Mark("ann", "01", "marked", [task])], tempfile.mkdtemp())]
    ['01.html']
    """
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
