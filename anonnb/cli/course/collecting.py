"""``anonnb coursework collect``: what a learning platform gives away, sorted into a folder per student."""

from collections import Counter

import click

from anonnb.cli.common import bad_input
from anonnb.cli.course.options import ASSIGNMENT, SOURCE, STUDENTS, chosen_assignments, existing, read_roster


@click.command()
@click.argument("archive")
@click.option("--out", default="submitted", show_default=True, metavar="FOLDER", help="The folder that marking reads.")
@click.option("--times", metavar="FILE", help="When what came in: a CSV with student and time, or Moodle's worksheet.")
@STUDENTS
@ASSIGNMENT
@SOURCE
def collect(archive, out, times, students, names, source) -> None:
    """Sort ARCHIVE, a folder or a ZIP file from Moodle and the like, into one folder per student.

    Of several notebooks the newest counts. OUT-report.csv has a line for every file, and one for whoever handed in
    nothing; OUT-times.csv says when what was taken came in.
    """
    from anonnb.coursework.course.intake import collect as collected
    from anonnb.coursework.course.times import read_collected_times

    known = chosen_assignments(source)
    chosen = chosen_assignments(source, names) if names else known
    with bad_input():
        roster = read_roster(students)
        when = read_collected_times(existing(times, "--times"), roster) if times else None
        arrivals = collected(archive, chosen, out, known=known, roster=roster, times=when)
    for status, count in sorted(Counter(one.status for one in arrivals).items()):
        click.echo(f"{status:18} {count:5}")
    for one in arrivals:
        if one.status in ("refused", "unknown"):
            click.echo(f"{one.file}: {one.note}", err=True)
    click.echo(f"{out}, with {out}-report.csv and {out}-times.csv")
