"""``anonnb coursework``: hand out assignments and mark what comes back."""

import os
import shlex
import shutil
import signal
import warnings
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click

from anonnb.cli.common import DONE, FAILED, TIMEOUT, bad_input, check_out, stop
from anonnb.cli.course import COMMANDS
from anonnb.cli.course.options import SOURCE as _SOURCE
from anonnb.cli.course.options import chosen_assignments as _assignments
from anonnb.cli.course.progress import shown_marks


@click.group()
def coursework() -> None:
    """Assignments: hand them out, collect and mark what comes back, make the grades."""


for _command_around in COMMANDS:
    coursework.add_command(_command_around)


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
@click.option("--times", metavar="FILE", help="When what came in: a CSV with student, time and perhaps assignment.")
@click.option("--ids", metavar="FILE", help="Who has which id, where numbers vary: a CSV with student and id.")
@click.option("--wrap", default="", metavar="COMMAND", help="Put before the students' processes, to confine them.")
@click.option("--require-isolation", is_flag=True, help="Mark nobody unless students' processes can be isolated.")
@click.option("--force", is_flag=True, help="Write over the results of an earlier run.")
@_SOURCE
def mark(
    submissions, out, names, timeout, memory, jobs, due, times, ids, wrap, require_isolation, force, source
) -> None:
    """Mark SUBMISSIONS, a folder with one folder per student; see notebooks/coursework/README.md.

    A marking that was stopped goes on where it was when the same command is given again.
    """
    from anonnb.coursework.feedback import write_feedback
    from anonnb.coursework.journal import Journal
    from anonnb.coursework.limits import Limits
    from anonnb.coursework.marking import mark_folder
    from anonnb.coursework.marks import write_marks
    from anonnb.coursework.submissions import check_folder, find_submissions, read_ids, read_times

    warnings.filterwarnings("ignore", module="nbformat")  # what students' tools left in their files
    path = Path(out)
    check_out(path, force, (".csv",))
    limits, command, chosen = Limits(timeout, memory), _command(wrap), _assignments(source, names)
    options = {"limits": limits, "jobs": jobs, "due": _time(due), "wrap": command}
    with bad_input():
        options["times"] = read_times(times) if times else None
        options["ids"] = read_ids(ids) if ids else None
        check_folder(submissions)
        found = find_submissions(submissions, [one.name for one in chosen])
        options["progress"] = shown_marks(len(found))
        options["isolation"] = _isolation(limits, command, require_isolation)
        journal = Journal(path.with_name(f"{path.stem}-progress.jsonl"))
    try:
        with _stoppable(journal), bad_input():
            marks = mark_folder(submissions, chosen, journal=journal, **options)
        files = write_marks(marks, path)
        pages = write_feedback(marks, path.with_name(f"{path.stem}-feedback"))
    finally:
        journal.close()
    failed = any(mark.status == "failed" for mark in marks)
    if not failed:  # else the same command with --force tries those again, and only those
        journal.path.unlink(missing_ok=True)
    click.echo(f"{len(marks)} line(s) in {files[0]}, by task in {files[1]}, {len(pages)} feedback page(s)")
    raise SystemExit(FAILED if failed else DONE)


def _isolation(limits, command: list[str], required: bool) -> str:
    """The kind of isolation; said before anybody is marked."""
    from anonnb.coursework.isolation import KINDS
    from anonnb.coursework.marking import find_isolation

    kind, why = find_isolation(limits, command)
    if kind == "none" and required:
        stop(f"students' processes cannot be isolated here ({why}); nobody was marked")
    click.echo(f"Protection: {kind}: {KINDS[kind]}{f' ({why})' if why else ''}", err=True)
    if kind == "none":
        click.echo("Warning: mark under an account that holds nothing else; see --require-isolation", err=True)
    return kind


@contextmanager
def _stoppable(journal):
    """Ctrl-C and a request to end stop the marking in good order; what is finished stays."""

    def end(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        stop(f"stopped; what is finished is in {journal.path}, and the same command continues where it stopped", 130)
    finally:
        signal.signal(signal.SIGTERM, before)


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
