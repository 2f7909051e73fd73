"""Points that people give, and final grades: merged, checked, explained, on their way to Moodle."""

import csv
from datetime import UTC, datetime

import pytest

from anonnb.coursework import Mark, write_marks
from anonnb.coursework.course.grades import read_grades, write_grades
from anonnb.coursework.course.late import Amount, Exemption, LateRule, LateRules
from anonnb.coursework.course.manual import RubricItem, read_rubric, write_manual_sheet
from anonnb.coursework.course.moodle import fill_worksheet, write_grade_book
from anonnb.coursework.course.roster import Enrolled, Roster
from anonnb.coursework.course.sheets import read_sheet, write_sheet
from anonnb.coursework.course.sheets_of_students import grade_page, write_pages
from anonnb.coursework.marks import TaskMark
from tests.coursework.tiny import NAME, RIGHT, hand_in, submission, write_source

DUE = datetime(2026, 11, 30, 12, tzinfo=UTC)
HOSTILE = '<script>alert("x")</script>=1+1'


def mark(student, checked=(3, 2), status="marked", text="a text"):
    tasks = [TaskMark("c1", "auto", checked[0], 3), TaskMark("c2", "auto", checked[1], 2)]
    tasks.append(TaskMark("think", "manual", None, 5, text=text))
    return Mark(student, NAME, status, tasks, "" if status == "marked" else "no reason")


@pytest.fixture
def marks(tmp_path):
    write_marks([mark("ann"), mark("bob", (3, 0)), mark("cid", (0, 0), "missing")], tmp_path / "marks.csv")
    return tmp_path / "marks.csv"


def sheet(tmp_path, *lines):
    header = ("student", "assignment", "task", "item", "max", "points", "comment", "text")
    return write_sheet(tmp_path / "manual.csv", header, [(line[0], NAME, *line[1:], "") for line in lines])


ALL = (
    ("ann", "think", "why", "3", "2,5", "good"),
    ("ann", "think", "how", "2", "2", ""),
    ("bob", "think", "", "5", "0", ""),
)


def test_checked_and_read_points_add_up(tmp_path, marks):
    ann, bob, cid = read_grades(marks, manual=sheet(tmp_path, *ALL))
    assert (ann.final, bob.final, cid.final) == (9.5, 3, 0)
    assert ann.explanation == "5 of 5 checked + 4.5 of 5 read = 9.5 of 10"
    assert cid.explanation == "not handed in"
    write_grades([ann, bob, cid], tmp_path / "grades.csv")
    rows = [
        (line["student"], line["checked"], line["read"], line["grade"]) for line in read_sheet(tmp_path / "grades.csv")
    ]
    assert rows == [("ann", "5", "4.5", "9.5"), ("bob", "3", "0", "3"), ("cid", "0", "0", "0")]


def test_what_nobody_gave_leaves_a_grade_open(tmp_path, marks):
    assert [grade.final for grade in read_grades(marks)] == [None, None, 0]
    ann, bob, _ = read_grades(marks, manual=sheet(tmp_path, ("ann", "think", "", "5", "", ""), ALL[2]))
    assert (ann.final, ann.status, bob.final) == (None, "open", 3)
    assert ann.explanation == "open: points for think are not given yet"


def test_what_could_not_be_examined_is_open_and_not_nothing(tmp_path):
    write_marks([mark("ann", (0, 0), "failed"), mark("bob", (0, 0), "unreadable")], tmp_path / "marks.csv")
    assert [grade.explanation for grade in read_grades(tmp_path / "marks.csv")] == [
        "open: failed: no reason",
        "open: unreadable: no reason",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("zoe", "think", "", "5", "1", ""), r"row 2 \(zoe, 01_tiny, think\): there are no marks of 'zoe'"),
        (("ann", "c1", "", "5", "1", ""), "'c1' is no text of this student's '01_tiny'"),
        (("cid", "think", "", "5", "1", ""), "there are no marks of 'cid'"),  # handed in nothing
        (("ann", "think", "", "5", "5.5", ""), "5.5 points were given, but 0 to 5 can be had"),
        (("ann", "think", "", "5", "many", ""), "'many' is no number of points"),
        (("ann", "think", "", "5", "nan", ""), "'nan' is no number of points"),
        (("ann", "think", "", "9", "9", ""), "its items add up to 9, but the task has 5 points"),
        (("ann", "think", "", "x", "1", ""), "max must be a number, not 'x'"),
    ],
)
def test_a_sheet_that_does_not_fit_the_marks_is_refused(tmp_path, marks, line, message):
    with pytest.raises(ValueError, match=message):
        read_grades(marks, manual=sheet(tmp_path, line))


def test_a_line_twice_is_refused_and_the_others_are_counted(tmp_path, marks):
    lines = [ALL[0], ALL[0], ("zoe", "think", "", "5", "1", "")]
    with pytest.raises(ValueError, match=r"row 3 .*: the item 'why' occurs twice \(and 1 more\)"):
        read_grades(marks, manual=sheet(tmp_path, *lines))


def test_lateness_is_taken_off_and_explained(tmp_path, marks):
    rules = LateRules(LateRule(DUE, per_day=Amount(10, percent=True)))
    times = {("ann", NAME): DUE.replace(hour=13), ("bob", ""): DUE}
    ann, bob, _ = read_grades(marks, manual=sheet(tmp_path, *ALL), late=rules, times=times)
    assert (ann.final, bob.final) == (8.5, 3)
    assert ann.explanation.startswith("5 of 5 checked + 4.5 of 5 read − 1 late = 8.5 of 10; handed in 2026-11-30 13:00")
    assert "1 started day at 10 % of 10 points each" in grade_page(ann)
    unknown, _, _ = read_grades(marks, manual=sheet(tmp_path, *ALL), late=rules, times={("bob", ""): DUE})
    assert unknown.explanation == "open: it is not known when it came in; add it to the list of times"


def test_the_list_of_students_adds_who_is_missing_and_refuses_who_is_strange(tmp_path, marks):
    roster = Roster([Enrolled(name, name.title()) for name in ("ann", "bob", "cid", "dan")])
    grades = read_grades(marks, roster=roster)
    assert [(grade.student, grade.name, grade.status) for grade in grades][-1] == ("dan", "Dan", "missing")
    with pytest.raises(ValueError, match=r"the student 'bob' \(and 1 more\) is not in the list of students"):
        read_grades(marks, roster=Roster([Enrolled("ann")]))


def test_an_exemption_for_nobody_is_refused(marks):
    roster = Roster([Enrolled(name) for name in ("ann", "bob", "cid")])
    rules = LateRules(LateRule(DUE, per_day=Amount(1)), exempt={"anne": Exemption()})
    with pytest.raises(ValueError, match="the exempt student 'anne' is not in the list of students"):
        read_grades(marks, late=rules, times={}, roster=roster)


# ---- the sheet that is filled in -------------------------------------------------------------------------------------


def test_the_sheet_has_the_texts_and_an_empty_line_per_item(tmp_path):
    tiny = write_source(tmp_path / "source")
    hand_in(tmp_path / "in", "ann", submission(tiny, RIGHT | {"think": HOSTILE[::-1] + "\nsecond line"}))
    hand_in(tmp_path / "in", "bob", submission(tiny))
    hand_in(tmp_path / "in", "eve", submission(tiny, RIGHT | {"think": "=cmd()"}))
    hand_in(tmp_path / "in", "zed", submission(tiny)).write_text("{broken")
    rubric = {(NAME, "think"): [RubricItem("why", 3), RubricItem("how", 2)]}
    assert write_manual_sheet(tmp_path / "in", [tiny], tmp_path / "manual.csv", rubric) == 2
    with (tmp_path / "manual.csv").open(encoding="utf-8", newline="") as file:
        rows = [(r["student"], r["item"], r["max"], r["points"], r["text"]) for r in csv.DictReader(file)]
    assert rows == [
        ("ann", "why", "3", "", HOSTILE[::-1] + "\nsecond line"),
        ("ann", "how", "2", "", ""),
        ("bob", "why", "3", "0", ""),
        ("bob", "how", "2", "0", ""),
        ("eve", "why", "3", "", "'=cmd()"),
        ("eve", "how", "2", "", ""),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{NAME},think,why,3\n", "the items of 01_tiny/think add up to 3, but the task has 5 points"),
        (f"{NAME},c1,why,3\n", "'01_tiny/c1' is no text that people mark; known are 01_tiny/think"),
        (f"{NAME},think,why,none\n", "max must be a number above 0, not 'none'"),
        (f"{NAME},think,why,3\n{NAME},think,why,2\n", "row 3: the item 'why' occurs twice"),
    ],
)
def test_a_rubric_that_does_not_fit_is_refused(tmp_path, text, message):
    (tmp_path / "rubric.csv").write_text(f"assignment,task,item,max\n{text}")
    with pytest.raises(ValueError, match=message):
        read_rubric(tmp_path / "rubric.csv", [write_source(tmp_path / "source")])


# ---- where grades go -------------------------------------------------------------------------------------------------


def test_the_page_shows_comments_as_text(tmp_path, marks):
    ann, *_ = read_grades(marks, manual=sheet(tmp_path, ("ann", "think", HOSTILE, "5", "4", HOSTILE), ALL[2]))
    page = grade_page(ann)
    assert "<script>" not in page
    assert page.count("&lt;script&gt;") == 2
    assert "default-src 'none'" in page
    assert [path.name for path in write_pages([ann], tmp_path / "pages")] == [f"{NAME}.html"]


WORKSHEET = (
    "Identifier,Full name,Grade,Maximum Grade,Grade can be changed,Feedback comments\n"
    "Participant 17,Ann A,,100,Yes,\nParticipant 18,Bob B,,100,Yes,\nParticipant 19,Zoe Z,,100,No,\n"
)


def test_moodles_worksheet_is_filled_in(tmp_path, marks):
    (tmp_path / "worksheet.csv").write_text(WORKSHEET, encoding="utf-8-sig")
    roster = Roster([Enrolled("ann", "Ann A", "17", "ann@x"), Enrolled("bob", "Bob B", "18"), Enrolled("cid", "Cid")])
    grades = read_grades(marks, manual=sheet(tmp_path, *ALL), roster=roster)
    left = fill_worksheet(grades, tmp_path / "worksheet.csv", roster, tmp_path / "filled.csv")
    assert left == ["Zoe Z"]
    rows = read_sheet(tmp_path / "filled.csv")
    assert [row["grade"] for row in rows] == ["95", "30", ""]
    assert rows[0]["feedback comments"].endswith("= 9.5 of 10; that is 95 of 100")
    write_grade_book(grades, roster, tmp_path / "book.csv")
    first = read_sheet(tmp_path / "book.csv")[0].cells
    assert (first["id number"], first["email address"], first[f"{NAME} (points)"]) == ("ann", "ann@x", "9.5")


def test_a_file_that_is_no_worksheet_is_refused(tmp_path, marks):
    (tmp_path / "worksheet.csv").write_text("name,points\nAnn,\n")
    with pytest.raises(ValueError, match=r"worksheet.csv has no column 'identifier'; export the grading worksheet"):
        fill_worksheet(read_grades(marks), tmp_path / "worksheet.csv", Roster(), tmp_path / "filled.csv")
    assert not (tmp_path / "filled.csv").exists()
