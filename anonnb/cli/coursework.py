"""``anonnb coursework``: hand out assignments and mark what comes back."""

import os
import shlex
import shutil
import warnings
from datetime import datetime
from pathlib import Path

import click

from anonnb.cli.common import DONE, FAILED, TIMEOUT, bad_input, check_out, stop

_SOURCE = click.option("--source", metavar="FOLDER", help="The assignments; default: notebooks/coursework/source.")


@click.group()
def coursework() -> None:
    """Assignments: list them, make the student copies, mark submissions."""


@coursework.command(name="list")
@_SOURCE
def list_(source: str | None) -> None:
    """List the assignments with their points."""
    for assignment in _assignments(source):
        auto, manual = assignment.auto_points, assignment.manual_points
        click.echo(f"{assignment.name:28} {auto:4g} + {manual:3g} points  {assignment.title}")


@coursework.command()
@_SOURCE
@click.option("--out", metavar="FOLDER", help="Where the copies go; default: release beside the source.")
def release(source: str | None, out: str | None) -> None:
    """Make the student copies: no solutions, no hidden tests."""
    from anonnb.coursework.releasing import release_copies

    with bad_input():
        changed = release_copies(source, out)
    for path in changed:
        click.echo(os.fspath(path))
    click.echo(f"{len(changed)} file(s) changed")


@coursework.command()
@click.argument("submissions")
@click.option("--out", default="marks.csv", show_default=True, metavar="FILE", help="The CSV with the results.")
@click.option("--assignment", "names", multiple=True, metavar="NAME", help="Only this one; again for more.")
@click.option("--timeout", default=120.0, show_default=True, type=TIMEOUT, metavar="SECONDS")
@click.option("--memory", default=4000, show_default=True, type=click.IntRange(200), metavar="MB")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1), help="Submissions at a time.")
@click.option("--due", metavar="TIME", help="Later than this is late: 2026-11-30T23:59.")
@click.option("--wrap", default="", metavar="COMMAND", help="Put before the students' processes, to confine them.")
@click.option("--force", is_flag=True, help="Write over the results of an earlier run.")
@_SOURCE
def mark(submissions, out, names, timeout, memory, jobs, due, wrap, force, source) -> None:
    """Mark SUBMISSIONS, a folder with one folder per student; see notebooks/coursework/README.md."""
    from anonnb.coursework.feedback import write_feedback
    from anonnb.coursework.limits import Limits
    from anonnb.coursework.marking import mark_folder, write_marks

    warnings.filterwarnings("ignore", module="nbformat")  # what students' tools left in their files
    path = Path(out)
    check_out(path, force, (".csv",))
    with bad_input():
        marks = mark_folder(
            submissions,
            _assignments(source, names),
            limits=Limits(timeout, memory),
            jobs=jobs,
            due=_time(due),
            wrap=_command(wrap),
            progress=_shown,
        )
    files = write_marks(marks, path)
    pages = write_feedback(marks, path.with_name(f"{path.stem}-feedback"))
    click.echo(f"{len(marks)} line(s) in {files[0]}, by task in {files[1]}, {len(pages)} feedback page(s)")
    raise SystemExit(FAILED if any(mark.status == "failed" for mark in marks) else DONE)


def _assignments(source: str | None, names: tuple[str, ...] = ()) -> list:
    from anonnb.coursework.releasing import assignments

    with bad_input():
        return assignments(source, names)


def _shown(marks):
    for mark in marks:
        points = f"{mark.auto_points:g} of {mark.most('auto'):g}"
        click.echo(f"{mark.student}  {mark.assignment}  {mark.status}  {points}", err=True)
        yield mark


def _time(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone() if text else None
    except ValueError:
        stop(f"--due {text!r} is not a time; write 2026-11-30T23:59")


def _command(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        stop(f"--wrap {text!r} is not a command: {error}")
    if words and not shutil.which(words[0]):
        stop(f"--wrap: there is no command {words[0]!r}")
    return words
