"""The student copies: written from the sources, file by file, and compared with them in the tests.

A course folder is laid out as nbgrader has it: ``source/NAME/NAME.ipynb`` and ``release/NAME/NAME.ipynb``. A Markdown
file in ``source``, such as the plan of the term, has a copy without the parts that are for the teacher.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from anonnb.core.atomic_files import atomic_write
from anonnb.coursework.assignment import Assignment, BadAssignment


def source_folder() -> Path:
    """Return ``notebooks/coursework/source`` of the checkout; an installed package has no such folder.

    >>> source_folder().name
    'source'
    """
    from anonnb.reports.plan import notebooks_folder

    return notebooks_folder() / "coursework" / "source"


def assignments(folder: str | os.PathLike | None = None, names: Sequence[str] = ()) -> list[Assignment]:
    """Read the assignments of a source folder, in order.

    Parameters
    ----------
    names:
        Names, or beginnings of them, that choose some.

    Raises
    ------
    BadAssignment
        If there is none, or if a name fits none or several.

    Examples
    --------
    >>> [assignment.name for assignment in assignments(names=["01"])]
    ['01_rough_sets_and_rules']
    """
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
    """Return the files that students get: name → content."""
    import nbformat

    text = nbformat.writes(assignment.student_copy()) + "\n"
    return {f"{assignment.name}.ipynb": text.encode()} | {path.name: path.read_bytes() for path in assignment.files}


def page_copy(path: Path) -> bytes:
    """Return a Markdown page as students get it, without what stands between the marks for the teacher."""
    text = path.read_text(encoding="utf-8")
    kept = re.sub(r"<!-- BEGIN TEACHER -->.*?<!-- END TEACHER -->\n?", "", text, flags=re.DOTALL)
    if "TEACHER -->" in kept:
        raise BadAssignment(f"{path.name}: BEGIN TEACHER and END TEACHER do not alternate")
    return f"{kept.rstrip()}\n".encode()


def release_copies(source: str | os.PathLike | None = None, out: str | os.PathLike | None = None) -> list[Path]:
    """Write the student copies of all assignments and pages; return the files that changed.

    Parameters
    ----------
    out:
        The folder of the copies; ``release`` beside the sources by default.

    Examples
    --------
    >>> import tempfile
    >>> len(release_copies(out=tempfile.mkdtemp())) >= len(assignments())
    True
    """
    source = Path(source) if source else source_folder()
    out = Path(out) if out else source.parent / "release"
    files = {
        out / assignment.name / name: content
        for assignment in assignments(source)
        for name, content in copies(assignment).items()
    }
    files |= {out / page.name: page_copy(page) for page in sorted(source.glob("*.md"))}
    changed = [path for path, content in files.items() if not path.is_file() or path.read_bytes() != content]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path, "wb") as file:
            file.write(files[path])
    return changed
