"""``anonnb coursework manual`` and ``grades``: points that people give, and the final table."""

import os
from pathlib import Path

import click

from anonnb.cli.common import DONE, FAILED, bad_input, check_out, note
from anonnb.cli.course.options import ASSIGNMENT, FORCE, SOURCE, STUDENTS, chosen_assignments, existing, read_roster


@click.command()
@click.argument("submissions")
@click.option("--out", default="manual.csv", show_default=True, metavar="FILE", help="The sheet to fill in.")
@click.option(
    "--rubric", metavar="FILE", help="A CSV with assignment, task, item, max; default: rubric.csv in the source."
)
@ASSIGNMENT
@SOURCE
def manual(submissions, out, rubric, names, source) -> None:
    """Make the sheet for points that people give: the texts of SUBMISSIONS, with empty points and comments."""
    from anonnb.coursework.course.manual import read_rubric, write_manual_sheet
    from anonnb.coursework.submissions import check_folder

    check_out(Path(out), False, (".csv",), option="--out")  # points may be in it already: never written over
    chosen = chosen_assignments(source, names)
    with bad_input():
        check_folder(submissions)
        rubric = rubric or _rubric_beside(chosen)
        items = read_rubric(existing(rubric, "--rubric"), chosen_assignments(source)) if rubric else {}
        texts = write_manual_sheet(submissions, chosen, out, items)
    click.echo(f"{texts} text(s) to read in {out}")


def _rubric_beside(assignments) -> str | None:
    """The rubric in the folder of the assignments, if there is one."""
    path = assignments[0].folder.parent / "rubric.csv"
    return os.fspath(path) if path.is_file() else None


@click.command()
@click.argument("marks", default="marks.csv")
@click.option("--out", default="grades.csv", show_default=True, metavar="FILE", help="The CSV with the final grades.")
@click.option("--manual", metavar="FILE", help="The filled-in sheet of points that people gave.")
@click.option("--late", metavar="FILE", help="The late rules, a YAML file; needs --times or --submissions.")
@click.option("--times", metavar="FILE", help="When what came in: SUBMITTED-times.csv, or Moodle's worksheet.")
@click.option("--submissions", metavar="FOLDER", help="Take the times of the notebooks in this folder.")
@click.option("--worksheet", metavar="FILE", help="Moodle's grading worksheet, to be filled in as …-worksheet.csv.")
@STUDENTS
@FORCE
def grades(marks, out, manual, late, times, submissions, worksheet, students, force) -> None:
    """Make the final grades from MARKS (and …-tasks.csv), points that people gave, and late rules.

    Beside OUT come …-moodle.csv for the import into a grade book, and …-feedback with a page per grade. The exit code
    is 1 while grades are open.
    """
    from anonnb.coursework.course.grades import read_grades, write_grades
    from anonnb.coursework.course.late import LateRules
    from anonnb.coursework.course.moodle import fill_worksheet, write_grade_book
    from anonnb.coursework.course.sheets_of_students import write_pages

    path = Path(out)
    inputs = [name for name in (marks, manual, times, worksheet) if name]
    check_out(path, force, (".csv",), inputs, option="--out")
    with bad_input():
        roster = read_roster(students)
        rules = LateRules.read(existing(late, "--late")) if late else None
        when = _times(times, submissions, roster) if late else None
        filled = existing(manual, "--manual") if manual else None
        found = read_grades(existing(marks, "MARKS"), manual=filled, late=rules, times=when, roster=roster)
        if worksheet:
            sheet = path.with_name(f"{path.stem}-worksheet.csv")
            left = fill_worksheet(found, existing(worksheet, "--worksheet"), roster, sheet)
            note(f"{sheet}: {len(left)} line(s) have no grade" + (f": {', '.join(left[:5])}" if left else ""))
    write_grades(found, path)
    book = write_grade_book(found, roster, path.with_name(f"{path.stem}-moodle.csv"))
    pages = write_pages(found, path.with_name(f"{path.stem}-feedback"))
    click.echo(f"{len(found)} grade(s) in {path}, for a grade book in {book}, {len(pages)} page(s)")
    unsettled = [grade for grade in found if grade.final is None]
    for grade in unsettled[:5]:
        click.echo(f"{grade.student}  {grade.assignment}  {grade.explanation}", err=True)
    if unsettled:
        click.echo(f"{len(unsettled)} grade(s) are open; {path} says why", err=True)
    raise SystemExit(FAILED if unsettled else DONE)


def _times(times: str | None, submissions: str | None, roster):
    from anonnb.coursework.course.times import file_times, read_collected_times

    if not times and not submissions:
        raise ValueError(
            "--late needs to know when work came in: name a list with --times, or the folder that was marked"
        )
    found = file_times(submissions) if submissions else {}
    return found | (read_collected_times(existing(times, "--times"), roster) if times else {})
