"""The student copies: written from the sources, file by file, and compared with them in the tests.

A course folder is laid out as nbgrader has it: ``source/NAME/NAME.ipynb`` and ``release/NAME/NAME.ipynb``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from anonnb.coursework.assignment import Assignment, BadAssignment
from anonnb.files.writing import atomic_write


def source_folder() -> Path:
    """``notebooks/coursework/source`` of the checkout."""
    from anonnb.reports.plan import notebooks_folder

    return notebooks_folder() / "coursework" / "source"


def assignments(folder: str | os.PathLike | None = None, names: Sequence[str] = ()) -> list[Assignment]:
    """The assignments of a source folder in order; ``names`` (or beginnings of them) choose some."""
    if not folder and not source_folder().is_dir():
        raise BadAssignment(
            "an installed package has no assignments, for they hold the solutions; get them from the project's sources "
            "and name their folder with --source"
        )
    folder = Path(folder) if folder else source_folder()
    paths = {path.stem: path for path in sorted(folder.glob("*/*.ipynb")) if path.stem == path.parent.name}
    if not paths:
        raise BadAssignment(f"there is no assignment in {folder}; one looks like 01_name/01_name.ipynb")
    chosen = list(paths) if not names else [_named(name, list(paths)) for name in names]
    return [Assignment.read(paths[name]) for name in dict.fromkeys(chosen)]


def _named(name: str, known: list[str]) -> str:
    hits = [name] if name in known else [other for other in known if other.startswith(name)]
    if len(hits) != 1:
        raise BadAssignment(f"{name!r} names {len(hits)} assignments; known are {', '.join(known)}")
    return hits[0]


def copies(assignment: Assignment) -> dict[str, bytes]:
    """The files that students get: name → content."""
    import nbformat

    text = nbformat.writes(assignment.student_copy()) + "\n"
    return {f"{assignment.name}.ipynb": text.encode()} | {path.name: path.read_bytes() for path in assignment.files}


def release_copies(source: str | os.PathLike | None = None, out: str | os.PathLike | None = None) -> list[Path]:
    """Write the student copies of all assignments; return the files that changed."""
    source = Path(source) if source else source_folder()
    out = Path(out) if out else source.parent / "release"
    changed = []
    for assignment in assignments(source):
        folder = out / assignment.name
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in copies(assignment).items():
            path = folder / name
            if not path.is_file() or path.read_bytes() != content:
                with atomic_write(path, "wb") as file:
                    file.write(content)
                changed.append(path)
    return changed
