"""``anonnb coursework similar`` and ``statistics``: pages about a whole class."""

from pathlib import Path

import click

from anonnb.cli.common import bad_input, check_out
from anonnb.cli.course.options import ASSIGNMENT, FORCE, SOURCE, STUDENTS, chosen_assignments, existing, read_roster


@click.command()
@click.argument("submissions")
@click.option("--out", default="similar.html", show_default=True, metavar="FILE", help="The page.")
@click.option("--top", default=20, show_default=True, type=click.IntRange(1), help="Pairs that are shown.")
@ASSIGNMENT
@FORCE
@SOURCE
def similar(submissions, out, top, names, force, source) -> None:
    """Show which SUBMISSIONS read alike, beside what is usual in the class; …-pairs.csv has all pairs.

    Renamed variables are seen through, and what was handed out does not count. It shows what is alike, not why.
    """
    from anonnb.coursework.course.similarity.page import write_similarity
    from anonnb.coursework.course.similarity.reading import compare_folder

    path = Path(out)
    check_out(path, force, (".html",), option="--out")
    chosen = chosen_assignments(source, names)
    with bad_input():
        found = compare_folder(submissions, chosen)
    page, table = write_similarity(found, path, top)
    for one in found:
        count = len(one.documents)
        usual = f"the median pair is {100 * one.median:.0f} % alike" if count > 1 else "nothing to compare"
        click.echo(f"{one.assignment:28} {count:4} submission{'' if count == 1 else 's'}, {usual}")
    click.echo(f"{page}, all pairs in {table}")


@click.command()
@click.argument("marks", default="marks.csv")
@click.option("--out", default="class.html", show_default=True, metavar="FILE", help="The page.")
@click.option("--manual", metavar="FILE", help="The filled-in sheet of points that people gave.")
@STUDENTS
@FORCE
def statistics(marks, out, manual, students, force) -> None:
    """Show how the class did by MARKS (and …-tasks.csv): spread, hard tasks, what checks said most often.

    The page has pictures; …-tasks.csv beside it has the numbers.
    """
    from anonnb.coursework.course.grades import read_grades
    from anonnb.coursework.course.statistics import class_results
    from anonnb.coursework.course.statistics_page import write_statistics

    path = Path(out)
    check_out(path, force, (".html",), option="--out")
    with bad_input():
        filled = existing(manual, "--manual") if manual else None
        found = read_grades(existing(marks, "MARKS"), manual=filled, roster=read_roster(students))
    results = class_results(found)
    page, table = write_statistics(results, path)
    for one in results:
        click.echo(f"{one.assignment:28} {len(one.totals):4} examined, median {one.median:g} of {one.most:g} points")
    click.echo(f"{page}, tasks in {table}")
