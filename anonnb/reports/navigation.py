"""How the notebooks of a folder are connected: the links to the neighbours and the time each one takes.

Both follow from the files, so both are generated (``make index``) and compared in the tests. The author says what to
read before: ``*About 15 minutes. Read before: [01 Decision tables](...).*`` ends the title cell.
"""

import math
import os
import re
from pathlib import Path
from typing import Any

from anonnb.files.writing import atomic_write
from anonnb.reports.catalogue import title_of
from anonnb.reports.plan import notebook_files

TAG = "navigation"
TIME = re.compile(r"^\*About (\d+) minutes\. Read before: (.+)\.\*$", re.MULTILINE)
EXERCISE = re.compile(r"^\*\*(Compute|Think)\.\*\* ", re.MULTILINE)
ASKED = re.compile(r"^ask\(", re.MULTILINE)
WORDS_PER_MINUTE, MINUTES_PER_FIGURE, MINUTES_PER_EXERCISE = 200, 1, 5


def reading_minutes(notebook: Any) -> int:
    """The time for the words, the figures and the exercises, rounded up to five minutes.

    >>> import nbformat
    >>> cell = nbformat.v4.new_markdown_cell("**Compute.** How many? " + "word " * 300)
    >>> reading_minutes(nbformat.v4.new_notebook(cells=[cell]))
    10
    """
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown" and not is_navigation(cell)]
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    words = sum(len(text.split()) for text in texts)
    figures = sum("image/png" in output.get("data", {}) for output in outputs)
    exercises = sum(len(EXERCISE.findall(text)) for text in texts)
    exercises += sum(len(ASKED.findall(cell.source)) for cell in notebook.cells if cell.cell_type == "code")
    minutes = words / WORDS_PER_MINUTE + figures * MINUTES_PER_FIGURE + exercises * MINUTES_PER_EXERCISE
    return math.ceil(minutes / 5) * 5


def minutes_of(notebook: Any) -> int:
    """The minutes that a notebook says it takes; 0 if it does not say."""
    said = TIME.search(notebook.cells[0].source) if notebook.cells else None
    return int(said[1]) if said else 0


def link_to(path: Path) -> str:
    """A notebook as a link: its number and its title up to the colon."""
    import nbformat

    short = title_of(nbformat.read(path, as_version=4)).split(":")[0]
    return f"[{path.name[:2]} {short}]({path.name})"


def navigation(path: Path, files: list[Path]) -> str:
    """The last cell of a notebook: the one before it, the list of all, the one after it."""
    place = files.index(path)
    parts = ["[All notebooks](README.md)"]
    if place > 0:
        parts.insert(0, f"← {link_to(files[place - 1])}")
    if place + 1 < len(files):
        parts.append(f"{link_to(files[place + 1])} →")
    return " · ".join(parts)


def is_navigation(cell: Any) -> bool:
    """Whether a cell is the generated last one."""
    return TAG in cell.metadata.get("tags", [])


def navigated(path: Path, files: list[Path]) -> str:
    """The text of a notebook's file with its time and its last cell as they should be."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    minutes = reading_minutes(notebook)
    for cell in notebook.cells[:1]:
        cell.source = TIME.sub(rf"*About {minutes} minutes. Read before: \2.*", cell.source)
    last = next((cell for cell in notebook.cells if is_navigation(cell)), None)
    if last is None:
        last = nbformat.v4.new_markdown_cell(metadata={"tags": [TAG]}, id=TAG)
    last.source = navigation(path, files)
    notebook.cells = [cell for cell in notebook.cells if not is_navigation(cell)] + [last]
    return nbformat.writes(notebook) + "\n"


def write_navigation(folder: str | os.PathLike | None = None) -> list[Path]:
    """Bring the time and the last cell of every numbered notebook up to date; return the files that changed."""
    files = [path for path in notebook_files(folder) if path.name[:2].isdigit()]
    changed = []
    for path in files:
        text = navigated(path, files)
        if text != path.read_text(encoding="utf-8"):
            with atomic_write(path, newline="\n") as file:
                file.write(text)
            changed.append(path)
    return changed
