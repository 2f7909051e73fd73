"""How a class did: shares and correlations recounted, and a page that shows whatever names there are as text."""

import numpy as np
import pytest

from anonnb.coursework import Mark, write_marks
from anonnb.coursework.course.grades import read_grades
from anonnb.coursework.course.sheets import read_sheet
from anonnb.coursework.course.statistics import class_results, discrimination
from anonnb.coursework.course.statistics_page import said_of_spread, said_of_tasks, statistics_page, write_statistics
from anonnb.coursework.marks import TaskMark

HOSTILE = '<img src=x onerror=alert(1)> $x$ "&'
# points of ten students for three tasks: a good one, one that separates badly, one that everybody solves
GOOD = [0, 0, 0, 1, 2, 2, 3, 4, 4, 4]
ODD = [4, 4, 2, 4, 0, 4, 0, 0, 2, 0]
EASY = [2] * 10


def written(folder, columns=None, **more):
    columns = columns or {"good": GOOD, "odd": ODD, "easy": EASY}
    marks = []
    for number, points in enumerate(zip(*columns.values(), strict=True)):
        tasks = [
            TaskMark(
                name, "auto", value, max(columns[name]), f"row {number} is wrong" if value < max(columns[name]) else ""
            )
            for name, value in zip(columns, points, strict=True)
        ]
        marks.append(Mark(f"s{number}", "01_a", "marked", [*tasks, TaskMark("think", "manual", None, 5)]))
    empty = [
        TaskMark(task.task, task.kind, 0 if task.kind == "auto" else None, task.max_points) for task in marks[0].tasks
    ]
    marks += [Mark(name, "01_a", status, empty) for name, status in more.items()]
    write_marks(marks, folder / "marks.csv")
    return read_grades(folder / "marks.csv")


def test_shares_and_correlations_are_those_of_the_examined(tmp_path):
    (one,) = class_results(written(tmp_path, absent="missing", broken="unreadable"))
    good, odd, easy = one.tasks
    assert (one.missing, one.unexamined, one.left_out) == (1, 1, ("think",))
    assert one.totals.tolist() == [a + b + c for a, b, c in zip(GOOD, ODD, EASY, strict=True)]
    assert (good.success, good.full, good.none) == pytest.approx((np.mean(GOOD) / 4, 0.3, 0.3))
    rest = np.array(GOOD) + EASY
    assert odd.discrimination == pytest.approx(np.corrcoef(ODD, rest)[0, 1])
    assert easy.discrimination is None
    assert [task.task for task in one.weak] == ["good", "odd"]
    assert one.remarks[:2] == (("good", "row … is wrong", 7), ("odd", "row … is wrong", 6))


def test_the_titles_are_the_findings(tmp_path):
    (one,) = class_results(written(tmp_path))
    assert said_of_spread(one) == f"Half of the 10 students have at least {one.median:g} of 10 points"
    assert said_of_tasks(one) == (
        "The hardest task is good: 50 % of its points on average; good, odd hardly tell strong from weak work"
    )
    assert (one.totals >= one.median).mean() >= 0.5


def test_few_students_have_no_correlation():
    assert discrimination(np.array([0, 1, 2, 3]), np.array([0, 1, 2, 3])) is None
    assert discrimination(np.array([0, 1, 2, 3, 4]), np.array([0, 1, 2, 3, 4])) == pytest.approx(1)


def test_points_that_people_gave_count_once_all_are_there(tmp_path):
    columns = {"a": [1, 2]}
    written(tmp_path, columns)
    sheet = tmp_path / "manual.csv"
    sheet.write_text(
        "student,assignment,task,item,max,points,comment\ns0,01_a,think,,5,3,\ns1,01_a,think,,5,4,\n", encoding="utf-8"
    )
    (one,) = class_results(read_grades(tmp_path / "marks.csv", manual=sheet))
    assert (one.totals.tolist(), one.most, one.left_out) == ([4, 6], 7, ())


def test_hostile_names_are_text_and_the_page_needs_no_net(tmp_path):
    grades = written(tmp_path, {HOSTILE: GOOD, "b" * 300: ODD})
    page, table = write_statistics(class_results(grades), tmp_path / "class.html")
    text = page.read_text(encoding="utf-8")
    assert "<img src=x" not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert text.count('src="data:image/svg') == 2
    assert "http" not in text.replace("http-equiv", "")
    assert [line["task"] for line in read_sheet(table)] == [HOSTILE, "b" * 300]


@pytest.mark.parametrize("columns", [{"a": [1]}, {"a": [0, 0]}, {"a": [0, 2], "b": [1, 1]}])
def test_a_page_for_few(tmp_path, columns):
    columns = {name: [*values[:-1], max(values[-1], 1)] for name, values in columns.items()}
    assert "How the class did" in statistics_page(class_results(written(tmp_path, columns)))


def test_a_student_who_lacks_a_task_does_not_spoil_the_others(tmp_path):
    written(tmp_path, {"a": [1, 2], "b": [3, 4]})
    path = tmp_path / "marks-tasks.csv"
    path.write_text("".join(line for line in path.open() if not line.startswith("s1,01_a,b,")))
    (one,) = class_results(read_grades(tmp_path / "marks.csv"))
    assert (one.totals.tolist(), one.left_out) == ([1, 2], ("b", "think"))


def test_a_page_for_nobody():
    assert "Nothing was examined." in statistics_page([])
