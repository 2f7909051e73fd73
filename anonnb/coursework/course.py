"""Make a course folder for nbgrader: its configuration, the assignments as ``source/``, and the commands of a term."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from anonnb.core.atomic_files import atomic_write
from anonnb.core.templates import templates
from anonnb.coursework.assignment import BadAssignment
from anonnb.coursework.releasing import assignments


def new_course(
    folder: str | os.PathLike, *, source: str | os.PathLike | None = None, unprotected: bool = False
) -> list[str]:
    """Make a course folder; return the names of its assignments.

    Parameters
    ----------
    folder:
        The course folder; it must not exist, or be empty.
    unprotected:
        Let students' processes run without walls where the system has none.

    Examples
    --------
    >>> import tempfile
    >>> names = new_course(Path(tempfile.mkdtemp(), "privacy"))
    >>> len(names), names[0]
    (10, '01_rough_sets_and_rules')
    """
    folder, chosen = Path(folder), assignments(source)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadAssignment(f"{os.fspath(folder)!r} exists already; name a new folder for the course")
    for assignment in chosen:
        shutil.copytree(assignment.folder, folder / "source" / assignment.name)
    for page in sorted(chosen[0].folder.parent.glob("*.md")):
        shutil.copyfile(page, folder / page.name)
    names = [one.name for one in chosen]
    settings = {"course": folder.resolve().name, "names": names, "unprotected": unprotected}
    environment = templates(Path(__file__)).overlay(autoescape=False)
    for name in ("nbgrader_config.py", "README.md", "Containerfile"):
        with atomic_write(folder / name, newline="\n") as file:
            file.write(environment.get_template(f"course/{name}.j2").render(settings) + "\n")
    return names
