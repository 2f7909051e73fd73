"""``anonnb coursework`` around marking: collect, manual, grades, as a teacher calls them."""

import os
import zipfile

import nbformat
import pytest
from click.testing import CliRunner

from anonnb.cli import main
from anonnb.cli.course.progress import shown_marks
from anonnb.coursework import Mark, write_marks
from anonnb.coursework.course.sheets import read_sheet
from anonnb.coursework.marks import TaskMark
from tests.coursework.tiny import NAME, RIGHT, hand_in, submission, write_source

LATE = "deadline: 2026-01-01T12:00\nper_day: 10 %\n"


def run(*words):
    return CliRunner().invoke(main, ["coursework", *map(str, words)])


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course folder with an archive from Moodle, a list of students and late rules; the current folder."""
    tiny = write_source(tmp_path / "source")
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as archive:
        for name, number in (("Zoë Å", 17), ("Bob", 18)):
            info = zipfile.ZipInfo(f"{name}_{number}_assignsubmission_file_/a (1).ipynb", (2026, 1, 2, 13, 0, 0))
            archive.writestr(info, nbformat.writes(submission(tiny, RIGHT)))
    (tmp_path / "students.csv").write_text("id;name\ns17;Zoë Å\ns18;Bob\ns19;Cid\n", encoding="utf-8")
    (tmp_path / "late.yaml").write_text(LATE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def marked(course):
    """What marking writes for the two who handed in."""
    tasks = [TaskMark("c1", "auto", 3, 3), TaskMark("c2", "auto", 2, 2), TaskMark("think", "manual", None, 5, text="t")]
    write_marks([Mark(student, NAME, "marked", tasks) for student in ("s17", "s18")], course / "marks.csv")


def test_from_the_archive_to_the_grades(course):
    done = run("collect", "moodle.zip", "--students", "students.csv", "--source", "source")
    assert done.exit_code == 0, done.output
    assert done.stdout.split()[:4] == ["missing", "1", "taken", "2"]
    assert sorted(os.listdir("submitted")) == ["s17", "s18"]
    marked(course)
    done = run("manual", "submitted", "--source", "source")
    assert (done.exit_code, done.stdout) == (0, "2 text(s) to read in manual.csv\n")
    words = ["grades", "--students", "students.csv", "--late", "late.yaml", "--times", "submitted-times.csv", "--force"]
    done = run(*words, "--manual", "manual.csv")
    assert done.exit_code == 1
    assert "2 grade(s) are open; grades.csv says why" in done.stderr
    sheet = (course / "manual.csv").read_text()
    (course / "manual.csv").write_text(sheet.replace("whole answer,5,,", "whole answer,5,4,fine"))
    done = run(*words, "--manual", "manual.csv")
    assert done.exit_code == 0, done.output
    assert [(line["student"], line["days_late"], line["grade"]) for line in read_sheet("grades.csv")] == [
        ("s17", "2", "7"),
        ("s18", "2", "7"),
        ("s19", "", "0"),
    ]
    assert len(list(course.glob("grades-feedback/*/*.html"))) == 2
    assert len(read_sheet("grades-moodle.csv")) == 3
    done = run("grades", "--late", "late.yaml", "--submissions", "submitted", "--manual", "manual.csv", "--force")
    assert [line["grade"] for line in read_sheet("grades.csv")] == ["7", "7"]


def test_how_the_class_did_is_shown(course):
    marked(course)
    done = run("statistics")
    assert done.exit_code == 0, done.output
    assert f"{NAME:28}    2 examined, median 5 of 5 points" in done.stdout
    assert (course / "class.html").is_file()
    assert len(read_sheet("class-tasks.csv")) == 2


def test_similar_submissions_are_shown(course):
    run("collect", "moodle.zip", "--source", "source")
    done = run("similar", "submitted", "--source", "source")
    assert done.exit_code == 0, done.output
    assert f"{NAME:28}    2 submissions" in done.stdout
    assert "similar.html, all pairs in similar-pairs.csv" in done.stdout
    assert run("similar", "submitted", "--source", "source").exit_code == 2  # it is there already
    assert run("similar", "submitted", "--source", "source", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["statistics", "none.csv"], "MARKS: there is no file 'none.csv'"),
        (["statistics", "--out", "class.pdf"], "use a name that ends in .html"),
        (["similar", "none"], "there is no folder 'none'"),
        (["collect", "none.zip"], "there is no 'none.zip'"),
        (["collect", "students.csv"], "is neither a folder nor a ZIP archive"),
        (["collect", "moodle.zip", "--students", "none.csv"], "--students: there is no file 'none.csv'"),
        (["collect", "moodle.zip", "--assignment", "07"], "'07' names 0 assignments"),
        (["collect", "moodle.zip", "--out", "source"], "'source' is there already; choose another folder"),
        (["collect", "moodle.zip", "--times", "late.yaml"], "must name the columns student and time"),
        (["manual", "none"], "there is no folder 'none'"),
        (["manual", "source", "--out", "a.txt"], "use a name that ends in .csv"),
        (["grades", "none.csv"], "MARKS: there is no file 'none.csv'"),
        (["grades", "--late", "late.yaml"], "--late needs to know when work came in"),
        (["grades", "--late", "students.csv", "--times", "x"], "students.csv"),
        (["grades", "--out", "marks.csv"], "is the file that is read"),
        (["grades", "students.csv"], "students.csv has no column 'student'"),
    ],
)
def test_bad_input_is_one_sentence(course, words, message):
    marked(course)
    before = sorted(os.listdir(course))
    done = run(*words, *(["--source", "source"] if words[0] not in ("grades", "statistics") else []))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert message in done.stderr
    assert sorted(os.listdir(course)) == before


def test_the_rubric_of_the_source_is_used_whatever_else_is_in_it(course):
    other = write_source(course / "more")
    (course / "more" / NAME).rename(course / "source" / "02_other")
    (course / "source" / "02_other" / f"{NAME}.ipynb").rename(course / "source" / "02_other" / "02_other.ipynb")
    lines = [f"{name},think,{item},{most}" for name in (NAME, "02_other") for item, most in (("why", 3), ("how", 2))]
    (course / "source" / "rubric.csv").write_text("\n".join(["assignment,task,item,max", *lines, ""]))
    hand_in(course / "in", "ann", submission(other, RIGHT))
    done = run("manual", "in", "--source", "source", "--assignment", "01")
    assert done.exit_code == 0, done.output
    assert [(line["item"], line["max"]) for line in read_sheet("manual.csv")] == [("why", "3"), ("how", "2")]


def test_a_sheet_with_points_is_never_written_over(course):
    (course / "manual.csv").write_text("mine")
    done = run("manual", "source", "--source", "source")
    assert (done.exit_code, (course / "manual.csv").read_text()) == (2, "mine")


def test_progress_says_how_many_there_are_and_how_long_it_takes(capsys):
    """Two that an earlier marking finished, then one minute each."""
    times = iter([0, 0, 0, 0, 0, 60, 60, 120, 120, 180, 180])
    tasks = [TaskMark("c1", "auto", 3, 3)]
    marks = [Mark(f"s{number}", NAME, "marked", tasks) for number in range(5)]
    assert list(shown_marks(5, lambda: next(times))(marks)) == marks
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"1/5  s0  {NAME}  marked  3 of 3"
    assert [line.rpartition("3 of 3")[2] for line in lines] == ["", "", "  about 2 min left", "  about 1 min left", ""]
