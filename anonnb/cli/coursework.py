"""``anonnb coursework``: make a course folder for nbgrader, whose commands do the rest."""

import os

import click

from anonnb.cli.common import bad_input

SOURCE = click.option("--source", metavar="FOLDER", help="The assignments; default: notebooks/coursework/source.")


@click.group()
def coursework() -> None:
    """Make assignments for a course."""


@coursework.command()
@click.argument("folder")
@click.option("--unprotected", is_flag=True, help="Mark there even if students' processes cannot be isolated.")
@SOURCE
def new(folder: str, unprotected: bool, source: str | None) -> None:
    """Make FOLDER a course for nbgrader: the assignments, its configuration, and a page with the commands of a term."""
    from anonnb.coursework.course import new_course

    with bad_input():
        names = new_course(folder, source=source, unprotected=unprotected)
    click.echo(
        f"{len(names)} assignment(s) in {os.path.join(folder, 'source')}; next: {os.path.join(folder, 'README.md')}"
    )


@coursework.command(name="list")
@SOURCE
def list_(source: str | None) -> None:
    """List the assignments with their points."""
    from anonnb.coursework.releasing import assignments

    with bad_input():
        known = assignments(source)
    for assignment in known:
        auto, manual = assignment.auto_points, assignment.manual_points
        click.echo(f"{assignment.name:28} {auto:4g} + {manual:3g} points  {assignment.title}")


@coursework.command()
@SOURCE
@click.option("--out", metavar="FOLDER", help="Where the copies go; default: release beside the source.")
def release(source: str | None, out: str | None) -> None:
    """Make the student copies: no solutions, no hidden tests."""
    from anonnb.coursework.releasing import release_copies

    with bad_input():
        changed = release_copies(source, out)
    for path in changed:
        click.echo(os.fspath(path))
    click.echo(f"{len(changed)} file(s) changed")
