"""Options that the commands of ``anonnb coursework`` share."""

from pathlib import Path

import click

from anonnb.cli.common import bad_input, stop

SOURCE = click.option("--source", metavar="FOLDER", help="The assignments; default: notebooks/coursework/source.")
ASSIGNMENT = click.option("--assignment", "names", multiple=True, metavar="NAME", help="Only this one; again for more.")
STUDENTS = click.option("--students", metavar="FILE", help="The list of students: a CSV with id and name, or Moodle's.")
FORCE = click.option("--force", is_flag=True, help="Write over the results of an earlier run.")


def chosen_assignments(source: str | None, names: tuple[str, ...] = ()) -> list:
    """The assignments of a source folder, or those of them that are named."""
    from anonnb.coursework.releasing import assignments

    with bad_input():
        return assignments(source, names)


def read_roster(path: str | None):
    """The list of students; empty without a file."""
    from anonnb.coursework.course.roster import Roster

    return Roster.read(existing(path, "--students")) if path else Roster()


def existing(path: str, option: str) -> Path:
    """The path of a file that is there."""
    if not Path(path).is_file():
        stop(f"{option}: there is no file {path!r}")
    return Path(path)
