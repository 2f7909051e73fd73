"""Feedback: a student finds the task, the code, what was expected and the points; hostile texts stay texts."""

import re
import time

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from anonnb.coursework.assignment import Assignment
from anonnb.coursework.feedback import LONGEST_TEXT, as_markdown, feedback_page
from anonnb.coursework.marks import Mark, TaskMark, code_by_task
from anonnb.coursework.submissions import merge
from tests.coursework.tiny import NAME, RIGHT, hand_in, source_notebook, submission

TASKS = [
    TaskMark("check_lower", "auto", 5, 5, "", title="1. Sets", expects="lower holds all of them"),
    TaskMark("check_upper", "auto", 2.5, 5, "upper: 'p9' does not belong to it", title="1. Sets", expects="upper fits"),
    TaskMark("check_k", "auto", 0, 4, "k: 3 is not right", title="2. Measure", expects="k is the smallest class"),
    TaskMark("think", "manual", None, 6, text="I *think* <b>so</b>.", title="3. Think"),
]
CODE = {"": "import os", "1. Sets": "lower = {'<script>'}", "2. Measure": "k = 3"}
MARK = Mark("Ann", "01_sets", "marked", TASKS, title="Assignment 1: sets", code=CODE)


def test_a_page_has_titles_code_what_was_expected_and_points_so_far():
    page = feedback_page(MARK)
    assert [re.sub(r"\s+", " ", text) for text in re.findall(r"<h2>(.*?) <small>", page)] == [
        *("1. Sets", "2. Measure", "3. Think", "Cells before the first task"),
    ]
    for text in (
        "Assignment 1: sets",
        "7.5 of 10",
        "Points so far: 7.5</b> of 20",
        "Expected: lower holds all of them.",
    ):
        assert text in page
    assert "lower = {&#39;&lt;script&gt;&#39;}" in page
    assert "<b>Right in part</b>, 2.5 of 5. Expected: upper fits." in page
    assert "<b>Not right</b>, 0 of 4." in page
    assert "k: 3 is not right" in page
    assert "up to 6 points more" in page
    assert "<em>think</em> &lt;b&gt;so&lt;/b&gt;" in page


def test_points_of_a_reader_count_when_they_are_known():
    read = [*TASKS[:3], TaskMark("think", "manual", 4.5, 6, text="So.", title="3. Think")]
    page = feedback_page(Mark("Ann", "01", "marked", read))
    assert "Points so far: 12</b> of 20" in page
    assert "Read by a person: 4.5 of 6 points." in page


def test_a_mark_of_an_older_version_has_a_page_too():
    page = feedback_page(Mark("Ann", "01", "marked", [TaskMark("c1", "auto", 3, 3)]))
    assert "<h2>c1 <small>3 of 3</small></h2>" in page


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1)) [b](JAVASCRIPT:x) [c](&#106;avascript:x) [d](data:text/html,x) [e](vbscript:x)",
        "[x]: javascript:alert(1)\n\n[x] and <javascript:alert(1)>",
        '[a](http://x" onclick="alert(1)) ![p](http://spy.example/x.png "onload")',
        "![](javascript:x) ![<img onerror=x>](y)",
        "| a |\n|---|\n| <svg onload=x> |",
        "</div></body><style>*{display:none}</style>",
        "```html\n<iframe src=x>\n```",
    ],
)
def test_hostile_texts_stay_texts(text):
    made = str(as_markdown(text))
    tags = set(re.findall(r"<\s*/?\s*([a-zA-Z]+)", made))
    assert tags <= {"p", "a", "pre", "code", "table", "thead", "tbody", "tr", "th", "td", "em", "strong"}
    assert not re.search(r"<[^>]*\son\w+\s*=", made)
    assert all(link.startswith(("http://", "https://", "mailto:")) for link in re.findall(r'href="([^"]*)"', made))
    assert "src=" not in re.sub(r"&lt;.*?&gt;", "", made)
    for where in ("student", "assignment", "title"):
        assert text not in feedback_page(
            Mark(**{"student": "a", "assignment": "b", "status": "marked"} | {where: text})
        )


def test_strange_texts_take_no_time():
    began = time.process_time()
    for part in ("[", "*a_ ", "> ", "[a](", "![", "`", "- ", "<a ", "|"):
        as_markdown(part * (LONGEST_TEXT // len(part)))
    deep = "".join(" " * (2 * level) + "- a\n" for level in range(130))
    assert "<li>" in as_markdown(deep)
    assert as_markdown("*" * (LONGEST_TEXT + 1)).startswith("<pre>")
    assert time.process_time() - began < 5


def test_code_stands_under_its_heading(tmp_path):
    notebook = source_notebook()
    for place, heading in ((4, "## 2. Double (2 points)"), (2, "## 1. Add (3 points)\n\nAll of them.")):
        notebook.cells.insert(place, new_markdown_cell(heading))
    path = tmp_path / NAME / f"{NAME}.ipynb"
    path.parent.mkdir()
    nbformat.write(notebook, path)
    tiny = Assignment.read(path)
    assert {cell.id: cell.task for cell in tiny.checks} == {"c1": "1. Add", "c2": "2. Double"}

    def with_own_cell(notebook):
        notebook.cells.insert(4, new_code_cell("print(total)"))

    handed_in = hand_in(tmp_path / "in", "ann", submission(tiny, {"a1": RIGHT["a1"]}, then=with_own_cell))
    found = code_by_task(tiny, merge(tiny, handed_in).steps)
    assert found == {"1. Add": "total = sum(NUMBERS)\n\nprint(total)"}  # the stub under the other is no code
